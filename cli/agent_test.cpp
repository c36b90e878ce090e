#include "cli/agent_test.hpp"

#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "base/scratch_directory.hpp"
#include "cli/ask.hpp"
#include "cli/interrupt.hpp"
#include "cli/programs.hpp"
#include "cli/project.hpp"
#include "cli/render/agent_notes.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

namespace hydra::cli {
namespace {

constexpr const char* kTask =
    "Make a file named hello.txt in the current directory whose only line is hello. Do nothing else.";
constexpr double kSeconds = 180;

/// Returns the user's configuration of agents, sandbox and prices, without the project's settings.
Result<model::Config> tiny(const model::Config& users, const AgentTestOptions& options) {
  model::Config config;
  config.agents = users.agents;
  config.prices = users.prices;
  config.sandbox = users.sandbox;
  config.limits = users.limits;
  config.limits.agent_timeout_seconds = std::min(kSeconds, users.limits.agent_timeout_seconds);
  if (!options.timeout.empty()) {
    HYDRA_TRY(config.limits.agent_timeout_seconds, parse_duration(options.timeout));
  }
  model::take_name(options.sandbox, config.sandbox.mode);
  return config;
}

Result<wire::AgentInfo> probe(client::Client& client, const model::Config& config, const std::string& id) {
  HYDRA_TRY(const auto list, post<wire::AgentList>(client, "/v1/agents",
                                                   wire::AgentsRequest{config, {}, {id}, environment()}));
  for (const auto& agent : list.agents)
    if (agent.id == id) return agent;
  return Error{Errc::protocol, "the daemon does not know the agent " + id, {}, "hydra daemon stop"};
}

/// Follows the race to its end and returns the results; an interrupt cancels the race.
Result<std::string> results_of(client::Client& client, const std::string& race) {
  Interrupts interrupts;
  for (;;) {
    HYDRA_TRY(auto body, client.call("GET", race_path(race, "results")));
    HYDRA_TRY(const auto view, wire::from_json<wire::Results>(body));
    if (is_over(view.state)) return body;
    if (interrupts.take(std::chrono::milliseconds(200)) == 0) continue;
    HYDRA_CHECK(client.call("POST", race_path(race, "cancel"), wire::to_json(wire::CancelRequest{""})));
  }
}

Result<AgentTest> race(client::Client& client, const model::Config& config, const model::AgentEntry& entry) {
  std::error_code ec;
  const ScratchDirectory scratch(fs::temp_directory_path(ec) / "hydra-agent-test-XXXXXX");
  if (scratch.path().empty()) return system_error("cannot make a temporary directory", scratch.error());
  HYDRA_CHECK(write_file(scratch.path() / "README", "A project that is gone in a moment.\n"));
  HYDRA_CHECK(make_repository(scratch.path(), "Nothing yet"));
  auto request = request_for(config, {entry});
  request.directory = scratch.path().string();
  request.task = kTask;
  HYDRA_TRY(const auto answer, client.call("POST", "/v1/races", wire::to_json(request)));
  HYDRA_TRY(const auto created, with_race<wire::Created>(answer));
  HYDRA_TRY(const auto results, results_of(client, created.race));
  // The history must forget the race, since the leaderboard would count it as an attempt.
  HYDRA_CHECK(client.call("POST", "/v1/history/forget", wire::to_json(wire::ForgetRequest{created.race})));
  return judge_agent_test(results);
}

AgentTest missing(const wire::AgentInfo& info) {
  AgentTest test;
  test.agent = info.id;
  test.outcome = model::Outcome::launch_error;
  test.error_class = model::ErrorClass::launch_error;
  test.steps = {{"installed", false, info.problem}};
  test.remedy = info.hint.empty() ? "check its `command` in hydra.toml" : "install it: " + info.hint;
  return test;
}

void show(const AgentTest& test, const Style& style) {
  print_line(style.paint(Paint::bold, style.safe(test.agent)) +
             (test.version.empty() ? "" : "  " + style.safe(test.version)) +
             (test.model.empty() ? "" : "  model " + style.safe(test.model)));
  for (const auto& step : test.steps) {
    const auto mark = !step.ok   ? style.paint(Paint::dim, "-   ")
                      : *step.ok ? style.paint(Paint::green, pad(std::string(style.tick()), 4))
                                 : style.paint(Paint::red, pad(std::string(style.cross()), 4));
    print_line(fmt::format("  {}  {}{}", mark, step.name,
                           step.detail.empty() ? "" : ": " + style.safe(step.detail)));
  }
  if (!test.remedy.empty()) print_line("  " + style.safe(test.remedy));
  if (!test.ok && !test.race.empty())
    print_line("  its output: hydra logs " + style.safe(test.race + "/" + test.agent));
  print_line(test.ok ? fmt::format("It works ({:.1f} s).", test.duration_seconds) : "It does not work.");
}

}  // namespace

Result<int> run_agent_test(const AgentTestOptions& options, Context& context) {
  HYDRA_TRY(const auto users, load_config(context));
  HYDRA_TRY(const auto entries, config::parse_agents(options.agent, config::known_agents(users)));
  if (entries.size() != 1)
    return Error{Errc::usage, "one agent is tested at a time", {}, "hydra agents test NAME[=MODEL]"};
  const auto& entry = entries.front();
  HYDRA_TRY(const auto config, tiny(users, options));
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto info, probe(client, config, entry.id));
  HYDRA_TRY(auto test, info.installed ? race(client, config, entry) : Result<AgentTest>(missing(info)));
  test.version = info.version;
  const auto* descriptor = adapters::find_agent(config.agents, entry.id);
  const auto note = descriptor == nullptr ? "" : adapters::version_note(*descriptor, info.version);
  if (info.installed) test.steps.insert(test.steps.begin(), {"installed", true, info.path});
  if (!note.empty()) context.warn(entry.id + ": " + note);
  if (options.json)
    print_line(to_json(test));
  else
    show(test, context.out());
  return test.ok ? kDone : kNoWinner;
}

}  // namespace hydra::cli
