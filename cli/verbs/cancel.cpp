#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

namespace hydra::cli {
namespace {

struct CancelArgs {
  std::string target, agent;
  bool json = false;
};

/// Resolves a race, RACE/AGENT, or an agent of the last race here; an agent's name precedes an id prefix.
Result<AgentRef> wanted(client::Client& client, const CancelArgs& args) {
  if (!args.agent.empty() || args.target.empty()) return AgentRef{args.target, args.agent};
  if (args.target.find('/') != std::string::npos) return resolve_agent(client, args.target);
  if (const auto last = get_status(client, ""))
    for (const auto& agent : last->agents)
      if (agent.agent == args.target) return AgentRef{last->race, agent.agent};
  return AgentRef{args.target, {}};
}

Result<int> cancel(const CancelArgs& args, Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto what, wanted(client, args));
  HYDRA_TRY(const auto target, race_target(what.race, working_directory(), "/cancel"));
  HYDRA_TRY(const auto body, client.call("POST", target, wire::to_json(wire::CancelRequest{what.agent})));
  if (args.json) return print_json(body);
  return say((what.agent.empty() ? std::string("The race") : "Agent " + context.out().safe(what.agent)) +
             " is being cancelled. The work so far is kept: `hydra results`");
}

}  // namespace

Verb cancel_verb() {
  return verb_of<CancelArgs>(
      "cancel", "Stop a race, or one agent of it; its work so far is kept",
      {"hydra cancel", "hydra cancel codex-2", "hydra cancel 01jx4k/codex-2",
       "hydra cancel 01jx4k --agent codex-2"},
      [](Options& o, CancelArgs& args) {
        o.positional("target", args.target, false,
                     "a race (its id, or a unique prefix of it), an agent of the last race, or RACE/AGENT");
        o.value("--agent", args.agent, "NAME", "stop this agent only");
        o.flag("--json", args.json, "the daemon's answer as JSON");
      },
      cancel);
}

}  // namespace hydra::cli
