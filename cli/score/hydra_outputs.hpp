// cli: the functions of `hydra score hydra` that read what a test runner printed, and what they share with
// the others.
#pragma once

#include "cli/score/functions.hpp"
#include "model/check.hpp"
#include "model/dimension.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hydra::cli::score {

std::optional<int> exit_code(Args& args);
/// Passed with code 0, else failed.
model::CheckEvidence check(model::Dimension dimension, std::optional<int> code);
model::TestReport counted(std::string format, std::int64_t passed, std::int64_t total);

void run_parse_test_output(Args& args, Writer& out);
void run_score_tests_output(Args& args, Writer& out);

}  // namespace hydra::cli::score
