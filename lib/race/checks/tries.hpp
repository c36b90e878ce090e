// race: results that a person tries: the project's own program, run in the walls of a check for as long as
// the asker listens. A try is no part of the race's events, and ends with the daemon.
#pragma once

#include "race/engine.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace hydra::race {

class Checks;
class Templates;
class Upkeep;

class Tries : Owner {
 public:
  using Tell = std::function<void(const wire::TryFrame&)>;

  Tries(Engine& engine, Checks& checks, Templates& templates, Upkeep& upkeep)
      : Owner(engine), checks(checks), templates(templates), upkeep(upkeep) {}

  /// See Service::try_results(). `conflict`: the race runs, or somebody tries one of the results; `refused`:
  /// no captured change.
  Result<std::uint64_t> start(const TryCall& call, Tell tell);
  /// Ends what runs; nothing is told any more.
  void stop(std::uint64_t number);
  /// Whether a result of the race is being tried.
  [[nodiscard]] bool busy(const std::string& race) const;
  /// Ends all tries of a race, and tells `why`.
  void stop_of(const std::string& race, const std::string& why);
  /// Moves workspaces of a killed daemon's tries to the trash.
  void clear_left() const;

 private:
  struct Try {
    RacePtr race;  ///< not the engine's object: the specification, with workspaces and slots of a try
    std::string command;
    Tell tell;  ///< empty: stopped
    /// results with a workspace, and a job perhaps; and their captured commits
    std::map<Subject, std::string> open;
  };
  using TryPtr = std::shared_ptr<Try>;

  void stop(const TryPtr& tried);
  void prepare(const TryPtr& tried, const Subject& subject);
  void set_up(const TryPtr& tried, const Subject& subject, const model::WorkspaceFacts& facts);
  void run(const TryPtr& tried, const Subject& subject, const trees::Workspace& workspace);
  void ended(const TryPtr& tried, const Subject& subject, const std::string& reason,
             const std::string& attempt = {});

  Checks& checks;
  Templates& templates;
  Upkeep& upkeep;
  std::map<std::uint64_t, TryPtr> tries;
  std::uint64_t next_number = 1;
};

}  // namespace hydra::race
