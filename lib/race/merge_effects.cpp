// Merging: on the user's word, or by threshold.
#include "base/strings.hpp"
#include "race/impl.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hydra::race {
namespace {

std::string first_line(const std::string& task) {
  const auto parts = lines(task);
  return parts.empty() ? std::string{} : ellipsize(trim(parts.front()), 60);
}

std::string merge_message(const Race& race, const AgentState& agent, const std::string& asked) {
  const auto& state = race.state;
  std::string score = "-";
  if (state.ranking)
    for (const auto& row : state.ranking->agents)
      if (row.agent == agent.entry.name) score = scoring::format_score(row.score.composite);
  auto text = !asked.empty() ? asked
              : state.spec.config.merge.message
                  ? *state.spec.config.merge.message
                  : std::string("Merge {branch}: {task}\n\nHydra race {race}, {agent}, score {score}.");
  text = replace_all(std::move(text), "{branch}", agent.branch.empty() ? agent.entry.name : agent.branch);
  text = replace_all(std::move(text), "{agent}", agent.display);
  text = replace_all(std::move(text), "{score}", score);
  text = replace_all(std::move(text), "{race}", state.spec.id);
  return replace_all(std::move(text), "{task}", first_line(state.spec.task));
}

std::string preview_json(const Race& race, const AgentState& agent, const git::MergePreview& preview,
                         bool dry_run) {
  nlohmann::json j;
  j["race"] = race.state.spec.id;
  j["agent"] = agent.entry.name;
  j["branch"] = agent.branch;
  j["ref"] = preview.ref;
  j["old_commit"] = preview.old_commit;
  j["new_commit"] = preview.new_commit;
  j["dry_run"] = dry_run;
  j["already_merged"] = preview.already_merged;
  j["conflicts"] = preview.conflicts;
  j["overlap"] = preview.overlap;
  j["diff"] = {{"lines_added", preview.diff.lines_added},
               {"lines_removed", preview.diff.lines_removed},
               {"files_changed", preview.diff.files_changed}};
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// "hydra/codex-17086", "codex-17086", "codex": whether what the user typed means this agent.
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

}  // namespace

Result<std::pair<RacePtr, std::string>> Service::Impl::find_target(const MergeCall& call) {
  HYDRA_TRY(const auto rows, store.races({}, 1000));
  std::vector<std::pair<RacePtr, std::string>> exact, prefixed;
  for (const auto& row : rows) {
    const auto here = fs::path(call.directory).lexically_relative(row.repository);
    if (here.empty() || *here.begin() == ".." || row.agents.empty()) continue;
    const auto slash = call.target.find('/');
    const bool by_race = slash != std::string::npos && row.id.starts_with(call.target.substr(0, slash));
    HYDRA_TRY(const auto race, load(row.id));
    if (call.target.empty()) {
      if (!race->state.ranking)
        return Error{Errc::refused, "the last race here has no ranking yet", row.id,
                     "wait for it, or name a branch"};
      if (race->state.ranking->winner.empty())
        return Error{Errc::refused, "the last race here has no winner", row.id,
                     "name a branch to merge it anyway"};
      return std::pair{race, race->state.ranking->winner};
    }
    for (const auto& agent : race->state.agents) {
      if (by_race && agent.entry.name == call.target.substr(slash + 1))
        exact.emplace_back(race, agent.entry.name);
      else if (agent.branch == call.target || names(agent, call.target))
        exact.emplace_back(race, agent.entry.name);
      else if (begins(agent, call.target))
        prefixed.emplace_back(race, agent.entry.name);
    }
    if (!exact.empty()) return exact.front();  // newest race first
  }
  if (call.target.empty())
    return Error{Errc::not_found, "no race in this repository yet", {}, "hydra race \"task\""};
  if (prefixed.size() == 1) return prefixed.front();
  if (prefixed.size() > 1) {
    std::vector<std::string> branches;
    for (const auto& [race, name] : prefixed) branches.push_back(race->state.agent(name)->branch);
    return Error{
        Errc::usage, "'" + call.target + "' is ambiguous: " + join(branches, ", "), {}, "type more of it"};
  }
  return Error{Errc::not_found, "no result '" + call.target + "' in this repository", {}, "hydra list"};
}

void Service::Impl::run_merge(const RacePtr& race, const std::string& name, const MergeCall& call,
                              bool automatic, std::function<void(Result<git::MergePreview>)> done) {
  const auto* agent = race->state.agent(name);
  if (!agent || !agent->capture || !agent->capture->changed)
    return done(Error{Errc::refused, name + " has no change to merge", race->state.spec.id, {}});
  git::MergeRequest request;
  request.journal = race->layout.merge_journal(name);
  request.branch = agent->branch;
  request.commit = agent->capture->commit;
  request.squash = call.squash;
  request.ff_only = call.ff_only;
  request.dry_run = call.dry_run;
  request.message = merge_message(*race, *agent, call.message);
  // By threshold nobody looks: then the branch must be the one that the race was started on.
  if (automatic) request.expected_ref = race->state.spec.repository.head_ref;
  boost::asio::post(merge_pool, [this, race, name, request, automatic, store_copy = *race->store,
                                 spec = race->state.spec, done = std::move(done)]() mutable {
    auto merged = make_dirs(request.journal, 0700).ok()
                      ? git::merge(store_copy, spec, request)
                      : Result<git::MergePreview>(
                            Error{Errc::io, "cannot make the merge journal", request.journal, {}});
    // Complete: a journal that stays would be looked at on every start.
    if (merged.ok()) (void)remove_tree(request.journal);
    boost::asio::post(
        loop, [this, race, name, request, automatic, merged = std::move(merged), done = std::move(done)] {
          const auto& id = race->state.spec.id;
          const bool known = races.contains(id);
          model::EventBody event =
              model::MergeRefused{name, merged.ok() ? "" : describe(merged.error()), automatic};
          if (merged.ok()) event = model::Merged{name, merged->new_commit, merged->ref, automatic};
          if (!request.dry_run && known) emit(id, event);
          if (!request.dry_run && !known) {  // a race of an earlier day: recorded, nothing follows from it
            std::vector<model::Event> events{{0, id, clock.now(), event}};
            (void)store.append(events);
          }
          done(merged);
        });
  });
}

void Service::Impl::auto_merge(const RacePtr& race, const std::string& name) {
  const auto& config = race->state.spec.config.merge;
  MergeCall call;
  call.squash = config.squash;
  call.ff_only = config.ff_only;
  const auto* agent = race->state.agent(name);
  if (!agent || !agent->capture || !agent->capture->changed)
    return emit(race->state.spec.id, model::MergeRefused{name, "no change to merge", true});
  const auto owner = check_owner(race->state, *agent);
  if (began_warm(race->state, owner))
    if (const auto difference = cold_difference(race->state, owner); !difference.empty())
      return emit(race->state.spec.id, model::MergeRefused{name, "unverified: " + difference, true});
  run_merge(race, name, call, true, [](const Result<git::MergePreview>&) {});
}

void Service::Impl::merge(MergeCall call, std::function<void(Result<std::string>)> done) {
  auto target = find_target(call);
  if (!target.ok()) return done(std::move(target).error());
  const auto [race, name] = *target;
  const auto& config = race->state.spec.config.merge;
  call.squash = call.squash || config.squash;
  call.ff_only = call.ff_only || config.ff_only;
  run_merge(race, name, call, false,
            [race = race, name = name, call, done](Result<git::MergePreview> preview) {
              if (!preview.ok()) return done(std::move(preview).error());
              done(preview_json(*race, *race->state.agent(name), *preview, call.dry_run));
            });
}

}  // namespace hydra::race
