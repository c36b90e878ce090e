// Workspaces of agents, and captures after an agent's end.
#include "race/agents/agents.hpp"
#include "race/agents/captured.hpp"
#include "race/agents/secrets.hpp"
#include "race/agents/worktrees.hpp"
#include "race/checks/templates.hpp"
#include "race/merges/merges.hpp"
#include "race/upkeep.hpp"
#include "trees/dependencies.hpp"

#include <cerrno>

namespace hydra::race {

void Agents::prepare_workspace(const RacePtr& race, const std::string& name) {
  if (!trees::gives_dependencies(race->state.spec)) return make_workspace(race, name, {});
  templates.with_template(race, [this, race, name](const std::optional<SubjectProblem>& problem) {
    // The base's own checks tell why no template could be made.
    make_workspace(race, name, problem ? std::string() : race->template_digest);
  });
}

void Agents::make_workspace(const RacePtr& race, const std::string& name, const std::string& digest) {
  const auto* agent = race->state.agent(name);
  if (!agent || !lives(race)) return;
  background(
      [store_copy = *race->store, spec = race->state.spec, layout = race->layout, agent = *agent,
       kept = templates.kept(), digest] {
        const auto meta = digest.empty() ? std::nullopt : kept.open(digest);
        const auto base = meta ? std::optional(kept.at(digest)) : std::nullopt;
        return make_worktree(store_copy, spec, layout, agent, base, meta && meta->warm);
      },
      [this, race, name](Result<model::WorkspaceReady> made) {
        const auto& id = race->state.spec.id;
        if (made.ok())
          emit(id, std::move(*made));
        else
          emit(id, model::WorkspaceFailed{name, describe(made.error())});
      });
}

void Agents::capture(const RacePtr& race, const std::string& name, int tries) {
  const auto* agent = race->state.agent(name);
  const auto& spec = race->state.spec;
  auto left_out = spec.config.agents.at(agent->entry.id).litter;
  for (const auto& path : agent->dependencies) left_out.push_back("/" + path);
  struct Made {
    model::Capture capture;
    std::string secrets;  ///< message about secrets in the capture
  };
  background(
      [store = *race->store, rules = race->rules, spec, tree = worktree_of(race->layout, name), name,
       left_out, secrets = engine.secrets.of_race(spec, race->secrets)]() -> Result<Made> {
        Made made;
        HYDRA_TRY(made.capture, store.capture(tree, name, left_out));
        HYDRA_CHECK(weigh(*rules, store, spec, made.capture));
        HYDRA_TRY(made.secrets, flag_secrets(store, made.capture, secrets));
        return made;
      },
      [this, race, name, tries](Result<Made> captured) {
        const auto& id = race->state.spec.id;
        if (captured.ok()) {
          race->wants_room.erase(name);
          if (!captured->secrets.empty()) emit(id, model::Note{Subject::of(name), captured->secrets});
          model::Captured event{name, std::move(captured->capture)};
          if (!race->store->exposed()) return emit(id, std::move(event));
          return merges.compare_repository(race, name, [this, id, event] { emit(id, event); });
        }
        const auto& error = captured.error();
        if (draining()) return;  // the next daemon captures the result
        if (tries >= tries_of(error, race->state.cancelled)) {
          race->wants_room.erase(name);
          return emit(id, model::CaptureFailed{name, describe(error)});
        }
        if (error.number == ENOSPC) (void)engine.reserve.release();
        if (tries == 1)
          emit(id, model::Note{Subject::of(name), "its capture is tried again: " + describe(error)});
        race->wants_room.try_emplace(name, tried_again("its capture", error, race->layout.root()));
        later([this, race, name, tries] { capture(race, name, tries + 1); });
      });
}

void Agents::give_room(const RacePtr& race, const std::string& name) {
  const auto* agent = race->state.agent(name);
  if (!ended_by_disk(*agent) || has_strays(worktree_of(race->layout, name))) return;
  background(
      [spec = race->state.spec, layout = race->layout, name] { return drop_worktree(spec, layout, name); },
      [this, race, name](const Result<void>& gone) {
        if (!lives(race)) return;
        const auto text = "its worktree was removed, since a disk limit ended it; `" +
                          upkeep.undo_hint(race->state.spec.id) + "` makes it again from its branch";
        emit(race->state.spec.id, model::Note{Subject::of(name), gone.ok() ? text : describe(gone.error())});
      });
}

}  // namespace hydra::race
