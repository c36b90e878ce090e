// hydra-shim: how much the directories of one attempt have grown since it began. They are walked in small
// steps, and only when the file systems below them have lost enough room that the limit may be passed, or
// after a while; a walk never takes more than a tenth of the shim's time.
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

/// The limit on an attempt's growth.
class DiskLimit {
 public:
  using Processes = std::function<std::vector<pid_t>()>;

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
  DiskWalk walk_;
  bool walking_ = false;
  std::uint64_t base_ = 0;    ///< taken by the directories before the start
  std::uint64_t growth_ = 0;  ///< at the last walk
  std::uint64_t used_ = 0;    ///< taken on the file systems when that walk began
  std::int64_t next_look_ = 0, next_walk_ = 0;
  std::int64_t spent_ = 0;  ///< milliseconds of work of this walk
};

}  // namespace shim
