// cli: the files of a project that `hydra init` reads.
#pragma once

#include "base/paths.hpp"
#include "config/config.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

/// Reads names of all top-level entries, but texts of manifests and build files only, since other files may
/// hold secrets.
config::ProjectFiles read_project(const std::filesystem::path& directory);

/// Adds the programs in PATH and the named caches in the home directory.
void add_machine(const EnvLookup& env, config::ProjectFiles& files);

/// Removes lock files that git ignores: checkouts lack them, and set-ups that need a lock file would fail.
void leave_out_ignored_locks(const std::filesystem::path& directory, const EnvLookup& env,
                             config::ProjectFiles& files);

/// A project below a directory that is no project.
struct SubProject {
  std::string directory, kind;  ///< relative directory; the files that led to the project
};
/// Returns at most 20 projects at most two levels down, sorted. Skips projects' contents, hidden directories,
/// test data and dependencies.
std::vector<SubProject> projects_below(const std::filesystem::path& directory);

}  // namespace hydra::cli
