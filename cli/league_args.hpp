// cli: the options that select races, shared by leaderboard, history and export.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hydra::cli {

struct LeagueFilter {
  std::string race, repository, since, kind, suite;
  std::vector<std::string> labels;
};

void add_filter(Options& options, LeagueFilter& filter);
/// Returns "repository=…&kind=…", percent-encoded; empty: everything. `since` is an age ("7d", "12h") before
/// `now_ms`, or a date ("2026-02-23").
Result<std::string> filter_query(const LeagueFilter& filter, std::int64_t now_ms);

}  // namespace hydra::cli
