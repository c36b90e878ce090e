// cli: the top level of a project, as far as `hydra init` looks at it.
#pragma once

#include "config/config.hpp"

#include <filesystem>

namespace hydra::cli {

/// Names of all entries, texts of manifests and build files only: never of files that may hold secrets.
config::ProjectFiles read_project(const std::filesystem::path& directory);

}  // namespace hydra::cli
