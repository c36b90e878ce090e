// cli: the sample project of `hydra demo`: shell scripts with a bug, and three scripted agents of different
// quality. Needs sh and git only.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace hydra::cli {

/// What the agents are asked for.
std::string demo_task();
/// Writes the project's files and its hydra.toml below an empty directory. No git yet.
Result<void> write_demo_project(const std::filesystem::path& directory);

}  // namespace hydra::cli
