// cli: the PATH of a race. Shims of version managers decide at run time by files that an agent can change and
// by homes that checks do not see, so the real tool directories go before the shims.
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

/// Returns PATH of `env` with the directories that pyenv, rbenv, nodenv, goenv, asdf, mise, volta and rustup
/// choose for `directory` (absolute) in front of their shims.
/// Reads version files and directory lists; never runs a program, since the repository is untrusted.
/// Unresolved tools keep their shims.
FrozenPath freeze_path(const EnvLookup& env, const std::filesystem::path& directory);

}  // namespace hydra::cli
