// A race that has ended is ranked again by what a person decides; its checks run again only for results of
// which a path that was put back is to stay as they have it.
#include "base/strings.hpp"
#include "race/course.hpp"
#include "race/state/decisions.hpp"
#include "race/state/selection.hpp"
#include "race/upkeep.hpp"
#include "race/views/views.hpp"

#include <algorithm>

namespace hydra::race {

void Course::decide(DecideCall call, std::function<void(Result<wire::Results>)> done) {
  if (draining()) return done(daemon_stops());
  auto loaded = load(call.race);
  if (!loaded.ok()) return done(std::move(loaded).error());
  const auto race = *loaded;
  const auto& state = race->state;
  if (state.ended != model::RaceEnd::done || !state.ranking)
    return done(
        Error{Errc::conflict, "the race has no final ranking", call.race, "wait for it: hydra watch"});
  // Its last effects have been carried out in a turn of the loop.
  if (races.contains(call.race))
    return boost::asio::post(loop, [this, call = std::move(call), done = std::move(done)]() mutable {
      decide(std::move(call), std::move(done));
    });
  if (const auto busy = engine.busy_with(call.race); !busy.empty())
    return done(Error{Errc::conflict, "the race " + busy, call.race, "try again when that is done"});
  if (call.decisions.empty()) return done(Error{Errc::usage, "nothing is decided", call.race, {}});
  for (const auto& decision : call.decisions)
    if (auto checked = check_decision(state, decision); !checked.ok())
      return done(std::move(checked).error());
  if (call.by.size() > 200 || sanitize(call.by) != call.by)
    return done(Error{Errc::usage, "the author is one line of 200 bytes at most", "author", {}});
  if (call.by.empty()) call.by = sanitize(state.spec.repository.user_name).substr(0, 200);
  const model::Decided decided{std::move(call.decisions), call.by};
  auto copy = state;
  apply(copy, {0, call.race, clock.now(), decided, {}});
  const auto after = state.last_event;
  const auto answer = [this, id = call.race, after, done] {
    const auto decided_race = load(id);
    if (!decided_race.ok()) return done(decided_race.error());
    const auto& now = (*decided_race)->state;
    auto out = results_view(now, clock.moment(), &upkeep.calibration(now.spec.config.selection.outcome_days));
    out.after = after;
    done(std::move(out));
  };
  if (copy.ended) {
    emit(call.race, decided);
    return emit(call.race, model::ScoringResult{ranking_of(copy)}, answer);
  }
  std::error_code ec;
  if (!race->store || !fs::is_directory(race->layout.store(), ec))
    return done(Error{Errc::not_found, "the results of this race are not kept any more", call.race, {}});
  // It runs again, as after a restart of the daemon, and with other protected paths.
  engine.enter(race);
  race->rules = std::make_shared<integrity::KnownRules>();
  emit(call.race, decided, answer);
}

}  // namespace hydra::race
