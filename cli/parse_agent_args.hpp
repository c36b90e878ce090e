// cli: the options of `hydra parse --kind agent` as they come from the command line, beside those of the
// other kinds.
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

/// The usage error of options that say two different ends of a run; nothing when they agree.
std::optional<Error> contradiction(const ParseAgentArgs& args, const std::string& exit_code);

/// Reads standard input; agents and prices come from hydra.toml where there is one. Gives the exit code.
Result<int> parse_agent_output(const ParseAgentArgs& args, const std::string& format,
                               const std::string& exit_code, Context& context);

}  // namespace hydra::cli
