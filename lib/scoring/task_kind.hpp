// scoring: what kind of work a task asks for, by its words. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hydra::scoring {

/// "docs", "tests", "performance", "refactor", "bugfix", "feature", else "other".
std::string task_kind(std::string_view task);

}  // namespace hydra::scoring
