#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/live_table.hpp"

#include <fmt/format.h>

#include <iostream>

namespace hydra::cli {
namespace {

struct Args {
  std::string branch, message;
  bool dry_run = false, squash = false, ff_only = false, yes = false, json = false;
};

std::string body_of(const Args& args, const std::string& target, bool dry_run) {
  const auto truth = [](bool value) { return value ? "true" : "false"; };
  return fmt::format(R"({{"target":{},"directory":{},"dry_run":{},"squash":{},"ff_only":{},"message":{}}})",
                     json_string(target), json_string(std::filesystem::current_path().string()),
                     truth(dry_run), truth(args.squash), truth(args.ff_only), json_string(args.message));
}

std::string short_ref(const std::string& ref) {
  return ref.starts_with("refs/heads/") ? ref.substr(11) : ref;
}

std::string changes(const MergeView& view) {
  return fmt::format("{} in {} file{}", short_diff(view.diff), view.diff.files,
                     view.diff.files == 1 ? "" : "s");
}

void list_paths(const char* title, const std::vector<std::string>& paths, const Style& style) {
  if (paths.empty()) return;
  print_line(title);
  for (const auto& path : paths) print_line("  " + style.safe(path));
}

int show_dry_run(const MergeView& view, const Style& style) {
  if (view.already_merged) {
    print_line(style.safe(view.branch) + " is already merged.");
    return kDone;
  }
  list_paths("Conflicts:", view.conflicts, style);
  list_paths("Changed in your checkout too:", view.overlap, style);
  if (!view.conflicts.empty() || !view.overlap.empty()) {
    print_line("A merge would be refused. Nothing was changed.");
    return kNoWinner;
  }
  print_line(fmt::format("{} would merge into {} without conflicts ({}). Nothing was changed.",
                         style.safe(view.branch), style.safe(short_ref(view.ref)), changes(view)));
  return kDone;
}

// Asks what a merge without an argument shall do. An empty target: the user said no.
Result<std::string> ask(client::Client& client, const Args& args, Context& context) {
  HYDRA_TRY(const auto body, client.call("POST", "/v1/merge", body_of(args, {}, true)));
  HYDRA_TRY(const auto view, parse_merge(body));
  const auto& style = context.out();
  print(fmt::format("Merge {} ({}, {}) into {}? [y/N] ", style.safe(view.agent), style.safe(view.branch),
                    changes(view), style.safe(short_ref(view.ref))));
  std::string answer;
  std::getline(std::cin, answer);
  const auto word = to_lower(trim(answer));
  return word == "y" || word == "yes" ? view.branch : std::string();
}

int show_merged(const MergeView& view, const Style& style) {
  if (view.already_merged) {
    print_line(style.safe(view.branch) + " was already merged.");
  } else {
    print_line(fmt::format("Merged {} into {} ({}): {}", style.safe(view.branch),
                           style.safe(short_ref(view.ref)), changes(view),
                           style.safe(view.new_commit.substr(0, 12))));
  }
  print_line("Clean up: git branch -d " + style.safe(view.branch));
  return kDone;
}

int merge(const Args& args, Context& context) {
  std::string target = args.branch;
  const bool ask_first = target.empty() && !args.yes && !args.dry_run;
  if (ask_first && (!context.interactive() || args.json))
    return context.fail({Errc::refused,
                         "no branch was named, and nobody can be asked",
                         {},
                         "name one, or use --yes for the winner of the last race"});
  auto client = context.daemon();
  if (!client) return context.fail(client.error());
  client->set_timeout(std::chrono::minutes(10));  // hooks of the user run in it
  if (ask_first) {
    auto chosen = ask(*client, args, context);
    if (!chosen) return context.fail(chosen.error());
    if (chosen->empty()) {
      print_line("Nothing was merged.");
      return kNoWinner;
    }
    target = std::move(*chosen);
  }
  const auto body = client->call("POST", "/v1/merge", body_of(args, target, args.dry_run));
  if (!body) return context.fail(body.error());
  const auto view = parse_merge(*body);
  if (!view) return context.fail(view.error());
  if (args.json) {
    print_line(*body);
    return args.dry_run && !(view->conflicts.empty() && view->overlap.empty()) ? kNoWinner : kDone;
  }
  return args.dry_run ? show_dry_run(*view, context.out()) : show_merged(*view, context.out());
}

}  // namespace

Verb merge_verb() {
  auto args = std::make_shared<Args>();
  return {
      "merge",
      "Merge a result into your branch (default: the winner of the last race, after asking)",
      {"hydra merge", "hydra merge codex-1708646400", "hydra merge 01jx4k/codex --squash -m \"Add JWT auth\"",
       "hydra merge --dry-run", "hydra merge --yes"},
      [args](Options& o) {
        o.positional("branch", args->branch, false,
                     "branch with or without hydra/, RACE/AGENT, or a unique prefix");
        o.flag("--dry-run", args->dry_run, "say what it would do, change nothing");
        o.flag("--squash", args->squash, "one commit without the agent's history");
        o.flag("--ff-only", args->ff_only, "only if your branch can be moved forward");
        o.value("--message,-m", args->message, "TEXT", "message of the merge commit");
        o.flag("--yes,-y", args->yes, "merge the winner without asking");
        o.flag("--json", args->json, "the daemon's answer as JSON (docs/api.md)");
      },
      [args](Context& context) { return merge(*args, context); },
      {}};
}

}  // namespace hydra::cli
