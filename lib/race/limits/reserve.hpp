// race: what the machine may lack for a moment. Disk is set aside for when there is none left: events and
// captures need little, and without them nothing goes on; what failed for such a lack is tried again.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace hydra::race {

/// "0.0 MiB and 12 files are free on the disk of PATH"; empty where there is plenty, or it can't be told.
std::string lack_of_room(const std::filesystem::path& directory);

class Reserve {
 public:
  explicit Reserve(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Sets it aside where it is not, and where there is plenty of room. Blocking.
  void make() const;
  /// Gives it up. False: there was none.
  [[nodiscard]] bool release() const;

 private:
  std::filesystem::path directory_;
};

/// How often what failed so is tried, a second apart: what the machine lacks for a moment is no verdict about
/// an agent's work, and a full disk is emptied by people. 1: once.
int tries_of(const Error& error, bool cancelled);
/// For people: that `what` is tried again, and why; `directory`: whose disk may be full.
std::string tried_again(const std::string& what, const Error& error, const std::filesystem::path& directory);

}  // namespace hydra::race
