#include "race/state/base_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hydra::race {
namespace {

using model::BaseProblem;
using model::CheckStatus;
using model::Dimension;
using model::TestStatus;

// A run without counts passes by its exit code.
bool some_test_passed(const std::optional<model::CheckEvidence>& tests) {
  if (!tests || (tests->status != CheckStatus::passed && tests->status != CheckStatus::failed &&
                 tests->status != CheckStatus::crashed))
    return false;
  const bool passed = tests->status == CheckStatus::passed;
  if (!tests->tests) return passed;
  const auto& report = *tests->tests;
  if (report.counts.passed.value_or(0) > 0 ||
      std::any_of(report.tests.begin(), report.tests.end(),
                  [](const auto& test) { return test.status == TestStatus::passed; }))
    return true;
  return passed && !report.counts.passed && report.counts.total != 0 &&
         report.outcome != model::TestOutcome::no_tests;
}

// The table of signatures (docs/toolchains.md) knows that a requirement of the environment is missing.
const model::CheckEvidence* lacks_environment(const SubjectState& base) {
  for (const auto dimension : {Dimension::build, Dimension::tests, Dimension::lint}) {
    const auto& check = evidence(base.checks, dimension);
    if (check && check->status != CheckStatus::passed && check->advice && check->advice->environment)
      return &*check;
  }
  return nullptr;
}

BaseProblem problem_of_tests(const State& state, const model::CheckEvidence& tests) {
  if (tests.status == CheckStatus::timed_out) return BaseProblem::timed_out;
  if (some_test_passed(tests)) return BaseProblem::none;
  if (tests.exit_code == model::kCommandNotFound || tests.exit_code == model::kNotExecutable)
    return BaseProblem::not_found;
  if (tests.status == CheckStatus::passed) return BaseProblem::no_tests;
  // Hidden tests may all be about the task.
  return state.spec.hidden_tests.empty() ? BaseProblem::none_passes : BaseProblem::none;
}

std::string how_it_ended(const model::CheckEvidence& check) {
  if (check.exit_code) return fmt::format("exit code {}", *check.exit_code);
  if (check.signal) return fmt::format("signal {}", *check.signal);
  return check.message.empty() ? std::string(model::name(check.status)) : check.message;
}

// The advice is three times the measured time, as the machine may be busy, in whole minutes.
std::string time_out_text(const State& state, const model::CheckEvidence& tests) {
  const auto limit = state.spec.config.scoring.timeout_per_check_seconds;
  auto text = fmt::format("the base's tests did not end within {:g} s (`{}`)", limit, tests.command);
  if (!tests.measured)
    return text + "; `hydra check` measures them, [scoring] timeout_per_check_seconds sets the limit";
  const auto took = static_cast<double>(tests.wall_ms) / 1000;
  if (!tests.exit_code) return text + fmt::format(", nor within {:g} s", limit * kMeasureFactor);
  return text + fmt::format(
                    "; without this limit they take {:.1f} s: set timeout_per_check_seconds = {} below "
                    "[scoring] in hydra.toml",
                    took, static_cast<std::int64_t>(std::ceil(took * 3 / 60)) * 60);
}

}  // namespace

BaseProblem base_problem(const State& state) {
  const auto* base = state.subject(Subject::baseline());
  if (!base) return BaseProblem::none;
  if (!base->error.empty() || lacks_environment(*base)) return BaseProblem::cannot_run;
  if (!state.spec.config.scoring.test_command) return BaseProblem::none;
  const auto& checks = base->checks;
  if (checks.build && checks.build->status != CheckStatus::passed) return BaseProblem::build_fails;
  return checks.tests ? problem_of_tests(state, *checks.tests) : BaseProblem::none;
}

std::string base_problem_text(const State& state) {
  const auto problem = base_problem(state);
  if (problem == BaseProblem::none) return {};
  const auto& base = *state.subject(Subject::baseline());
  const auto with = [](std::string text, const std::optional<model::Advice>& advice) {
    return advice ? std::move(text) + ": " + advice->text : text;
  };
  if (problem == BaseProblem::cannot_run) {
    const std::string begin = "the checks can't work here: ";
    if (!base.error.empty()) return begin + with(base.error, base.advice);
    const auto& check = *lacks_environment(base);
    return begin + with(fmt::format("the base's {} ({}) failed", model::name(check.dimension), check.command),
                        check.advice);
  }
  if (problem == BaseProblem::build_fails)
    return with(fmt::format("the base's build fails here: `{}` ({})", base.checks.build->command,
                            how_it_ended(*base.checks.build)),
                base.checks.build->advice);
  const auto& tests = *base.checks.tests;
  switch (problem) {
    case BaseProblem::timed_out:
      return time_out_text(state, tests);
    case BaseProblem::not_found:
      return with(fmt::format("the base's test command can't be run here: `{}` ({})", tests.command,
                              how_it_ended(tests)),
                  tests.advice);
    case BaseProblem::no_tests:
      return with(
          fmt::format("no test ran in the base: `{}` ended with {}", tests.command, how_it_ended(tests)),
          tests.advice);
    default:
      return with(
          fmt::format("no test of the base passes here: `{}` ({})", tests.command, how_it_ended(tests)),
          tests.advice);
  }
}

bool ends_race(const State& state, BaseProblem problem) {
  if (problem == BaseProblem::none) return false;
  return !state.spec.base_fails || !state.subject(Subject::baseline())->error.empty();
}

bool to_measure(const State& state, const Subject& subject, Dimension dimension, const CheckRun& run) {
  if (subject.kind != Kind::baseline || dimension != Dimension::tests || state.cancelled) return false;
  const bool first = run.why == CheckRun::Why::first || run.why == CheckRun::Why::alone;
  if (!first || run.life != life_of(state, subject)) return false;
  const bool agents_wait = state.spec.preflight && !state.spec.base_fails && !agents_began(state);
  return state.spec.check_only || agents_wait;
}

void mark_measured(const model::Config& config, model::CheckEvidence& evidence) {
  if (static_cast<double>(evidence.wall_ms) <= config.scoring.timeout_per_check_seconds * 1000) return;
  evidence.status = CheckStatus::timed_out;
  evidence.measured = true;
}

bool nothing_judged(const State& state, const std::vector<model::AgentEvidence>& rows) {
  if (!state.spec.config.scoring.test_command || !checks_done(state, Subject::baseline())) return false;
  if (some_test_passed(effective_checks(state, Subject::baseline()).tests)) return false;
  return std::none_of(rows.begin(), rows.end(), [](const auto& row) {
    return row.capture && row.capture->changed && some_test_passed(row.checks.tests);
  });
}

}  // namespace hydra::race
