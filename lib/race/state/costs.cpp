#include "race/state/costs.hpp"

#include "race/state/cross.hpp"
#include "race/state/state.hpp"
#include "race/state/twins.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

// Verification of a small project costs more than its checks, and nobody waits for that long.
constexpr double kLeastMs = 60'000;

}  // namespace

CheckCosts check_costs(const State& state) {
  CheckCosts costs;
  const auto add = [](const std::optional<model::CheckEvidence>& check, Cost& cost) {
    if (!check || check->cached) return;
    cost.wall_ms += check->wall_ms;
    cost.cpu_ms += check->cpu_ms;
  };
  for (const auto& [subject, found] : state.subjects) {
    auto& cost = subject.kind == Kind::baseline ? costs.base
                 : subject.kind == Kind::result ? costs.results
                 : subject.kind == Kind::cross  ? costs.cross
                                                : costs.own;
    for (const auto* check : {&found.checks.build, &found.checks.tests, &found.checks.lint})
      add(*check, cost);
    for (const auto& repeat : found.checks.repeats)
      add(repeat, subject.kind == Kind::cross ? costs.cross : costs.own);
    const auto& tests = found.checks.tests;
    const auto total = tests && tests->tests ? tests->tests->counts.total.value_or(0) : 0;
    if (subject.kind == Kind::baseline) costs.base_tests = total;
    if (subject.kind != Kind::cross || !tests || tests->cached) continue;
    const bool twin = twin_run(state, subject);
    ++(twin ? costs.twin_runs : costs.cross_runs);
    if (twin) costs.twin_tests = std::max(costs.twin_tests, total);
  }
  return costs;
}

namespace {

bool within(const State& state, double share) {
  const auto& evaluation = state.spec.config.evaluation;
  if (evaluation.verify == model::Verify::strict) return true;
  const auto costs = check_costs(state);
  const auto limit = [&](std::int64_t checks) {
    return share * evaluation.budget * std::max(kLeastMs, static_cast<double>(checks));
  };
  return static_cast<double>(costs.cross.wall_ms) < limit(costs.results.wall_ms) &&
         static_cast<double>(costs.cross.cpu_ms) < limit(costs.results.cpu_ms);
}

}  // namespace

bool within_budget(const State& state) { return within(state, 1); }
bool cross_within_budget(const State& state) { return within(state, 0.5); }

std::vector<std::string> left_out_by_budget(const State& state) {
  std::vector<std::string> out;
  if (!state.ranking) return out;
  if (!within_budget(state))
    for (const auto& owner : unasked_twins(state)) out.push_back("changed tests on " + owner.agent);
  if (cross_within_budget(state)) return out;
  if (state.cross) {
    for (const auto& run : state.cross->runs)
      if (!state.subject(run.subject) && (run.neutral || (!run.result.none() && !run.result.of_baseline())))
        out.push_back("tests of " + run.author + " on " +
                      (run.neutral ? "a neutral copy of its result" : run.result.agent));
  } else if (cross_possible(state)) {
    out.emplace_back("cross tests");
  }
  return out;
}

}  // namespace hydra::race
