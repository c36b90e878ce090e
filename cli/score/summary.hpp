// cli: parses a test runner's summary line without the rest of its output. For `hydra score` only, whose
// caller vouches for the output: in a race any test could print such a line.
#pragma once

#include "model/check.hpp"

#include <optional>
#include <string_view>

namespace hydra::cli::score {

/// Reads the lines "Tests: ...", "test result: ..." and pytest's counts; several lines are added up.
/// `runner`: a command or runner name; empty: any of the three.
/// Returns nullopt without such a line. A contradiction to the exit code is reported as by
/// parsers::parse_tests.
std::optional<model::TestReport> read_summary(std::string_view runner, std::string_view output,
                                              std::optional<int> exit_code);

}  // namespace hydra::cli::score
