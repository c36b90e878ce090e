// The history: updated when a race has ended or is missing, and queried.
#include "race/state/history.hpp"
#include "race/upkeep.hpp"
#include "race/views/history_view.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace hydra::race {

void Upkeep::note_history(const model::Event& event) {
  const auto& body = event.body;
  if (!std::holds_alternative<model::RaceEnded>(body) && !std::holds_alternative<model::Merged>(body) &&
      !std::holds_alternative<model::MergeUndone>(body) && !std::holds_alternative<model::Rated>(body) &&
      !std::holds_alternative<model::HistoryForgotten>(body))
    return;
  history_due.push_back(event.race);
  if (history_running) return;
  history_running = true;
  boost::asio::post(loop, [this] { remember_next(); });
}

void Upkeep::with_history(std::function<void()> then) {
  history_waiters.push_back(std::move(then));
  constexpr std::size_t kAll = 1u << 30;
  if (const auto stale = store.stale_history(kAll); stale.ok()) {
    const std::set<std::string> due(history_due.begin(), history_due.end());
    std::copy_if(stale->begin(), stale->end(), std::back_inserter(history_due),
                 [&](const auto& id) { return !due.contains(id); });
  } else {
    log::warn("{}", describe(stale.error()));
  }
  if (history_running) return;
  history_running = true;
  boost::asio::post(loop, [this] { remember_next(); });
}

// A single race per turn of the loop: folding thousands takes a while, and other requests are served
// meanwhile.
void Upkeep::remember_next() {
  if (history_due.empty() || draining()) {
    history_running = false;
    for (const auto& waiter : std::exchange(history_waiters, {})) waiter();
    return;
  }
  // Insertion order, not id order: floating-point sums depend on it.
  const auto id = history_due.front();
  history_due.pop_front();
  engine.with_loaded(id, [this, id] {
    // A race that can't be read or stored now stays stale, and is tried again at the next query.
    if (const auto race = load(id); !race.ok()) {
      log::warn("race {} is not in the history: {}", id, describe(race.error()));
    } else if (const auto made = history_of((*race)->state)) {
      calibrated.reset();
      if (const auto stored = store.put_history(*made); !stored.ok())
        log::warn("race {} is not in the history: {}", id, describe(stored.error()));
    }
    boost::asio::post(loop, [this] { remember_next(); });
  });
}

const league::Calibration& Upkeep::calibration() {
  constexpr double kOutcomeDays = 14;          // a merge that was not undone for so long was a good one
  constexpr std::int64_t kHourMs = 3'600'000;  // merges reach the age of a known outcome by time alone
  const auto now = clock.now();
  if (calibrated && now - calibrated_ms < kHourMs) return *calibrated;
  std::vector<league::KnownOutcome> outcomes;
  const auto read = storage::read_outcomes(options.paths.database(), [&](const storage::Outcome& row) {
    const auto good = league::known_outcome({row.rating, row.merged_ms, row.undone}, now, kOutcomeDays);
    if (good) outcomes.push_back({static_cast<std::uint32_t>(row.race), row.confidence, *good});
  });
  if (!read.ok()) log::warn("{}", describe(read.error()));
  calibrated = league::calibrate(outcomes);
  calibrated_ms = now;
  return *calibrated;
}

void Upkeep::leaderboard(LeaderboardCall call, std::function<void(Result<wire::Leaderboard>)> done) {
  with_history([this, call = std::move(call), done = std::move(done)] {
    background([call, file = options.paths.database()] { return leaderboard_view(file, call); }, done);
  });
}

void Upkeep::history(storage::HistoryFilter filter, std::size_t limit,
                     std::function<void(Result<wire::History>)> done) {
  with_history([this, filter = std::move(filter), limit, done = std::move(done)] {
    background([filter, limit, file = options.paths.database()] { return history_page(file, filter, limit); },
               done);
  });
}

void Upkeep::import_history(const std::vector<model::HistoryRace>& races,
                            std::function<void(Result<wire::Imported>)> done) {
  calibrated.reset();
  const auto taken = store.import_history(races);
  if (!taken.ok()) return done(taken.error());
  done(wire::Imported{*taken, races.size() - *taken});
}

void Upkeep::rebuild_history(std::function<void(Result<wire::Rebuilt>)> done) {
  if (auto cleared = store.clear_history(); !cleared.ok()) return done(std::move(cleared).error());
  with_history([this, done = std::move(done)] {
    background(
        [file = options.paths.database()]() -> Result<wire::Rebuilt> {
          wire::Rebuilt made;
          HYDRA_CHECK(storage::read_history(file, {}, [&](const auto& row) {
            made.races += row.imported() ? 0 : 1;
            return true;
          }));
          return made;
        },
        done);
  });
}

void Upkeep::forget_history(const std::string& race, std::function<void(Result<wire::Forgotten>)> done) {
  with_history([this, race, done = std::move(done)] {
    std::size_t count = 0;
    std::vector<std::string> known;
    storage::HistoryFilter filter;
    filter.race = race;
    const auto read = storage::read_history(options.paths.database(), filter, [&](const auto& row) {
      ++count;
      if (!row.imported()) known.push_back(row.race);
      return true;
    });
    if (!read.ok()) return done(read.error());
    calibrated.reset();
    if (auto gone = store.forget_imported(race); !gone.ok()) return done(std::move(gone).error());
    const auto forgotten = [this, count, done](const Result<void>& stored) {
      if (!stored.ok()) return done(stored.error());
      with_history([done, count] { done(wire::Forgotten{count}); });
    };
    if (known.empty()) return forgotten({});
    // After the last of these events is stored and its commands are issued.
    for (const auto& id : known)
      engine.ask(id, {model::HistoryForgotten{}}, id == known.back() ? forgotten : Engine::Stored());
  });
}

}  // namespace hydra::race
