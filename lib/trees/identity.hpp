// trees: inputs of check results besides the tree itself, as text, for cache keys.
#pragma once

#include "model/race_spec.hpp"

#include <filesystem>
#include <string>

namespace hydra::trees {

/// Appends inode, size and mtime of a file, or of everything below a directory down to `depth`, one line a
/// path; the text changes when content does.
void describe_path(const std::filesystem::path& path, int depth, std::string& out);

/// The repository and its base, isolation, environment, copied and shared files of the checkout, and the
/// programs of PATH: common inputs of set-up, build and every check.
std::string describe_surroundings(const model::RaceSpec& spec);

}  // namespace hydra::trees
