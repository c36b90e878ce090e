// cli: the top level of a project, as far as `hydra init` looks at it.
#pragma once

#include <filesystem>

#include "config/config.hpp"

namespace hydra::cli {

/// Names of all entries, texts of manifests and build files only: never of files that may hold secrets.
config::ProjectFiles read_project(const std::filesystem::path& directory);

}  // namespace hydra::cli
