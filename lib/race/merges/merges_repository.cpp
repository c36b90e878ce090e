// Compares the user's repository with its state at the race's start, restores it on request
// (docs/integrity.md, "Your repository"), and publishes the branches of results.
#include "base/strings.hpp"
#include "git/place.hpp"
#include "git/repository.hpp"
#include "race/merges/merges.hpp"
#include "race/upkeep.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

constexpr std::size_t kMostNames = 100;  ///< of each kind in an event

std::vector<std::string> some(std::vector<std::string> names) {
  for (auto& name : names) name = sanitize(to_utf8(name));
  if (names.size() <= kMostNames) return names;
  const auto more = names.size() - kMostNames;
  names.resize(kMostNames);
  names.push_back("and " + std::to_string(more) + " more");
  return names;
}

model::RepositoryCompared event_of(const std::string& agent, const git::RepositoryChanges& changes) {
  auto meanwhile = changes.meanwhile;
  meanwhile.insert(meanwhile.end(), changes.harmless.begin(), changes.harmless.end());
  return {agent, some(changes.blocking), some(std::move(meanwhile))};
}

}  // namespace

void Merges::compare_repository(const RacePtr& race, const std::string& agent, std::function<void()> then) {
  const auto& spec = race->state.spec;
  const bool wanted = race->store && race->state.prepared && spec.verifies.empty() && !spec.check_only;
  if (!wanted) return then();
  // A comparison that begins after several agents have ended serves all of them.
  looks.ask(
      spec.id,
      [this, race](Joined<Result<git::RepositoryChanges>>::Then answer) {
        background([store_copy = *race->store] { return store_copy.compare_repository(); },
                   std::move(answer));
      },
      [this, race, agent, then = std::move(then)](const Result<git::RepositoryChanges>& changes) {
        const auto& state = race->state;
        if (!changes.ok()) {
          emit(state.spec.id, model::Note{Subject::of(agent),
                                          "the repository could not be compared with the race's start: " +
                                              describe(changes.error())});
          return then();
        }
        auto event = event_of(agent, *changes);
        const bool known = state.repository.has_value();
        if (!event.blocking.empty() || (agent.empty() && (known || !event.meanwhile.empty())))
          emit(state.spec.id, std::move(event));
        then();
      });
}

void Merges::repair(const RacePtr& race, const std::string& directory,
                    std::function<void(Result<wire::MergeAnswer>)> done) {
  const auto& spec = race->state.spec;
  if (git::relation(directory, spec.repository.root) != git::Relation::same)
    return done(git::another_checkout(spec.repository.root));
  std::error_code ec;
  if (!race->store || !fs::is_directory(race->layout.store(), ec))
    return done(Error{Errc::not_found, "what the race remembered of the repository is gone", spec.id,
                      upkeep.undo_hint(spec.id)});
  const auto work_in_turn = [this, race, done = std::move(done)](RepositoryLocks::Held turn) {
    using Both = std::pair<git::RepositoryChanges, git::RepositoryChanges>;
    auto work = [store_copy = *race->store]() -> Result<Both> {
      HYDRA_TRY(auto before, store_copy.compare_repository());
      HYDRA_TRY(auto after, store_copy.repair_repository());
      return Both{std::move(before), std::move(after)};
    };
    background(std::move(work), [this, race, done, turn = std::move(turn)](Result<Both> both) {
      if (!both.ok()) return done(std::move(both).error());
      const auto& [before, after] = *both;
      const auto& id = race->state.spec.id;
      wire::Repaired answer{
          id, {}, after.blocking, after.meanwhile, (race->layout.store() / "replaced").string()};
      for (const auto& name : before.blocking)
        if (std::find(after.blocking.begin(), after.blocking.end(), name) == after.blocking.end())
          answer.repaired.push_back(name);
      record(race, event_of({}, after), [done, answer, turn](const Result<void>& stored) {
        if (!stored.ok()) return done(stored.error());
        done(wire::MergeAnswer(answer));
      });
    });
  };
  merging.take(spec.repository.common_dir, "the repair of the repository", work_in_turn);
}

void Merges::publish(const RacePtr& race, int tries) {
  std::vector<git::PublishItem> items;
  std::vector<std::string> names;
  for (const auto& agent : race->state.agents) {
    if (!agent.changed() || !agent.branch.empty()) continue;
    items.push_back({git::branch_name(agent.entry.name, race->state.spec.created_ms), agent.capture->commit});
    names.push_back(agent.entry.name);
  }
  const auto& id = race->state.spec.id;
  if (items.empty()) return emit(id, model::Published{});
  background(
      [store = *race->store, items] { return store.publish(items); },
      [this, race, names, tries](Result<std::vector<Result<std::string>>> made) {
        auto branches =
            made.ok() ? std::move(*made)
                      : std::vector<Result<std::string>>(names.size(), Result<std::string>(made.error()));
        const auto& race_id = race->state.spec.id;
        const auto again = [&](const auto& branch) {
          return !branch.ok() && tries < tries_of(branch.error(), race->state.cancelled);
        };
        const auto first = std::find_if(branches.begin(), branches.end(), again);
        if (draining() &&
            !std::all_of(branches.begin(), branches.end(), [](const auto& b) { return b.ok(); }))
          return;  // the next daemon publishes the branches
        if (first != branches.end()) {
          if (tries == 1)
            emit(race_id, model::Note{{}, "the branches are tried again: " + describe(first->error())});
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
          emit(race_id,
               model::Note{Subject::of(names[i]), "its branch could not be made: " + describe(error)});
          published.refused.emplace_back(names[i], error.message);
        }
        emit(race_id, std::move(published));
      });
}

}  // namespace hydra::race
