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

/// Diff options for parse_diff(): full ids, line counts, renames as `git diff` finds them, no external
/// programs.
const std::vector<std::string>& diff_options();
/// Output of `git COMMAND OPTIONS SIDES`.
Result<std::string> diff_text(const Command& git, std::vector<std::string> command,
                              const std::vector<std::string>& sides);
/// Parses raw entries, and the line counts behind them if present.
Result<std::vector<RawEntry>> parse_diff(std::string_view text);
/// Compares two commits with diff_options().
Result<std::vector<RawEntry>> compare_trees(const Command& git, const std::string& from,
                                            const std::string& to);
/// compare_trees() without renames and line counts.
Result<std::vector<RawEntry>> changes_between(const Command& git, const std::string& from,
                                              const std::string& to);
/// Number of the `entries` between two commits whose only change is line ends.
Result<std::int64_t> line_ends_only(const Command& git, const std::string& from, const std::string& to,
                                    const std::vector<RawEntry>& entries);
model::DiffStat sum(const std::vector<RawEntry>& entries);

}  // namespace hydra::git
