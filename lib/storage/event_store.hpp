// storage: the append-only log of events and the cache of baseline evidence, in SQLite. Nothing above knows
// SQLite.
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

/// What a list of races shows, without reading their events.
struct RaceRow {
  std::string id, repository, task, state, winner;
  std::int64_t created_ms = 0;
  std::vector<std::string> agents;
};

/// Empty members exclude nothing.
struct RaceQuery {
  std::string directory;    ///< the repository is there or above
  std::string state, text;  ///< `text`: part of the task or of an agent's name, or the begin of an id
  std::int64_t before = 0;  ///< RacePage::next of the page before
  std::size_t limit = 200;
};
struct RacePage {
  std::vector<RaceRow> rows;
  std::int64_t next = 0;   ///< 0: no more of them
  std::int64_t total = 0;  ///< on all pages
};

/// One open database. Thread-safe: the loop reads while a thread of its own waits for the disk, and who comes
/// second waits.
class EventStore {
 public:
  /// Opens or makes the database (WAL, synchronous FULL). Refuses a schema newer than this program knows.
  /// `races`: where races have their files; each gets a copy of its events there (empty: none does). A
  /// database that is damaged is moved aside (hydra.db.damaged-TIME), and what can be read of it is taken
  /// over; races that it lost are made again out of their copies. findings() says what was found.
  static Result<std::unique_ptr<EventStore>> open(const std::filesystem::path& file,
                                                  const std::filesystem::path& races = {});
  virtual ~EventStore() = default;

  /// Appends the events in one transaction and sets their ids. All or none. Safe from a crash of the daemon;
  /// safe from a power loss as soon as it, or a later one, holds a creation, start, cancel, ranking, merge or
  /// end.
  virtual Result<void> append(std::vector<model::Event>& events) = 0;
  /// Whether append() of these comes back only when the disk has them, which takes milliseconds.
  static bool waits_for_disk(const std::vector<model::Event>& events);
  /// Events of a race with an id above `after`, oldest first. One that can't be read is a Note in its place.
  virtual Result<std::vector<model::Event>> events(const std::string& race, std::int64_t after) = 0;
  /// The same, but only of these kinds: lists of tests are long, and who asks for an end does not read them.
  virtual Result<std::vector<model::Event>> events_of_kinds(const std::string& race,
                                                            const std::vector<std::string>& kinds) = 0;
  /// Newest first; those of these repositories, or of all where none is named; at most `limit` rows.
  virtual Result<std::vector<RaceRow>> races(const std::vector<std::string>& repositories,
                                             std::size_t limit) = 0;
  /// The race that began last of those whose repository is `directory` or above it (empty: of all), without
  /// checks and verifications. None: no element.
  virtual Result<std::vector<std::string>> last_race(const std::string& directory) = 0;
  /// One page of the races that fit, newest first, but those without agents: checks and verifications.
  virtual Result<RacePage> race_page(const RaceQuery& query) = 0;
  /// Repositories of all races.
  virtual Result<std::vector<std::string>> repositories() = 0;
  /// Id of the newest event; 0 where there is none.
  virtual Result<std::int64_t> last_event() = 0;
  /// Races that may have a result whose branch begins with `prefix` ("hydra/codex"), or one that was combined
  /// out of parts: no other race has such a branch. Newest first; at most 1000.
  virtual Result<std::vector<std::string>> races_with_branch(const std::string& prefix) = 0;
  /// Races that have not ended.
  virtual Result<std::vector<std::string>> open_races() = 0;
  /// Races with a result that was merged, the newest merge first; at most 1000.
  virtual Result<std::vector<RaceRow>> merged_races() = 0;
  /// The ids that begin with `prefix` (at most 2 are looked up): one is found, two are ambiguous.
  virtual Result<std::vector<std::string>> races_with_prefix(const std::string& prefix) = 0;

  // The history: a projection of events, kept when everything else of a race is cleaned away.

  /// What is remembered of a race, in the place of what was. Rows are read by read_history().
  virtual Result<void> put_history(const model::HistoryRace& race) = 0;
  /// Ended races whose history lacks an event that it is made of, oldest first; at most `limit`.
  virtual Result<std::vector<std::string>> stale_history(std::size_t limit) = 0;
  /// All of it goes: every ended race is stale then.
  virtual Result<void> clear_history() = 0;
  /// Damage that was found since the start, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> findings() const = 0;

  virtual std::optional<std::string> cached(const std::string& key) = 0;
  virtual void put_cached(const std::string& key, const std::string& value, std::int64_t at_ms) = 0;
};

}  // namespace hydra::storage
