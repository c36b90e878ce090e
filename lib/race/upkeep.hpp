// race: retention of races: cleaning, the trash, disk usage; their history; and notifications about their
// ends.
#pragma once

#include "league/calibration.hpp"
#include "race/engine.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace hydra::race {

class Merges;
class Templates;
class Tries;

class Upkeep : Owner {
 public:
  Upkeep(Engine& engine, Merges& merges, Templates& templates, Tries& tries)
      : Owner(engine), merges(merges), templates(templates), tries(tries), trash_timer(engine.loop) {}
  /// Waits for plans of cleans and disk walks; call after the loop has ended.
  void join();
  /// Stops notifications: a receiver may be slow, and the daemon's end does not wait for it.
  void stop();

  // upkeep_clean.cpp
  void clean(CleanCall call, std::function<void(Result<wire::CleanAnswer>)> done);
  void restore(const std::string& race, const wire::RestoreRequest& asked,
               std::function<void(Result<wire::RestoreAnswer>)> done);
  /// The race's files can no longer be restored.
  [[nodiscard]] bool away_for_good(const std::string& race) const;
  /// Returns the command that restores the race; empty: none.
  [[nodiscard]] std::string undo_hint(const std::string& race) const;

  // upkeep.cpp
  void empty_trash();
  /// Returns the disk usage of a race's directory; nullopt: not measured yet.
  std::optional<std::uint64_t> disk_of(const std::string& race);
  void measure_disk(const std::string& race);
  /// Discards an earlier measurement.
  void measure_disk_anew(const std::string& race);
  /// Notifies about the end of a race, once, from the daemon that sees it; a daemon killed at this moment
  /// notifies nobody.
  void announce(const Race& race);

  // upkeep_history.cpp
  /// Marks the history that these stored events make stale.
  void note_history(const model::Event& event);
  /// Updates the stale history, one race per turn of the loop, then calls `then`.
  void with_history(std::function<void()> then);
  /// Returns how often the confidence words were right in the user's own races; recomputed when the history
  /// has changed. `days`: see league::known_outcome().
  const league::Calibration& calibration();
  void leaderboard(LeaderboardCall call, std::function<void(Result<wire::Leaderboard>)> done);
  void history(storage::HistoryFilter filter, std::size_t limit,
               std::function<void(Result<wire::History>)> done);
  void import_history(const std::vector<model::HistoryRace>& races,
                      std::function<void(Result<wire::Imported>)> done);
  void rebuild_history(std::function<void(Result<wire::Rebuilt>)> done);
  void forget_history(const std::string& race, std::function<void(Result<wire::Forgotten>)> done);

 private:
  class Cleaning;
  void drop_expired();
  void drop_if_expired(const RacePtr& race);
  void remember_next();

  Merges& merges;
  Templates& templates;
  Tries& tries;
  boost::asio::steady_timer trash_timer;

  struct DiskUse {
    std::uint64_t bytes = 0;
    std::int64_t at_ms = 0;
  };
  std::map<std::string, DiskUse> disk;
  std::set<std::string> measuring;
  WorkPool disk_pool{1};   ///< for disk walks, so that no other work waits for them
  WorkPool clean_pool{1};  ///< for plans of cleans, which wait for no merge

  std::optional<league::Calibration> calibrated;
  std::int64_t calibrated_ms = 0;       ///< Unix time
  std::deque<std::string> history_due;  ///< races with a stale history, in order of creation
  std::vector<std::function<void()>> history_waiters;
  bool history_running = false;

  std::stop_source notify_stop;    ///< requested when the daemon ends
  std::atomic<int> notifying = 0;  ///< notifications being sent or queued
  WorkPool notify_pool{1};         ///< for notifications, since receivers may be slow
};

}  // namespace hydra::race
