// hydra-shim: the room that everybody else needs on the file systems where this job writes. When less than a
// floor is left, the job that took it is ended; one that took little goes on, until there is next to nothing
// left.
#pragma once

#include "disk.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace shim {

class RoomFloor {
 public:
  using Processes = DiskLimit::Processes;

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
  DiskWalk walk_;
  bool walking_ = false;
  time_t since_ = 0;  ///< what changed later is the job's
  std::int64_t next_look_ = 0, spent_ = 0;
};

}  // namespace shim
