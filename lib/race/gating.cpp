#include "race/gating.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace hydra::race {

using model::CheckStatus;
using model::TestStatus;

namespace {

void count(model::TestCounts& counts, TestStatus status) {
  const auto add = [](std::optional<std::int64_t>& n) { n = n.value_or(0) + 1; };
  add(counts.total);
  switch (status) {
    case TestStatus::passed:
      return add(counts.passed);
    case TestStatus::failed:
      return add(counts.failed);
    case TestStatus::skipped:
      return add(counts.skipped);
    case TestStatus::error:
      return add(counts.errors);
  }
}

// Only a run that can be believed may bring new tests, and only where all of them have names.
bool brings_tests(const model::CheckEvidence& own, const model::TestReport& gating) {
  return own.tests && own.tests->complete && own.tests->suspicious.empty() &&
         own.tests->format == gating.format;
}

}  // namespace

bool finished(const std::optional<model::CheckEvidence>& check) {
  return check && (check->status == CheckStatus::passed || check->status == CheckStatus::failed);
}

std::map<std::string_view, TestStatus> test_statuses(const model::TestReport& report) {
  std::map<std::string_view, TestStatus> found;
  for (const auto& test : report.tests) {
    const auto [it, fresh] = found.emplace(test.name, test.status);
    if (!fresh && it->second == TestStatus::passed) it->second = test.status;
  }
  return found;
}

void add_own_tests(model::CheckSet& gating, const model::CheckSet& own) {
  const bool base_tests_do_not_build = gating.build && gating.build->status == CheckStatus::failed &&
                                       own.build && own.build->status == CheckStatus::passed;
  if (base_tests_do_not_build) {
    // It builds, so it is no failed build; but nothing of what the base tests has been shown.
    const auto message = "the base's tests do not build with it (" + gating.build->attempt + ")";
    gating.build = own.build;
    for (auto* check : {&gating.tests, &gating.lint})
      if (*check) (*check)->status = CheckStatus::not_started, (*check)->message = message;
    return;
  }
  if (!finished(gating.tests) || !finished(own.tests) || !gating.tests->tests) return;
  auto& report = *gating.tests->tests;
  if (report.tests.empty() || !brings_tests(*own.tests, report)) return;
  std::set<std::string_view> known;
  for (const auto& test : report.tests) known.insert(test.name);
  std::vector<model::TestCase> fresh;
  for (const auto& test : own.tests->tests->tests)
    if (!known.contains(test.name)) fresh.push_back(test);
  for (auto& test : fresh) {
    count(report.counts, test.status);
    report.tests.push_back(std::move(test));
  }
}

std::vector<std::string> unstable_tests(const model::CheckSet& checks) {
  std::vector<std::string> unstable;
  if (!finished(checks.tests) || !checks.tests->tests || checks.repeats.empty()) return unstable;
  struct Seen {
    bool passed = false, other = false;
  };
  std::map<std::string_view, Seen> seen;
  const auto look = [&seen](const model::TestReport& report) {
    for (const auto& test : report.tests)
      (test.status == TestStatus::passed ? seen[test.name].passed : seen[test.name].other) = true;
  };
  look(*checks.tests->tests);
  for (const auto& repeat : checks.repeats)
    if (repeat.tests && repeat.tests->format == checks.tests->tests->format) look(*repeat.tests);
  for (const auto& [name, how] : seen)
    if (how.passed && how.other) unstable.emplace_back(name);
  return unstable;
}

bool blocks(const model::Integrity& integrity) {
  return std::any_of(integrity.findings.begin(), integrity.findings.end(),
                     [](const auto& finding) { return finding.severity == "block"; });
}

const model::Integrity* integrity_of(const State& state, const AgentState& agent) {
  if (agent.integrity) return &*agent.integrity;
  const auto* owner = state.agent(check_owner(state, agent));
  return owner && owner->integrity ? &*owner->integrity : nullptr;
}

std::string merge_hold(const State& state, const std::string& name) {
  const auto& config = state.spec.config;
  if (state.spec.isolation != "bwrap") return "held: the race ran without a sandbox";
  if (config.workspace.checks == model::CheckPlace::in_place)
    return "held: its checks ran in the agent's own directory";
  const auto* agent = state.agent(name);
  const auto* integrity = agent ? integrity_of(state, *agent) : nullptr;
  if (integrity && blocks(*integrity) && config.evaluation.on_tamper != model::OnTamper::report)
    return "held: its tamper report names what honest work does not do (hydra explain " + name + ")";
  return {};
}

void judge_integrity(const State& state, const std::string& owner, model::AgentEvidence& row) {
  row.hold_merge = !merge_hold(state, row.agent).empty();
  const auto cold = owner + std::string(model::kCold);
  if (state.spec.config.evaluation.verify == model::Verify::strict && state.subjects.contains(cold) &&
      checks_done(state, cold) && !cold_difference(state, owner).empty())
    row.doubts.emplace_back("differs_from_nothing");
  const auto& agent = *state.agent(row.agent);
  if (owner == model::kBaseline) return;  // it changes nothing
  const auto* integrity = integrity_of(state, agent);
  if (!integrity ? needs_checks(state, agent) : !integrity->error.empty())
    row.doubts.emplace_back("not_inspected");
  if (integrity && blocks(*integrity) && state.spec.config.evaluation.on_tamper == model::OnTamper::block)
    row.doubts.emplace_back("tampered");
}

}  // namespace hydra::race
