#include "storage/history.hpp"

#include "base/strings.hpp"
#include "model/json.hpp"
#include "storage/history_tables.hpp"
#include "storage/repair.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <limits>

namespace hydra::storage {
namespace {

using model::HistoryAttempt;
using model::HistoryRace;

/// "key=value" lines: neither part may contain a line end, and a key no '='.
std::string labels_text(const HistoryRace& race) {
  std::string text;
  for (const auto& [key, value] : race.labels) text += key + "=" + value + "\n";
  return text;
}

void read_labels(std::string_view text, HistoryRace& race) {
  race.labels.clear();
  for (const auto line : lines(text)) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    race.labels.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
}

/// "STAKE SCORE NAME" lines: a name may contain blanks but no line end.
std::string votes_text(const HistoryAttempt& attempt) {
  std::string text;
  for (const auto& vote : attempt.votes)
    text += fmt::format("{} {} {}\n", vote.stake, vote.score, vote.judge);
  return text;
}

void read_votes(const std::string& text, HistoryAttempt& attempt) {
  attempt.votes.clear();
  for (const auto line : lines(text)) {
    model::HistoryVote vote;
    const auto* end = line.data() + line.size();
    auto read = std::from_chars(line.data(), end, vote.stake);
    if (read.ec != std::errc() || read.ptr == end) continue;
    read = std::from_chars(read.ptr + 1, end, vote.score);
    if (read.ec != std::errc() || read.ptr == end) continue;
    vote.judge.assign(read.ptr + 1, end);
    attempt.votes.push_back(std::move(vote));
  }
}

/// Columns whose form differs from the struct's members.
struct Packed {
  std::string labels, votes, outcome, arena;
  std::int64_t flags = 0;
};

constexpr std::pair<HistoryFlag, bool HistoryAttempt::*> kFlags[]{
    {kLost, &HistoryAttempt::lost},         {kEligible, &HistoryAttempt::eligible},
    {kSuccess, &HistoryAttempt::success},   {kTied, &HistoryAttempt::tied},
    {kMergedFlag, &HistoryAttempt::merged}, {kChanged, &HistoryAttempt::changed},
    {kUndone, &HistoryAttempt::undone},     {kSolved, &HistoryAttempt::solved}};

/// The columns of both tables in their order, for writing and reading.
template <class Io, class Race>
void race_columns(Io& io, Race& race, Packed& packed) {
  io(race.race, race.through, race.forgotten, race.state, race.task, race.kind, packed.labels, race.root,
     race.repository, race.base, race.created_ms, race.ended_ms);
}
template <class Io, class Attempt>
void attempt_columns(Io& io, Attempt& attempt, Packed& packed) {
  io(attempt.name, attempt.entry, attempt.agent, attempt.asked, attempt.model, attempt.version,
     attempt.attempt, packed.outcome, packed.flags, attempt.rank, attempt.composite);
  for (auto& points : attempt.points) io(points);
  io(attempt.fixed, attempt.broken, attempt.gained, attempt.damaged, packed.arena, attempt.tokens,
     attempt.cost_usd, attempt.wall_ms, attempt.confidence, attempt.rating, attempt.judged, attempt.merged_ms,
     packed.votes);
}

/// Binds values in sequence.
struct Binding {
  SQLite::Statement& statement;
  int at = 0;

  template <class... T>
  void operator()(const T&... values) {
    (bind(values), ...);
  }
  template <class T>
  void bind(const T& value) {
    statement.bind(++at, value);
  }
  void bind(bool value) { statement.bind(++at, value ? 1 : 0); }
  template <class T>
  void bind(const std::optional<T>& value) {
    if (value)
      statement.bind(++at, *value);
    else
      statement.bind(++at);
  }
};

void write_attempt(SQLite::Statement& insert, std::int64_t race, int place, const HistoryAttempt& attempt) {
  insert.reset();
  Packed packed{{},
                votes_text(attempt),
                std::string(model::name(attempt.outcome)),
                attempt.arena ? model::to_json(*attempt.arena) : "",
                0};
  for (const auto& [bit, flag] : kFlags)
    if (attempt.*flag) packed.flags |= bit;
  Binding io{insert};
  io(race, place);
  attempt_columns(io, attempt, packed);
  insert.exec();
}

/// Plain SQLite, without an object a column: a leaderboard reads two million columns.
class Rows {
 public:
  Rows(sqlite3* database, const std::string& sql) {
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK)
      throw SQLite::Exception(database);
  }
  ~Rows() { sqlite3_finalize(statement_); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  bool next() {
    column_ = -1;
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
      throw SQLite::Exception(sqlite3_db_handle(statement_), code);
    return code == SQLITE_ROW;
  }
  /// Reads the next columns of the row.
  template <class... T>
  void operator()(T&... to) {
    (take(to), ...);
  }

 private:
  template <std::integral T>
  void take(T& to) {
    to = static_cast<T>(sqlite3_column_int64(statement_, ++column_));
  }
  void take(double& to) { to = sqlite3_column_double(statement_, ++column_); }
  void take(std::string& to) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, ++column_));
    to.assign(bytes == nullptr ? "" : bytes,
              static_cast<std::size_t>(sqlite3_column_bytes(statement_, column_)));
  }
  template <class T>
  void take(std::optional<T>& to) {
    to.reset();
    if (sqlite3_column_type(statement_, column_ + 1) == SQLITE_NULL)
      ++column_;
    else
      take(to.emplace());
  }

  sqlite3_stmt* statement_ = nullptr;
  int column_ = -1;
};

/// Reads whether the row is as its checksum says.
void take_whole(Rows& rows) {
  bool whole = false;
  rows(whole);
  if (!whole) throw Damage("a row of the history is not as it was written");
}

class Reader {
 public:
  Reader(sqlite3* database, const HistoryFilter& filter)
      : filter_(filter),
        races_(database,
               "SELECT number, " HYDRA_WHOLE(HYDRA_HISTORY_RACE) ", " HYDRA_HISTORY_RACE
                                                                 " FROM history_races ORDER BY number"),
        attempts_(database,
                  "SELECT race, " HYDRA_WHOLE(
                      "place, " HYDRA_HISTORY_ATTEMPT) ", " HYDRA_HISTORY_ATTEMPT
                                                       " FROM history_attempts ORDER BY race, place") {
    step();
  }

  void all(const std::function<bool(const HistoryRace&)>& each) {
    while (races_.next()) {
      races_(race_.number);
      take_whole(races_);
      race_columns(races_, race_, packed_);
      read_labels(packed_.labels, race_);
      used_ = 0;
      for (; at_ <= race_.number; step())
        if (at_ == race_.number) read_attempt();
      race_.attempts.resize(used_);
      if (wanted() && !each(race_)) return;
    }
  }

 private:
  void step() {
    constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
    at_ = kNone;
    if (attempts_.next()) attempts_(at_);
  }

  void read_attempt() {
    if (used_ == race_.attempts.size()) race_.attempts.emplace_back();
    auto& attempt = race_.attempts[used_++];
    std::int64_t race = 0;
    take_whole(attempts_);
    attempts_(race);
    attempt_columns(attempts_, attempt, packed_);
    attempt.outcome = model::of_name<model::Outcome>(packed_.outcome);
    for (const auto& [bit, flag] : kFlags) attempt.*flag = (packed_.flags & bit) != 0;
    read_votes(packed_.votes, attempt);
    attempt.arena.reset();
    if (!packed_.arena.empty())
      if (const auto figures = model::arena_figures_from_json(packed_.arena)) attempt.arena = *figures;
  }

  [[nodiscard]] bool in_repository() const {
    const auto& place = filter_.repository;
    if (place.empty() || place == race_.repository || place == race_.root) return true;
    return place.starts_with(race_.root) && place[race_.root.size()] == '/';
  }
  [[nodiscard]] bool wanted() const {
    if (race_.forgotten || race_.number <= filter_.after || race_.ended_ms < filter_.since_ms ||
        !in_repository())
      return false;
    if (!filter_.race.empty() && filter_.race != race_.race) return false;
    if (!filter_.kind.empty() && filter_.kind != race_.kind) return false;
    return std::all_of(filter_.labels.begin(), filter_.labels.end(), [&](const auto& label) {
      return std::find(race_.labels.begin(), race_.labels.end(), label) != race_.labels.end();
    });
  }

  const HistoryFilter& filter_;
  Rows races_, attempts_;
  std::int64_t at_ = 0;  ///< race of the next attempt
  HistoryRace race_;
  std::size_t used_ = 0;
  Packed packed_;
};

}  // namespace

void write_history(SQLite::Database& database, const HistoryRace& race) {
  SQLite::Transaction transaction(database);
  // A race keeps its number, so the order of remembering stays.
  SQLite::Statement insert(
      database,
      "INSERT INTO history_races (" HYDRA_HISTORY_RACE
      ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) "
      "ON CONFLICT (race) DO UPDATE SET through = ?2, forgotten = ?3, state = ?4, task = ?5, kind = ?6, "
      "labels = ?7, root = ?8, repository = ?9, base = ?10, created_ms = ?11, ended_ms = ?12");
  Packed packed;
  packed.labels = labels_text(race);
  Binding io{insert};
  race_columns(io, race, packed);
  insert.exec();
  SQLite::Statement find(database, "SELECT number FROM history_races WHERE race = ?");
  find.bind(1, race.race);
  find.executeStep();
  const auto number = find.getColumn(0).getInt64();
  SQLite::Statement remove(database, "DELETE FROM history_attempts WHERE race = ?");
  remove.bind(1, number);
  remove.exec();
  SQLite::Statement attempt(database,
                            "INSERT INTO history_attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                            "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  int place = 0;
  for (const auto& each : race.attempts) write_attempt(attempt, number, ++place, each);
  transaction.commit();
}

Result<void> read_outcomes(const std::filesystem::path& file,
                           const std::function<void(const Outcome&)>& each) {
  try {
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    database.setBusyTimeout(5000);
    Rows rows(database.getHandle(),
              fmt::format("SELECT " HYDRA_WHOLE(
                              "place, " HYDRA_HISTORY_ATTEMPT) ", race, confidence, flags, rating, merged_ms "
                                                               "FROM history_attempts WHERE "
                                                               "confidence <> '' AND (rating IS NOT NULL OR "
                                                               "merged_ms IS NOT NULL OR flags & {})",
                          static_cast<int>(kUndone)));
    Outcome outcome;
    std::int64_t flags = 0;
    while (rows.next()) {
      take_whole(rows);
      rows(outcome.race, outcome.confidence, flags, outcome.rating, outcome.merged_ms);
      outcome.undone = (flags & kUndone) != 0;
      each(outcome);
    }
    return {};
  } catch (const std::exception& e) {
    return Error{Errc::io, std::string("cannot read the history: ") + e.what(), "database", {}};
  }
}

Result<void> read_history(const std::filesystem::path& file, const HistoryFilter& filter,
                          const std::function<bool(const HistoryRace&)>& each) {
  try {
    // Not read-only: SQLite may have to recover the write-ahead log after a crash.
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    database.setBusyTimeout(5000);
    // A single transaction: both cursors see the same snapshot.
    SQLite::Transaction together(database);
    Reader(database.getHandle(), filter).all(each);
    return {};
  } catch (const std::exception& e) {
    return Error{Errc::io, std::string("cannot read the history: ") + e.what(), file.string(), {}};
  }
}

}  // namespace hydra::storage
