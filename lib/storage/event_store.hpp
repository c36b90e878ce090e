// storage: the append-only log of events and the cache of baseline evidence, in SQLite. Other rooms do not
// see SQLite.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"
#include "model/history.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hydra::storage {

/// Row of a list of races, available without reading events.
struct RaceRow {
  std::string id, repository, task, state, winner;
  std::int64_t created_ms = 0;
  std::vector<std::string> agents;
};

/// Empty members exclude nothing.
struct RaceQuery {
  std::string directory;    ///< directory at or below the race's repository
  std::string state, text;  ///< `text`: part of the task or of an agent's name, or an id's prefix
  std::int64_t before = 0;  ///< RacePage::next of the previous page
  std::size_t limit = 200;
};
struct RacePage {
  std::vector<RaceRow> rows;
  std::int64_t next = 0;   ///< 0: last page
  std::int64_t total = 0;  ///< races on all pages
};

/// An open database. Thread-safe: the loop reads while a writer thread waits for the disk; concurrent calls
/// wait for each other.
class EventStore {
 public:
  /// Opens or makes the database (WAL, synchronous FULL). Refuses a schema newer than this program's.
  /// `races`: directory of the races' files, each with a copy of its events (empty: no copies). A damaged
  /// database is moved aside (hydra.db.damaged-TIME), its readable content is taken over, and lost races are
  /// restored from their copies; findings() reports that.
  static Result<std::unique_ptr<EventStore>> open(const std::filesystem::path& file,
                                                  const std::filesystem::path& races = {});
  virtual ~EventStore() = default;

  /// Appends the events in one transaction, all or none, and sets their ids. Survives a crash; survives a
  /// power loss once it or a later one has a creation, start, cancel, ranking, merge or end.
  virtual Result<void> append(std::vector<model::Event>& events) = 0;
  /// Returns whether append() of these events waits for the disk, which takes milliseconds.
  static bool waits_for_disk(const std::vector<model::Event>& events);
  /// Events of a race with an id above `after`, oldest first. An unreadable event is a Note in its place.
  virtual Result<std::vector<model::Event>> events(const std::string& race, std::int64_t after) = 0;
  /// events() of these kinds only: lists of tests are long, and callers interested in an end skip them.
  virtual Result<std::vector<model::Event>> events_of_kinds(const std::string& race,
                                                            const std::vector<std::string>& kinds) = 0;
  /// Newest first; races of these repositories (none named: of all); at most `limit` rows.
  virtual Result<std::vector<RaceRow>> races(const std::vector<std::string>& repositories,
                                             std::size_t limit) = 0;
  /// Returns the ids among these that are races, newest first.
  virtual Result<std::vector<std::string>> known_races(const std::vector<std::string>& among) = 0;
  /// The race that began last among those whose repository is `directory` or above it (empty: any), without
  /// checks and verifications. No element: none.
  virtual Result<std::vector<std::string>> last_race(const std::string& directory) = 0;
  /// A page of the matching races, newest first, without checks and verifications (races without agents).
  virtual Result<RacePage> race_page(const RaceQuery& query) = 0;
  /// Repositories of all races.
  virtual Result<std::vector<std::string>> repositories() = 0;
  /// Id of the newest event; 0: no event.
  virtual Result<std::int64_t> last_event() = 0;
  /// Races that may have a result whose branch begins with `prefix` ("hydra/codex"), or a result combined
  /// from parts: no other race has such a branch. Newest first; at most 1000.
  virtual Result<std::vector<std::string>> races_with_branch(const std::string& prefix) = 0;
  /// Races that have not ended.
  virtual Result<std::vector<std::string>> open_races() = 0;
  /// Races with a result that was merged, the newest merge first; at most 1000.
  virtual Result<std::vector<RaceRow>> merged_races() = 0;
  /// Ids that begin with `prefix`, imported ones too (at most 2): one is found, two are ambiguous.
  virtual Result<std::vector<std::string>> races_with_prefix(const std::string& prefix) = 0;

  // The history: a projection of events that remains after a race is cleaned.

  /// Replaces what the history remembers of a race. read_history() reads the rows.
  virtual Result<void> put_history(const model::HistoryRace& race) = 0;
  /// Ended races whose history lacks a relevant event, oldest first; at most `limit`.
  virtual Result<std::vector<std::string>> stale_history(std::size_t limit) = 0;
  /// Deletes the history but for imported races; every ended race is stale afterwards.
  virtual Result<void> clear_history() = 0;
  /// Adds races of another machine, and returns how many. Races of this machine stay as they are; an imported
  /// one is replaced.
  virtual Result<std::size_t> import_history(const std::vector<model::HistoryRace>& races) = 0;
  /// Deletes an imported race; all of them if `race` is empty.
  virtual Result<void> forget_imported(const std::string& race) = 0;
  /// Damage found since the start, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> findings() const = 0;

  virtual std::optional<std::string> cached(const std::string& key) = 0;
  virtual void put_cached(const std::string& key, const std::string& value, std::int64_t at_ms) = 0;
};

}  // namespace hydra::storage
