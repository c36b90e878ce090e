// The inputs of the score from the fold: evidence of the agents and of the baseline. Pure.
#include "adapters/adapters.hpp"
#include "checks/cross_recipes.hpp"
#include "race/state/base_problem.hpp"
#include "race/state/cross.hpp"
#include "race/state/gating.hpp"
#include "race/state/judging.hpp"
#include "race/state/selection.hpp"
#include "race/state/state.hpp"
#include "race/state/unloaded.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;

bool began_warm(const State& state, const Subject& subject) {
  const auto* found = state.subject(subject);
  return found && found->facts.warm;
}

namespace {

model::CheckSet filled_checks(const State& state, const Subject& subject) {
  model::CheckSet checks;
  std::string error;
  std::string attempt;
  if (const auto* found = state.subject(subject)) {
    checks = found->checks;
    error = found->error;
    attempt = found->error_attempt;
  }
  const bool build_failed = checks.build && checks.build->status != CheckStatus::passed;
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    const auto& command = check_command(state.spec.config, dimension);
    auto& slot = evidence(checks, dimension);
    if (!command || slot) continue;
    model::CheckEvidence filled;
    filled.dimension = dimension;
    filled.command = *command;
    filled.attempt = attempt;
    filled.status = build_failed ? CheckStatus::skipped : CheckStatus::not_started;
    filled.message = build_failed ? "the build failed" : error.empty() ? "not run" : error;
    slot = std::move(filled);
  }
  return checks;
}

using Counts = std::array<std::optional<std::int64_t>, 3>;

Counts counts(const model::CheckEvidence& e) {
  return e.tests ? Counts{e.tests->counts.passed, e.tests->counts.failed, e.tests->counts.errors} : Counts{};
}

// Compares by name if both runs have names; a flaky test's difference does not depend on the build.
std::string test_difference(const model::CheckEvidence& warm, const model::CheckEvidence& cold,
                            const std::set<std::string>& unstable, bool& excused) {
  const std::string other = "other test results in a build from nothing";
  const bool named = warm.tests && cold.tests && !warm.tests->tests.empty() && !cold.tests->tests.empty();
  if (!named) return counts(warm) == counts(cold) ? std::string() : other;
  std::string first;
  model::beside(warm.tests->tests, cold.tests->tests, [&](const auto& name, auto before, auto now) {
    if (before == now) return;
    if (before && now && unstable.contains(std::string(name)))
      excused = true;
    else if (const std::string_view here = name; first.empty() || here < first)
      first = here;
  });
  return first.empty() ? first : other + ": " + first;
}

}  // namespace

// Compares the gating runs only: the agent's own tests have a separate workspace and run once.
std::string cold_difference(const State& state, const Subject& subject) {
  const auto warm = filled_checks(state, subject);
  const auto cold = filled_checks(state, subject.as(Kind::cold));
  std::set<std::string> unstable;
  for (const auto& checks : {warm, cold, filled_checks(state, Subject::baseline())})
    for (auto& name : unstable_tests(checks)) unstable.insert(std::move(name));
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    const auto& a = evidence(warm, dimension);
    const auto& b = evidence(cold, dimension);
    if (!a || !b) continue;
    bool excused = false;
    if (auto text = test_difference(*a, *b, unstable, excused); !text.empty() && finished(a) && finished(b))
      return text;
    if (a->status != b->status && !(excused && finished(a) && finished(b)))
      return std::string(model::name(dimension)) + " " + std::string(model::name(b->status)) +
             " in a build from nothing, " + std::string(model::name(a->status)) + " in the incremental one";
    if (a->lint && b->lint && (a->lint->errors != b->lint->errors || a->lint->warnings != b->lint->warnings))
      return "other lint findings in a build from nothing";
  }
  return {};
}

std::vector<model::EventBody> cached_checks(const Subject& subject, model::CheckSet checks) {
  std::vector<model::EventBody> events;
  for (auto& repeat : checks.repeats) {
    repeat.cached = true;
    events.emplace_back(model::CheckRepeated{subject, std::move(repeat)});
  }
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    auto& found = evidence(checks, dimension);
    if (!found) continue;
    found->cached = true;
    events.emplace_back(model::CheckEnded{subject, std::move(*found)});
  }
  events.emplace_back(model::SubjectReady{subject, std::string(kNoWorkspace), {}});
  return events;
}

const model::CheckSet& effective_checks(const State& state, const Subject& subject) {
  const auto [known, fresh] = state.derived.checks.try_emplace(subject);
  if (!fresh) return known->second;
  auto& checks = known->second;
  checks = filled_checks(state, subject);
  const auto baseline = Subject::baseline();
  if (subject != baseline) {
    const auto base = filled_checks(state, baseline);
    const auto* own = state.checks(subject.as(Kind::own_tests));
    judge_by_names(checks, own);
    const auto unreached = take_unreached(base, state.spec.hidden_tests, checks);
    add_base_files(state, subject, checks);
    if (own) {
      auto with_own = filled_checks(state, subject.as(Kind::own_tests));
      judge_by_names(with_own);
      drop_tests(with_own, unreached);
      add_own_tests(checks, with_own);
    }
    take_own_tests(state, subject, checks);
    limit_new_tests(checks, base);
  } else {
    judge_by_names(checks);
  }
  drop_tests(checks, {state.approved.begin(), state.approved.end()});
  return checks;
}

namespace {

// A new suppression counts as the finding that it hides: first as what the base has and this report lacks,
// its errors before its warnings, then as a warning. A suppression of a whole file hides all that is missing.
void count_suppressed(const model::Integrity* integrity, const std::optional<model::CheckEvidence>& base,
                      std::optional<model::CheckEvidence>& mine) {
  if (!integrity || integrity->suppressions == 0 || !base || !base->lint || !mine || !mine->lint) return;
  const auto& before = *base->lint;
  auto& now = *mine->lint;
  if (!before.errors || !before.warnings || !now.errors || !now.warnings) return;
  const auto errors = std::max<std::int64_t>(*before.errors - *now.errors, 0);
  const auto warnings = std::max<std::int64_t>(*before.warnings - *now.warnings, 0);
  const bool whole_file =
      std::any_of(integrity->findings.begin(), integrity->findings.end(), [](const auto& finding) {
        return finding.rule == "lint_suppression" && finding.severity == model::Severity::warning;
      });
  const auto hidden =
      whole_file ? std::max(integrity->suppressions, errors + warnings) : integrity->suppressions;
  now.errors = *now.errors + std::min(hidden, errors);
  now.warnings = *now.warnings + hidden - std::min(hidden, errors);
}

}  // namespace

model::Verdict final_verdict(const AgentState& agent) {
  if (!agent.ended) return {};
  auto verdict = agent.ended->verdict;
  if (!agent.capture) return verdict;
  const bool denied = verdict.denied;
  return adapters::finish_verdict(std::move(verdict), denied, agent.capture->changed);
}

model::Outcome outcome_of_stop(model::StopReason reason, bool began) {
  using model::StopReason;
  if (reason == StopReason::auth) return began ? model::Outcome::failed : model::Outcome::launch_error;
  if (reason == StopReason::idle) return model::Outcome::timed_out;
  if (reason == StopReason::green) return model::Outcome::stopped;
  return model::Outcome::over_budget;
}

model::Outcome final_outcome(const AgentState& agent) {
  if (!agent.workspace_error.empty()) return model::Outcome::launch_error;
  if (agent.cancelled)  // a running agent may still end differently
    return agent.begun() && !agent.ended ? model::Outcome::unknown : model::Outcome::cancelled;
  if (agent.never_runs())
    return agent.stop ? outcome_of_stop(agent.stop->reason, false) : model::Outcome::over_budget;
  if (!agent.ended) return model::Outcome::unknown;
  return final_verdict(agent).outcome;
}

const std::vector<model::AgentEvidence>& agent_evidence(const State& state) {
  auto& known = state.derived.rows;
  if (known) return *known;
  std::vector<model::AgentEvidence> rows;
  const auto& base_lint = effective_checks(state, Subject::baseline()).lint;
  for (const auto& agent : state.agents) {
    if (agent.origin == Origin::tester) continue;
    model::AgentEvidence row;
    row.agent = agent.entry.name;
    row.display = agent.display;
    row.branch = agent.branch;
    row.capture = agent.capture;
    row.capture_error = agent.capture_error;
    row.outcome = final_outcome(agent);
    if (agent.ended || left_work(agent)) row.duration_ms = work_ms(agent);
    const auto owner = check_owner(state, agent);
    row.checks = effective_checks(state, owner);
    count_suppressed(integrity_of(state, agent), base_lint, row.checks.lint);
    row.unstable = unstable_tests(row.checks);
    row.code = owner.agent;
    row.product = product_of(state, owner);
    count_hidden(state, row);
    judge_integrity(state, owner, row);
    if (owner.agent != agent.entry.name)
      for (auto* slot : {&row.checks.build, &row.checks.tests, &row.checks.lint})
        if (*slot) (*slot)->cached = true;
    rows.push_back(std::move(row));
  }
  if (nothing_judged(state, rows))
    for (auto& row : rows) row.doubts.push_back(model::Ineligible::not_judged);
  add_judges(state, rows);
  return known.emplace(std::move(rows));
}

model::BaselineEvidence baseline_evidence(const State& state) {
  auto checks = effective_checks(state, Subject::baseline());
  auto unstable = unstable_tests(checks);
  return {std::move(checks), std::move(unstable),
          checks::naming_advice(state.spec.config.scoring.test_command.value_or(""))};
}

}  // namespace hydra::race
