// cli: the evidence about a race's results, as lines below the table, and the matrix of cross tests.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// Returns "evidence 88 · good", shown beside a result's points; empty: no evidence.
std::string evidence_remark(const wire::AgentResult& agent, const Style& style);

/// Returns the lines between table and winner: number of tests with evidence, who passes them, where points
/// alone would choose another winner, base tests that the task probably changed. May be empty.
std::string evidence_lines(const wire::Results& results, const Style& style);

/// Returns "no evidence" and the number of broken tests; empty: evidence speaks for the winner.
std::string without_evidence(const wire::AgentResult& winner);

/// Returns the output of `hydra explain --matrix`: authors by results, then each test with class and passing
/// results.
std::string matrix_block(const wire::Results& results, const Style& style);

}  // namespace hydra::cli
