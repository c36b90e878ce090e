// cli: the command-line options of `hydra parse --kind agent`.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"

#include <optional>
#include <string>

namespace hydra::cli {

struct ParseAgentArgs {
  std::string signal, stderr_file, usage_file, model, seconds, changed = "unknown";
  bool timed_out = false, cancelled = false, over_budget = false;

  void declare(Options& options);
};

/// Returns the usage error for options that contradict each other about the run's end; nullopt: none.
std::optional<Error> contradiction(const ParseAgentArgs& args, const std::string& exit_code);

/// Reads standard input; takes agents and prices from hydra.toml if it exists. Returns the exit code.
Result<int> parse_agent_output(const ParseAgentArgs& args, const std::string& format,
                               const std::string& exit_code, Context& context);

}  // namespace hydra::cli
