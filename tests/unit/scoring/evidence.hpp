// Evidence for scoring tests: an agent that did everything right, to be changed in one place.
#pragma once

#include "scoring/engine.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::scoring::fixture {

/// The specification's plain order: what every table of formulas and ranks was computed for.
inline model::ScoringConfig config() {
  model::ScoringConfig c;
  c.order = model::Order::composite;
  c.build_command = "make";
  c.test_command = "make test";
  c.lint_command = "make lint";
  return c;
}

inline model::CheckEvidence check(model::Dimension d, model::CheckStatus s = model::CheckStatus::passed) {
  model::CheckEvidence e;
  e.dimension = d;
  e.status = s;
  if (s == model::CheckStatus::passed) e.exit_code = 0;
  if (s == model::CheckStatus::failed) e.exit_code = 1;
  return e;
}

inline model::TestReport report(std::int64_t passed, std::int64_t failed, std::int64_t skipped = 0) {
  model::TestReport r;
  r.format = "pytest";
  r.complete = true;
  r.counts.passed = passed;
  r.counts.failed = failed;
  r.counts.skipped = skipped;
  r.counts.errors = 0;
  r.counts.total = passed + failed + skipped;
  return r;
}

inline model::TestReport named(const std::vector<std::pair<std::string, model::TestStatus>>& tests) {
  std::int64_t n[4] = {0, 0, 0, 0};
  for (const auto& t : tests) ++n[static_cast<int>(t.second)];
  auto r = report(n[0], n[1], n[2]);
  r.counts.errors = n[3];
  r.counts.total = static_cast<std::int64_t>(tests.size());
  for (const auto& [name, status] : tests) r.tests.push_back({name, status});
  return r;
}

inline model::LintReport lint(std::int64_t errors, std::int64_t warnings) {
  model::LintReport r;
  r.format = "eslint";
  r.errors = errors;
  r.warnings = warnings;
  return r;
}

inline model::CheckSet checks() {
  model::CheckSet c;
  c.build = check(model::Dimension::build);
  c.tests = check(model::Dimension::tests);
  c.tests->tests = report(10, 0);
  c.lint = check(model::Dimension::lint);
  c.lint->lint = lint(0, 0);
  return c;
}

inline model::BaselineEvidence baseline() { return {checks()}; }

inline model::AgentEvidence agent(std::string name = "codex", std::int64_t duration_ms = 1000) {
  model::AgentEvidence a;
  a.agent = std::move(name);
  a.outcome = model::Outcome::completed;
  a.duration_ms = duration_ms;
  a.capture.emplace();
  a.capture->changed = true;
  a.capture->diff = {10, 5, 2};
  a.checks = checks();
  return a;
}

inline void set_tests(model::AgentEvidence& a, model::TestReport r) {
  a.checks.tests =
      check(model::Dimension::tests, r.counts.failed.value_or(0) + r.counts.errors.value_or(0) > 0
                                         ? model::CheckStatus::failed
                                         : model::CheckStatus::passed);
  a.checks.tests->tests = std::move(r);
}

inline const model::DimensionScore& dim(const model::RankedAgent& r, model::Dimension d) {
  return r.score.dimensions[model::index(d)];
}

inline double term(const model::DimensionScore& d, std::string_view name) {
  for (const auto& t : d.terms)
    if (t.name == name) return t.value;
  return -1;
}

inline model::ScoringConfig by_evidence() {
  auto c = config();
  c.order = model::Order::evidence;
  return c;
}

inline const model::RankedAgent& row_of(const model::Ranking& r, std::string_view name) {
  return *std::find_if(r.agents.begin(), r.agents.end(), [&](const auto& a) { return a.agent == name; });
}

// Matrix of a single test of `author`: red on the base, green for `author`, and as given for others.
inline model::Matrix one_author(const std::string& author,
                                const std::vector<std::pair<std::string, model::Cell>>& others) {
  model::Matrix m;
  m.state = model::Measure::measured;
  m.authors.push_back({author, model::AuthorKind::result, {author}, "", {{"t", "tests/t", {}, {}}}});
  m.rows.push_back({"@baseline", author, {model::Cell::fail}, ""});
  m.rows.push_back({author, author, {model::Cell::pass}, ""});
  for (const auto& [result, cell] : others) m.rows.push_back({result, author, {cell}, ""});
  return m;
}

}  // namespace hydra::scoring::fixture
