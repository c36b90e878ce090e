// trees: what a result of checks depends on beside the tree itself, as text: for the keys of caches.
#pragma once

#include "model/race_spec.hpp"

#include <filesystem>
#include <string>

namespace hydra::trees {

/// Inode, size and mtime of a file, or of everything below a directory down to `depth`: changes when content
/// does. One line a path.
void describe_path(const std::filesystem::path& path, int depth, std::string& out);

/// The repository and its base, isolation, environment, copied and shared files of the checkout, and the
/// programs of PATH: what set-up, build and every check see alike.
std::string describe_surroundings(const model::RaceSpec& spec);

}  // namespace hydra::trees
