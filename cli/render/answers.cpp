// Answers of the daemon beside those about a race's state and results.
#include "cli/render/view_parts.hpp"

namespace hydra::cli {

using Json = nlohmann::json;

Result<MergeView> parse_merge(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  MergeView v;
  v.race = text(json, "race");
  v.agent = text(json, "agent");
  v.branch = text(json, "branch");
  v.ref = text(json, "ref");
  v.old_commit = text(json, "old_commit");
  v.new_commit = text(json, "new_commit");
  v.dry_run = truth(json, "dry_run");
  v.already_merged = truth(json, "already_merged");
  v.conflicts = texts(json, "conflicts");
  v.overlap = texts(json, "overlap");
  v.changed = texts(json, "changed");
  v.repaired = texts(json, "repaired");
  v.replaced = text(json, "replaced");
  v.is_signed = truth(json, "signed");
  v.undone = truth(json, "undone");
  v.state = text(json, "state");
  v.note = text(json, "note");
  each(json, "consent",
       [&](const Json& item) { v.consent.emplace_back(text(item, "kind"), texts(item, "paths")); });
  v.diff = diff(json);
  return v;
}

Result<RestoreView> parse_restore(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  return RestoreView{text(json, "race"), texts(json, "restored"), truth(json, "brought_back")};
}

std::string waits_for(std::string_view input) {
  const auto json = parse_object(input);
  return json ? text(*json, "waits_for") : std::string{};
}

Result<std::vector<TemplateRow>> parse_templates(std::string_view text_in) {
  HYDRA_TRY(const auto json, parse_object(text_in));
  std::vector<TemplateRow> rows;
  each(json, "templates", [&](const Json& t) {
    rows.push_back({text(t, "template"), count(t, "bytes"), count(t, "used_ms"), truth(t, "in_use")});
  });
  return rows;
}

Result<RetryView> parse_retry(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  RetryView v;
  v.race = text(json, "race");
  v.agent = text(json, "agent");
  v.session = text(json, "session");
  v.attempt = count(json, "attempt");
  v.after = count(json, "after");
  v.resumed = truth(json, "resumed");
  v.warnings = texts(json, "warnings");
  if (v.race.empty()) return Error{Errc::protocol, "the daemon did not name the race", {}, {}};
  return v;
}

Result<std::vector<CleanRow>> parse_clean(std::string_view text_in) {
  HYDRA_TRY(const auto json, parse_object(text_in));
  std::vector<CleanRow> rows;
  each(json, "items", [&](const Json& i) {
    rows.push_back({text(i, "kind"), text(i, "race"), text(i, "agent"), text(i, "path"), text(i, "kept"),
                    count(i, "bytes"), count(i, "age_ms"), left_out(i), text(i, "lost")});
  });
  return rows;
}

Result<CreatedView> parse_created(std::string_view input) {
  HYDRA_TRY(const auto json, parse_object(input));
  CreatedView v;
  v.race = text(json, "race");
  v.base = text(json, "base");
  each(json, "agents",
       [&](const Json& item) { v.agents.emplace_back(text(item, "agent"), text(item, "display")); });
  v.warnings = texts(json, "warnings");
  if (v.race.empty()) return Error{Errc::protocol, "the daemon did not name the race", {}, {}};
  return v;
}

std::string pretty_json(std::string_view text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::string(text);
  return json.dump(2) + "\n";
}

}  // namespace hydra::cli
