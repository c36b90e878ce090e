#include "cli/input_file.hpp"

#include "base/fd.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace hydra::cli {
namespace {

constexpr std::size_t kBuffer = std::size_t{8} << 20, kChunk = std::size_t{1} << 20;

Error failed(const char* what) {
  return {Errc::io, std::string(what) + ": " + std::strerror(errno), "standard input", {}};
}

int unnamed_file(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string path = directory + "/hydra-parse-XXXXXX";
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(path.c_str());
  return named;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

InputFile::InputFile(InputFile&& other) noexcept
    : buffer_(std::move(other.buffer_)),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(other.mapped_),
      skip_(other.skip_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(buffer_, other.buffer_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(skip_, other.skip_);
  return *this;
}

InputFile::~InputFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
}

std::string_view InputFile::text() const {
  if (mapping_ == nullptr) return buffer_;
  return std::string_view(static_cast<const char*>(mapping_), mapped_).substr(skip_);
}

void InputFile::leave(std::string_view part) const {
  // Only whole pages of the mapping are dropped, since other memory would be lost.
  const auto* base = static_cast<const char*>(mapping_);
  if (mapping_ == nullptr || part.data() < base || part.data() + part.size() > base + mapped_) return;
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<std::size_t>(part.data() - base) / page * page;
  const auto end = static_cast<std::size_t>(part.data() + part.size() - base) / page * page;
  if (begin < end) ::madvise(static_cast<char*>(mapping_) + begin, end - begin, MADV_DONTNEED);
}

Result<InputFile> InputFile::produced(const std::string& temporary,
                                      const std::function<void(const Sink&)>& produce) {
  const UniqueFd spill(unnamed_file(temporary));
  if (!spill) return failed("temporary file");
  std::size_t size = 0;
  bool good = true;
  produce([&](std::string_view part) {
    good = good && write_all(spill.get(), part);
    size += part.size();
  });
  if (!good) return failed("temporary file");
  return map(spill.get(), 0, size);
}

Result<InputFile> InputFile::map(int descriptor, std::size_t offset, std::size_t size) {
  InputFile out;
  if (offset >= size) return out;
  out.mapping_ = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (out.mapping_ == MAP_FAILED) {
    out.mapping_ = nullptr;
    return failed("mmap");
  }
  out.mapped_ = size;
  out.skip_ = offset;
  ::madvise(out.mapping_, size, MADV_SEQUENTIAL);
  return out;
}

Result<InputFile> InputFile::read(int descriptor, const std::string& temporary) {
  struct stat st {};
  if (::fstat(descriptor, &st) != 0) return failed("fstat");
  const auto at = ::lseek(descriptor, 0, SEEK_CUR);
  if (S_ISREG(st.st_mode) && at >= 0 && static_cast<std::size_t>(st.st_size) > kBuffer)
    return map(descriptor, static_cast<std::size_t>(at), static_cast<std::size_t>(st.st_size));
  InputFile out;
  while (out.buffer_.size() < kBuffer + kChunk) {
    const auto before = out.buffer_.size();
    out.buffer_.resize(before + kChunk);
    const auto n = ::read(descriptor, out.buffer_.data() + before, kChunk);
    out.buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && errno != EINTR) return failed("read");
    if (n == 0) return out;
  }
  const UniqueFd spill(unnamed_file(temporary));
  if (!spill || !write_all(spill.get(), out.buffer_)) return failed("temporary file");
  std::size_t size = out.buffer_.size();
  out.buffer_.resize(kChunk);
  while (true) {
    const auto n = ::read(descriptor, out.buffer_.data(), kChunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("read");
    if (n == 0) break;
    if (!write_all(spill.get(), std::string_view(out.buffer_).substr(0, static_cast<std::size_t>(n))))
      return failed("temporary file");
    size += static_cast<std::size_t>(n);
  }
  return map(spill.get(), 0, size);
}

}  // namespace hydra::cli
