// Merges: on the user's request, or automatically by threshold.
#include "base/strings.hpp"
#include "race/merges/merges.hpp"
#include "race/state/gating.hpp"
#include "race/upkeep.hpp"
#include "race/views/view_parts.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace hydra::race {
namespace {

std::string first_line(const std::string& task) {
  const auto parts = lines(task);
  return parts.empty() ? std::string{} : ellipsize(trim(parts.front()), 60);
}

std::string merge_message(const Race& race, const AgentState& agent, const std::string& asked) {
  const auto& state = race.state;
  const auto* row = state.ranked(agent.entry.name);
  const auto score = row ? scoring::format_score(row->score.composite) : std::string("-");
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

// Only variables that locate keys and agents: a merge needs nothing else of the client's environment.
std::vector<std::pair<std::string, std::string>> signing_environment(
    const std::map<std::string, std::string>& environment) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const char* name : {"SSH_AUTH_SOCK", "GNUPGHOME", "GPG_TTY", "GPG_AGENT_INFO", "XDG_RUNTIME_DIR",
                           "SSH_ASKPASS", "DISPLAY", "WAYLAND_DISPLAY"})
    if (const auto found = environment.find(name); found != environment.end()) kept.emplace_back(*found);
  return kept;
}

wire::Merge merge_view(const Race& race, const std::string& name, const git::MergePreview& preview,
                       bool dry_run) {
  wire::Merge out;
  out.race = race.state.spec.id;
  out.agent = name;
  out.branch = race.state.agent(name)->branch;
  out.ref = preview.ref;
  out.old_commit = preview.old_commit;
  out.new_commit = preview.new_commit;
  out.dry_run = dry_run;
  out.already_merged = preview.already_merged;
  out.conflicts = preview.conflicts;
  if (dry_run) out.conflict_text.emplace();
  if (dry_run)
    for (const auto& [path, text] : preview.conflict_text) out.conflict_text->push_back({path, text});
  out.overlap = preview.overlap;
  out.diff = preview.diff;
  out.line_ends_only = preview.line_ends;
  for (const auto& [what, files, generated] : preview.left_out)
    out.left_out.push_back({what, files, generated});
  out.unnamed = preview.unnamed;
  for (const auto& [kind, paths] : preview.consent) out.consent.push_back({kind, paths});
  out.changed = preview.changed;
  out.signed_ = preview.signed_;
  out.state = preview.state;
  out.note = preview.note;
  const auto& state = race.state;
  if (out.note.empty() && !state.ended && !state.ranking)
    out.note =
        "race " + state.spec.id + " is still running: checks and verification may still change its order";
  return out;
}

git::UndoRequest undo_request(const model::Merged& merged, const MergeCall& call, fs::path journal) {
  git::UndoRequest request{std::move(journal), merged.commit, merged.before,
                           merged.ref,         merged.state,  call.dry_run};
  request.accept_changes = call.accept_changes;
  request.repair_changes = call.repair_changes;
  return request;
}

Result<wire::MergeAnswer> undo_answer(const Race& race, const std::string& name,
                                      const Result<git::MergePreview>& preview, bool dry_run) {
  if (!preview.ok()) return preview.error();
  auto out = merge_view(race, name, *preview, dry_run);
  out.undone = !dry_run;
  return wire::MergeAnswer(std::move(out));
}

/// Returns why a call must not begin although its turn has come; `gone` is MergeCall's.
std::optional<Error> too_late(bool draining, const std::function<bool()>& gone) {
  if (draining) return daemon_stops();
  if (gone && gone()) return Error{Errc::conflict, "the client has disconnected", {}, {}};
  return std::nullopt;
}

/// Returns blocking findings for people, one a line; none if findings do not count.
std::vector<std::string> blocking_findings(const State& state, const AgentState& agent) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> rows;
  if (!state.spec.config.evaluation.findings_count) return rows;
  for (const auto& finding : findings_of(state, agent)) {
    if (finding.severity != model::Severity::block || rows.size() == kMost) continue;
    const auto line = finding.line > 0 ? ":" + std::to_string(finding.line) : std::string();
    rows.push_back(sanitize(finding.path) + line + ": " + finding.rule + ", " + sanitize(finding.reason));
  }
  return rows;
}

}  // namespace

void Merges::stop() {
  constexpr std::chrono::milliseconds kPatience{2000}, kLook{20};
  const auto working = [&] { return merging.working() + looking.working(); };
  for (auto waited = kLook; working() > 0 && waited <= kPatience; waited += kLook)
    std::this_thread::sleep_for(kLook);
  if (working() > 0) log::warn("a merge still runs: its hooks and filters are ended");
  merge_stop.request_stop();
  merging.join();
  looking.join();
}

void Merges::run_merge(const RacePtr& race, const std::string& name, const MergeCall& call, bool automatic,
                       std::function<void(Result<git::MergePreview>)> done) {
  const auto* agent = race->state.agent(name);
  if (!agent || !agent->changed())
    return done(Error{Errc::refused, name + " has no change to merge", race->state.spec.id,
                      "`hydra results` lists those that have one"});
  TrimmedRequest request;
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
  for (const auto& flag : agent->capture->flags) {
    if (flag.kind == model::FlagKind::submodule_changed) request.submodules.push_back(flag.path);
    if (flag.kind == model::FlagKind::unnamed) request.unnamed.push_back(flag.path);
  }
  if (unchecked(race->state, *agent) && !verified(race->state, *agent))
    request.consent.push_back({"unchecked", {why_unchecked(race->state, *agent)}});
  if (auto found = blocking_findings(race->state, *agent); !found.empty())
    request.consent.push_back({"tampered", std::move(found)});
  for (const auto* list : {&call.parts, &call.without})
    if (std::find(list->begin(), list->end(), "") != list->end())
      return done(Error{Errc::usage, "a path in " + name + " has no name", {}, "name a file or directory"});
  // Relative paths are relative to the user's directory.
  const fs::path root = race->state.spec.repository.root;
  const auto in_repository = [&](const fs::path& path) {
    const auto from = path.is_absolute() ? path.lexically_relative(root)
                                         : fs::path(call.directory).lexically_relative(root) / path;
    auto plain = from.lexically_normal().string();
    return plain.ends_with('/') ? plain.substr(0, plain.size() - 1) : plain;
  };
  for (const auto& part : call.parts) request.parts.push_back(in_repository(part));
  for (const auto& path : call.without) request.unwanted.insert(in_repository(path));
  request.with_generated = call.with_generated;
  request.accept_changes = call.accept_changes;
  request.repair_changes = call.repair_changes;
  request.environment = signing_environment(call.environment);
  // No person confirms an automatic merge: the branch must be the one on which the race started.
  if (automatic) request.expected_ref = race->state.spec.repository.head_ref;
  request.stop = merge_stop.get_token();
  if (request.dry_run) return preview_merge(race, request, std::move(done));
  const fs::path repository = race->state.spec.repository.common_dir;
  merging.take(
      repository, "the merge of " + race->state.spec.id + "/" + name,
      [this, race, name, request, automatic, repository, gone = call.gone,
       done = std::move(done)](RepositoryLocks::Held turn) {
        const auto finish = [done, turn](Result<git::MergePreview> merged) { done(std::move(merged)); };
        settle_journals(repository,
                        [this, race, name, request, automatic, gone, finish](const Result<void>& settled) {
                          if (auto late = too_late(draining(), gone)) return finish(std::move(*late));
                          if (settled.ok()) return start_merge(race, name, request, automatic, finish);
                          // A race with an automatic merge waits for this event.
                          if (automatic)
                            record(race, model::MergeRefused{name, describe(settled.error()), automatic,
                                                             model::Refusal::failed});
                          finish(settled.error());
                        });
      });
}

bool Merges::verified(const State& state, const AgentState& agent) const {
  constexpr int kMostLooked = 50;  // limit, since each race is read from its events
  const auto rows = store.races({state.spec.repository.root}, 1000);
  int looked = 0;
  if (!rows.ok()) return false;
  for (const auto& row : *rows) {
    const bool meant = row.agents.empty() && row.state == "done" && row.created_ms >= state.spec.created_ms;
    if (!meant || ++looked > kMostLooked) continue;
    const auto race = load(row.id);
    if (!race.ok() || (*race)->state.spec.verifies != state.spec.id || !(*race)->state.ranking) continue;
    const auto* again = (*race)->state.agent(agent.entry.name);
    if (again && again->capture && again->capture->commit == agent.capture->commit &&
        !unchecked((*race)->state, *again))
      return true;
  }
  return false;
}

Result<void> Merges::captures_there(const Race& race) const {
  std::error_code ec;
  if (fs::is_directory(race.layout.store(), ec)) return {};
  const auto& id = race.state.spec.id;
  return Error{Errc::not_found, "the captures of this race are gone", id,
               (upkeep.away_for_good(id) ? "" : upkeep.undo_hint(id) + ", or ") + "`git merge` its branch"};
}

namespace {

/// A merge or its undoing: its answer, and the checkout's move if that landed.
struct Journalled {
  Result<git::MergePreview> answer = Error{};
  std::optional<git::Landed> landed;
};

}  // namespace

void Merges::move_checkout(const RacePtr& race, const fs::path& journal,
                           std::function<Result<git::MergePreview>()> move,
                           std::function<model::EventBody(const git::Landed&)> event,
                           std::function<void(Result<git::MergePreview>, bool landed)> ended) {
  merging.post(
      race->state.spec.repository.common_dir,
      [this, journal, move = std::move(move)] {
        Journalled made;
        if (make_dirs(journal, 0700).ok())
          made.answer = move();
        else
          made.answer = Error{Errc::io, "cannot make the merge journal", journal, {}};
        // A settled journal is removed, since every start would process it; the journal of a landed move is
        // the only record until its event is stored.
        made.landed = git::landed(journal);
        if (!made.landed && git::merge_settled(journal)) drop_journal(journal);
        return made;
      },
      [this, race, journal, event = std::move(event), ended = std::move(ended)](Result<Journalled> made) {
        if (!made.ok()) return ended(std::move(made).error(), false);
        if (!made->landed) return ended(std::move(made->answer), false);
        record_landed(race, event(*made->landed), journal,
                      [answer = std::move(made->answer), ended](const Result<void>& stored) mutable {
                        if (answer.ok() && !stored.ok())
                          answer->note = "it could not be recorded yet: " + describe(stored.error());
                        ended(std::move(answer), true);
                      });
      });
}

void Merges::start_merge(const RacePtr& race, const std::string& name, const TrimmedRequest& request,
                         bool automatic, std::function<void(Result<git::MergePreview>)> finish) {
  if (auto there = captures_there(*race); !there.ok()) return finish(std::move(there).error());
  move_checkout(
      race, request.journal,
      [request, store_copy = *race->store, spec = race->state.spec] {
        return merge_trimmed(store_copy, spec, request);
      },
      [name, automatic](const git::Landed& landed) -> model::EventBody {
        return model::Merged{name, landed.commit, landed.ref, automatic, landed.before, landed.state};
      },
      [this, race, name, automatic, finish = std::move(finish)](Result<git::MergePreview> merged,
                                                                bool landed) {
        if (landed) return finish(std::move(merged));
        // A result that was merged already must not hide the merge that can be undone, which may have been
        // recorded only now.
        const auto now = load(race->state.spec.id);
        if (merged.ok() && now.ok() && (*now)->state.merged())
          log::debug("{} was merged already", name);
        else if (merged.ok())
          record(race, model::Merged{name, merged->new_commit, merged->ref, automatic, "", merged->state});
        else
          record(race,
                 model::MergeRefused{name, describe(merged.error()), automatic, model::Refusal::failed});
        finish(std::move(merged));
      });
}

void Merges::preview_merge(const RacePtr& race, const TrimmedRequest& asked,
                           std::function<void(Result<git::MergePreview>)> done) {
  if (auto there = captures_there(*race); !there.ok()) return done(std::move(there).error());
  const fs::path repository = race->state.spec.repository.common_dir;
  auto request = asked;
  request.journal = preview_place();
  looking.take(repository, "a preview",
               [this, race, repository, request, done](const RepositoryLocks::Held& turn) {
                 looking.post(
                     repository,
                     [request, store_copy = *race->store, spec = race->state.spec] {
                       auto preview = merge_trimmed(store_copy, spec, request);
                       (void)remove_tree(request.journal);
                       return preview;
                     },
                     [done, turn](Result<git::MergePreview> preview) { done(std::move(preview)); });
               });
}

std::string Merges::in_the_way(const MergeCall& call, const fs::path& repository) const {
  auto holder = merging.holder(repository);
  return call.wait || (call.dry_run && holder != kRecovery) ? std::string() : holder;
}

void Merges::undo_merge(const MergeCall& call, std::function<void(Result<wire::MergeAnswer>)> done) {
  auto repository = repository_of(call.directory);
  if (!repository.ok()) return done(std::move(repository).error());
  if (repository->empty()) {
    const auto none = find_merged(call);
    return done(none.ok() ? Error{Errc::conflict, "try again", call.directory, {}} : none.error());
  }
  if (auto other = in_the_way(call, *repository); !other.empty())
    return done(wire::MergeAnswer(wire::Waits{std::move(other)}));
  auto& turns = call.dry_run ? looking : merging;
  turns.take(
      *repository, call.dry_run ? "a preview" : "the undoing of a merge",
      [this, call, repository = *repository, done = std::move(done)](RepositoryLocks::Held turn) {
        const auto finish = [done, turn](Result<wire::MergeAnswer> undone) { done(std::move(undone)); };
        const auto begin = [this, call, repository, finish](const Result<void>& settled) {
          if (!settled.ok()) return finish(settled.error());
          if (auto late = too_late(draining(), call.gone)) return finish(std::move(*late));
          auto target = find_merged(call);
          if (!target.ok()) return finish(std::move(target).error());
          const auto& [race, merged] = *target;
          if (race->state.spec.repository.common_dir != repository)
            return finish(
                Error{Errc::conflict, "the repository was moved meanwhile", call.directory, "try again"});
          if (call.dry_run) return preview_undo(race, merged, call, finish);
          start_undo(race, merged, call, finish);
        };
        if (call.dry_run) return begin({});  // only operations that change the repository settle journals
        settle_journals(repository, begin);
      });
}

void Merges::preview_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                          std::function<void(Result<wire::MergeAnswer>)> finish) {
  if (auto there = captures_there(*race); !there.ok()) return finish(std::move(there).error());
  looking.post(
      race->state.spec.repository.common_dir,
      [request = undo_request(merged, call, preview_place()), store_copy = *race->store,
       spec = race->state.spec] {
        auto preview = git::undo_merge(store_copy, spec, request);
        (void)remove_tree(request.journal);
        return preview;
      },
      [race, name = merged.agent, finish = std::move(finish)](const Result<git::MergePreview>& preview) {
        finish(undo_answer(*race, name, preview, true));
      });
}

void Merges::start_undo(const RacePtr& race, const model::Merged& merged, const MergeCall& call,
                        std::function<void(Result<wire::MergeAnswer>)> finish) {
  auto request = undo_request(merged, call, race->layout.merge_journal(merged.agent + ".undo"));
  request.stop = merge_stop.get_token();
  move_checkout(
      race, request.journal,
      [request, store_copy = *race->store, spec = race->state.spec] {
        return git::undo_merge(store_copy, spec, request);
      },
      [name = merged.agent, request](const git::Landed&) -> model::EventBody {
        return model::MergeUndone{name, request.commit, request.ref};
      },
      [race, name = merged.agent, finish = std::move(finish)](const Result<git::MergePreview>& undone, bool) {
        finish(undo_answer(*race, name, undone, false));
      });
}

void Merges::auto_merge(const RacePtr& race, const std::string& name) {
  const auto& config = race->state.spec.config.merge;
  MergeCall call;
  call.squash = config.style == model::MergeStyle::squash;
  call.ff_only = config.style == model::MergeStyle::ff_only;
  const auto* agent = race->state.agent(name);
  if (!agent || !agent->changed())
    return emit(race->state.spec.id,
                model::MergeRefused{name, "no change to merge", true, model::Refusal::failed});
  const auto owner = check_owner(race->state, *agent);
  if (began_warm(race->state, owner))
    if (const auto difference = cold_difference(race->state, owner); !difference.empty())
      return emit(race->state.spec.id,
                  model::MergeRefused{name, "unverified: " + difference, true, model::Refusal::failed});
  run_merge(race, name, call, true, [](const Result<git::MergePreview>&) {});
}

void Merges::merge(MergeCall call, std::function<void(Result<wire::MergeAnswer>)> done) {
  if (call.undo) return undo_merge(call, std::move(done));
  auto target = find_target(call);
  if (!target.ok()) return done(std::move(target).error());
  const auto [race, name] = *target;
  const auto style = race->state.spec.config.merge.style;
  call.squash = call.squash || style == model::MergeStyle::squash;
  call.ff_only = call.ff_only || style == model::MergeStyle::ff_only;
  if (auto other = in_the_way(call, race->state.spec.repository.common_dir); !other.empty())
    return done(wire::MergeAnswer(wire::Waits{std::move(other)}));
  run_merge(race, name, call, false,
            [race = race, name = name, call, done](Result<git::MergePreview> preview) {
              if (!preview.ok()) return done(std::move(preview).error());
              done(wire::MergeAnswer(merge_view(*race, name, *preview, call.dry_run)));
            });
}

}  // namespace hydra::race
