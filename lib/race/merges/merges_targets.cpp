// Resolves the names of results and merges that users type, relative to their directory.
#include "base/strings.hpp"
#include "git/place.hpp"
#include "race/merges/merges.hpp"
#include "scoring/selection.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::race {
namespace {

// Returns whether the typed name means this agent: "hydra/codex-17086", "codex-17086", "codex".
bool names(const AgentState& agent, const std::string& typed) {
  if (agent.entry.name == typed) return true;
  if (agent.branch.empty() || typed.empty()) return false;
  const auto short_name = agent.branch.substr(std::string_view("hydra/").size());
  return agent.branch == typed || short_name == typed;
}

bool begins(const AgentState& agent, const std::string& typed) {
  if (agent.branch.empty() || typed.empty()) return false;
  return agent.branch.starts_with(typed) ||
         agent.branch.substr(std::string_view("hydra/").size()).starts_with(typed);
}

// Caches one lookup per repository, since most rows share one.
class Checkouts {
 public:
  explicit Checkouts(std::string directory) : directory_(std::move(directory)) {}
  git::Relation relation(const std::string& root) {
    const auto [at, fresh] = known_.try_emplace(root, git::Relation::elsewhere);
    if (fresh) at->second = git::relation(directory_, root);
    return at->second;
  }

 private:
  std::string directory_;
  std::map<std::string, git::Relation> known_;
};

/// Returns whether `typed` can mean a result of this race: by race, by agent, or empty.
bool can_mean(const storage::RaceRow& row, const std::string& typed) {
  const auto slash = typed.find('/');
  if (typed.empty() || row.id.starts_with(typed.substr(0, slash))) return true;
  const auto name = slash == std::string::npos ? typed : typed.substr(slash + 1);
  return std::any_of(row.agents.begin(), row.agents.end(), [&](const std::string& agent) {
    return agent == name || name.starts_with(agent + "-");
  });
}

}  // namespace

// Returns the newest races of these repositories; the newest of all could belong to other repositories.
Result<std::vector<storage::RaceRow>> Merges::races_where(
    const std::function<bool(const std::string& root)>& wanted) const {
  HYDRA_TRY(auto repositories, store.repositories());
  std::erase_if(repositories, [&](const auto& root) { return !wanted(root); });
  if (repositories.empty()) return std::vector<storage::RaceRow>{};
  return store.races(repositories, 1000);
}

Result<std::pair<RacePtr, std::string>> Merges::find_target(const MergeCall& call) const {
  constexpr std::size_t kMostNamed = 20;  // races named for an ambiguous prefix
  Checkouts checkouts(call.directory);
  HYDRA_TRY(const auto rows, races_where([&](const auto& root) {
              return checkouts.relation(root) != git::Relation::elsewhere;
            }));
  const auto& typed = call.target;
  const auto slash = typed.find('/');
  // Only races that can match are loaded from their events, which takes the loop's time.
  std::set<std::string> published;
  if (!typed.empty()) {
    const std::string root = "hydra/";
    HYDRA_TRY(const auto found, store.races_with_branch(typed.starts_with(root)   ? typed
                                                        : root.starts_with(typed) ? root
                                                                                  : root + typed));
    published.insert(found.begin(), found.end());
  }
  std::vector<std::pair<RacePtr, std::string>> prefixed;
  std::string sibling;
  for (const auto& row : rows) {
    const auto where = checkouts.relation(row.repository);
    if (row.agents.empty()) continue;
    const bool by_race = slash != std::string::npos && row.id.starts_with(typed.substr(0, slash));
    const bool by_name = std::find(row.agents.begin(), row.agents.end(), typed) != row.agents.end();
    const bool enough = prefixed.size() >= kMostNamed && !by_race && !by_name;
    if (!typed.empty() && !by_race && !by_name && !published.contains(row.id)) continue;
    if (enough) continue;
    if (where == git::Relation::sibling) {
      if (sibling.empty()) sibling = row.repository;
      continue;
    }
    HYDRA_TRY(const auto race, load(row.id));
    if (typed.empty()) {
      if (!race->state.ranking && race->state.ended)
        return Error{Errc::refused, "the last race here ended without a ranking", row.id,
                     "name a branch to merge it anyway"};
      if (!race->state.ranking)
        return Error{Errc::refused, "the last race here has no ranking yet", row.id,
                     "wait for it, or name a branch"};
      if (race->state.ranking->winner.empty())
        return Error{Errc::refused,
                     race->state.ranking->decision == model::RaceDecision::undecided
                         ? "the last race here is " + scoring::decision_text(*race->state.ranking)
                         : "the last race here has no winner",
                     row.id, "name a branch to merge it anyway"};
      // The user did not choose this result, and all measurements speak against it.
      if (const auto& found = race->state.ranking->agents.front().confidence;
          found.word == model::Belief::no_evidence && found.facts.broken > 0)
        return Error{Errc::refused,
                     "the winner of the last race, " + race->state.ranking->winner +
                         ", breaks tests of the base, and none says that it is right",
                     row.id, "look at `hydra explain " + row.id + "`; name its branch to merge it anyway"};
      return std::pair{race, race->state.ranking->winner};
    }
    for (const auto& agent : race->state.agents) {
      const bool named = by_race && agent.entry.name == typed.substr(slash + 1);
      if (named || names(agent, typed)) return std::pair{race, agent.entry.name};  // newest race first
      if (begins(agent, typed)) prefixed.emplace_back(race, agent.entry.name);
    }
  }
  if (!sibling.empty() && prefixed.empty()) return git::another_checkout(sibling);
  if (prefixed.empty()) {
    HYDRA_TRY(const auto lost, races_where([](const auto& root) { return !git::is_checkout(root); }));
    if (auto gone = gone_or_moved(call, lost)) return *std::move(gone);
  }
  if (call.target.empty())
    return Error{Errc::not_found, "no race in this repository yet", {}, "hydra race \"task\""};
  if (prefixed.size() == 1) return prefixed.front();
  if (prefixed.size() > 1) {
    std::vector<std::string> branches;
    for (const auto& [race, name] : prefixed) branches.push_back(race->state.agent(name)->branch);
    return Error{Errc::usage,
                 "'" + call.target + "' is ambiguous: " + join(branches, ", "),
                 {},
                 "type more characters"};
  }
  return Error{Errc::not_found, "no result '" + call.target + "' in this repository", {}, "hydra list"};
}

// Returns an error if the repository was moved (the user's directory has the race's pin) or is gone; a race
// named explicitly is reported in either case.
std::optional<Error> Merges::gone_or_moved(const MergeCall& call,
                                           const std::vector<storage::RaceRow>& rows) const {
  const auto slash = call.target.find('/');
  for (const auto& row : rows) {
    if (!can_mean(row, call.target) || git::is_checkout(row.repository)) continue;
    const bool here = git::has_pin(call.directory, row.id);
    const bool named =
        slash != std::string::npos && slash > 0 && row.id.starts_with(call.target.substr(0, slash));
    if (!here && !named) continue;
    const auto race = load(row.id);
    std::string branch;
    if (race.ok())
      for (const auto& agent : (*race)->state.agents)
        if (branch.empty() && names(agent, call.target.substr(slash == std::string::npos ? 0 : slash + 1)))
          branch = agent.branch;
    if (!here)
      return Error{Errc::not_found,
                   "the repository of race " + row.id + " no longer exists: " + row.repository,
                   {},
                   "move it back, or put a link to its new place there: ln -s NEW " + row.repository};
    return Error{
        Errc::refused,
        "this repository was at " + row.repository + " when race " + row.id + " began, and was moved",
        {},
        "move it back, or put a link there (ln -s " + call.directory + " " + row.repository + ")" +
            (branch.empty() ? "" : "; or `git merge " + branch + "`")};
  }
  return std::nullopt;
}

Result<fs::path> Merges::repository_of(const std::string& directory) const {
  HYDRA_TRY(const auto repositories, store.repositories());
  for (const auto& root : repositories) {
    if (git::relation(directory, root) != git::Relation::same) continue;
    HYDRA_TRY(const auto rows, store.races({root}, 1));
    if (rows.empty()) continue;
    HYDRA_TRY(const auto race, load(rows.front().id));
    return fs::path(race->state.spec.repository.common_dir);
  }
  return fs::path{};
}

// Returns the newest merge of any race.
Result<std::pair<RacePtr, model::Merged>> Merges::find_merged(const MergeCall& call) const {
  HYDRA_TRY(const auto rows, store.merged_races());
  Checkouts checkouts(call.directory);
  std::string sibling;
  for (const auto& row : rows) {
    const auto where = checkouts.relation(row.repository);
    if (where == git::Relation::sibling && sibling.empty()) sibling = row.repository;
    if (where != git::Relation::same) continue;
    HYDRA_TRY(const auto race, load(row.id));
    const auto& merges = race->state.merges;
    for (auto merged = merges.rbegin(); merged != merges.rend(); ++merged) {
      if (merged->before.empty()) continue;
      const auto* agent = race->state.agent(merged->agent);
      const bool meant = call.target.empty() || row.id.starts_with(call.target) ||
                         call.target == row.id + "/" + merged->agent || (agent && names(*agent, call.target));
      if (meant) return std::pair{race, *merged};
    }
  }
  if (!sibling.empty()) return git::another_checkout(sibling);
  if (auto gone = gone_or_moved(call, rows)) return *std::move(gone);
  return Error{Errc::not_found,
               "nothing to undo" + (call.target.empty() ? "" : " for '" + call.target + "'"),
               {},
               "hydra list"};
}

}  // namespace hydra::race
