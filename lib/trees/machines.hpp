// trees: probes the machine's abilities once. A probe starts a dozen programs, so a daemon probes ahead of
// the first question.
#pragma once

#include "exec/machine.hpp"

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace hydra::trees {

/// Thread-safe; one object for all races of a daemon.
class Machines {
 public:
  /// `directory`: parent of the workspaces. See probe_machine().
  Machines(std::filesystem::path directory, std::filesystem::path shim);

  /// Facts for the bwrap on this PATH. Blocking: some 70 ms without an earlier probe.
  exec::MachineFacts of(const std::string& path_variable);
  /// Probes ahead of the first question. A probe that finds anything missing is dropped: the obstacle (a full
  /// disk) may be gone by the question.
  void look_ahead(const std::string& path_variable);

 private:
  /// Path, device, inode and time of bwrap: a replaced bwrap is probed again.
  using Key = std::tuple<std::string, std::uint64_t, std::uint64_t, std::int64_t>;
  using Look = std::shared_future<exec::MachineFacts>;
  static Key key(const std::string& path_variable);
  /// Returns the probe under way, or makes a new one.
  Look look(const Key& key, const std::string& path_variable);

  std::filesystem::path directory_, shim_;
  std::mutex mutex_;
  std::map<Key, Look> looks_;
};

}  // namespace hydra::trees
