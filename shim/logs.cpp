#include "logs.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace shim {
namespace {

constexpr std::uint64_t kBlock = 4096;          // holes consist of whole blocks
constexpr std::uint64_t kPunchStep = 1u << 20;  // bytes that trigger punching, or an eighth of the tail

}  // namespace

bool Log::open(const std::string& path, std::uint64_t head, std::uint64_t tail) {
  head_ = head;
  tail_ = tail;
  step_ = std::min(kPunchStep, std::max(kBlock, tail / 8));
  hole_from_ = hole_to_ = (head + kBlock - 1) / kBlock * kBlock;
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd_ < 0) return false;
  // Tested before any byte is beyond the head: punching an empty file loses nothing.
  can_punch_ = punched(hole_from_, kBlock);
  return true;
}

bool Log::punched(std::uint64_t from, std::uint64_t size) const {
  return ::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                     static_cast<off_t>(size)) == 0;
}

void Log::write_at(std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty() && error_ == 0) {
    const ssize_t n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      error_ = errno;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
}

void Log::append(std::string_view bytes) {
  if (can_punch_) {
    write_at(bytes, total_);
    total_ += bytes.size();
    if (total_ >= hole_to_ + tail_ + step_) punch();
    return;
  }
  const auto room = total_ < hole_from_ ? std::min<std::uint64_t>(hole_from_ - total_, bytes.size()) : 0;
  if (room > 0) write_at(bytes.substr(0, room), total_);
  total_ += bytes.size();
  memory_ += bytes.substr(room);
  if (memory_.size() > 2 * tail_ + kPunchStep) memory_.erase(0, memory_.size() - tail_);
}

void Log::punch() {
  const std::uint64_t to = total_ > tail_ ? (total_ - tail_) / kBlock * kBlock : 0;
  if (to <= hole_to_ || error_ != 0) return;
  if (punched(hole_to_, to - hole_to_)) {
    hole_to_ = to;
    return;
  }
  // Punching stops: the file stays as it is, and the tail stays in memory until it is written behind the gap.
  can_punch_ = false;
  hole_from_ = hole_to_ = total_;
}

void Log::finish() {
  if (can_punch_) punch();
  if (!can_punch_ && !memory_.empty()) {
    if (memory_.size() > tail_) memory_.erase(0, memory_.size() - tail_);
    hole_to_ = total_ - memory_.size();
    write_at(memory_, hole_to_);
    memory_.clear();
  }
  if (error_ != 0) {
    // Bytes beyond the end of the file were dropped.
    const off_t size = ::lseek(fd_, 0, SEEK_END);
    if (size >= 0 && static_cast<std::uint64_t>(size) < total_) {
      if (hole_to_ <= hole_from_) hole_from_ = static_cast<std::uint64_t>(size);
      hole_to_ = total_;
    }
  }
  if (hole_to_ <= hole_from_) hole_from_ = hole_to_ = 0;
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace shim
