// cli: a test runner's summary line that stands alone, as the specification quotes it. For `hydra score`
// only, whose caller vouches for the output: in a race a lone line proves nothing, any test could have
// printed it.
#pragma once

#include "model/check.hpp"

#include <optional>
#include <string_view>

namespace hydra::cli::score {

/// Spec scoring-engine, "Test output parsing": the lines "Tests: ...", "test result: ...", and pytest's list
/// of counts, several ones added up. `runner` is a command or a runner's name; empty: any of the three.
/// Nothing where there is no such line. What contradicts the exit code is said as in parsers::parse_tests.
std::optional<model::TestReport> read_summary(std::string_view runner, std::string_view output,
                                              std::optional<int> exit_code);

}  // namespace hydra::cli::score
