#include "storage/history.hpp"

#include "base/strings.hpp"
#include "storage/history_tables.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace hydra::storage {
namespace {

using model::HistoryAttempt;
using model::HistoryRace;

/// "key=value" a line: neither may hold a line end, and a key no '='.
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

/// "STAKE SCORE NAME" a line; a name may have blanks and no line end.
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

template <class T>
void bind(SQLite::Statement& statement, int at, const std::optional<T>& value) {
  if (value)
    statement.bind(at, *value);
  else
    statement.bind(at);
}

void write_attempt(SQLite::Statement& insert, std::int64_t race, int place, const HistoryAttempt& attempt) {
  insert.reset();
  const int flags = (attempt.lost ? kLost : 0) | (attempt.eligible ? kEligible : 0) |
                    (attempt.success ? kSuccess : 0) | (attempt.tied ? kTied : 0) |
                    (attempt.merged ? kMergedFlag : 0) | (attempt.changed ? kChanged : 0) |
                    (attempt.undone ? kUndone : 0);
  int at = 0;
  insert.bind(++at, race);
  insert.bind(++at, place);
  for (const auto* text :
       {&attempt.name, &attempt.entry, &attempt.agent, &attempt.asked, &attempt.model, &attempt.version})
    insert.bind(++at, *text);
  insert.bind(++at, attempt.attempt);
  insert.bind(++at, std::string(model::name(attempt.outcome)));
  insert.bind(++at, flags);
  insert.bind(++at, attempt.rank);
  bind(insert, ++at, attempt.composite);
  for (const auto& points : attempt.points) bind(insert, ++at, points);
  bind(insert, ++at, attempt.fixed);
  bind(insert, ++at, attempt.broken);
  bind(insert, ++at, attempt.tokens);
  bind(insert, ++at, attempt.cost_usd);
  insert.bind(++at, attempt.wall_ms);
  insert.bind(++at, attempt.confidence);
  bind(insert, ++at, attempt.rating);
  bind(insert, ++at, attempt.judged);
  bind(insert, ++at, attempt.merged_ms);
  insert.bind(++at, votes_text(attempt));
  insert.exec();
}

/// SQLite itself, without an object a column: a leaderboard reads two million of them.
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
  std::int64_t number() { return sqlite3_column_int64(statement_, ++column_); }
  void text(std::string& to) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, ++column_));
    to.assign(bytes == nullptr ? "" : bytes,
              static_cast<std::size_t>(sqlite3_column_bytes(statement_, column_)));
  }
  std::optional<double> real() {
    if (sqlite3_column_type(statement_, ++column_) == SQLITE_NULL) return std::nullopt;
    return sqlite3_column_double(statement_, column_);
  }
  std::optional<std::int64_t> count() {
    if (sqlite3_column_type(statement_, ++column_) == SQLITE_NULL) return std::nullopt;
    return sqlite3_column_int64(statement_, column_);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int column_ = -1;
};

class Reader {
 public:
  Reader(sqlite3* database, const HistoryFilter& filter)
      : filter_(filter),
        races_(database,
               "SELECT number, race, through, forgotten, state, task, kind, labels, root, repository, base, "
               "created_ms, ended_ms FROM history_races ORDER BY number"),
        attempts_(
            database,
            "SELECT race, name, entry, agent, asked, model, version, attempt, outcome, flags, rank, "
            "composite, build, tests, lint, diff_size, speed, fixed, broken, tokens, cost_usd, wall_ms, "
            "confidence, rating, judged, merged_ms, votes "
            "FROM history_attempts ORDER BY race, place") {
    step();
  }

  void all(const std::function<bool(const HistoryRace&)>& each) {
    while (races_.next()) {
      const auto number = read_race();
      used_ = 0;
      for (; at_ <= number; step())
        if (at_ == number) read_attempt();
      race_.attempts.resize(used_);
      if (wanted() && !each(race_)) return;
    }
  }

 private:
  void step() {
    constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
    at_ = attempts_.next() ? attempts_.number() : kNone;
  }

  std::int64_t read_race() {
    const auto number = race_.number = races_.number();
    races_.text(race_.race);
    race_.through = races_.number();
    race_.forgotten = races_.number() != 0;
    races_.text(race_.state);
    races_.text(race_.task);
    races_.text(race_.kind);
    races_.text(text_);
    read_labels(text_, race_);
    races_.text(race_.root);
    races_.text(race_.repository);
    races_.text(race_.base);
    race_.created_ms = races_.number();
    race_.ended_ms = races_.number();
    return number;
  }

  void read_attempt() {
    if (used_ == race_.attempts.size()) race_.attempts.emplace_back();
    auto& attempt = race_.attempts[used_++];
    for (auto* text :
         {&attempt.name, &attempt.entry, &attempt.agent, &attempt.asked, &attempt.model, &attempt.version})
      attempts_.text(*text);
    attempt.attempt = static_cast<int>(attempts_.number());
    attempts_.text(text_);
    attempt.outcome = model::of_name<model::Outcome>(text_);
    const auto flags = attempts_.number();
    attempt.lost = (flags & kLost) != 0;
    attempt.eligible = (flags & kEligible) != 0;
    attempt.success = (flags & kSuccess) != 0;
    attempt.tied = (flags & kTied) != 0;
    attempt.merged = (flags & kMergedFlag) != 0;
    attempt.changed = (flags & kChanged) != 0;
    attempt.undone = (flags & kUndone) != 0;
    attempt.rank = static_cast<int>(attempts_.number());
    attempt.composite = attempts_.real();
    for (auto& points : attempt.points) points = attempts_.real();
    attempt.fixed = attempts_.count();
    attempt.broken = attempts_.count();
    attempt.tokens = attempts_.count();
    attempt.cost_usd = attempts_.real();
    attempt.wall_ms = attempts_.number();
    attempts_.text(attempt.confidence);
    attempt.rating = attempts_.real();
    attempt.judged = attempts_.real();
    attempt.merged_ms = attempts_.count();
    attempts_.text(text_);
    read_votes(text_, attempt);
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
  std::int64_t at_ = 0;  ///< race of the attempt that is next
  HistoryRace race_;
  std::size_t used_ = 0;
  std::string text_;
};

}  // namespace

void write_history(SQLite::Database& database, const HistoryRace& race) {
  SQLite::Transaction transaction(database);
  // A race keeps its number: what was remembered first stays first.
  SQLite::Statement insert(
      database,
      "INSERT INTO history_races (race, through, forgotten, state, task, kind, labels, root, repository, "
      "base, "
      "created_ms, ended_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) "
      "ON CONFLICT (race) DO UPDATE SET through = ?2, forgotten = ?3, state = ?4, task = ?5, kind = ?6, "
      "labels = ?7, root = ?8, repository = ?9, base = ?10, created_ms = ?11, ended_ms = ?12");
  insert.bind(1, race.race);
  insert.bind(2, race.through);
  insert.bind(3, race.forgotten ? 1 : 0);
  insert.bind(4, race.state);
  insert.bind(5, race.task);
  insert.bind(6, race.kind);
  insert.bind(7, labels_text(race));
  insert.bind(8, race.root);
  insert.bind(9, race.repository);
  insert.bind(10, race.base);
  insert.bind(11, race.created_ms);
  insert.bind(12, race.ended_ms);
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
                            "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
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
              fmt::format("SELECT race, confidence, flags, rating, merged_ms FROM history_attempts WHERE "
                          "confidence <> '' AND (rating IS NOT NULL OR merged_ms IS NOT NULL OR flags & {})",
                          static_cast<int>(kUndone)));
    Outcome outcome;
    while (rows.next()) {
      outcome.race = rows.number();
      rows.text(outcome.confidence);
      outcome.undone = (rows.number() & kUndone) != 0;
      outcome.rating = rows.real();
      outcome.merged_ms = rows.count();
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
    // Not read-only: what a crash left in the log may have to be brought in order first.
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    database.setBusyTimeout(5000);
    // Both cursors see one moment.
    SQLite::Transaction together(database);
    Reader(database.getHandle(), filter).all(each);
    return {};
  } catch (const std::exception& e) {
    return Error{Errc::io, std::string("cannot read the history: ") + e.what(), file.string(), {}};
  }
}

}  // namespace hydra::storage
