// parsers, inside: lines that only one runner prints: at its start, for each of its tests, for one that
// failed.
#pragma once

#include "model/check.hpp"
#include "parsers/formats.hpp"
#include "parsers/input.hpp"

#include <string_view>

namespace hydra::parsers {

bool shows(const Sign& sign, std::string_view line);

/// "bad (FAILED - 1)" of rspec's documentation format.
bool rspec_failure(std::string_view line);

/// A clean result beside a line by which its own runner tells a failed test: the summary was cut, or is not
/// the runner's. Says so in the report.
void hold_against_shown(model::TestReport& report, const Input& in);

}  // namespace hydra::parsers
