// race: a race as a whole: creation, ranking, decisions and its end.
#pragma once

#include "race/engine.hpp"

#include <functional>
#include <set>
#include <string>

namespace hydra::race {

class Checks;
class Merges;
class Templates;
class Upkeep;

class RaceFlow : Owner {
 public:
  RaceFlow(Engine& engine, Checks& checks, Merges& merges, Templates& templates, Upkeep& upkeep)
      : Owner(engine), checks(checks), merges(merges), templates(templates), upkeep(upkeep) {}

  // race_flow_create.cpp
  void create(CreateRequest request, std::function<void(Result<wire::Created>)> done);

  // views/reports.cpp
  void verify(const std::string& race, std::function<void(Result<wire::Created>)> done);

  // race_flow.cpp
  void prepare_race(const RacePtr& race);
  void rank_first(const RacePtr& race);
  void rank(const RacePtr& race);
  void finish(const RacePtr& race);
  /// Returns what delays the whole race, for people; empty: nothing, or the race has ended.
  [[nodiscard]] std::string race_waits(const Race& race) const;
  void decide(DecideCall call, std::function<void(Result<wire::Results>)> done);

 private:
  void create_new(CreateRequest request, const std::string& id,
                  std::function<void(Result<wire::Created>)> done);
  void clear_up(const RacePtr& race);

  Checks& checks;
  Merges& merges;
  Templates& templates;
  Upkeep& upkeep;
  std::set<std::string> creating;  ///< ids chosen by clients, of races being created
};

}  // namespace hydra::race
