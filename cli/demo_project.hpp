// cli: the sample project of `hydra demo`: shell scripts with a bug, and three scripted agents of different
// quality. The project needs only sh and git.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace hydra::cli {

/// Returns the agents' task.
std::string demo_task();
/// Writes the project and its hydra.toml into an empty directory; does not run git.
Result<void> write_demo_project(const std::filesystem::path& directory);

}  // namespace hydra::cli
