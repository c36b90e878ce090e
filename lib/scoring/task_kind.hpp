// scoring: the kind of work that a task's text asks for. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hydra::scoring {

/// Returns "docs", "tests", "performance", "refactor", "bugfix", "feature" or "other".
std::string task_kind(std::string_view task);

}  // namespace hydra::scoring
