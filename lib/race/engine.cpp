#include "race/engine.hpp"

#include "base/strings.hpp"
#include "model/json.hpp"
#include "race/agents/secrets.hpp"

#include <algorithm>
#include <chrono>

namespace hydra::race {

Engine::Engine(boost::asio::io_context& loop_, Service::Options options_, storage::EventStore& store_,
               exec::Executor& executor_, const Clock& clock_, IdSource& ids_)
    : loop(loop_),
      options(std::move(options_)),
      store(store_),
      executor(executor_),
      clock(clock_),
      ids(ids_),
      reserve(options.paths.state / "reserve"),
      secrets(options.starter),
      forget_timer(loop_),
      retry_timer(loop_),
      pool(static_cast<std::size_t>(options.pool_threads)) {}

Error daemon_stops() { return {Errc::environment, "the daemon is stopping", {}, "try again in a moment"}; }

RacePtr Engine::make_race(const std::string& id) const {
  return std::make_shared<Race>(options.paths.state, id);
}

void set_limits(Race& race) {
  const auto& limits = race.state.spec.config.limits;
  // On a cluster the window limits checks, not this machine's CPUs.
  const auto& execution = race.state.spec.config.execution;
  const int placed = execution.placement == model::Placement::slurm ? std::max(1, execution.window) : 0;
  if (const int checks = limits.checks > 0 ? limits.checks : placed; checks > 0)
    race.own_check_slots = std::make_unique<SlotPool>(checks);
}

void Engine::open_store(Race& race) const {
  race.store = git::Store::open(race.layout.store(), race.state.spec);
  if (race.state.spec.tree_rung == model::TreeRung::unshared)
    race.workspaces =
        trees::fresh_workspaces(*race.store, race.state.spec, race.layout.checks(), race.layout.trash());
}

Result<RacePtr> Engine::load(const std::string& id) {
  if (const auto found = races.find(id); found != races.end()) return found->second;
  if (recent && recent->layout.race() == id) return recent;
  HYDRA_TRY(auto race, read(id));
  keep_recent(race);
  return race;
}

void Engine::with_loaded(const std::string& id, std::function<void()> then) {
  if (races.contains(id) || (recent && recent->layout.race() == id)) return then();
  background([this, id] { return read(id); },
             [this, id, then = std::move(then)](const Result<RacePtr>& race) {
               if (race.ok() && !races.contains(id)) {
                 // Events that were stored meanwhile.
                 if (const auto more = store.events(id, (*race)->state.last_event); more.ok())
                   for (const auto& event : *more) apply((*race)->state, event);
                 keep_recent(*race);
               }
               then();
             });
}

Result<RacePtr> Engine::read(const std::string& id) const {
  HYDRA_TRY(const auto events, store.events(id, 0));
  if (events.empty()) return Error{Errc::not_found, "no race '" + id + "'", {}, "hydra list"};
  auto race = make_race(id);
  for (const auto& event : events) apply(race->state, event);
  open_store(*race);
  return race;
}

void Engine::keep_recent(const RacePtr& race) {
  constexpr std::chrono::seconds kRemembered{20};  // a page asks every few seconds
  recent = race;
  forget_timer.expires_after(kRemembered);
  forget_timer.async_wait([this](const boost::system::error_code& ec) {
    if (!ec) recent.reset();
  });
}

void Engine::enter(const RacePtr& race) {
  recent.reset();
  set_limits(*race);
  // Pinned before any template is evicted; Templates::with_template() rebuilds a missing one.
  if (race->state.checks_template) race->template_digest = race->state.checks_template->digest;
  races[race->layout.race()] = race;
}

void Engine::retire(const RacePtr& race) {
  auto ended = make_race(race->layout.race());
  ended->state = race->state;
  ended->state.issued = {};
  ended->state.wants = {};
  open_store(*ended);
  leave(race->layout.race());
  keep_recent(ended);
}

bool Engine::lives(const RacePtr& race) const {
  const auto found = races.find(race->state.spec.id);
  return found != races.end() && found->second == race && !race->state.ended;
}

bool Engine::anything_runs() const {
  return std::any_of(races.begin(), races.end(), [](const auto& r) { return !r.second->state.ended; });
}

Result<void> Engine::mark_busy(const std::string& race, const std::string& what) {
  const auto [at, fresh] = busy.try_emplace(race, what);
  if (fresh) return {};
  return Error{Errc::conflict, "the race " + at->second, race, "try again when that is done"};
}

std::string Engine::busy_with(const std::string& race) const {
  const auto found = busy.find(race);
  return found == busy.end() ? std::string() : found->second;
}

void Engine::later(std::function<void()> work) {
  const auto timer = std::make_shared<boost::asio::steady_timer>(loop, std::chrono::seconds(1));
  timer->async_wait([timer, work = std::move(work)](const boost::system::error_code& ec) {
    if (!ec) work();
  });
}

std::unique_ptr<boost::asio::steady_timer> Engine::timer(const RacePtr& race, std::int64_t milliseconds,
                                                         std::function<void(const RacePtr&)> work) {
  auto timer = std::make_unique<boost::asio::steady_timer>(
      loop, std::chrono::milliseconds(std::max<std::int64_t>(0, milliseconds)));
  timer->async_wait(
      [this, weak = std::weak_ptr<Race>(race), work = std::move(work)](const boost::system::error_code& ec) {
        const auto still = weak.lock();
        if (!ec && still && lives(still) && !stopping()) work(still);
      });
  return timer;
}

void Engine::put_cached(const std::string& key, std::string value) {
  boost::asio::post(writer, [this, key, value = std::move(value), at_ms = clock.now()] {
    store.put_cached(key, value, at_ms);
  });
}

void Engine::put_cached(const std::string& key, model::CheckSet checks) {
  boost::asio::post(writer, [this, key, checks = std::move(checks), at_ms = clock.now()] {
    store.put_cached(key, model::to_json(checks), at_ms);
  });
}

void Engine::record(const RacePtr& race, model::EventBody event, Stored then) {
  const auto& id = race->state.spec.id;
  if (races.contains(id))
    return emit(id, std::move(event), [then = std::move(then)] {
      if (then) then({});
    });
  event = without_secrets(std::move(event), secrets.of_race(race->state.spec, race->secrets));
  std::vector<model::Event> events{{0, id, clock.now(), std::move(event), clock.uptime()}};
  recent.reset();
  const auto stored = store.append(events);
  note_stored(events.front());
  if (!stored.ok()) log::error("race {}: {}", id, describe(stored.error()));
  if (stored.ok()) {
    tell_subscribers(events.front());
    note_told(events.front());
  }
  if (then) then(stored);
}

Result<std::uint64_t> Engine::subscribe(const std::string& id, std::int64_t after, OnEvent on_event) {
  if (!id.empty()) {
    HYDRA_TRY(const auto past, store.events(id, after));
    if (past.empty() && after == 0)
      return Error{Errc::not_found, "no race '" + sanitize(id) + "'", {}, "hydra list"};
    for (const auto& event : past) {
      after = std::max(after, event.id);
      on_event(event);
    }
  }
  const auto number = next_subscription++;
  subscribers[number] = {id, after, std::move(on_event)};
  return number;
}

}  // namespace hydra::race
