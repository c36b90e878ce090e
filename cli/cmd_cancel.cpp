#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"

namespace hydra::cli {
namespace {

struct CancelArgs {
  std::string race, agent;
  bool json = false;
};

int cancel(const CancelArgs& args, Context& context) {
  const auto target = race_target(args.race, working_directory(), "/cancel");
  if (!target) return context.fail(target.error());
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  const auto body = client->call("POST", *target, "{\"agent\":" + json_string(args.agent) + "}");
  if (!body) return context.fail(body.error());
  if (args.json) {
    print_line(with_schema(*body));
    return kDone;
  }
  print_line((args.agent.empty() ? std::string("The race") : "Agent " + context.out().safe(args.agent)) +
             " is being cancelled. What was done so far is kept: `hydra results`");
  return kDone;
}

}  // namespace

Verb cancel_verb() {
  auto args = std::make_shared<CancelArgs>();
  return {"cancel",
          "Stop a race, or one agent of it; its work so far is kept",
          {"hydra cancel", "hydra cancel 01jx4k --agent codex-2"},
          [args](Options& o) {
            o.positional("race", args->race, false, "id of a race or the begin of one");
            o.value("--agent", args->agent, "NAME", "stop this agent only");
            o.flag("--json", args->json, "the daemon's answer as JSON");
          },
          [args](Context& context) { return cancel(*args, context); },
          {}};
}

}  // namespace hydra::cli
