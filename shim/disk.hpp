// hydra-shim: measures the growth of an attempt's directories, and the room that the attempt leaves to
// others. Directories are walked in small steps, only when their file systems have lost enough room for the
// limit to be exceeded, or after a while; a walk uses at most a tenth of the shim's time.
#pragma once

#include "base/fd.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <vector>

namespace shim {

/// Sums up the space of a list of directories, a few entries at a time. A hard-linked file counts by the
/// share of its names that are here; each entry counts at least 512 bytes, so that a flood of empty files is
/// seen. Unreadable entries count nothing.
class DiskWalk {
 public:
  DiskWalk() = default;
  /// `since`: entries changed before that Unix time count nothing; 0: all count.
  explicit DiskWalk(const std::vector<std::string>& roots, time_t since = 0);
  /// Visits about `entries` entries; true: none are left.
  bool step(int entries);
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Entries that counted.
  [[nodiscard]] std::uint64_t counted() const { return counted_; }
  /// The walk gave up: too many entries, or too many directories side by side.
  [[nodiscard]] bool too_many() const { return too_many_; }

 private:
  struct Pending {
    std::shared_ptr<hydra::UniqueFd> base;  ///< null: `path` is absolute
    std::string path;
  };
  void read(Pending from);
  void add(const struct stat& s);

  std::vector<Pending> pending_;
  std::uint64_t bytes_ = 0, entries_ = 0, counted_ = 0;
  time_t since_ = 0;
  bool too_many_ = false;
};

/// Bytes of unlinked files that these processes hold open, on the file systems of `devices` or on an overlay.
std::uint64_t unlinked_bytes(const std::vector<pid_t>& pids, const std::vector<dev_t>& devices);

/// A sentence naming the first of the paths whose file system is full; empty: none is.
std::string full_disk(const std::vector<std::string>& paths);

using Processes = std::function<std::vector<pid_t>()>;

/// A walk in small steps, which starts at bounded intervals and uses at most a tenth of the time.
class PacedWalk {
 public:
  /// Starts the schedule of looks.
  void begin(std::int64_t now) { next_ = now + kPause; }
  /// Time of the next call.
  [[nodiscard]] std::int64_t due() const { return walking_ ? 0 : next_; }
  [[nodiscard]] bool walking() const { return walking_; }
  /// Returns whether a look is due, and counts it.
  bool look(std::int64_t now);
  void start(const std::vector<std::string>& roots, time_t since = 0);
  /// True: the walk is complete.
  bool step();
  /// Ends the walk and returns its sums. `now`: begin of the last step.
  DiskWalk end(std::int64_t now);
  [[nodiscard]] const DiskWalk& walk() const { return walk_; }
  [[nodiscard]] std::int64_t spent() const { return spent_; }  ///< milliseconds of work of the last walk

 private:
  static constexpr std::int64_t kPause = 250;
  DiskWalk walk_;
  bool walking_ = false;
  std::int64_t next_ = 0, spent_ = 0;
};

/// The limit on an attempt's growth.
class DiskLimit {
 public:
  /// `limit` 0: none. A path below another path of the list counts once.
  void set(std::uint64_t limit, std::vector<std::string> paths);
  /// Called before the payload runs: measures existing content.
  void begin(std::int64_t now);
  /// Time of the next step(), in milliseconds of the clock of begin(); never: a time far away.
  [[nodiscard]] std::int64_t due() const;
  /// True: the growth exceeds the limit.
  bool step(std::int64_t now, const Processes& processes);

 private:
  [[nodiscard]] std::uint64_t used() const;
  bool finish(std::int64_t now, const Processes& processes);

  std::uint64_t limit_ = 0;
  std::vector<std::string> paths_;
  std::vector<dev_t> devices_;
  PacedWalk walk_;
  std::uint64_t base_ = 0;    ///< bytes in the directories before the start
  std::uint64_t growth_ = 0;  ///< at the last walk
  std::uint64_t used_ = 0;    ///< bytes in use on the file systems when that walk began
  std::int64_t next_walk_ = 0;
};

/// Room that other processes need on the file systems to which the job writes. With less than a floor left,
/// the job is ended if it used the room; a job that used little is held when almost nothing is left.
class RoomFloor {
 public:
  /// `percent` of each file system and of its inodes, and at least `bytes`; 0 and 0: no floor. `paths`:
  /// directories that the job writes to.
  void set(int percent, std::uint64_t bytes, std::vector<std::string> paths);
  /// Called before the payload runs. A file system with less than twice its floor left gets half of the rest
  /// as floor.
  void begin(std::int64_t now);
  /// Time of the next step(); never: a time far away.
  [[nodiscard]] std::int64_t due() const;
  /// Why the job must end; empty: the job may continue.
  std::string step(std::int64_t now, const Processes& processes);
  /// The job must stand still until its disk has room again.
  [[nodiscard]] bool holds() const { return holds_; }

 private:
  struct Place {
    std::string path;
    dev_t device = 0;
    std::uint64_t bytes = 0, inodes = 0;  ///< the floors; 0: none
  };
  struct Low {
    const Place* place = nullptr;
    bool of_inodes = false;
    std::uint64_t left = 0, floor = 0;
  };
  [[nodiscard]] Low find_low() const;
  [[nodiscard]] std::string judge(const Low& low, std::uint64_t bytes, std::uint64_t entries);

  int percent_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::string> paths_;
  std::vector<Place> places_;
  PacedWalk walk_;
  time_t since_ = 0;  ///< later changes count as the job's
  bool holds_ = false;
};

}  // namespace shim
