// cli: the top level of a project, as far as `hydra init` looks at it.
#pragma once

#include "base/paths.hpp"
#include "config/config.hpp"

#include <filesystem>

namespace hydra::cli {

/// Names of all entries, texts of manifests and build files only: never of files that may hold secrets.
config::ProjectFiles read_project(const std::filesystem::path& directory);

/// Adds which programs are in PATH and which named caches are in the home directory.
void add_machine(const EnvLookup& env, config::ProjectFiles& files);

}  // namespace hydra::cli
