// Comparison of two test runs by name (H17, H18).
#include "scoring/engine.hpp"

#include <map>
#include <set>
#include <string_view>

namespace hydra::scoring {
namespace {

using model::TestStatus;

int badness(TestStatus s) {
  switch (s) {
    case TestStatus::passed:
      return 0;
    case TestStatus::skipped:
      return 1;
    case TestStatus::failed:
      return 2;
    case TestStatus::error:
      return 3;
  }
  return 3;
}

std::map<std::string_view, TestStatus> by_name(const model::TestReport& report) {
  std::map<std::string_view, TestStatus> out;
  for (const auto& t : report.tests) {
    const auto [it, fresh] = out.emplace(t.name, t.status);
    if (!fresh && badness(t.status) > badness(it->second)) it->second = t.status;
  }
  return out;
}

/// Whether the report names all its tests; unnamed tests would count as regressions.
bool names_all(const model::TestReport& r) {
  return !r.tests.empty() &&
         (!r.counts.total || static_cast<std::int64_t>(r.tests.size()) >= *r.counts.total);
}

}  // namespace

TestComparison compare_tests(const model::TestReport& baseline, const model::TestReport& agent,
                             const std::vector<std::string>& unstable) {
  TestComparison out;
  if (baseline.format != agent.format || !names_all(baseline) || !names_all(agent)) return out;
  out.by_name = true;
  const std::set<std::string_view> quarantine(unstable.begin(), unstable.end());
  const auto before = by_name(baseline);
  const auto now = by_name(agent);
  for (const auto& [name, old_status] : before) {
    const auto it = now.find(name);
    const bool passed_before = old_status == TestStatus::passed;
    if (it == now.end()) {
      if (passed_before) ++out.regressions;
      out.removed.emplace_back(name);
      continue;
    }
    const bool passes = it->second == TestStatus::passed;
    if (quarantine.contains(name)) {
      if (!passes) out.unstable.emplace_back(name);
      continue;
    }
    if (passed_before && !passes) {
      ++out.regressions;
      ++out.failing;
    }
    if (passes) {
      if (!passed_before) out.fixed.emplace_back(name);
    } else if (it->second == TestStatus::skipped) {
      if (old_status != TestStatus::skipped) out.newly_skipped.emplace_back(name);
    } else if (passed_before) {
      out.broken.emplace_back(name);
    }
  }
  for (const auto& [name, status] : now)
    if (before.find(name) == before.end()) out.added.emplace_back(name);
  return out;
}

TestComparison compare_tests(const model::BaselineEvidence& baseline, const model::AgentEvidence& agent) {
  const auto& base = baseline.checks.tests;
  const auto& mine = agent.checks.tests;
  if (!base || !base->tests || !mine || !mine->tests) return {};
  auto unstable = baseline.unstable;
  unstable.insert(unstable.end(), agent.unstable.begin(), agent.unstable.end());
  return compare_tests(*base->tests, *mine->tests, unstable);
}

}  // namespace hydra::scoring
