#include "base/paths.hpp"
#include "cli/context.hpp"
#include "cli/evidence_lines.hpp"
#include "cli/explain_block.hpp"
#include "cli/race_ref.hpp"

namespace hydra::cli {
namespace {

struct ExplainArgs {
  std::string agent;
  bool json = false, matrix = false;
};

// Authors by results: of a whole race, so an agent only says which one.
int explain_matrix(const ExplainArgs& args, Context& context, client::Client& client) {
  std::string race;
  if (!args.agent.empty()) {
    const auto ref = resolve_agent(client, args.agent);
    race = ref.ok() ? ref->race : args.agent;
  }
  const auto target = race_target(race, working_directory(), "/results");
  if (!target) return context.fail(target.error());
  const auto body = client.call("GET", *target);
  if (!body) return context.fail(body.error());
  if (args.json) {
    print_line(with_schema(*body));
    return kDone;
  }
  const auto view = parse_results(*body);
  if (!view) return context.fail(view.error());
  print(matrix_block(*view, context.out()));
  return kDone;
}

// Without an argument the winner of the last race here, else its first agent.
Result<AgentRef> agent_of(client::Client& client, const std::string& text) {
  if (!text.empty()) return resolve_agent(client, text);
  HYDRA_TRY(const auto target, race_target("", working_directory(), "/results"));
  HYDRA_TRY(const auto body, client.call("GET", target));
  HYDRA_TRY(const auto view, parse_results(body));
  if (view.agents.empty()) return Error{Errc::not_found, "the last race here has no agents", view.race, {}};
  return AgentRef{view.race, view.winner.empty() ? view.agents.front().agent : view.winner};
}

int explain(const ExplainArgs& args, Context& context) {
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  if (args.matrix) return explain_matrix(args, context, *client);
  const auto ref = agent_of(*client, args.agent);
  if (!ref) return context.fail(ref.error());
  const auto body = client->call(
      "GET", "/v1/races/" + client::url_encode(ref->race) + "/explain/" + client::url_encode(ref->agent));
  if (!body) return context.fail(body.error());
  if (args.json) {
    print_line(with_schema(*body));
    return kDone;
  }
  const auto text = explain_block(*body, context.out());
  if (!text) return context.fail(text.error());
  print(*text);
  return kDone;
}

}  // namespace

Verb explain_verb() {
  auto args = std::make_shared<ExplainArgs>();
  return {"explain",
          "How each point of an agent came to be, what was restored and what was flagged",
          {"hydra explain # the winner of the last race", "hydra explain codex",
           "hydra explain --matrix # whose tests pass on whose result",
           "hydra explain 01jx4k/codex --json | jq .integrity.findings"},
          [args](Options& o) {
            o.positional("agent", args->agent, false, "name in the last race, RACE/AGENT, or a branch");
            o.flag("--matrix", args->matrix,
                   "the cross tests of the whole race: authors by results, then each test");
            o.flag("--json", args->json, "as JSON (docs/integrity.md)");
          },
          [args](Context& context) { return explain(*args, context); },
          {}};
}

}  // namespace hydra::cli
