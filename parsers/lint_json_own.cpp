// Reports in JSON of linters whose findings are no list of objects with a message and a place: knip, npm
// audit, jscpd, slither, trufflehog.
#include "parsers/json_read.hpp"
#include "parsers/lint_json.hpp"
#include "parsers/pattern.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

using nlohmann::json;

Hit hit_of(std::string_view tool, Severity severity, std::string_view file, std::string_view rule,
           std::string_view message) {
  return {.tool = tool, .severity = severity, .file = file, .rule = rule, .message = message, .certainty = 3};
}

/// {"issues": [{"file": "a.ts", "exports": [{"name": "x", "line": 1, "col": 2}], "enumMembers": {"E":
/// […]}}]}; before version 6 the unused files are a list of names beside the issues.
bool knip(const json& root, std::size_t line, LintReading& out) {
  const auto& issues = json_member(root, "issues");
  const auto& files = json_member(root, "files");
  const bool old = files.is_array();
  if (!issues.is_array() || (issues.empty() && !old && root.size() > 1)) return false;
  constexpr std::size_t kKinds = 3;  // of what knip looks for: others have issues too
  for (const auto& issue : issues) {
    std::size_t kinds = 0;
    for (const std::string_view kind : {"exports", "types", "unlisted", "unresolved", "dependencies"})
      kinds += json_member(issue, kind).is_array() ? 1 : 0;
    if (kinds < kKinds || json_text(issue, "file").empty()) return false;
  }
  if (old)
    for (const auto& file : files)
      if (!file.is_string()) return false;
  // An empty list of issues alone may be anybody's: it says that there is nothing.
  out.clean(issues.empty() && !old ? "" : "knip", line);
  if (old)
    for (const auto& file : files) {
      const auto& name = file.get_ref<const std::string&>();
      out.add(hit_of("knip", Severity::error, name, "files", name), line);
    }
  const auto add = [&](std::string_view file, std::string_view kind, const json& item) {
    // A duplicate is the list of the names that one thing has.
    const json& first = item.is_array() && !item.empty() ? item[0] : item;
    auto hit = hit_of("knip", Severity::error, file, kind, json_text(first, "name"));
    hit.line = json_number(first, "line");
    hit.column = json_number(first, "col");
    out.add(hit, line);
  };
  for (const auto& issue : issues)
    for (const auto& [kind, found] : issue.items()) {
      if (kind == "owners") continue;
      if (found.is_array())
        for (const auto& item : found) add(json_text(issue, "file"), kind, item);
      else if (found.is_object())  // members, by what they are members of
        for (const auto& [owner, list] : found.items())
          if (list.is_array())
            for (const auto& item : list) add(json_text(issue, "file"), kind, item);
      if (found == true) out.add(hit_of("knip", Severity::error, json_text(issue, "file"), kind, ""), line);
    }
  return true;
}

/// {"auditReportVersion": 2, "vulnerabilities": {"lodash": {"severity": "high", …}}}; npm 6 and pnpm have
/// "advisories" instead.
bool npm_audit(const json& root, std::size_t line, LintReading& out) {
  const auto& now = json_member(root, "vulnerabilities");
  const auto& before = json_member(root, "advisories");
  const bool audit = json_member(root, "auditReportVersion").is_number() && now.is_object();
  const bool old = before.is_object() && json_member(root, "metadata").contains("vulnerabilities");
  if (!audit && !old) return false;
  out.clean("npm-audit", line);
  const auto& found = audit ? now : before;
  for (const auto& [name, item] : found.items()) {
    const auto severity =
        one_of(json_text(item, "severity"), {"critical", "high"}) ? Severity::error : Severity::warning;
    const auto module = json_text(item, "module_name");
    out.add(hit_of("npm-audit", severity, "package.json", module.empty() ? std::string_view(name) : module,
                   json_text(item, "title")),
            line);
  }
  return true;
}

bool jscpd(const json& root, std::size_t line, LintReading& out) {
  const auto& duplicates = json_member(root, "duplicates");
  if (!duplicates.is_array() || !json_member(root, "statistics").is_object()) return false;
  out.clean("jscpd", line);
  if (out.knows_findings_of("jscpd")) {  // the text that stands beside a report says the same
    out.total({.tool = "jscpd", .all = std::ssize(duplicates), .capped = true, .last = true}, line);
    return true;
  }
  for (const auto& item : duplicates) {
    const auto& first = json_member(item, "firstFile");
    auto hit = hit_of("jscpd", Severity::error, json_text(first, "name"), "clone",
                      json_text(json_member(item, "secondFile"), "name"));
    hit.line = json_number(first, "start");
    out.add(hit, line);
  }
  return true;
}

/// {"success": true, "error": null, "results": {"detectors": [{"check", "impact", "elements": […]}]}}
bool slither(const json& root, std::size_t line, LintReading& out) {
  const auto& results = json_member(root, "results");
  if (!json_member(root, "success").is_boolean() || !results.is_object() || !root.contains("error"))
    return false;
  if (json_member(root, "success") == false) {
    out.failed("crashed", "slither", json_text(root, "error"), true, line);
    return true;
  }
  out.clean("slither", line);
  for (const auto& item : json_member(results, "detectors")) {
    const auto severity = json_text(item, "impact") == "High" ? Severity::error : Severity::warning;
    const auto& elements = json_member(item, "elements");
    const auto& place = elements.is_array() && !elements.empty() ? json_member(elements[0], "source_mapping")
                                                                 : json_member(item, "source_mapping");
    auto hit = hit_of("slither", severity, json_text(place, "filename_relative"), json_text(item, "check"),
                      json_text(item, "description"));
    if (const auto& lines = json_member(place, "lines");
        lines.is_array() && !lines.empty() && lines[0].is_number_integer())
      hit.line = lines[0].get<std::int64_t>();
    out.add(hit, line);
  }
  return true;
}

/// One object a line; the place is in "SourceMetadata", by the kind of what was searched.
bool trufflehog(const json& root, std::size_t line, LintReading& out) {
  const auto& verified = json_member(root, "Verified");
  if (!verified.is_boolean() || json_text(root, "DetectorName").empty()) return false;
  auto hit = hit_of("trufflehog", verified == true ? Severity::error : Severity::warning, "",
                    json_text(root, "DetectorName"), json_text(root, "Redacted"));
  const auto& data = json_member(json_member(root, "SourceMetadata"), "Data");
  if (data.is_object() && !data.empty()) {
    const auto& place = *data.begin();
    hit.file = json_text(place, "file");
    hit.line = json_number(place, "line");
  }
  out.add(hit, line);
  return true;
}

}  // namespace

bool read_own_json(const json& root, std::size_t line, LintReading& out) {
  if (!root.is_object()) return false;
  return knip(root, line, out) || npm_audit(root, line, out) || jscpd(root, line, out) ||
         slither(root, line, out) || trufflehog(root, line, out);
}

}  // namespace hydra::parsers
