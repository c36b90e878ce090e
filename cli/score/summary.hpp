// cli: parses a test runner's summary line without the rest of its output. For `hydra score` only, whose
// caller vouches for the output: in a race any test could print such a line.
#pragma once

#include "model/check.hpp"

#include <optional>
#include <string_view>

namespace hydra::cli::score {

/// Reads the lines "Tests: ...", "test result: ..." and pytest's counts, and adds them up; nullopt: none.
/// `runner`: a command or name; empty: any. Contradicting exit codes are treated as in parsers::parse_tests.
std::optional<model::ParsedTests> read_summary(std::string_view runner, std::string_view output,
                                               std::optional<int> exit_code);

}  // namespace hydra::cli::score
