// cli: the PATH that a race is frozen with. Shims of version managers decide at run time, by files that an
// agent can change and in homes that checks don't see: the real tool directories go before them.
#pragma once

#include "base/paths.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

struct FrozenPath {
  std::string path;
  std::vector<std::string> notes;  ///< "pyenv: version '3.13.0' is not installed (set by /x/.python-version)"
};

/// PATH of `env`, with the directories that pyenv, rbenv, nodenv, goenv, asdf, mise, volta and rustup would
/// choose for `directory` (absolute) put before their shims, which stay. Reads their version files and
/// directory lists; runs nothing, from the repository least of all. What can't be told stays as it is.
FrozenPath freeze_path(const EnvLookup& env, const std::filesystem::path& directory);

}  // namespace hydra::cli
