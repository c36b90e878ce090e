#include "race/state/gating.hpp"

#include "base/strings.hpp"
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
  add_tests(report, own.tests->tests->tests.without(report.tests));
}

void add_tests(model::TestReport& report, const model::TestList& tests) {
  for (const auto& test : tests)
    for (auto* n : {&report.counts.total, &of_status(report.counts, test.status)}) *n = n->value_or(0) + 1;
  report.tests.append(tests);
}

void drop_tests(model::CheckSet& checks, const std::set<std::string>& names) {
  if (names.empty() || !checks.tests || !checks.tests->tests) return;
  auto& report = *checks.tests->tests;
  model::TestList kept;
  for (const auto& test : report.tests)
    if (names.contains(std::string(test.name)))
      uncount_test(report.counts, test.status);
    else
      kept.push_back(test);
  report.tests = std::move(kept);
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

// Returns whether a test of the base that is not skipped there does not pass here.
bool base_test_fails(const model::CheckSet& base, const model::TestReport& here) {
  const auto unstable = unstable_tests(base);
  bool any = false;
  model::beside(base.tests->tests->tests, here.tests, [&](const auto& name, auto before, auto now) {
    if (before && before != TestStatus::skipped && now != TestStatus::passed)
      any = any || !std::binary_search(unstable.begin(), unstable.end(), std::string_view(name));
  });
  return any;
}

}  // namespace

void limit_new_tests(model::CheckSet& checks, const model::CheckSet& base) {
  if (!finished(checks.tests) || !finished(base.tests) || !checks.tests->tests || !base.tests->tests) return;
  auto& report = *checks.tests->tests;
  const auto& before = *base.tests->tests;
  if (report.format != before.format || report.tests.empty() || before.tests.empty()) return;
  const auto added = report.tests.without(before.tests);
  if (added.empty()) return;
  const bool fails = base_test_fails(base, report);
  std::vector<model::TestCase> fresh;
  std::map<std::string, std::size_t> cases;  // a test's index in `fresh`
  for (const auto& test : added) {
    const auto [found, first] = cases.emplace(test_of_case(test.name), fresh.size());
    if (first) {
      fresh.push_back({std::string(test.name), test.status});
      continue;
    }
    auto& shown = fresh[found->second];
    const bool worse = weight(test.status) > weight(shown.status);
    uncount_test(report.counts, worse ? shown.status : test.status);
    if (worse) shown.status = test.status;
    shown.name = found->first + "[*]";
  }
  std::size_t uncounted = 0;
  for (const auto& test : fresh)
    if (fails && test.status == TestStatus::passed) uncount_test(report.counts, test.status), ++uncounted;
  report.tests = report.tests.without(added);
  report.tests.append(fresh);
  auto& message = checks.tests->message;
  if (uncounted > 0 && message.empty())
    message = std::to_string(uncounted) + " new tests pass and are not counted while one of the base's fails";
}

std::vector<std::string> unstable_tests(const model::CheckSet& checks) {
  std::vector<std::string> unstable;
  if (!finished(checks.tests) || !checks.tests->tests || checks.repeats.empty()) return unstable;
  std::vector<const model::TestList*> runs{&checks.tests->tests->tests};
  for (const auto& repeat : checks.repeats)
    if (repeat.tests && repeat.tests->format == checks.tests->tests->format)
      runs.push_back(&repeat.tests->tests);
  for (std::size_t i = 1; i < runs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      model::beside(*runs[i], *runs[j], [&](const auto& name, auto one, auto other) {
        if (one && other && (one == TestStatus::passed) != (other == TestStatus::passed))
          unstable.emplace_back(name);
      });
  std::sort(unstable.begin(), unstable.end());
  unstable.erase(std::unique(unstable.begin(), unstable.end()), unstable.end());
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

namespace {

/// Adds the sources that the base's build, which fails, made files from, and that this build leaves out.
void add_unbuilt(const State& state, const Subject& owner, std::vector<model::TamperFinding>& findings) {
  const auto* base = state.checks(Subject::baseline());
  const auto* checks = state.checks(owner);
  if (owner.of_baseline() || !base || !base->build || base->build->status == CheckStatus::passed || !checks ||
      !checks->build || checks->build->status != CheckStatus::passed)
    return;
  const auto& built = checks->build->built;
  for (const auto& path : base->build->built)
    if (!std::binary_search(built.begin(), built.end(), path))
      findings.push_back({"unbuilt_source", model::Severity::warning, path, 0,
                          "the base's build comes to it before it fails, and this build leaves it out", ""});
}

}  // namespace

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
  add_unbuilt(state, owner, findings);
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
      if (flag.kind == model::FlagKind::holds_secret)
        return "held: a file of it holds the value of a key (" + sanitize(flag.path) + ")";
  if (const auto says = agent ? only_command_fails(state, check_owner(state, *agent)) : std::string();
      !says.empty())
    return "held: " + says + " (hydra explain " + name + ")";
  if (agent && is_undecided(state, check_owner(state, *agent)))
    return "held: tests of the base say nothing about it, it needs your decision (hydra explain " + name +
           ")";
  if (agent && config.evaluation.findings_count && blocks(findings_of(state, *agent)))
    return "held: its tamper report names what honest work does not do (hydra explain " + name + ")";
  return {};
}

void judge_integrity(const State& state, const Subject& owner, model::AgentEvidence& row) {
  row.undecided = is_undecided(state, owner);
  row.hold_merge = !merge_hold(state, row.agent).empty();
  const auto cold = owner.as(Kind::cold);
  if (state.spec.config.evaluation.verify == model::Verify::strict && state.subjects.contains(cold) &&
      checks_done(state, cold) && !cold_difference(state, owner).empty())
    row.doubts.push_back(model::Ineligible::differs_from_nothing);
  const auto& agent = *state.agent(row.agent);
  if (owner.of_baseline()) return;  // the baseline changes nothing
  const auto* integrity = integrity_of(state, agent);
  if (!integrity ? needs_checks(state, agent) : !integrity->error.empty())
    row.doubts.push_back(model::Ineligible::not_inspected);
  if (state.spec.config.evaluation.findings_count && blocks(findings_of(state, agent)))
    row.doubts.push_back(model::Ineligible::tampered);
  row.unproven = is_unproven(state, owner);
  judge_effect(state, owner, row);
}

}  // namespace hydra::race
