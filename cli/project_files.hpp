// cli: the top level of a project, as far as `hydra init` looks at it.
#pragma once

#include "base/paths.hpp"
#include "config/config.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

/// Names of all entries, texts of manifests and build files only: never of files that may hold secrets.
config::ProjectFiles read_project(const std::filesystem::path& directory);

/// Adds which programs are in PATH and which named caches are in the home directory.
void add_machine(const EnvLookup& env, config::ProjectFiles& files);

/// Takes out lock files that git ignores: no check-out has them, and set-ups that insist on one fail there.
void leave_out_ignored_locks(const std::filesystem::path& directory, const EnvLookup& env,
                             config::ProjectFiles& files);

/// A project below a directory that holds none itself.
struct SubProject {
  std::string directory, kind;  ///< relative, and the files that it was found by
};
/// At most two levels down and at most 20, sorted; what lies in a project, in hidden directories, in test
/// data and in dependencies is not looked at.
std::vector<SubProject> projects_below(const std::filesystem::path& directory);

}  // namespace hydra::cli
