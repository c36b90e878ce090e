// cli: the result block of spec/scoring-engine "CLI Output" (rulings H1-H4, H13-H16). Pure.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// The block with a newline at its end. On a terminal narrower than its rows the cells go to lines of their
/// own. `failed`: what is known of failed steps (failed_log.hpp), before the winner.
std::string result_block(const wire::Results& results, const Style& style, const std::string& failed = {});

/// What differs in the user's repository from the race's start, in whole lines; empty: nothing.
std::string repository_lines(const std::optional<model::RepositoryCompared>& found, const Style& style);

/// "no_changes" -> "no changes".
std::string words(std::string_view name);

/// 0 where there is a winner, else 1 (Exit).
int result_exit(const wire::Results& results);

}  // namespace hydra::cli
