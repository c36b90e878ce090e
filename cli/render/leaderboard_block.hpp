// cli: the leaderboard as text and CSV, from the daemon's JSON (docs/suites.md). Pure.
#pragma once

#include "base/result.hpp"
#include "cli/render/style.hpp"
#include "model/leaderboard.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

Result<std::string> leaderboard_text(std::string_view json, const Style& style);
/// Returns a line about the episodes of an entry; empty: none.
std::string episodes_text(const model::LeaderboardRow& row, const Style& style);
/// Returns the arena's display table. An entry without episodes has 1,000,000 for each solved task and the
/// best composite, mean over tasks; its steps are seconds.
Result<std::string> leaderboard_arena(std::string_view json);
/// Returns RFC 4180 CSV with a header; an unknown figure is an empty field.
Result<std::string> leaderboard_csv(std::string_view json);

/// Returns a CSV field, quoted if necessary; a ' in front stops spreadsheets from reading a formula.
std::string csv_field(std::string_view text);

}  // namespace hydra::cli
