// Comparison of two test runs by name (H17, H18).
#include "scoring/evaluate.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace hydra::scoring {
namespace {

using model::TestStatus;

/// Returns the tests of the total that neither passed nor failed.
std::int64_t skipped_of(const model::TestReport& r, const TestNumbers& n) {
  const auto ran = n.passed + r.counts.failed.value_or(0) + r.counts.errors.value_or(0);
  return std::min(r.counts.skipped.value_or(0), std::max<std::int64_t>(n.total - ran, 0));
}

/// Skipped tests that belong to no total: of the base, and of the result.
struct Skipped {
  std::int64_t before = 0, now = 0;
};

/// Takes skipped tests out of the totals. A removed name counts as failed, so that deleting a failing test
/// cannot raise the pass rate.
void count_tests(const model::TestReport& baseline, const model::TestReport& agent, const Skipped& skipped,
                 std::int64_t removed, TestComparison& out) {
  out.base = *detail::numbers(baseline);
  out.mine = *detail::numbers(agent);
  out.base.total -= std::min(skipped.before, skipped_of(baseline, out.base));
  out.mine.total -= std::min(skipped.now, skipped_of(agent, out.mine));
  out.mine.total += removed;
}

void compare_counts(const model::TestReport& baseline, const model::TestReport& agent, TestComparison& out) {
  out.by = ComparedBy::counts;
  const auto both =
      std::min(skipped_of(baseline, *detail::numbers(baseline)), skipped_of(agent, *detail::numbers(agent)));
  count_tests(baseline, agent, {both, both}, 0, out);
  out.could_lose = out.base.passed;
  out.could_gain = out.base.total - out.base.passed;
  out.lost = std::max<std::int64_t>(out.base.passed - out.mine.passed, 0);
  // A new test that passes is no fixed one, and neither is a failing test that is gone.
  const auto fewer = out.could_gain - (out.mine.total - out.mine.passed);
  out.gained = std::max<std::int64_t>(std::min(out.mine.passed - out.base.passed, fewer), 0);
}

void compare_names(const model::TestReport& baseline, const model::TestReport& agent,
                   const std::vector<std::string>& unstable, TestComparison& out) {
  out.by = ComparedBy::names;
  const std::set<std::string_view> quarantine(unstable.begin(), unstable.end());
  Skipped uncounted;
  std::int64_t removed = 0;
  model::beside(baseline.tests, agent.tests, [&](const auto& name, auto before, auto now) {
    if (!before) {
      if (now == TestStatus::skipped) ++uncounted.now;
      out.added.emplace_back(name);
      return;
    }
    const bool passed_before = before == TestStatus::passed, skipped_before = before == TestStatus::skipped;
    const bool failed_before = !passed_before && !skipped_before;
    if (passed_before) ++out.could_lose;
    if (failed_before) ++out.could_gain;
    if (!now) {
      if (passed_before) ++out.regressions;
      ++(skipped_before ? uncounted.before : removed);
      out.removed.emplace_back(name);
      return;
    }
    const bool passes = now == TestStatus::passed, skipped = now == TestStatus::skipped;
    if (skipped && skipped_before) ++uncounted.before, ++uncounted.now;
    if (passes && passed_before) return;
    if (quarantine.contains(name)) {
      if (!passes) out.unstable.emplace_back(name);
      return;
    }
    if (passed_before) ++out.regressions, ++out.failing;
    if (passes) {
      out.fixed.emplace_back(name);
      if (failed_before) ++out.gained;
    } else if (skipped) {
      if (!skipped_before) out.newly_skipped.emplace_back(name);
    } else if (passed_before) {
      out.broken.emplace_back(name);
    } else if (failed_before) {
      out.unfixed.emplace_back(name);
    }
  });
  for (auto* names :
       {&out.added, &out.removed, &out.fixed, &out.broken, &out.newly_skipped, &out.unfixed, &out.unstable})
    std::sort(names->begin(), names->end());
  out.lost = out.regressions;
  if (detail::numbers(baseline) && detail::numbers(agent))
    count_tests(baseline, agent, uncounted, removed, out);
}

}  // namespace

namespace detail {

std::optional<TestNumbers> numbers(const model::TestReport& r) {
  const auto& c = r.counts;
  if (!c.passed) return std::nullopt;
  if (c.total) return TestNumbers{*c.passed, std::max(*c.total, *c.passed)};
  if (!c.failed && !c.errors) return std::nullopt;
  return TestNumbers{*c.passed,
                     *c.passed + c.failed.value_or(0) + c.skipped.value_or(0) + c.errors.value_or(0)};
}

bool ended(const std::optional<model::CheckEvidence>& check) {
  using model::CheckStatus;
  return check && (check->status == CheckStatus::passed || check->status == CheckStatus::failed) &&
         !check->signal;
}

bool succeeded(const model::CheckEvidence& check) {
  return check.status == model::CheckStatus::passed &&
         score_build({check.exit_code.value_or(0), check.signal}).passed;
}

bool recognised(const model::TestReport& r) { return r.format != kExitCodeOnly && !r.format.empty(); }

bool readable(const model::TestReport& r) {
  return recognised(r) && r.complete && r.suspicious.empty() && numbers(r);
}

const model::TestReport* baseline_report(const model::BaselineEvidence& baseline) {
  const auto& tests = baseline.checks.tests;
  if (!ended(tests) || !tests->tests) return nullptr;
  return readable(*tests->tests) ? &*tests->tests : nullptr;
}

}  // namespace detail

bool names_all(const model::TestReport& r) {
  return !r.tests.empty() &&
         (!r.counts.total || static_cast<std::int64_t>(r.tests.size()) >= *r.counts.total);
}

TestComparison compare_tests(const model::TestReport& baseline, const model::TestReport& agent,
                             const std::vector<std::string>& unstable) {
  TestComparison out;
  if (baseline.format != agent.format) return out;
  if (names_all(baseline) && names_all(agent))
    compare_names(baseline, agent, unstable, out);
  else if (detail::numbers(baseline) && detail::numbers(agent))
    compare_counts(baseline, agent, out);
  return out;
}

TestComparison compare_tests(const model::BaselineEvidence& baseline, const model::AgentEvidence& agent) {
  TestComparison out;
  const auto& mine = agent.checks.tests;
  if (!detail::ended(mine)) return out;
  const bool passes = detail::succeeded(*mine);
  const auto* report = mine->tests ? &*mine->tests : nullptr;
  if (report) {
    // A known runner that stopped before its summary proves nothing, even with exit code 0.
    if (!report->suspicious.empty() || (detail::recognised(*report) && !report->complete && passes))
      return out;
    if (const auto* base = detail::baseline_report(baseline); base && detail::readable(*report)) {
      auto unstable = baseline.unstable;
      unstable.insert(unstable.end(), agent.unstable.begin(), agent.unstable.end());
      out = compare_tests(*base, *report, unstable);
      if (out.by != ComparedBy::nothing) return out;
    }
  }
  out.by = ComparedBy::exit_code;
  const auto& before = baseline.checks.tests;
  const bool passed_before = detail::ended(before) && detail::succeeded(*before);
  (passed_before ? out.could_lose : out.could_gain) = 1;
  out.lost = passed_before && !passes ? 1 : 0;
  out.gained = !passed_before && passes ? 1 : 0;
  return out;
}

}  // namespace hydra::scoring
