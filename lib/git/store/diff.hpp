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

/// Options of a diff for parse_diff(): full ids, numbers of lines, renames found as `git diff` does, nothing
/// external.
const std::vector<std::string>& diff_options();
/// What `git COMMAND OPTIONS SIDES` prints.
Result<std::string> diff_text(const Command& git, std::vector<std::string> command,
                              const std::vector<std::string>& sides);
/// Reads raw entries, and the numbers behind them where they were asked for.
Result<std::vector<RawEntry>> parse_diff(std::string_view text);
/// Two commits compared as above.
Result<std::vector<RawEntry>> compare_trees(const Command& git, const std::string& from,
                                            const std::string& to);
/// The same without renames and numbers.
Result<std::vector<RawEntry>> changes_between(const Command& git, const std::string& from,
                                              const std::string& to);
model::DiffStat sum(const std::vector<RawEntry>& entries);

}  // namespace hydra::git
