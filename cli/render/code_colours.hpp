// cli: syntax colours for a line of source code. Pure.
#pragma once

#include "cli/render/style.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// Returns a line of `path`, safe to show, with colours for comments, strings, numbers and keywords, and
/// `rest` for other text.
/// Each line is scanned alone, so lines inside multi-line comments or strings may be wrong. An unknown
/// language or unscannable line is shown in `rest`.
std::string code_colours(std::string_view path, std::string_view line, Paint rest, const Style& style);

}  // namespace hydra::cli
