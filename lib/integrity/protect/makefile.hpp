// integrity: what of a Makefile decides about the checks. Its rules and variables as far as they
// can be told without running make; pure, linear in the text.
#pragma once

#include "integrity/protect/protected_paths.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

/// A rule with its recipe, a variable's definition, or whatever stands between.
struct MakePart {
  std::vector<std::string> targets;  ///< of a rule
  std::vector<std::string> needs;    ///< its prerequisites
  std::string variable;              ///< of a definition
  std::string text;                  ///< with its line ends
};
std::vector<MakePart> make_parts(std::string_view makefile);

/// Recipe lines of these targets ("": the default one), without the signs before them, and of what these
/// need. Of at most 200 targets.
std::vector<std::string> make_recipes(std::string_view makefile, const std::vector<std::string>& targets);

/// Names that the commands of tests and lint come to.
struct MakeChecks {
  std::set<std::string> targets;    ///< those that the commands name, and checks that these need
  std::set<std::string> programs;   ///< variables that name a program in the recipes of these targets
  std::set<std::string> arguments;  ///< other variables there
};
/// `base` is the text of the base. Without a target that a command names everything is empty.
MakeChecks make_checks(std::string_view base, const CheckCommands& commands);

/// `$(A)` and `${A}` of a text replaced by plain definitions of the file, a few levels deep and 4 KiB long.
std::string make_expanded(std::string_view text, const std::map<std::string, std::string>& definitions);
/// The last plain definition of each variable.
std::map<std::string, std::string> make_definitions(const std::vector<MakePart>& parts);
/// Does this line end what stands before it in another way than its text shows: a computed target, an
/// include, `$(eval …)`, another recipe prefix?
bool is_indirect_make(std::string_view line);

}  // namespace hydra::integrity
