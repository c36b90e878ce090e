// Merging: on the user's word, or by threshold.
#include "base/strings.hpp"
#include "race/impl.hpp"
#include "race/weigh.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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

std::string dump(const nlohmann::json& j) {
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Only what finds keys and agents: the rest of the client's environment is no business of a merge.
std::vector<std::pair<std::string, std::string>> signing_environment(
    const std::map<std::string, std::string>& environment) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const char* name : {"SSH_AUTH_SOCK", "GNUPGHOME", "GPG_TTY", "GPG_AGENT_INFO", "XDG_RUNTIME_DIR",
                           "SSH_ASKPASS", "DISPLAY", "WAYLAND_DISPLAY"})
    if (const auto found = environment.find(name); found != environment.end()) kept.emplace_back(*found);
  return kept;
}

nlohmann::json preview_json(const Race& race, const AgentState& agent, const git::MergePreview& preview,
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
  j["consent"] = nlohmann::json::array();
  for (const auto& [kind, paths] : preview.consent)
    j["consent"].push_back({{"kind", kind}, {"paths", paths}});
  j["changed"] = preview.changed;
  j["signed"] = preview.signed_;
  j["state"] = preview.state;
  j["note"] = preview.note;
  return j;
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

// An ended race is read from the store: what happens to it is recorded, and nothing follows from it.
void Service::Impl::record(const RacePtr& race, model::EventBody event) {
  const auto& id = race->state.spec.id;
  if (races.contains(id)) return emit(id, std::move(event));
  std::vector<model::Event> events{{0, id, clock.now(), std::move(event)}};
  if (const auto stored = store.append(events); !stored.ok()) log::error("{}", describe(stored.error()));
}

// A journal of a dead daemon that recovery has gone through: what landed is recorded, and the journal goes.
void Service::Impl::settle_journal(const RacePtr& race, const fs::path& journal) {
  if (!git::merge_settled(journal)) return;
  const auto parts = split(journal.filename().string(), '.');
  const bool undo = parts.size() == 3 && parts[2] == "undo";
  if (const auto landed = git::landed(journal); landed && parts.size() > 1) {
    const std::string name(parts[1]);
    const auto& merged = race->state.merged;
    if (undo && merged && merged->commit == landed->before)
      record(race, model::MergeUndone{name, landed->before, landed->ref});
    else if (!undo && !(merged && merged->commit == landed->commit))
      record(race, model::Merged{name, landed->commit, landed->ref, false, landed->before, landed->state});
  }
  (void)remove_tree(journal);
}

void Service::Impl::run_merge(const RacePtr& race, const std::string& name, const MergeCall& call,
                              bool automatic, std::function<void(Result<git::MergePreview>)> done) {
  const auto* agent = race->state.agent(name);
  if (!agent || !agent->capture || !agent->capture->changed)
    return done(Error{Errc::refused, name + " has no change to merge", race->state.spec.id, {}});
  git::MergeRequest request;
  request.journal = race->layout.merge_journal(name);
  request.branch = agent->branch.empty() ? name : agent->branch;
  request.commit = agent->capture->commit;
  request.squash = call.squash;
  request.ff_only = call.ff_only;
  request.ff = call.ff;
  request.dry_run = call.dry_run;
  request.message = merge_message(*race, *agent, call.message);
  request.expected_ref = call.expected_ref;
  request.allow = call.allow;
  request.parts = call.parts;
  request.accept_changes = call.accept_changes;
  request.repair_changes = call.repair_changes;
  request.environment = signing_environment(call.environment);
  // By threshold nobody looks: then the branch must be the one that the race was started on.
  if (automatic) request.expected_ref = race->state.spec.repository.head_ref;
  boost::asio::post(merge_pool, [this, race, name, request, automatic, store_copy = *race->store,
                                 spec = race->state.spec, done = std::move(done)]() mutable {
    auto merged = make_dirs(request.journal, 0700).ok()
                      ? git::merge(store_copy, spec, request)
                      : Result<git::MergePreview>(
                            Error{Errc::io, "cannot make the merge journal", request.journal, {}});
    // Nothing left to do: a journal that stays would be looked at on every start.
    if (git::merge_settled(request.journal)) (void)remove_tree(request.journal);
    boost::asio::post(
        loop, [this, race, name, request, automatic, merged = std::move(merged), done = std::move(done)] {
          if (!request.dry_run) {
            // A merge that was there already must not hide the one that can be undone.
            if (merged.ok() && merged->already_merged && race->state.merged)
              log::debug("{} was merged already", name);
            else if (merged.ok())
              record(race, model::Merged{name, merged->new_commit, merged->ref, automatic,
                                         merged->already_merged ? "" : merged->old_commit, merged->state});
            else
              record(race, model::MergeRefused{name, describe(merged.error()), automatic});
          }
          done(merged);
        });
  });
}

Result<std::pair<RacePtr, std::string>> Service::Impl::find_merged(const MergeCall& call) {
  HYDRA_TRY(const auto rows, store.races({}, 1000));
  for (const auto& row : rows) {
    const auto here = fs::path(call.directory).lexically_relative(row.repository);
    if (here.empty() || *here.begin() == "..") continue;
    HYDRA_TRY(const auto race, load(row.id));
    const auto& merged = race->state.merged;
    if (!merged || merged->before.empty()) continue;
    const auto* agent = race->state.agent(merged->agent);
    const bool meant = call.target.empty() || row.id.starts_with(call.target) ||
                       call.target == row.id + "/" + merged->agent || (agent && names(*agent, call.target));
    if (meant) return std::pair{race, merged->agent};
  }
  return Error{Errc::not_found,
               "no merge of Hydra's to undo" + (call.target.empty() ? "" : " for '" + call.target + "'"),
               {},
               "hydra list"};
}

void Service::Impl::undo_merge(const MergeCall& call, std::function<void(Result<std::string>)> done) {
  auto target = find_merged(call);
  if (!target.ok()) return done(std::move(target).error());
  const auto [race, name] = *target;
  const auto merged = *race->state.merged;
  git::UndoRequest request{race->layout.merge_journal(name + ".undo"),
                           merged.commit,
                           merged.before,
                           merged.ref,
                           merged.state,
                           call.dry_run};
  boost::asio::post(merge_pool, [this, race = race, name = name, request, store_copy = *race->store,
                                 spec = race->state.spec, done = std::move(done)]() mutable {
    auto undone = make_dirs(request.journal, 0700).ok()
                      ? git::undo_merge(store_copy, spec, request)
                      : Result<git::MergePreview>(
                            Error{Errc::io, "cannot make the merge journal", request.journal, {}});
    if (git::merge_settled(request.journal)) (void)remove_tree(request.journal);
    boost::asio::post(loop, [this, race, name, request, undone = std::move(undone), done = std::move(done)] {
      if (!undone.ok()) return done(undone.error());
      if (!request.dry_run) record(race, model::MergeUndone{name, request.commit, request.ref});
      auto j = preview_json(*race, *race->state.agent(name), *undone, request.dry_run);
      j["undone"] = !request.dry_run;
      done(dump(j));
    });
  });
}

void Service::Impl::combine(CombineCall call, std::function<void(Result<std::string>)> done) {
  if (draining) return done(Error{Errc::environment, "the daemon is stopping", {}, "try again in a moment"});
  RacePtr race;
  std::vector<git::Part> parts;
  std::string display;
  std::int64_t wall_ms = 0;
  for (const auto& text : call.parts) {
    const auto colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
      return done(Error{Errc::usage, "'" + text + "' is not RESULT:PATH", {}, "for example codex:src/x.c"});
    MergeCall find;
    find.target = text.substr(0, colon);
    find.directory = call.directory;
    auto target = find_target(find);
    if (!target.ok()) return done(std::move(target).error());
    if (race && race->state.spec.id != target->first->state.spec.id)
      return done(
          Error{Errc::refused, "the results are of different races", {}, "name them RACE/AGENT:PATH"});
    if (!race) race = target->first;
    const auto* agent = race->state.agent(target->second);
    if (!agent->capture || !agent->capture->changed)
      return done(Error{Errc::refused, target->second + " has no change", {}, {}});
    auto found =
        std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.name == target->second; });
    if (found == parts.end()) found = parts.insert(parts.end(), {target->second, agent->capture->commit, {}});
    found->paths.push_back(text.substr(colon + 1));
    display += (display.empty() ? "" : ", ") + target->second + ":" + sanitize(text.substr(colon + 1));
    if (agent->ended) wall_ms = std::max(wall_ms, work_ms(*agent));
  }
  if (!race)
    return done(Error{Errc::usage, "no parts are named", {}, "hydra merge codex:src/x.c claude:tests/"});
  const auto& state = race->state;
  if (state.ended != "done")
    return done(Error{Errc::refused, "the race has not ended", state.spec.id, "wait for it: hydra watch"});
  if (state.spec.config.workspace.checks == model::CheckPlace::in_place)
    return done(Error{Errc::unsupported, "this race checks in the agents' own directories: parts have none",
                      state.spec.id, "set [workspace] checks = \"fresh\""});
  std::string name = "combined";
  for (int n = 2; state.agent(name); ++n) name = "combined-" + std::to_string(n);
  background(
      [store_copy = *race->store, parts, name]() -> Result<model::Capture> {
        HYDRA_TRY(auto made, store_copy.combine(parts, name));
        HYDRA_CHECK(weigh(store_copy, made));
        return made;
      },
      [this, race, name, display, wall_ms, done](Result<model::Capture> made) {
        const auto& id = race->state.spec.id;
        if (!made.ok()) return done(std::move(made).error());
        if (!made->changed) return done(Error{Errc::refused, "these parts change nothing", id, {}});
        if (races.contains(id))
          return done(Error{Errc::conflict, "the race runs again already", id, "try again in a moment"});
        // Its race lives again, as after a restart of the daemon.
        set_limits(*race);
        races[id] = race;
        const auto commit = made->commit;
        emit(id, model::Combined{name, display, std::move(*made), wall_ms}, [id, name, commit, done] {
          done(dump({{"race", id}, {"agent", name}, {"commit", commit}}));
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
  if (call.undo) return undo_merge(call, std::move(done));
  auto target = find_target(call);
  if (!target.ok()) return done(std::move(target).error());
  const auto [race, name] = *target;
  const auto& config = race->state.spec.config.merge;
  call.squash = call.squash || config.squash;
  call.ff_only = call.ff_only || config.ff_only;
  run_merge(race, name, call, false,
            [race = race, name = name, call, done](Result<git::MergePreview> preview) {
              if (!preview.ok()) return done(std::move(preview).error());
              done(dump(preview_json(*race, *race->state.agent(name), *preview, call.dry_run)));
            });
}

}  // namespace hydra::race
