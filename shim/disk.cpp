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

constexpr std::uint64_t kLeast = 512;  // bytes of an entry without blocks, for its inode
constexpr std::size_t kPending = 250'000;
constexpr std::uint64_t kEntries = 20'000'000;
// longer paths are opened relative to a directory: open() takes 4095 bytes
constexpr std::size_t kLongPath = 2000;
constexpr int kStep = 2000;  // entries between two polls of pipes and signals: some milliseconds
constexpr std::int64_t kWhile = 10'000;
constexpr std::uint64_t kLeastInodes = 1000;

bool is_dots(const char* name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

std::uint64_t blocks_of(const struct stat& s) { return static_cast<std::uint64_t>(s.st_blocks) * 512; }

bool is_below(const std::string& path, const std::string& parent) {
  return path.size() > parent.size() && path.compare(0, parent.size(), parent) == 0 &&
         path[parent.size()] == '/';
}

std::uint64_t bytes_left(const struct statvfs& room) {
  return static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
}

std::string mib(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

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
    ++entries_;  // an empty directory is work too
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
    // A process that hits the limit often frees a little when it dies.
    const std::uint64_t size = static_cast<std::uint64_t>(room.f_blocks) * room.f_frsize;
    const auto full = std::max<std::uint64_t>(16u << 10, std::min<std::uint64_t>(1u << 20, size / 64));
    if (static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize <= full) return "the disk is full: " + path;
    if (room.f_files > 0 && room.f_favail < 16) return "the disk has no room for another file: " + path;
  }
  return {};
}

bool PacedWalk::look(std::int64_t now) {
  if (now < next_) return false;
  next_ = now + kPause;
  return true;
}

void PacedWalk::start(const std::vector<std::string>& roots, time_t since) {
  walk_ = DiskWalk(roots, since);
  walking_ = true;
  spent_ = 0;
}

bool PacedWalk::step() {
  const auto from = now();
  const bool done = walk_.step(kStep);
  spent_ += now() - from + 1;
  return done;
}

DiskWalk PacedWalk::end(std::int64_t now) {
  walking_ = false;
  next_ = now + std::max(kPause, 10 * spent_);
  return std::exchange(walk_, {});
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
  walk_.begin(now);
  next_walk_ = now + kWhile;
}

std::int64_t DiskLimit::due() const {
  return limit_ == 0 ? std::numeric_limits<std::int64_t>::max() : walk_.due();
}

/// Used bytes of the directories' file systems, each counted once.
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
  if (limit_ == 0) return false;
  if (!walk_.walking()) {
    if (!walk_.look(now)) return false;
    // Writes of other processes count here too: the walk then finds that this attempt did not write them.
    // Removals by others can hide growth until the next timed walk.
    const auto taken = used();
    const auto room = limit_ - std::min(limit_, growth_);
    const bool may_be = taken > used_ && taken - used_ >= room;
    if (!may_be && now < next_walk_) return false;
    walk_.start(paths_);
    used_ = taken;
  }
  return walk_.step() || walk_.walk().bytes() > base_ + limit_ ? finish(now, processes) : false;
}

bool DiskLimit::finish(std::int64_t now, const Processes& processes) {
  const auto walk = walk_.end(now);
  const auto sum = walk.bytes() + unlinked_bytes(processes(), devices_);
  growth_ = sum - std::min(sum, base_);
  next_walk_ = now + std::max(kWhile, 50 * walk_.spent());
  return growth_ > limit_ || walk.too_many();
}

void RoomFloor::set(int percent, std::uint64_t bytes, std::vector<std::string> paths) {
  percent_ = percent;
  bytes_ = bytes;
  paths_ = std::move(paths);
}

void RoomFloor::begin(std::int64_t now) {
  walk_.begin(now);
  since_ = ::time(nullptr);
  if (percent_ <= 0 && bytes_ == 0) return;
  for (const auto& path : paths_) {
    struct stat s {};
    struct statvfs room {};
    if (::stat(path.c_str(), &s) != 0 || ::statvfs(path.c_str(), &room) != 0 || room.f_blocks == 0) continue;
    if (std::any_of(places_.begin(), places_.end(), [&](const auto& p) { return p.device == s.st_dev; }))
      continue;
    Place place{path, s.st_dev};
    const auto size = static_cast<std::uint64_t>(room.f_blocks) * room.f_frsize;
    const auto share = static_cast<std::uint64_t>(percent_);
    place.bytes = std::min(std::max(bytes_, size / 100 * share), bytes_left(room) / 2);
    // Some file systems have no fixed number of inodes.
    if (room.f_files > 0)
      place.inodes =
          std::min<std::uint64_t>(std::max(kLeastInodes, room.f_files / 100 * share), room.f_favail / 2);
    places_.push_back(std::move(place));
  }
}

std::int64_t RoomFloor::due() const {
  return places_.empty() ? std::numeric_limits<std::int64_t>::max() : walk_.due();
}

RoomFloor::Low RoomFloor::find_low() const {
  for (const auto& place : places_) {
    struct statvfs room {};
    if (::statvfs(place.path.c_str(), &room) != 0) continue;
    if (bytes_left(room) < place.bytes) return {&place, false, bytes_left(room), place.bytes};
    if (room.f_files > 0 && room.f_favail < place.inodes) return {&place, true, room.f_favail, place.inodes};
  }
  return {};
}

std::string RoomFloor::step(std::int64_t now, const Processes& processes) {
  if (places_.empty()) return {};
  if (!walk_.walking()) {
    if (!walk_.look(now)) return {};
    const auto low = find_low();
    holds_ = holds_ && low.place != nullptr && low.left < low.floor / 2;
    if (low.place == nullptr || holds_) return {};
    walk_.start(paths_, since_);
  }
  if (!walk_.step()) return {};
  const auto walk = walk_.end(now);
  const auto low = find_low();
  if (low.place == nullptr) return {};
  std::vector<dev_t> devices;
  for (const auto& place : places_) devices.push_back(place.device);
  return judge(low, walk.bytes() + unlinked_bytes(processes(), devices), walk.counted());
}

// An attempt that took an eighth of the floor did not do so by chance. Below a quarter of the floor every job
// that writes is held, below a sixteenth every job: results can be captured only while room is left.
std::string RoomFloor::judge(const Low& low, std::uint64_t bytes, std::uint64_t entries) {
  const auto mine = low.of_inodes ? entries : bytes;
  const std::uint64_t little = low.of_inodes ? 256 : 1u << 20;
  holds_ = mine < std::max(low.floor / 8, std::uint64_t{1});
  if (holds_) {
    holds_ = low.left < low.floor / (mine >= little ? 4 : 16);
    return {};
  }
  if (low.of_inodes)
    return "its file system has room for only " + std::to_string(low.left) + " more files, and it made " +
           std::to_string(entries) + ": " + low.place->path;
  return "only " + mib(low.left) + " are free on its disk, and it wrote " + mib(bytes) + ": " +
         low.place->path;
}

}  // namespace shim
