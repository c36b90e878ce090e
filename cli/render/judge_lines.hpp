// cli: lines about votes of judges and people, and about how often a word of confidence was right.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// Returns "Judges: Codex CLI 0.83 (3 of 4, 1 outlier), Claude Code none: 2 judges gave …"; empty: no judges.
std::string judges_line(const wire::Results& results, const Style& style);

/// Returns the votes on one result for `hydra explain`; empty: no judges.
std::string votes_lines(const std::optional<wire::Judges>& judges, const Style& style);

/// Returns "In 34 own races with a known outcome 17 of 20 results of this word were good …"; empty: too few
/// races.
std::string own_races_line(const std::optional<wire::Confidence>& own);

}  // namespace hydra::cli
