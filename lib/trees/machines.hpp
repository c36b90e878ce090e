// trees: what this machine can do, looked at once. Finding it out starts a dozen programs, so a daemon begins
// before anybody asks.
#pragma once

#include "exec/machine.hpp"

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace hydra::trees {

/// Thread-safe; one for all races of a daemon.
class Machines {
 public:
  /// `directory`: where workspaces will be. See probe_machine().
  Machines(std::filesystem::path directory, std::filesystem::path shim);

  /// As the bwrap on this PATH makes it. Blocking: some 70 ms when nobody has looked yet.
  exec::MachineFacts of(const std::string& path_variable);
  /// The same look, ahead of the first question. One that finds anything missing is forgotten: what was in
  /// its way (a full disk) may be gone when somebody asks.
  void look_ahead(const std::string& path_variable);

 private:
  /// Path, device, inode and time: another bwrap in its place is looked at anew.
  using Key = std::tuple<std::string, std::uint64_t, std::uint64_t, std::int64_t>;
  using Look = std::shared_future<exec::MachineFacts>;
  static Key key(const std::string& path_variable);
  /// The look that somebody began, or one that is made here and now.
  Look look(const Key& key, const std::string& path_variable);

  std::filesystem::path directory_, shim_;
  std::mutex mutex_;
  std::map<Key, Look> looks_;
};

}  // namespace hydra::trees
