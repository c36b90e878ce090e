// cli: why a row of the ranking stands above the next, as a sentence.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

/// Returns "codex above claude: fixes 2 more failing tests". A sentence that is wider than the output has a
/// second, indented line.
std::string order_line(const wire::OrderReason& reason, const Style& style);

/// Returns the reason for the agent's place: why the row above stands there or, of the first row, why it
/// stands above the second; null: none.
const wire::OrderReason* reason_of(const std::vector<wire::OrderReason>& reasons, const std::string& agent);

}  // namespace hydra::cli
