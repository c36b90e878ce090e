// A race as a whole, from its preparation to its end. Every step must end in an event, or the race would
// never end.
#include "race/race_flow.hpp"

#include "base/entries.hpp"
#include "base/strings.hpp"
#include "race/agents/home_files.hpp"
#include "race/checks/checks.hpp"
#include "race/checks/hidden.hpp"
#include "race/merges/merges.hpp"
#include "race/state/decisions.hpp"
#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "race/upkeep.hpp"
#include "race/views/views.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {

void RaceFlow::prepare_race(const RacePtr& race) {
  set_limits(*race);
  background(
      [layout = race->layout, spec = race->state.spec]() -> Result<std::vector<model::Note>> {
        HYDRA_CHECK(make_dirs(layout.store().parent_path(), 0700));
        HYDRA_TRY(auto made, git::Store::create(layout.store(), spec, layout.bases()));
        HYDRA_CHECK(hidden_stays_hidden(made, spec));
        return left_out_notes(spec, layout);
      },
      [this, race](Result<std::vector<model::Note>> prepared) {
        const auto& id = race->state.spec.id;
        if (!prepared.ok()) return emit(id, model::RaceFailed{describe(prepared.error())});
        engine.open_store(*race);
        for (auto& note : *prepared) emit(id, std::move(note));
        emit(id, model::RacePrepared{});
        // Read the base's protected paths while agents work, not when the first one has ended.
        background([rules = race->rules, store = *race->store,
                    spec = race->state.spec] { return rules->get(store, spec).ok(); },
                   [](const Result<bool>&) {});
      });
}

void RaceFlow::rank_first(const RacePtr& race) {
  emit(race->state.spec.id, model::ScoringResult{ranking_of(race->state), false});
}

void RaceFlow::rank(const RacePtr& race) {
  const auto& spec = race->state.spec;
  const auto& config = spec.config.scoring;
  const auto ranking = ranking_of(race->state);
  if (spec.config.merge.automatic && spec.verifies.empty() && !ranking.winner.empty()) {
    const auto best = ranking.agents.front().score.composite;
    const bool above = scoring::judge(best, config.thresholds).auto_merge;
    auto hold = merge_hold(race->state, ranking.winner);
    if (hold.empty()) hold = selection_hold(race->state, ranking);
    if (above && !hold.empty())
      emit(spec.id, model::MergeRefused{ranking.winner, hold, true, model::Refusal::held});
  }
  emit(spec.id, model::ScoringResult{ranking});
}

namespace {

std::vector<fs::path> homes_of_checks(const Race& race) {
  std::vector<fs::path> homes;
  std::error_code ec;
  for (const auto& entry : entries_of(race.layout.root() / "home", ec))
    if (!race.state.agent(model::subject_of_directory(entry.path().filename().string()).agent))
      homes.push_back(entry.path());
  return homes;
}

// Returns the judgements without a running job; the end of a job clears the others.
std::vector<Subject> judgements_left(const Race& race) {
  std::vector<Subject> left;
  if (!race.state.judging) return left;
  for (const auto& planned : race.state.judging->judgements) {
    const auto running = race.running_checks.find(planned.subject);
    if (running == race.running_checks.end() || running->second.empty()) left.push_back(planned.subject);
  }
  return left;
}

}  // namespace

// Removes private homes, which hold copies of credentials, before the race is reported as ended; resumable
// sessions stay.
void RaceFlow::finish(const RacePtr& race) {
  // Compare now: changes that the user makes after the race's end must not be blamed on it.
  merges.compare_repository(race, {}, [this, race] { clear_up(race); });
}

void RaceFlow::clear_up(const RacePtr& race) {
  background(
      [spec = race->state.spec, agents = race->state.agents, layout = race->layout,
       homes = homes_of_checks(*race), judgements = judgements_left(*race), reserve = engine.reserve] {
        for (const auto& agent : agents)
          if (spec.config.agents.contains(agent.entry.id)) close_agent_files(spec, agent, layout);
        trees::move_to_trash(layout.root() / "seals", layout.trash());
        for (const auto& subject : judgements)  // of a cancelled race
          for (const auto& place : {layout.judge(subject), layout.run(text(subject))})
            trees::move_to_trash(place, layout.trash());
        std::error_code empty;
        fs::remove(layout.root() / "judges", empty);
        for (const auto& home : homes) trees::move_to_trash(home, layout.trash());
        reserve.make();  // for the races that run on
      },
      [this, race] {
        const auto& state = race->state;
        using model::RaceEnd;
        const auto end = !state.failure.empty() ? RaceEnd::failed
                         : state.cancelled      ? RaceEnd::cancelled
                                                : RaceEnd::done;
        emit(state.spec.id, model::RaceEnded{end}, [this, race] {
          // Nothing should wait or run any more; stop any remaining job, which must not outlive the race.
          for (const auto& [subject, found] : race->state.subjects) checks.stop_checks(race, subject);
          if (race->state.judging)
            for (const auto& planned : race->state.judging->judgements)
              checks.stop_checks(race, planned.subject);
          if (race->workspaces) {
            for (const auto& [subject, found] : race->state.subjects) race->workspaces->discard(subject);
          }
          boost::asio::post(loop, [this, race] {
            engine.retire(race);
            upkeep.measure_disk_anew(race->state.spec.id);
          });
          upkeep.empty_trash();
        });
      });
}

std::string RaceFlow::race_waits(const Race& race) const {
  if (race.state.ended) return {};
  if (!engine.problem().empty()) return engine.problem();
  std::vector<std::string> waits;
  for (const auto& [agent, what] : race.wants_room)
    waits.push_back(agent.empty() ? what : agent + ": " + what);
  return join(waits, "; ");
}

// Ranks an ended race again after a person's decisions; checks run again only for results of which a restored
// path is released.
void RaceFlow::decide(DecideCall call, std::function<void(Result<wire::Results>)> done) {
  if (draining()) return done(daemon_stops());
  auto loaded = load(call.race);
  if (!loaded.ok()) return done(std::move(loaded).error());
  const auto race = *loaded;
  const auto& state = race->state;
  if (state.ended != model::RaceEnd::done || !state.ranking)
    return done(
        Error{Errc::conflict, "the race has no final ranking", call.race, "wait for it: hydra watch"});
  // The race's last effects complete within one turn of the loop.
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
  const auto answer = [this, id = call.race, after, done](const Result<void>& stored) {
    if (!stored.ok()) engine.leave(id);
    if (!stored.ok()) return done(stored.error());
    const auto decided_race = load(id);
    if (!decided_race.ok()) return done(decided_race.error());
    const auto& now = (*decided_race)->state;
    auto out = results_view(now, clock.moment(), &upkeep.calibration());
    out.after = after;
    done(std::move(out));
  };
  if (copy.ended) return ask(call.race, {decided, model::ScoringResult{ranking_of(copy)}}, answer);
  std::error_code ec;
  if (!race->store || !fs::is_directory(race->layout.store(), ec))
    return done(Error{Errc::not_found, "the results of this race are not kept any more", call.race, {}});
  // The race runs again, as after a restart of the daemon, with other protected paths.
  engine.enter(race);
  race->rules = std::make_shared<integrity::KnownRules>();
  ask(call.race, {decided}, answer);
}

}  // namespace hydra::race
