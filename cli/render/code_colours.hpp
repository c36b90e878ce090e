// cli: syntax colours for a line of source code. Pure.
#pragma once

#include "cli/render/style.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// Returns a line of `path` with syntax colours, safe to show; `rest` paints other text and unknown
/// languages. Lines are scanned alone, so lines inside multi-line comments or strings may be wrong.
std::string code_colours(std::string_view path, std::string_view line, Paint rest, const Style& style);

}  // namespace hydra::cli
