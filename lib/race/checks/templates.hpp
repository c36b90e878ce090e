// race: templates of check workspaces, built once per base and set-up by the first race that needs them.
#pragma once

#include "race/engine.hpp"
#include "race/views/views.hpp"
#include "trees/machines.hpp"
#include "trees/template.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hydra::race {

class Checks;
class Upkeep;

class Templates : Owner {
 public:
  Templates(Engine& engine, Checks& checks, Upkeep& upkeep);

  /// Calls `then` once the race's workspaces can be made, or with the reason why not.
  void with_template(const RacePtr& race, Race::OnTemplate then);
  /// Cancels a template that waits for a slot, when its race is cancelled.
  void drop_template(const RacePtr& race);
  /// Makes workspaces of this template copies instead of overlays from now on, since a command needs that.
  void remember_copies_only(const std::string& digest) { templates.remember_copies_only(digest); }
  /// Returns the running step of making the base's check workspace, with its last line of output.
  [[nodiscard]] WorkspaceStep step_now(const Race& race) const;

  [[nodiscard]] const trees::Templates& kept() const { return templates; }
  [[nodiscard]] std::set<std::string> in_use() const;  ///< digests
  /// Protects the templates of a race that is not in memory, as long as the object lives.
  void protect(const RacePtr& race) {
    std::erase_if(guests, [](const auto& guest) { return guest.expired(); });
    guests.push_back(race);
  }
  /// Lists templates (docs/api.md).
  void list(std::function<void(Result<wire::Templates>)> done) const;
  /// Removes templates that no race uses; answers with the list from before. `only`: restricts to these
  /// names.
  void clean(std::function<void(Result<wire::Templates>)> done,
             const std::optional<std::set<std::string>>& only);

  /// Returns the machine's capabilities; call on the pool's threads.
  [[nodiscard]] trees::Machines& machines() { return machines_; }

 private:
  /// A template being built by one race; other races that need it wait.
  struct Build {
    trees::TemplateKey key;
    RacePtr builder;  ///< null: the build has failed, and its directory is being removed
    std::vector<RacePtr> waiting;
    int number = 1;             ///< number of the build attempt
    bool from_nothing = false;  ///< an earlier base's results made the build fail
    WorkspaceStep running;
    fs::path running_log;
    std::vector<model::TemplateStep> steps;
    std::vector<std::string> notes;
  };
  void use_template(const RacePtr& race, const trees::TemplateKey& key, const trees::TemplateMeta& meta,
                    const model::TemplateReady& how);
  static void answer_waiters(const RacePtr& race, const std::optional<SubjectProblem>& problem);
  void build_template(const RacePtr& race, const trees::TemplateKey& key);
  void template_step(const std::string& digest, const std::string& kind, const std::string& command,
                     bool warm, std::function<void(const exec::JobResult&)> next);
  void template_set_up(const std::string& digest);
  void template_warm_up(const std::string& digest);
  void begin_from_nothing(const std::string& digest);
  void template_done(const std::string& digest, bool warm);
  void template_failed(const std::string& digest, const SubjectProblem& problem);

  Checks& checks;
  Upkeep& upkeep;
  trees::Templates templates;
  trees::Machines machines_;
  std::map<std::string, Build> builds;  ///< by digest
  std::vector<std::weak_ptr<Race>> guests;
};

}  // namespace hydra::race
