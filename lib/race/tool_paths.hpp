// race: tools of the user's machine that a sandbox would hide with the home, /tmp and /run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::race {

namespace fs = std::filesystem;

/// Returns paths to show read-only: directories of PATH, each with the root or the sibling directories that
/// its programs need (~/.nvm/versions/node/v20, ~/kit/lib), and whatever links and first lines of programs
/// lead to, in PATH and in `shared` directories of the checkout (.venv/bin/python ->
/// ~/.local/share/uv/python/…). Never the home, the checkout, a directory with these, or a place of
/// credentials. Blocking.
std::vector<std::string> tool_paths(const std::string& path_variable, const fs::path& home,
                                    const fs::path& repository, const std::vector<fs::path>& shared);

}  // namespace hydra::race
