// race: disk that is set aside for when there is none left: events and captures need little, and without them
// nothing goes on.
#pragma once

#include <filesystem>

namespace hydra::race {

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
