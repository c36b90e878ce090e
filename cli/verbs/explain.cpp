#include "base/paths.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/evidence_lines.hpp"
#include "cli/render/explain_block.hpp"
#include "cli/render/timeline.hpp"

namespace hydra::cli {
namespace {

struct ExplainArgs {
  std::string agent;
  bool json = false, matrix = false, timeline = false;
};

// Returns the race of an agent, for options about a whole race.
std::string race_of(client::Client& client, const std::string& text) {
  if (text.empty()) return {};
  const auto ref = resolve_agent(client, text);
  return ref.ok() ? ref->race : text;
}

// Returns the events stored so far, since the stream of a running race has no end.
Result<std::vector<TimedEvent>> stored_events(client::Client& client, const std::string& race) {
  HYDRA_TRY(const auto target, race_target(race, working_directory(), "/events", "brief=1&live=1"));
  std::vector<TimedEvent> events;
  const auto end = client.stream_events(target, {}, [&](const client::StreamEvent& event) {
    if (event.event == "live" || event.event == "end") return false;
    if (!event.id.empty()) events.push_back({event.event, event.data});
    return true;
  });
  if (!end) return end.error();
  return events;
}

Result<int> explain_timeline(const ExplainArgs& args, Context& context, client::Client& client) {
  HYDRA_TRY(const auto status, get_status(client, race_of(client, args.agent)));
  HYDRA_TRY(const auto events, stored_events(client, status.race));
  HYDRA_TRY(const auto steps, timeline_of(events));
  return say(args.json ? with_schema(timeline_json(status.race, steps))
                       : timeline_block(steps, context.out()));
}

// Prints the matrix of authors by results.
Result<int> explain_matrix(const ExplainArgs& args, Context& context, client::Client& client) {
  HYDRA_TRY(const auto target, race_target(race_of(client, args.agent), working_directory(), "/results"));
  HYDRA_TRY(const auto body, client.call("GET", target));
  if (args.json) return print_json(body);
  HYDRA_TRY(const auto view, wire::from_json<wire::Results>(body));
  return say(matrix_block(view, context.out()));
}

// Resolves the agent; default: the winner of the last race here, else its first agent.
Result<AgentRef> agent_of(client::Client& client, const std::string& text) {
  if (!text.empty()) return resolve_agent(client, text);
  HYDRA_TRY(const auto target, race_target("", working_directory(), "/results"));
  HYDRA_TRY(const auto view, get<wire::Results>(client, target));
  if (view.agents.empty()) return Error{Errc::not_found, "the last race here has no agents", view.race, {}};
  return AgentRef{view.race, view.winner.empty() ? view.agents.front().agent : view.winner};
}

Result<int> explain(const ExplainArgs& args, Context& context) {
  HYDRA_TRY(auto client, context.daemon());
  if (args.matrix) return explain_matrix(args, context, client);
  if (args.timeline) return explain_timeline(args, context, client);
  HYDRA_TRY(const auto ref, agent_of(client, args.agent));
  HYDRA_TRY(const auto body, client.call("GET", race_path(ref.race, "explain", ref.agent)));
  if (args.json) return print_json(body);
  HYDRA_TRY(const auto text, explain_block(body, context.out()));
  return say(text);
}

}  // namespace

Verb explain_verb() {
  return verb_of<ExplainArgs>(
      "explain", "Show why a result got its score, with restored paths and findings",
      {"hydra explain # the winner of the last race", "hydra explain codex",
       "hydra explain --matrix # whose tests pass on whose result",
       "hydra explain --timeline # where the race's time went",
       "hydra explain 01jx4k/codex --json | jq .integrity.findings"},
      [](Options& o, ExplainArgs& args) {
        o.positional("agent", args.agent, false, "name in the last race, RACE/AGENT, or a branch");
        o.flag("--matrix", args.matrix,
               "the cross tests of the whole race: authors by results, then each test");
        o.flag("--timeline", args.timeline,
               "where the time of the whole race went: its steps, and what it waited for");
        o.flag("--json", args.json, "as JSON (docs/integrity.md)");
      },
      explain);
}

}  // namespace hydra::cli
