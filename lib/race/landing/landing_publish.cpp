// The branches of results in the user's repository.
#include "base/strings.hpp"
#include "git/repository.hpp"
#include "race/agents/tries.hpp"
#include "race/landing/landing.hpp"

#include <algorithm>

namespace hydra::race {

void Landing::publish(const RacePtr& race, int tries) {
  std::vector<git::PublishItem> items;
  std::vector<std::string> names;
  for (const auto& agent : race->state.agents) {
    if (!agent.capture || !agent.capture->changed || !agent.branch.empty()) continue;
    items.push_back({git::branch_name(agent.entry.name, race->state.spec.created_ms), agent.capture->commit});
    names.push_back(agent.entry.name);
  }
  const auto& id = race->state.spec.id;
  if (items.empty()) return emit(id, model::Published{});
  background(
      [store = *race->store, items] { return store.publish(items); },
      [this, race, names, tries](std::vector<Result<std::string>> branches) {
        const auto& race_id = race->state.spec.id;
        const auto again = [&](const auto& branch) {
          return !branch.ok() && tries < tries_of(branch.error(), race->state.cancelled);
        };
        const auto first = std::find_if(branches.begin(), branches.end(), again);
        if (draining() &&
            !std::all_of(branches.begin(), branches.end(), [](const auto& b) { return b.ok(); }))
          return;  // the next daemon makes them
        if (first != branches.end()) {
          if (tries == 1)
            emit(race_id, model::Note{"", "the branches are tried again: " + describe(first->error())});
          race->wants_room.try_emplace("", tried_again("the making of branches", first->error(),
                                                       race->state.spec.repository.common_dir));
          return later([this, race, tries] { publish(race, tries + 1); });
        }
        race->wants_room.erase("");
        model::Published published;
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (branches[i].ok()) {
            published.branches.emplace_back(names[i], *branches[i]);
            continue;
          }
          const auto& error = branches[i].error();
          emit(race_id, model::Note{names[i], "its branch could not be made: " + describe(error)});
          published.refused.emplace_back(names[i], error.message);
        }
        emit(race_id, std::move(published));
      });
}

}  // namespace hydra::race
