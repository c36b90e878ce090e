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

/// Returns PATH of `env` with the tools' directories of pyenv, rbenv, nodenv, goenv, asdf, mise, volta and
/// rustup for `directory` (absolute) before their shims. Runs no program, since the repository is untrusted.
FrozenPath freeze_path(const EnvLookup& env, const std::filesystem::path& directory);

}  // namespace hydra::cli
