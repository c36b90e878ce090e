// The engine with a real database, and nothing behind it that carries out commands.
#include "race/engine.hpp"

#include "base/files.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <stdlib.h>

namespace hydra::race {
namespace {

using ::testing::ElementsAre;

struct NoJobs final : exec::Executor {
  [[nodiscard]] exec::ExecutorCaps caps() const override { return {}; }
  Result<void> submit(const exec::JobSpec&, OnEnd) override { return {}; }
  void cancel(const std::string&) override {}
  void release(const std::string&) override {}
  [[nodiscard]] std::vector<std::string> running() const override { return {}; }
};

struct Idle final : Engine {
  using Engine::Engine;
  ~Idle() override { join(); }
  void carry_out(const RacePtr&, const Command&) override {}
  void note_stored(const model::Event&) override {}
  void note_told(const model::Event&) override {}
};

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    std::string pattern = "/tmp/hydra-engine-XXXXXX";
    options.paths.state = ::mkdtemp(pattern.data());
    options.pool_threads = 1;
    auto opened = storage::EventStore::open(database());
    store = std::move(opened).value();
    engine = std::make_unique<Idle>(loop, options, *store, jobs, clock, ids);
    engine->enter(engine->make_race("r"));
  }
  ~EngineTest() override {
    engine.reset();
    store.reset();
    (void)remove_tree(options.paths.state);
  }
  [[nodiscard]] fs::path database() const { return options.paths.state / "hydra.db"; }
  std::function<void()> saying(const std::string& what) {
    return [this, what] { said.push_back(what); };
  }

  Service::Options options;
  boost::asio::io_context loop;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{loop.get_executor()};
  NoJobs jobs;
  SystemClock clock;
  RandomIds ids;
  std::unique_ptr<storage::EventStore> store;
  std::unique_ptr<Idle> engine;
  std::vector<std::string> said;
};

/// Keeps every writer of the database waiting.
class Busy {
 public:
  explicit Busy(const fs::path& database) {
    EXPECT_EQ(sqlite3_open(database.c_str(), &connection_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { sqlite3_close(connection_); }

 private:
  sqlite3* connection_ = nullptr;
};

TEST_F(EngineTest, WhoAsksDoesNotWaitForTheDiskAndEventsKeepTheirOrder) {
  auto busy = std::make_unique<Busy>(database());
  engine->emit("r", model::CancelRequested{}, saying("what is synced"));
  boost::asio::post(loop, [&] {
    said.emplace_back("who asks");
    engine->emit("r", model::Note{{}, "meanwhile"}, saying("what is not"));
    EXPECT_EQ(engine->problem(), "");
    busy.reset();
  });
  while (said.size() < 3) loop.run_one();
  EXPECT_THAT(said, ElementsAre("who asks", "what is synced", "what is not"));
  const auto stored = store->events("r", 0);
  ASSERT_TRUE(stored.ok());
  ASSERT_EQ(stored->size(), 2u);
  EXPECT_TRUE(std::holds_alternative<model::CancelRequested>(stored->front().body));
}

TEST_F(EngineTest, AskedEventsThatCannotBeStoredAreAnsweredAndDropped) {
  const auto change = [&](const char* sql) {
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(database().c_str(), &other), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(other, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(other);
    sqlite3_close(other);
  };
  change("ALTER TABLE events RENAME TO away");
  engine->emit("r", model::Note{{}, "happened"}, saying("kept"));
  engine->ask("r", {model::Decided{}, model::CancelRequested{}}, [&](const Result<void>& stored) {
    said.emplace_back(stored.ok() ? "stored" : "refused");
    change("ALTER TABLE away RENAME TO events");
  });
  while (said.size() < 2) loop.run_one();
  EXPECT_THAT(said, ElementsAre("refused", "kept"));
  engine->ask("r", {model::Decided{}, model::CancelRequested{}},
              [&](const Result<void>& stored) { said.emplace_back(stored.ok() ? "stored" : "refused"); });
  while (said.size() < 3) loop.run_one();
  EXPECT_EQ(said.back(), "stored");
  const auto stored = store->events("r", 0);
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->size(), 3u);
}

TEST_F(EngineTest, KeepingEvidenceDoesNotWaitForTheDisk) {
  auto busy = std::make_unique<Busy>(database());
  engine->put_cached("key", "evidence");
  busy.reset();  // reached only if the call does not wait for the lock
  engine.reset();
  EXPECT_EQ(store->cached("key"), "evidence");
}

TEST_F(EngineTest, DrainsOnlyWhenEveryEventIsStored) {
  auto busy = std::make_unique<Busy>(database());
  engine->emit("r", model::Note{{}, "with the writer"}, saying(""));
  engine->emit("r", model::CancelRequested{}, saying(""));
  boost::asio::post(loop, [&] {
    engine->emit("r", model::CancelRequested{}, saying(""));  // behind the batch that waits for the disk
    engine->drain(saying("drained"));
    boost::asio::post(loop, [&] {
      EXPECT_THAT(said, ::testing::Not(::testing::Contains("drained")));
      busy.reset();
    });
  });
  while (said.empty() || said.back() != "drained") loop.run_one();
  const auto stored = store->events("r", 0);
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->size(), 3u);
}

TEST_F(EngineTest, DrainsAtOnceWithNothingToStore) {
  engine->drain(saying("drained"));
  while (said.empty()) loop.run_one();
  EXPECT_THAT(said, ElementsAre("drained"));
}

TEST_F(EngineTest, EachIsToldOnceAndInOrderWhateverIsSynced) {
  std::vector<std::int64_t> told;
  engine->emit("r", model::Note{{}, "first"}, saying(""));
  while (said.empty()) loop.run_one();
  const auto subscribed =
      engine->subscribe("r", 0, [&](const model::Event& event) { told.push_back(event.id); });
  ASSERT_TRUE(subscribed.ok());
  for (int i = 0; i < 40; ++i) {
    if (i % 3 == 0)
      engine->emit("r", model::CancelRequested{}, saying(""));
    else
      engine->emit("r", model::Note{{}, "next"}, saying(""));
    if (i % 5 == 0) loop.run_one();  // some are emitted while others are being stored
  }
  while (said.size() < 41) loop.run_one();
  std::vector<std::int64_t> all;
  const auto stored = store->events("r", 0);
  ASSERT_TRUE(stored.ok());
  for (const auto& event : *stored) all.push_back(event.id);
  EXPECT_EQ(all.size(), 41u);
  EXPECT_EQ(told, all);
}

// A merge after the end is an event of a race that is not in memory.
TEST_F(EngineTest, AnEndedRaceTellsItsWatchersWhatIsRecordedOfIt) {
  const auto ended = engine->make_race("old");
  ended->state.spec.id = "old";
  engine->record(ended, model::Note{{}, "before"});
  std::vector<std::string> told;
  const auto subscribed = engine->subscribe(
      "old", 0, [&](const model::Event& event) { told.emplace_back(model::kind(event.body)); });
  ASSERT_TRUE(subscribed.ok());
  engine->record(ended, model::Merged{"a", "c", "refs/heads/main", false, "b", {}},
                 [&](const Result<void>& r) {
                   EXPECT_TRUE(r.ok());
                   EXPECT_THAT(told, ElementsAre("note", "merged"));
                 });
  EXPECT_THAT(told, ElementsAre("note", "merged"));
}

// A race with 100,000 tests takes a while to fold; questions about it come in pairs, a state and its results.
TEST_F(EngineTest, AnEndedRaceIsFoldedOnceUntilAnEventOfItIsStored) {
  const auto ended = engine->make_race("old");
  ended->state.spec.id = "old";
  engine->record(ended, model::Note{{}, "before"});
  const auto first = engine->load("old"), second = engine->load("old");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_THAT((*first)->state.notes, ElementsAre("before"));
  engine->record(ended, model::Note{{}, "recorded"});
  EXPECT_THAT(engine->load("old").value()->state.notes, ElementsAre("before", "recorded"));
  engine->ask("old", {model::Note{{}, "asked"}}, [&](const Result<void>&) { said.emplace_back("stored"); });
  while (said.empty()) loop.run_one();
  EXPECT_THAT(engine->load("old").value()->state.notes, ElementsAre("before", "recorded", "asked"));
}

}  // namespace
}  // namespace hydra::race
