// integrity: the parts of a Makefile that decide about the checks: its rules and variables, as far as they
// are known without running make. Pure, linear in the text.
#pragma once

#include "integrity/protect/protected_paths.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

/// Lines with their line ends.
std::vector<std::string_view> whole_lines(std::string_view text);

/// A rule with its recipe, a variable's definition, or text between these.
struct MakePart {
  std::vector<std::string> targets;  ///< targets of a rule
  std::vector<std::string> needs;    ///< prerequisites of a rule
  std::string variable;              ///< name of a defined variable
  std::string text;                  ///< text with its line ends
};
std::vector<MakePart> make_parts(std::string_view makefile);

/// Recipe lines of these targets ("": the default target), without prefix signs, and of their prerequisites.
/// At most 200 targets.
std::vector<std::string> make_recipes(std::string_view makefile, const std::vector<std::string>& targets);

/// Names that the test and lint commands reach.
struct MakeChecks {
  std::set<std::string> targets;   ///< targets that the commands name, and checks among their prerequisites
  std::set<std::string> programs;  ///< variables that name a program in recipes of `targets`
};
/// `base` is the base's text. All members are empty when a command names no target.
MakeChecks make_checks(std::string_view base, const CheckCommands& commands);

/// Replaces `$(A)` and `${A}` by plain definitions of the file, a few levels deep, up to 4 KiB.
std::string make_expanded(std::string_view text, const std::map<std::string, std::string>& definitions);
/// The last plain definition of each variable.
std::map<std::string, std::string> make_definitions(const std::vector<MakePart>& parts);
/// Returns whether the line makes the parts before it differ from their text: a computed target, an include,
/// `$(eval …)`, or another recipe prefix.
bool is_indirect_make(std::string_view line);

}  // namespace hydra::integrity
