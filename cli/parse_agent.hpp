// cli: `hydra parse --kind agent`: what an agent's recorded output means, without a daemon. Reads the output
// from a stream in pieces, so its length does not matter.
#pragma once

#include "model/agent_run.hpp"
#include "model/config.hpp"

#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>

namespace hydra::cli {

struct ParseAgentOptions {
  std::string format;  ///< id or other name of an agent; user-defined ones are in `config`
  /// How it ended; below 0 it is the negative number of a signal, as some languages report it.
  int exit_code = 0;
  int signal = 0;                                                  ///< above 0: it was ended by that signal
  bool timed_out = false, cancelled = false, over_budget = false;  ///< Hydra stopped it
  std::optional<double> seconds;                                   ///< how long it ran
  std::filesystem::path stderr_file;                               ///< empty: none
  std::filesystem::path usage_file;  ///< the agent's usage file (copilot, codex); empty: none
  std::string model;                 ///< that was asked for: prices it where the stream names none
  std::optional<bool> changed;       ///< did it change anything? Unknown: judged by what was refused to it
  std::optional<model::Usage> base;  ///< what a resumed session had used before
  std::map<std::string, model::AgentDescriptor> agents;  ///< with the built-in ones
  std::map<std::string, model::Price> prices;            ///< [prices] of hydra.toml
};

/// Reads all of `in`, writes one JSON object to `out`: outcome, class, message, session, turns, usage,
/// cost_usd, cost_source. Gives the exit code of the program; complaints go to `err`.
int parse_agent(const ParseAgentOptions& options, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace hydra::cli
