// Queueing of agents, and the resources that they hold while running: a sign-in, a
// place among the agents of their provider and of all races.
#include "base/clock.hpp"
#include "base/strings.hpp"
#include "race/agents/agent_files.hpp"
#include "race/agents/agents.hpp"
#include "race/agents/provider_of.hpp"
#include "race/agents/sign_in.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hydra::race {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::milliseconds kStagger = 2s;  ///< between two starts of agents of one provider

std::string tag_of(const Race& race, const std::string& agent) { return race.state.spec.id + "/" + agent; }

ProviderQueue::Limits provider_limits(const model::LimitsConfig& limits) {
  return {limits.per_provider, kStagger.count(), limits.agents};
}

}  // namespace

// A sign-in file that its CLI rewrites is exclusive to one run: two copies would spend one refresh token and
// log both out. A place among all agents is awaited last (scarcest).
void Agents::run_agent(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  auto& turn = race->queue[name] = {};
  if (agent->begun()) return adopt_agent(race, *agent);
  const auto file = shared_sign_in(race->state.spec, *agent, race->layout);
  if (file.empty()) return await_provider(race, name);
  turn.stage = AgentQueueEntry::Stage::sign_in;
  sign_ins.try_emplace(file, 1).first->second.acquire(tag_of(*race, name), 0, false,
                                                      [this, race, name, file] {
                                                        hold_sign_in(race, name, file);
                                                        await_provider(race, name);
                                                      });
}

// An adopted agent runs already: the agent takes its places regardless of limits, and queued agents wait for
// them.
void Agents::adopt_agent(const RacePtr& race, const AgentState& agent) {
  const auto& name = agent.entry.name;
  const auto file = shared_sign_in(race->state.spec, agent, race->layout);
  if (!file.empty()) {
    sign_ins.try_emplace(file, 1).first->second.hold();
    hold_sign_in(race, name, file);
  }
  const auto provider = provider_of(race->state.spec, agent.entry);
  providers.hold(provider);
  hold_place(race, name, provider);
  its_turn(race, name);
}

void Agents::hold_sign_in(const RacePtr& race, const std::string& name, const std::string& file) {
  auto& turn = race->queue[name];
  turn.shared_sign_in = true;
  turn.held.add([this, file] { sign_ins.at(file).release(); });
}

void Agents::hold_place(const RacePtr& race, const std::string& name, const std::string& provider) {
  race->queue[name].held.add([this, provider] { providers.leave(provider); });
}

void Agents::await_provider(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  const auto provider = provider_of(race->state.spec, agent->entry);
  race->queue[name].stage = AgentQueueEntry::Stage::provider;
  providers.ask(tag_of(*race, name), provider, provider_limits(race->state.spec.config.limits),
                [this, race, name, provider] {
                  hold_place(race, name, provider);
                  its_turn(race, name);
                });
  grant_providers();
}

void Agents::grant_providers() {
  const auto again = providers.grant(steady_ms());
  if (!again) return;
  provider_timer.expires_after(std::chrono::milliseconds(std::max<std::int64_t>(*again, 1)));
  provider_timer.async_wait([this](const boost::system::error_code& ec) {
    if (!ec) grant_providers();
  });
}

void Agents::its_turn(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent || agent->ended || agent->never_runs()) return leave_agent(race, name);
  if (agent->begun()) return start_agent(race, name, agent->attempts);
  if (race_over_budget(race)) return leave_agent(race, name);
  race->queue[name].stage = AgentQueueEntry::Stage::files;
  // A later attempt finds the files of the previous one; a shared sign-in may have been renewed by its
  // previous holder.
  const bool files = agent->due > 1 || race->queue[name].shared_sign_in;
  background(
      [spec = race->state.spec, agent = *agent, layout = race->layout, files]() -> Result<void> {
        return files ? lay_out_agent_files(spec, agent, layout) : Result<void>{};
      },
      [this, race, name](Result<void> laid_out) {
        const auto* due = race->state.agent(name);
        if (due->ended || due->never_runs()) {
          leave_agent(race, name);
          // The race may have ended while copies of credentials were written.
          if (race->state.ended)
            background([spec = race->state.spec, agent = *due, layout = race->layout] {
              close_agent_files(spec, agent, layout);
            });
          return;
        }
        if (!laid_out.ok()) {
          leave_agent(race, name);
          return emit(race->state.spec.id, model::WorkspaceFailed{name, describe(laid_out.error())});
        }
        race->queue[name].stage = AgentQueueEntry::Stage::running;
        const int number = due->due;
        // Stored before the start: a daemon that dies in between adopts or starts this attempt, never a
        // second one.
        emit(race->state.spec.id, model::AgentStarting{name, race->layout.key(name, "agent", number), number},
             [this, race, name, number] {
               // A stop may have been stored before this event.
               if (race->state.agent(name)->attempts != number) return leave_agent(race, name);
               start_agent(race, name, number);
             });
      });
}

// Releases the resources of an agent that has ended, or will not start.
void Agents::leave_agent(const RacePtr& race, const std::string& name) {
  const auto found = race->queue.find(name);
  if (found == race->queue.end()) return;
  auto held = std::move(found->second.held);
  race->queue.erase(found);
  held.give_back();
  grant_providers();
}

void Agents::stop_agent(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!agent) return;
  if (!agent->begun()) {
    providers.drop(tag_of(*race, name));
    for (auto& [file, waiting] : sign_ins) waiting.drop(tag_of(*race, name));
    return leave_agent(race, name);
  }
  executor.cancel(race->layout.key(name, "agent", agent->attempts));
}

// Returns why a due agent does not run yet, for people.
std::string Agents::waits_for(const Race& race, const AgentState& agent) const {
  const auto& name = agent.entry.name;
  if (const auto again = race.retry_at_ms.find(name); again != race.retry_at_ms.end()) {
    const auto left = std::max<std::int64_t>(again->second - clock.now(), 0);
    return "runs again in " + format_duration(left);
  }
  if (const auto lacks = race.wants_room.find(name); lacks != race.wants_room.end()) return lacks->second;
  const auto found = race.queue.find(name);
  if (found == race.queue.end() || agent.begun() || agent.ended) return {};
  const auto& limits = race.state.spec.config.limits;
  const auto& descriptor = race.state.spec.config.agents.at(agent.entry.id);
  switch (found->second.stage) {
    case AgentQueueEntry::Stage::sign_in:
      return "waits for the sign-in that another run of " + descriptor.display + " uses";
    case AgentQueueEntry::Stage::provider: {
      if (limits.agents > 0 && providers.running() >= limits.agents)
        return fmt::format("waits: {} agents run at once in all races ([limits] agents)",
                           providers.running());
      const auto provider = provider_of(race.state.spec, agent.entry);
      const int running = providers.running(provider);
      if (limits.per_provider > 0 && running >= limits.per_provider)
        return fmt::format("waits: {} agents of {} run at once ([limits] per_provider)", running, provider);
      return fmt::format("waits: agents of {} start {} apart", provider, format_duration(kStagger.count()));
    }
    default:
      return {};
  }
}

void Agents::await_turn_of(const RacePtr& race, const std::string& tag, const std::string& sign_in,
                           const std::string& provider,
                           const std::function<void(const std::shared_ptr<Holding>&)>& begin) {
  const auto held = std::make_shared<Holding>();
  held->add([this] { grant_providers(); });  // runs last
  const auto ask = [this, race, tag, provider, begin, held] {
    providers.ask(tag, provider, provider_limits(race->state.spec.config.limits),
                  [this, provider, begin, held] {
                    held->add([this, provider] { providers.leave(provider); });
                    begin(held);
                  });
    grant_providers();
  };
  if (sign_in.empty()) return ask();
  sign_ins.try_emplace(sign_in, 1).first->second.acquire(tag, 0, false, [this, ask, held, sign_in] {
    held->add([this, sign_in] { sign_ins.at(sign_in).release(); });
    ask();
  });
}

}  // namespace hydra::race
