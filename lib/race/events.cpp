// The only way to change a race: events are stored (one durable transaction per turn of the loop), then
// folded, then sent to subscribers, and only then their commands are carried out.
#include "base/loop_work.hpp"
#include "race/agents/secrets.hpp"
#include "race/engine.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace hydra::race {
namespace {

// Lists of tests are long.
bool is_for_writer(const std::vector<model::Event>& events) {
  return storage::EventStore::waits_for_disk(events) ||
         std::any_of(events.begin(), events.end(), [](const auto& event) {
           return std::holds_alternative<model::CheckEnded>(event.body) ||
                  std::holds_alternative<model::CheckRepeated>(event.body);
         });
}

}  // namespace

void Engine::emit(const std::string& race, model::EventBody body, std::function<void()> then) {
  Stored call;
  if (then) call = [then = std::move(then)](const Result<void>&) { then(); };
  add(race, std::move(body), {std::move(call)});
}

void Engine::ask(const std::string& race, std::vector<model::EventBody> bodies, Stored answer) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    add(race, std::move(bodies[i]), {i + 1 == bodies.size() ? answer : Stored(), true});
}

void Engine::add(const std::string& race, model::EventBody body, Then then) {
  // Secrets printed by agents and tools are neither stored nor published.
  if (const auto found = races.find(race); found != races.end() && !found->second->state.spec.id.empty())
    body =
        without_secrets(std::move(body), secrets.of_race(found->second->state.spec, found->second->secrets));
  pending.events.push_back({0, race, clock.now(), std::move(body), clock.uptime()});
  pending.then.push_back(std::move(then));
  if (flush_posted || storing) return;
  flush_posted = true;
  boost::asio::post(loop, [this] { flush(); });
}

// Synced and long writes run on the writer thread, so that they delay neither other races nor requests.
void Engine::flush() {
  flush_posted = false;
  if (storing || pending.events.empty()) return tell_drained();
  auto batch = std::exchange(pending, {});
  if (!is_for_writer(batch.events)) {
    const auto stored = store.append(batch.events);
    flushed(std::move(batch), stored);
    return tell_drained();
  }
  storing = true;
  boost::asio::post(writer, [this, batch = std::move(batch)]() mutable {
    auto stored = store.append(batch.events);
    boost::asio::post(loop, [this, batch = std::move(batch), stored = std::move(stored)]() mutable {
      storing = false;
      // The disk works while the loop delivers this batch.
      if (stored.ok() && is_for_writer(pending.events)) flush();
      flushed(std::move(batch), stored);
      if (!flush_posted) flush();
      tell_drained();
    });
  });
}

void Engine::drain(std::function<void()> stored) {
  draining = true;
  drained = std::move(stored);
  tell_drained();
}

void Engine::tell_drained() {
  if (!drained || storing || flush_posted || !pending.events.empty()) return;
  boost::asio::post(loop, std::exchange(drained, {}));
}

void Engine::flushed(Batch batch, const Result<void>& stored) {
  if (!stored.ok()) {
    // Nothing proceeds without its event. The disk may have room again in a moment; running agents are
    // unaffected.
    batch.events.insert(batch.events.end(), std::make_move_iterator(pending.events.begin()),
                        std::make_move_iterator(pending.events.end()));
    batch.then.insert(batch.then.end(), std::make_move_iterator(pending.then.begin()),
                      std::make_move_iterator(pending.then.end()));
    pending = std::move(batch);
    batch = {};
    if (reserve.release()) {
      log::warn("{}; what was set aside is used now", describe(stored.error()));
      return flush();
    }
    std::vector<Stored> refused;
    for (std::size_t i = 0; i < pending.events.size(); ++i) {
      if (auto& then = pending.then[i]; then.asked) {
        if (then.call) refused.push_back(std::move(then.call));
        continue;
      }
      batch.events.push_back(std::move(pending.events[i]));
      batch.then.push_back(std::move(pending.then[i]));
    }
    pending = std::move(batch);
    for (const auto& answer : refused) answer(stored);
    if (pending.events.empty()) return;
    for (const auto& event : pending.events)
      if (const auto* cancel = std::get_if<model::CancelRequested>(&event.body))
        stop_unrecorded(event.race, cancel->agent);
    if (storage_problem.empty()) {
      // Set once: the text stays the same while the cause lasts.
      const auto lack = lack_of_room(options.paths.state);
      storage_problem = "waiting: " + describe(stored.error()) + (lack.empty() ? "" : "; " + lack);
      log::error("{}; trying again every second", storage_problem);
    }
    flush_posted = true;
    retry_timer.expires_after(std::chrono::seconds(1));
    retry_timer.async_wait([this](const boost::system::error_code& ec) {
      if (!ec) flush();
    });
    return;
  }
  if (!storage_problem.empty()) log::info("events can be stored again");
  storage_problem.clear();
  recent.reset();
  for (const auto& event : batch.events) note_stored(event);
  for (std::size_t i = 0; i < batch.events.size(); ++i) {
    deliver(batch.events[i]);
    note_told(batch.events[i]);
    if (batch.then[i].call) batch.then[i].call({});
  }
}

void Engine::stop_unrecorded(const std::string& id, const std::string& name) {
  const auto found = races.find(id);
  if (found == races.end()) return;
  const auto race = found->second;
  for (const auto& agent : race->state.agents)
    if (agent.begun() && !agent.ended && (name.empty() || agent.entry.name == name))
      executor.cancel(race->layout.key(agent.entry.name, "agent", agent.attempts));
  for (const auto& [subject, keys] : race->running_checks)
    for (const auto& key : keys)
      if (name.empty()) executor.cancel(key);
}

void Engine::tell_subscribers(const model::Event& event) {
  // A subscriber may unsubscribe in its callback.
  std::vector<std::uint64_t> interested;
  for (const auto& [id, subscriber] : subscribers)
    if ((subscriber.race.empty() || subscriber.race == event.race) && subscriber.after < event.id)
      interested.push_back(id);
  for (const auto id : interested) {
    const auto subscriber = subscribers.find(id);
    if (subscriber == subscribers.end()) continue;
    subscriber->second.after = event.id;
    const auto on_event = subscriber->second.on_event;
    on_event(event);
  }
}

void Engine::deliver(const model::Event& event) {
  name_loop_work(model::kind(event.body));
  const auto found = races.find(event.race);
  if (found == races.end()) return;
  const RacePtr race = found->second;
  const auto commands = reduce(race->state, event);
  tell_subscribers(event);
  if (draining) return;
  for (const auto& command : commands) carry_out(race, command);
}

}  // namespace hydra::race
