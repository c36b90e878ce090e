// cli: a line of source code in colours. Pure.
#pragma once

#include "cli/render/style.hpp"

#include <string>
#include <string_view>

namespace hydra::cli {

/// A line of the file `path`, fit to show: its comments, strings, numbers and keywords in colours of their
/// own, the rest in `rest`. Each line is read alone, so inside of a comment or string of several lines it may
/// be wrong. All of it in `rest` where the language is not known or the line can't be read alone.
std::string code_colours(std::string_view path, std::string_view line, Paint rest, const Style& style);

}  // namespace hydra::cli
