// parsers, inside: lines that only one runner prints: at its start, for each test, or for a failed test.
#pragma once

#include "model/check.hpp"
#include "parsers/formats.hpp"
#include "parsers/input.hpp"

#include <string_view>

namespace hydra::parsers {

bool shows(const Sign& sign, std::string_view line);

/// "bad (FAILED - 1)" of rspec's documentation format.
bool rspec_failure(std::string_view line);

/// Makes a clean report suspicious if the log has a line by which its runner reports a failed test: the
/// summary was cut, or a test printed it.
void hold_against_shown(model::ParsedTests& report, const Input& in);

}  // namespace hydra::parsers
