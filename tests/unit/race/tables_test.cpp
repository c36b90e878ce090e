// Tables of one history: the leaderboard's, a suite's board's and the entries' of a race.
#include "base/files.hpp"
#include "driven_race.hpp"
#include "league/statistics.hpp"
#include "race/views/history_view.hpp"
#include "race/views/view_parts.hpp"
#include "storage/event_store.hpp"
#include "suite/board.hpp"
#include "wire/json.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

namespace hydra::race {
namespace {

class Tables : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-tables-XXXXXX";
    directory_ = ::mkdtemp(pattern);
  }
  void TearDown() override { (void)remove_tree(directory_); }

  /// Returns the table of a new database with these races, put in their order here.
  wire::Leaderboard table(const std::vector<model::HistoryRace>& races, std::int64_t minimum = 1) {
    const auto file = directory_ / ("hydra-" + std::to_string(++databases_) + ".db");
    auto store = EventStore::open(file);
    EXPECT_TRUE(store.ok());
    for (const auto& race : races) EXPECT_TRUE((*store)->put_history(race).ok());
    LeaderboardCall call;
    call.minimum = minimum;
    auto made = leaderboard_view(file, call);
    EXPECT_TRUE(made.ok()) << describe(made.error());
    return *made;
  }
  static model::HistoryRace race(const std::string& id, std::int64_t created_ms, const std::string& task) {
    model::HistoryRace made;
    made.race = id;
    made.state = "done";
    made.task = "task " + task;
    made.labels = {{"suite", "s"}, {"suite-run", "run"}, {"suite-task", task}};
    made.created_ms = created_ms;
    made.ended_ms = created_ms + 1;
    return made;
  }
  static model::HistoryAttempt attempt(const std::string& entry, int number, int rank, double composite,
                                       bool solved) {
    model::HistoryAttempt made;
    made.name = entry + "#" + std::to_string(number);
    made.entry = made.agent = entry;
    made.attempt = number;
    made.outcome = model::Outcome::completed;
    made.rank = rank;
    made.composite = composite;
    made.eligible = made.changed = true;
    made.solved = made.success = solved;
    made.wall_ms = 1000;
    return made;
  }

  using EventStore = storage::EventStore;
  std::filesystem::path directory_;
  int databases_ = 0;
};

/// Races of a suite with random verdicts, some of them lost.
class RandomSuite : public Tables {
 protected:
  static constexpr int kAttempts = 2;
  const std::vector<std::string> entries{"idle", "b", "c", "d"};

  std::vector<model::HistoryRace> races(std::uint64_t seed, std::vector<std::string>& tasks) const {
    league::Random random(seed);
    std::vector<model::HistoryRace> made;
    for (int task = 0; task < 12; ++task) {
      tasks.push_back("t" + std::to_string(task));
      made.push_back(race("race-" + std::to_string(100 + task), 50, tasks.back()));
      for (const auto& entry : entries)
        for (int number = 1; number <= kAttempts; ++number) {
          auto row = attempt(entry, number, static_cast<int>(random.below(8)) + 1,
                             10 * static_cast<double>(random.below(11)), random.below(3) == 0);
          row.lost = random.below(10) == 0;
          if (entry == "idle" || row.lost) row.eligible = row.changed = row.solved = row.success = false;
          row.cost_usd = 0.5;
          made.back().attempts.push_back(row);
        }
    }
    return made;
  }
};

TEST_F(RandomSuite, BenchAndLeaderboardAreOneTable) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<std::string> tasks;
    const auto all = races(seed, tasks);
    suite::Board board(tasks, entries, kAttempts);
    for (const auto& each : all)
      for (const auto& row : each.attempts)
        board.add(each.labels.back().second, row.entry, row.attempt,
                  {league::attempt_of(row), each.race, std::string(model::name(row.outcome))});
    const auto bench = board.rows();
    const auto leaders = table(all).rows;
    ASSERT_EQ(bench.size(), leaders.size());
    for (std::size_t i = 0; i < bench.size(); ++i) {
      EXPECT_EQ(bench[i].entry, leaders[i].entry) << "seed " << seed << ", row " << i;
      EXPECT_EQ(bench[i].rank, leaders[i].rank);
      EXPECT_EQ(bench[i].solved, leaders[i].solved);
      EXPECT_EQ(bench[i].tasks, leaders[i].tasks);
      EXPECT_EQ(bench[i].attempts, leaders[i].attempts);
      EXPECT_EQ(bench[i].successes, leaders[i].successes);
      EXPECT_EQ(bench[i].lost, leaders[i].lost);
      EXPECT_EQ(bench[i].best.has_value(), leaders[i].best.has_value());
      EXPECT_NEAR(bench[i].best.value_or(0), leaders[i].best.value_or(0), 1e-9);
      EXPECT_NEAR(bench[i].mean.value_or(0), leaders[i].mean.value_or(0), 1e-9);
    }
  }
}

// A history that is rebuilt has its races in the order of their creation, not of their ends.
TEST_F(RandomSuite, TheOrderOfTheRowsInTheHistoryChangesNothing) {
  std::vector<std::string> tasks;
  auto all = races(7, tasks);
  const auto before = wire::to_json(table(all));
  std::reverse(all.begin(), all.end());
  EXPECT_EQ(wire::to_json(table(all)), before);
}

// Term challenge: the pass rate, then who was submitted earlier.
TEST_F(Tables, AcrossRunsTheEarlierSubmissionStandsFirst) {
  auto late = race("late", 2000, "t"), early = race("early", 1000, "t");
  late.attempts = {attempt("new", 1, 1, 90, true)};
  early.attempts = {attempt("old", 1, 1, 90, true)};
  const auto found = table({late, early});
  EXPECT_EQ(found.rows.at(0).entry, "old");
  EXPECT_EQ(found.rows.at(0).rank, 1);
  EXPECT_EQ(found.rows.at(1).rank, 2);
  EXPECT_EQ(found.methods.order, league::kOrder);
}

model::RankedAgent ranked(const std::string& name, int rank, double composite, bool eligible = true) {
  model::RankedAgent row;
  row.agent = name;
  row.rank = rank;
  row.eligible = eligible;
  row.score.composite = composite;
  return row;
}

TEST(EntriesOfARace, TheBestAttemptIsTheHighestAndEveryEntryHasItsPlace) {
  auto spec = race_spec({});
  spec.config.scoring.build_command.reset();
  spec.config.scoring.lint_command.reset();
  spec.agents = {{"p90#1", "p90", "", "p90", 1},
                 {"p90#2", "p90", "", "p90", 2},
                 {"p50#1", "p50", "", "p50", 1},
                 {"p50#2", "p50", "", "p50", 2},
                 {"idle", "idle", ""}};
  DrivenRace race(spec);
  race.begin();
  for (const auto& agent : spec.agents)
    race.end_agent(agent.name, DrivenRace::change("tree of " + agent.name, "c", {1, 1, 1}));
  for (const std::string subject : {"p90#1", "p90#2", "p50#1", "p50#2"}) {
    race.send(model::SubjectReady{subject_of(subject), "/c/" + subject});
    model::CheckEvidence tests;
    tests.dimension = model::Dimension::tests;
    tests.status = subject == "p50#2" ? model::CheckStatus::failed : model::CheckStatus::passed;
    race.send(model::CheckEnded{subject_of(subject), tests});
  }
  // Noise ties the first three, so they share a place in the race.
  race.state.ranking.emplace().agents = {ranked("p90#1", 1, 93.1), ranked("p90#2", 1, 95.8),
                                         ranked("p50#1", 1, 94), ranked("p50#2", 4, 60),
                                         ranked("idle", 5, 80, false)};
  const auto entries = detail::entries_view(race.state);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].entry, "p90");
  EXPECT_EQ(entries[0].best, 95.8);
  EXPECT_EQ(entries[0].best_attempt, "p90#2");
  EXPECT_EQ(entries[0].rank, 1);
  EXPECT_EQ(entries[1].entry, "p50");
  EXPECT_EQ(entries[1].rank, 2);
  EXPECT_EQ(entries[2].rank, std::nullopt) << "no number for what is not eligible";
  EXPECT_EQ(entries[2].best, std::nullopt);
}

}  // namespace
}  // namespace hydra::race
