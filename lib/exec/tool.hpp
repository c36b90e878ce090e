// exec: short programs of our own (git, probes), run to their end from a pool thread. They do not go through
// the shim.
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace hydra::exec {

struct ToolCall {
  std::vector<std::string> argv;  ///< argv[0] is searched in the PATH of `env` unless it has a slash
  std::vector<std::pair<std::string, std::string>> env;  ///< the whole environment
  std::filesystem::path cwd;                             ///< empty: the daemon's
  std::string input;                                     ///< bytes for standard input; empty: /dev/null
  std::chrono::milliseconds deadline{60000};
  std::size_t max_output = 256u << 20;  ///< of each stream; more ends the tool with an error
  int inherit_fd = -1;  ///< one further descriptor that the tool keeps open (a lock); -1: none
  bool marked = true;   ///< as the daemon's own (orphans.hpp); false for what starts programs of the user's
  std::stop_token stop{};  ///< asked for: the tool is killed at once, or not started
};

struct ToolOutput {
  int exit_code = 0;  ///< 128 + n where signal n ended it
  std::string out, err;
  [[nodiscard]] bool ok() const { return exit_code == 0; }
};

/// Runs the tool; `io` or `not_found` when it can't be started, `timeout` after the deadline and when it was
/// to stop (its group is killed). A non-zero exit code is not an Error: callers decide.
Result<ToolOutput> run_tool(const ToolCall& call);

/// Absolute path of a program as `path_variable` finds it; empty: not found.
std::filesystem::path find_program(std::string_view name, std::string_view path_variable);
/// Why find_program() found nothing, as a sentence: a directory, not executable, a link to nothing, not
/// there.
std::string why_no_program(std::string_view name, std::string_view path_variable);

}  // namespace hydra::exec
