// scoring: what kind of work a task asks for, by its words. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hydra::scoring {

/// A kind, and words or phrases that speak for it: lower case, `|` between them.
struct KindWords {
  std::string_view kind, words;
};
/// The table (docs/leaderboard.md): the first row of which a word stands in the task decides.
std::span<const KindWords> task_kinds();

/// "docs", "tests", "performance", "refactor", "bugfix", "feature", else "other".
std::string task_kind(std::string_view task);

}  // namespace hydra::scoring
