// Databases of schema 1 and of others.
#include "base/files.hpp"
#include "storage/event_store.hpp"
#include "storage/sum.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <unistd.h>

namespace hydra::storage {
namespace {

class Schema : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-migration-XXXXXX";
    directory_ = ::mkdtemp(pattern);
    file_ = directory_ / "hydra.db";
    know_sums();
  }
  void TearDown() override { (void)remove_tree(directory_); }

  std::string run(const std::string& sql) const {
    sqlite3* db = nullptr;
    std::string text;
    EXPECT_EQ(sqlite3_open(file_.c_str(), &db), SQLITE_OK);
    const auto add = [](void* to, int columns, char** values, char**) {
      for (int i = 0; i < columns; ++i)
        *static_cast<std::string*>(to) += std::string(values[i] == nullptr ? "" : values[i]) + "\n";
      return 0;
    };
    char* problem = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), add, &text, &problem), SQLITE_OK) << (problem ? problem : "");
    sqlite3_free(problem);
    sqlite3_close(db);
    return text;
  }
  void load_recorded() const {
    const auto sql = read_file(places::golden("/storage/race.sql"));
    ASSERT_TRUE(sql.ok());
    run(*sql);
  }

  std::filesystem::path directory_, file_;
};

TEST_F(Schema, ARecordedDatabaseIsReadAndKeepsEverything) {
  load_recorded();
  const auto before = run("SELECT id, race, at_ms, kind, body FROM events ORDER BY id");
  for (int again = 0; again < 2; ++again) {
    const auto store = EventStore::open(file_);
    ASSERT_TRUE(store.ok()) << describe(store.error());
    EXPECT_TRUE((*store)->findings().empty()) << (*store)->findings().front();
    const auto races = (*store)->races({}, 10);
    ASSERT_TRUE(races.ok());
    ASSERT_EQ(races->size(), 1u);
    EXPECT_EQ((*races)[0].task, "make it better");
    EXPECT_EQ((*races)[0].state, "done");
    EXPECT_EQ((*races)[0].winner, "a");
    const auto events = (*store)->events((*races)[0].id, 0);
    ASSERT_TRUE(events.ok()) << describe(events.error());
    EXPECT_TRUE(std::holds_alternative<model::RaceEnded>(events->back().body));
    const auto stale = (*store)->stale_history(10);
    ASSERT_TRUE(stale.ok()) << describe(stale.error());
    EXPECT_EQ(*stale, std::vector<std::string>{(*races)[0].id}) << "its history is still to be made";
  }
  EXPECT_EQ(run("PRAGMA user_version"), "1\n");
  EXPECT_EQ(run("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(run("SELECT id, race, at_ms, kind, body FROM events ORDER BY id"), before);
  const auto insert =
      run("EXPLAIN INSERT INTO events (race, at_ms, kind, body) VALUES ('r', 1, 'note', '{}')");
  EXPECT_EQ(insert.find("OpenEphemeral"), std::string::npos) << "a temporary table for each event";
}

TEST_F(Schema, ANewDatabaseHasSchema1) {
  ASSERT_TRUE(EventStore::open(file_).ok());
  EXPECT_EQ(run("PRAGMA user_version"), "1\n");
}

TEST_F(Schema, ADatabaseOfAnotherProgramIsMovedAsideAndKept) {
  run("CREATE TABLE events (x)");
  const auto before = read_file(file_);
  const auto store = EventStore::open(file_);
  ASSERT_TRUE(store.ok()) << describe(store.error());
  ASSERT_EQ((*store)->findings().size(), 1u);
  const auto said = (*store)->findings().front();
  const auto at = said.find(file_.string());
  ASSERT_NE(at, std::string::npos) << said;
  EXPECT_EQ(*read_file(said.substr(at, said.find(';') - at)), *before);
}

TEST_F(Schema, ANewerDatabaseIsRefusedAndNotWrittenTo) {
  load_recorded();
  run("CREATE TABLE of_the_future (x); PRAGMA user_version = 99");
  const auto before = read_file(file_);
  const auto store = EventStore::open(file_);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, Errc::environment);
  EXPECT_NE(describe(store.error()).find("schema 99"), std::string::npos) << describe(store.error());
  EXPECT_EQ(*read_file(file_), *before);
  EXPECT_FALSE(std::filesystem::exists(file_.string() + "-wal"));
}

// A daemon that was killed leaves a log beside the file. Its last words are read, and stay where they are.
TEST_F(Schema, ANewerDatabaseWithALogBesideItIsRefusedAndNotWrittenTo) {
  load_recorded();
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file_.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99",
                   nullptr, nullptr, nullptr),
      SQLITE_OK);
  const auto copy = directory_ / "killed.db";
  for (const char* end : {"", "-wal"}) std::filesystem::copy_file(file_.string() + end, copy.string() + end);
  sqlite3_close(db);
  file_ = copy;
  const auto before = read_file(file_), log = read_file(file_.string() + "-wal");
  ASSERT_FALSE(log->empty());
  const auto store = EventStore::open(file_);
  ASSERT_FALSE(store.ok());
  EXPECT_NE(describe(store.error()).find("schema 99"), std::string::npos) << describe(store.error());
  EXPECT_EQ(*read_file(file_), *before);
  ASSERT_TRUE(std::filesystem::exists(file_.string() + "-wal"));
  EXPECT_EQ(*read_file(file_.string() + "-wal"), *log);
}

TEST_F(Schema, ADatabaseWhoseBeginningIsDamagedIsReadAllTheSame) {
  load_recorded();
  auto bytes = *read_file(file_);
  bytes.replace(0, 16, "no database at a");
  ASSERT_TRUE(write_file(file_, bytes).ok());
  const auto store = EventStore::open(file_);
  ASSERT_TRUE(store.ok()) << describe(store.error());
  const auto rows = (*store)->races({}, 10);
  ASSERT_TRUE(rows.ok()) << describe(rows.error());
  EXPECT_FALSE(rows->empty());
  for (const auto& row : *rows) EXPECT_TRUE((*store)->events(row.id, 0).ok()) << row.id;
  ASSERT_EQ((*store)->findings().size(), 1u);
}

}  // namespace
}  // namespace hydra::storage
