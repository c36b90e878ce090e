// git, inside only: lines that are counted while an agent works.
#pragma once

#include "model/agent_run.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace hydra::git {

/// Lines of a file as git counts them; 0 for links out of reach, binaries and what is too large to count
/// often.
std::int64_t count_lines(const std::filesystem::path& path);
/// What `git diff --numstat -z` printed.
void add_numbers(std::string_view numstat, model::DiffStat& stat);

}  // namespace hydra::git
