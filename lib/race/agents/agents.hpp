// race: the agents of a race: workspaces, queueing, runs, live observation, stops and retries.
#pragma once

#include "race/engine.hpp"
#include "race/limits/providers.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace hydra::race {

class Merges;
class Templates;
class Upkeep;

class Agents : Owner {
 public:
  Agents(Engine& engine, Merges& merges, Templates& templates, Upkeep& upkeep);

  // agents_capture.cpp
  void prepare_workspace(const RacePtr& race, const std::string& agent);
  void capture(const RacePtr& race, const std::string& agent, int tries = 1);
  /// Gives the room of a captured agent that a disk limit ended to the others.
  void give_room(const RacePtr& race, const std::string& agent);

  // agents.cpp
  void run_agent(const RacePtr& race, const std::string& agent);
  void stop_agent(const RacePtr& race, const std::string& agent);
  /// Notes, after a restart of the daemon, which keys are no longer known.
  void note_lost_keys(const RacePtr& race);

  // agents_queue.cpp
  /// Queues a program that is not one of the race's agents, such as a judge: exclusive use of `sign_in`
  /// (empty: none), then a place among the agents of `provider`.
  void await_turn_of(const RacePtr& race, const std::string& tag, const std::string& sign_in,
                     const std::string& provider,
                     const std::function<void(const std::shared_ptr<Holding>&)>& begin);
  /// Returns why an agent that is due does not run yet, for people.
  [[nodiscard]] std::string waits_for(const Race& race, const AgentState& agent) const;

  // agents_retry.cpp
  void retry_agent(const RacePtr& race, const std::string& agent);
  void retry(RetryCall call, std::function<void(Result<wire::Retried>)> done);

  // agents_rounds.cpp
  void next_round(const RacePtr& race);

  // agents_watch.cpp
  void refresh_live(const RacePtr& race, const AgentState& agent);
  void stop_rest(const RacePtr& race);
  bool race_over_budget(const RacePtr& race);

 private:
  /// Returns why this retry can't begin; nullopt: it can.
  [[nodiscard]] std::optional<Error> no_retry_of(const Race& race, const RetryCall& call) const;
  /// Makes the retry of one agent and adds it to the answer.
  [[nodiscard]] model::RetryRequested retry_of(const Race& race, const RetryCall& call,
                                               const std::string& agent, wire::Retried& answer) const;
  /// Makes the comments of a retry, then goes on with it.
  void quote_review(const RacePtr& race, RetryCall call, std::function<void(Result<wire::Retried>)> done);
  void adopt_agent(const RacePtr& race, const AgentState& agent);
  void start_agent(const RacePtr& race, const std::string& agent, int number);
  void agent_ended(const RacePtr& race, const std::string& agent, const exec::JobResult& result);

  void await_provider(const RacePtr& race, const std::string& agent);
  void its_turn(const RacePtr& race, const std::string& agent);
  void hold_sign_in(const RacePtr& race, const std::string& agent, const std::string& file);
  void hold_place(const RacePtr& race, const std::string& agent, const std::string& provider);
  void leave_agent(const RacePtr& race, const std::string& agent);
  void grant_providers();

  static void read_output(const RacePtr& race, const AgentState& agent);
  static const adapters::PriceTable& prices_of(const RacePtr& race);
  /// Returns the time of a monotonic clock.
  static std::int64_t steady_ms();
  void watch_agents();
  void look_at_agents();
  void look_at(const RacePtr& race, const AgentState& agent);
  void request_stop(const RacePtr& race, const AgentState& agent, model::StopRequested stop);
  void read_live_usage(const RacePtr& race, const AgentState& agent);
  void read_live_log(const RacePtr& race, const std::string& name, int attempt);
  void note_budget(const RacePtr& race, const std::string& agent, const model::Verdict& verdict);

  void retry_now(const RacePtr& race, const std::string& agent);

  /// `digest`: the template whose dependencies the agent gets; empty: none.
  void make_workspace(const RacePtr& race, const std::string& agent, const std::string& digest);

  Merges& merges;
  Templates& templates;
  Upkeep& upkeep;
  std::map<std::string, SlotPool> sign_ins;  ///< by the user's file; one live run each
  ProviderQueue providers;
  boost::asio::steady_timer watch_timer, provider_timer;
  bool watching = false;
};

}  // namespace hydra::race
