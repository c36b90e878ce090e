// Dimensions of one agent from its evidence (H3, H4, H8, H11, H17).
#include "base/strings.hpp"
#include "scoring/evaluate.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace hydra::scoring {
namespace {

using model::CheckEvidence;
using model::CheckStatus;
using model::DimensionScore;
using model::DimensionStatus;
using model::ScoreReason;

DimensionScore scored(double points, ScoreReason reason = {}) {
  DimensionScore d;
  d.status = DimensionStatus::scored;
  d.points = points;
  d.reason = reason;
  return d;
}

DimensionScore without_points(DimensionStatus status, ScoreReason reason) {
  DimensionScore d;
  d.status = status;
  d.reason = reason;
  return d;
}

using detail::kExitCodeOnly;
using detail::succeeded;

double by_end(const CheckEvidence& e) { return succeeded(e) ? 100 : 0; }

/// Returns the score of a check without a usable result; nullopt: the result is usable.
std::optional<DimensionScore> unusable(const std::optional<CheckEvidence>& e) {
  if (!e) return without_points(DimensionStatus::failed, ScoreReason::not_run);
  switch (e->status) {
    case CheckStatus::skipped:
      return without_points(DimensionStatus::skipped, ScoreReason::skipped);
    case CheckStatus::timed_out:
      return without_points(DimensionStatus::failed, ScoreReason::timed_out);
    case CheckStatus::crashed:
      return without_points(DimensionStatus::failed, ScoreReason::crashed);
    case CheckStatus::not_started:
      return without_points(DimensionStatus::failed, ScoreReason::not_started);
    case CheckStatus::passed:
    case CheckStatus::failed:
      break;
  }
  if (e->signal) return without_points(DimensionStatus::failed, ScoreReason::crashed);
  return std::nullopt;
}

DimensionScore by_exit_code(const CheckEvidence& e) { return scored(by_end(e), ScoreReason::exit_code_only); }

DimensionScore score_build_check(const std::optional<CheckEvidence>& e) {
  if (auto u = unusable(e)) {
    u->status = DimensionStatus::failed;  // no earlier check exists that could short-circuit the build
    return *u;
  }
  return scored(by_end(*e), ScoreReason::exit_code);
}

void add_comparison(DimensionScore& d, const TestComparison& c) {
  const auto term = [&d](const char* name, std::size_t n) {
    d.terms.push_back({name, static_cast<double>(n)});
  };
  d.terms.push_back({"regressions", static_cast<double>(c.regressions)});
  term("added", c.added.size());
  term("removed", c.removed.size());
  term("fixed", c.fixed.size());
  term("broken", c.broken.size());
  term("newly_skipped", c.newly_skipped.size());
  term("unstable", c.unstable.size());
}

DimensionScore by_counts(const TestComparison& c) {
  const auto& [b, a] = std::tie(c.base, c.mine);
  const TestsScore s = score_tests(b.passed, b.total, a.passed, a.total,
                                   c.by_name() ? std::optional(c.regressions) : std::nullopt);
  const bool no_tests = a.total == 0 && b.total == 0;
  DimensionScore d = scored(s.score, no_tests      ? ScoreReason::no_tests
                                     : c.by_name() ? ScoreReason::by_name
                                                   : ScoreReason::by_count);
  d.terms = {{"baseline_passed", static_cast<double>(b.passed)},
             {"baseline_total", static_cast<double>(b.total)},
             {"agent_passed", static_cast<double>(a.passed)},
             {"agent_total", static_cast<double>(a.total)},
             {"pass_rate", s.pass_rate},
             {"bonus", s.bonus},
             {"regression_penalty", s.regression_penalty}};
  if (c.by_name()) add_comparison(d, c);
  return d;
}

DimensionScore score_test_check(const model::AgentEvidence& agent, const model::BaselineEvidence& baseline) {
  const auto& e = agent.checks.tests;
  if (auto u = unusable(e)) return *u;
  if (!e->tests) return by_exit_code(*e);
  const auto compared = compare_tests(baseline, agent);
  if (compared.by == ComparedBy::nothing)
    return without_points(DimensionStatus::failed, ScoreReason::unverified);
  return compared.by == ComparedBy::exit_code ? by_exit_code(*e) : by_counts(compared);
}

bool counted(const model::LintReport& r) {
  return !r.format.empty() && r.format != kExitCodeOnly && r.errors && r.warnings && r.suspicious.empty();
}

/// Whether every tool of `a` is also a tool of `b`.
bool names_all_of(std::string_view a, std::string_view b) {
  const auto theirs = split(b, '+');
  for (const auto x : split(a, '+'))
    if (std::find(theirs.begin(), theirs.end(), x) == theirs.end()) return false;
  return true;
}

/// Whether a run reports at least the base's tests, none in a worse state.
bool covers(const model::TestReport& base, const model::TestReport& mine) {
  const auto now = detail::numbers(mine), before = detail::numbers(base);
  if (!detail::readable(mine) || !names_all_of(base.format, mine.format)) return false;
  if (now->passed < before->passed || now->total < before->total) return false;
  std::map<std::string_view, bool> passes;
  for (const auto& test : mine.tests) {
    const bool passed = test.status == model::TestStatus::passed;
    const auto [it, fresh] = passes.emplace(test.name, passed);
    if (!fresh) it->second = it->second && passed;
  }
  return std::all_of(base.tests.begin(), base.tests.end(), [&passes](const auto& test) {
    const auto found = passes.find(test.name);
    return found != passes.end() && (found->second || test.status != model::TestStatus::passed);
  });
}

/// Whether two formats share a tool: "eslint+tsc" names two.
bool share_a_tool(std::string_view a, std::string_view b) {
  for (const auto x : split(a, '+'))
    for (const auto y : split(b, '+'))
      if (x == y) return true;
  return false;
}

/// Whether two lint reports can be compared. A clean linter is mostly silent and names no format, so zero
/// findings compare with any format.
bool comparable(const model::LintReport& a, const model::LintReport& b) {
  const auto clean = [](const model::LintReport& r) { return *r.errors + *r.warnings == 0; };
  return clean(a) || clean(b) || share_a_tool(a.format, b.format);
}

DimensionScore score_lint_check(const std::optional<CheckEvidence>& e,
                                const model::BaselineEvidence& baseline) {
  if (auto u = unusable(e)) return *u;
  if (e->lint && !e->lint->suspicious.empty())
    return without_points(DimensionStatus::failed, ScoreReason::unverified);
  const auto& b = baseline.checks.lint;
  const bool both = e->lint && counted(*e->lint) && b && !unusable(b) && b->lint && counted(*b->lint);
  if (!both || !comparable(*b->lint, *e->lint)) return by_exit_code(*e);
  const auto& base = *b->lint;
  const auto& mine = *e->lint;
  DimensionScore d =
      scored(score_lint(*base.errors, *base.warnings, *mine.errors, *mine.warnings), ScoreReason::by_count);
  const auto num = [](std::int64_t n) { return static_cast<double>(n); };
  d.terms = {{"baseline_errors", num(*base.errors)},
             {"baseline_warnings", num(*base.warnings)},
             {"agent_errors", num(*mine.errors)},
             {"agent_warnings", num(*mine.warnings)},
             {"new_errors", std::max(0.0, num(*mine.errors) - num(*base.errors))},
             {"new_warnings", std::max(0.0, num(*mine.warnings) - num(*base.warnings))},
             {"resolved_issues", std::max(0.0, num(*base.errors) + num(*base.warnings) - num(*mine.errors) -
                                                   num(*mine.warnings))}};
  return d;
}

/// Returns the diff that counts as size: without generated files and without tests (H26), unless only tests
/// changed. The order by composite, as specified, counts tests.
model::DiffStat weighed(const model::AgentEvidence& agent, model::Order order) {
  auto diff = agent.capture->weighed ? *agent.capture->weighed : agent.capture->diff;
  const auto& tests = agent.capture->tests;
  if (order == model::Order::composite || !tests || tests->files_changed >= diff.files_changed) return diff;
  diff.lines_added -= tests->lines_added;
  diff.lines_removed -= tests->lines_removed;
  diff.files_changed -= tests->files_changed;
  return diff;
}

DimensionScore score_diff(const model::AgentEvidence& agent, model::Order order) {
  const auto& capture = agent.capture;
  if (!capture) return without_points(DimensionStatus::failed, ScoreReason::capture_failed);
  const auto diff = weighed(agent, order);
  const DiffScore s = score_diff_size(diff.lines_added, diff.lines_removed, diff.files_changed);
  DimensionScore d = scored(s.score);
  d.terms = {{"lines_added", static_cast<double>(diff.lines_added)},
             {"lines_removed", static_cast<double>(diff.lines_removed)},
             {"files_changed", static_cast<double>(diff.files_changed)},
             {"churn_score", s.churn_score},
             {"file_score", s.file_score}};
  // Files that nobody writes by hand do not count but are shown.
  if (capture->weighed || diff.files_changed != capture->diff.files_changed) {
    const auto& all = capture->diff;
    const auto num = [](std::int64_t n) { return static_cast<double>(n); };
    d.terms.push_back({"lines_set_apart",
                       num(all.lines_added + all.lines_removed - diff.lines_added - diff.lines_removed)});
    d.terms.push_back({"files_set_apart", num(all.files_changed - diff.files_changed)});
  }
  return d;
}

}  // namespace

namespace detail {

bool tests_unseen(const model::BaselineEvidence& baseline, const model::AgentEvidence& agent,
                  const DimensionScore& tests) {
  if (tests.status != DimensionStatus::scored || tests.reason != ScoreReason::exit_code_only ||
      tests.points <= 0)
    return false;
  const auto* base = baseline_report(baseline);
  if (!base || numbers(*base)->total == 0) return false;
  // In "a && b" with a failing base `a`, only the candidate's run shows `b`.
  const auto& mine = agent.checks.tests->tests;
  return succeeded(*baseline.checks.tests) || !mine || !covers(*base, *mine);
}

std::vector<std::string> baseline_notes(const model::ScoringConfig& config,
                                        const model::BaselineEvidence& baseline) {
  std::vector<std::string> notes;
  const auto& checks = baseline.checks;
  const auto names = baseline.names_by.empty()
                         ? "a report with names ([scoring] test_reports) tells which test is fixed or broken"
                         : baseline.names_by;
  if (config.build_command && score_build_check(checks.build).points <= 0)
    notes.emplace_back("baseline does not build");
  if (config.test_command) {
    if (const auto* report = baseline_report(baseline)) {
      if (numbers(*report)->total == 0)
        notes.emplace_back("baseline has no tests");
      else if (report->tests.empty())
        notes.push_back("the test runner prints no names: results are compared by number of tests; " + names);
    } else {
      notes.push_back("baseline has no usable test report: tests are scored by exit code only; " + names);
    }
  }
  if (config.lint_command && (unusable(checks.lint) || !checks.lint->lint || !counted(*checks.lint->lint)))
    notes.emplace_back("baseline has no usable lint report: lint is scored by exit code only");
  return notes;
}

}  // namespace detail

model::ScoreBreakdown score_agent(const model::ScoringConfig& config, const model::BaselineEvidence& baseline,
                                  const model::AgentEvidence& agent) {
  model::ScoreBreakdown out;
  const auto at = [&out](model::Dimension d) -> DimensionScore& { return out.dimensions[model::index(d)]; };
  bool gate = true;
  if (config.build_command) {
    at(model::Dimension::build) = score_build_check(agent.checks.build);
    gate = at(model::Dimension::build).points > 0;
  }
  // H4: after a failed build other checks are meaningless, even with evidence.
  const auto skipped = without_points(DimensionStatus::skipped, ScoreReason::build_failed);
  if (config.test_command) at(model::Dimension::tests) = gate ? score_test_check(agent, baseline) : skipped;
  if (config.lint_command)
    at(model::Dimension::lint) = gate ? score_lint_check(agent.checks.lint, baseline) : skipped;
  at(model::Dimension::diff_size) = score_diff(agent, config.order);
  out.judges = agent.judges;
  return out;
}

}  // namespace hydra::scoring
