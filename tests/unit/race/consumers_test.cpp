// Readers of the comparison of tests: each says what the pair of runs says (H17, H18, H27, H28, H30).
#include "check_runs.hpp"
#include "driven_race.hpp"
#include "race/state/history.hpp"
#include "race/state/rounds.hpp"
#include "race/state/selection.hpp"
#include "race/views/views.hpp"
#include "scoring/engine.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>

namespace hydra::race {
namespace {

constexpr auto kSkipped = TestStatus::skipped;

/// Expected values, counted from the pair of runs without product code.
struct Expected {
  double points = 0, gained = 0, damaged = 0;
  bool success = false, solved = false, by_name = false;
  std::vector<std::string> fixed, broken, unfixed;
  std::int64_t regressions = 0;
};

std::int64_t count(const Names& run, std::initializer_list<TestStatus> of) {
  return std::count_if(run.begin(), run.end(), [&](const auto& test) {
    return std::find(of.begin(), of.end(), test.second) != of.end();
  });
}
double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}
void judge(Expected& out, std::int64_t lost, std::int64_t could_lose, std::int64_t gained,
           std::int64_t could_gain) {
  out.gained = share(gained, could_gain);
  out.damaged = share(lost, could_lose);
  out.success = lost == 0;
  out.solved = lost == 0 && gained > 0;
}

Expected by_names(const Names& base, const Names& mine) {
  Expected out;
  out.by_name = true;
  const std::map<std::string, TestStatus> before(base.begin(), base.end()), now(mine.begin(), mine.end());
  std::int64_t base_total = 0, total = 0, could_lose = 0, could_gain = 0, gained = 0;
  for (const auto& [name, status] : before) {
    const auto at = now.find(name);
    const bool gone = at == now.end(), passes = !gone && at->second == kPassed;
    const bool skips = gone || at->second == kSkipped;
    const bool failed = status == kFailed || status == kError;
    base_total += status == kSkipped && skips ? 0 : 1;
    total += status == kSkipped && skips ? 0 : 1;
    could_lose += status == kPassed ? 1 : 0;
    could_gain += failed ? 1 : 0;
    gained += failed && passes ? 1 : 0;
    out.regressions += status == kPassed && !passes ? 1 : 0;
    if (passes && status != kPassed) out.fixed.push_back(name);
    if (status == kPassed && !skips && !passes) out.broken.push_back(name);
    if (failed && !skips && !passes) out.unfixed.push_back(name);
  }
  out.points =
      scoring::score_tests(count(base, {kPassed}), base_total, count(mine, {kPassed}), total, out.regressions)
          .score;
  judge(out, out.regressions, could_lose, gained, could_gain);
  return out;
}

Expected by_counts(const Names& base, const Names& mine) {
  Expected out;
  const auto skipped = std::min(count(base, {kSkipped}), count(mine, {kSkipped}));
  const auto passed = count(base, {kPassed}), passes = count(mine, {kPassed});
  const auto total = static_cast<std::int64_t>(base.size()) - skipped;
  const auto now = static_cast<std::int64_t>(mine.size()) - skipped;
  out.points = scoring::score_tests(passed, total, passes, now, std::nullopt).score;
  judge(out, std::max<std::int64_t>(passed - passes, 0), passed,
        std::max<std::int64_t>(0, std::min(passes - passed, (total - passed) - (now - passes))),
        total - passed);
  return out;
}

Expected by_exit_code(bool passed, bool passes) {
  Expected out;
  out.points = passes ? 100 : 0;
  judge(out, passed && !passes ? 1 : 0, passed ? 1 : 0, !passed && passes ? 1 : 0, passed ? 0 : 1);
  if (!passed && !passes) out.success = true;
  return out;
}

enum class Shown { names, counts, exit_code };

class Consumers : public ::testing::TestWithParam<Shown> {
 protected:
  /// Draws outcomes of these tests, one in five of which has none. New names are a matter of
  /// `Comparison.*` and `OwnTests.*`.
  Names draw(const Names& of) {
    constexpr TestStatus kAll[] = {kPassed, kPassed, kPassed, kFailed, kError, kSkipped};
    Names made{{"t::always", kPassed}};
    for (const auto& [name, status] : of)
      if (name != "t::always" && random_() % 5 != 0) made.emplace_back(name, kAll[random_() % 6]);
    return made;
  }
  static Names names() {
    Names all;
    for (char name = 'a'; name <= 'h'; ++name) all.emplace_back("t::" + std::string(1, name), kPassed);
    return all;
  }
  static model::CheckEvidence seen(const Names& names) {
    auto evidence = tests(names);
    if (GetParam() != Shown::names) evidence.tests->tests.clear();
    if (GetParam() == Shown::exit_code) evidence.tests.reset();
    return evidence;
  }
  static Expected expected(const Names& base, const Names& mine) {
    const auto green = [](const Names& run) { return count(run, {kFailed, kError}) == 0; };
    if (GetParam() == Shown::names) return by_names(base, mine);
    if (GetParam() == Shown::counts) return by_counts(base, mine);
    return by_exit_code(green(base), green(mine));
  }
  std::mt19937 random_{20261128};
};

TEST_P(Consumers, AgreeAboutFiftyPairsOfRuns) {
  int eligible = 0;
  for (int pair = 0; pair < 50; ++pair) {
    SCOPED_TRACE("pair " + std::to_string(pair));
    const auto base = draw(names()), mine = draw(base);
    auto spec = race_spec({"a"});
    spec.config.scoring.build_command.reset();
    spec.config.scoring.lint_command.reset();
    DrivenRace race(spec);
    race.begin();
    race.end_agent("a", DrivenRace::change("tree", "c", {1, 1, 1}));
    race.end_checks("@baseline", {seen(base)});
    race.end_checks("a", {seen(mine)});
    race.send(model::Inspected{"a", {}});
    race.state.ranking = ranking_of(race.state);
    const auto wanted = expected(base, mine);

    const auto& row = race.state.ranking->agents.at(0);
    const auto& dimension = row.score.dimensions[model::index(Dimension::tests)];
    EXPECT_DOUBLE_EQ(dimension.points, wanted.points);
    if (row.eligible && wanted.by_name) {
      EXPECT_EQ(row.confidence.facts.fixed, static_cast<std::int64_t>(wanted.fixed.size()));
      EXPECT_EQ(row.confidence.facts.broken, wanted.regressions);
    }

    const auto history = attempts_of(race.state).at(0);
    EXPECT_EQ(history.success, row.eligible && wanted.success);
    EXPECT_EQ(history.solved, row.eligible && wanted.solved);
    if (history.gained) {
      EXPECT_DOUBLE_EQ(*history.gained, wanted.gained);
    }
    if (history.damaged) {
      EXPECT_DOUBLE_EQ(*history.damaged, wanted.damaged);
    }
    EXPECT_EQ(history.fixed.has_value(), wanted.by_name);
    if (history.fixed) {
      EXPECT_EQ(*history.fixed, static_cast<std::int64_t>(wanted.fixed.size()));
    }
    if (history.broken) {
      EXPECT_EQ(*history.broken, static_cast<std::int64_t>(wanted.broken.size()));
    }

    const auto shown = results_view(race.state, {}).agents.at(0);
    EXPECT_EQ(shown.tests_by_name.has_value(), wanted.by_name);
    if (shown.tests_by_name) {
      EXPECT_EQ(shown.tests_by_name->at("fixed"), wanted.fixed);
      EXPECT_EQ(shown.tests_by_name->at("broken"), wanted.broken);
    }
    for (const auto& explained : explain(race.state, "a", nullptr).dimensions)
      if (explained.dimension == "tests") {
        EXPECT_DOUBLE_EQ(explained.points, wanted.points);
      }

    const auto asked = agents_of_next_round(race.state);
    EXPECT_TRUE(!asked.empty() || (wanted.broken.empty() && wanted.unfixed.empty()));
    if (!asked.empty()) {
      EXPECT_EQ(asked[0].found.broken, wanted.broken);
      EXPECT_EQ(asked[0].found.unfixed, wanted.unfixed);
    }
    eligible += row.eligible ? 1 : 0;
  }
  EXPECT_GE(eligible, 10);
}

INSTANTIATE_TEST_SUITE_P(Runs, Consumers, ::testing::Values(Shown::names, Shown::counts, Shown::exit_code));

}  // namespace
}  // namespace hydra::race
