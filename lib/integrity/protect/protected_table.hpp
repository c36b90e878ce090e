// integrity, inside only: names of Python's modules. Pure data.
#pragma once

#include <string_view>

namespace hydra::integrity {

/// Modules that a Python test run imports before or while it judges: "pytest", "unittest".
bool is_runner_module(std::string_view name);

}  // namespace hydra::integrity
