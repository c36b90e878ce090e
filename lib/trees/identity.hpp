// trees: inputs of check results besides the tree itself, as text, for cache keys.
#pragma once

#include "model/race_spec.hpp"

#include <filesystem>
#include <mutex>
#include <string>

namespace hydra::trees {

/// Appends inode, size and mtime of a file, or of everything below a directory down to `depth`, one line a
/// path; the text changes when content does.
void describe_path(const std::filesystem::path& path, int depth, std::string& out);

/// Common inputs of set-up, build and every check.
struct Inputs {
  /// The repository, isolation, environment, copied and shared files of the checkout, and the programs of
  /// PATH.
  std::string place;
  std::string base;  ///< the base, and the build results in the checkout
  [[nodiscard]] std::string text() const { return place + base; }
};
Inputs describe_inputs(const model::RaceSpec& spec);

/// describe_inputs() of one race, computed once: the template and the base's evidence both ask.
class Surroundings {
 public:
  /// Thread-safe; a second caller waits for the first.
  const Inputs& of(const model::RaceSpec& spec) {
    std::call_once(once_, [&] { inputs_ = describe_inputs(spec); });
    return inputs_;
  }

 private:
  std::once_flag once_;
  Inputs inputs_;
};

}  // namespace hydra::trees
