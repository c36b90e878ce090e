// checks, inside only: parses a shell command into parts joined by `&&`, each a list of words; more complex
// commands have no parse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

struct ShellWord {
  std::string raw;    ///< word as written, with quotes
  std::string value;  ///< word without quotes; variables are not expanded
};
using ShellPart = std::vector<ShellWord>;

/// Absent: pipes, lists, substitutions, redirections, comments, several lines, or an open quote.
std::optional<std::vector<ShellPart>> and_parts(std::string_view command);

/// Joins the words as written, separated by blanks.
std::string raw_text(const ShellPart& part);

}  // namespace hydra::checks
