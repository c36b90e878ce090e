// cli: short lines about test names, restored paths and the tamper report of results.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// Returns the non-empty lists "fixed", "broken", …, in this order.
std::vector<std::pair<std::string, std::vector<std::string>>> named_tests(
    const std::optional<wire::TestNames>& names);

/// Returns a line or two per agent with something to report, after an empty line; else an empty text.
std::string integrity_lines(const wire::Results& results, const Style& style);

/// Returns "tests/test_a.py:12: skip marker (a test is told not to run): @skip".
std::string finding_line(const model::TamperFinding& finding, const Style& style);

}  // namespace hydra::cli
