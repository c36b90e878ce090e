// cli: `hydra parse --kind agent`: judges an agent's recorded output without a daemon. The output is read in
// chunks, so its length is not limited.
#pragma once

#include "base/result.hpp"
#include "model/agent_run.hpp"
#include "model/config.hpp"

#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>

namespace hydra::cli {

struct ParseAgentOptions {
  std::string format;  ///< id or alias of an agent; `config` has user-defined agents
  /// Exit code; below 0: a negative signal number, as some languages report it.
  int exit_code = 0;
  int signal = 0;                                                  ///< above 0: signal that ended the agent
  bool timed_out = false, cancelled = false, over_budget = false;  ///< whether Hydra stopped the agent
  std::optional<double> seconds;                                   ///< run time; absent: unknown
  std::filesystem::path stderr_file;                               ///< file with standard error; empty: none
  std::filesystem::path usage_file;  ///< the agent's usage file (copilot, codex); empty: none
  std::string model;                 ///< requested model, for the price if the stream names none
  std::optional<bool> changed;       ///< whether the agent changed files; absent: judged by refused tool uses
  std::optional<model::Usage> base;  ///< usage of a resumed session before this run
  std::map<std::string, model::AgentDescriptor> agents;  ///< descriptors, built-in ones included
  std::map<std::string, model::Price> prices;            ///< [prices] of hydra.toml
};

/// Reads all of `in` and writes one JSON object to `out`: outcome, class, message, session, turns, usage,
/// cost_usd, cost_source. Returns the exit code, or `usage`
/// for an unknown agent and for a file that cannot be read.
Result<int> parse_agent(const ParseAgentOptions& options, std::istream& in, std::ostream& out);

}  // namespace hydra::cli
