// Merging: on the user's word, or by threshold.
#include "base/strings.hpp"
#include "git/place.hpp"
#include "race/impl.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

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

Error stopping() { return {Errc::environment, "the daemon is stopping", {}, "try again in a moment"}; }

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

// Most rows are of one repository: it is looked at once.
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

Error of_another_checkout(const std::string& root) {
  return {Errc::refused, "the race belongs to the checkout " + root, {}, "run the command in that directory"};
}

}  // namespace

Result<std::pair<RacePtr, std::string>> Service::Impl::find_target(const MergeCall& call) {
  constexpr std::size_t kMostNamed = 20;  // of an ambiguous beginning
  HYDRA_TRY(const auto rows, store.races({}, 1000));
  const auto& typed = call.target;
  const auto slash = typed.find('/');
  // Only races that can have what is meant are read from their events, which takes the loop's time.
  std::set<std::string> published;
  if (!typed.empty()) {
    const std::string root = "hydra/";
    HYDRA_TRY(const auto found, store.races_with_branch(typed.starts_with(root)   ? typed
                                                        : root.starts_with(typed) ? root
                                                                                  : root + typed));
    published.insert(found.begin(), found.end());
  }
  std::vector<std::pair<RacePtr, std::string>> prefixed;
  Checkouts checkouts(call.directory);
  std::string sibling;
  for (const auto& row : rows) {
    const auto where = checkouts.relation(row.repository);
    if (where == git::Relation::elsewhere || row.agents.empty()) continue;
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
      if (!race->state.ranking)
        return Error{Errc::refused, "the last race here has no ranking yet", row.id,
                     "wait for it, or name a branch"};
      if (race->state.ranking->winner.empty())
        return Error{Errc::refused, "the last race here has no winner", row.id,
                     "name a branch to merge it anyway"};
      return std::pair{race, race->state.ranking->winner};
    }
    for (const auto& agent : race->state.agents) {
      const bool named = by_race && agent.entry.name == typed.substr(slash + 1);
      if (named || names(agent, typed)) return std::pair{race, agent.entry.name};  // newest race first
      if (begins(agent, typed)) prefixed.emplace_back(race, agent.entry.name);
    }
  }
  if (!sibling.empty() && prefixed.empty()) return of_another_checkout(sibling);
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
  request.branch = agent->branch.empty() ? name : agent->branch;
  request.commit = agent->capture->commit;
  request.squash = call.squash;
  request.ff_only = call.ff_only;
  request.ff = call.ff;
  request.dry_run = call.dry_run;
  request.message = merge_message(*race, *agent, call.message);
  request.expected_ref = call.expected_ref;
  request.allow = call.allow;
  // As people name files: from where they stand.
  constexpr std::string_view kSubmodule = "submodule_changed:";
  for (const auto& flag : agent->capture->flags)
    if (flag.starts_with(kSubmodule)) request.submodules.push_back(flag.substr(kSubmodule.size()));
  if (unchecked(race->state, *agent) && !verified(race->state, *agent))
    request.consent.push_back({"unchecked", {why_unchecked(race->state, *agent)}});
  for (const auto& part : call.parts) {
    auto path = fs::path(call.directory).lexically_relative(race->state.spec.repository.root) / part;
    if (fs::path(part).is_absolute())
      path = fs::path(part).lexically_relative(race->state.spec.repository.root);
    request.parts.push_back(path.lexically_normal().string());
  }
  request.accept_changes = call.accept_changes;
  request.repair_changes = call.repair_changes;
  request.environment = signing_environment(call.environment);
  // By threshold nobody looks: then the branch must be the one that the race was started on.
  if (automatic) request.expected_ref = race->state.spec.repository.head_ref;
  in_turn([this, race, name, request, automatic, done = std::move(done)](std::function<void()> release) {
    auto finish = [done, release = std::move(release)](Result<git::MergePreview> merged) {
      done(std::move(merged));
      release();
    };
    settle_journals([common = race->state.spec.repository.common_dir](
                        const State& state) { return state.spec.repository.common_dir == common; },
                    [this, race, name, request, automatic, finish](const Result<void>& settled) {
                      if (draining) return finish(stopping());
                      if (settled.ok()) return start_merge(race, name, request, automatic, finish);
                      // A race that merges by threshold waits for the answer.
                      if (automatic)
                        record(race, model::MergeRefused{name, describe(settled.error()), automatic});
                      finish(settled.error());
                    });
  });
}

void Service::Impl::start_merge(const RacePtr& race, const std::string& name,
                                const git::MergeRequest& request, bool automatic,
                                std::function<void(Result<git::MergePreview>)> finish) {
  std::error_code ec;
  if (!fs::is_directory(race->layout.store(), ec))
    return finish(Error{Errc::not_found, "the captures of this race are gone", race->state.spec.id,
                        "hydra clean --undo " + race->state.spec.id + ", or `git merge` its branch"});
  boost::asio::post(merge_pool, [this, race, name, request, automatic, store_copy = *race->store,
                                 spec = race->state.spec, finish = std::move(finish)]() mutable {
    auto merged = make_dirs(request.journal, 0700).ok()
                      ? git::merge(store_copy, spec, request)
                      : Result<git::MergePreview>(
                            Error{Errc::io, "cannot make the merge journal", request.journal, {}});
    // Nothing left to do: a journal that stays would be looked at on every start. That of a merge which
    // landed goes only when the event is stored: till then it is the only record.
    const auto landed = git::landed(request.journal);
    if (!landed && git::merge_settled(request.journal)) drop_journal(request.journal);
    boost::asio::post(loop, [this, race, name, request, automatic, landed, merged = std::move(merged),
                             finish = std::move(finish)]() mutable {
      if (request.dry_run && !landed) return finish(std::move(merged));
      if (landed)
        return record_landed(
            race, model::Merged{name, landed->commit, landed->ref, automatic, landed->before, landed->state},
            request.journal, [merged = std::move(merged), finish](const Result<void>& stored) mutable {
              if (merged.ok() && !stored.ok())
                merged->note = "it could not be recorded yet: " + describe(stored.error());
              finish(std::move(merged));
            });
      // A merge that was there already must not hide the one that can be undone, which may have been recorded
      // only now.
      const auto now = load(race->state.spec.id);
      if (merged.ok() && now.ok() && (*now)->state.merged)
        log::debug("{} was merged already", name);
      else if (merged.ok())
        record(race, model::Merged{name, merged->new_commit, merged->ref, automatic, "", merged->state});
      else
        record(race, model::MergeRefused{name, describe(merged.error()), automatic});
      finish(std::move(merged));
    });
  });
}

// The newest merge, whichever race it is of.
Result<std::pair<RacePtr, model::Merged>> Service::Impl::find_merged(const MergeCall& call) {
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
  if (!sibling.empty()) return of_another_checkout(sibling);
  return Error{Errc::not_found,
               "no merge of Hydra's to undo" + (call.target.empty() ? "" : " for '" + call.target + "'"),
               {},
               "hydra list"};
}

void Service::Impl::undo_merge(const MergeCall& call, std::function<void(Result<std::string>)> done) {
  in_turn([this, call, done = std::move(done)](std::function<void()> release) {
    auto finish = [done, release = std::move(release)](Result<std::string> undone) {
      done(std::move(undone));
      release();
    };
    settle_journals(
        [directory = call.directory](const State& state) {
          return git::relation(directory, state.spec.repository.root) == git::Relation::same;
        },
        [this, call, finish](const Result<void>& settled) {
          if (!settled.ok()) return finish(settled.error());
          if (draining) return finish(stopping());
          auto target = find_merged(call);
          if (!target.ok()) return finish(std::move(target).error());
          start_undo(target->first, target->second, call, finish);
        });
  });
}

void Service::Impl::start_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                               std::function<void(Result<std::string>)> finish) {
  git::UndoRequest request{race->layout.merge_journal(merged.agent + ".undo"),
                           merged.commit,
                           merged.before,
                           merged.ref,
                           merged.state,
                           call.dry_run};
  request.accept_changes = call.accept_changes;
  request.repair_changes = call.repair_changes;
  boost::asio::post(merge_pool, [this, race, name = merged.agent, request, store_copy = *race->store,
                                 spec = race->state.spec, finish = std::move(finish)]() mutable {
    auto undone = make_dirs(request.journal, 0700).ok()
                      ? git::undo_merge(store_copy, spec, request)
                      : Result<git::MergePreview>(
                            Error{Errc::io, "cannot make the merge journal", request.journal, {}});
    const auto landed = git::landed(request.journal);
    if (!landed && git::merge_settled(request.journal)) drop_journal(request.journal);
    boost::asio::post(loop, [this, race, name, request, landed, undone = std::move(undone),
                             finish = std::move(finish)]() mutable {
      auto answer = [race, name, request, finish](const Result<git::MergePreview>& preview) {
        if (!preview.ok()) return finish(preview.error());
        auto j = preview_json(*race, *race->state.agent(name), *preview, request.dry_run);
        j["undone"] = !request.dry_run;
        finish(dump(j));
      };
      if (!landed) return answer(undone);
      record_landed(race, model::MergeUndone{name, request.commit, request.ref}, request.journal,
                    [undone = std::move(undone), answer](const Result<void>& stored) mutable {
                      if (undone.ok() && !stored.ok())
                        undone->note = "it could not be recorded yet: " + describe(stored.error());
                      answer(undone);
                    });
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
