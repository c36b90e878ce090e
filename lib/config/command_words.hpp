// config, inside only: the programs that a shell command runs, estimated from its words. The estimate decides
// only which files Hydra reads, never what is executed. Every function is pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::config {

/// Resolves "a/./b/../c" below `directory`, a path in the tree; nullopt if the path leaves the tree, is
/// absolute or depends on a variable.
std::optional<std::string> path_below(std::string_view directory, std::string_view path);

/// A simple command of a shell text.
struct CommandCall {
  std::string program;  ///< program as written: "pytest", "./run.sh"
  std::string script;   ///< repository path of the executed script: "ci/test.sh"; may be empty
  std::vector<std::string> package_scripts;  ///< names from `npm test`, `yarn lint`: "test", "lint"
  std::vector<std::string> targets;          ///< targets of make; "": the default target
};

/// Returns at most 200 calls; `cd DIR &&` moves the calls after it.
std::vector<CommandCall> command_calls(std::string_view command);

/// Returns the members of a top-level object of package.json or composer.json; texts of a list are joined by
/// "&&", other values become "". Comments are allowed; broken JSON gives an empty map.
std::map<std::string, std::string> json_strings(std::string_view json, std::string_view key);
/// Whether the top-level object has that key.
bool json_has_key(std::string_view json, std::string_view key);

/// Returns the command of one package.json script with its pre and post commands; empty: no such script.
std::vector<std::string> package_commands(std::string_view package_json, std::string_view script);

}  // namespace hydra::config
