// checks, inside only: a shell command as parts that `&&` joins, each a list of words; nothing where it is
// more than that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

struct ShellWord {
  std::string raw;    ///< as it stands there, quotes and all
  std::string value;  ///< without quotes; variables are left as they are
};
using ShellPart = std::vector<ShellWord>;

/// Absent: pipes, lists, substitutions, redirections, comments, several lines, or an open quote.
std::optional<std::vector<ShellPart>> and_parts(std::string_view command);

/// The words as they stood there, with blanks between.
std::string raw_text(const ShellPart& part);

}  // namespace hydra::checks
