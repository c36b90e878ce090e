// The history's tables: what was put in comes back, and what they lack is known.
#include "storage/history.hpp"

#include "base/files.hpp"
#include "storage/event_store.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace hydra::storage {
namespace {

class History : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-history-XXXXXX";
    directory_ = ::mkdtemp(pattern);
    auto opened = EventStore::open(directory_ / "hydra.db");
    ASSERT_TRUE(opened.ok()) << describe(opened.error());
    store_ = std::move(*opened);
  }
  void TearDown() override { (void)remove_tree(directory_); }

  static model::HistoryRace race(const std::string& id, std::vector<std::string> names,
                                 std::int64_t ended_ms = 10) {
    model::HistoryRace made;
    made.race = id;
    made.state = "done";
    made.task = "fix it\nnow";
    made.kind = "bugfix";
    made.labels = {{"prompt", "v2"}, {"team", "a=b"}};
    made.root = "/home/ada/app";
    made.repository = "/home/ada/app/.git";
    made.base = "c0ffee";
    made.created_ms = 5;
    made.ended_ms = ended_ms;
    made.through = 7;
    for (auto& name : names) {
      made.attempts.emplace_back();
      made.attempts.back().name = std::move(name);
    }
    return made;
  }
  void put(const model::HistoryRace& made) { ASSERT_TRUE(store_->put_history(made).ok()); }
  std::vector<model::HistoryRace> read(const HistoryFilter& filter = {}) const {
    std::vector<model::HistoryRace> found;
    const auto done = read_history(directory_ / "hydra.db", filter, [&](const auto& row) {
      found.push_back(row);
      return true;
    });
    EXPECT_TRUE(done.ok()) << describe(done.error());
    return found;
  }
  std::vector<std::string> ids(const HistoryFilter& filter) const {
    std::vector<std::string> found;
    for (const auto& row : read(filter)) found.push_back(row.race);
    return found;
  }
  void append(std::vector<model::Event> events) { ASSERT_TRUE(store_->append(events).ok()); }

  std::filesystem::path directory_;
  std::unique_ptr<EventStore> store_;
};

TEST_F(History, EveryFigureComesBackAndAnUnknownOneStaysUnknown) {
  auto made = race("a", {"codex#2", "claude"});
  auto& full = made.attempts[0];
  full.entry = full.agent = "codex";
  full.asked = "o9";
  full.model = "o9-mini";
  full.version = "1.2";
  full.attempt = 2;
  full.outcome = model::Outcome::completed_with_warning;
  full.eligible = full.success = full.solved = full.tied = full.merged = full.changed = true;
  full.rank = 3;
  full.composite = 93.25;
  full.points = {100, 80.5, std::nullopt, 0, 12};
  full.fixed = 2;
  full.broken = 0;
  full.arena = model::ArenaFigures{20, 1'018'181.8, 0.3, 342.5, 3266, 515'624.3, 502'557.5};
  full.tokens = 1234;
  full.cost_usd = 0.25;
  full.wall_ms = 61500;
  made.attempts[1].lost = true;
  put(made);
  const auto rows = read();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].task, "fix it\nnow");
  EXPECT_EQ(rows[0].labels, made.labels);
  ASSERT_EQ(rows[0].attempts.size(), 2u);
  const auto& back = rows[0].attempts[0];
  EXPECT_EQ(back.name, "codex#2");
  EXPECT_EQ(back.asked, "o9");
  EXPECT_EQ(back.model, "o9-mini");
  EXPECT_EQ(back.version, "1.2");
  EXPECT_EQ(back.attempt, 2);
  EXPECT_EQ(back.outcome, model::Outcome::completed_with_warning);
  EXPECT_TRUE(back.eligible && back.success && back.solved && back.tied && back.merged && back.changed &&
              !back.lost);
  EXPECT_EQ(back.rank, 3);
  EXPECT_EQ(back.composite, 93.25);
  EXPECT_EQ(back.points, full.points);
  EXPECT_EQ(back.fixed, 2);
  EXPECT_EQ(back.broken, 0);
  ASSERT_TRUE(back.arena);
  EXPECT_EQ(back.arena->episodes, 20);
  EXPECT_EQ(back.arena->best_score, 1'018'181.8);
  EXPECT_EQ(back.arena->std_score_population, 502'557.5);
  EXPECT_EQ(back.tokens, 1234);
  EXPECT_EQ(back.cost_usd, 0.25);
  EXPECT_EQ(back.wall_ms, 61500);
  const auto& empty = rows[0].attempts[1];
  EXPECT_TRUE(empty.lost && !empty.eligible);
  EXPECT_EQ(empty.composite, std::nullopt);
  EXPECT_EQ(empty.points, decltype(empty.points){});
  EXPECT_EQ(empty.cost_usd, std::nullopt);
  EXPECT_EQ(empty.fixed, std::nullopt);
  EXPECT_FALSE(empty.arena);
}

TEST_F(History, WhatPeopleAndJudgesSaidComesBack) {
  auto made = race("a", {"x", "y", "z", "quiet"});
  auto& x = made.attempts[0];
  x.confidence = "good";
  x.rating = 0.75;
  x.judged = 0.8125;
  x.votes = {{"ann", 2, 0.1}, {"Ada of the team", 1.5, 1}};
  made.attempts[1].confidence = "some";
  made.attempts[1].merged_ms = 77;
  made.attempts[2].confidence = "some";
  made.attempts[2].undone = true;
  made.attempts[3].confidence = "good";
  put(made);
  const auto rows = read();
  ASSERT_EQ(rows.size(), 1u);
  const auto& back = rows[0].attempts[0];
  EXPECT_EQ(back.confidence, "good");
  EXPECT_EQ(back.rating, 0.75);
  EXPECT_EQ(back.judged, 0.8125);
  ASSERT_EQ(back.votes.size(), 2u);
  EXPECT_EQ(back.votes[0].score, 0.1);
  EXPECT_EQ(back.votes[1].judge, "Ada of the team");
  EXPECT_EQ(back.votes[1].stake, 1.5);
  EXPECT_TRUE(rows[0].attempts[1].votes.empty());
  EXPECT_EQ(rows[0].attempts[1].merged_ms, 77);
  EXPECT_TRUE(rows[0].attempts[2].undone);
  std::vector<Outcome> outcomes;
  ASSERT_TRUE(read_outcomes(directory_ / "hydra.db", [&](const auto& row) { outcomes.push_back(row); }).ok());
  ASSERT_EQ(outcomes.size(), 3u) << "of the last one nothing is known";
  EXPECT_EQ(outcomes[0].rating, 0.75);
  EXPECT_EQ(outcomes[1].merged_ms, 77);
  EXPECT_TRUE(outcomes[2].undone);
}

TEST_F(History, ARaceIsReplacedAndKeepsItsPlace) {
  put(race("a", {"x", "y", "z"}));
  put(race("b", {"x"}));
  put(race("a", {"x"}));
  const auto rows = read();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].race, "a");
  EXPECT_EQ(rows[0].attempts.size(), 1u);
  EXPECT_EQ(rows[1].attempts.size(), 1u);
}

TEST_F(History, Filters) {
  put(race("old", {"x"}, 100));
  auto other = race("new", {"x"}, 200);
  other.root = "/home/ada/other";
  other.repository = "/home/ada/other/.git";
  other.kind = "docs";
  other.labels = {{"prompt", "v1"}};
  put(other);
  auto forgotten = race("gone", {"x"}, 200);
  forgotten.forgotten = true;
  forgotten.attempts.clear();
  put(forgotten);
  using Ids = std::vector<std::string>;
  HistoryFilter filter;
  EXPECT_EQ(ids(filter), (Ids{"old", "new"})) << "what is forgotten is not there";
  filter.since_ms = 101;
  EXPECT_EQ(ids(filter), Ids{"new"});
  filter = {};
  filter.repository = "/home/ada/app/src";
  EXPECT_EQ(ids(filter), Ids{"old"});
  filter.repository = "/home/ada/other/.git";
  EXPECT_EQ(ids(filter), Ids{"new"});
  filter.repository = "/home/ada/app2";
  EXPECT_EQ(ids(filter), Ids{}) << "a name that only begins alike";
  filter = {};
  filter.kind = "docs";
  EXPECT_EQ(ids(filter), Ids{"new"});
  filter = {};
  filter.labels = {{"prompt", "v2"}, {"team", "a=b"}};
  EXPECT_EQ(ids(filter), Ids{"old"});
  filter.labels = {{"prompt", "v2"}, {"team", "a"}};
  EXPECT_EQ(ids(filter), Ids{});
  filter = {};
  filter.race = "new";
  EXPECT_EQ(ids(filter), Ids{"new"});
  filter = {};
  filter.after = read()[0].number;
  EXPECT_EQ(ids(filter), Ids{"new"});
}

TEST_F(History, WhatItLacksIsKnown) {
  const auto stale = [&] { return *store_->stale_history(100); };
  using Ids = std::vector<std::string>;
  model::RaceSpec spec;
  append({{0, "a", 1, model::RaceCreated{spec}}, {0, "b", 1, model::RaceCreated{spec}}});
  EXPECT_EQ(stale(), Ids{}) << "they still run";
  std::vector<model::Event> ends{{0, "b", 2, model::RaceEnded{model::RaceEnd::done}},
                                 {0, "a", 2, model::RaceEnded{model::RaceEnd::done}}};
  ASSERT_TRUE(store_->append(ends).ok());
  EXPECT_EQ(stale(), (Ids{"a", "b"}));
  auto made = race("a", {});
  made.through = ends[1].id;
  put(made);
  EXPECT_EQ(stale(), Ids{"b"});
  made = race("b", {});
  made.through = ends[0].id;
  put(made);
  EXPECT_EQ(stale(), Ids{});
  append({{0, "a", 3, model::Note{{}, "says nothing of it"}}});
  EXPECT_EQ(stale(), Ids{});
  append({{0, "a", 4, model::Merged{"x", "c", "r", false}}});
  EXPECT_EQ(stale(), Ids{"a"});
  append({{0, "b", 5, model::Rated{"x", {"ada", 4, ""}}}});
  EXPECT_EQ(stale(), (Ids{"a", "b"}));
  ASSERT_TRUE(store_->clear_history().ok());
  EXPECT_EQ(stale(), (Ids{"a", "b"}));
  EXPECT_TRUE(read().empty());
}

TEST_F(History, ImportedRacesStayApartFromThoseOfThisMachine) {
  put(race("mine", {"x"}));
  auto forged = race("mine", {"x", "y"}), theirs = race("theirs", {"z"});
  forged.through = theirs.through = 0;
  EXPECT_EQ(*store_->import_history({forged, theirs}), 1u);
  EXPECT_EQ(ids({}), (std::vector<std::string>{"mine", "theirs"}));
  EXPECT_EQ(read()[0].attempts.size(), 1u) << "this machine's own record stands";
  theirs.attempts.emplace_back();
  theirs.attempts.back().name = "more";
  EXPECT_EQ(*store_->import_history({theirs}), 1u) << "an import may be repeated";
  EXPECT_EQ(read()[1].attempts.size(), 2u);
  EXPECT_TRUE(store_->stale_history(9)->empty()) << "no event makes them again";
  EXPECT_EQ(*store_->races_with_prefix("the"), (std::vector<std::string>{"theirs"}));
  ASSERT_TRUE(store_->clear_history().ok());
  EXPECT_EQ(ids({}), (std::vector<std::string>{"theirs"}));
  EXPECT_EQ(read()[0].attempts.size(), 2u);
  ASSERT_TRUE(store_->forget_imported("other").ok());
  EXPECT_EQ(read().size(), 1u);
  ASSERT_TRUE(store_->forget_imported("").ok());
  EXPECT_TRUE(read().empty());
}

}  // namespace
}  // namespace hydra::storage
