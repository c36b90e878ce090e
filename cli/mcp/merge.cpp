// cli: the tools of `hydra mcp` that preview and perform a merge. No merge happens without a person's
// consent.
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/mcp/tools.hpp"
#include "cli/render/left_out.hpp"
#include "cli/render/live_table.hpp"
#include "wire/answers.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

Result<std::string> merge_body(const McpCall& call, const std::string& target, bool dry_run,
                               const std::string& preview) {
  HYDRA_TRY(const auto place, call.directory());
  wire::MergeRequest body;
  body.target = target;
  body.directory = place.string();
  body.dry_run = dry_run;
  body.squash = call.flag("squash");
  body.message = call.text("message");
  body.allow = call.words("allow");
  body.without = call.words("without");
  body.with_generated = call.flag("with_generated");
  body.preview = preview;
  body.environment = environment();
  return wire::to_json(body);
}

// Returns "RACE/AGENT"; empty: the daemon chooses the winner of the last race.
Result<std::string> target_of(const McpCall& call, client::Client& client) {
  const auto race = call.text("race"), agent = call.text("agent");
  if (race.empty() && agent.empty()) return std::string();
  HYDRA_TRY(const auto target, mcp_race_target(call, "/results"));
  HYDRA_TRY(const auto view, get<wire::Results>(client, target));
  const auto& name = agent.empty() ? view.winner : agent;
  if (name.empty())
    return Error{Errc::not_found, "race " + view.race + " has no winner", {}, "name an agent"};
  return view.race + "/" + name;
}

struct Shown {
  wire::Merge view;
  std::string target;
  std::vector<std::string> missing;  ///< kinds of changes that need consent and lack it
  [[nodiscard]] bool refused() const {
    return !view.conflicts.empty() || !view.overlap.empty() || !view.changed.empty() || !missing.empty();
  }
};

Result<Shown> look(McpCall& call, client::Client& client) {
  Shown shown;
  HYDRA_TRY(shown.target, target_of(call, client));
  HYDRA_TRY(const auto body, merge_body(call, shown.target, true, {}));
  HYDRA_TRY(const auto answer, client.call("POST", "/v1/merge", body));
  HYDRA_TRY(shown.view, wire::from_json<wire::Merge>(answer));
  const auto allowed = call.words("allow");
  for (const auto& [kind, paths] : shown.view.consent)
    if (std::find(allowed.begin(), allowed.end(), kind) == allowed.end()) shown.missing.push_back(kind);
  return shown;
}

std::string named_paths(const std::string& title, const std::vector<std::string>& paths) {
  std::string out;
  for (const auto& path : paths) out += "\n  " + sanitize(path);
  return out.empty() ? out : "\n" + title + out;
}

std::string shown_text(const Shown& shown) {
  const auto& view = shown.view;
  if (view.already_merged) return sanitize(view.agent) + " is already merged.";
  std::string out = fmt::format("Merging {} of race {} into {}: {}.", sanitize(view.agent), view.race,
                                sanitize(branch_of(view)), change_words(view.diff));
  out += named_paths("Conflicts:", view.conflicts);
  out += named_paths("Changed in the checkout too:", view.overlap);
  out += named_paths("Changed in the repository itself since the race started:", view.changed);
  for (const auto& [kind, paths] : view.consent)
    out += named_paths("Needs the user's word (allow: " + sanitize(kind) + "):", paths);
  for (const auto& line : merge_files(view, Style{})) out += "\n" + line;
  return out + (shown.refused() ? "\nThe merge would be refused." : "\nThe merge can be done.");
}

Json shown_json(const Shown& shown) {
  Json consent = Json::array();
  for (const auto& [kind, paths] : shown.view.consent) consent.push_back({{"kind", kind}, {"paths", paths}});
  return {{"race", shown.view.race},
          {"agent", shown.view.agent},
          {"branch", shown.view.branch},
          {"ref", shown.view.ref},
          {"conflicts", shown.view.conflicts},
          {"overlap", shown.view.overlap},
          {"changed", shown.view.changed},
          {"consent", consent},
          {"already_merged", shown.view.already_merged},
          {"can_be_done", !shown.refused()}};
}

Result<McpAnswer> do_merge(McpCall& call, client::Client& client, const std::string& target,
                           const std::string& preview) {
  HYDRA_TRY(const auto body, merge_body(call, target, false, preview));
  client.set_timeout(std::chrono::hours(1));  // the merge runs the user's hooks
  HYDRA_TRY(const auto answer, client.call("POST", "/v1/merge", body));
  HYDRA_TRY(const auto view, wire::from_json<wire::Merge>(answer));
  McpAnswer out;
  out.text = fmt::format("Merged {} into {}: {}. `hydra merge --undo` reverts it.", sanitize(view.agent),
                         sanitize(branch_of(view)), sanitize(view.new_commit.substr(0, 12)));
  out.structured = {
      {"race", view.race}, {"agent", view.agent}, {"ref", view.ref}, {"commit", view.new_commit}};
  return out;
}

McpAnswer declined() {
  return {.text =
              "Nothing was merged: the user did not agree, or the client has no user to ask and declined. "
              "`hydra merge` in a shell merges the result.",
          .failed = true};
}

}  // namespace

Result<McpAnswer> mcp_merge_preview(McpCall& call) {
  HYDRA_TRY(auto client, call.context().daemon());
  HYDRA_TRY(const auto shown, look(call, client));
  return McpAnswer{.text = shown_text(shown), .structured = shown_json(shown)};
}

// The client returns the preview's id with its user's answer. An id is valid for one merge of exactly that
// preview, for five minutes; a wrong id only makes the merge fail.
Result<McpAnswer> mcp_merge(McpCall& call) {
  HYDRA_TRY(auto client, call.context().daemon(std::chrono::minutes(10)));
  if (!call.state().empty()) {
    const auto said = call.ask({});
    if (said && *said != McpReply::yes) return declined();
    if (said) {
      HYDRA_TRY(const auto target, target_of(call, client));
      return do_merge(call, client, target, call.state());
    }
  }
  HYDRA_TRY(const auto shown, look(call, client));
  if (shown.view.already_merged) return McpAnswer{.text = shown_text(shown)};
  if (shown.refused()) return McpAnswer{.text = shown_text(shown) + " Nothing was changed.", .failed = true};
  const auto said = call.ask(shown_text(shown) + "\nMerge it?");
  if (!said) {
    McpAnswer question;
    question.input_required = McpCall::question(shown_text(shown) + "\nMerge it?", shown.view.preview);
    return question;
  }
  if (*said == McpReply::no) return declined();
  if (*said == McpReply::nobody && !call.flag("confirm"))
    return McpAnswer{
        .text = shown_text(shown) +
                "\nNothing was merged: this client cannot ask its user. Ask, and call `merge` again with "
                "`confirm` true if the answer is yes.",
        .failed = true};
  return do_merge(call, client, shown.target, shown.view.preview);
}

}  // namespace hydra::cli
