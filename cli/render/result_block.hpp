// cli: the result block (docs/scoring.md, rulings H1-H4, H13-H16). Pure.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// Returns the block with a newline at its end. On a narrow terminal cells wrap to their own lines. `failed`:
/// text about failed steps (failed_log.hpp), shown before the winner.
std::string result_block(const wire::Results& results, const Style& style, const std::string& failed = {});

/// Returns lines about changes in the user's repository since the race's start; empty: none.
std::string repository_lines(const std::optional<model::RepositoryCompared>& found, const Style& style);

/// Converts "no_changes" to "no changes".
std::string words(std::string_view name);
template <model::Worded E>
std::string words(E value) {
  return words(name(value));
}

/// Returns 0 if the race has a winner, else 1 (Exit).
int result_exit(const wire::Results& results);

}  // namespace hydra::cli
