#include "race/state/measure.hpp"

#include "race/state/cross.hpp"
#include "race/state/gating.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;
using model::TestStatus;

namespace {

constexpr std::size_t kMeasuresAtOnce = 4;  // workspaces, as for cross runs

const model::CheckSet* checks_of_measure(const State& state, const model::PlannedRun& run) {
  const auto* found = state.subject(run.subject);
  return found && found->error.empty() ? &found->checks : nullptr;
}

bool measure_over(const State& state, const model::PlannedRun& run) {
  return fully_checked(state, run.subject);
}

// Each of its tests that passes tells by failing whether it notices a mutant; without names the command does.
bool tells(const model::CheckSet* reference) {
  if (!reference || !finished(reference->tests)) return false;
  const auto& tests = *reference->tests;
  if (tests.status == CheckStatus::passed) return true;
  return tests.tests && std::any_of(tests.tests->tests.begin(), tests.tests->tests.end(),
                                    [](const auto& test) { return test.status == TestStatus::passed; });
}

std::vector<const model::PlannedRun*> next_measures(const State& state) {
  const auto& plan = state.measure->plan;
  std::vector<const model::PlannedRun*> next;
  const auto add = [&](const model::PlannedRun& run) {
    if (next.size() < kMeasuresAtOnce && !measure_over(state, run)) next.push_back(&run);
  };
  for (const auto& run : plan.reference) add(run);
  for (const auto& coverage : plan.coverage)
    if (coverage.reason.empty()) add(coverage.run);
  if (plan.reference.empty() || !state.measure->stopped.empty()) return next;
  const auto& reference = plan.reference.front();
  if (!measure_over(state, reference) || !tells(checks_of_measure(state, reference))) return next;
  for (const auto& mutant : plan.mutants) add(mutant.run);
  return next;
}

/// A test that passes in the reference and not here; empty: none.
std::string lost_test(const model::TestReport& reference, const model::TestReport& mutant) {
  const auto now = test_statuses(mutant);
  for (const auto& [name, status] : test_statuses(reference)) {
    if (status != TestStatus::passed) continue;
    const auto found = now.find(name);
    if (found == now.end() || found->second == TestStatus::failed || found->second == TestStatus::error)
      return std::string(name);
  }
  return {};
}

}  // namespace

void judge_mutant(const model::CheckSet* checks, const model::CheckEvidence& reference,
                  model::Mutant& mutant) {
  mutant.state = model::MutantState::not_run;
  if (!checks) return;
  if (checks->build && checks->build->status != CheckStatus::passed) {
    if (checks->build->status == CheckStatus::failed) mutant.state = model::MutantState::invalid;
    return;
  }
  if (!checks->tests) return;
  const auto& tests = *checks->tests;
  const auto killed = [&](std::string by) {
    mutant.state = model::MutantState::killed;
    mutant.by = std::move(by);
  };
  if (tests.status == CheckStatus::timed_out) return killed("the tests took too long");
  if (tests.status == CheckStatus::crashed) return killed("the tests crashed");
  if (!finished(checks->tests)) return;
  mutant.state = model::MutantState::survived;
  const bool named =
      reference.tests && tests.tests && !reference.tests->tests.empty() && !tests.tests->tests.empty();
  if (tests.status == CheckStatus::passed) return;
  const auto test = named ? lost_test(*reference.tests, *tests.tests) : std::string();
  if (!test.empty()) return killed(test);
  if (reference.status == CheckStatus::passed) killed("the test command fails");
}

namespace {

bool may_measure(const State& state) {
  const auto& config = state.spec.config;
  return state.ranking && !state.cancelled && !state.spec.check_only && config.scoring.test_command &&
         config.evaluation.verify != model::Verify::fast &&
         config.workspace.checks == model::CheckPlace::fresh;
}

}  // namespace

MeasureWish measure_wish(const State& state) {
  MeasureWish wish;
  if (!may_measure(state)) return wish;
  std::vector<std::string> coverage;
  if (const auto& asked = state.measure_asked) {
    wish.mutants = asked->mutants;
    if (asked->mutants > 0) wish.agent = asked->agent;
    if (asked->coverage) coverage.push_back(asked->agent);
  } else {
    if (state.measured || !state.spec.verifies.empty() || state.ranking->winner.empty()) return wish;
    const auto& selection = state.spec.config.selection;
    wish.mutants = selection.mutants;
    if (selection.mutants > 0) wish.agent = state.ranking->winner;
    if (selection.coverage == model::CoverageOf::winner) coverage.push_back(state.ranking->winner);
    if (selection.coverage == model::CoverageOf::all)
      for (const auto& ranked : state.ranking->agents)
        if (ranked.eligible) coverage.push_back(ranked.agent);
  }
  for (auto& agent : coverage)
    if (!state.coverage.contains(agent)) wish.coverage.push_back(std::move(agent));
  if (!wish.coverage.empty()) wish.agent.clear();
  return wish;
}

MeasureInputs measure_inputs(const State& state) {
  MeasureInputs inputs;
  inputs.wish = measure_wish(state);
  for (const auto& agent : state.agents)
    if (agent.changed()) inputs.commits.emplace_back(agent.entry.name, agent.capture->commit);
  if (const auto found = state.coverage.find(inputs.wish.agent); found != state.coverage.end())
    inputs.never_run = found->second.never_run;
  return inputs;
}

const model::PlannedRun* measure_run(const State& state, const std::string& subject) {
  if (!state.measure) return nullptr;
  const auto& plan = state.measure->plan;
  for (const auto& run : plan.reference)
    if (run.subject == subject) return &run;
  for (const auto& mutant : plan.mutants)
    if (mutant.run.subject == subject) return &mutant.run;
  for (const auto& coverage : plan.coverage)
    if (coverage.run.subject == subject) return &coverage.run;
  return nullptr;
}

bool measure_open(const State& state) {
  return state.ranking && !state.cancelled && (state.measure || !measure_wish(state).none());
}

void want_measure(const State& state, std::set<Command>& commands) {
  if (!state.measure) {
    commands.insert({Verb::plan_measure, {}, Dimension::build});
    return;
  }
  const auto next = next_measures(state);
  for (const auto* run : next) want_checks(state, run->subject, commands);
  commands.insert({next.empty() ? Verb::sum_measure : Verb::measure_clock, {}, Dimension::build});
  if (state.measure->stopped.empty()) return;
  for (const auto& command : state.issued)
    if (const auto* run = measure_run(state, command.subject);
        run && std::find(next.begin(), next.end(), run) == next.end() &&
        (command.verb == Verb::run_check || command.verb == Verb::prepare_subject))
      commands.insert({Verb::stop_checks, command.subject, Dimension::build});
}

model::MutantReport mutant_report(const State& state) {
  model::MutantReport report;
  if (!state.measure || state.measure->plan.agent.empty()) return report;
  const auto& plan = state.measure->plan;
  report.agent = plan.agent;
  report.state = model::Measure::not_measured;
  report.reason = plan.reason;
  report.never_run = plan.never_run;
  if (plan.reference.empty()) return report;
  const auto* reference = checks_of_measure(state, plan.reference.front());
  if (!tells(reference)) {
    report.reason = "red_without";
    return report;
  }
  report.state = model::Measure::measured;
  report.reason = state.measure->stopped;
  for (const auto& planned : plan.mutants) {
    model::Mutant mutant{planned.path, planned.line, planned.change, {}, {}};
    judge_mutant(checks_of_measure(state, planned.run), *reference->tests, mutant);
    if (mutant.state == model::MutantState::killed) ++report.killed;
    if (mutant.state == model::MutantState::survived) ++report.survived;
    report.mutants.push_back(std::move(mutant));
  }
  return report;
}

void ask_measure(State& state, const model::MeasureRequested& asked) {
  if (!state.agent(asked.agent) || !state.ranking) return;
  state.measure_asked = asked;
  if (asked.coverage) state.coverage.erase(asked.agent);  // measured anew
  state.measure.reset();
  state.only_measured = true;
  state.ended.reset();
  state.ended_ms = 0;
}

void begin_measure(State& state, const model::MeasurePlan& plan, std::int64_t at_ms) {
  state.measure = MeasureState{plan, at_ms, {}};
  std::vector<const model::PlannedRun*> runs;
  for (const auto& run : plan.reference) runs.push_back(&run);
  for (const auto& mutant : plan.mutants) runs.push_back(&mutant.run);
  for (const auto& coverage : plan.coverage) runs.push_back(&coverage.run);
  for (const auto* run : runs) begin_anew(state, *run);
}

void end_measure(State& state, const model::Measured& measured) {
  for (const auto& report : measured.mutants) state.mutants[report.agent] = report;
  for (const auto& report : measured.coverage) state.coverage[report.agent] = report;
  state.measure.reset();
  if (measured.mutants.empty() && !measure_wish(state).none()) return;  // mutants come next
  state.measure_asked.reset();
  state.measured = true;
}

}  // namespace hydra::race
