// race: the templates that check workspaces start from, built once for a base and a set-up, whichever race
// needs them first.
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

  /// Calls `then` once the race's workspaces can be made, or with why they can't.
  void with_template(const RacePtr& race, Race::OnTemplate then);
  /// Of a race that is cancelled while its template waits for a slot.
  void drop_template(const RacePtr& race);
  /// A command of this template's workspaces needs copies in the place of overlays, now and later.
  void remember_copies_only(const std::string& digest) { templates.remember_copies_only(digest); }
  /// What makes the base's check workspace, with the end of what it printed.
  [[nodiscard]] WorkspaceStep step_now(const Race& race) const;

  [[nodiscard]] const trees::Templates& kept() const { return templates; }
  [[nodiscard]] std::set<std::string> in_use() const;  ///< digests
  /// Answers with JSON (docs/api.md).
  void list(std::function<void(Result<wire::Templates>)> done) const;
  /// Removes those that no race uses; answers as list() did before. `only`: of these names.
  void clean(std::function<void(Result<wire::Templates>)> done,
             const std::optional<std::set<std::string>>& only);

  /// What the machine is able to; asked on the pool's threads.
  [[nodiscard]] trees::Machines& machines() { return machines_; }

 private:
  /// One in the making: one race makes it, others that need the same one wait.
  struct Build {
    trees::TemplateKey key;
    RacePtr builder;
    std::vector<RacePtr> waiting;
    int number = 1;  ///< of its attempts
    WorkspaceStep running;
    fs::path running_log;
    std::vector<model::TemplateStep> steps;
    std::vector<std::string> notes;
  };
  void use_template(const RacePtr& race, const trees::TemplateKey& key, const trees::TemplateMeta& meta,
                    const model::TemplateReady& how);
  static void template_ready(const RacePtr& race);
  void build_template(const RacePtr& race, const trees::TemplateKey& key);
  void template_step(const std::string& digest, const std::string& kind, const std::string& command,
                     bool warm, std::function<void(const exec::JobResult&)> next);
  void template_set_up(const std::string& digest);
  void template_warm_up(const std::string& digest);
  void template_done(const std::string& digest, bool warm);
  void template_failed(const std::string& digest, const SubjectProblem& problem);

  Checks& checks;
  Upkeep& upkeep;
  trees::Templates templates;
  trees::Machines machines_;
  std::map<std::string, Build> builds;  ///< by digest
};

}  // namespace hydra::race
