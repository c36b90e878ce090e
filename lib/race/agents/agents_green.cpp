// Stops agents that need not go on: `hydra race --until green`, and [limits] stop_dominated.
#include "race/agents/agents.hpp"
#include "race/state/green.hpp"

#include <algorithm>
#include <chrono>

namespace hydra::race {

void Agents::stop_rest(const RacePtr& race) {
  const auto grace = race->state.spec.config.limits.green_grace_seconds;
  const auto first = green_result(race->state);
  auto left = static_cast<std::int64_t>(grace * 1000);
  // Its time goes on where another daemon began it.
  if (race->state.green && race->state.green->agent == first)
    left = std::clamp<std::int64_t>(race->state.green->at_ms + left - clock.now(), 0, left);
  else if (!first.empty())
    emit(race->state.spec.id, model::GreenReached{first});
  race->green_timer = std::make_unique<boost::asio::steady_timer>(loop, std::chrono::milliseconds(left));
  race->green_timer->async_wait(
      [this, weak = std::weak_ptr<Race>(race)](const boost::system::error_code& ec) {
        const auto still = weak.lock();
        if (ec || !still || !lives(still) || draining() || still->state.ranking) return;
        const auto green = green_result(still->state);
        if (green.empty()) return;
        const auto why =
            "stopped: the result of " + still->state.agent(green)->display + " is green (--until green)";
        for (const auto& agent : still->state.agents) {
          const auto& live = still->live[agent.entry.name];
          const bool leaving = live.reader && live.reader->view().terminal;
          if (agent.ended || agent.stop || agent.cancelled || live.stopping || leaving) continue;
          if (!agent.workspace_error.empty()) continue;
          request_stop(still, agent, {{}, model::StopReason::green, {}, why, {}});
        }
      });
}

void Agents::stop_dominated(const RacePtr& race) {
  if (!race->state.spec.config.limits.stop_dominated || draining()) return;
  for (const auto& agent : race->state.agents) {
    const auto& live = race->live[agent.entry.name];
    const bool leaving = live.reader && live.reader->view().terminal;
    if (!agent.begun() || agent.ended || agent.stop || agent.cancelled || live.stopping || leaving) continue;
    const auto by = dominated_by(race->state, agent, clock.now() - agent.started_ms);
    if (by.empty()) continue;
    request_stop(race, agent,
                 {{},
                  model::StopReason::dominated,
                  {},
                  "stopped: the result of " + race->state.agent(by)->display +
                      " has all points and took less time ([limits] stop_dominated)",
                  {}});
  }
}

}  // namespace hydra::race
