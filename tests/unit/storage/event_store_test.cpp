#include "storage/event_store.hpp"

#include "base/files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace hydra::storage {
namespace {

class EventStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-storage-XXXXXX";
    directory_ = ::mkdtemp(pattern);
  }
  void TearDown() override { (void)remove_tree(directory_); }
  [[nodiscard]] std::filesystem::path file() const { return directory_ / "hydra.db"; }

  static model::Event created(const std::string& id, const std::string& repository,
                              std::int64_t created_ms = 1000) {
    model::RaceSpec spec;
    spec.id = id;
    spec.created_ms = created_ms;
    spec.task = "fix \"it\"\nnow";
    spec.repository.root = repository;
    spec.agents = {{"codex", "codex", ""}, {"codex-2", "codex", "m"}};
    return {0, id, 1000, model::RaceCreated{spec}};
  }

  std::filesystem::path directory_;
};

TEST_F(EventStoreTest, EventsComeBackInOrderAfterAReopen) {
  {
    auto store = EventStore::open(file());
    ASSERT_TRUE(store.ok()) << describe(store.error());
    std::vector<model::Event> events{created("aaa", "/repo"), {0, "aaa", 1001, model::RacePrepared{}}};
    ASSERT_TRUE((*store)->append(events).ok());
    EXPECT_EQ(events[0].id + 1, events[1].id);
  }
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  auto events = (*store)->events("aaa", 0);
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events->size(), 2u);
  const auto* first = std::get_if<model::RaceCreated>(&(*events)[0].body);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->spec.task, "fix \"it\"\nnow");
  EXPECT_EQ(first->spec.agents[1].name, "codex-2");
  EXPECT_TRUE(std::holds_alternative<model::RacePrepared>((*events)[1].body));
  auto later = (*store)->events("aaa", (*events)[0].id);
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later->size(), 1u);
}

TEST_F(EventStoreTest, AFailedAppendStoresNothingOfItsBatch) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  std::vector<model::Event> first{created("aaa", "/repo")};
  ASSERT_TRUE((*store)->append(first).ok());
  // The second creation of the same race breaks the primary key: the note before it must not stay.
  std::vector<model::Event> batch{{0, "aaa", 2, model::Note{"", "x"}}, created("aaa", "/repo")};
  EXPECT_FALSE((*store)->append(batch).ok());
  auto events = (*store)->events("aaa", 0);
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(events->size(), 1u);
  std::vector<model::Event> after{{0, "aaa", 3, model::Note{"", "y"}}};
  EXPECT_TRUE((*store)->append(after).ok());
}

TEST_F(EventStoreTest, TheListFollowsFromTheEvents) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  model::Ranking ranking;
  ranking.winner = "codex";
  std::vector<model::Event> events{created("aaa", "/repo"),
                                   created("aab", "/other"),
                                   {0, "aaa", 2, model::ScoringResult{ranking}},
                                   {0, "aaa", 3, model::RaceEnded{"done"}}};
  ASSERT_TRUE((*store)->append(events).ok());
  auto open = (*store)->open_races();
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(*open, std::vector<std::string>{"aab"});
  auto rows = (*store)->races("/repo", 10);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ((*rows)[0].state, "done");
  EXPECT_EQ((*rows)[0].winner, "codex");
  EXPECT_EQ((*rows)[0].agents, (std::vector<std::string>{"codex", "codex-2"}));
  EXPECT_EQ((*store)->races_with_prefix("aa")->size(), 2u);
  EXPECT_EQ(*(*store)->races_with_prefix("aab"), std::vector<std::string>{"aab"});
}

TEST_F(EventStoreTest, RacesAreFoundByTheBeginOfABranch) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  const auto published = [](const std::string& race, const std::string& agent, const std::string& branch) {
    return model::Event{0, race, 2, model::Published{{{agent, branch}}}};
  };
  std::vector<model::Event> events{created("aaa", "/repo"),
                                   created("aab", "/repo"),
                                   created("aac", "/repo"),
                                   created("aad", "/repo"),
                                   published("aaa", "codex", "hydra/codex-1708"),
                                   published("aab", "codex-2", "hydra/codex-2-1709"),
                                   {0, "aac", 3, model::Combined{"mixed", "codex:a", {}}},
                                   // Words of an event that are no branch.
                                   {0, "aad", 4, model::Note{"codex", "\"hydra/codex-1708\""}}};
  ASSERT_TRUE((*store)->append(events).ok());
  using Ids = std::vector<std::string>;
  EXPECT_EQ(*(*store)->races_with_branch("hydra/codex-1708"), (Ids{"aac", "aaa"}));
  EXPECT_EQ(*(*store)->races_with_branch("hydra/codex"), (Ids{"aac", "aab", "aaa"}));
  EXPECT_EQ(*(*store)->races_with_branch("hydra/other"), Ids{"aac"}) << "a combined one may have no branch";
  EXPECT_EQ(*(*store)->races_with_branch("hydra/%"), Ids{"aac"});
  EXPECT_EQ(*(*store)->races_with_branch("hydra/\"' OR 1=1 --"), Ids{"aac"});
}

TEST_F(EventStoreTest, CacheKeepsTheNewestValue) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  EXPECT_FALSE((*store)->cached("k").has_value());
  (*store)->put_cached("k", "1", 1);
  (*store)->put_cached("k", "2", 2);
  EXPECT_EQ((*store)->cached("k"), "2");
}

TEST_F(EventStoreTest, AFileThatIsNoDatabaseIsAnErrorThatNamesIt) {
  ASSERT_TRUE(write_file(file(), std::string(4096, 'x')).ok());
  auto store = EventStore::open(file());
  ASSERT_FALSE(store.ok());
  EXPECT_NE(describe(store.error()).find("hydra.db"), std::string::npos);
}

// Matrix row C21: "last" is the race that began last, also where the clock was set back an hour before it.
TEST_F(EventStoreTest, RacesAreInTheOrderOfTheirBeginAlsoWhenTheClockIsSetBack) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  constexpr std::int64_t kNow = 1'708'646'400'000, kHour = 3'600'000;
  std::vector<model::Event> events{created("t00002", "/repo", kNow), created("t00001", "/repo", kNow - kHour),
                                   created("t00000", "/repo", kNow - kHour)};
  ASSERT_TRUE((*store)->append(events).ok());
  const auto rows = (*store)->races("/repo", 10);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[0].id, "t00000");
  EXPECT_EQ((*rows)[2].id, "t00002");
  EXPECT_EQ((*store)->races("/repo", 1)->front().id, "t00000");
  EXPECT_EQ(*(*store)->open_races(), (std::vector<std::string>{"t00002", "t00001", "t00000"}));
}

TEST_F(EventStoreTest, MergedRacesByTheirNewestMerge) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  const auto merged = [](const std::string& race) {
    return model::Event{0, race, 1, model::Merged{"codex", "c", "refs/heads/main", false, "b", {}}};
  };
  std::vector<model::Event> events{created("aaa", "/repo"),
                                   created("bbb", "/repo"),
                                   created("ccc", "/other"),
                                   merged("bbb"),
                                   merged("aaa"),
                                   merged("bbb"),
                                   merged("aaa")};
  ASSERT_TRUE((*store)->append(events).ok());
  const auto rows = (*store)->merged_races();
  ASSERT_TRUE(rows.ok()) << describe(rows.error());
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].id, "aaa");
  EXPECT_EQ((*rows)[1].id, "bbb");
}

}  // namespace
}  // namespace hydra::storage
