#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/amounts.hpp"
#include "cli/bench/store.hpp"
#include "cli/context.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/left_out.hpp"
#include "cli/render/views.hpp"
#include "cli/waiting.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sys/stat.h>

namespace hydra::cli {
namespace {

namespace fs = std::filesystem;

struct CleanArgs {
  std::string race, older_than, keep, larger_than;
  bool yes = false, dry_run = false, undo = false, json = false, all = false, history = false;
  bool uncaptured = false;
};

std::string age_text(std::int64_t ms) {
  const auto hours = ms / 3'600'000;
  return hours < 48 ? fmt::format("{} h", hours) : fmt::format("{} days", hours / 24);
}

std::int64_t since(std::int64_t used_ms) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return std::max<std::int64_t>(0, now.count() - used_ms);
}

std::string size_text(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// "0": no minimum age.
Result<std::int64_t> milliseconds_of(const std::string& text, std::int64_t otherwise) {
  if (text.empty()) return otherwise;
  if (text == "0") return std::int64_t{0};
  if (text.ends_with('d'))
    if (const auto days = parse_int(text.substr(0, text.size() - 1)); days && *days >= 0 && *days < 100'000)
      return *days * 86'400'000;
  HYDRA_TRY(const auto seconds, parse_duration(text));
  return static_cast<std::int64_t>(seconds * 1000);
}

std::uint64_t bytes_below(const fs::path& root) {
  std::uint64_t bytes = 0;
  std::error_code ec;
  for (fs::recursive_directory_iterator at(root, ec), end; !ec && at != end; at.increment(ec)) {
    std::error_code inner;
    if (at->is_regular_file(inner) && !at->is_symlink(inner)) bytes += at->file_size(inner);
  }
  return bytes;
}

/// Whether nothing is left of the race after this plan: workspaces are made again from the run's repository.
bool goes(const wire::CleanPlan& plan, const std::string& race, const fs::path& state, bool at_all) {
  bool known = false;
  for (const auto& row : plan.items) {
    if (row.race != race || row.kind == wire::CleanKind::suite) continue;
    known = true;
    if (!row.kept.empty() || !at_all) return false;
  }
  std::error_code ec;
  return known || !fs::exists(state / "races" / race, ec);
}

/// Adds the runs of suites to the plan. A run goes when its races have gone, and not before it has any.
void add_suites(const wire::CleanRequest& request, const fs::path& state, wire::CleanPlan& plan) {
  constexpr std::int64_t kBeginning = 3'600'000;
  if (!request.race.empty()) return;
  const BenchStore store(state);
  for (const auto& directory : store.directories()) {
    wire::CleanItem row;
    row.kind = wire::CleanKind::suite;
    row.path = directory.string();
    row.race = directory.filename().string();
    row.bytes = bytes_below(directory);
    struct stat status {};
    if (::lstat((directory / "races.jsonl").c_str(), &status) != 0 &&
        ::lstat(directory.c_str(), &status) != 0)
      continue;
    row.age_ms = since(static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1000);
    if (row.age_ms < request.older_than_ms || row.bytes < request.min_bytes) continue;
    const auto races = store.races(row.race);
    if (races.empty() && row.age_ms < kBeginning) row.kept = "it has just started";
    for (const auto& [task, race] : races)
      if (!goes(plan, race, state, request.keep_ms == 0)) row.kept = "its races are kept";
    if (plan.applied && row.kept.empty() &&
        (!request.only ||
         std::find(request.only->begin(), request.only->end(), row.path) != request.only->end()))
      if (const auto removed = remove_tree(directory); !removed) row.kept = describe(removed.error());
    plan.items.push_back(std::move(row));
  }
}

Result<wire::CleanPlan> ask(Context& context, client::Client& client, const wire::CleanRequest& request) {
  HYDRA_TRY(const auto paths, context.paths());
  HYDRA_TRY(const auto body, call_in_turn(context, client, "/v1/clean", request));
  HYDRA_TRY(auto plan, wire::from_json<wire::CleanPlan>(body));
  add_suites(request, paths.state, plan);
  return plan;
}

std::string what(const wire::CleanItem& row, const Style& style) {
  if (row.kind == wire::CleanKind::workspace) return "workspace of " + style.safe(row.agent);
  if (row.kind == wire::CleanKind::race) return "captures, logs, evidence";
  if (row.kind == wire::CleanKind::removed) return "taken away before";
  if (row.kind == wire::CleanKind::suite) return "repositories of a suite's run";
  return (row.kind == wire::CleanKind::trash ? "trash: " : "") + style.safe(row.path);
}

std::string line_of(const wire::CleanItem& row, const Style& style) {
  const bool aged = !row.race.empty() || row.kind == wire::CleanKind::trash;
  auto text = fmt::format("  {:>11}  {:>8}  {}  {}", size_text(row.bytes), aged ? age_text(row.age_ms) : "",
                          pad(style.safe(row.race), 10), what(row, style));
  if (!row.kept.empty()) text += "  (stays: " + style.safe(row.kept) + ")";
  if (row.kept.empty() && !row.lost.empty()) text += "  (lost with it: " + style.safe(row.lost) + ")";
  // Files that were not captured are lost with the directory, even for an undo.
  if (const std::string left = row.left_out ? left_out_text(*row.left_out, style) : ""; !left.empty())
    text += "\n" + std::string(36, ' ') + "never captured: " + left;
  return text;
}

// An item or a template of a plan.
struct CleanRow {
  std::string name, line;  ///< name for the daemon; line for display
  bool stays = false;
  std::uint64_t bytes = 0;
};

std::vector<CleanRow> rows_of(const wire::CleanPlan& plan, const Style& style) {
  std::vector<CleanRow> rows;
  for (const auto& row : plan.items)
    rows.push_back({row.path, line_of(row, style), !row.kept.empty(), row.bytes});
  for (const auto& row : plan.templates)
    rows.push_back(
        {row.template_,
         fmt::format("  {:>11}  {:>8}  {}  template of check workspaces{}", size_text(row.bytes),
                     age_text(since(row.used_ms)), pad(style.safe(row.template_.substr(0, 10)), 10),
                     row.in_use ? "  (stays: in use)" : ""),
         row.in_use, row.bytes});
  return rows;
}

struct Sum {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

Sum sum_of(const std::vector<CleanRow>& rows) {
  Sum going;
  for (const auto& row : rows) {
    if (row.stays) continue;
    ++going.count;
    going.bytes += row.bytes;
  }
  return going;
}

// Returns the paths and names shown as removed: nothing else may be removed.
std::vector<std::string> going(const std::vector<CleanRow>& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    if (!row.stays) names.push_back(row.name);
  return names;
}

std::string sum_text(const Sum& sum) { return counted(sum.count, "item") + ", " + size_text(sum.bytes); }

Result<int> undo(const CleanArgs& args, Context& context, client::Client& client) {
  HYDRA_TRY(const auto target, race_target(args.race, working_directory(), "/restore"));
  // Without a repository, the newest race of any repository would be restored.
  if (args.race.empty() && target.find('?') == std::string::npos)
    return Error{Errc::usage, "this is no repository, and no race was named", {}, "hydra list"};
  HYDRA_TRY(const auto body, call_in_turn(context, client, target, wire::RestoreRequest{}));
  HYDRA_TRY(const auto view, wire::from_json<wire::Restored>(body));
  const auto id = context.out().safe(view.race);
  if (args.json)
    print_line(with_schema(body));
  else if (view.restored.empty() && !view.brought_back)
    print_line("Nothing of race " + id + " was cleaned away: there is nothing to bring back.");
  else
    print_line("Restored the workspaces of race " + id + " from their captures.");
  return kDone;
}

// Forgets history; races, branches and captures stay.
Result<int> forget(const CleanArgs& args, Context& context, client::Client& client) {
  if (args.dry_run || (!args.yes && !context.interactive()))
    return say("`hydra clean --history --yes` forgets what is remembered of " +
               (args.race.empty() ? "all ended races." : "race " + args.race + "."));
  if (!args.yes && !yes_to("Remove them?")) return say("Nothing was removed.");
  HYDRA_TRY(const auto body,
            client.call("POST", "/v1/history/forget", wire::to_json(wire::ForgetRequest{args.race})));
  return say(args.json ? with_schema(body) : "Forgotten: the leaderboard counts it no more.");
}

Result<int> clean(const CleanArgs& args, Context& context) {
  HYDRA_TRY(const auto older, milliseconds_of(args.older_than, 0));
  HYDRA_TRY(const auto larger, parse_bytes(args.larger_than, "--larger-than"));
  HYDRA_TRY(const auto keep_ms, milliseconds_of(args.keep, wire::CleanRequest{}.keep_ms));
  if (args.uncaptured && args.race.empty())
    return Error{Errc::usage,
                 "--uncaptured takes the race whose work may be lost",
                 {},
                 "hydra clean RACE --uncaptured"};
  HYDRA_TRY(auto client, context.daemon(std::chrono::minutes(30)));
  if (args.undo) return undo(args, context, client);
  if (args.history) return forget(args, context, client);
  wire::CleanRequest request;
  request.older_than_ms = older;
  request.keep_ms = keep_ms;
  request.min_bytes = larger;
  request.race = args.race;
  request.uncaptured = args.uncaptured;
  // Files that exist nowhere else are shown before their removal.
  const bool at_once = args.yes && !args.dry_run && !args.uncaptured;
  const bool without_asking = args.yes && !args.dry_run;
  request.apply = at_once;
  HYDRA_TRY(auto plan, ask(context, client, request));
  if (args.json) return print_json(wire::to_json(plan));
  const auto rows = rows_of(plan, context.out());
  // Removed items first, then kept ones.
  for (const bool stays : {false, true})
    for (const auto& row : rows)
      if (row.stays == stays) print_line(row.line);
  auto gone = sum_of(rows);
  const auto sum = sum_text(gone);
  if (gone.count == 0) return say("Nothing to clean.");
  if (!without_asking && (args.dry_run || !context.interactive()))
    return say("`hydra clean --yes` removes " + sum + ".");
  if (!at_once) {
    print_line(sum + ". Branches hydra/… stay. " +
               (keep_ms > 0 ? "Workspaces can be made again from their captures (--undo)."
                            : "Workspaces that are removed with their captures can't be restored."));
    if (!without_asking && !yes_to("Remove them?")) return say("Nothing was removed.");
    request.apply = true;
    const auto shown = going(rows);
    request.only = shown;
    HYDRA_TRY(plan, ask(context, client, request));
    const auto after = rows_of(plan, context.out());
    gone = sum_of(after);
    // Lists items that were announced but not removed.
    for (const auto& row : after)
      if (row.stays && std::find(shown.begin(), shown.end(), row.name) != shown.end()) print_line(row.line);
  }
  print_line("Removed: " + sum_text(gone) + ". The next race makes what it needs again.");
  const bool whole = std::any_of(plan.items.begin(), plan.items.end(), [](const auto& row) {
    return row.kind == wire::CleanKind::race && row.kept.empty();
  });
  if (whole && keep_ms > 0)
    print_line(fmt::format(
        "Captures and evidence still take their disk, at least for {}: `hydra clean --undo RACE` brings "
        "them back, --keep 0 frees it now.",
        age_text(keep_ms)));
  return kDone;
}

}  // namespace

Verb clean_verb() {
  return verb_of<CleanArgs>(
      "clean",
      "Workspaces, captures, templates and suites of ended races: show them, and remove them after asking",
      {"hydra clean", "hydra clean --yes --older-than 7d", "hydra clean --larger-than 1G",
       "hydra clean 01jx4k --keep 0", "hydra clean --undo 01jx4k"},
      [](Options& o, CleanArgs& args) {
        o.positional("race", args.race, false, "only this race");
        o.flag("--dry-run,-n", args.dry_run, "show only");
        o.flag("--yes,-y", args.yes, "remove without asking");
        o.value("--older-than", args.older_than, "TIME", "only of races older than TIME: 12h, 7d");
        o.value("--larger-than", args.larger_than, "SIZE", "only what takes so much disk: 500M, 2G");
        o.value("--keep", args.keep, "TIME",
                "how long captures and evidence stay: 30d unless given; 0: not at all");
        o.flag("--history", args.history, "forget what `hydra leaderboard` remembers, and nothing else");
        o.flag("--uncaptured", args.uncaptured,
               "of that race: workspaces too whose content is in no capture; they are shown first");
        o.flag("--undo", args.undo, "bring a race back, and make its workspaces again from their captures");
        o.flag("--json", args.json, "the daemon's answer as JSON (docs/api.md)");
      },
      clean);
}

}  // namespace hydra::cli
