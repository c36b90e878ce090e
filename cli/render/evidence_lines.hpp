// cli: what tells the results of a race apart, as lines below its table, and the matrix of cross tests.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>

namespace hydra::cli {

/// "evidence 88 · good": what stands beside a result's points; empty: nothing is known of it.
std::string evidence_remark(const wire::AgentResult& agent, const Style& style);

/// Lines between the table and the winner: how many tests say something, who passes them, where points alone
/// would have chosen another one, which tests of the base the task probably changed. Empty: nothing to say.
std::string evidence_lines(const wire::Results& results, const Style& style);

/// "fastest of 3 that nothing tells apart", or that nothing speaks for the winner; a line of its own.
std::string without_evidence(const wire::Results& results, const wire::AgentResult& winner,
                             const Style& style);

/// `hydra explain --matrix`: authors by results, then each test with its class and who passes it.
std::string matrix_block(const wire::Results& results, const Style& style);

}  // namespace hydra::cli
