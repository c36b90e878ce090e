// race: a race as a whole: how it begins, is ranked, is decided upon, and ends.
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

  // course_create.cpp
  void create(CreateRequest request, std::function<void(Result<wire::Created>)> done);

  // reports.cpp
  void verify(const std::string& race, std::function<void(Result<wire::Created>)> done);

  // flow.cpp
  void prepare_race(const RacePtr& race);
  void rank(const RacePtr& race);
  void finish(const RacePtr& race);
  /// For people: what keeps the whole race from going on; empty: nothing, or it has ended.
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
  std::set<std::string> creating;  ///< ids that clients chose, of races that are about to begin
};

}  // namespace hydra::race
