// SARIF 2.1.0 of any tool, and the messages of cargo and rustc.
#include "base/strings.hpp"
#include "parsers/json_read.hpp"
#include "parsers/lint_json.hpp"
#include "parsers/pattern.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace hydra::parsers {
namespace {

using nlohmann::json;

/// Levels of a run's rules, by id and by index.
struct Rules {
  std::map<std::string, std::string, std::less<>> by_id;
  std::vector<std::string> by_index;
};

Rules rules_of(const json& run) {
  Rules out;
  for (const auto& rule : json_member(json_member(json_member(run, "tool"), "driver"), "rules")) {
    const auto level = json_text(json_member(rule, "defaultConfiguration"), "level");
    out.by_index.emplace_back(level);
    if (!level.empty()) out.by_id.emplace(json_text(rule, "id"), level);
  }
  return out;
}

std::string_view level_of(const json& result, const Rules& rules) {
  if (const auto level = json_text(result, "level"); !level.empty()) return level;
  auto id = json_text(result, "ruleId");
  const auto& rule = json_member(result, "rule");
  if (id.empty()) id = json_text(rule, "id");
  if (const auto it = rules.by_id.find(id); it != rules.by_id.end()) return it->second;
  for (const auto& index : {json_member(result, "ruleIndex"), json_member(rule, "index")})
    if (index.is_number_unsigned() && index.get<std::size_t>() < rules.by_index.size())
      if (const auto& level = rules.by_index[index.get<std::size_t>()]; !level.empty()) return level;
  return "warning";
}

bool is_finding(const json& result) {
  const auto& suppressions = array_in(result, "suppressions");
  // A suppression under review, or a rejected one, suppresses nothing.
  if (!suppressions.empty() && std::all_of(suppressions.begin(), suppressions.end(), [](const json& s) {
        return one_of(json_text(s, "status"), {"", "accepted"});
      }))
    return false;
  if (json_text(result, "baselineState") == "absent") return false;
  const auto kind = json_text(result, "kind");
  return kind.empty() || kind == "fail";
}

void add_result(const json& result, const Rules& rules, std::string_view tool, std::size_t line,
                LintReading& out) {
  const auto level = level_of(result, rules);
  if (!is_finding(result) || level == "none") return;
  Hit hit{.tool = tool,
          .severity = level == "error" ? Severity::error : Severity::warning,
          .rule = json_text(result, "ruleId"),
          .message = json_text(json_member(result, "message"), "text")};
  const auto& places = json_member(result, "locations");
  if (places.is_array() && !places.empty()) {
    const auto& place = json_member(places[0], "physicalLocation");
    hit.file = json_text(json_member(place, "artifactLocation"), "uri");
    eat(hit.file, "file://");
    hit.line = json_number(json_member(place, "region"), "startLine");
    hit.column = json_number(json_member(place, "region"), "startColumn");
  }
  hit.certainty = 3;
  out.add(hit, line);
}

}  // namespace

bool read_sarif(const json& root, std::size_t line, LintReading& out) {
  const auto& runs = json_member(root, "runs");
  if (!runs.is_array() || (!root.contains("$schema") && !root.contains("version"))) return false;
  for (const auto& run : runs) {
    const auto name = json_text(json_member(json_member(run, "tool"), "driver"), "name");
    const auto tool = name.empty() ? std::string("sarif") : to_lower(name.substr(0, 64));
    const auto rules = rules_of(run);
    out.clean(tool, line);
    for (const auto& result : json_member(run, "results"))
      if (result.is_object()) add_result(result, rules, tool, line, out);
    for (const auto& invocation : json_member(run, "invocations"))
      if (json_member(invocation, "executionSuccessful") == false)
        out.failed(tool, "the report says that its tool did not succeed", false, line);
  }
  return true;
}

bool read_cargo_message(const json& root, std::size_t line, LintReading& out) {
  const auto reason = json_text(root, "reason");
  const bool cargo = !reason.empty();
  if (cargo && reason != "compiler-message") {
    if (!one_of(reason, {"compiler-artifact", "build-script-executed", "build-finished", "timing-info"}))
      return false;
    out.spoke("rustc");
    if (reason == "build-finished" && json_member(root, "success") == true) out.clean("rustc", line);
    return true;
  }
  const auto& message = cargo ? json_member(root, "message") : root;
  if (json_text(message, "level").empty() || !message.contains("spans") || !message["spans"].is_array())
    return false;
  const auto& code = json_member(message, "code");
  const auto rule = json_text(code, "code");
  const auto severity = severity_named(json_text(message, "level"));
  const auto tool = rule.starts_with("clippy::") ? "clippy" : "rustc";
  out.spoke(tool);
  // Totals have no place: "6 warnings emitted", "aborting due to …".
  const json* place = nullptr;
  for (const auto& span : message["spans"])
    if (place == nullptr || json_member(span, "is_primary") == true) place = &span;
  if (place == nullptr || !severity || *severity == Severity::note) return true;
  Hit hit{.tool = tool,
          .severity = *severity,
          .file = json_text(*place, "file_name"),
          .line = json_number(*place, "line_start"),
          .column = json_number(*place, "column_start"),
          .rule = rule,
          .message = json_text(message, "message")};
  hit.twice = true;  // for the library and again for its tests
  hit.certainty = 3;
  out.add(hit, line);
  return true;
}

}  // namespace hydra::parsers
