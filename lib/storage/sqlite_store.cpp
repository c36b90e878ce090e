#include "base/files.hpp"
#include "model/json.hpp"
#include "storage/event_store.hpp"
#include "storage/history_tables.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <array>

namespace hydra::storage {
namespace {

constexpr int kSchema = 3;

constexpr const char* kTables = R"sql(
CREATE TABLE IF NOT EXISTS events (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  race  TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  body  TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS events_by_race ON events (race, id);
CREATE TABLE IF NOT EXISTS races (
  id         TEXT PRIMARY KEY,
  created_ms INTEGER NOT NULL,
  repository TEXT NOT NULL,
  task       TEXT NOT NULL,
  agents     TEXT NOT NULL,
  state      TEXT NOT NULL,
  winner     TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS evidence_cache (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at_ms INTEGER NOT NULL);
)sql";

/// What leads from schema N to N+1, in order, beginning with 1. Each only adds: what is stored is never
/// rewritten.
constexpr std::array<const char*, kSchema - 1> kSteps{
    "CREATE INDEX IF NOT EXISTS races_by_time ON races (created_ms, id)",
    kHistoryTables,
};

/// Events that name a result's branch, or make a result that may have none. As the index has it: only then it
/// is used.
constexpr const char* kBranchEvents = "kind IN ('published', 'combined')";

Error storage_error(std::string_view what, const std::exception& e) {
  const std::string_view said = e.what();
  const bool broken = said.find("not a database") != std::string_view::npos ||
                      said.find("malformed") != std::string_view::npos;
  return {
      Errc::io, fmt::format("{}: {}", what, said), "database",
      broken ? "it is damaged: move it away and Hydra begins a new one; branches hydra/* and the captures in "
               "races/ are not in it"
             : "is the disk full?"};
}

Error newer(int version) {
  return {Errc::environment,
          fmt::format("the database is of a newer Hydra (schema {} > {})", version, kSchema), "database",
          "upgrade hydra; this version changes nothing in it"};
}

/// Before anything is prepared: a database of a newer Hydra is not written to.
Result<void> check_version(const std::filesystem::path& file) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec) || std::filesystem::file_size(file, ec) == 0) return {};
  const auto look = [&](int how) -> Result<void> {
    SQLite::Database database(file.string(), how);
    database.setBusyTimeout(5000);
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    return version > kSchema ? Result<void>(newer(version)) : Result<void>();
  };
  try {
    // The last connection that may write moves the log into the file when it is closed.
    return look(SQLite::OPEN_READONLY);
  } catch (const SQLite::Exception&) {
    // What a crash left may have to be brought in order before it can be read.
    return look(SQLite::OPEN_READWRITE);
  }
}

/// What somebody was told or what must not happen twice. Everything else can be found again by the same
/// idempotent effects (an agent's end in its attempt's result.json, a capture in its directory), and a sync
/// costs milliseconds.
bool must_survive_power_loss(const model::EventBody& body) {
  return std::holds_alternative<model::RaceCreated>(body) ||
         std::holds_alternative<model::AgentStarting>(body) ||
         std::holds_alternative<model::CancelRequested>(body) ||
         std::holds_alternative<model::ScoringResult>(body) ||
         std::holds_alternative<model::RaceEnded>(body) || std::holds_alternative<model::Merged>(body) ||
         std::holds_alternative<model::MergeRefused>(body) ||
         std::holds_alternative<model::MergeUndone>(body) ||
         std::holds_alternative<model::TestsApproved>(body) || std::holds_alternative<model::Combined>(body);
}

class SqliteStore final : public EventStore {
 public:
  explicit SqliteStore(const std::filesystem::path& file)
      : database_(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
    database_.setBusyTimeout(5000);
    database_.exec("PRAGMA journal_mode = WAL");
    database_.exec("PRAGMA synchronous = FULL");
    database_.exec("PRAGMA journal_size_limit = 4194304");
    database_.exec("PRAGMA cache_size = -1024");
  }

  Result<void> migrate() {
    try {
      const int version = database_.execAndGet("PRAGMA user_version").getInt();
      if (version == kSchema) return merges_by_race();
      // One transaction: a crash leaves the old schema or the new one.
      SQLite::Transaction transaction(database_);
      for (int step = std::max(version, 1); step < kSchema; ++step)
        database_.exec(kSteps[static_cast<std::size_t>(step) - 1]);
      database_.exec(fmt::format("PRAGMA user_version = {}", kSchema));
      transaction.commit();
      return merges_by_race();
    } catch (const std::exception& e) {
      return storage_error("cannot prepare the database", e);
    }
  }

  /// A few rows of many. No step of the schema: programs that do not know it go on as before.
  Result<void> merges_by_race() {
    try {
      database_.exec(
          "CREATE INDEX IF NOT EXISTS events_of_merges ON events (race, id) WHERE kind = 'merged'");
      database_.exec(fmt::format("CREATE INDEX IF NOT EXISTS events_of_branches ON events (race) WHERE {}",
                                 kBranchEvents));
    } catch (const std::exception&) {
      // A full disk: without them lists take longer, nothing else.
    }
    return {};
  }

  /// Of the next transaction. One that is synced takes all before it to the disk too: what a power loss
  /// leaves is always a beginning of the log. A crash of the daemon loses nothing either way.
  void sync(bool full) {
    if (full == full_sync_) return;
    database_.exec(full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    full_sync_ = full;
  }

  Result<void> append(std::vector<model::Event>& events) override {
    if (events.empty()) return {};
    try {
      sync(std::any_of(events.begin(), events.end(),
                       [](const auto& event) { return must_survive_power_loss(event.body); }));
      SQLite::Transaction transaction(database_);
      for (auto& event : events) {
        insert_event_.reset();
        insert_event_.bind(1, event.race);
        insert_event_.bind(2, event.at_ms);
        insert_event_.bind(3, std::string(model::kind(event.body)));
        insert_event_.bind(4, model::to_json(event.body));
        insert_event_.exec();
        event.id = database_.getLastInsertRowid();
        update_summary(event);
      }
      transaction.commit();
      return {};
    } catch (const std::exception& e) {
      return storage_error("cannot store events", e);
    }
  }

  Result<std::vector<model::Event>> events(const std::string& race, std::int64_t after) override {
    try {
      std::vector<model::Event> found;
      SQLite::Statement query(
          database_, "SELECT id, at_ms, kind, body FROM events WHERE race = ? AND id > ? ORDER BY id");
      query.bind(1, race);
      query.bind(2, after);
      while (query.executeStep()) {
        model::Event event;
        event.id = query.getColumn(0).getInt64();
        event.race = race;
        event.at_ms = query.getColumn(1).getInt64();
        HYDRA_TRY(event.body,
                  model::event_from_json(query.getColumn(2).getString(), query.getColumn(3).getString()));
        found.push_back(std::move(event));
      }
      return found;
    } catch (const std::exception& e) {
      return storage_error("cannot read events", e);
    }
  }

  // In the order in which they began, whatever the clock said then: a row is made once and never goes.
  Result<std::vector<RaceRow>> races(const std::string& repository, std::size_t limit) override {
    return rows(
        "SELECT id, created_ms, repository, task, agents, state, winner FROM races "
        "WHERE ?1 = '' OR repository = ?1 ORDER BY rowid DESC LIMIT ?2",
        repository, limit);
  }

  Result<std::vector<RaceRow>> merged_races() override {
    return rows(
        "SELECT r.id, r.created_ms, r.repository, r.task, r.agents, r.state, r.winner FROM "
        "(SELECT race, MAX(id) AS newest FROM events WHERE kind = 'merged' GROUP BY race) "
        "JOIN races r ON r.id = race WHERE ?1 = '' ORDER BY newest DESC LIMIT ?2",
        {}, 1000);
  }

  Result<std::vector<RaceRow>> rows(const char* sql, const std::string& first, std::size_t limit) {
    try {
      std::vector<RaceRow> found;
      SQLite::Statement query(database_, sql);
      query.bind(1, first);
      query.bind(2, static_cast<std::int64_t>(limit));
      while (query.executeStep()) {
        RaceRow row;
        row.id = query.getColumn(0).getString();
        row.created_ms = query.getColumn(1).getInt64();
        row.repository = query.getColumn(2).getString();
        row.task = query.getColumn(3).getString();
        row.agents = nlohmann::json::parse(query.getColumn(4).getString()).get<std::vector<std::string>>();
        row.state = query.getColumn(5).getString();
        row.winner = query.getColumn(6).getString();
        found.push_back(std::move(row));
      }
      return found;
    } catch (const std::exception& e) {
      return storage_error("cannot list races", e);
    }
  }

  Result<std::vector<std::string>> races_with_branch(const std::string& prefix) override {
    // What is not in such a name is escaped in the text of an event, and finds nothing.
    return ids(
        fmt::format("SELECT DISTINCT e.race FROM events e JOIN races r ON r.id = e.race WHERE e.{} AND "
                    "(e.kind = 'combined' OR instr(e.body, ?1) > 0) "
                    "ORDER BY r.rowid DESC LIMIT 1000",
                    kBranchEvents)
            .c_str(),
        "\"" + prefix);
  }

  Result<std::vector<std::string>> open_races() override {
    return ids("SELECT id FROM races WHERE state = 'running' ORDER BY rowid", {});
  }

  Result<std::vector<std::string>> races_with_prefix(const std::string& prefix) override {
    return ids("SELECT id FROM races WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2", prefix);
  }

  Result<void> put_history(const model::HistoryRace& race) override {
    try {
      sync(false);  // a power loss leaves it stale at worst
      write_history(database_, race);
      return {};
    } catch (const std::exception& e) {
      return storage_error("cannot store the history", e);
    }
  }

  Result<std::vector<std::string>> stale_history(std::size_t limit) override {
    return ids(fmt::format("{} LIMIT {}", kStaleHistory, limit).c_str(), {});
  }

  Result<void> clear_history() override {
    try {
      database_.exec("DELETE FROM history_attempts; DELETE FROM history_races");
      return {};
    } catch (const std::exception& e) {
      return storage_error("cannot clear the history", e);
    }
  }

  std::optional<std::string> cached(const std::string& key) override {
    try {
      SQLite::Statement query(database_, "SELECT value FROM evidence_cache WHERE key = ?");
      query.bind(1, key);
      if (query.executeStep()) return query.getColumn(0).getString();
    } catch (const std::exception&) {
      // A cache that can't be read is an empty cache.
    }
    return std::nullopt;
  }

  void put_cached(const std::string& key, const std::string& value, std::int64_t at_ms) override {
    try {
      SQLite::Statement insert(database_,
                               "INSERT OR REPLACE INTO evidence_cache (key, value, at_ms) VALUES (?, ?, ?)");
      insert.bind(1, key);
      insert.bind(2, value);
      insert.bind(3, at_ms);
      insert.exec();
      database_.exec(
          "DELETE FROM evidence_cache WHERE key NOT IN (SELECT key FROM evidence_cache ORDER BY at_ms DESC "
          "LIMIT 200)");
    } catch (const std::exception&) {
      // Not cached: the next race runs the baseline again.
    }
  }

 private:
  // The list's row of a race follows from its events, in the same transaction.
  void update_summary(const model::Event& event) {
    if (const auto* created = std::get_if<model::RaceCreated>(&event.body)) {
      nlohmann::json agents = nlohmann::json::array();
      // What verifies another race is listed as little as a check of the baseline.
      if (created->spec.verifies.empty())
        for (const auto& agent : created->spec.agents) agents.push_back(agent.name);
      SQLite::Statement insert(database_,
                               "INSERT INTO races (id, created_ms, repository, task, agents, state, winner) "
                               "VALUES (?, ?, ?, ?, ?, 'running', '')");
      insert.bind(1, event.race);
      insert.bind(2, created->spec.created_ms);
      insert.bind(3, created->spec.repository.root);
      insert.bind(4, created->spec.task.substr(0, 1000));
      insert.bind(5, agents.dump());
      insert.exec();
    } else if (const auto* ended = std::get_if<model::RaceEnded>(&event.body)) {
      set("UPDATE races SET state = ? WHERE id = ?", ended->state, event.race);
    } else if (std::holds_alternative<model::RetryRequested>(event.body) ||
               std::holds_alternative<model::Combined>(event.body)) {
      set("UPDATE races SET state = ? WHERE id = ?", "running", event.race);
    } else if (const auto* result = std::get_if<model::ScoringResult>(&event.body)) {
      set("UPDATE races SET winner = ? WHERE id = ?", result->ranking.winner, event.race);
    }
  }

  void set(const char* sql, const std::string& value, const std::string& race) {
    SQLite::Statement update(database_, sql);
    update.bind(1, value);
    update.bind(2, race);
    update.exec();
  }

  Result<std::vector<std::string>> ids(const char* sql, const std::optional<std::string>& parameter) {
    try {
      std::vector<std::string> found;
      SQLite::Statement query(database_, sql);
      if (parameter) query.bind(1, *parameter);
      while (query.executeStep()) found.push_back(query.getColumn(0).getString());
      return found;
    } catch (const std::exception& e) {
      return storage_error("cannot list races", e);
    }
  }

  SQLite::Database database_;
  bool full_sync_ = true;
  SQLite::Statement insert_event_{prepare_events()};

  SQLite::Statement prepare_events() {
    database_.exec(kTables);
    return {database_, "INSERT INTO events (race, at_ms, kind, body) VALUES (?, ?, ?, ?)"};
  }
};

}  // namespace

Result<std::unique_ptr<EventStore>> EventStore::open(const std::filesystem::path& file) {
  try {
    HYDRA_CHECK(check_version(file));
    auto store = std::make_unique<SqliteStore>(file);
    HYDRA_CHECK(store->migrate());
    return std::unique_ptr<EventStore>(std::move(store));
  } catch (const std::exception& e) {
    auto error = storage_error("cannot open the database", e);
    error.where = file.string();
    return error;
  }
}

}  // namespace hydra::storage
