#include "cli/bench/validate.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/bench/run.hpp"
#include "cli/bench/view.hpp"
#include "cli/json_fields.hpp"
#include "cli/project.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"
#include "wire/results.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace hydra::cli {
namespace {

/// A task's two scores and its defect; empty `problem`: none.
struct Verdict {
  std::optional<double> reference, nothing;
  std::string problem, race;
};

struct Checked {
  suite::Suite suite;
  std::map<std::string, Verdict> verdicts;  ///< verdicts of the tasks that ran
};

/// Returns the status of the base's tests in that race; nullopt: unknown.
std::optional<model::CheckStatus> base_of(client::Client& client, const std::string& race) {
  const auto results = get<wire::Results>(client, race_path(race, "results"));
  return results && results->baseline.tests ? std::optional(results->baseline.tests->status) : std::nullopt;
}

std::optional<double> score_of(const suite::Board& board, const std::string& task, const char* entry) {
  const auto* outcome = board.outcome(task, entry, 1);
  if (outcome == nullptr || outcome->lost) return std::nullopt;
  return outcome->solved ? 1.0 : 0.0;
}

Verdict verdict_of(const suite::Task& task, const suite::Board& board, const BenchEnd& end,
                   client::Client& client) {
  Verdict verdict;
  if (const auto failed = end.failed.find(task.name); failed != end.failed.end()) {
    verdict.problem = failed->second;
    return verdict;
  }
  if (const auto race = end.races.find(task.name); race != end.races.end()) verdict.race = race->second;
  verdict.reference = score_of(board, task.name, kReference);
  verdict.nothing = score_of(board, task.name, kNothing);
  // An agent that changes nothing has the base's result.
  const auto base = base_of(client, verdict.race);
  if (base == model::CheckStatus::passed) verdict.nothing = 1.0;
  if (verdict.nothing == 1.0)
    verdict.problem = "its tests pass before anything is done";
  else if (!verdict.reference || !verdict.nothing || !base)
    verdict.problem = "it could not be run: hydra explain " + verdict.race + "/" + kReference;
  else if (base == model::CheckStatus::timed_out)
    verdict.problem = "its tests run out of time";
  else if (*verdict.reference < 1.0)
    verdict.problem = "its reference solution scores 0: hydra explain " + verdict.race + "/" + kReference;
  return verdict;
}

std::string validation_text(const Checked& checked, const Style& style) {
  std::string text;
  std::size_t good = 0, bad = checked.suite.broken.size();
  for (const auto& [name, verdict] : checked.verdicts) {
    const bool fine = verdict.problem.empty();
    ++(fine ? good : bad);
    text += std::string(fine ? style.tick() : style.cross()) + " " + style.safe(name);
    if (fine)
      text += ": reference 1, nobody 0";
    else
      text += " is broken: " + style.safe(verdict.problem);
    text += "\n";
  }
  const auto apart = checked.suite.tasks.size() - checked.verdicts.size();
  return text + std::to_string(good) + " good, " + std::to_string(bad) + " broken, " + std::to_string(apart) +
         " not run here\n";
}

std::string validation_json(const Checked& checked) {
  OrderedJson j{{"schema", 1}, {"suite", checked.suite.name}, {"tasks", OrderedJson::array()}};
  for (const auto& task : checked.suite.tasks) {
    OrderedJson row{{"task", task.name},
                    {"state", "not_run"},
                    {"reference", nullptr},
                    {"nothing", nullptr},
                    {"reason", to_utf8(task.needs_image.empty() ? "it has no reference solution"
                                                                : "needs an image: " + task.needs_image)},
                    {"race", nullptr}};
    if (const auto found = checked.verdicts.find(task.name); found != checked.verdicts.end()) {
      const auto& verdict = found->second;
      row["state"] = verdict.problem.empty() ? "good" : "broken";
      row["reference"] = or_null(verdict.reference);
      row["nothing"] = or_null(verdict.nothing);
      row["reason"] = to_utf8(verdict.problem);
      row["race"] = verdict.race;
    }
    j["tasks"].push_back(std::move(row));
  }
  for (const auto& task : checked.suite.broken)
    j["tasks"].push_back({{"task", to_utf8(task.name)},
                          {"state", "broken"},
                          {"reference", nullptr},
                          {"nothing", nullptr},
                          {"reason", to_utf8(task.reason)},
                          {"race", nullptr}});
  return j.dump();
}

Result<BenchPlan> validation_plan(const ValidateArgs& args, const suite::Suite& suite, model::Config config) {
  BenchPlan plan;
  plan.suite = suite;
  std::erase_if(plan.suite.tasks, [](const auto& task) {
    return !task.needs_image.empty() || (task.solution.empty() && task.solution_patch.empty());
  });
  if (plan.suite.tasks.empty() && suite.broken.empty())
    return Error{
        Errc::usage, "no task with a reference solution can run on this machine", suite.root.string(), {}};
  RandomIds ids;
  plan.run = {ids.race_id(),
              suite.name,
              suite.root.string(),
              std::string(kReference) + "," + kNothing,
              1,
              {},
              args.read.repositories.string(),
              args.read.test_command,
              true};
  for (const auto& task : plan.suite.tasks) plan.run.tasks.push_back(task.name);
  add_validators(config);
  plan.entries = {{kReference, kReference, {}}, {kNothing, kNothing, {}}};
  if (!args.timeout.empty()) {
    HYDRA_TRY(config.limits.agent_timeout_seconds, parse_duration(args.timeout));
    plan.timed = true;
  }
  plan.config = std::move(config);
  plan.jobs = args.jobs;
  return plan;
}

// Removes the races from the history: they judge tasks, not agents, so no leaderboard may count them.
void forget(client::Client& client, const BenchEnd& end) {
  for (const auto& [task, race] : end.races)
    (void)client.call("POST", "/v1/history/forget", wire::to_json(wire::ForgetRequest{race}));
}

}  // namespace

Result<int> validate_suite(const ValidateArgs& args, Context& context) {
  HYDRA_TRY(const auto config, load_config(context));
  if (args.suite.empty()) return Error{Errc::usage, "no suite", {}, "hydra bench validate DIRECTORY"};
  HYDRA_TRY(const auto paths, context.paths());
  HYDRA_TRY(auto suite, suite::read_suite(args.suite, args.read));
  HYDRA_CHECK(suite::filter_suite(suite, args.filter));
  check_packages(suite, config);
  if (!args.json) print(left_out_text(suite, context.out()));
  HYDRA_TRY(auto plan, validation_plan(args, suite, config));
  const BenchStore store(paths.state);
  HYDRA_CHECK(store.create(plan.run));
  Checked checked{suite, {}};
  BenchDriver driver(context, store, plan);
  HYDRA_TRY(const auto end, driver.carry_out([&](const BenchNews& news, const suite::Board& board) {
    if (!news.task.empty()) std::fputs((bench_task_line(news, board, context.err()) + "\n").c_str(), stderr);
  }));
  if (end.interrupted) return kInterrupted;
  HYDRA_TRY(auto client, context.daemon());
  for (const auto& task : plan.suite.tasks)
    checked.verdicts[task.name] = verdict_of(task, driver.board(), end, client);
  forget(client, end);
  if (args.json)
    print_line(validation_json(checked));
  else
    print(validation_text(checked, context.out()));
  const bool good =
      suite.broken.empty() && std::all_of(checked.verdicts.begin(), checked.verdicts.end(),
                                          [](const auto& row) { return row.second.problem.empty(); });
  return good ? kDone : kNoWinner;
}

}  // namespace hydra::cli
