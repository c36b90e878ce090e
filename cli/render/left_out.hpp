// cli: the files of an agent's directory that no result contains, on one line: they were not captured, and a
// clean removes them.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

/// Returns "result.dat 5 B (ignored by the base), pipe (not a file) and 2 more"; empty: no such files. Files
/// that the agent's own program leaves are not named.
std::string left_out_text(const std::vector<model::LeftOut>& rows, const Style& style);

}  // namespace hydra::cli
