// cli: what of an agent's directory is in no result, in one line: it was never captured, and a clean removes
// it.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

/// "result.dat 5 B (ignored by the base), pipe (not a file) and 2 more"; empty: nothing was left out. What an
/// agent's program leaves behind by itself is not named.
std::string left_out_text(const std::vector<model::LeftOut>& rows, const Style& style);

}  // namespace hydra::cli
