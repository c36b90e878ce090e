// race: what agents and checks wait for, in words for people.
#include "base/clock.hpp"
#include "base/strings.hpp"
#include "race/impl.hpp"
#include "race/provider_of.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {

std::string Service::Impl::race_waits(const Race& race) const {
  if (!race.state.ended.empty()) return {};
  if (!storage_problem.empty()) return storage_problem;
  std::vector<std::string> waits;
  for (const auto& [agent, what] : race.wants_room)
    waits.push_back(agent.empty() ? what : agent + ": " + what);
  return join(waits, "; ");
}

// For people: why an agent that is due does not run yet.
std::string Service::Impl::waits_for(const Race& race, const AgentState& agent) const {
  const auto& name = agent.entry.name;
  if (const auto again = race.retry_at_ms.find(name); again != race.retry_at_ms.end()) {
    const auto left = std::max<std::int64_t>(again->second - clock.now(), 0);
    return "runs again in " + format_duration(left);
  }
  if (const auto lacks = race.wants_room.find(name); lacks != race.wants_room.end()) return lacks->second;
  const auto found = race.turns.find(name);
  if (found == race.turns.end() || agent.begun() || agent.ended) return {};
  const auto& limits = race.state.spec.config.limits;
  const auto& descriptor = race.state.spec.config.agents.at(agent.entry.id);
  switch (found->second.stage) {
    case Turn::Stage::sign_in:
      return "waits for the sign-in that another run of " + descriptor.display + " uses";
    case Turn::Stage::provider: {
      if (limits.agents_total > 0 && providers.running() >= limits.agents_total)
        return fmt::format("waits: {} agents run at once in all races ([limits] agents_total)",
                           providers.running());
      const auto provider = provider_of(race.state.spec, agent.entry);
      const int running = providers.running(provider);
      if (limits.per_provider > 0 && running >= limits.per_provider)
        return fmt::format("waits: {} agents of {} run at once ([limits] per_provider)", running, provider);
      if (const auto used = providers.tokens_of_minute(provider, steady_ms());
          limits.tokens_per_minute > 0 && used >= limits.tokens_per_minute)
        return fmt::format(
            "waits: agents of {} have used {} tokens within a minute ([limits] tokens_per_minute)", provider,
            used);
      return fmt::format("waits: agents of {} start {} s apart ([limits] stagger_seconds)", provider,
                         limits.stagger_seconds);
    }
    case Turn::Stage::slot:
      return fmt::format("waits: {} agents run at once ([limits] agents)", race.agent_slots->running());
    default:
      return {};
  }
}

// For people: why a check of that subject does not run yet; empty: it runs, or waits for nothing of the kind.
std::string Service::Impl::check_waits(const Race& race, const std::string& subject) {
  const auto& pool = slots_of_checks(race);
  const auto running = race.running_checks.find(subject);
  const bool template_of =
      commit_subject(subject) == model::kBaseline && pool.waits(race.state.spec.id + "/template");
  if ((running != race.running_checks.end() && !running->second.empty()) ||
      (!template_of && !pool.waits(tag(race, subject))))
    return {};
  std::vector<std::string> holders;
  for (const auto& [id, other] : races) {
    if (&slots_of_checks(*other) != &pool) continue;
    for (const auto& [whose, keys] : other->running_checks)
      if (!keys.empty())
        holders.push_back(id + "/" +
                          (whose == model::kBaseline              ? "baseline"
                           : whose.starts_with(model::kJudgeMark) ? "a judge"
                                                                  : whose));
  }
  return fmt::format("waiting for a check slot ({} of {} held{}{})", pool.held(), pool.limit(),
                     holders.empty() ? "" : " by ", join(holders, ", "));
}

}  // namespace hydra::race
