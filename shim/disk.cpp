#include "disk.hpp"

#include "tree.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <limits>
#include <set>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace shim {
namespace {

using hydra::UniqueDir;
using hydra::UniqueFd;

constexpr std::uint64_t kLeast = 512;  // an entry without blocks is an inode all the same
constexpr std::size_t kPending = 250'000;
constexpr std::uint64_t kEntries = 20'000'000;
constexpr std::size_t kLongPath = 2000;  // beyond it paths start anew: open() takes 4095 bytes
constexpr int kStep = 2000;              // entries between two looks at pipes and signals: some milliseconds
constexpr std::int64_t kLook = 250;
constexpr std::int64_t kWhile = 10'000;

bool is_dots(const char* name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

std::uint64_t blocks_of(const struct stat& s) { return static_cast<std::uint64_t>(s.st_blocks) * 512; }

bool is_below(const std::string& path, const std::string& parent) {
  return path.size() > parent.size() && path.compare(0, parent.size(), parent) == 0 &&
         path[parent.size()] == '/';
}

}  // namespace

DiskWalk::DiskWalk(const std::vector<std::string>& roots, time_t since) : since_(since) {
  for (const auto& root : roots) pending_.push_back({nullptr, root});
}

void DiskWalk::add(const struct stat& s) {
  ++entries_;
  if (s.st_ctim.tv_sec < since_) return;
  ++counted_;
  const bool shared = !S_ISDIR(s.st_mode) && s.st_nlink > 1;
  bytes_ += std::max(kLeast, blocks_of(s) / (shared ? s.st_nlink : 1));
}

void DiskWalk::read(Pending from) {
  const int at = from.base ? from.base->get() : AT_FDCWD;
  UniqueFd opened(::openat(at, from.path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!opened) return;
  if (from.path.size() > kLongPath) {
    UniqueFd copy(::fcntl(opened.get(), F_DUPFD_CLOEXEC, 16));
    if (copy) from = {std::make_shared<UniqueFd>(std::move(copy)), {}};
  }
  const UniqueDir directory(::fdopendir(opened.get()));
  if (!directory) return;
  const int fd = opened.release();
  while (const dirent* entry = ::readdir(directory.get())) {
    struct stat s {};
    if (is_dots(entry->d_name)) continue;
    if (::fstatat(fd, entry->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
    add(s);
    if (S_ISDIR(s.st_mode))
      pending_.push_back({from.base, from.path.empty() ? entry->d_name : from.path + "/" + entry->d_name});
    if (pending_.size() > kPending || entries_ > kEntries) {
      too_many_ = true;
      break;
    }
  }
}

bool DiskWalk::step(int entries) {
  const auto until = entries_ + static_cast<std::uint64_t>(entries);
  while (!pending_.empty() && entries_ < until && !too_many_) {
    auto next = std::move(pending_.back());
    pending_.pop_back();
    ++entries_;  // empty ones are work, too
    read(std::move(next));
  }
  return pending_.empty() || too_many_;
}

std::uint64_t unlinked_bytes(const std::vector<pid_t>& pids, const std::vector<dev_t>& devices) {
  constexpr decltype(statfs::f_type) kOverlay = 0x794c7630;
  std::set<std::pair<dev_t, ino_t>> seen;
  std::uint64_t sum = 0;
  for (const pid_t pid : pids) {
    const auto path = "/proc/" + std::to_string(pid) + "/fd";
    const UniqueDir directory(::opendir(path.c_str()));
    while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr) {
      struct stat s {};
      if (is_dots(entry->d_name) || ::fstatat(::dirfd(directory.get()), entry->d_name, &s, 0) != 0) continue;
      if (!S_ISREG(s.st_mode) || s.st_nlink != 0) continue;
      if (std::find(devices.begin(), devices.end(), s.st_dev) == devices.end()) {
        struct statfs where {};
        const auto name = path + "/" + entry->d_name;
        if (::statfs(name.c_str(), &where) != 0 || where.f_type != kOverlay) continue;
      }
      if (seen.emplace(s.st_dev, s.st_ino).second) sum += blocks_of(s);
    }
  }
  return sum;
}

std::string full_disk(const std::vector<std::string>& paths) {
  for (const auto& path : paths) {
    struct statvfs room {};
    if (::statvfs(path.c_str(), &room) != 0 || room.f_blocks == 0) continue;
    // Who hits the end often frees a little when it dies.
    const std::uint64_t size = static_cast<std::uint64_t>(room.f_blocks) * room.f_frsize;
    const auto full = std::max<std::uint64_t>(16u << 10, std::min<std::uint64_t>(1u << 20, size / 64));
    if (static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize <= full) return "the disk is full: " + path;
    if (room.f_files > 0 && room.f_favail < 16) return "the disk has no room for another file: " + path;
  }
  return {};
}

void DiskLimit::set(std::uint64_t limit, std::vector<std::string> paths) {
  limit_ = limit;
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const auto& path : paths)
    if (std::none_of(paths.begin(), paths.end(), [&](const auto& other) { return is_below(path, other); }))
      paths_.push_back(path);
  if (paths_.empty()) limit_ = 0;
}

void DiskLimit::begin(std::int64_t now) {
  if (limit_ == 0) return;
  for (const auto& path : paths_) {
    struct stat s {};
    if (::stat(path.c_str(), &s) == 0 &&
        std::find(devices_.begin(), devices_.end(), s.st_dev) == devices_.end())
      devices_.push_back(s.st_dev);
  }
  used_ = used();
  DiskWalk walk(paths_);
  while (!walk.step(kStep)) {
  }
  base_ = walk.bytes();
  next_look_ = now + kLook;
  next_walk_ = now + kWhile;
}

std::int64_t DiskLimit::due() const {
  if (limit_ == 0) return std::numeric_limits<std::int64_t>::max();
  return walking_ ? 0 : next_look_;
}

/// Of the file systems that the directories are on, each once.
std::uint64_t DiskLimit::used() const {
  std::uint64_t sum = 0;
  std::vector<dev_t> seen;
  for (const auto& path : paths_) {
    struct stat s {};
    struct statvfs room {};
    if (::stat(path.c_str(), &s) != 0 || std::find(seen.begin(), seen.end(), s.st_dev) != seen.end())
      continue;
    seen.push_back(s.st_dev);
    if (::statvfs(path.c_str(), &room) != 0) continue;
    sum += static_cast<std::uint64_t>(room.f_blocks - room.f_bfree) * room.f_frsize;
    sum += static_cast<std::uint64_t>(room.f_files - room.f_ffree) * kLeast;
  }
  return sum;
}

bool DiskLimit::step(std::int64_t now, const Processes& processes) {
  if (limit_ == 0 || (!walking_ && now < next_look_)) return false;
  if (!walking_) {
    next_look_ = now + kLook;
    // What others wrote counts here, too: then the walk finds that it was not this one. What others removed
    // can hide it until the next walk by time.
    const auto taken = used();
    const auto room = limit_ - std::min(limit_, growth_);
    const bool may_be = taken > used_ && taken - used_ >= room;
    if (!may_be && now < next_walk_) return false;
    walk_ = DiskWalk(paths_);
    walking_ = true;
    spent_ = 0;
    used_ = taken;
  }
  const auto from = shim::now();
  const bool done = walk_.step(kStep);
  spent_ += shim::now() - from + 1;
  return done || walk_.bytes() > base_ + limit_ ? finish(now, processes) : false;
}

bool DiskLimit::finish(std::int64_t now, const Processes& processes) {
  walking_ = false;
  const auto sum = walk_.bytes() + unlinked_bytes(processes(), devices_);
  growth_ = sum - std::min(sum, base_);
  const bool too_many = walk_.too_many();
  walk_ = {};
  next_look_ = now + std::max(kLook, 10 * spent_);
  next_walk_ = now + std::max(kWhile, 50 * spent_);
  return growth_ > limit_ || too_many;
}

}  // namespace shim
