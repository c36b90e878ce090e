// race: what is kept of races, and for how long: cleaning, the trash, the disk that they take; their history;
// and who is told of their ends.
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

class Upkeep : Owner {
 public:
  Upkeep(Engine& engine, Merges& merges, Templates& templates)
      : Owner(engine), merges(merges), templates(templates), trash_timer(engine.loop) {}
  /// Once the loop is over: for plans of cleans and walks through trees.
  void join();
  /// Whoever is told of an end may take long to listen, and the end of the daemon does not wait for that.
  void stop();

  // upkeep_clean.cpp
  void clean(CleanCall call, std::function<void(Result<wire::CleanAnswer>)> done);
  void restore(const std::string& race, const wire::RestoreRequest& asked,
               std::function<void(Result<wire::RestoreAnswer>)> done);
  /// Neither at its place nor where `hydra clean --undo` fetches it from.
  [[nodiscard]] bool away_for_good(const std::string& race) const;
  /// The command that brings the race back; empty: none does.
  [[nodiscard]] std::string undo_hint(const std::string& race) const;

  // upkeep.cpp
  void empty_trash();
  /// Of a race's directory; nothing while it has not been measured yet.
  std::optional<std::uint64_t> disk_of(const std::string& race);
  void measure_disk(const std::string& race);
  /// What was measured holds no more.
  void measure_disk_anew(const std::string& race);
  /// Of the end of a race: once, by the daemon that sees it; one that is killed in this moment tells nobody.
  void announce(const Race& race);

  // upkeep_history.cpp
  /// After events are stored: whose history is to be made again.
  void note_history(const model::Event& event);
  /// What the history lacks is made, one race a turn of the loop; `then` when nothing is left to do.
  void with_history(std::function<void()> then);
  /// How often the words of confidence were right in own races; made anew where the history has changed.
  /// `days`: see league::known_outcome().
  const league::Calibration& calibration(double days);
  void leaderboard(LeaderboardCall call, std::function<void(Result<wire::Leaderboard>)> done);
  void history(storage::HistoryFilter filter, std::size_t limit,
               std::function<void(Result<wire::History>)> done);
  void rebuild_history(std::function<void(Result<wire::Rebuilt>)> done);
  void forget_history(const std::string& race, std::function<void(Result<wire::Forgotten>)> done);

 private:
  class Cleaning;
  void drop_expired();
  void remember_next();

  Merges& merges;
  Templates& templates;
  boost::asio::steady_timer trash_timer;

  struct DiskUse {
    std::uint64_t bytes = 0;
    std::int64_t at_ms = 0;
  };
  std::map<std::string, DiskUse> disk;
  std::set<std::string> measuring;
  WorkPool disk_pool{1};   ///< walks through trees, so that nothing else waits for them
  WorkPool clean_pool{1};  ///< plans of cleans, which wait for no merge

  std::optional<league::Calibration> calibrated;
  std::int64_t calibrated_ms = 0;  ///< Unix time
  double calibrated_days = 0;
  std::deque<std::string> history_due;  ///< races whose history is to be made, in the order of their making
  std::vector<std::function<void()>> history_waiters;
  bool history_running = false;

  std::stop_source notify_stop;    ///< asked for at the end of the daemon
  std::atomic<int> notifying = 0;  ///< notifications that are told, or wait
  WorkPool notify_pool{1};         ///< who is told of ends may take long to listen
};

}  // namespace hydra::race
