// exec: runs short programs of Hydra (git, probes) to their end on a pool thread, without the shim.
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
  std::vector<std::string> argv;  ///< argv[0] is searched in the PATH of `env`, unless it has a slash
  std::vector<std::pair<std::string, std::string>> env;  ///< the whole environment
  std::filesystem::path cwd;                             ///< empty: the daemon's directory
  std::string input;                                     ///< standard input; empty: /dev/null
  std::chrono::milliseconds deadline{60000};
  std::size_t max_output = 256u << 20;  ///< bytes of each stream; more output ends the tool with an error
  int inherit_fd = -1;                  ///< a further descriptor that the tool keeps open (a lock); -1: none
  /// true: has the daemon's mark (orphans.hpp); false: the tool starts the user's programs
  bool marked = true;
  std::stop_token stop{};  ///< stop request: kills the tool at once, or does not start it
};

struct ToolOutput {
  int exit_code = 0;  ///< 128 + n: ended by signal n
  std::string out, err;
  [[nodiscard]] bool ok() const { return exit_code == 0; }
};

/// Runs the tool; `io` or `not_found`: it can't be started; `timeout`: the deadline passed or a stop was
/// requested (the tool's group is killed). A non-zero exit code is not an Error: callers decide.
Result<ToolOutput> run_tool(const ToolCall& call);

/// Absolute path of a program found in `path_variable`; empty: not found.
std::filesystem::path find_program(std::string_view name, std::string_view path_variable);
/// Explains why find_program() found nothing, as a sentence: a directory, not executable, a dangling link, or
/// missing.
std::string why_no_program(std::string_view name, std::string_view path_variable);

}  // namespace hydra::exec
