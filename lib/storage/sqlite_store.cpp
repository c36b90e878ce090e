#include "base/files.hpp"
#include "base/strings.hpp"
#include "model/json.hpp"
#include "storage/event_store.hpp"
#include "storage/history_tables.hpp"
#include "storage/race_log.hpp"
#include "storage/repair.hpp"
#include "storage/schema.hpp"
#include "storage/sum.hpp"
#include "storage/written.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace hydra::storage {
namespace {

/// Events that a user was told of, or that must not happen twice. Others are found again by idempotent
/// effects (result.json of an attempt, a capture's directory); a sync takes milliseconds.
template <class... Kinds>
bool is_one_of(const model::EventBody& body) {
  return (std::holds_alternative<Kinds>(body) || ...);
}
bool must_survive_power_loss(const model::Event& event) {
  using namespace model;
  return is_one_of<RaceCreated, AgentStarting, CancelRequested, ScoringResult, RaceEnded, Merged,
                   MergeRefused, MergeUndone, Rated, Judged, JudgesPlanned, TestsApproved, Decided, Combined>(
      event.body);
}

/// Races with agents whose repository is ?1 or above it; ?1 empty: of all repositories.
const std::string kRacesOf =
    " FROM races WHERE agents <> '[]' AND (?1 = '' OR ?1 = repository OR "
    "substr(?1, 1, length(repository) + 1) = rtrim(repository, '/') || '/')";

/// Columns that row_of() reads.
constexpr const char* kRow = HYDRA_RACE_COLUMNS ", " HYDRA_WHOLE(HYDRA_RACE_COLUMNS);

class SqliteStore final : public EventStore {
 public:
  SqliteStore(const std::filesystem::path& file, std::filesystem::path races)
      : file_(file),
        database_(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE),
        races_(std::move(races)) {
    database_.setBusyTimeout(5000);
    database_.exec("PRAGMA journal_mode = WAL");
    database_.exec("PRAGMA synchronous = FULL");
    database_.exec("PRAGMA journal_size_limit = 4194304");
    database_.exec("PRAGMA cache_size = -1024");
  }

  /// Sets the sync mode of the next transaction. A synced transaction also syncs all before it, so a power
  /// loss leaves a prefix of the log. A crash of the daemon loses nothing in either mode.
  void sync(bool full) {
    if (full == full_sync_) return;
    database_.exec(full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    full_sync_ = full;
  }

  Result<void> append(std::vector<model::Event>& events) override {
    if (events.empty()) return {};
    return guarded("cannot store events", [&]() -> Result<void> {
      sync(waits_for_disk(events));
      SQLite::Transaction transaction(database_);
      std::uint64_t bytes = 0;
      std::vector<std::string> bodies;
      bodies.reserve(events.size());
      for (auto& event : events) {
        const auto& body = bodies.emplace_back(stored_body(event));
        const std::string kind(model::kind(event.body));
        bytes += body.size();
        insert_event_.reset();
        insert_event_.bindNoCopy(1, event.race);
        insert_event_.bind(2, event.at_ms);
        insert_event_.bindNoCopy(3, kind);
        insert_event_.bindNoCopy(4, body);
        insert_event_.exec();
        event.id = database_.getLastInsertRowid();
        update_summary(database_, event);
      }
      transaction.commit();
      count_written(full_sync_, bytes);
      if (!races_.empty()) copy_events(races_, events, bodies);
      return {};
    });
  }

  Result<std::vector<model::Event>> events(const std::string& race, std::int64_t after) override {
    return select_events(race, after, "");
  }

  Result<std::vector<model::Event>> events_of_kinds(const std::string& race,
                                                    const std::vector<std::string>& kinds) override {
    std::string list;
    for (const auto& kind : kinds) list += (list.empty() ? "'" : ",'") + kind + "'";
    return select_events(race, 0, " AND kind IN (" + list + ")");
  }

  Result<std::vector<model::Event>> select_events(const std::string& race, std::int64_t after,
                                                  const std::string& more) {
    // The mutex is free while a body is read: one with 100,000 tests takes long.
    return caught("cannot read events", [&]() -> Result<std::vector<model::Event>> {
      std::vector<model::Event> found;
      std::unique_lock alone(mutex_);
      SQLite::Statement query(database_, "SELECT id, at_ms, kind, body, " HYDRA_WHOLE(
                                             HYDRA_EVENT_COLUMNS) " FROM events WHERE race = ? AND id > ?" +
                                             more + " ORDER BY id LIMIT 1");
      query.bind(1, race);
      for (;;) {
        query.bind(2, found.empty() ? after : found.back().id);
        if (!query.executeStep()) return found;
        model::Event event;
        event.id = query.getColumn(0).getInt64();
        event.race = race;
        event.at_ms = query.getColumn(1).getInt64();
        const auto kind = query.getColumn(2).getString();
        const auto body = query.getColumn(3).getString();
        const bool whole = query.getColumn(4).getInt() == 1;
        query.reset();
        alone.unlock();
        const bool read = whole && read_body(kind, body, event).ok();
        alone.lock();
        if (!whole) mark_damaged(file_);
        if (!read) {
          if (after == 0 && found.empty() && !whole_beginning(event)) return beginning_lost(race);
          event.body = instead_of(event, kind);
        }
        found.push_back(std::move(event));
      }
    });
  }

  // Ordered by rowid, the order of creation, independent of the clock: a row is made once and never removed.
  Result<std::vector<RaceRow>> races(const std::vector<std::string>& repositories,
                                     std::size_t limit) override {
    std::string places;
    for (std::size_t i = 0; i < repositories.size(); ++i) places += i == 0 ? "?" : ", ?";
    return rows(fmt::format("SELECT {} FROM races {} ORDER BY rowid DESC LIMIT {}", kRow,
                            places.empty() ? "" : "WHERE repository IN (" + places + ")", limit),
                repositories);
  }

  Result<std::vector<std::string>> known_races(const std::vector<std::string>& among) override {
    return ids("SELECT id FROM races WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY rowid DESC",
               nlohmann::json(among).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  Result<std::vector<std::string>> last_race(const std::string& directory) override {
    return ids(("SELECT id" + kRacesOf + " ORDER BY rowid DESC LIMIT 1").c_str(), directory);
  }

  Result<RacePage> race_page(const RaceQuery& asked) override {
    // Ordered as races(); a race that begins meanwhile does not shift pages.
    auto where = kRacesOf + " AND (?2 = '' OR state = ?2)";
    if (!asked.text.empty())
      where +=
          " AND (instr(lower(task), lower(?3)) > 0 OR instr(lower(agents), lower(?3)) > 0 OR "
          "substr(id, 1, length(?3)) = ?3)";
    return guarded("cannot list races", [&]() -> Result<RacePage> {
      RacePage page;
      SQLite::Statement query(database_, fmt::format("SELECT {}, rowid", kRow) + where +
                                             " AND (?4 = 0 OR rowid < ?4) ORDER BY rowid DESC LIMIT ?5");
      bind_query(query, asked);
      query.bind(4, asked.before);
      query.bind(5, static_cast<std::int64_t>(asked.limit) + 1);
      for (std::int64_t last = 0; query.executeStep(); last = query.getColumn(8).getInt64()) {
        if (page.rows.size() == asked.limit) {
          page.next = last;
          break;
        }
        page.rows.push_back(row_of(query));
      }
      SQLite::Statement count(database_, "SELECT count(*)" + where);
      bind_query(count, asked);
      if (count.executeStep()) page.total = count.getColumn(0).getInt64();
      return page;
    });
  }

  static void bind_query(SQLite::Statement& query, const RaceQuery& asked) {
    query.bind(1, asked.directory);
    query.bind(2, asked.state);
    if (!asked.text.empty()) query.bind(3, asked.text);
  }

  Result<std::vector<std::string>> repositories() override {
    return ids("SELECT DISTINCT repository FROM races", {});
  }

  Result<std::int64_t> last_event() override {
    return guarded("cannot read events", [&]() -> Result<std::int64_t> {
      SQLite::Statement query(database_, "SELECT max(id) FROM events");
      return query.executeStep() ? query.getColumn(0).getInt64() : 0;
    });
  }

  Result<std::vector<RaceRow>> merged_races() override {
    return rows(
        fmt::format("SELECT {} FROM (SELECT race, MAX(id) AS newest FROM events WHERE kind = 'merged' "
                    "GROUP BY race) JOIN races ON races.id = race ORDER BY newest DESC LIMIT 1000",
                    kRow),
        {});
  }

  static RaceRow row_of(SQLite::Statement& query) {
    RaceRow row;
    if (query.getColumn(7).getInt() != 1) throw Damage("a row of the list is not as it was written");
    row.id = query.getColumn(0).getString();
    row.created_ms = query.getColumn(1).getInt64();
    row.repository = query.getColumn(2).getString();
    row.task = query.getColumn(3).getString();
    const auto agents = nlohmann::json::parse(query.getColumn(4).getString(), nullptr, false);
    for (const auto& agent : agents)
      if (agent.is_string()) row.agents.push_back(agent.get<std::string>());
    row.state = query.getColumn(5).getString();
    row.winner = query.getColumn(6).getString();
    return row;
  }

  Result<std::vector<RaceRow>> rows(const std::string& sql, const std::vector<std::string>& values) {
    return guarded("cannot list races", [&]() -> Result<std::vector<RaceRow>> {
      std::vector<RaceRow> found;
      SQLite::Statement query(database_, sql);
      int at = 0;
      for (const auto& value : values) query.bind(++at, value);
      while (query.executeStep()) found.push_back(row_of(query));
      return found;
    });
  }

  Result<std::vector<std::string>> races_with_branch(const std::string& prefix) override {
    // Other characters are escaped in an event's JSON, so such a prefix finds nothing.
    return ids(
        fmt::format("SELECT DISTINCT e.race FROM events e JOIN races r ON r.id = e.race WHERE e.{} AND "
                    "(e.kind = 'combined' OR instr(e.body, ?1) > 0) "
                    "ORDER BY r.rowid DESC LIMIT 1000",
                    HYDRA_BRANCH_EVENTS)
            .c_str(),
        "\"" + prefix);
  }

  Result<std::vector<std::string>> open_races() override {
    return ids("SELECT id FROM races WHERE state = 'running' ORDER BY rowid", {});
  }

  Result<std::vector<std::string>> races_with_prefix(const std::string& prefix) override {
    return ids(
        "SELECT id FROM (SELECT id FROM races UNION SELECT race FROM history_races WHERE through = 0) "
        "WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2",
        prefix);
  }

  Result<void> put_history(const model::HistoryRace& race) override {
    return guarded("cannot store the history", [&]() -> Result<void> {
      sync(false);  // a power loss only leaves the history stale
      write_history(database_, race);
      return {};
    });
  }

  Result<std::vector<std::string>> stale_history(std::size_t limit) override {
    return ids(fmt::format("{} LIMIT {}", kStaleHistory, limit).c_str(), {});
  }

  Result<void> clear_history() override {
    return guarded("cannot clear the history", [&]() -> Result<void> {
      database_.exec(
          "DELETE FROM history_attempts WHERE race IN (SELECT number FROM history_races WHERE through > 0); "
          "DELETE FROM history_races WHERE through > 0");
      return {};
    });
  }

  Result<std::size_t> import_history(const std::vector<model::HistoryRace>& races) override {
    return guarded("cannot store the history", [&]() -> Result<std::size_t> {
      std::size_t taken = 0;
      for (const auto& race : races) {
        SQLite::Statement known(database_,
                                "SELECT id FROM races WHERE id = ?1 UNION ALL "
                                "SELECT race FROM history_races WHERE race = ?1 AND through > 0");
        known.bind(1, race.race);
        if (known.executeStep()) continue;
        known.reset();
        write_history(database_, race);
        ++taken;
      }
      return taken;
    });
  }

  Result<void> forget_imported(const std::string& race) override {
    return guarded("cannot clear the history", [&]() -> Result<void> {
      for (const char* sql : {"DELETE FROM history_attempts WHERE race IN (SELECT number FROM history_races "
                              "WHERE through = 0 AND ?1 IN (race, ''))",
                              "DELETE FROM history_races WHERE through = 0 AND ?1 IN (race, '')"}) {
        SQLite::Statement remove(database_, sql);
        remove.bind(1, race);
        remove.exec();
      }
      return {};
    });
  }

  std::optional<std::string> cached(const std::string& key) override {
    const std::lock_guard alone(mutex_);
    try {
      SQLite::Statement query(
          database_, "SELECT value FROM evidence_cache WHERE key = ? AND " HYDRA_WHOLE("key, value, at_ms"));
      query.bind(1, key);
      if (query.executeStep()) return query.getColumn(0).getString();
    } catch (const std::exception&) {
      // An unreadable cache counts as empty.
    }
    return std::nullopt;
  }

  void put_cached(const std::string& key, const std::string& value, std::int64_t at_ms) override {
    const std::lock_guard alone(mutex_);
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
      // Without the cache entry the next race runs the baseline again.
    }
  }

  [[nodiscard]] std::vector<std::string> findings() const override {
    const std::lock_guard alone(mutex_);
    auto found = findings_;
    if (is_marked(file_))
      found.emplace_back("the database is damaged: the next start of the daemon repairs it");
    return found;
  }
  void check() { check_whole(database_); }
  void take_over(const std::filesystem::path& damaged) { note(salvage(damaged, database_)); }
  void find_races_again(std::int64_t written, bool all) {
    if (races_.empty()) return;
    for (const auto& race : restore_from_copies(races_, database_, written, all))
      note(race + ": was not as its files say in the database, and was restored from them");
  }

 private:
  /// Runs `work` under the mutex; an exception becomes an Error that names what failed.
  template <class Work>
  auto guarded(const char* what, Work work) -> decltype(work()) {
    const std::lock_guard alone(mutex_);
    return caught(what, std::move(work));
  }
  template <class Work>
  auto caught(const char* what, Work work) -> decltype(work()) {
    try {
      return work();
    } catch (const std::exception& e) {
      if (is_damage(e)) mark_damaged(file_);
      return storage_error(what, e);
    }
  }
  Result<std::vector<std::string>> ids(const char* sql, const std::optional<std::string>& parameter) {
    return guarded("cannot list races", [&]() -> Result<std::vector<std::string>> {
      std::vector<std::string> found;
      SQLite::Statement query(database_, sql);
      if (parameter) query.bind(1, *parameter);
      while (query.executeStep()) found.push_back(query.getColumn(0).getString());
      return found;
    });
  }

  /// Replaces an unreadable record by the copy beside the race's files, or else by a note, so that the other
  /// records still count.
  model::EventBody instead_of(const model::Event& event, const std::string& kind) {
    for (const auto& copy : copied_events(races_, event.race)) {
      if (copy.at_ms != event.at_ms || copy.kind != kind) continue;
      auto body = model::event_from_json(copy.kind, copy.body);
      if (body.ok()) return std::move(*body);
    }
    const auto text = fmt::format("a record of this race is damaged and left out ({}, number {})",
                                  sanitize(kind), event.id);
    note(event.race + ": " + text);
    return model::Note{{}, text};
  }
  /// A race without its first record can't be shown.
  bool whole_beginning(const model::Event& event) { return !copied_events(races_, event.race).empty(); }
  Error beginning_lost(const std::string& race) {
    note(race + ": its first record is damaged");
    return {Errc::io, "the first record of this race is damaged, so it can't be shown", race,
            "its files are in races/" + race + " of the state directory; branches hydra/* still exist"};
  }
  void note(const std::string& text) {
    if (std::find(findings_.begin(), findings_.end(), text) == findings_.end() && findings_.size() < 100)
      findings_.push_back(text);
  }

  mutable std::recursive_mutex mutex_;  ///< SQLite shares a connection, but not a transaction
  std::filesystem::path file_;
  SQLite::Database database_;
  std::filesystem::path races_;
  std::vector<std::string> findings_;
  bool full_sync_ = true;
  SQLite::Statement insert_event_{prepare_events()};

  SQLite::Statement prepare_events() {
    create_tables(database_);
    return {database_, "INSERT INTO events (race, at_ms, kind, body) VALUES (?, ?, ?, ?)"};
  }
};

Result<std::unique_ptr<SqliteStore>> open_whole(const std::filesystem::path& file,
                                                const std::filesystem::path& races) {
  HYDRA_CHECK(check_version(file));
  auto store = std::make_unique<SqliteStore>(file, races);
  store->check();
  return store;
}

}  // namespace

bool EventStore::waits_for_disk(const std::vector<model::Event>& events) {
  return std::any_of(events.begin(), events.end(), must_survive_power_loss);
}

Result<std::unique_ptr<EventStore>> EventStore::open(const std::filesystem::path& file,
                                                     const std::filesystem::path& races) {
  std::unique_ptr<SqliteStore> store;
  know_sums();
  try {
    const auto written = last_written(file);
    bool damaged = is_marked(file);
    try {
      if (!damaged) {
        HYDRA_TRY(store, open_whole(file, races));
      }
    } catch (const std::exception& e) {
      if (!is_damage_at_start(e, file)) throw;
      damaged = true;
    }
    if (damaged) {
      HYDRA_TRY(const auto aside, move_aside(file));
      HYDRA_TRY(store, open_whole(file, races));
      store->take_over(aside);
    }
    store->find_races_again(written, damaged);
    return std::unique_ptr<EventStore>(std::move(store));
  } catch (const std::exception& e) {
    auto error = storage_error("cannot open the database", e);
    error.where = file.string();
    return error;
  }
}

}  // namespace hydra::storage
