// cli: what results say in short about tests by name, restored paths and the tamper report.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// "fixed", "broken", …: those that are not empty, in this order.
std::vector<std::pair<std::string, std::vector<std::string>>> named_tests(
    const std::optional<wire::TestNames>& names);

/// A line or two for each agent of which there is something to say, with an empty line before; else nothing.
std::string integrity_lines(const wire::Results& results, const Style& style);

/// "tests/test_a.py:12: skip marker (a test is told not to run): @skip"
std::string finding_line(const model::TamperFinding& finding, const Style& style);

}  // namespace hydra::cli
