// race: judges and ratings by people: each judgement is one job, of an agent or a command.
#pragma once

#include "race/engine.hpp"
#include "race/state/judging.hpp"

#include <functional>
#include <memory>
#include <string>

namespace hydra::race {

class Agents;
class Checks;

class Judges : Owner {
 public:
  Judges(Engine& engine, Agents& agents, Checks& checks) : Owner(engine), agents(agents), checks(checks) {}

  void plan_judges(const RacePtr& race);
  void judge(const RacePtr& race, const Subject& subject);
  void rate(RateCall call, std::function<void(Result<wire::Rated>)> done);

 private:
  using Held = std::shared_ptr<Holding>;  ///< resources held by its turn; null: none
  void await_judge_turn(const RacePtr& race, const JudgeTask& task);
  void start_judge(const RacePtr& race, const JudgeTask& task, const Held& held);
  void submit_judge(const RacePtr& race, const JudgeTask& task, const Held& held);
  [[nodiscard]] Result<exec::JobSpec> judging_agent_job(const RacePtr& race, const JudgeTask& task) const;
  [[nodiscard]] exec::JobSpec judging_command_job(const RacePtr& race, const JudgeTask& task) const;
  void judge_ended(const RacePtr& race, const JudgeTask& task, const exec::JobResult& result,
                   const Held& held);

  Agents& agents;
  Checks& checks;
};

}  // namespace hydra::race
