// cli: the functions of `hydra score hydra` that parse a test runner's output, and helpers shared with the
// other functions.
#pragma once

#include "cli/score/functions.hpp"
#include "model/check.hpp"
#include "model/dimension.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hydra::cli::score {

std::optional<int> exit_code(Args& args);
/// Returns evidence of a check: passed for code 0, else failed.
model::CheckEvidence check(model::Dimension dimension, std::optional<int> code);
model::ParsedTests counted(std::string format, std::int64_t passed, std::int64_t total);

void run_parse_test_output(Args& args, Writer& out);
void run_score_tests_output(Args& args, Writer& out);

}  // namespace hydra::cli::score
