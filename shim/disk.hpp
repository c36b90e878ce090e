// hydra-shim: how much the directories of one attempt have grown since it began, and how much room it leaves
// to others. They are walked in small steps, and only when the file systems below them have lost enough room
// that the limit may be passed, or after a while; a walk never takes more than a tenth of the shim's time.
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

/// Sums up what a list of directories takes, a few entries at a time. A file with several names counts as the
/// part of it that has a name here; no entry counts less than 512 bytes, so that a flood of empty files is
/// seen. What can't be read counts nothing.
class DiskWalk {
 public:
  DiskWalk() = default;
  /// `since`: what was changed before that Unix time counts nothing; 0: everything counts.
  explicit DiskWalk(const std::vector<std::string>& roots, time_t since = 0);
  /// Looks at about so many entries; true when nothing is left.
  bool step(int entries);
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Entries that counted.
  [[nodiscard]] std::uint64_t counted() const { return counted_; }
  /// More than can be counted: so many entries, or directories side by side, that no end is in sight.
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

/// Bytes of files without a name that these processes hold open, on the file systems of `devices` or on an
/// overlay.
std::uint64_t unlinked_bytes(const std::vector<pid_t>& pids, const std::vector<dev_t>& devices);

/// Whether the file system of one of the paths is full: a sentence that names the path; empty: none is.
std::string full_disk(const std::vector<std::string>& paths);

using Processes = std::function<std::vector<pid_t>()>;

/// A walk in small steps, which begins at most so often, and never takes more than a tenth of the time.
class PacedWalk {
 public:
  /// Looks begin now.
  void begin(std::int64_t now) { next_ = now + kPause; }
  /// When the next call is due.
  [[nodiscard]] std::int64_t due() const { return walking_ ? 0 : next_; }
  [[nodiscard]] bool walking() const { return walking_; }
  /// Whether it is time for a look, which is then counted.
  bool look(std::int64_t now);
  void start(const std::vector<std::string>& roots, time_t since = 0);
  /// True once the walk is through.
  bool step();
  /// Ends it; what it has summed up. `now`: when the step began.
  DiskWalk end(std::int64_t now);
  [[nodiscard]] const DiskWalk& walk() const { return walk_; }
  [[nodiscard]] std::int64_t spent() const { return spent_; }  ///< milliseconds of work, of the last walk

 private:
  static constexpr std::int64_t kPause = 250;
  DiskWalk walk_;
  bool walking_ = false;
  std::int64_t next_ = 0, spent_ = 0;
};

/// The limit on an attempt's growth.
class DiskLimit {
 public:
  /// `limit` 0: none. A path below another one of the list counts once.
  void set(std::uint64_t limit, std::vector<std::string> paths);
  /// Before the payload runs: what is there already.
  void begin(std::int64_t now);
  /// When step() wants to be called next, in milliseconds of the clock of begin(); never: a time far away.
  [[nodiscard]] std::int64_t due() const;
  /// True once the growth is above the limit.
  bool step(std::int64_t now, const Processes& processes);

 private:
  [[nodiscard]] std::uint64_t used() const;
  bool finish(std::int64_t now, const Processes& processes);

  std::uint64_t limit_ = 0;
  std::vector<std::string> paths_;
  std::vector<dev_t> devices_;
  PacedWalk walk_;
  std::uint64_t base_ = 0;    ///< taken by the directories before the start
  std::uint64_t growth_ = 0;  ///< at the last walk
  std::uint64_t used_ = 0;    ///< taken on the file systems when that walk began
  std::int64_t next_walk_ = 0;
};

/// The room that everybody else needs on the file systems where the job writes. When less than a floor is
/// left, the job that took it is ended; one that took little goes on, until there is next to nothing left.
class RoomFloor {
 public:
  /// `percent` of each file system and of its inodes, and at least `bytes`; 0 and 0: no floor. `paths`: where
  /// the job writes.
  void set(int percent, std::uint64_t bytes, std::vector<std::string> paths);
  /// Before the payload runs. A file system that has less than twice its floor left has half of that as
  /// floor.
  void begin(std::int64_t now);
  /// When step() wants to be called next; never: a time far away.
  [[nodiscard]] std::int64_t due() const;
  /// Why the job is to end; empty: it may go on.
  std::string step(std::int64_t now, const Processes& processes);

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
  [[nodiscard]] std::string judge(const Low& low, std::uint64_t bytes, std::uint64_t entries) const;

  int percent_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::string> paths_;
  std::vector<Place> places_;
  PacedWalk walk_;
  time_t since_ = 0;  ///< what changed later is the job's
};

}  // namespace shim
