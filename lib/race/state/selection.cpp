#include "race/state/selection.hpp"

#include "base/strings.hpp"
#include "race/state/cross.hpp"
#include "race/state/gating.hpp"
#include "race/state/unloaded.hpp"
#include "scoring/engine.hpp"
#include "scoring/selection.hpp"
#include "trees/hidden_tests.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace hydra::race {

using model::CheckStatus;
using model::TestStatus;

namespace {

const model::TestReport* readable_report(const model::CheckSet* checks) {
  if (!checks || !finished(checks->tests) || !checks->tests->tests) return nullptr;
  const auto& report = *checks->tests->tests;
  return report.complete && !report.tests.empty() ? &report : nullptr;
}

/// Statuses of each test name in the runs of one result.
struct OwnTests {
  model::TestList own, gating, base;
  std::set<std::string> unstable;
  std::set<std::string_view>
      known;  ///< parametrised tests with a case that fails on the base, without the case
  std::vector<std::string> changed;  ///< base test files that the result changed

  [[nodiscard]] bool fails_of_its_own(std::string_view name) const {
    if (unstable.contains(std::string(name))) return false;
    const auto before = base.find(name);
    if (!before) return !known.contains(test_of_case(name));
    if (before != TestStatus::passed) return false;  // fails on the base too
    // The result's version of the test fails and the base's passes, or the result changed its file.
    return gating.find(name) == TestStatus::passed || trees::is_hidden_test(std::string(name), changed);
  }
};

OwnTests gather(const State& state, const Subject& owner, const model::TestReport& own) {
  OwnTests out;
  out.own = own.tests;
  const auto* base = state.checks(Subject::baseline());
  const auto* gating = state.checks(owner);
  if (const auto* report = readable_report(base)) out.base = report->tests;
  if (const auto* report = readable_report(gating)) out.gating = report->tests;
  for (const auto& [name, status] : out.base)
    if (status != TestStatus::passed) out.known.insert(test_of_case(name));
  for (const auto* checks : {base, gating, state.checks(owner.as(Kind::own_tests))})
    if (checks)
      for (auto& name : unstable_tests(*checks)) out.unstable.insert(std::move(name));
  out.unstable.insert(state.approved.begin(), state.approved.end());
  if (const auto* agent = state.agent(owner.agent); agent && agent->integrity)
    for (const auto& path : agent->integrity->restored)
      if (path.how == model::Restored::base) out.changed.push_back(path.path);
  return out;
}

// Returns how the run with the result's own tests ended, if that alone shows a failure; else empty.
std::string failed_as_a_whole(const model::CheckSet* gating, const model::CheckSet& own) {
  const bool gating_builds = !gating || !gating->build || gating->build->status == CheckStatus::passed;
  if (own.build && own.build->status == CheckStatus::failed && gating_builds)
    return "(its own tests do not build)";
  if (!own.tests || !gating || !finished(gating->tests)) return {};
  if (own.tests->status == CheckStatus::timed_out) return "(the run with its own tests took too long)";
  if (own.tests->status == CheckStatus::crashed) return "(the run with its own tests crashed)";
  return {};
}

/// Returns the tests that pass in no run of these checks.
std::vector<std::string> failing_names(const model::CheckSet& checks) {
  const auto unstable = unstable_tests(checks);
  std::vector<std::string> out;
  for (const auto& [name, status] : checks.tests->tests->tests)
    if (fails(status) && !std::binary_search(unstable.begin(), unstable.end(), name)) out.emplace_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> find_failing_own(const State& state, const Subject& owner) {
  const auto* own = state.checks(owner.as(Kind::own_tests));
  const auto* gating = state.checks(owner);
  const auto* base = readable_report(state.checks(Subject::baseline()));
  if (own)
    if (auto whole = failed_as_a_whole(gating, *own); !whole.empty()) return {whole};
  // If no path was restored, the first run used the result's own tests.
  const auto* report = readable_report(own ? own : gating);
  if (!report) {
    const bool only_code = own && gating && finished(own->tests) && finished(gating->tests) &&
                           gating->tests->status == CheckStatus::passed &&
                           own->tests->status == CheckStatus::failed;
    return only_code ? std::vector<std::string>{"(the run with its own tests fails)"}
                     : std::vector<std::string>{};
  }
  // Without names from the base, every name would look new; but a run of its own files names no others.
  if (!base && own && gating && finished(gating->tests) && gating->tests->status == CheckStatus::passed &&
      own_files_suffice(state, owner.as(Kind::own_tests)))
    return failing_names(*own);
  if (!base || base->format != report->format) return {};
  const auto& hidden = state.spec.hidden_tests;
  const auto tests = gather(state, owner, *report);
  std::vector<std::string> out;
  for (const auto& [name, status] : tests.own)
    if (fails(status) && tests.fails_of_its_own(name) &&
        (own || !trees::is_hidden_test(std::string(name), hidden)))
      out.emplace_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::string> failing_own_tests(const State& state, const Subject& owner) {
  const auto [known, fresh] = state.derived.failing_own.try_emplace(owner);
  if (fresh) known->second = find_failing_own(state, owner);
  return known->second;
}

std::string own_tests_text(const State& state, const AgentState& agent) {
  if (!agent.changed() || state.spec.config.evaluation.verify == model::Verify::fast) return {};
  const auto failing = failing_own_tests(state, check_owner(state, agent));
  if (failing.empty()) return {};
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown(
      failing.begin(), failing.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, failing.size())));
  auto text = "its own tests fail: " + join(shown, ", ");
  if (failing.size() > kShown) text += " and " + std::to_string(failing.size() - kShown) + " more";
  return text;
}

void judge_effect(const State& state, const Subject& owner, model::AgentEvidence& row) {
  if (owner.of_baseline()) return;
  if (!own_tests_text(state, *state.agent(row.agent)).empty())
    row.doubts.push_back(model::Ineligible::own_tests_fail);
  const auto* integrity = integrity_of(state, *state.agent(row.agent));
  const bool about_tests = task_kind(state.spec) == model::TaskKind::tests;
  const bool trivial = row.capture && row.capture->trivial;
  if (integrity && !integrity->effective && !about_tests && !trivial &&
      !state.spec.config.scoring.allow_trivial)
    row.doubts.push_back(model::Ineligible::no_effective_change);
}

// Returns the names of hidden tests that passed in a run with every other test of the base. A runner's name
// for a file that fails to load or ends early is never among them.
std::set<std::string_view> hidden_names(const State& state) {
  const auto is_hidden = [&](std::string_view name) {
    return trees::is_hidden_test(std::string(name), state.spec.hidden_tests);
  };
  std::set<std::string_view> hidden;
  const auto* report_of_base = readable_report(state.checks(Subject::baseline()));
  const auto base = report_of_base ? report_of_base->tests : model::TestList();
  for (const auto& [subject, found] : state.subjects) {
    const auto* report = readable_report(&found.checks);
    if (!report) continue;
    const auto missing = base.without(report->tests);
    if (!std::all_of(missing.begin(), missing.end(), [&](auto test) { return is_hidden(test.name); }))
      continue;
    for (const auto& test : report->tests)
      if (test.status == TestStatus::passed && is_hidden(test.name)) hidden.insert(test.name);
  }
  return hidden;
}

void count_hidden(const State& state, model::AgentEvidence& row) {
  if (state.spec.hidden_tests.empty()) return;
  const auto* report = readable_report(&row.checks);
  for (const auto name : hidden_names(state)) {
    if (std::find(row.unstable.begin(), row.unstable.end(), name) != row.unstable.end()) continue;
    const bool passed = report && report->tests.find(name) == TestStatus::passed;
    ++(passed ? row.hidden_passed : row.hidden_failed);
  }
}

namespace {

// Returns a restored path of the result; new tests that were only set aside do not count.
std::string put_back(const State& state, const AgentState& agent) {
  const auto* integrity = integrity_of(state, agent);
  if (!integrity) return {};
  for (const auto& path : integrity->restored)
    if (!path.own_test) return path.path;
  return {};
}

}  // namespace

std::string selection_hold(const State& state, const model::Ranking& ranking) {
  if (ranking.winner.empty() || ranking.agents.empty()) return {};
  const auto& config = state.spec.config;
  const auto& winner = ranking.agents.front();
  const auto& agent = *state.agent(winner.agent);
  if (auto held = scoring::auto_merge_hold(ranking, config.merge.auto_merge_evidence); !held.empty())
    return held;
  if (config.evaluation.findings_count) {
    const auto findings = findings_of(state, agent);
    if (std::any_of(findings.begin(), findings.end(),
                    [](const auto& f) { return f.severity == model::Severity::warning; }))
      return "held: its tamper report has a warning (hydra explain " + winner.agent + ")";
  }
  if (const auto path = put_back(state, agent); !path.empty())
    return "held: a protected path of it was put back for its checks (" + sanitize(path) + ")";
  return {};
}

model::Ranking ranking_of(const State& state) {
  auto& known = state.derived.ranking;
  if (!known)
    known = scoring::evaluate(state.spec.config.scoring, baseline_evidence(state), agent_evidence(state),
                              matrix_of(state));
  return *known;
}

}  // namespace hydra::race
