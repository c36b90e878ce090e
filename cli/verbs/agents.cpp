#include "adapters/adapters.hpp"
#include "base/strings.hpp"
#include "cli/agent_test.hpp"
#include "cli/context.hpp"
#include "cli/project.hpp"
#include "cli/render/agent_notes.hpp"
#include "cli/render/views.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

struct AgentsArgs {
  bool json = false, probe = false;
};

std::string state_of(const wire::AgentInfo& agent, const Style& style) {
  if (merely_absent(agent)) return style.paint(Paint::dim, "not installed");
  if (!agent.installed) return style.paint(Paint::red, "can't be run");
  if (!agent.problem.empty()) return style.paint(Paint::red, "has a problem");
  if (agent.signed_in == wire::SignedIn::yes) return style.paint(Paint::green, "ready");
  if (agent.signed_in == wire::SignedIn::no) return style.paint(Paint::yellow, "not signed in");
  return style.paint(Paint::yellow, "sign-in unknown");
}

void show(const std::vector<wire::AgentInfo>& agents, const model::Config& config, const Style& style) {
  std::size_t id_width = 0, name_width = 0;
  for (const auto& agent : agents) {
    id_width = std::max(id_width, display_width(style.safe(agent.id)));
    name_width = std::max(name_width, display_width(style.safe(agent.display)));
  }
  for (const auto& agent : agents) {
    print_line(fmt::format("{}  {}  {}{}", pad(style.safe(agent.id), id_width),
                           pad(style.safe(agent.display), name_width), state_of(agent, style),
                           agent.version.empty() ? "" : "  " + style.safe(agent.version)));
    const std::string indent(id_width + 2, ' ');
    // Sign-in hints for a missing program would be premature.
    if (!agent.installed && agent.builtin && !agent.hint.empty()) {
      if (!merely_absent(agent)) print_line(indent + style.paint(Paint::dim, style.safe(agent.problem)));
      print_line(indent + style.paint(Paint::dim, style.safe(agent.hint)));
      continue;
    }
    for (const auto* text : {&agent.problem, &agent.sign_in_detail, &agent.hint})
      if (!text->empty() &&
          !(agent.signed_in == wire::SignedIn::yes && text == &agent.hint && agent.problem.empty()))
        print_line(indent + style.paint(Paint::dim, style.safe(*text)));
    for (const auto& note : agent_notes(agent, adapters::find_agent(config.agents, agent.id)))
      print_line(indent + style.paint(Paint::dim, style.safe(note)));
  }
}

Result<int> agents(const AgentsArgs& args, Context& context) {
  HYDRA_TRY(const auto config, load_config(context));
  HYDRA_TRY(auto client, context.daemon(kProbingTime));
  HYDRA_TRY(const auto body,
            client.call("POST", "/v1/agents",
                        wire::to_json(wire::AgentsRequest{config, args.probe, {}, environment()})));
  HYDRA_TRY(const auto list, wire::from_json<wire::AgentList>(body));
  if (args.json) return print_json(body);
  show(list.agents, config, context.out());
  return kDone;
}

Verb test_verb() {
  return verb_of<AgentTestOptions>(
      "test", "One tiny run of an agent against its configured model: says what works and what to do",
      {"hydra agents test claude", "hydra agents test codex=gpt-5.5 --json",
       "hydra agents test gemini --timeout 60s"},
      [](Options& o, AgentTestOptions& options) {
        o.positional("agent", options.agent, true, "its name, or NAME=MODEL");
        o.value("--timeout,-t", options.timeout, "TIME", "wall time of the run (default: 3 minutes)");
        o.choice("--sandbox", options.sandbox, {"required", "auto", "off"}, "isolation of the agent");
        o.flag("--json", options.json, "what was found as JSON (docs/adapters.md)");
      },
      run_agent_test);
}

}  // namespace

Verb agents_verb() {
  return verb_of<AgentsArgs>(
      "agents", "Which agents are installed and signed in, and what the others lack",
      {"hydra agents", "hydra agents --probe # asks each program for its version and sign-in",
       "hydra agents test claude # one tiny run",
       "hydra agents --json | jq -r '.agents[] | select(.installed) | .id'"},
      [](Options& o, AgentsArgs& args) {
        o.flag("--json", args.json, "the list as JSON (docs/api.md)");
        o.flag("--probe", args.probe,
               "run each program for its version and sign-in; without it none is started");
      },
      agents, {test_verb()});
}

}  // namespace hydra::cli
