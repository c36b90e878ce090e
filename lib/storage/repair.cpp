#include "storage/repair.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "model/json.hpp"
#include "storage/race_log.hpp"
#include "storage/schema.hpp"
#include "storage/sum.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace hydra::storage {
namespace {

constexpr std::int64_t kLargestChecked = 64 << 20;  ///< bytes; takes less than a second

std::string mark_of(const std::filesystem::path& file) { return file.string() + ".damage"; }

int code_of(const std::exception& e) {
  if (dynamic_cast<const Damage*>(&e) != nullptr) return SQLITE_CORRUPT;
  const auto* said = dynamic_cast<const SQLite::Exception*>(&e);
  return said == nullptr ? SQLITE_INTERNAL : said->getErrorCode();
}

void throw_unless_whole(SQLite::Database& database) {
  if (const auto found = database.execAndGet("PRAGMA integrity_check(1)").getString(); found != "ok")
    throw Damage(found);
}

void set(SQLite::Database& database, const char* sql, const std::string& value, const std::string& race) {
  SQLite::Statement update(database, sql);
  update.bind(1, value);
  update.bind(2, race);
  update.exec();
}

void insert_row(SQLite::Database& database, const std::string& race, const model::RaceSpec& spec,
                const char* how) {
  nlohmann::json agents = nlohmann::json::array();
  // A race that verifies another one has no agents here, so lists omit it like a check of the baseline.
  if (spec.verifies.empty())
    for (const auto& agent : spec.agents) agents.push_back(agent.name);
  SQLite::Statement insert(
      database, fmt::format("{} INTO races (id, created_ms, repository, task, agents, state, winner) "
                            "VALUES (?, ?, ?, ?, ?, 'running', '')",
                            how));
  insert.bind(1, race);
  insert.bind(2, spec.created_ms);
  insert.bind(3, spec.repository.root);
  insert.bind(4, spec.task.substr(0, 1000));
  insert.bind(5, agents.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  insert.exec();
}

/// update_summary() for a race that may have its row already; the row keeps its place in lists.
void summarise_again(SQLite::Database& database, const model::Event& event) {
  const auto* created = std::get_if<model::RaceCreated>(&event.body);
  if (created == nullptr) return update_summary(database, event);
  insert_row(database, event.race, created->spec, "INSERT OR IGNORE");
  set(database, "UPDATE races SET state = ? WHERE id = ?", "running", event.race);
  set(database, "UPDATE races SET winner = ? WHERE id = ?", "", event.race);
}

struct Row {
  std::int64_t id = 0, at_ms = 0;
  std::string race, kind, body;
};

/// Passes rows on in the order of their ids, from one end up to the first damage.
template <class Take>
void read_rows(const std::filesystem::path& damaged, const char* order, Take take) {
  try {
    SQLite::Database old(damaged.string(), SQLite::OPEN_READWRITE);
    ::sqlite3_db_config(old.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    SQLite::Statement query(old,
                            fmt::format("SELECT id, race, at_ms, kind, body FROM events WHERE " HYDRA_WHOLE(
                                            HYDRA_EVENT_COLUMNS) " ORDER BY id {}",
                                        order));
    while (query.executeStep()) {
      const Row row{query.getColumn(0).getInt64(), query.getColumn(2).getInt64(),
                    query.getColumn(1).getString(), query.getColumn(3).getString(),
                    query.getColumn(4).getString()};
      if (!take(row)) return;
    }
  } catch (const std::exception&) {
    // The rows up to the damage are read; the caller also reads from the other end.
  }
}

std::int64_t number(SQLite::Database& database, const char* sql) {
  return database.execAndGet(sql).getInt64();
}

}  // namespace

void update_summary(SQLite::Database& database, const model::Event& event) {
  if (const auto* created = std::get_if<model::RaceCreated>(&event.body)) {
    insert_row(database, event.race, created->spec, "INSERT");
  } else if (const auto* ended = std::get_if<model::RaceEnded>(&event.body)) {
    set(database, "UPDATE races SET state = ? WHERE id = ?", std::string(name(ended->state)), event.race);
  } else if (std::holds_alternative<model::RetryRequested>(event.body) ||
             std::holds_alternative<model::Combined>(event.body)) {
    set(database, "UPDATE races SET state = ? WHERE id = ?", "running", event.race);
  } else if (const auto* result = std::get_if<model::ScoringResult>(&event.body);
             result != nullptr && result->final) {
    set(database, "UPDATE races SET winner = ? WHERE id = ?", result->ranking.winner, event.race);
  }
}

bool is_damage(const std::exception& e) {
  const int code = code_of(e);
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool is_damage_at_start(const std::exception& e, const std::filesystem::path& file) {
  constexpr std::array kOthers{SQLITE_INTERNAL, SQLITE_FULL,  SQLITE_BUSY,     SQLITE_LOCKED,
                               SQLITE_IOERR,    SQLITE_NOMEM, SQLITE_CANTOPEN, SQLITE_PERM};
  const int code = code_of(e);
  if (code == SQLITE_READONLY) return ::access(file.c_str(), W_OK) == 0;
  return std::find(kOthers.begin(), kOthers.end(), code) == kOthers.end();
}

void check_whole(SQLite::Database& database) {
  const auto pages = number(database, "PRAGMA page_count"), size = number(database, "PRAGMA page_size");
  if (pages * size <= kLargestChecked) return throw_unless_whole(database);
  std::thread([file = database.getFilename()] {
    try {
      SQLite::Database beside(file, SQLite::OPEN_READWRITE);
      throw_unless_whole(beside);
    } catch (const std::exception& e) {
      if (is_damage(e)) mark_damaged(file);
    }
  }).detach();
}

void mark_damaged(const std::filesystem::path& file) { (void)write_file(mark_of(file), ""); }

bool is_marked(const std::filesystem::path& file) { return ::access(mark_of(file).c_str(), F_OK) == 0; }

std::int64_t last_written(const std::filesystem::path& file) {
  struct stat st {};
  return ::stat(file.c_str(), &st) == 0 && st.st_size > 0 ? st.st_mtim.tv_sec : 0;
}

Result<std::filesystem::path> move_aside(const std::filesystem::path& file) {
  const std::string stem =
      file.string() + fmt::format(".damaged-{:%Y%m%d-%H%M%S}", fmt::gmtime(std::time(nullptr)));
  std::string name = stem;
  for (int n = 2; ::access(name.c_str(), F_OK) == 0; ++n) name = stem + "-" + std::to_string(n);
  // The log moves first: a log left behind would be taken for the new database's.
  for (const char* end : {"-wal", "-shm", ""})
    if (::rename((file.string() + end).c_str(), (name + end).c_str()) != 0 && errno != ENOENT)
      return system_error("cannot move the damaged database aside: " + name, errno);
  ::unlink(mark_of(file).c_str());
  return std::filesystem::path(name);
}

namespace {

/// The damaged file itself, or a copy with a repaired header if only the header is wrong. The destructor
/// removes files that SQLite made for reading.
class Readable {
 public:
  explicit Readable(const std::filesystem::path& damaged) : path_(damaged) {
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::array<char, kMagic.size()> head{};
    const UniqueFd file(::open(damaged.c_str(), O_RDONLY | O_CLOEXEC));
    const auto size = static_cast<ssize_t>(head.size());
    if (::pread(file.get(), head.data(), head.size(), 0) == size &&
        std::string_view(head.data(), head.size()) != kMagic) {
      path_ += ".read";
      std::error_code error;
      made_ = std::filesystem::copy_file(damaged, path_, error);
      const UniqueFd copy(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
      (void)!::pwrite(copy.get(), kMagic.data(), kMagic.size(), 0);
    }
    had_log_ = std::filesystem::exists(path_.string() + "-wal");
  }
  ~Readable() {
    if (made_) ::unlink(path_.c_str());
    for (const char* end : {"-wal", "-shm"})
      if (!had_log_) ::unlink((path_.string() + end).c_str());
  }
  Readable(const Readable&) = delete;
  Readable& operator=(const Readable&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool made_ = false, had_log_ = false;
};

}  // namespace

std::string salvage(const std::filesystem::path& damaged, SQLite::Database& database) {
  const Readable readable(damaged);
  SQLite::Transaction transaction(database);
  SQLite::Statement insert(
      database, "INSERT OR IGNORE INTO events (id, race, at_ms, kind, body) VALUES (?, ?, ?, ?, ?)");
  std::int64_t reached = 0;
  const auto take = [&](const Row& row) {
    if (!model::event_from_json(row.kind, row.body).ok()) return true;
    insert.reset();
    insert.bind(1, row.id);
    insert.bind(2, row.race);
    insert.bind(3, row.at_ms);
    insert.bind(4, row.kind);
    insert.bind(5, row.body);
    insert.exec();
    return true;
  };
  read_rows(readable.path(), "", [&](const Row& row) { return reached = row.id, take(row); });
  read_rows(readable.path(), "DESC", [&](const Row& row) { return row.id > reached && take(row); });
  database.exec("DELETE FROM events WHERE race NOT IN (SELECT race FROM events WHERE kind = 'race_created')");
  SQLite::Statement query(database,
                          "SELECT race, kind, body FROM events WHERE kind IN ('race_created', 'race_ended', "
                          "'retry_requested', 'combined', 'scoring_result') ORDER BY id");
  while (query.executeStep()) {
    auto body = model::event_from_json(query.getColumn(1).getString(), query.getColumn(2).getString());
    if (body.ok()) summarise_again(database, {0, query.getColumn(0).getString(), 0, std::move(*body)});
  }
  query.reset();
  const auto races = number(database, "SELECT COUNT(*) FROM races");
  const auto events = number(database, "SELECT COUNT(*) FROM events");
  transaction.commit();
  return fmt::format(
      "the database was damaged and is kept as {}; {} race{} with {} records could be read of it",
      damaged.string(), races, races == 1 ? "" : "s", events);
}

namespace {

std::vector<LoggedEvent> stored_events(SQLite::Database& database, const std::string& race) {
  SQLite::Statement query(database, "SELECT at_ms, kind, body FROM events WHERE race = ? ORDER BY id");
  query.bind(1, race);
  std::vector<LoggedEvent> events;
  while (query.executeStep())
    events.push_back(
        {query.getColumn(0).getInt64(), query.getColumn(1).getString(), query.getColumn(2).getString()});
  return events;
}

/// The events of the copy, and those of the database that the copy lacks, at their places.
std::vector<LoggedEvent> joined(const std::vector<LoggedEvent>& stored, std::vector<LoggedEvent> copied) {
  auto place = copied.begin();
  for (const auto& event : stored) {
    auto same = std::find(copied.begin(), copied.end(), event);
    if (same == copied.end()) same = copied.insert(place, event);
    place = same + 1;
  }
  return copied;
}

}  // namespace

std::vector<std::string> restore_from_copies(const std::filesystem::path& races, SQLite::Database& database,
                                             std::int64_t written, bool all) {
  struct Copy {
    std::string race;
    std::vector<model::Event> events;
  };
  std::vector<Copy> wanted;
  for (const auto& [race, at] : copied_races(races)) {
    const auto stored = stored_events(database, race);
    if (!stored.empty() && !all && at < written) continue;
    Copy copy{race, {}};
    auto lines = copied_events(races, race);
    // The database has no event either that cannot be read.
    std::erase_if(lines, [](const LoggedEvent& line) {
      model::Event event;
      return !read_body(line.kind, line.body, event).ok();
    });
    const auto all_events = joined(stored, std::move(lines));
    if (all_events == stored) continue;
    for (const auto& line : all_events)
      if (model::Event event{0, race, line.at_ms, model::Note{}}; read_body(line.kind, line.body, event).ok())
        copy.events.push_back(std::move(event));
    if (!copy.events.empty() && std::holds_alternative<model::RaceCreated>(copy.events.front().body))
      wanted.push_back(std::move(copy));
  }
  // Sorted by creation: ids begin with their second.
  std::sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) {
    return std::tie(a.events.front().at_ms, a.race) < std::tie(b.events.front().at_ms, b.race);
  });
  std::vector<std::string> restored;
  SQLite::Transaction transaction(database);
  for (const auto& [race, events] : wanted) {
    SQLite::Statement remove(database, "DELETE FROM events WHERE race = ?");
    remove.bind(1, race);
    remove.exec();
    for (const auto& event : events) {
      SQLite::Statement insert(database, "INSERT INTO events (race, at_ms, kind, body) VALUES (?, ?, ?, ?)");
      insert.bind(1, race);
      insert.bind(2, event.at_ms);
      insert.bind(3, std::string(model::kind(event.body)));
      insert.bind(4, stored_body(event));
      insert.exec();
      summarise_again(database, event);
    }
    restored.push_back(race);
  }
  // Lists are in the order of the rows.
  if (all)
    database.exec("CREATE TEMP TABLE in_order AS SELECT " HYDRA_RACE_COLUMNS
                  " FROM races ORDER BY created_ms, id; DELETE FROM races; "
                  "INSERT INTO races SELECT * FROM in_order; DROP TABLE in_order");
  transaction.commit();
  return restored;
}

}  // namespace hydra::storage
