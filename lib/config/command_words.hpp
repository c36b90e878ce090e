// config, inside only: what a shell command runs, as far as its words tell. Pure; an estimate on purpose: it
// decides what is looked at, never what is executed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

/// "a/./b/../c" below `directory`, itself a path in the tree; absent where it leads out of it, is absolute or
/// depends on a variable.
std::optional<std::string> path_below(std::string_view directory, std::string_view path);

/// One simple command of a shell text.
struct CommandCall {
  std::string program;  ///< as it stands there: "pytest", "./run.sh"
  std::string script;   ///< path in the repository that it executes: "ci/test.sh"; may be empty
  std::vector<std::string> package_scripts;  ///< of `npm test`, `yarn lint`: "test", "lint"
  std::vector<std::string> targets;          ///< of make; "" for the default one
};

/// `cd DIR &&` counts for what follows. At most 200 calls.
std::vector<CommandCall> command_calls(std::string_view command);

/// The strings of an object at the top level of package.json or composer.json; what else is in it has an
/// empty text. Comments are taken; broken JSON gives nothing.
std::map<std::string, std::string> json_strings(std::string_view json, std::string_view key);
/// Does the object at the top have that key?
bool json_has_key(std::string_view json, std::string_view key);

/// The command of one script of a package.json, with its pre and post commands; empty where there is none.
std::vector<std::string> package_commands(std::string_view package_json, std::string_view script);

}  // namespace hydra::config
