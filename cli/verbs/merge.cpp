#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/follow.hpp"
#include "cli/programs.hpp"
#include "cli/render/left_out.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/result_block.hpp"
#include "cli/waiting.hpp"
#include "model/consent.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

struct MergeArgs {
  std::vector<std::string> targets, parts, without;
  std::string message, allow;
  bool dry_run = false, squash = false, ff = false, ff_only = false, yes = false, json = false, undo = false;
  bool accept_changes = false, repair_changes = false, repair_only = false, with_generated = false;
};

/// A request to the daemon.
struct Ask {
  std::string target, expected_ref;
  bool dry_run = false;
  std::vector<std::string> allow;
};

wire::MergeRequest request_of(const MergeArgs& args, const Ask& ask) {
  wire::MergeRequest request;
  request.target = ask.target;
  request.directory = working_directory().string();
  request.message = args.message;
  request.expected_ref = ask.expected_ref;
  request.dry_run = ask.dry_run;
  request.squash = args.squash;
  request.ff = args.ff;
  request.ff_only = args.ff_only;
  request.undo = args.undo;
  request.accept_changes = args.accept_changes;
  request.repair_changes = args.repair_changes;
  request.repair_only = args.repair_only;
  request.allow = ask.allow;
  request.parts = args.parts;
  request.without = args.without;
  request.with_generated = args.with_generated;
  request.environment = environment();
  return request;
}

std::vector<std::string> allowed(const MergeArgs& args) {
  std::vector<std::string> kinds;
  for (const auto part : split(args.allow, ','))
    if (!trim(part).empty()) kinds.emplace_back(trim(part));
  return kinds;
}

// Returns the branch; RACE/AGENT if the result has none (its race runs, or the result was not published).
std::string name_of(const wire::Merge& view) {
  return view.branch.empty() ? view.race + "/" + view.agent : view.branch;
}

void list_paths(const char* title, const std::vector<std::string>& paths, const Style& style) {
  if (paths.empty()) return;
  print_line(title);
  for (const auto& path : paths) print_line("  " + style.safe(path));
}

std::vector<std::string> missing_words(const wire::Merge& view, const std::vector<std::string>& allow) {
  std::vector<std::string> kinds;
  for (const auto& [kind, paths] : view.consent)
    if (std::find(allow.begin(), allow.end(), kind) == allow.end()) kinds.push_back(kind);
  return kinds;
}

bool would_be_refused(const MergeArgs& args, const wire::Merge& view) {
  return !view.conflicts.empty() || !view.overlap.empty() ||
         (!view.changed.empty() && !args.accept_changes && !args.repair_changes) ||
         !missing_words(view, allowed(args)).empty();
}

int show_dry_run(const MergeArgs& args, const wire::Merge& view, const Style& style) {
  if (args.undo && view.overlap.empty())
    return say(fmt::format("The merge of {} would be undone: {} would be at {} again. Nothing was changed.",
                           style.safe(name_of(view)), style.safe(branch_of(view)),
                           style.safe(view.new_commit.substr(0, 12))));
  if (!view.note.empty()) print_line(style.safe(view.note));
  if (view.already_merged) return say(style.safe(name_of(view)) + " is already merged.");
  list_paths("Conflicts:", view.conflicts, style);
  list_paths("Changed in your checkout too:", view.overlap, style);
  list_paths("Changed in the repository itself since the race started:", view.changed, style);
  const auto missing = missing_words(view, allowed(args));
  for (const auto& [kind, paths] : view.consent)
    list_paths(("Needs --allow " + style.safe(kind) + ":").c_str(), paths, style);
  for (const auto& line : merge_files(view, style)) print_line(line);
  if (would_be_refused(args, view)) return say("A merge would be refused. Nothing was changed.", kNoWinner);
  return say(fmt::format("{} would merge into {} without conflicts ({}). Nothing was changed.",
                         style.safe(name_of(view)), style.safe(branch_of(view)), change_words(view.diff)));
}

// Asks the open questions: whether to merge the winner, and consent to changes. False: refused.
Result<bool> confirm(client::Client& client, const MergeArgs& args, Ask& ask, Context& context) {
  auto preview = ask;
  preview.dry_run = true;
  HYDRA_TRY(const auto body, call_in_turn(context, client, "/v1/merge", request_of(args, preview)));
  HYDRA_TRY(const auto view, wire::from_json<wire::Merge>(body));
  const auto& style = context.out();
  if (ask.target.empty() && !args.yes) {
    for (const auto& line : merge_files(view, style)) print_line(line);
    if (!yes_to(fmt::format("Merge {} ({}, {}) into {}?", style.safe(view.agent), style.safe(name_of(view)),
                            change_words(view.diff), style.safe(branch_of(view)))))
      return false;
    ask.target = name_of(view);
  }
  ask.expected_ref = view.ref;
  const auto missing = missing_words(view, ask.allow);
  for (const auto& [kind, paths] : view.consent) {
    if (std::find(missing.begin(), missing.end(), kind) == missing.end()) continue;
    list_paths(kind == "branch"      ? "The race was started on another branch; you are on:"
               : kind == "unchecked" ? "Nobody has checked it:"
               : kind == "tampered"  ? "Its tamper report says:"
                                     : ("It changes " + kind + ":").c_str(),
               paths, style);
    if (!yes_to("Merge that too?")) return false;
    ask.allow.push_back(kind);
  }
  return true;
}

int show_repaired(const wire::Repaired& view, const Style& style) {
  list_paths("Put back as it was when the race started:", view.repaired, style);
  if (!view.repaired.empty()) print_line("The replaced files are kept in " + style.safe(view.replaced));
  list_paths("Still different, and yours to judge:", view.changed, style);
  if (view.repaired.empty() && view.changed.empty())
    print_line("The repository is as it was when the race started. Nothing was changed.");
  return view.changed.empty() ? kDone : kNoWinner;
}

/// Returns the command that removes the merged result's branch; empty: none, or not all of the result was
/// merged.
std::string clean_up(const MergeArgs& args, const wire::Merge& view) {
  const auto git = [](std::vector<std::string> words) {
    words.insert(words.begin(), "git");
    const auto run = run_captured(words, working_directory());
    return run.ok() && run->exit == 0;
  };
  const auto branch = "refs/heads/" + view.branch;
  if (view.branch.empty() || !git({"rev-parse", "-q", "--verify", branch})) return {};
  if (git({"merge-base", "--is-ancestor", branch, "HEAD"})) return "git branch -d " + view.branch;
  // git does not know that a squashed branch is merged. A note may name parts that were left out.
  return args.parts.empty() && args.without.empty() && view.note.empty() ? "git branch -D " + view.branch
                                                                         : std::string();
}

int show_merged(const MergeArgs& args, const wire::Merge& view, const Style& style) {
  if (view.undone.value_or(false))
    return say(fmt::format("Undid the merge of {}: {} is at {} again", style.safe(name_of(view)),
                           style.safe(branch_of(view)), style.safe(view.new_commit.substr(0, 12))));
  if (view.already_merged) {
    print_line(style.safe(name_of(view)) + " was already merged.");
  } else {
    print_line(fmt::format("Merged {} into {} ({}): {}{}", style.safe(name_of(view)),
                           style.safe(branch_of(view)), change_words(view.diff),
                           style.safe(view.new_commit.substr(0, 12)), view.signed_ ? ", signed" : ""));
    for (const auto& line : merge_files(view, style)) print_line(line);
    print_line("Undo: hydra merge --undo");
  }
  if (!view.note.empty()) print_line(style.safe(view.note));
  if (const auto command = clean_up(args, view); !command.empty())
    print_line("Clean up: " + style.safe(command));
  return kDone;
}

Result<int> send(const MergeArgs& args, const Ask& ask, client::Client& client, Context& context) {
  HYDRA_TRY(const auto body, call_in_turn(context, client, "/v1/merge", request_of(args, ask)));
  if (args.json) print_line(with_schema(body));
  if (args.repair_only) {
    HYDRA_TRY(const auto view, wire::from_json<wire::Repaired>(body));
    if (args.json) return view.changed.empty() ? kDone : kNoWinner;
    return show_repaired(view, context.out());
  }
  HYDRA_TRY(const auto view, wire::from_json<wire::Merge>(body));
  if (args.json) return ask.dry_run && would_be_refused(args, view) ? kNoWinner : kDone;
  return ask.dry_run ? show_dry_run(args, view, context.out()) : show_merged(args, view, context.out());
}

// Combines parts of several results into a new result, which is checked and ranked before a merge.
Result<int> combine(const MergeArgs& args, Context& context, client::Client client) {
  HYDRA_TRY(const auto body,
            client.call("POST", "/v1/combine",
                        wire::to_json(wire::CombineRequest{args.targets, working_directory().string()})));
  HYDRA_TRY(const auto made, with_race<wire::Combined>(body));
  const auto name = made.race + "/" + made.agent;
  HYDRA_TRY(auto again, context.daemon(std::chrono::minutes(10)));
  HYDRA_TRY(const auto followed,
            follow_race(context, std::move(client), made.race, {.json = args.json, .after = made.after}));
  if (followed == kInterrupted)
    context.warn(fmt::format("{0} will not be merged. Once it is checked: `hydra merge {0}`",
                             context.err().safe(name)));
  if (followed != kDone && followed != kNoWinner) return followed;
  HYDRA_TRY(const auto view, get<wire::Results>(again, race_path(made.race, "results")));
  const auto row = std::find_if(view.agents.begin(), view.agents.end(),
                                [&](const auto& agent) { return agent.agent == made.agent; });
  if (row == view.agents.end() || !row->eligible)
    return Error{Errc::refused,
                 made.agent + " is not fit to be merged" +
                     (row == view.agents.end() || row->ineligible_reasons.empty()
                          ? ""
                          : ": " + words(row->ineligible_reasons.front())),
                 {},
                 "hydra merge " + name + " merges it anyway"};
  Ask ask{name, {}, args.dry_run, allowed(args)};
  if (args.dry_run || args.yes) return send(args, ask, again, context);
  const auto& tests = dimension_of(*row, "tests");
  const bool failed = tests.status == model::DimensionStatus::failed ||
                      (tests.status == model::DimensionStatus::scored && tests.points < 100);
  if (!context.interactive() || args.json) {
    if (failed)
      return Error{Errc::refused,
                   made.agent + " does not pass all tests",
                   {},
                   "`hydra merge " + name + "` merges it anyway, and so does --yes"};
    return send(args, ask, again, context);
  }
  if (!yes_to(fmt::format("Merge {}{}?", context.out().safe(name),
                          failed ? ", which does not pass all tests" : "")))
    return say("Nothing was merged.", kNoWinner);
  HYDRA_TRY(const auto confirmed, confirm(again, args, ask, context));
  if (confirmed) return send(args, ask, again, context);
  return say("Nothing was merged.", kNoWinner);
}

Result<void> check(const MergeArgs& args) {
  const auto usage = [](const char* message, const char* hint) {
    return Error{Errc::usage, message, {}, hint};
  };
  const auto parts_named = std::count_if(args.targets.begin(), args.targets.end(), [](const auto& target) {
    return target.find(':') != std::string::npos;
  });
  if (parts_named > 0 && static_cast<std::size_t>(parts_named) != args.targets.size())
    return usage("name either one result, or parts as RESULT:PATH",
                 "hydra merge codex:src/x.c claude:tests/");
  if (parts_named == 0 && args.targets.size() > 1)
    return usage("only one result can be merged at a time", "parts of several: RESULT:PATH RESULT:PATH");
  if (parts_named > 0 && !args.parts.empty())
    return usage("--parts is for one result", "RESULT:PATH says the same");
  if (!args.parts.empty() && args.targets.empty())
    return usage("--parts needs a result", "hydra merge codex --parts src/x.c");
  // An unset shell variable gives an empty name, which would mean the working directory, hence the whole
  // result.
  if (std::find(args.parts.begin(), args.parts.end(), "") != args.parts.end())
    return usage("--parts: a name is empty", "hydra merge codex --parts src/x.c");
  if (args.undo && (!args.parts.empty() || !args.without.empty() || parts_named > 0))
    return usage("a merge is undone as a whole", "hydra merge --undo");
  if (args.ff && args.ff_only)
    return usage("--ff or --ff-only, not both", "--ff-only refuses where --ff merges");
  if (args.accept_changes && args.repair_changes)
    return usage("--accept-changes or --repair-changes, not both", "");
  if (args.repair_only && (args.undo || args.dry_run || parts_named > 0 || !args.parts.empty()))
    return usage("--repair-only merges nothing", "hydra merge --repair-only");
  return {};
}

Result<int> merge(const MergeArgs& args, Context& context) {
  HYDRA_CHECK(check(args));
  Ask ask{args.targets.empty() ? std::string{} : args.targets.front(), {}, args.dry_run, allowed(args)};
  if (ask.target.empty() && !args.yes && !args.dry_run && !args.undo && !args.repair_only &&
      (!context.interactive() || args.json))
    return Error{Errc::refused,
                 "no branch was named, and no terminal to confirm on",
                 {},
                 "name one, or use --yes for the winner of the last race"};
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(10)));  // the merge runs the user's hooks
  if (ask.target.find(':') != std::string::npos) return combine(args, context, std::move(client));
  if (context.interactive() && !args.json && !args.dry_run && !args.undo && !args.repair_only) {
    HYDRA_TRY(const auto confirmed, confirm(client, args, ask, context));
    if (!confirmed) return say("Nothing was merged.", kNoWinner);
  }
  return send(args, ask, client, context);
}

// Returns "attributes, branch, …: kinds of changes that you consent to"; see docs/merging.md.
std::string allow_help() {
  std::vector<std::string> kinds;
  for (const auto& kind : model::kConsentKinds) kinds.emplace_back(kind.name);
  return join(kinds, ", ") + ": kinds of changes that you consent to";
}

}  // namespace

Verb merge_verb() {
  return verb_of<MergeArgs>(
      "merge", "Merge a result into your branch (default: the winner of the last race, after asking)",
      {"hydra merge", "hydra merge codex-1708646400", "hydra merge 01jx4k/codex --squash -m \"Add JWT auth\"",
       "hydra merge --dry-run", "hydra merge codex --parts src/auth.c docs/",
       "hydra merge codex --without notes.md", "hydra merge codex:src/auth.c claude:tests/",
       "hydra merge codex --allow ci,symlinks", "hydra merge --undo", "hydra merge --repair-only"},
      [](Options& o, MergeArgs& args) {
        o.words("branch", args.targets, "",
                "branch with or without hydra/, RACE/AGENT, or a unique prefix; or parts: RESULT:PATH …");
        o.words("--parts", args.parts, "FILE", "only these files or directories of the result");
        o.repeated("--without", args.without, "PATH",
                   "leave this new file, or the new files of this directory, out");
        o.flag("--with-generated", args.with_generated,
               "bring in new generated, vendored and usually ignored files, too (docs/merging.md)");
        o.flag("--dry-run", args.dry_run, "say what it would do, change nothing");
        o.flag("--squash", args.squash, "one commit without the agent's history");
        o.flag("--ff", args.ff, "move your branch forward where that is possible");
        o.flag("--ff-only", args.ff_only, "only if your branch can be moved forward");
        o.value("--message,-m", args.message, "TEXT", "message of the merge commit");
        o.value("--allow", args.allow, "KIND,…", allow_help());
        o.flag("--accept-changes", args.accept_changes,
               "the repository's own configuration has changed since the start, and that is right");
        o.flag("--repair-changes", args.repair_changes, "put that configuration back as it was first");
        o.flag("--repair-only", args.repair_only,
               "put that configuration back (of the last race, or RACE/AGENT) and merge nothing");
        o.flag("--undo", args.undo, "take the last merge back while nothing was built on it");
        o.flag("--yes,-y", args.yes,
               "do not ask, neither before merging the winner nor about parts with failed tests");
        o.flag("--json", args.json, "the daemon's answer as JSON (docs/api.md)");
      },
      merge);
}

}  // namespace hydra::cli
