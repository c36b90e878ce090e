#include "race/state/success.hpp"

#include "trees/hidden_tests.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

using model::CheckStatus;
using Check = std::optional<model::CheckEvidence>;

/// How far a check came.
enum class Reached { nothing, a_failure, its_end };

Reached reached(const Check& check) {
  if (!check || check->signal) return Reached::nothing;
  if (check->status == CheckStatus::passed) return Reached::its_end;
  return check->status == CheckStatus::failed ? Reached::a_failure : Reached::nothing;
}
bool passed(const Check& check) { return reached(check) == Reached::its_end; }

/// A check that never ran on the base must pass.
bool ends_no_worse(const Check& base, const Check& mine) {
  const bool ran = base && base->status != CheckStatus::not_started && base->status != CheckStatus::skipped;
  return passed(mine) || (ran && reached(mine) >= reached(base));
}

/// By names or counts no test of the base is lost, and the command fails only with a test; else by the exit
/// code, where a base with counted passes shows what a red run may have broken.
bool tests_no_worse(const Beside& beside) {
  using scoring::ComparedBy;
  const auto &before = beside.base.checks.tests, &now = beside.result.checks.tests;
  const auto& compared = beside.tests;
  if (compared.by == ComparedBy::nothing) return false;
  if (compared.by == ComparedBy::exit_code) {
    const bool counted = before && before->tests && before->tests->counts.passed.value_or(0) > 0;
    return passed(now) || (!counted && ends_no_worse(before, now));
  }
  const auto& counts = now->tests->counts;
  const bool some_fail = counts.failed.value_or(0) + counts.errors.value_or(0) > 0;
  return compared.lost == 0 && (some_fail || ends_no_worse(before, now));
}

bool lint_no_worse(const Check& base, const Check& mine) {
  const auto counted = [](const Check& check) {
    return reached(check) != Reached::nothing && check->lint && check->lint->errors && check->lint->warnings;
  };
  if (!counted(base) || !counted(mine)) return ends_no_worse(base, mine);
  return *mine->lint->errors <= *base->lint->errors && *mine->lint->warnings <= *base->lint->warnings;
}

/// A suite's verifier is an exit code (docs/suites.md, "Score"); other hidden tests may pass beside old
/// failing tests of the base.
bool hidden_tests_pass(const State& state, const model::AgentEvidence& result) {
  const auto& tests = result.checks.tests;
  if (passed(tests)) return true;
  if (state.spec.labels.contains("suite-task") || reached(tests) == Reached::nothing || !tests->tests ||
      result.hidden_failed > 0 || result.hidden_passed == 0)
    return false;
  return std::all_of(tests->tests->tests.begin(), tests->tests->tests.end(), [&](const auto& test) {
    return test.status == model::TestStatus::passed ||
           !trees::is_hidden_test(test.name, state.spec.hidden_tests);
  });
}

}  // namespace

bool is_success(const State& state, const Beside& beside) {
  const auto& scoring = state.spec.config.scoring;
  const auto &before = beside.base.checks, &now = beside.result.checks;
  return beside.eligible && (!scoring.build_command || ends_no_worse(before.build, now.build)) &&
         (!scoring.test_command || tests_no_worse(beside)) &&
         (!scoring.lint_command || lint_no_worse(before.lint, now.lint)) &&
         (state.spec.hidden_tests.empty() || hidden_tests_pass(state, beside.result));
}

bool is_solved(const State& state, const Beside& beside) {
  if (!beside.eligible) return false;
  if (!state.spec.hidden_tests.empty()) return hidden_tests_pass(state, beside.result);
  return beside.tests.gained > 0 && beside.tests.lost == 0;
}

}  // namespace hydra::race
