// cli: files of an agent's directory that no result contains, and files of a result that a merge leaves out.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"
#include "wire/answers.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

/// Returns "result.dat 5 B (ignored by the base), pipe (not a file) and 2 more"; empty: no such files. Files
/// that the agent's own program leaves are not named. A clean removes these files.
std::string left_out_text(const std::vector<model::LeftOut>& rows, const Style& style);

/// Returns lines about the files of a merge: left out, named by nothing, changed in their line ends only.
std::vector<std::string> merge_files(const wire::Merge& view, const Style& style);

}  // namespace hydra::cli
