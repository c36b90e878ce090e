// cli: what judges and people say of results, and how often a word of confidence was right, as lines.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// "Judges: Codex CLI 0.83 (3 of 4, 1 outlier), Claude Code none: 2 judges gave …"; empty: nobody was asked.
std::string judges_line(const wire::Results& results, const Style& style);

/// Each of the votes on one result, for `hydra explain`; empty: nobody was asked.
std::string votes_lines(const std::optional<wire::Judges>& judges, const Style& style);

/// "In 34 own races with a known outcome 17 of 20 results of this word were good …"; empty: too few.
std::string own_races_line(const std::optional<wire::Confidence>& own);

}  // namespace hydra::cli
