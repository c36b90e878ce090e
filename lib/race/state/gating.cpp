#include "race/state/gating.hpp"

#include "base/strings.hpp"
#include "model/capture_words.hpp"
#include "race/state/decisions.hpp"
#include "race/state/selection.hpp"
#include "race/state/twins.hpp"
#include "race/state/unloaded.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace hydra::race {

using model::CheckStatus;
using model::TestStatus;

namespace {

// Returns the number of counted tests without a name, if all of these were skipped (nextest does not name
// those). Nullopt: no list, or one that omits other tests too, so that an old test could look new.
std::optional<std::int64_t> skipped_without_name(const model::TestReport& report) {
  if (report.tests.empty() || !report.counts.total) return std::nullopt;
  const auto named = static_cast<std::int64_t>(report.tests.size());
  if (named >= *report.counts.total) return 0;
  const auto ran = std::count_if(report.tests.begin(), report.tests.end(),
                                 [](const auto& test) { return test.status != TestStatus::skipped; });
  const auto& c = report.counts;
  if (!c.passed || !c.failed || !c.errors || ran != *c.passed + *c.failed + *c.errors) return std::nullopt;
  return *c.total - named;
}

// Only a credible run may add new tests, and only if none can be an old one: if fewer tests are skipped
// without a name than in the gating run, a seemingly new test may be one of them.
bool brings_tests(const model::CheckEvidence& own, const model::TestReport& gating) {
  if (!own.tests || !own.tests->complete || !own.tests->suspicious.empty() ||
      own.tests->format != gating.format)
    return false;
  const auto now = skipped_without_name(*own.tests), before = skipped_without_name(gating);
  return now && before && *now >= *before;
}

std::optional<std::int64_t>& of_status(model::TestCounts& counts, TestStatus status) {
  switch (status) {
    case TestStatus::passed:
      return counts.passed;
    case TestStatus::failed:
      return counts.failed;
    case TestStatus::skipped:
      return counts.skipped;
    default:
      return counts.errors;
  }
}

}  // namespace

bool finished(const std::optional<model::CheckEvidence>& check) {
  return check && (check->status == CheckStatus::passed || check->status == CheckStatus::failed);
}

bool fails(TestStatus status) { return status == TestStatus::failed || status == TestStatus::error; }

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
    // The result builds, so the build did not fail; but none of the base's tests has run.
    const auto message = "the base's tests do not build with it (" + gating.build->attempt + ")";
    gating.build = own.build;
    for (auto* check : {&gating.tests, &gating.lint})
      if (*check) (*check)->status = CheckStatus::not_started, (*check)->message = message;
    return;
  }
  if (!finished(gating.tests) || !finished(own.tests) || !gating.tests->tests) return;
  auto& report = *gating.tests->tests;
  if (!brings_tests(*own.tests, report)) return;
  std::set<std::string_view> known;
  for (const auto& test : report.tests) known.insert(test.name);
  std::vector<model::TestCase> fresh;
  for (const auto& test : own.tests->tests->tests)
    if (!known.contains(test.name)) fresh.push_back(test);
  add_tests(report, std::move(fresh));
}

void add_tests(model::TestReport& report, std::vector<model::TestCase> tests) {
  for (auto& test : tests) {
    for (auto* n : {&report.counts.total, &of_status(report.counts, test.status)}) *n = n->value_or(0) + 1;
    report.tests.push_back(std::move(test));
  }
}

void drop_tests(model::CheckSet& checks, const std::set<std::string>& names) {
  if (names.empty() || !checks.tests || !checks.tests->tests) return;
  auto& report = *checks.tests->tests;
  std::erase_if(report.tests, [&](const auto& test) {
    if (!names.contains(test.name)) return false;
    uncount_test(report.counts, test.status);
    return true;
  });
}

void uncount_test(model::TestCounts& counts, TestStatus status) {
  for (auto* n : {&counts.total, &of_status(counts, status)})
    if (*n && **n > 0) --**n;
}

std::string_view test_of_case(std::string_view name) {
  const auto bracket = name.find('[');
  return name.ends_with(']') && bracket != 0 && bracket != std::string_view::npos ? name.substr(0, bracket)
                                                                                  : name;
}

namespace {

// The worst case decides for all cases. A case that ran outweighs a skipped one, so `skipped` is lowest here,
// not above `passed` as in the comparison of two runs.
int weight(TestStatus status) {
  switch (status) {
    case TestStatus::error:
      return 3;
    case TestStatus::failed:
      return 2;
    case TestStatus::passed:
      return 1;
    case TestStatus::skipped:
      return 0;
  }
  return 0;
}

using Statuses = std::map<std::string_view, TestStatus>;

Statuses statuses_of(const model::TestReport& report) {
  Statuses out;
  for (const auto& test : report.tests) out.insert_or_assign(test.name, test.status);
  return out;
}

// Returns whether a test of the base that is not skipped there does not pass here.
bool base_test_fails(const model::CheckSet& base, const Statuses& now) {
  const auto unstable = unstable_tests(base);
  for (const auto& test : base.tests->tests->tests) {
    if (test.status == TestStatus::skipped) continue;
    const auto found = now.find(test.name);
    if (found != now.end() && found->second == TestStatus::passed) continue;
    if (std::find(unstable.begin(), unstable.end(), test.name) == unstable.end()) return true;
  }
  return false;
}

}  // namespace

void limit_new_tests(model::CheckSet& checks, const model::CheckSet& base) {
  if (!finished(checks.tests) || !finished(base.tests) || !checks.tests->tests || !base.tests->tests) return;
  auto& report = *checks.tests->tests;
  const auto& before = *base.tests->tests;
  if (report.format != before.format || report.tests.empty() || before.tests.empty()) return;
  const auto known = statuses_of(before);
  const bool fails = base_test_fails(base, statuses_of(report));
  std::vector<model::TestCase> kept, fresh;
  std::map<std::string, std::size_t> cases;  // a test's index in `fresh`
  for (auto& test : report.tests) {
    if (known.contains(test.name)) {
      kept.push_back(std::move(test));
      continue;
    }
    const auto [found, first] = cases.emplace(test_of_case(test.name), fresh.size());
    if (first) {
      fresh.push_back(std::move(test));
      continue;
    }
    auto& shown = fresh[found->second];
    const bool worse = weight(test.status) > weight(shown.status);
    uncount_test(report.counts, worse ? shown.status : test.status);
    if (worse) shown.status = test.status;
    shown.name = found->first + "[*]";
  }
  std::size_t uncounted = 0;
  for (auto& test : fresh) {
    if (fails && test.status == TestStatus::passed) uncount_test(report.counts, test.status), ++uncounted;
    kept.push_back(std::move(test));
  }
  report.tests = std::move(kept);
  auto& message = checks.tests->message;
  if (uncounted > 0 && message.empty())
    message = std::to_string(uncounted) + " new tests pass and are not counted while one of the base's fails";
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

namespace {

// Visits the protected paths that each run of these checks changed.
template <class Each>
void each_rewritten(const model::CheckSet& checks, Each each) {
  const auto look = [&](const std::optional<model::CheckEvidence>& check) {
    if (check)
      for (const auto& path : check->rewrote) each(check->dimension, path);
  };
  look(checks.build);
  look(checks.tests);
  look(checks.lint);
  for (const auto& repeat : checks.repeats) look(repeat);
}

bool in_one_of(const std::set<std::string>& directories, const std::string& path) {
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (directories.contains(path.substr(0, slash))) return true;
  return false;
}

}  // namespace

bool blocks(const std::vector<model::TamperFinding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const auto& finding) { return finding.severity == model::Severity::block; });
}

std::vector<model::TamperFinding> findings_of(const State& state, const AgentState& agent) {
  const auto owner = check_owner(state, agent);
  std::vector<model::TamperFinding> findings;
  // Paths that the base's own checks rewrite are normal for the project.
  std::set<std::string> seen;
  if (const auto* base = state.checks(Subject::baseline()))
    each_rewritten(*base, [&](model::Dimension, const std::string& path) { seen.insert(path); });
  const auto directories = seen;  // a dependency directory represents all its content
  for (const auto& subject : {owner, owner.as(Kind::cold)}) {
    const auto* checks = state.checks(subject);
    if (!checks) continue;
    each_rewritten(*checks, [&](model::Dimension dimension, const std::string& path) {
      if (in_one_of(directories, path) || !seen.insert(path).second) return;
      const bool lint = dimension == model::Dimension::lint;
      findings.push_back({"rewritten_path", lint ? model::Severity::warning : model::Severity::block, path, 0,
                          std::string(dimension == model::Dimension::build ? "the build"
                                      : lint                               ? "the lint command"
                                                                           : "the test run") +
                              " wrote to it, and the base's does not",
                          ""});
    });
  }
  if (const auto* known = integrity_of(state, agent))
    findings.insert(findings.end(), known->findings.begin(), known->findings.end());
  for (auto& finding : twin_findings(state, owner)) findings.push_back(std::move(finding));
  for (auto& finding : findings) accept_finding(state, finding);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
  return findings;
}

const model::Integrity* integrity_of(const State& state, const AgentState& agent) {
  if (agent.integrity) return &*agent.integrity;
  const auto* owner = state.agent(check_owner(state, agent).agent);
  return owner && owner->integrity ? &*owner->integrity : nullptr;
}

namespace {

/// Returns how a command fails beside tests that all pass, also with the result's own tests; empty: the
/// command passes, or a test fails.
std::string only_command_fails(const State& state, const Subject& owner) {
  const auto* run = state.checks(owner);
  if (!run || !run->tests || !run->tests->tests || !run->tests->tests->exit_disagrees) return {};
  const auto checks = effective_checks(state, owner);
  return checks.tests->status == CheckStatus::failed ? checks.tests->message : std::string();
}

}  // namespace

std::string merge_hold(const State& state, const std::string& name) {
  const auto& config = state.spec.config;
  if (!model::sandboxed(state.spec)) return "held: the race ran without a sandbox";
  if (config.workspace.checks == model::CheckPlace::in_place)
    return "held: its checks ran in the agent's own directory";
  const auto* agent = state.agent(name);
  if (agent && agent->capture)
    for (const auto& flag : agent->capture->flags)
      if (const auto path = model::path_of(flag, model::kHoldsSecret))
        return "held: a file of it holds the value of a key (" + sanitize(*path) + ")";
  if (const auto says = agent ? only_command_fails(state, check_owner(state, *agent)) : std::string();
      !says.empty())
    return "held: " + says + " (hydra explain " + name + ")";
  if (agent && is_undecided(state, check_owner(state, *agent)))
    return "held: tests of the base say nothing about it, it needs your decision (hydra explain " + name +
           ")";
  if (agent && config.evaluation.on_tamper != model::OnTamper::report && blocks(findings_of(state, *agent)))
    return "held: its tamper report names what honest work does not do (hydra explain " + name + ")";
  return {};
}

void judge_integrity(const State& state, const Subject& owner, model::AgentEvidence& row) {
  row.undecided = is_undecided(state, owner);
  row.hold_merge = !merge_hold(state, row.agent).empty();
  const auto cold = owner.as(Kind::cold);
  if (state.spec.config.evaluation.verify == model::Verify::strict && state.subjects.contains(cold) &&
      checks_done(state, cold) && !cold_difference(state, owner).empty())
    row.doubts.emplace_back("differs_from_nothing");
  const auto& agent = *state.agent(row.agent);
  if (owner.of_baseline()) return;  // the baseline changes nothing
  const auto* integrity = integrity_of(state, agent);
  if (!integrity ? needs_checks(state, agent) : !integrity->error.empty())
    row.doubts.emplace_back("not_inspected");
  if (state.spec.config.evaluation.on_tamper == model::OnTamper::block && blocks(findings_of(state, agent)))
    row.doubts.emplace_back("tampered");
  judge_effect(state, owner, row);
}

}  // namespace hydra::race
