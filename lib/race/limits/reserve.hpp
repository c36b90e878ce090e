// race: disk that is set aside for when there is none left: events and captures need little, and without them
// nothing goes on.
#pragma once

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

}  // namespace hydra::race
