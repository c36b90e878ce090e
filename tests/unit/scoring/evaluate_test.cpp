// evaluate(): what each piece of evidence does to points, eligibility, order and thresholds (H3-H19).
#include "evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hydra::scoring {
namespace {

using namespace fixture;
using model::CheckStatus;
using model::Dimension;
using model::DimensionStatus;
using model::Outcome;
using model::TestStatus;
using testing::ElementsAre;

model::RankedAgent one(const model::AgentEvidence& a, const model::ScoringConfig& c = config(),
                       const model::BaselineEvidence& b = baseline()) {
  return evaluate(c, b, {a}).agents.at(0);
}

const model::RankedAgent& find(const model::Ranking& r, std::string_view name) {
  return *std::find_if(r.agents.begin(), r.agents.end(), [&](const auto& a) { return a.agent == name; });
}

TEST(Evaluate, CleanAgentHasFullMarks) {
  const auto r = evaluate(config(), baseline(), {agent()});
  EXPECT_DOUBLE_EQ(r.agents[0].score.composite, 100);
  EXPECT_TRUE(r.agents[0].eligible);
  EXPECT_EQ(r.agents[0].rank, 1);
  EXPECT_FALSE(r.agents[0].tied);
  EXPECT_EQ(r.winner, "codex");
  EXPECT_FALSE(r.all_failed);
  EXPECT_TRUE(r.auto_merge);
  EXPECT_THAT(r.notes, ElementsAre(::testing::HasSubstr("prints no names")));
}

TEST(Evaluate, BuildThatGivesNoResultIsZeroWithItsWeight) {
  for (const auto s : {CheckStatus::timed_out, CheckStatus::crashed, CheckStatus::not_started}) {
    auto a = agent();
    a.checks.build = check(Dimension::build, s);
    const auto r = one(a);
    EXPECT_EQ(dim(r, Dimension::build).status, DimensionStatus::failed);
    EXPECT_EQ(model::name(dim(r, Dimension::build).reason), model::name(s));
    EXPECT_EQ(dim(r, Dimension::tests).status, DimensionStatus::skipped);
    EXPECT_DOUBLE_EQ(r.score.composite, 25);  // diff 15, speed 10
    EXPECT_THAT(r.ineligible_reasons, ElementsAre(model::Ineligible::build_failed));
  }
}

TEST(Evaluate, ShortCircuit) {
  auto a = agent();
  a.checks.build = check(Dimension::build, CheckStatus::failed);
  a.checks.tests = check(Dimension::tests, CheckStatus::skipped);
  a.checks.lint = check(Dimension::lint, CheckStatus::skipped);
  auto r = one(a);
  EXPECT_EQ(dim(r, Dimension::build).status, DimensionStatus::scored);
  EXPECT_EQ(dim(r, Dimension::tests).status, DimensionStatus::skipped);
  EXPECT_EQ(dim(r, Dimension::lint).status, DimensionStatus::skipped);
  EXPECT_DOUBLE_EQ(r.score.composite, 25);
  EXPECT_FALSE(r.eligible);
  // H4: what is not configured stays excluded even then. Weights 30 + 15 + 10 and 15 of lint.
  auto c = config();
  c.test_command.reset();
  r = one(a, c);
  EXPECT_EQ(dim(r, Dimension::tests).status, DimensionStatus::not_configured);
  EXPECT_DOUBLE_EQ(r.score.composite, 2500.0 / 70.0);
}

TEST(Evaluate, MissingCommandsAreExcluded) {
  auto c = config();
  c.build_command.reset();
  c.test_command.reset();
  c.lint_command.reset();
  auto a = agent();
  a.checks = {};
  a.capture->diff = {250, 250, 15};  // 60 * 0.6 + 70 * 0.4 = 64
  const auto r = one(a, c, {});
  EXPECT_DOUBLE_EQ(r.score.composite, (64.0 * 15 + 100.0 * 10) / 25);
  EXPECT_TRUE(r.eligible);
}

TEST(Evaluate, TestsByCountAndTerms) {
  auto a = agent();
  set_tests(a, report(8, 2));
  const auto r = one(a);
  const auto& d = dim(r, Dimension::tests);
  EXPECT_EQ(d.reason, model::ScoreReason::by_count);
  EXPECT_DOUBLE_EQ(d.points, 70);
  EXPECT_DOUBLE_EQ(term(d, "pass_rate"), 0.8);
  EXPECT_DOUBLE_EQ(term(d, "bonus"), 0);
  EXPECT_DOUBLE_EQ(term(d, "regression_penalty"), 10);
  EXPECT_TRUE(r.eligible);
}

TEST(Evaluate, TestsByName) {
  auto b = baseline();
  b.checks.tests->tests = named({{"a", TestStatus::passed},
                                 {"b", TestStatus::passed},
                                 {"c", TestStatus::passed},
                                 {"d", TestStatus::passed},
                                 {"e", TestStatus::failed}});
  auto a = agent();
  set_tests(a, named({{"a", TestStatus::passed},
                      {"b", TestStatus::failed},
                      {"c", TestStatus::skipped},
                      {"e", TestStatus::passed},
                      {"new1", TestStatus::passed},
                      {"new2", TestStatus::passed}}));
  const auto d = dim(one(a, config(), b), Dimension::tests);
  EXPECT_EQ(d.reason, model::ScoreReason::by_name);
  // b fails, c is skipped, d is missing: 3 of 4. By counts there would be no loss at all.
  EXPECT_DOUBLE_EQ(term(d, "regressions"), 3);
  EXPECT_DOUBLE_EQ(term(d, "regression_penalty"), 37.5);
  // The test that is gone has failed too: 4 of 7, against 5 in the baseline.
  EXPECT_DOUBLE_EQ(d.points, 4.0 / 7 * 100 + 2.0 / 7 * 10 - 37.5);
  EXPECT_DOUBLE_EQ(term(d, "added"), 2);
  EXPECT_DOUBLE_EQ(term(d, "removed"), 1);
  EXPECT_DOUBLE_EQ(term(d, "fixed"), 1);
  EXPECT_DOUBLE_EQ(term(d, "broken"), 1);
  EXPECT_DOUBLE_EQ(term(d, "newly_skipped"), 1);
}

TEST(Compare, NamesAndWorstStatusOfDuplicates) {
  const auto base =
      named({{"dup", TestStatus::passed}, {"dup", TestStatus::passed}, {"x", TestStatus::skipped}});
  const auto mine =
      named({{"dup", TestStatus::passed}, {"dup", TestStatus::error}, {"x", TestStatus::failed}});
  const auto c = compare_tests(base, mine);
  EXPECT_TRUE(c.by_name());
  EXPECT_THAT(c.broken, ElementsAre("dup"));
  EXPECT_EQ(c.regressions, 1);
  EXPECT_TRUE(c.added.empty() && c.removed.empty() && c.fixed.empty() && c.newly_skipped.empty());
}

TEST(Compare, NotByNameWithoutFullListsOfOneFormat) {
  const auto full = named({{"a", TestStatus::passed}, {"b", TestStatus::passed}});
  auto other = full, part = full;
  other.format = "jest";
  part.tests = {{"a", TestStatus::passed}};  // two tests ran, one is named
  for (const auto& less : {report(2, 0), other, part}) EXPECT_FALSE(compare_tests(full, less).by_name());
  EXPECT_FALSE(compare_tests(report(2, 0), full).by_name());
  EXPECT_TRUE(compare_tests(full, full).by_name());
}

TEST(Evaluate, ExitCodeFallback) {
  auto a = agent();
  a.checks.tests->tests->format = "exit_code_only";
  a.checks.tests->tests->counts = {};
  auto d = dim(one(a), Dimension::tests);
  EXPECT_EQ(d.reason, model::ScoreReason::exit_code_only);
  EXPECT_DOUBLE_EQ(d.points, 100);
  a.checks.tests->status = CheckStatus::failed;
  a.checks.tests->exit_code = 1;
  EXPECT_DOUBLE_EQ(dim(one(a), Dimension::tests).points, 0);
  // Another parser than the baseline's: 1-of-1 never enters the count formula.
  auto b = agent();
  b.checks.tests->tests->format = "jest";
  d = dim(one(b), Dimension::tests);
  EXPECT_EQ(d.reason, model::ScoreReason::exit_code_only);
  EXPECT_DOUBLE_EQ(d.points, 100);
  // No report at all.
  auto c = agent();
  c.checks.tests->tests.reset();
  EXPECT_EQ(dim(one(c), Dimension::tests).reason, model::ScoreReason::exit_code_only);
}

// H19: what passed by its exit code alone, beside a baseline whose tests were counted, has verified nothing:
// `func init() { os.Exit(0) }` leaves "ok" lines of packages, an exit on import leaves nothing at all.
TEST(Evaluate, TestsThatNobodySawPassAreUnverified) {
  auto silent = agent();
  silent.checks.tests->tests = model::TestReport{};
  silent.checks.tests->tests->format = "exit_code_only";
  auto none = agent();
  none.checks.tests->tests.reset();
  auto other = agent();
  other.checks.tests->tests->format = "jest";
  auto countless = agent();
  countless.checks.tests->tests->counts = {};
  for (const auto& a : {silent, none, other, countless}) {
    const auto row = one(a);
    EXPECT_FALSE(row.eligible);
    EXPECT_THAT(row.ineligible_reasons, ElementsAre(model::Ineligible::unverified));
    EXPECT_DOUBLE_EQ(dim(row, Dimension::tests).points, 100) << "H11: the points stay";
  }
  // The baseline shows no tests either: the exit code is all there ever was.
  for (auto b : {baseline(), baseline()}) {
    b.checks.tests->tests->format = "exit_code_only";
    EXPECT_TRUE(evaluate(config(), b, {silent}).agents[0].eligible);
    b.checks.tests->tests = report(0, 0);
    EXPECT_TRUE(evaluate(config(), b, {other}).agents[0].eligible);
  }
}

// "npm test && cargo test": cargo is seen once npm's tests pass.
TEST(Evaluate, ALongerChainThanTheBaselinesIsSeen) {
  using model::TestStatus;
  auto b = baseline();
  b.checks.tests = check(Dimension::tests, CheckStatus::failed);
  b.checks.tests->tests = named({{"x", TestStatus::passed}, {"y", TestStatus::failed}});
  auto a = agent();
  a.checks.tests->tests =
      named({{"x", TestStatus::passed}, {"y", TestStatus::passed}, {"z", TestStatus::passed}});
  a.checks.tests->tests->format = "cargo-test+pytest";
  EXPECT_TRUE(evaluate(config(), b, {a}).agents[0].eligible);
  auto loses = a;
  loses.checks.tests->tests->tests = {
      {"w", TestStatus::passed}, {"y", TestStatus::passed}, {"z", TestStatus::passed}};
  EXPECT_FALSE(evaluate(config(), b, {loses}).agents[0].eligible) << "x is gone";
  auto other = a;
  other.checks.tests->tests->format = "cargo-test";
  EXPECT_FALSE(evaluate(config(), b, {other}).agents[0].eligible) << "no pytest ran";
  b.checks.tests = check(Dimension::tests);
  b.checks.tests->tests = named({{"x", TestStatus::passed}, {"y", TestStatus::passed}});
  EXPECT_FALSE(evaluate(config(), b, {a}).agents[0].eligible) << "the baseline ran its whole chain";
}

// Reliability reference, row E22: a lock file of 100,000 lines is no large change.
TEST(Evaluate, FilesThatNobodyWritesAreSetApart) {
  auto a = agent();
  a.capture->diff = {100'050, 10, 3};
  a.capture->weighed = model::DiffStat{50, 10, 2};
  const auto d = dim(one(a), Dimension::diff_size);
  EXPECT_DOUBLE_EQ(d.points, 100) << "churn 60, 2 files";
  const auto term = [&d](const std::string& name) {
    for (const auto& t : d.terms)
      if (t.name == name) return t.value;
    return -1.0;
  };
  EXPECT_EQ(term("lines_added"), 50);
  EXPECT_EQ(term("lines_set_apart"), 100'000);
  EXPECT_EQ(term("files_set_apart"), 1);
}

TEST(Evaluate, BaselineWithoutReport) {
  auto b = baseline();
  b.checks.tests = check(Dimension::tests, CheckStatus::timed_out);
  const auto r = evaluate(config(), b, {agent()});
  EXPECT_EQ(dim(r.agents[0], Dimension::tests).reason, model::ScoreReason::exit_code_only);
  EXPECT_THAT(r.notes,
              ElementsAre(::testing::AllOf(::testing::HasSubstr("tests are scored by exit code only"),
                                           ::testing::HasSubstr("[scoring] test_reports"))));
}

TEST(Evaluate, ARunnerWithoutNamesIsSaid) {
  EXPECT_THAT(evaluate(config(), baseline(), {agent()}).notes,
              ElementsAre(::testing::HasSubstr("compared by number of tests")));
  auto b = baseline();
  b.names_by = "`go` names its tests with `-v`";
  EXPECT_THAT(evaluate(config(), b, {agent()}).notes,
              ElementsAre(::testing::EndsWith("; `go` names its tests with `-v`")));
  b.checks.tests->tests = named({{"a", TestStatus::passed}});
  EXPECT_TRUE(evaluate(config(), b, {agent()}).notes.empty());
}

TEST(Evaluate, NoTestsOnBothSides) {
  auto b = baseline();
  b.checks.tests->tests = report(0, 0);
  auto a = agent();
  a.checks.tests->tests = report(0, 0);
  const auto r = evaluate(config(), b, {a, a});
  const auto& d = dim(r.agents[0], Dimension::tests);
  EXPECT_EQ(d.status, DimensionStatus::scored);
  EXPECT_EQ(d.reason, model::ScoreReason::no_tests);
  EXPECT_DOUBLE_EQ(d.points, 0);
  EXPECT_THAT(r.notes, ElementsAre("baseline has no tests"));
}

TEST(Evaluate, UnknownTotalIsEverythingReported) {
  auto a = agent();
  auto r = report(6, 2, 1);
  r.counts.errors = 3;
  r.counts.total.reset();
  set_tests(a, r);
  const auto d = dim(one(a), Dimension::tests);
  EXPECT_DOUBLE_EQ(term(d, "agent_total"), 12);
  // 6/12*100 + 2/12*10 - 4/10*50
  EXPECT_DOUBLE_EQ(d.points, 50 + 20.0 / 12 - 20);
}

TEST(Evaluate, ContradictionIsUnverified) {
  auto a = agent();
  a.checks.tests->tests->suspicious = {"exit code 0 with 2 failed tests"};
  const auto r = one(a);
  EXPECT_THAT(r.ineligible_reasons, ElementsAre(model::Ineligible::unverified));
  EXPECT_EQ(dim(r, Dimension::tests).status, DimensionStatus::failed);
  EXPECT_DOUBLE_EQ(r.score.composite, 70);
  // Exit code 0 and no summary: the runner did not get to its end.
  auto b = agent();
  b.checks.tests->tests->complete = false;
  EXPECT_THAT(one(b).ineligible_reasons, ElementsAre(model::Ineligible::unverified));
  // With a bad exit code the same is an ordinary failure.
  b.checks.tests->status = CheckStatus::failed;
  b.checks.tests->exit_code = 1;
  EXPECT_TRUE(one(b).eligible);
  EXPECT_DOUBLE_EQ(dim(one(b), Dimension::tests).points, 0);
}

TEST(Evaluate, ChecksThatTimedOutKeepTheirWeight) {
  auto a = agent();
  a.checks.tests = check(Dimension::tests, CheckStatus::timed_out);
  a.checks.lint = check(Dimension::lint, CheckStatus::crashed);
  const auto r = one(a);
  EXPECT_EQ(dim(r, Dimension::tests).status, DimensionStatus::failed);
  EXPECT_EQ(dim(r, Dimension::tests).reason, model::ScoreReason::timed_out);
  EXPECT_EQ(dim(r, Dimension::lint).reason, model::ScoreReason::crashed);
  EXPECT_DOUBLE_EQ(r.score.composite, 55);
  EXPECT_TRUE(r.eligible);
}

TEST(Evaluate, LintByCountAndFallback) {
  auto a = agent();
  a.checks.lint->lint = lint(1, 2);
  auto d = dim(one(a), Dimension::lint);
  EXPECT_DOUBLE_EQ(d.points, 86);
  EXPECT_DOUBLE_EQ(term(d, "new_errors"), 1);
  EXPECT_DOUBLE_EQ(term(d, "new_warnings"), 2);
  // The baseline found nothing: that compares with any tool.
  a.checks.lint->lint->format = "tsc";
  EXPECT_DOUBLE_EQ(dim(one(a), Dimension::lint).points, 86);
  // Findings of two different tools do not compare, of overlapping sets of tools they do.
  auto b = baseline();
  b.checks.lint->lint = lint(0, 2);
  d = dim(one(a, config(), b), Dimension::lint);
  EXPECT_EQ(d.reason, model::ScoreReason::exit_code_only);
  EXPECT_DOUBLE_EQ(d.points, 100);
  b.checks.lint->lint->format = "eslint+tsc";
  EXPECT_DOUBLE_EQ(dim(one(a, config(), b), Dimension::lint).points, 90);
  a.checks.lint->lint = lint(0, 0);
  a.checks.lint->lint->errors.reset();
  a.checks.lint->status = CheckStatus::failed;
  a.checks.lint->exit_code = 2;
  EXPECT_DOUBLE_EQ(dim(one(a), Dimension::lint).points, 0);
}

TEST(Evaluate, SpeedCountsCompletedAgentsWithAChange) {
  auto quick = agent("nothing", 10);
  quick.capture->changed = false;
  auto dead = agent("dead", 20);
  dead.outcome = Outcome::crashed;
  auto spaces = agent("spaces", 30);
  spaces.capture->trivial = true;
  auto lost = agent("uncaptured", 40);
  lost.capture.reset();
  auto broken = agent("broken", 1000);  // H30: not eligible, so its pace binds nobody
  broken.checks.build = check(Dimension::build, CheckStatus::failed);
  auto warned = agent("warned", 2000);
  warned.outcome = Outcome::completed_with_warning;
  const auto r =
      evaluate(config(), baseline(), {quick, dead, spaces, lost, broken, warned, agent("good", 4000)});
  for (const auto* name : {"nothing", "dead", "spaces", "uncaptured"})
    EXPECT_DOUBLE_EQ(dim(find(r, name), Dimension::speed).points, 0) << name;
  EXPECT_DOUBLE_EQ(dim(find(r, "broken"), Dimension::speed).points, 100);
  EXPECT_DOUBLE_EQ(dim(find(r, "warned"), Dimension::speed).points, 100);
  EXPECT_DOUBLE_EQ(dim(find(r, "good"), Dimension::speed).points, 50);
  EXPECT_TRUE(find(r, "warned").eligible);
}

// H30: where no result is eligible, the fastest completed change sets the pace (H12).
TEST(Evaluate, WithoutAnEligibleResultTheFastestChangeSetsThePace) {
  auto quick = agent("quick", 1000), slow = agent("slow", 4000);
  for (auto* each : {&quick, &slow}) each->checks.build = check(Dimension::build, CheckStatus::failed);
  const auto r = evaluate(config(), baseline(), {quick, slow});
  EXPECT_DOUBLE_EQ(dim(find(r, "quick"), Dimension::speed).points, 100);
  EXPECT_DOUBLE_EQ(dim(find(r, "slow"), Dimension::speed).points, 25);
}

TEST(Evaluate, EveryOutcomeThatIsNotAnEndIsNotEligible) {
  using model::Ineligible;
  const std::pair<Outcome, Ineligible> cases[] = {
      {Outcome::timed_out, Ineligible::timed_out}, {Outcome::crashed, Ineligible::crashed},
      {Outcome::cancelled, Ineligible::cancelled}, {Outcome::launch_error, Ineligible::launch_error},
      {Outcome::lost, Ineligible::lost},           {Outcome::over_budget, Ineligible::over_budget},
      {Outcome::failed, Ineligible::failed},       {Outcome::misconfigured, Ineligible::misconfigured},
      {Outcome::unknown, Ineligible::unfinished}};
  for (const auto& [outcome, reason] : cases) {
    auto a = agent();
    a.outcome = outcome;
    EXPECT_THAT(one(a).ineligible_reasons, ElementsAre(reason));
  }
}

TEST(Evaluate, NothingTrivialOrUncaptured) {
  auto a = agent();
  a.capture->changed = false;
  EXPECT_THAT(one(a).ineligible_reasons, ElementsAre(model::Ineligible::no_changes));
  a.capture->changed = true;
  a.capture->trivial = true;
  EXPECT_THAT(one(a).ineligible_reasons, ElementsAre(model::Ineligible::trivial));
  auto c = config();
  c.allow_trivial = true;
  EXPECT_TRUE(one(a, c).eligible);
  EXPECT_DOUBLE_EQ(dim(one(a, c), Dimension::speed).points, 100);
  a.capture.reset();
  const auto r = one(a);
  EXPECT_THAT(r.ineligible_reasons, ElementsAre(model::Ineligible::capture_failed));
  EXPECT_EQ(dim(r, Dimension::diff_size).status, DimensionStatus::failed);
}

TEST(Evaluate, EligibilityComesBeforePoints) {
  auto idle = agent("idle", 1);  // 100 + 100 + 100 + 100 + 0
  idle.capture->changed = false;
  auto poor = agent("poor", 1000);
  set_tests(poor, report(1, 9));
  const auto r = evaluate(config(), baseline(), {idle, poor});
  EXPECT_EQ(r.agents[0].agent, "poor");
  EXPECT_EQ(r.agents[1].agent, "idle");
  EXPECT_GT(r.agents[1].score.composite, r.agents[0].score.composite);
  EXPECT_EQ(r.winner, "poor");
}

// H16: equal composites (weights make the swap of points cost nothing), then each key in turn.
TEST(Evaluate, TieBreaks) {
  auto c = config();
  c.weights = {0, 10, 10, 0, 0};
  auto tests_better = agent("tests_better");
  tests_better.checks.lint->lint = lint(3, 0);  // tests 100, lint 70
  auto lint_better = agent("lint_better");
  set_tests(lint_better, report(8, 2));  // tests 70, lint 100
  EXPECT_EQ(evaluate(c, baseline(), {lint_better, tests_better}).winner, "tests_better");

  c.weights = {1, 0, 0, 0, 0};
  auto small = agent("small", 9000);
  auto large = agent("large", 1000);
  large.capture->diff = {400, 0, 2};
  auto r = evaluate(c, baseline(), {large, small});
  EXPECT_EQ(r.winner, "small");  // diff size before duration
  EXPECT_FALSE(r.agents[0].tied);

  r = evaluate(c, baseline(), {agent("slow", 2000), agent("fast", 1000)});
  EXPECT_EQ(r.winner, "fast");
  EXPECT_EQ(r.agents[1].rank, 2);
}

TEST(Evaluate, ATieIsShownAsATie) {
  const auto r = evaluate(config(), baseline(), {agent("b"), agent("a"), agent("slower", 2000), agent("c")});
  EXPECT_EQ(r.agents[0].agent, "b");
  EXPECT_EQ(r.agents[1].agent, "a");
  EXPECT_EQ(r.agents[2].agent, "c");
  EXPECT_EQ(r.agents[3].agent, "slower");
  EXPECT_THAT((std::vector<int>{r.agents[0].rank, r.agents[1].rank, r.agents[2].rank, r.agents[3].rank}),
              ElementsAre(1, 1, 1, 4));
  EXPECT_TRUE(r.agents[0].tied && r.agents[1].tied && r.agents[2].tied);
  EXPECT_FALSE(r.agents[3].tied);
  EXPECT_EQ(r.winner, "b");
}

TEST(Evaluate, ThresholdsAreStrictAndUnrounded) {
  auto c = config();
  c.weights = {0, 0, 1, 0, 0};
  const auto with_lint = [&](std::int64_t errors, std::int64_t warnings) {
    auto a = agent();
    a.checks.lint->lint = lint(errors, warnings);
    return evaluate(c, baseline(), {a});
  };
  c.thresholds.auto_merge_minimum = 86;
  EXPECT_FALSE(with_lint(0, 7).auto_merge);  // exactly 86
  EXPECT_TRUE(with_lint(0, 6).auto_merge);   // 88
  c.thresholds.auto_merge_minimum = std::nextafter(86.0, 0.0);
  EXPECT_TRUE(with_lint(0, 7).auto_merge);
  EXPECT_FALSE(with_lint(7, 0).all_failed);  // exactly 30
  EXPECT_TRUE(with_lint(7, 1).all_failed);   // 28
  c.thresholds.fail_maximum = std::nextafter(30.0, 100.0);
  EXPECT_TRUE(with_lint(7, 0).all_failed);
  EXPECT_FALSE(with_lint(7, 0).auto_merge);
}

TEST(Evaluate, DefaultThresholds) {
  // Tests 50 points: composite 85 exactly, not above it.
  auto a = agent();
  auto b = baseline();
  b.checks.tests->tests = report(0, 10);
  set_tests(a, report(5, 5));
  auto r = evaluate(config(), b, {a});
  EXPECT_DOUBLE_EQ(r.agents[0].score.composite, 85);
  EXPECT_FALSE(r.auto_merge);
  set_tests(a, report(6, 4));
  EXPECT_TRUE(evaluate(config(), b, {a}).auto_merge);
}

TEST(Evaluate, NobodyEligibleOrNobodyAtAll) {
  auto a = agent();
  a.outcome = Outcome::timed_out;
  auto r = evaluate(config(), baseline(), {a});
  EXPECT_TRUE(r.all_failed);
  EXPECT_TRUE(r.winner.empty());
  EXPECT_FALSE(r.auto_merge);
  r = evaluate(config(), baseline(), {});
  EXPECT_TRUE(r.all_failed);
  EXPECT_TRUE(r.agents.empty());
}

}  // namespace
}  // namespace hydra::scoring
