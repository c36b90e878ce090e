// Carries out the commands about mutants and coverage, and the verb that asks for them.
#include "base/strings.hpp"
#include "checks/coverage.hpp"
#include "race/agents/secrets.hpp"
#include "race/checks/checks.hpp"
#include "race/checks/measure_plan.hpp"
#include "race/state/cross.hpp"
#include "race/state/measure.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

model::Measured nothing_measured(const MeasureWish& wish, const std::string& reason) {
  model::Measured measured;
  if (!wish.agent.empty())
    measured.mutants.push_back({wish.agent, model::Measure::not_measured, reason, 0, 0, {}});
  for (const auto& agent : wish.coverage)
    measured.coverage.push_back({agent, model::Measure::not_measured, reason, 0, 0, {}});
  return measured;
}

/// What a coverage run left, and of what.
struct CoverageFiles {
  std::string agent, commit, reason;
  std::vector<model::ChangedLines> lines;
  fs::path reports;
};

CoverageFiles files_of_coverage(const Race& race, const model::CoverageRun& planned) {
  CoverageFiles found{planned.agent, planned.run.commit, planned.reason, planned.lines, {}};
  const auto* checks = race.state.checks(planned.run.subject);
  if (!found.reason.empty()) return found;
  const auto attempt = checks && checks->tests ? race.layout.attempt(checks->tests->attempt) : fs::path();
  if (attempt.empty())
    found.reason = "not_run";
  else
    found.reports = attempt / "reports";
  return found;
}

model::CoverageReport report_of(const CoverageFiles& files, const git::Store& store,
                                const std::optional<std::string>& pattern) {
  model::CoverageReport report{files.agent, model::Measure::not_measured, files.reason, 0, 0, {}};
  if (!files.reason.empty()) return report;
  const auto texts = texts_of(store, files.commit, files.lines);
  if (!texts.ok()) {
    report.reason = "no_sources";
    return report;
  }
  auto found = checks::coverage_report(files.agent, files.lines,
                                       checks::read_coverage(files.reports, pattern.value_or(""), *texts));
  if (found.reason == "no_report") found.reason = checks::coverage_problem(files.reports);
  return found;
}

}  // namespace

void Checks::plan_measure(const RacePtr& race) {
  background(
      [rules = race->rules, store_copy = *race->store, spec = race->state.spec,
       inputs = measure_inputs(race->state),
       secrets = engine.secrets.of_race(race->state.spec, race->secrets),
       history = race->layout.history()]() -> Result<model::MeasurePlan> {
        HYDRA_TRY(auto plan, plan_measurement(*rules, store_copy, spec, inputs));
        HYDRA_CHECK(store_copy.write_history(history));
        // Words of the agent's own source; commands of the same event stay as they are.
        for (auto& mutant : plan.mutants) mutant.change = without_secrets(mutant.change, secrets);
        return plan;
      },
      [this, race](Result<model::MeasurePlan> plan) {
        const auto& id = race->state.spec.id;
        if (!lives(race) || race->state.cancelled) return;
        if (plan.ok()) return emit(id, model::MeasurePlanned{std::move(*plan)});
        emit(id, model::Note{"", "mutants and coverage could not be planned: " + describe(plan.error())});
        emit(id, nothing_measured(measure_wish(race->state), "failed"));
      });
}

void Checks::measure_clock(const RacePtr& race) {
  if (!race->state.measure) return;
  const auto seconds = race->state.spec.config.selection.mutants_seconds;
  const auto end = race->state.measure->began_ms + static_cast<std::int64_t>(seconds * 1000);
  race->measure_timer = engine.timer(race, end - clock.now(), [this](const RacePtr& still) {
    const auto& measure = still->state.measure;
    if (measure && measure->stopped.empty()) emit(still->state.spec.id, model::MeasureStopped{"out_of_time"});
  });
}

void Checks::sum_measure(const RacePtr& race) {
  race->measure_timer.reset();
  model::Measured measured;
  if (auto report = mutant_report(race->state); !report.agent.empty())
    measured.mutants.push_back(std::move(report));
  std::vector<CoverageFiles> files;
  for (const auto& planned : race->state.measure->plan.coverage)
    files.push_back(files_of_coverage(*race, planned));
  background(
      [files, measured, store_copy = *race->store,
       pattern = race->state.spec.config.selection.coverage_report]() mutable {
        for (const auto& found : files) measured.coverage.push_back(report_of(found, store_copy, pattern));
        return measured;
      },
      [this, race](model::Measured found) {
        if (lives(race) && race->state.measure) emit(race->state.spec.id, std::move(found));
      });
}

void Checks::measure(MeasureCall call, std::function<void(Result<wire::Measuring>)> done) {
  if (draining()) return done(daemon_stops());
  auto loaded = load(call.race);
  if (!loaded.ok()) return done(std::move(loaded).error());
  const auto race = *loaded;
  const auto& state = race->state;
  if (races.contains(call.race) && !state.ended)
    return done(Error{Errc::conflict, "the race still runs", call.race, "wait for its end: hydra watch"});
  // Its last effects have been carried out in a turn of the loop.
  if (races.contains(call.race))
    return boost::asio::post(loop, [this, call = std::move(call), done = std::move(done)]() mutable {
      measure(std::move(call), std::move(done));
    });
  if (state.ended != model::RaceEnd::done || !state.ranking)
    return done(Error{Errc::conflict, "the race has no final ranking", call.race, {}});
  if (const auto busy = engine.busy_with(call.race); !busy.empty())
    return done(Error{Errc::conflict, "the race " + busy, call.race, "try again when that is done"});
  const int configured = state.spec.config.selection.mutants;
  if (call.mutants < 0) call.mutants = configured > 0 ? configured : 12;
  if (call.agent.empty()) call.agent = state.ranking->winner;
  const auto* agent = state.agent(call.agent);
  if (!agent || !agent->changed())
    return done(
        Error{Errc::not_found,
              call.agent.empty() ? "the race has no winner" : "no result of '" + sanitize(call.agent) + "'",
              call.race, "name one: hydra verify --mutants RACE/AGENT"});
  auto copy = state;
  ask_measure(copy, {call.agent, call.mutants, call.coverage});
  if (measure_wish(copy).none())
    return done(Error{Errc::conflict, "nothing can be measured here", call.race,
                      "it needs a test command, checks = \"fresh\" and another verify than \"fast\""});
  std::error_code ec;
  if (!race->store || !fs::is_directory(race->layout.store(), ec))
    return done(Error{Errc::not_found, "the results of this race are not kept any more", call.race, {}});
  engine.enter(race);
  const wire::Measuring answer{call.race, call.agent, state.last_event, {}};
  emit(call.race, model::MeasureRequested{call.agent, call.mutants, call.coverage},
       [answer, done = std::move(done)] { done(answer); });
}

}  // namespace hydra::race
