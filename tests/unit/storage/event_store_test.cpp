#include "storage/event_store.hpp"

#include "base/files.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace hydra::storage {
namespace {

namespace fs = std::filesystem;

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
  std::vector<model::Event> batch{{0, "aaa", 2, model::Note{{}, "x"}}, created("aaa", "/repo")};
  EXPECT_FALSE((*store)->append(batch).ok());
  auto events = (*store)->events("aaa", 0);
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(events->size(), 1u);
  std::vector<model::Event> after{{0, "aaa", 3, model::Note{{}, "y"}}};
  EXPECT_TRUE((*store)->append(after).ok());
}

TEST_F(EventStoreTest, WhoReadsFromAnotherThreadSeesNoHalfOfABatch) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  std::vector<model::Event> first{created("aaa", "/repo")};
  ASSERT_TRUE((*store)->append(first).ok());
  constexpr std::size_t kBatch = 100;
  std::jthread writer([&] {
    for (int i = 0; i < 50; ++i) {
      std::vector<model::Event> batch(kBatch, {0, "aaa", 1001, model::Note{{}, "written"}});
      EXPECT_TRUE((*store)->append(batch).ok());
    }
  });
  for (std::size_t seen = 0; seen < 50 * kBatch;) {
    const auto events = (*store)->events("aaa", first.front().id);
    ASSERT_TRUE(events.ok());
    ASSERT_EQ(events->size() % kBatch, 0u);
    seen = events->size();
  }
}

TEST_F(EventStoreTest, TheListFollowsFromTheEvents) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  model::Ranking ranking;
  ranking.winner = "codex";
  std::vector<model::Event> events{created("aaa", "/repo"),
                                   created("aab", "/other"),
                                   {0, "aaa", 2, model::ScoringResult{ranking}},
                                   {0, "aaa", 3, model::RaceEnded{model::RaceEnd::done}}};
  ASSERT_TRUE((*store)->append(events).ok());
  auto open = (*store)->open_races();
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(*open, std::vector<std::string>{"aab"});
  auto rows = (*store)->races({"/repo"}, 10);
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
  std::vector<model::Event> events{
      created("aaa", "/repo"),
      created("aab", "/repo"),
      created("aac", "/repo"),
      created("aad", "/repo"),
      published("aaa", "codex", "hydra/codex-1708"),
      published("aab", "codex-2", "hydra/codex-2-1709"),
      {0, "aac", 3, model::Combined{"mixed", "codex:a", {}}},
      // Words of an event that are no branch.
      {0, "aad", 4, model::Note{model::subject_of("codex"), "\"hydra/codex-1708\""}}};
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

TEST_F(EventStoreTest, AFileThatIsNoDatabaseIsMovedAsideAndNamed) {
  ASSERT_TRUE(write_file(file(), std::string(4096, 'x')).ok());
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  ASSERT_EQ((*store)->findings().size(), 1u);
  EXPECT_NE((*store)->findings()[0].find(file().string() + ".damaged-"), std::string::npos);
}

// Matrix row C21: "last" is the race that began last, also where the clock was set back an hour before it.
TEST_F(EventStoreTest, RacesAreInTheOrderOfTheirBeginAlsoWhenTheClockIsSetBack) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  constexpr std::int64_t kNow = 1'708'646'400'000, kHour = 3'600'000;
  std::vector<model::Event> events{created("t00002", "/repo", kNow), created("t00001", "/repo", kNow - kHour),
                                   created("t00000", "/repo", kNow - kHour)};
  ASSERT_TRUE((*store)->append(events).ok());
  const auto rows = (*store)->races({"/repo"}, 10);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[0].id, "t00000");
  EXPECT_EQ((*rows)[2].id, "t00002");
  EXPECT_EQ((*store)->races({"/repo"}, 1)->front().id, "t00000");
  EXPECT_EQ(*(*store)->open_races(), (std::vector<std::string>{"t00002", "t00001", "t00000"}));
}

TEST_F(EventStoreTest, RacesOfSeveralRepositoriesAreOneList) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  std::vector<model::Event> events{created("a", "/repo"), created("b", "/other"), created("c", "/it's"),
                                   created("d", "/repo"), created("e", "/other")};
  ASSERT_TRUE((*store)->append(events).ok());
  const auto list = [&](const std::vector<std::string>& repositories, std::size_t limit) {
    const auto rows = (*store)->races(repositories, limit);
    std::string ids;
    for (const auto& row : *rows) ids += row.id;
    return ids;
  };
  EXPECT_EQ(list({"/repo", "/it's"}, 10), "dca");
  EXPECT_EQ(list({"/repo", "/it's"}, 2), "dc");
  EXPECT_EQ(list({"/nowhere"}, 10), "");
  EXPECT_EQ(list({}, 10), "edcba");
}

TEST_F(EventStoreTest, TheLastRaceOfADirectoryIsOneOfItsRepositoryHoweverManyOthersCameAfter) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  std::vector<model::Event> events{created("a1", "/repo"), created("a2", "/repo/sub"),
                                   created("a3", "/repo-2")};
  auto check = created("check", "/repo");
  std::get<model::RaceCreated>(check.body).spec.agents.clear();
  events.push_back(check);
  for (int i = 0; i < 1500; ++i) events.push_back(created("x" + std::to_string(i), "/else"));
  ASSERT_TRUE((*store)->append(events).ok());
  const auto last = [&](const std::string& directory) { return *(*store)->last_race(directory); };
  EXPECT_EQ(last("/repo"), std::vector<std::string>{"a1"});
  EXPECT_EQ(last("/repo/src/deep"), std::vector<std::string>{"a1"});
  EXPECT_EQ(last("/repo/sub/deep"), std::vector<std::string>{"a2"});
  EXPECT_EQ(last("/nowhere"), std::vector<std::string>{});
  EXPECT_EQ(last(""), std::vector<std::string>{"x1499"});
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

/// A database whose races have copies of their events, and what damage does to it.
class DamagedStore : public EventStoreTest {
 protected:
  [[nodiscard]] fs::path races() const { return directory_ / "races"; }
  /// Races "aaa" and "bbb", each with `notes` notes of 1000 bytes.
  void fill(const fs::path& with_copies, int notes) {
    auto store = EventStore::open(file(), with_copies);
    ASSERT_TRUE(store.ok()) << describe(store.error());
    for (const std::string id : {"aaa", "bbb"}) {
      std::vector<model::Event> events{created(id, "/repo")};
      for (int i = 0; i < notes; ++i)
        events.push_back(
            {0, id, 1001 + i, model::Note{{}, id + "-" + std::to_string(i) + std::string(1000, '.')}});
      events.push_back({0, id, 9000, model::RaceEnded{model::RaceEnd::done}});
      ASSERT_TRUE((*store)->append(events).ok());
    }
  }
  /// `offset`: from the beginning of `what`.
  void overwrite(const std::string& what, std::ptrdiff_t offset, const std::string& with) {
    auto bytes = read_file(file()).value_or("");
    const auto at = bytes.find(what);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + offset), with.size(), with);
    ASSERT_TRUE(write_file(file(), bytes).ok());
  }
  /// Changes rows as no program does: their checksums are made by a function that is none.
  void write_past_sums(const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &db), SQLITE_OK);
    const auto none = [](sqlite3_context* to, int, sqlite3_value**) { sqlite3_result_int(to, 7); };
    sqlite3_create_function(db, "hydra_sum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                            nullptr, none, nullptr, nullptr);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  std::vector<model::Event> events_of(EventStore& store, const std::string& race) {
    auto events = store.events(race, 0);
    EXPECT_TRUE(events.ok()) << describe(events.error());
    return events.ok() ? *events : std::vector<model::Event>{};
  }
  std::vector<fs::path> kept() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(directory_))
      if (entry.path().filename().string().starts_with("hydra.db.damaged-")) found.push_back(entry.path());
    return found;
  }
  static std::vector<std::string> ids(EventStore& store) {
    std::vector<std::string> found;
    const auto rows = store.races({}, 100);
    EXPECT_TRUE(rows.ok()) << describe(rows.error());
    if (rows.ok())
      for (const auto& row : *rows) found.push_back(row.id + " " + row.state);
    return found;
  }
};

/// In SQLite's record: its race, 1000 as its time, its kind; then the event itself.
const std::string kBeginningOfAaa = "aaa\x03\xe8race_created";
const std::vector<std::string> kBoth{"bbb done", "aaa done"};

// Damage of a database that is open.
TEST_F(DamagedStore, ARecordThatCannotBeReadIsANoteAndHidesNothingElse) {
  fill({}, 3);
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  write_past_sums("UPDATE events SET at_ms = 1 WHERE body LIKE '%aaa-1%'");
  EXPECT_EQ(ids(**store), kBoth);
  EXPECT_EQ(events_of(**store, "bbb").size(), 5u);
  const auto events = events_of(**store, "aaa");
  ASSERT_EQ(events.size(), 5u);
  const auto* note = std::get_if<model::Note>(&events[2].body);
  ASSERT_NE(note, nullptr);
  EXPECT_NE(note->text.find("damaged"), std::string::npos) << note->text;
  EXPECT_EQ((*store)->findings().size(), 2u) << "the note, and that the next start repairs";
}

TEST_F(DamagedStore, ARecordThatCannotBeReadIsTakenFromTheCopyBesideTheRace) {
  fill(races(), 3);
  overwrite("aaa-1", -8, "\x01\x02\x03\x04");
  overwrite(kBeginningOfAaa, 17, "\x01\x02");
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  const auto events = events_of(**store, "aaa");
  ASSERT_EQ(events.size(), 5u);
  EXPECT_TRUE(std::holds_alternative<model::RaceCreated>(events[0].body));
  const auto* note = std::get_if<model::Note>(&events[2].body);
  ASSERT_NE(note, nullptr);
  EXPECT_TRUE(note->text.starts_with("aaa-1.")) << note->text;
}

TEST_F(DamagedStore, ARaceWithoutItsFirstRecordSaysSo) {
  fill({}, 1);
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  write_past_sums("UPDATE events SET at_ms = 1 WHERE race = 'aaa' AND kind = 'race_created'");
  const auto events = (*store)->events("aaa", 0);
  ASSERT_FALSE(events.ok());
  EXPECT_NE(events.error().message.find("first record"), std::string::npos) << describe(events.error());
  EXPECT_EQ(events_of(**store, "bbb").size(), 3u);
}

TEST_F(DamagedStore, ARowOfTheListThatIsNotAsItWasWrittenIsAnError) {
  fill({}, 1);
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  write_past_sums("UPDATE races SET winner = 'nobody' WHERE id = 'aaa'");
  const auto rows = (*store)->races({}, 10);
  ASSERT_FALSE(rows.ok());
  EXPECT_NE(rows.error().hint.find("next start"), std::string::npos) << describe(rows.error());
  EXPECT_FALSE((*store)->findings().empty());
}

TEST_F(DamagedStore, RacesThatALostLogHeldAreMadeAgainOutOfTheirCopies) {
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok());
  std::vector<model::Event> first{created("aaa", "/repo")};
  ASSERT_TRUE((*store)->append(first).ok());
  store = Result<std::unique_ptr<EventStore>>(Error{});  // closed: the log goes into the file
  store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok());
  std::vector<model::Event> more{{0, "aaa", 1001, model::RacePrepared{}}, created("bbb", "/repo")};
  ASSERT_TRUE((*store)->append(more).ok());
  // As a deleted hydra.db-wal leaves it.
  const auto bytes = read_file(file());
  ASSERT_TRUE(bytes.ok());
  store = Result<std::unique_ptr<EventStore>>(Error{});
  ASSERT_TRUE(write_file(file(), *bytes).ok());
  fs::last_write_time(file(), fs::file_time_type::clock::now() - std::chrono::seconds(5));
  store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  EXPECT_EQ((*store)->open_races().value_or({}), (std::vector<std::string>{"aaa", "bbb"}));
  EXPECT_EQ(events_of(**store, "aaa").size(), 2u);
  EXPECT_EQ((*store)->findings().size(), 2u);
}

TEST_F(DamagedStore, AnEmptiedFileIsFilledOutOfTheCopies) {
  fill(races(), 2);
  ASSERT_TRUE(write_file(file(), "").ok());
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  EXPECT_EQ(ids(**store), kBoth);
  EXPECT_EQ(events_of(**store, "bbb").size(), 4u);
  EXPECT_EQ((*store)->findings().size(), 2u);
}

// A clean takes races there, from where they can be brought back.
TEST_F(DamagedStore, RacesBesideTheirDirectoryAreFoundToo) {
  fill(races(), 2);
  fs::create_directories(directory_ / "removed");
  fs::rename(races() / "aaa", directory_ / "removed" / "aaa");
  ASSERT_TRUE(write_file(file(), "").ok());
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  EXPECT_EQ(ids(**store), kBoth);
  EXPECT_EQ(events_of(**store, "aaa").size(), 4u);
}

TEST_F(DamagedStore, ALineThatNobodyReadsIsNoReasonToRestoreARace) {
  fill(races(), 2);
  const auto copy = races() / "aaa" / "events.jsonl";
  ASSERT_TRUE(
      write_file(copy, read_file(copy).value_or("") + R"({"at_ms":1,"kind":"nosuch","body":{}})" + "\n")
          .ok());
  fs::last_write_time(copy, fs::file_time_type::clock::now() + std::chrono::seconds(5));
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok());
  EXPECT_TRUE((*store)->findings().empty());
  EXPECT_EQ(ids(**store), kBoth);
}

TEST_F(DamagedStore, WhatIsNoDatabaseIsMovedAside) {
  fill(races(), 2);
  ASSERT_TRUE(
      write_file(file(), "this is no database, and longer than a header of one would be at all").ok());
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  EXPECT_EQ(ids(**store), kBoth);
  ASSERT_EQ(kept().size(), 1u);
  EXPECT_EQ(read_file(kept().front()).value_or(""),
            "this is no database, and longer than a header of one would be at all");
  ASSERT_FALSE((*store)->findings().empty());
  EXPECT_NE((*store)->findings().front().find(kept().front().string()), std::string::npos);
}

TEST_F(DamagedStore, WhatCanBeReadOfDamagedPagesIsTakenOver) {
  fill({}, 300);
  const auto size = fs::file_size(file());
  ASSERT_GT(size, 500000u);
  auto bytes = read_file(file()).value_or("");
  bytes.replace(size / 2 / 4096 * 4096, 4096, std::string(4096, '\xff'));
  ASSERT_TRUE(write_file(file(), bytes).ok());
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  EXPECT_EQ(kept().size(), 1u);
  EXPECT_EQ(ids(**store), kBoth);
  EXPECT_GT(events_of(**store, "aaa").size() + events_of(**store, "bbb").size(), 500u);
  // And with copies nothing is lost.
  std::vector<model::Event> more{{0, "aaa", 10000, model::Note{{}, "after"}}};
  EXPECT_TRUE((*store)->append(more).ok());
}

TEST_F(DamagedStore, DamagedPagesCostNothingWhereThereAreCopies) {
  fill(races(), 300);
  auto bytes = read_file(file()).value_or("");
  bytes.replace(bytes.size() / 2 / 4096 * 4096, 4096, std::string(4096, '\xff'));
  ASSERT_TRUE(write_file(file(), bytes).ok());
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok()) << describe(store.error());
  EXPECT_EQ(ids(**store), kBoth);
  EXPECT_EQ(events_of(**store, "aaa").size(), 302u);
  EXPECT_EQ(events_of(**store, "bbb").size(), 302u);
}

TEST_F(DamagedStore, ARaceThatWasCleanedGetsNoDirectoryAgain) {
  fill(races(), 1);
  ASSERT_TRUE(remove_tree(races() / "aaa").ok());
  auto store = EventStore::open(file(), races());
  ASSERT_TRUE(store.ok());
  std::vector<model::Event> later{{0, "aaa", 10000, model::Note{{}, "later"}}};
  ASSERT_TRUE((*store)->append(later).ok());
  EXPECT_FALSE(fs::exists(races() / "aaa"));
  EXPECT_TRUE((*store)->findings().empty());
}

TEST_F(EventStoreTest, TheUptimeOfAnEventComesBackWithIt) {
  auto store = EventStore::open(file());
  ASSERT_TRUE(store.ok());
  const Uptime up{"3a4c8d1e-0b1f-4c5d-9a7e-2f6b8c0d1e3f", 123'456};
  // Bodies that end with what looks like one, and one without members.
  std::vector<model::Event> events{
      created("aaa", "/repo"),
      {0, "aaa", 2, model::Note{{}, R"(","_up":["x",1]})"}, up},
      {0, "aaa", 3, model::RacePrepared{}, up},
      {0, "aaa", 4, model::Note{{}, R"(","_up":["x",1]})"}},
  };
  ASSERT_TRUE((*store)->append(events).ok());
  const auto back = (*store)->events("aaa", 0);
  ASSERT_TRUE(back.ok()) << describe(back.error());
  ASSERT_EQ(back->size(), 4u);
  EXPECT_EQ((*back)[0].up, Uptime{});
  EXPECT_EQ((*back)[1].up, up);
  EXPECT_EQ((*back)[2].up, up);
  EXPECT_EQ((*back)[3].up, Uptime{});
  EXPECT_EQ(std::get<model::Note>((*back)[1].body).text, R"(","_up":["x",1]})");
}

}  // namespace
}  // namespace hydra::storage
