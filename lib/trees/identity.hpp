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

/// The repository and its base, isolation, environment, copied and shared files of the checkout, and the
/// programs of PATH: common inputs of set-up, build and every check.
std::string describe_surroundings(const model::RaceSpec& spec);

/// describe_surroundings() of one race, computed once: the template and the base's evidence both ask.
class Surroundings {
 public:
  /// Thread-safe; a second caller waits for the first.
  const std::string& of(const model::RaceSpec& spec) {
    std::call_once(once_, [&] { text_ = describe_surroundings(spec); });
    return text_;
  }

 private:
  std::once_flag once_;
  std::string text_;
};

}  // namespace hydra::trees
