#include "room.hpp"

#include "tree.hpp"

#include <algorithm>
#include <limits>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <utility>

namespace shim {
namespace {

constexpr std::int64_t kRoomLook = 250;
constexpr int kEntriesAStep = 2000;
constexpr std::uint64_t kLeastInodes = 1000;

std::uint64_t bytes_left(const struct statvfs& room) {
  return static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
}

std::string mib(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

void RoomFloor::set(int percent, std::uint64_t bytes, std::vector<std::string> paths) {
  percent_ = percent;
  bytes_ = bytes;
  paths_ = std::move(paths);
}

void RoomFloor::begin(std::int64_t now) {
  next_look_ = now + kRoomLook;
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
    // Some file systems have as many as they like.
    if (room.f_files > 0)
      place.inodes =
          std::min<std::uint64_t>(std::max(kLeastInodes, room.f_files / 100 * share), room.f_favail / 2);
    places_.push_back(std::move(place));
  }
}

std::int64_t RoomFloor::due() const {
  if (places_.empty()) return std::numeric_limits<std::int64_t>::max();
  return walking_ ? 0 : next_look_;
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
  if (places_.empty() || (!walking_ && now < next_look_)) return {};
  if (!walking_) {
    next_look_ = now + kRoomLook;
    if (find_low().place == nullptr) return {};
    walk_ = DiskWalk(paths_, since_);
    walking_ = true;
    spent_ = 0;
  }
  const auto from = shim::now();
  const bool done = walk_.step(kEntriesAStep);
  spent_ += shim::now() - from + 1;
  if (!done) return {};
  walking_ = false;
  next_look_ = now + std::max(kRoomLook, 10 * spent_);
  const auto low = find_low();
  if (low.place == nullptr) return {};
  std::vector<dev_t> devices;
  for (const auto& place : places_) devices.push_back(place.device);
  return judge(low, walk_.bytes() + unlinked_bytes(processes(), devices), walk_.counted());
}

// An eighth of the floor is no coincidence. With a quarter of the floor left whoever writes at all must go,
// and with a sixteenth everybody: their work can be captured only while there is room.
std::string RoomFloor::judge(const Low& low, std::uint64_t bytes, std::uint64_t entries) const {
  const auto mine = low.of_inodes ? entries : bytes;
  const std::uint64_t little = low.of_inodes ? 256 : 1u << 20;
  const bool mine_alone = mine >= std::max(low.floor / 8, std::uint64_t{1});
  if (!mine_alone && !(low.left < low.floor / 4 && mine >= little) && low.left >= low.floor / 16) return {};
  if (low.of_inodes)
    return "its file system has room for only " + std::to_string(low.left) + " more files, and it made " +
           std::to_string(entries) + ": " + low.place->path;
  return "only " + mib(low.left) + " are free on its disk, and it wrote " + mib(bytes) + ": " +
         low.place->path;
}

}  // namespace shim
