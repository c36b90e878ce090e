#include "checks/evidence.hpp"

#include "trees/identity.hpp"

#include <gtest/gtest.h>

namespace hydra::checks {
namespace {

std::string key_of(const model::RaceSpec& spec) {
  return baseline_key(spec, trees::describe_inputs(spec).text());
}

using model::CheckStatus;
using model::Dimension;

exec::JobResult ended(exec::End end, int code = 0) {
  exec::JobResult result;
  result.key = "r/a/tests/1";
  result.end = end;
  result.code = code;
  result.isolation = exec::Isolation::bwrap;
  return result;
}

TEST(Evidence, EveryEndOfAJobHasItsStatus) {
  const auto status = [](exec::End end, int code = 0) {
    return make_evidence(Dimension::build, "make", ended(end, code), "", false).status;
  };
  EXPECT_EQ(status(exec::End::exited), CheckStatus::passed);
  EXPECT_EQ(status(exec::End::exited, 2), CheckStatus::failed);
  EXPECT_EQ(status(exec::End::signaled), CheckStatus::crashed);
  EXPECT_EQ(status(exec::End::oom), CheckStatus::crashed);
  EXPECT_EQ(status(exec::End::timed_out), CheckStatus::timed_out);
  EXPECT_EQ(status(exec::End::idle), CheckStatus::timed_out);
  EXPECT_EQ(status(exec::End::cancelled), CheckStatus::not_started);
  EXPECT_EQ(status(exec::End::start_failed), CheckStatus::not_started);
  EXPECT_EQ(status(exec::End::lost), CheckStatus::not_started);
}

// An event of megabytes for each lint run of a large project: the first findings and the true counts do.
TEST(Evidence, KeepsTheFirstFindingsAndCountsAll) {
  std::string output;
  for (int i = 1; i <= 2000; ++i) output += "a.c:" + std::to_string(i) + ":1: warning: unused [-Wunused]\n";
  const auto e = make_evidence(Dimension::lint, "make", ended(exec::End::exited, 0), output, false);
  ASSERT_TRUE(e.lint.has_value());
  EXPECT_EQ(e.lint->warnings, 2000);
  ASSERT_EQ(e.lint->findings.size(), kMaxEvidenceFindings);
  EXPECT_EQ(e.lint->findings.back().line, 500);
  EXPECT_LE(e.lint->evidence.size(), kMaxEvidenceFindings);
}

TEST(Evidence, TestsAreReadAndACutLogIsNeverComplete) {
  const std::string output = "==== 2 passed, 1 failed in 0.12s ====\n";
  const auto whole = make_evidence(Dimension::tests, "pytest", ended(exec::End::exited, 1), output, false);
  ASSERT_TRUE(whole.tests.has_value());
  EXPECT_EQ(whole.tests->counts.passed, 2);
  EXPECT_EQ(whole.tests->counts.failed, 1);
  EXPECT_FALSE(
      make_evidence(Dimension::tests, "pytest", ended(exec::End::exited, 1), output, true).tests->complete);
}

TEST(Evidence, CutLintOutputHasNoCounts) {
  const std::string output = "a.c:1:2: warning: w\n";
  EXPECT_EQ(make_evidence(Dimension::lint, "gcc", ended(exec::End::exited), output, false).lint->warnings, 1);
  EXPECT_EQ(make_evidence(Dimension::lint, "gcc", ended(exec::End::exited), output, true).lint->warnings,
            std::nullopt);
}

TEST(Evidence, TimeoutsAndCrashesAreNeverCached) {
  model::CheckSet checks;
  checks.build = make_evidence(Dimension::build, "make", ended(exec::End::exited, 1), "", false);
  EXPECT_TRUE(cacheable(checks));
  for (const auto end : {exec::End::timed_out, exec::End::signaled, exec::End::lost}) {
    checks.tests = make_evidence(Dimension::tests, "t", ended(end), "", false);
    EXPECT_FALSE(cacheable(checks));
  }
}

TEST(BaselineKey, ChangesWithEverythingThatTheEvidenceDependsOn) {
  model::RaceSpec spec;
  spec.repository.root = "/nowhere";
  spec.repository.base_tree = "t1";
  spec.environment = {{"PATH", "/usr/bin"}};
  const auto key = key_of(spec);
  EXPECT_EQ(key_of(spec), key);
  const auto differs = [&](auto&& change) {
    auto other = spec;
    change(other);
    return key_of(other) != key;
  };
  EXPECT_TRUE(differs([](auto& s) { s.repository.base_tree = "t2"; }));
  EXPECT_TRUE(differs([](auto& s) { s.config.scoring.test_command = "make test"; }));
  EXPECT_TRUE(differs([](auto& s) { s.config.workspace.setup = "make deps"; }));
  EXPECT_TRUE(differs([](auto& s) { s.isolation = model::Isolation::bwrap; }));
  EXPECT_TRUE(differs([](auto& s) { s.config.sandbox.check_network = true; }));
  EXPECT_TRUE(differs([](auto& s) { s.environment[0].second = "/opt/bin"; }));
  EXPECT_TRUE(differs([](auto& s) { s.config.scoring.timeout_per_check_seconds = 5; }));
  // The key changes when a word is another command's.
  auto build = spec;
  build.config.scoring.build_command = "x";
  auto tests = spec;
  tests.config.scoring.test_command = "x";
  EXPECT_NE(key_of(build), key_of(tests));
}

TEST(Evidence, NamesAreRelativeToTheRepository) {
  const std::string tap =
      "TAP version 13\n1..3\nok 1 - /home/u/app/test/a.js\nok 2 - /home/u/app/test/b.js\nok 3 - "
      "/home/u/app2/c.js\n";
  const auto found =
      make_evidence(Dimension::tests, "tap", ended(exec::End::exited, 0), tap, false, {}, "/home/u/app");
  ASSERT_TRUE(found.tests.has_value());
  ASSERT_EQ(found.tests->tests.size(), 3u);
  EXPECT_EQ(found.tests->tests[0].name, "test/a.js");
  EXPECT_EQ(found.tests->tests[1].name, "test/b.js");
  EXPECT_EQ(found.tests->tests[2].name, "/home/u/app2/c.js");
}

TEST(Evidence, ARunInAForeignBuildDirectoryCountsForNothing) {
  const std::string log =
      "CMake Error: The current CMakeCache.txt directory /b/CMakeCache.txt is different than the directory "
      "/a where "
      "CMakeCache.txt was created.\nninja: no work to do.\n100% tests passed, 0 tests failed out of 3\n";
  const auto found = make_evidence(Dimension::tests, "ctest", ended(exec::End::exited, 0), log, false);
  EXPECT_EQ(found.status, CheckStatus::failed);
  EXPECT_FALSE(found.tests.has_value());
  EXPECT_NE(found.message.find("another path"), std::string::npos);
}

}  // namespace
}  // namespace hydra::checks
