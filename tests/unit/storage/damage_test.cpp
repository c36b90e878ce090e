// Databases with other bytes than were written: each is read right, or made again out of the copies of its
// events.
#include "base/files.hpp"
#include "model/json.hpp"
#include "storage/event_store.hpp"
#include "storage/history.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace hydra::storage::damage_test {
namespace {

namespace fs = std::filesystem;

using Text = std::vector<std::string>;

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-damage-XXXXXX";
    directory_ = ::mkdtemp(pattern);
  }
  void TearDown() override { (void)remove_tree(directory_); }
  [[nodiscard]] fs::path file() const { return directory_ / "hydra.db"; }
  [[nodiscard]] fs::path races() const { return directory_ / "races"; }
  [[nodiscard]] fs::path mark() const { return file().string() + ".damage"; }

  std::unique_ptr<EventStore> open() {
    auto store = EventStore::open(file(), races());
    EXPECT_TRUE(store.ok()) << describe(store.error());
    return store.ok() ? std::move(*store) : nullptr;
  }
  /// Three ended races with a winner, a history and forty notes each.
  void fill(std::size_t note = 200) {
    const auto store = open();
    for (const std::string id : {"aaa", "bbb", "ccc"}) {
      model::RaceSpec spec;
      spec.id = id;
      spec.created_ms = 1000;
      spec.repository.root = "/repo";
      spec.agents = {{"codex", "codex", ""}};
      std::vector<model::Event> events{{0, id, 1000, model::RaceCreated{spec}}};
      for (int i = 0; i < 40; ++i)
        events.push_back({0, id, 1001 + i, model::Note{{}, id + std::to_string(i) + std::string(note, '.')}});
      model::Ranking ranking;
      ranking.winner = "codex";
      events.push_back({0, id, 8000, model::ScoringResult{ranking}});
      events.push_back({0, id, 9000, model::RaceEnded{model::RaceEnd::done}});
      ASSERT_TRUE(store->append(events).ok());
      model::HistoryRace history;
      history.race = id;
      history.through = events.back().id;
      history.attempts.resize(2);
      history.attempts[0].name = "codex";
      history.attempts[1].name = "claude";
      ASSERT_TRUE(store->put_history(history).ok());
    }
  }
  /// All that a reader is told of the three races.
  static Text told(EventStore& store) {
    Text all;
    const auto rows = store.races({}, 100);
    EXPECT_TRUE(rows.ok()) << describe(rows.error());
    for (const auto& row : rows.ok() ? *rows : std::vector<RaceRow>{})
      all.push_back(row.id + " " + row.state + " " + row.winner + " " + row.repository);
    for (const char* id : {"aaa", "bbb", "ccc"}) {
      const auto events = store.events(id, 0);
      EXPECT_TRUE(events.ok()) << describe(events.error());
      for (const auto& event : events.ok() ? *events : std::vector<model::Event>{})
        all.push_back(event.race + " " + std::to_string(event.at_ms) + " " + model::to_json(event.body));
    }
    return all;
  }
  static std::string first_difference(const Text& a, const Text& b) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      if (i >= a.size() || i >= b.size() || a[i] != b[i])
        return (i < a.size() ? a[i].substr(0, 100) : "nothing") + " | " +
               (i < b.size() ? b[i].substr(0, 100) : "nothing");
    return {};
  }
  [[nodiscard]] std::size_t kept() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      const auto name = entry.path().filename().string();
      if (name.find(".damaged-") != std::string::npos && !name.ends_with("-wal") && !name.ends_with("-shm"))
        ++count;
    }
    return count;
  }
  void run(const std::string& sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  void replace(const fs::path& in, const std::string& what, const std::string& with) const {
    auto bytes = read_file(in).value_or("");
    const auto at = bytes.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    bytes.replace(at, what.size(), with);
    ASSERT_TRUE(write_file(in, bytes).ok());
  }

  fs::path directory_;
};

TEST_F(Damage, AHundredDatabasesWithOtherBytesAreReadRightOrMadeAgain) {
  fill();
  const auto whole = told(*open());
  ASSERT_EQ(whole.size(), 3 + 3 * 43u);
  const auto bytes = read_file(file()).value();
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    auto other = bytes;
    std::mt19937 random(seed);
    for (unsigned flips = 1 + seed % 64; flips > 0;) {
      // At 60 stands the number of the schema: a database of another one is refused.
      const auto at = random() % other.size();
      if (at / 4 == 15) continue;
      other[at] = static_cast<char>(other[at] ^ static_cast<char>(1u << random() % 8));
      --flips;
    }
    for (const char* end : {"-wal", "-shm"}) fs::remove(file().string() + end);
    ASSERT_TRUE(write_file(file(), other).ok());
    const auto store = open();
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(first_difference(told(*store), whole), "");
    const auto read = read_history(file(), {}, [](const model::HistoryRace& race) {
      EXPECT_EQ(race.attempts.size(), 2u);
      return true;
    });
    EXPECT_TRUE(read.ok()) << describe(read.error());
    std::vector<model::Event> more{{0, "aaa", 10000, model::Note{{}, "after"}}};
    EXPECT_TRUE(store->append(more).ok());
    // The note of before is no part of what is compared next.
    ASSERT_TRUE(remove_tree(directory_).ok());
    fs::create_directories(directory_);
    fill();
  }
}

// The pages are in order, and the record reads well: only its checksum tells.
TEST_F(Damage, OneLetterOfARecordIsRead) {
  for (const auto& [what, with] : {std::pair{"aaa7.", "aaa8."}, {"]donecodex", "]dinecodex"}}) {
    SCOPED_TRACE(what);
    fill();
    const auto whole = told(*open());
    replace(file(), what, with);
    const auto store = open();
    EXPECT_EQ(first_difference(told(*store), whole), "");
    EXPECT_EQ(kept(), 1u);
    ASSERT_TRUE(remove_tree(directory_).ok());
    fs::create_directories(directory_);
  }
}

TEST_F(Damage, AnotherSchemaIsMovedAside) {
  for (const char* sql : {"CREATE TABLE of_somebody (x)", "DROP INDEX events_by_race",
                          "ALTER TABLE events RENAME COLUMN at_ms TO at_m", "PRAGMA user_version = 0",
                          "CREATE TRIGGER t AFTER INSERT ON races BEGIN DELETE FROM events; END"}) {
    SCOPED_TRACE(sql);
    fill();
    const auto whole = told(*open());
    run(sql);
    const auto store = open();
    EXPECT_EQ(first_difference(told(*store), whole), "");
    EXPECT_EQ(kept(), 1u);
    EXPECT_FALSE(store->findings().empty());
    ASSERT_TRUE(remove_tree(directory_).ok());
    fs::create_directories(directory_);
  }
}

TEST_F(Damage, ALineOfACopyWithAnotherByteIsNotRead) {
  fill();
  const auto whole = told(*open());
  replace(races() / "aaa/events.jsonl", "aaa7.", "aaa8.");
  fs::remove(file());
  for (const char* end : {"-wal", "-shm"}) fs::remove(file().string() + end);
  const auto store = open();
  auto expected = whole;
  std::erase_if(expected, [](const auto& line) { return line.find("aaa7.") != std::string::npos; });
  EXPECT_EQ(first_difference(told(*store), expected), "");
}

// Each of both lacks another event.
TEST_F(Damage, DatabaseAndCopyAreJoined) {
  fill();
  const auto whole = told(*open());
  replace(races() / "aaa/events.jsonl", "aaa7.", "aaa8.");
  replace(file(), "aaa9.", "aaa0.");
  EXPECT_EQ(first_difference(told(*open()), whole), "");
}

TEST_F(Damage, AMarkedDatabaseIsRepairedAtTheNextStart) {
  fill();
  const auto whole = told(*open());
  ASSERT_TRUE(write_file(mark(), "").ok());
  const auto store = open();
  EXPECT_EQ(first_difference(told(*store), whole), "");
  EXPECT_EQ(kept(), 1u);
  EXPECT_FALSE(fs::exists(mark()));
}

TEST_F(Damage, AnErrorNamesTheDiskOnlyWhereItIsFull) {
  fs::create_directories(file());
  const auto store = EventStore::open(file(), races());
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(describe(store.error()).find("disk"), std::string::npos) << describe(store.error());
  EXPECT_NE(store.error().hint, "");
}

}  // namespace
}  // namespace hydra::storage::damage_test
