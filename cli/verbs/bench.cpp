#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/amounts.hpp"
#include "cli/bench/new.hpp"
#include "cli/bench/run.hpp"
#include "cli/bench/validate.hpp"
#include "cli/bench/view.hpp"
#include "cli/project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <unistd.h>

namespace hydra::cli {
namespace {

struct BenchArgs {
  std::string suite, name, agents, timeout, budget_usd, budget_tokens, repositories, test_command,
      min_pass_rate;
  std::vector<std::string> filter, labels;
  int attempts = 1, jobs = 1;
  bool resume = false, json = false, skip_broken = false;
};

Error usage_of_bench(std::string message, std::string hint = {}) {
  return {Errc::usage, std::move(message), {}, std::move(hint)};
}

/// Returns the labels of a run; those of suites are Hydra's.
Result<std::map<std::string, std::string>> labels_of(const BenchArgs& args) {
  HYDRA_TRY(auto labels, parse_labels(args.labels));
  for (const auto& [key, value] : labels)
    if (key == "suite" || key.starts_with("suite-"))
      return usage_of_bench("the label " + sanitize(key) + " is set by Hydra", "another key");
  return labels;
}

std::map<std::string, std::string> digests_of(const suite::Suite& suite) {
  std::map<std::string, std::string> digests;
  for (const auto& task : suite.tasks) digests[task.name] = suite::digest_of(task);
  return digests;
}

/// Fails if tests or commands differ from those that the run began with: its verdicts would be of two tasks.
Result<void> check_digests(const suite::Suite& suite, const BenchRun& run) {
  std::vector<std::string> changed;
  for (const auto& [name, digest] : digests_of(suite))
    if (const auto before = run.digests.find(name); before != run.digests.end() && before->second != digest)
      changed.push_back(sanitize(name));
  if (changed.empty()) return {};
  return usage_of_bench("tests or commands changed since the run began: " + join(changed, ", "),
                        "put them back, or begin a new run");
}

/// Returns the newest run of this suite; with --resume the run's own arguments apply.
Result<BenchRun> run_of(const BenchArgs& args, const BenchStore& store, const suite::Suite& suite,
                        Context& context) {
  HYDRA_TRY(const auto labels, labels_of(args));
  std::optional<BenchRun> newest;
  for (auto& run : store.runs()) {
    if (run.validation) continue;
    if (run.suite == suite.name && run.source != suite.root.string())
      return usage_of_bench("another suite has the name " + suite.name + ": " + sanitize(run.source),
                            "the leaderboard could not distinguish them; --name gives this one another");
    if (run.source == suite.root.string() && run.suite == suite.name) newest = std::move(run);
  }
  if (args.resume) {
    if (!newest) return usage_of_bench("no run of this suite to resume");
    if (!args.agents.empty() && args.agents != newest->agents)
      return usage_of_bench("the run has other agents: " + newest->agents,
                            "leave out --agents, or begin a new run");
    if (!args.labels.empty() && labels != newest->labels)
      return usage_of_bench("the run has other labels", "leave out --label, or begin a new run");
    return *newest;
  }
  if (args.agents.empty()) return usage_of_bench("no agents", "--agents claude,codex");
  RandomIds ids;
  BenchRun run{
      ids.race_id(),     suite.name, suite.root.string(), args.agents, args.attempts, {}, args.repositories,
      args.test_command, false,      digests_of(suite),   {},          labels};
  for (const auto& task : suite.tasks) run.tasks.push_back(task.name);
  if (newest) context.warn("starting a new run; --resume continues " + newest->id);
  return run;
}

/// Keeps exactly the run's tasks; fails if one is missing.
Result<void> narrow(suite::Suite& suite, const BenchRun& run) {
  std::erase_if(suite.tasks, [&](const auto& task) {
    return std::find(run.tasks.begin(), run.tasks.end(), task.name) == run.tasks.end();
  });
  for (const auto& name : run.tasks)
    if (std::none_of(suite.tasks.begin(), suite.tasks.end(),
                     [&](const auto& task) { return task.name == name; }))
      return usage_of_bench("the suite no longer has the task " + sanitize(name), "begin a new run");
  return check_digests(suite, run);
}

Result<suite::Suite> suite_for(const BenchArgs& args, const model::Config& config, Context& context) {
  if (args.suite.empty()) return usage_of_bench("no suite", "hydra bench DIRECTORY --agents claude,codex");
  HYDRA_TRY(auto suite, suite::read_suite(args.suite, {args.name, args.repositories, args.test_command}));
  HYDRA_CHECK(suite::filter_suite(suite, args.filter));
  check_packages(suite, config);
  const auto left_out = left_out_text(suite, context.err());
  if (!left_out.empty()) std::fputs(left_out.c_str(), stderr);
  if (!suite.broken.empty() && !args.skip_broken)
    return Error{Errc::usage,
                 std::to_string(suite.broken.size()) +
                     (suite.broken.size() == 1 ? " task is" : " tasks are") + " broken",
                 suite.root.string(), "mend them, or leave them out: --filter '!NAME' or --skip-broken"};
  return suite;
}

Result<BenchPlan> plan_of(const BenchArgs& args, const BenchStore& store, suite::Suite suite,
                          model::Config config, Context& context) {
  BenchPlan plan;
  std::erase_if(suite.tasks, [](const auto& task) { return !task.needs_image.empty(); });
  if (suite.tasks.empty()) return usage_of_bench("no task can run on this machine");
  HYDRA_TRY(plan.run, run_of(args, store, suite, context));
  HYDRA_CHECK(narrow(suite, plan.run));
  HYDRA_TRY(plan.entries, config::parse_agents(plan.run.agents, config::known_agents(config)));
  if (plan.entries.size() * static_cast<std::size_t>(plan.run.attempts) > 256)
    return usage_of_bench("more than 256 attempts at a task", "fewer --attempts, or several runs");
  if (!args.timeout.empty()) {
    HYDRA_TRY(config.limits.agent_timeout_seconds, parse_duration(args.timeout));
    plan.timed = true;
  }
  if (!args.budget_usd.empty()) {
    HYDRA_TRY(plan.budget.usd, parse_usd(args.budget_usd, "--budget-usd"));
  }
  if (!args.budget_tokens.empty()) {
    HYDRA_TRY(plan.budget.tokens, parse_tokens(args.budget_tokens, "--budget-tokens"));
  }
  plan.suite = std::move(suite);
  plan.config = std::move(config);
  plan.jobs = args.jobs;
  return plan;
}

/// Prints one line per task; on a terminal the run's status stays below.
OnBenchNews progress(const Context& context, bool json) {
  std::FILE* const out = json ? stderr : stdout;
  const bool redraw = can_redraw(json ? STDERR_FILENO : STDOUT_FILENO, context.env());
  return [&context, out, redraw](const BenchNews& news, const suite::Board& board) {
    const auto& style = context.out();
    if (redraw) std::fputs("\r\033[K", out);
    if (!news.task.empty()) {
      std::fputs((bench_task_line(news, board, style) +
                  (redraw ? "" : "   " + bench_status_line(news, board)) + "\n")
                     .c_str(),
                 out);
    }
    if (redraw)
      std::fputs(style.fit(bench_status_line(news, board), style.width > 0 ? style.width : 80).c_str(), out);
    std::fflush(out);
  };
}

/// Returns the share in [0, 1] that every entry has to solve; 0: none.
Result<double> parse_rate(const std::string& text) {
  double rate = 0;
  if (text.empty()) return rate;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, rate);
  if (read.ec != std::errc() || read.ptr != end || !(rate >= 0 && rate <= 1))
    return Error{Errc::usage, "'" + sanitize(text) + "' is no share", "--min-pass-rate",
                 "a number from 0 to 1"};
  return rate;
}

/// Says which agents are other versions than those that the run began with.
void compare_versions(const BenchRun& run, const std::map<std::string, std::string>& now, Context& context) {
  for (const auto& [id, version] : now)
    if (const auto before = run.versions.find(id); before == run.versions.end() || before->second != version)
      context.warn(sanitize(id + " is " + version + ", and the run began with " +
                            (before == run.versions.end() ? "an unknown version" : before->second)) +
                   "; `hydra leaderboard --by version` compares them");
}

Result<int> bench(const BenchArgs& args, Context& context) {
  HYDRA_CHECK(context.demand_no_run());
  HYDRA_TRY(const double wanted_rate, parse_rate(args.min_pass_rate));
  HYDRA_TRY(auto config, load_config(context));
  HYDRA_TRY(const auto paths, context.paths());
  HYDRA_TRY(auto suite, suite_for(args, config, context));
  auto with_agents = args;
  if (with_agents.agents.empty() && !args.resume) with_agents.agents = join(config.default_agents, ",");
  const BenchStore store(paths.state);
  auto whole = suite;
  HYDRA_TRY(auto plan, plan_of(with_agents, store, std::move(suite), std::move(config), context));
  HYDRA_TRY(auto versions, probed_versions(plan, context));
  if (args.resume) {
    compare_versions(plan.run, versions, context);
  } else {
    plan.run.versions = std::move(versions);
    HYDRA_CHECK(store.create(plan.run));
  }
  if (!args.json)
    print_line(
        "Suite " + context.out().safe(plan.run.suite) + ": " + std::to_string(plan.suite.tasks.size()) +
        (plan.suite.tasks.size() == 1 ? " task, " : " tasks, ") + plan.run.agents + ", run " + plan.run.id);
  BenchDriver driver(context, store, plan);
  const bool redraw = can_redraw(args.json ? STDERR_FILENO : STDOUT_FILENO, context.env());
  const auto end = driver.carry_out(progress(context, args.json));
  if (redraw) std::fputs("\r\033[K", args.json ? stderr : stdout);
  if (!end) return end.error();
  plan.suite = std::move(whole);
  if (args.json)
    print_line(bench_json(plan, *end, driver.board()));
  else
    print(bench_text(plan, *end, driver.board(), context.out()));
  if (end->interrupted) return kInterrupted;
  for (const auto& row : driver.board().rows())
    if (row.score < wanted_rate) {
      context.warn(fmt::format("{} solved {} of {}, less than {:g}", sanitize(row.entry), row.solved,
                               counted(row.tasks, "task"), wanted_rate));
      return kNoWinner;
    }
  return complete(*end, driver.board()) ? kDone : kNoWinner;
}

void suite_options(Options& o, BenchArgs& args) {
  o.positional("tasks", args.suite, false,
               "a suite: a directory of tasks, or a .jsonl file (docs/suites.md)");
  o.value("--name", args.name, "NAME", "of the suite, where another one has its name");
  o.repeated("--filter", args.filter, "GLOB",
             "only these tasks; with ! in front all but these; may be repeated");
  o.number("--jobs,-j", args.jobs, 1, 256, "tasks at once");
  o.value("--timeout,-t", args.timeout, "TIME", "time limit per agent (overrides the task's)");
  o.value("--repositories", args.repositories, "DIR", "where the clones of a .jsonl suite are");
  o.value("--test-command", args.test_command, "COMMAND",
          "of a .jsonl suite; {tests} are the names of the tests (default: python3 -m pytest -q {tests})");
  o.flag("--skip-broken", args.skip_broken, "leave broken tasks out");
  o.flag("--json", args.json, "the result as JSON (docs/suites.md); progress goes to standard error");
}

Result<int> validate(const BenchArgs& args, Context& context) {
  return validate_suite({args.suite,
                         args.timeout,
                         {args.name, args.repositories, args.test_command},
                         args.filter,
                         args.jobs,
                         args.json},
                        context);
}

Verb validate_verb() {
  return verb_of<BenchArgs>(
      "validate",
      "Run each task's reference solution, which must score 1, and an agent that does nothing, which "
      "must score 0",
      {"hydra bench validate ./tasks", "hydra bench validate ./tasks --filter 'fix-*' --json"}, suite_options,
      validate);
}

Verb new_verb() {
  return verb_of<NewTaskArgs>(
      "new", "Make a task of a commit: its tests become hidden ones, its parent the base",
      {"hydra bench new 4f2a91c --suite ./my-suite --test-command 'npm test'",
       "hydra bench new HEAD~3 --suite ./my-suite --name fix-parser --task-file issue.md"},
      [](Options& o, NewTaskArgs& args) {
        o.positional("commit", args.commit, true, "the fix: a commit of this repository with its tests");
        o.value("--suite", args.suite, "DIR", "suite directory to add the task to; created if missing");
        o.value("--name", args.name, "NAME", "of the task (default: of the commit's subject)");
        o.value("--task", args.task, "TEXT", "what agents are told (default: the commit's message)");
        o.value("--task-file", args.task_file, "FILE", "the same out of a file");
        o.value("--test-command", args.test_command, "COMMAND", "default: [scoring] test_command");
        o.value("--build-command", args.build_command, "COMMAND", "default: [scoring] build_command");
        o.value("--setup", args.setup, "COMMAND", "default: [workspace] setup");
        o.repeated("--tests", args.tests, "GLOB", "further paths of the commit that are tests");
      },
      new_task);
}

}  // namespace

Verb bench_verb() {
  return verb_of<BenchArgs>(
      "bench", "Give agents the tasks of a suite, and say how many each one solves",
      {"hydra bench ./terminal-bench --agents claude,codex --jobs 2",
       "hydra bench ./my-suite --agents claude --attempts 3 --budget-usd 20",
       "hydra bench ./my-suite --agents claude --label prompt=v2 --min-pass-rate 0.8",
       "hydra bench ./my-suite --resume",
       "hydra bench swe.jsonl --repositories ./clones --agents codex --filter 'django-*'",
       "hydra bench validate ./my-suite", "hydra bench new 4f2a91c --suite ./my-suite"},
      [](Options& o, BenchArgs& args) {
        suite_options(o, args);
        o.value("--agents,-a", args.agents, "LIST", "agents, NAME[:TIMES][=MODEL] with commas between");
        o.number("--attempts,-n", args.attempts, 1, 100, "run each agent N times at each task");
        o.flag("--resume", args.resume,
               "go on with the newest run of this suite; nothing that ended is repeated");
        o.repeated("--label", args.labels, "KEY=VALUE",
                   "of every race, for `hydra leaderboard --label` and `--by label:KEY`; may be repeated");
        o.value("--min-pass-rate", args.min_pass_rate, "SHARE",
                "exit code 1 if an entry solves less of the tasks: 0.8");
        o.value("--budget-usd", args.budget_usd, "USD", "dollars of the whole run");
        o.value("--budget-tokens", args.budget_tokens, "N", "tokens of the whole run");
      },
      bench, {validate_verb(), new_verb()});
}

}  // namespace hydra::cli
