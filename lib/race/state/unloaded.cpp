#include "race/state/unloaded.hpp"

#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "scoring/engine.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace hydra::race {
namespace {

using model::CheckStatus;
using model::TestReport;
using model::TestStatus;

const TestReport* report_at(const model::CheckSet* checks) {
  return checks && finished(checks->tests) && checks->tests->tests ? &*checks->tests->tests : nullptr;
}

/// Returns the report of the base's test files run one by one; null: not run, or a format that is not
/// comparable.
const TestReport* files_report(const State& state, const Subject& subject, const TestReport& base) {
  const auto* report = report_at(state.checks(subject.as(Kind::per_file)));
  // A file that can't be loaded makes the command fail without a failing test.
  const std::size_t of_the_file = report && report->exit_disagrees ? 1 : 0;
  return report && report->format == base.format && report->suspicious.size() == of_the_file ? report
                                                                                             : nullptr;
}

std::int64_t total_of(const TestReport* report) { return report ? report->counts.total.value_or(0) : 0; }

/// Returns the base's tests that ran there and that no run names; without names, the difference in number.
Unloaded missed(const std::vector<std::string>& approved, const TestReport& base,
                std::initializer_list<const TestReport*> runs) {
  Unloaded out;
  if (!scoring::names_all(base)) {
    std::int64_t most = 0;
    for (const auto* run : runs) most = std::max(most, total_of(run));
    out.tests = std::max<std::int64_t>(0, total_of(&base) - most);
    return out;
  }
  auto left = base.tests;
  for (const auto* run : runs)
    if (run) left = left.without(run->tests);
  for (const auto& test : left)
    if (test.status != TestStatus::skipped &&
        std::find(approved.begin(), approved.end(), test.name) == approved.end())
      out.names.emplace_back(test.name);
  std::sort(out.names.begin(), out.names.end());
  out.tests = static_cast<std::int64_t>(out.names.size());
  return out;
}

bool builds_only_with_own(const model::CheckSet* gating, const model::CheckSet* own) {
  return gating && own && gating->build && gating->build->status == CheckStatus::failed && own->build &&
         own->build->status == CheckStatus::passed;
}

/// Returns whether a path is a snapshot that a runner writes and tests compare with, by common names.
bool is_snapshot(std::string_view path) {
  constexpr std::array<std::string_view, 3> kEndings{".snap", ".ambr", ".snapshot"};
  return path.find("__snapshots__/") != std::string_view::npos ||
         path.find("__image_snapshots__/") != std::string_view::npos ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](auto ending) { return path.ends_with(ending); });
}

/// Returns the tests that fail with the base's snapshots or other data of tests and pass with the result's,
/// if only such files were restored. A person must decide whether the task wants that.
std::set<std::string> told_by_snapshots(const State& state, const Subject& owner) {
  std::set<std::string> names;
  const auto* agent = state.agent(owner.agent);
  const auto* gating = report_at(state.checks(owner));
  const auto* own = report_at(state.checks(owner.as(Kind::own_tests)));
  if (!agent || !agent->integrity || !gating || !own || agent->integrity->more_restored > 0) return names;
  const auto& restored = agent->integrity->restored;
  if (restored.empty() || !std::all_of(restored.begin(), restored.end(),
                                       [](const auto& row) { return row.is_data || is_snapshot(row.path); }))
    return names;
  for (const auto& [name, status] : gating->tests)
    if (status == TestStatus::failed && own->tests.find(name) == TestStatus::passed) names.emplace(name);
  return names;
}

/// `approved`: tests that do not count as missed.
std::optional<Unloaded> find_unloaded(const State& state, const Subject& owner,
                                      const std::vector<std::string>& approved) {
  const auto* base = report_at(state.checks(Subject::baseline()));
  const auto* own_checks = state.checks(owner.as(Kind::own_tests));
  const auto* gating = state.checks(owner);
  const auto* own = report_at(own_checks);
  if (!base || !own || own->counts.passed.value_or(0) == 0) return std::nullopt;
  const bool no_build = builds_only_with_own(gating, own_checks);
  auto out = missed(
      approved, *base,
      {no_build ? nullptr : report_at(gating), no_build ? nullptr : files_report(state, owner, *base)});
  if (scoring::names_all(*base)) {
    const auto changed = told_by_snapshots(state, owner);
    for (const auto& name : changed)
      if (base->tests.contains(name) && std::find(approved.begin(), approved.end(), name) == approved.end()) {
        out.names.push_back(name);
        ++out.tests;
        ++out.snapshots;
      }
    std::sort(out.names.begin(), out.names.end());
  }
  if (out.tests == 0) return std::nullopt;
  out.own_passed = *own->counts.passed;
  out.own_total = own->counts.total.value_or(out.own_passed);
  return out;
}

}  // namespace

bool misses_base_tests(const State& state, const Subject& subject) {
  const auto* base = report_at(state.checks(Subject::baseline()));
  return base && missed(state.approved, *base, {report_at(state.checks(subject))}).tests > 0;
}

bool lacks_base_tests(const State& state, const Subject& subject) {
  const auto* base = report_at(state.checks(Subject::baseline()));
  return base && missed(state.approved, *base,
                        {report_at(state.checks(subject)), files_report(state, subject, *base)})
                         .tests > 0;
}

bool own_files_suffice(const State& state, const Subject& own) {
  if (own.kind != Kind::own_tests) return false;
  const auto* agent = state.agent(own.agent);
  const auto* report = report_at(state.checks(own.owner()));
  return agent && agent->integrity && !agent->integrity->own_command.empty() && report &&
         !report->exit_disagrees && (report->tests.empty() || scoring::names_all(*report)) &&
         !lacks_base_tests(state, own.owner());
}

void add_base_files(const State& state, const Subject& subject, model::CheckSet& gating) {
  const auto* base = report_at(state.checks(Subject::baseline()));
  const auto* files = base ? files_report(state, subject, *base) : nullptr;
  if (!files || !gating.tests) return;
  if (!report_at(&gating) || !scoring::names_all(*base)) {
    if (!report_at(&gating)) gating.tests->status = CheckStatus::failed;
    if (total_of(files) > total_of(report_at(&gating))) gating.tests->tests = *files;
    return;
  }
  auto& report = *gating.tests->tests;
  model::TestList found;
  for (const auto& test : files->tests.without(report.tests))
    if (base->tests.contains(test.name)) found.push_back(test);
  add_tests(report, found);
}

void take_own_tests(const State& state, const Subject& subject, model::CheckSet& checks) {
  if (!checks.tests || !find_unloaded(state, subject, {})) return;
  const auto* gating = state.checks(subject);
  const auto* own = state.checks(subject.as(Kind::own_tests));
  const auto* base = report_at(state.checks(Subject::baseline()));
  const bool no_build = builds_only_with_own(gating, own);
  if (no_build || !report_at(&checks)) {
    checks.tests = own->tests;
    if (no_build) return;
  }
  if (!scoring::names_all(*base)) return;
  // A runner reports an unloadable file as a test; such names are dropped. An outcome of the base's test
  // precedes the result's own test of the same name.
  const auto changed = told_by_snapshots(state, subject);
  auto report = *report_at(own);
  model::TestList taken;
  for (const auto* ran : {files_report(state, subject, *base), report_at(gating)}) {
    if (!ran || ran->format != report.format) continue;
    model::TestList wanted;
    for (const auto& test : ran->tests)
      if (base->tests.contains(test.name) && !changed.contains(std::string(test.name)))
        wanted.push_back(test);
    taken = taken.without(wanted);
    taken.append(wanted);
  }
  for (const auto& test : report.tests)
    if (taken.contains(test.name)) uncount_test(report.counts, test.status);
  report.tests = report.tests.without(taken);
  add_tests(report, taken);
  checks.tests->tests = std::move(report);
}

std::optional<Unloaded> unloaded_tests(const State& state, const Subject& owner) {
  return find_unloaded(state, owner, state.approved);
}

bool is_undecided(const State& state, const Subject& owner) {
  return unloaded_tests(state, owner).has_value();
}

}  // namespace hydra::race
