// git, inside only: reading `--raw --numstat -z`.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

struct RawEntry : DiffEntry {
  std::string old_mode, new_mode, old_id, new_id;
};

/// Options of every diff: full ids, renames found as `git diff` does, nothing external.
std::vector<std::string> diff_options();
/// Reads what a diff with diff_options() printed.
Result<std::vector<RawEntry>> parse_diff(std::string_view text);
model::DiffStat sum(const std::vector<RawEntry>& entries);

}  // namespace hydra::git
