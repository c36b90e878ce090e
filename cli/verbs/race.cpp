#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/amounts.hpp"
#include "cli/ask.hpp"
#include "cli/follow.hpp"
#include "cli/frozen_path.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/agent_notes.hpp"
#include "config/config.hpp"
#include "exec/tool.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"
#include "wire/requests.hpp"

#include <array>
#include <map>
#include <unistd.h>

namespace hydra::cli {
namespace {

constexpr std::size_t kArgumentBytes = 200u * 1000;
constexpr std::size_t kTaskBytes = 4u << 20;

struct RaceArgs {
  std::string task, task_file, agents, base, timeout, sandbox, placement, isolation, hidden_tests, verify,
      kind;
  std::string testers, until;
  std::string budget_usd, budget_tokens, race_budget_usd, race_budget_tokens;
  std::vector<std::string> labels;
  int attempts = 1, rounds = 1;
  bool include_dirty = false, detach = false, json = false, auto_merge = false, fresh_baseline = false;
  bool plain = false, base_fails = false, first = false;
};

Error usage(std::string message, std::string hint = {}) {
  return {Errc::usage, std::move(message), {}, std::move(hint)};
}

Result<std::string> read_stdin() {
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const auto n = ::read(0, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot read the task from standard input", errno);
    if (n == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    if (text.size() > kTaskBytes) return usage("the task is longer than 4 MiB");
  }
}

Result<std::string> read_task(const RaceArgs& args) {
  std::string task;
  if (!args.task_file.empty()) {
    if (!args.task.empty()) return usage("a task and --task-file were both given", "give one of them");
    if (args.task_file == "-") {
      HYDRA_TRY(task, read_stdin());
    } else {
      auto text = read_file(args.task_file, kTaskBytes);
      if (!text) return usage("cannot read the task: " + describe(text.error()));
      task = std::move(*text);
    }
  } else {
    task = args.task;
    if (task.size() > kArgumentBytes)
      return usage("the task is longer than 200 KB", "put it into a file and use --task-file");
  }
  if (trim(task).empty()) return usage("the task is empty", "hydra race \"what the agents should do\"");
  if (task.find('\0') != std::string::npos) return usage("the task has a NUL byte");
  if (to_utf8(task) != task) return usage("the task is not valid UTF-8");
  return task;
}

// Applies options that override the configuration.
Result<void> apply(const RaceArgs& args, model::Config& config) {
  if (!args.timeout.empty()) {
    auto seconds = parse_duration(args.timeout);
    if (!seconds) {
      auto error = seconds.error();
      error.where = "command line: --timeout";
      return error;
    }
    config.limits.agent_timeout_seconds = *seconds;
  }
  auto& limits = config.limits;
  if (!args.budget_usd.empty()) {
    HYDRA_TRY(limits.budget_usd, parse_usd(args.budget_usd, "--budget-usd"));
  }
  if (!args.budget_tokens.empty()) {
    HYDRA_TRY(limits.budget_tokens, parse_tokens(args.budget_tokens, "--budget-tokens"));
  }
  if (!args.race_budget_usd.empty()) {
    HYDRA_TRY(limits.race_budget_usd, parse_usd(args.race_budget_usd, "--race-budget-usd"));
  }
  if (!args.race_budget_tokens.empty()) {
    HYDRA_TRY(limits.race_budget_tokens, parse_tokens(args.race_budget_tokens, "--race-budget-tokens"));
  }
  if (!args.testers.empty()) {
    HYDRA_CHECK(config::parse_agents(args.testers, config::known_agents(config)));
    config.selection.testers = {args.testers};
  }
  if (!args.hidden_tests.empty()) config.evaluation.hidden = fs::absolute(args.hidden_tests).string();
  if (args.first) config.evaluation.verify = model::Verify::fast;
  model::take_name(args.verify, config.evaluation.verify);
  model::take_name(args.placement, config.execution.placement);
  model::take_name(args.isolation, config.sandbox.isolation);
  model::take_name(args.sandbox, config.sandbox.mode);
  return {};
}

// Returns all installed and signed-in agents.
Result<std::string> ready_agents(client::Client& client, const model::Config& config,
                                 const Context& context) {
  client.set_timeout(kProbingTime);
  HYDRA_TRY(const auto list,
            post<wire::AgentList>(client, "/v1/agents", wire::AgentsRequest{config, {}, {}, environment()}));
  std::vector<std::string> ids;
  for (const auto& agent : list.agents) {
    const auto why = left_out_because(agent, adapters::find_agent(config.agents, agent.id));
    if (!why)
      ids.push_back(agent.id);
    else if (!why->empty())
      context.warn(agent.id + " is left out: " + *why);
  }
  if (ids.empty())
    return Error{Errc::usage,
                 "no agent is installed and signed in",
                 {},
                 "`hydra agents` shows what each one lacks; --agents names them yourself"};
  return join(ids, ",");
}

Result<std::vector<model::AgentEntry>> attempts_of(const std::vector<model::AgentEntry>& entries,
                                                   int attempts) {
  auto all = with_attempts(entries, attempts);
  constexpr std::size_t kMost = 256;
  if (all.size() > kMost)
    return usage("more than 256 attempts in one race", "fewer --attempts, or several races");
  return all;
}

Result<std::vector<model::AgentEntry>> choose_agents(const RaceArgs& args, client::Client& client,
                                                     const model::Config& config, const Context& context) {
  std::string list = args.agents;
  const char* where = "command line: --agents";
  if (list.empty()) {
    list = join(config.default_agents, ",");
    where = "[race] agents";
  }
  if (list.empty()) {
    HYDRA_TRY(list, ready_agents(client, config, context));
  }
  auto entries = config::parse_agents(list, config::known_agents(config));
  if (entries) return attempts_of(*entries, args.attempts);
  auto error = entries.error();
  if (error.where.empty()) error.where = where;
  if (error.hint.empty()) error.hint = "`hydra agents` shows them all";
  return error;
}

// Fails for a named agent that is not installed. A user's own path is checked when the agent starts.
Result<void> check_installed(const std::vector<model::AgentEntry>& entries, const model::Config& config) {
  const auto path = freeze_path(process_env(), working_directory()).path;
  std::map<std::string, std::string> missing;  // agent id -> installation hint
  for (const auto& entry : entries) {
    const auto& agent = config.agents.at(entry.id);
    const auto program = agent.command.empty() ? std::string() : agent.command.front();
    if (program.empty() || program.find('/') != std::string::npos) continue;
    if (!exec::find_program(program, path).empty()) continue;
    missing[entry.id] = agent.install_hint.empty() ? "put '" + program + "' into PATH" : agent.install_hint;
  }
  if (missing.empty()) return {};
  std::vector<std::string> ids, remedies;
  for (const auto& [id, remedy] : missing) {
    ids.push_back(id);
    remedies.push_back(remedy);
  }
  return usage(join(ids, ", ") + (ids.size() == 1 ? " is" : " are") + " not installed", join(remedies, "; "));
}

wire::RaceRequest request_of(const RaceArgs& args, const std::string& task, model::Config config,
                             const std::vector<model::AgentEntry>& agents) {
  auto request = request_for(std::move(config), agents);
  request.task = task;
  request.base = args.base;
  request.kind = args.kind;
  request.until = args.until;
  request.include_dirty = args.include_dirty;
  request.fresh_baseline = args.fresh_baseline;
  request.base_fails = args.base_fails;
  request.auto_merge = args.auto_merge;
  request.rounds = args.rounds;
  return request;
}

// Prints the race's address if the scoreboard runs.
void announce_page(Context& context, client::Client& client, const std::string& race) {
  const auto ui = get<wire::Ui>(client, "/v1/ui");
  if (ui && ui->port)
    print_line("Scoreboard: http://127.0.0.1:" + std::to_string(*ui->port) + "/#/race/" +
               context.out().safe(race));
}

void announce(Context& context, const wire::Created& created, const RaceArgs& args) {
  for (const auto& warning : created.warnings) context.warn(warning);
  const auto& style = context.out();
  std::vector<std::string> names;
  for (const auto& [name, display] : created.agents) names.push_back(style.safe(name));
  if (args.json) return;
  print_line("Race " + style.safe(created.race) + ": " + join(names, ", ") + " on " +
             style.safe(created.base.substr(0, 12)));
  if (args.detach)
    print_line(
        "It runs in the background. `hydra watch` shows it, `hydra results` its end, `hydra cancel` stops "
        "it.");
}

// Returns the new race's id.
Result<std::string> start_race(const RaceArgs& args, const wire::RaceRequest& request, client::Client& client,
                               Context& context) {
  HYDRA_TRY(const auto answer, client.call("POST", "/v1/races", wire::to_json(request)));
  HYDRA_TRY(const auto created, with_race<wire::Created>(answer));
  announce(context, created, args);
  if (!args.json) announce_page(context, client, created.race);
  if (args.json && args.detach) print_line(with_schema(answer));
  return created.race;
}

Result<int> follow(const RaceArgs& args, client::Client client, const std::string& race, Context& context) {
  return follow_race(context, std::move(client), race,
                     {.json = args.json,
                      .screen = args.plain ? FollowOptions::Screen::none : FollowOptions::Screen::with_race});
}

// Asks whether to race although the base's checks, whose race has ended, can judge no result.
Result<bool> race_anyway(const RaceArgs& args, client::Client& client, const std::string& race,
                         Context& context) {
  if (args.base_fails || args.json || !context.interactive()) return false;
  HYDRA_TRY(const auto results, get<wire::Results>(client, race_path(race, "results")));
  const bool stopped = results.state == model::RacePhase::failed &&
                       results.baseline.problem != model::BaseProblem::none &&
                       results.baseline.reason.empty();
  return stopped && yes_to("Race anyway?");
}

Result<int> race(const RaceArgs& args, Context& context) {
  HYDRA_CHECK(context.demand_no_run());
  HYDRA_TRY(const auto task, read_task(args));
  HYDRA_TRY(auto labels, parse_labels(args.labels));
  HYDRA_TRY(auto config, load_config(context));
  HYDRA_CHECK(apply(args, config));
  if (!args.agents.empty()) {
    // Names are checked before a daemon is started.
    HYDRA_CHECK(config::parse_agents(args.agents, config::known_agents(config)));
  }
  if (!find_repository(working_directory()))
    return Error{Errc::usage, "this directory is not in a git repository", working_directory().string(),
                 "`git init` and a first commit make it one; `hydra demo` shows a race in a sample project"};
  for (const auto& note : freeze_path(process_env(), working_directory()).notes) context.warn(note);
  HYDRA_TRY(auto client, context.daemon());
  HYDRA_TRY(const auto agents, choose_agents(args, client, config, context));
  HYDRA_CHECK(check_installed(agents, config));
  auto request = request_of(args, task, std::move(config), agents);
  request.labels = std::move(labels);
  HYDRA_TRY(const auto first, start_race(args, request, client, context));
  if (args.detach) return kDone;
  HYDRA_TRY(const auto end, follow(args, std::move(client), first, context));
  if (end == kDone) return end;
  HYDRA_TRY(client, context.daemon());
  HYDRA_TRY(const auto anyway, race_anyway(args, client, first, context));
  if (!anyway) return end;
  request.base_fails = true;
  HYDRA_TRY(const auto second, start_race(args, request, client, context));
  return follow(args, std::move(client), second, context);
}

}  // namespace

Verb race_verb() {
  return verb_of<RaceArgs>(
      "race", "Give a task to several agents, then build, test, lint and rank their results",
      {"hydra race \"implement JWT auth\"",
       "hydra race --agents claude,codex:2,gemini=gemini-2.5-pro \"fix issue 42\"",
       "hydra race --task-file task.md --timeout 30m --detach",
       "hydra race --budget-usd 1.50 --race-budget-usd 5 \"fix issue 42\"",
       "hydra race --agents claude,codex --testers gemini \"fix issue 42\"",
       "hydra race --until green \"fix issue 42\"",
       "hydra race --agents claude --attempts 3 -- \"- start of the task\"",
       "hydra race --kind bugfix --label prompt=v2 \"fix issue 42\"",
       "git log -1 --format=%B | hydra race --task-file - --json"},
      [](Options& o, RaceArgs& args) {
        o.positional("task", args.task, false,
                     "what the agents should do; after -- it may begin with a dash");
        o.value("--agents,-a", args.agents, "LIST", "agents, NAME[:TIMES][=MODEL] with commas between");
        o.number("--attempts,-n", args.attempts, 1, 100,
                 "run each agent N times: codex#1, codex#2; its best attempt counts");
        o.number("--rounds", args.rounds, 1, 10,
                 "rounds: after each, agents are told what their results fail, and go on");
        o.choice(
            "--until", args.until, {"green"},
            "stop the other agents when one result has evidence and all checks are green, after as much time "
            "as it took, at most 60 s");
        o.value("--testers", args.testers, "LIST",
                "agents that see the task and no result, and write tests that all results are run against");
        o.value(
            "--kind", args.kind, "KIND",
            "of task: bugfix, feature, docs, tests, …; by default its words decide. With docs, a change of "
            "documentation counts as work");
        o.repeated("--label", args.labels, "KEY=VALUE",
                   "to find it again in `hydra leaderboard`; may be repeated");
        o.value("--task-file,-f", args.task_file, "FILE", "read the task from a file, - for standard input");
        o.value("--base,-b", args.base, "REF", "commit that the agents start from (default: HEAD)");
        o.flag("--include-dirty", args.include_dirty, "start from the checkout with its uncommitted changes");
        o.value("--timeout,-t", args.timeout, "TIME", "wall time of each agent: 90s, 30m, 1h30m");
        o.value("--budget-usd", args.budget_usd, "USD",
                "stop an agent that has cost so much; its work is kept");
        o.value("--budget-tokens", args.budget_tokens, "N", "the same in tokens: 200000, 200k, 1.5M");
        o.value("--race-budget-usd", args.race_budget_usd, "USD", "dollars of all agents together");
        o.value("--race-budget-tokens", args.race_budget_tokens, "N", "tokens of all agents together");
        o.choice("--sandbox", args.sandbox, {"required", "auto", "off"}, "isolation of agents and checks");
        o.choice("--isolation", args.isolation, {"bwrap", "podman", "docker"}, "what makes the sandbox");
        o.choice("--placement", args.placement, {"local", "slurm"}, "where agents and checks run");
        o.choice("--verify", args.verify, {"fast", "standard", "strict"},
                 "how thoroughly results are checked");
        o.flag("--first", args.first, "end with the ranking by the configured checks: --verify fast");
        o.value("--hidden-tests", args.hidden_tests, "DIR",
                "tests that only the checks see, laid over the tree");
        o.flag("--fresh-baseline", args.fresh_baseline, "check the base again, not from the cache");
        o.flag("--base-fails", args.base_fails, "race although no test of the base passes");
        o.flag("--auto-merge", args.auto_merge, "merge a winner above the threshold");
        o.flag("--detach,-d", args.detach, "start it and return");
        o.flag("--plain", args.plain, "the table alone, not on the whole terminal; also HYDRA_PLAIN=1");
        o.flag("--json", args.json, "one JSON object a line: every event, then the results");
      },
      race);
}

}  // namespace hydra::cli
