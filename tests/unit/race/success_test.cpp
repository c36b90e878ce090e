// Success and solved (ruling H28) of a result beside its base: the fold, without a machine.
#include "check_runs.hpp"
#include "driven_race.hpp"
#include "race/state/history.hpp"

#include <gtest/gtest.h>

namespace hydra::race {
namespace {

model::CheckEvidence ended(CheckStatus status) {
  model::CheckEvidence evidence;
  evidence.status = status;
  evidence.exit_code = status == CheckStatus::passed ? 0 : 1;
  return evidence;
}
model::CheckEvidence by_counts(std::int64_t passed, std::int64_t failed) {
  auto evidence = ended(failed == 0 ? CheckStatus::passed : CheckStatus::failed);
  evidence.tests.emplace();
  evidence.tests->format = "pytest";
  evidence.tests->complete = true;
  evidence.tests->counts.passed = passed;
  evidence.tests->counts.failed = failed;
  evidence.tests->counts.total = passed + failed;
  return evidence;
}
model::CheckEvidence with_names(const Names& names) {
  std::int64_t passed = 0;
  for (const auto& [name, status] : names) passed += status == TestStatus::passed ? 1 : 0;
  auto evidence = by_counts(passed, static_cast<std::int64_t>(names.size()) - passed);
  for (const auto& [name, status] : names) evidence.tests->tests.push_back({name, status});
  return evidence;
}
model::CheckEvidence linted(std::int64_t errors, std::int64_t warnings) {
  auto evidence = ended(errors + warnings == 0 ? CheckStatus::passed : CheckStatus::failed);
  evidence.lint.emplace();
  evidence.lint->format = "ruff";
  evidence.lint->errors = errors;
  evidence.lint->warnings = warnings;
  return evidence;
}

/// The checks of the base or of the result.
struct Checks {
  model::CheckEvidence tests, lint = linted(0, 0), build = ended(CheckStatus::passed);
};

struct Words {
  bool success = false, solved = false;
  bool operator==(const Words&) const = default;
};
void PrintTo(const Words& words, std::ostream* out) {
  *out << (words.success ? "success" : "no success") << ", " << (words.solved ? "solved" : "not solved");
}
constexpr Words kBoth{true, true}, kNeither{false, false}, kSuccess{true, false}, kSolved{false, true};

class H28 : public ::testing::Test {
 protected:
  Words words(const Checks& base, const Checks& mine, bool eligible = true) const {
    DrivenRace race(spec);
    race.begin();
    auto change = DrivenRace::change("tree", "c", {1, 1, 1});
    race.end_agent("a", change);
    for (const auto& [subject, checks] : {std::pair{std::string("@baseline"), base}, {"a", mine}}) {
      auto [tests, lint, build] = checks;
      tests.dimension = Dimension::tests;
      lint.dimension = Dimension::lint;
      build.dimension = Dimension::build;
      race.end_checks(subject, {build, tests, lint});
    }
    model::Ranking ranking;
    ranking.agents.emplace_back();
    ranking.agents[0].agent = "a";
    ranking.agents[0].rank = 1;
    ranking.agents[0].eligible = eligible;
    race.state.ranking = ranking;
    const auto attempts = attempts_of(race.state);
    return {attempts.at(0).success, attempts.at(0).solved};
  }
  model::RaceSpec spec = race_spec({"a"});
};

TEST_F(H28, AnOldFindingOrAnOldFailingTestOfTheBaseIsNobodysFault) {
  EXPECT_EQ(words({by_counts(3, 0), linted(1, 2)}, {by_counts(3, 0), linted(1, 2)}), kSuccess);
  EXPECT_EQ(words({with_names({{"t::old", kFailed}, {"t::bug", kFailed}, {"t::fine", kPassed}})},
                  {with_names({{"t::old", kFailed}, {"t::bug", kPassed}, {"t::fine", kPassed}})}),
            kBoth);
}

TEST_F(H28, WhatIsWorseThanTheBaseIsNoSuccess) {
  EXPECT_EQ(words({by_counts(3, 0)}, {by_counts(3, 0), linted(0, 1)}), kNeither) << "a new warning";
  EXPECT_EQ(words({by_counts(3, 1)}, {by_counts(2, 2)}), kNeither) << "by count";
  EXPECT_EQ(words({with_names({{"t::a", kFailed}, {"t::b", kPassed}})},
                  {with_names({{"t::a", kPassed}, {"t::b", kFailed}})}),
            kNeither)
      << "as many pass as before, by name one is broken";
  EXPECT_EQ(words({with_names({{"t::a", kPassed}, {"t::b", kPassed}})}, {with_names({{"t::a", kPassed}})}),
            kNeither)
      << "a test is missing";
  EXPECT_EQ(words({by_counts(3, 1)}, {ended(CheckStatus::timed_out)}), kNeither);
  EXPECT_EQ(words({by_counts(3, 1)}, {ended(CheckStatus::failed)}), kNeither) << "nothing was counted";
  EXPECT_EQ(words({by_counts(3, 0)}, {by_counts(3, 0), linted(0, 0), ended(CheckStatus::failed)}), kNeither);
  EXPECT_EQ(words({by_counts(3, 0)}, {by_counts(3, 0)}, false), kNeither) << "not eligible";
}

TEST_F(H28, SolvedIsFixedAndNothingBroken) {
  EXPECT_EQ(words({by_counts(3, 2)}, {by_counts(5, 0)}), kBoth);
  EXPECT_EQ(words({by_counts(3, 2)}, {by_counts(4, 2)}), kSuccess)
      << "a new test passes, and both still fail";
  EXPECT_EQ(words({by_counts(3, 2)}, {by_counts(3, 1)}), kSuccess)
      << "a failing test is gone, none passes more";
  EXPECT_EQ(words({by_counts(3, 0)}, {by_counts(4, 0)}), kSuccess) << "nothing was to be fixed";
  EXPECT_EQ(words({ended(CheckStatus::failed)}, {ended(CheckStatus::passed)}), kBoth) << "by exit code";
  EXPECT_EQ(words({ended(CheckStatus::failed)}, {ended(CheckStatus::failed)}), kSuccess);
  EXPECT_EQ(words({by_counts(3, 2)}, {by_counts(5, 0), linted(1, 0)}), kSolved) << "two words, two questions";
}

TEST_F(H28, HiddenTestsDecide) {
  spec.hidden_tests = {"hidden/test_h.py"};
  const Names base{{"t.py::old", kFailed}, {"hidden/test_h.py::h", kFailed}};
  EXPECT_EQ(words({with_names(base)}, {with_names(base)}), kNeither) << "as bad as the base, and asked for";
  EXPECT_EQ(
      words({with_names(base)}, {with_names({{"t.py::old", kFailed}, {"hidden/test_h.py::h", kPassed}})}),
      kBoth);
  EXPECT_EQ(
      words({with_names(base)}, {with_names({{"t.py::old", kPassed}, {"hidden/test_h.py::h", kFailed}})}),
      kNeither)
      << "another test was fixed";
  EXPECT_EQ(words({ended(CheckStatus::failed)}, {ended(CheckStatus::passed)}), kBoth);
  spec.labels = {{"suite", "s"}, {"suite-run", "r"}, {"suite-task", "t"}};
  EXPECT_EQ(
      words({with_names(base)}, {with_names({{"t.py::old", kFailed}, {"hidden/test_h.py::h", kPassed}})}),
      kNeither)
      << "a suite's tests decide by their exit code";
}

}  // namespace
}  // namespace hydra::race
