// Evidence of checks as tests of the race room write it down.
#pragma once

#include "race/state/gating.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

using model::CheckStatus;
using model::Dimension;
using model::TestStatus;

inline const std::string kBase(model::kBaseline);

inline constexpr auto kPassed = TestStatus::passed, kFailed = TestStatus::failed, kError = TestStatus::error;

using Names = std::vector<std::pair<std::string, TestStatus>>;

inline model::CheckEvidence run(Dimension dimension, CheckStatus status) {
  model::CheckEvidence evidence;
  evidence.dimension = dimension;
  evidence.status = status;
  if (status == CheckStatus::passed) evidence.exit_code = 0;
  if (status == CheckStatus::failed) evidence.exit_code = 1;
  return evidence;
}

inline model::CheckEvidence tests(const Names& names) {
  model::TestReport report;
  report.format = "pytest";
  report.complete = true;
  report.counts = {0, 0, 0, 0, 0};
  for (const auto& [name, status] : names) {
    report.tests.push_back({name, status});
    ++*report.counts.total;
    ++*(status == TestStatus::passed    ? report.counts.passed
        : status == TestStatus::failed  ? report.counts.failed
        : status == TestStatus::skipped ? report.counts.skipped
                                        : report.counts.errors);
  }
  const bool good = *report.counts.failed + *report.counts.errors == 0;
  auto evidence = run(Dimension::tests, good ? CheckStatus::passed : CheckStatus::failed);
  evidence.tests = std::move(report);
  return evidence;
}

inline model::CheckSet named(const Names& names) {
  model::CheckSet set;
  set.tests = tests(names);
  return set;
}

}  // namespace hydra::race
