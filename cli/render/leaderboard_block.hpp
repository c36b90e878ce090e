// cli: the leaderboard for people and as CSV, out of the daemon's JSON (docs/leaderboard.md). Pure.
#pragma once

#include "base/result.hpp"
#include "cli/render/style.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

Result<std::string> leaderboard_text(std::string_view json, const Style& style);
/// RFC 4180 with a header; a figure that nobody knows is an empty field.
Result<std::string> leaderboard_csv(std::string_view json);

/// A field of CSV: quoted where it must be; a text that a spreadsheet would take for a formula gets a ' in
/// front.
std::string csv_field(std::string_view text);

}  // namespace hydra::cli
