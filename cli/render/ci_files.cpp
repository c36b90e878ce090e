#include "cli/render/ci_files.hpp"

#include "base/strings.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/check_block.hpp"
#include "cli/render/diff_views.hpp"
#include "cli/render/result_block.hpp"
#include "wire/details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hydra::cli {
namespace {

constexpr std::size_t kMostAnnotations = 50, kShownInSummary = 30;

std::string level_of(std::string_view severity) {
  if (severity == "block" || severity == "error") return "error";
  return severity == "warning" ? "warning" : "note";
}

std::string ci_message(const CiFinding& finding) {
  return (finding.agent.empty() ? "" : sanitize(finding.agent) + ": ") + sanitize(finding.message);
}

OrderedJson sarif_result(const CiFinding& finding, std::size_t rule) {
  OrderedJson result{{"ruleId", finding.tool + "/" + finding.rule},
                     {"ruleIndex", rule},
                     {"level", finding.level},
                     {"message", {{"text", to_utf8(ci_message(finding))}}}};
  OrderedJson place{{"artifactLocation", {{"uri", path_uri(finding.path)}, {"uriBaseId", "%SRCROOT%"}}}};
  if (finding.line > 0) {
    place["region"]["startLine"] = finding.line;
    if (finding.column > 0) place["region"]["startColumn"] = finding.column;
  }
  if (!finding.path.empty())
    result["locations"] = OrderedJson::array({OrderedJson{{"physicalLocation", place}}});
  if (!finding.agent.empty()) result["properties"] = {{"agent", to_utf8(finding.agent)}};
  return result;
}

std::string junit_case(const std::string& suite, const std::string& name, double seconds,
                       const std::string& inner) {
  const auto head = fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"", xml_text(name),
                                suite, seconds);
  return head + (inner.empty() ? "/>\n" : ">" + inner + "</testcase>\n");
}

std::string junit_failure(const std::string& message, const std::string& type) {
  return fmt::format("<failure message=\"{}\" type=\"{}\"/>", xml_text(message), xml_text(type));
}

// Escapes a property of a GitHub workflow command; `data`: the text after the colons.
std::string command_text(const std::string& text, bool data) {
  auto out = replace_all(replace_all(replace_all(to_utf8(text), "%", "%25"), "\r", "%0D"), "\n", "%0A");
  return data ? out : replace_all(replace_all(std::move(out), ":", "%3A"), ",", "%2C");
}

std::vector<CiFinding> worst_first(std::vector<CiFinding> findings) {
  const auto weight = [](const CiFinding& f) {
    return f.level == "error" ? 0 : f.level == "warning" ? 1 : 2;
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
  return findings;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : to_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (byte < 0x20 || byte == 0x7f)
      out += ' ';
    else
      out += c;
  }
  // XML also forbids U+FFFE and U+FFFF.
  return replace_all(replace_all(std::move(out), "\xEF\xBF\xBE", " "), "\xEF\xBF\xBF", " ");
}

std::vector<CiFinding> tamper_findings(const wire::Results& results) {
  static const std::vector<model::TamperFinding> kNone;
  std::vector<CiFinding> out;
  for (const auto& agent : results.agents)
    for (const auto& found : agent.integrity ? agent.integrity->findings : kNone) {
      auto message = words(found.rule) + (found.reason.empty() ? "" : ": " + found.reason);
      out.push_back({"tamper", found.rule, level_of(name(found.severity)), found.path, std::move(message),
                     agent.agent, found.line, 0});
    }
  return out;
}

std::vector<CiFinding> lint_findings(const std::string& page, const std::string& agent, std::string& next) {
  const auto found = wire::from_json<wire::LintPage>(page);
  std::vector<CiFinding> out;
  next.clear();
  if (!found) return out;
  next = found->next.value_or("");
  for (const auto& row : found->findings)
    out.push_back({"lint", row.rule.empty() ? "finding" : row.rule, level_of(name(row.severity)), row.file,
                   row.message, agent, row.line, row.column});
  return out;
}

std::vector<CiTest> base_tests(const std::string& page, std::string& next) {
  const auto table = wire::from_json<wire::TestTable>(page);
  std::vector<CiTest> out;
  next.clear();
  if (!table) return out;
  next = table->next.value_or("");
  for (const auto& row : table->rows)
    if (!row.cells.empty() && row.cells.front() != '.') out.push_back({row.name, row.cells.front(), {}});
  return out;
}

std::string sarif_text(const std::vector<CiFinding>& findings, const std::string& base) {
  std::map<std::string, std::size_t> rules;
  OrderedJson rule_list = OrderedJson::array(), results = OrderedJson::array();
  for (const auto& finding : findings) {
    const auto id = finding.tool + "/" + finding.rule;
    const auto [known, fresh] = rules.try_emplace(id, rules.size());
    if (fresh) rule_list.push_back({{"id", to_utf8(id)}, {"name", to_utf8(finding.rule)}});
    results.push_back(sarif_result(finding, known->second));
  }
  OrderedJson run;
  run["tool"]["driver"] = {
      {"name", "hydra"}, {"semanticVersion", HYDRA_VERSION}, {"rules", std::move(rule_list)}};
  run["columnKind"] = "unicodeCodePoints";
  run["originalUriBaseIds"]["%SRCROOT%"]["description"]["text"] = "The root of the repository";
  if (!base.empty()) run["properties"] = {{"base", base}};
  run["results"] = std::move(results);
  OrderedJson log;
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"] = OrderedJson::array({std::move(run)});
  return log.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string check_junit(const wire::Results& results, const std::vector<CiTest>& tests) {
  std::string cases;
  std::size_t count = 0, failures = 0, skipped = 0;
  const auto add = [&](const std::string& suite, const std::string& name, double seconds,
                       const std::string& inner) {
    ++count;
    if (inner.starts_with("<failure")) ++failures;
    if (inner.starts_with("<skipped")) ++skipped;
    cases += junit_case(suite, name, seconds, inner);
  };
  const auto checks = checks_of(results.baseline);
  for (const auto& check : checks) {
    const auto says = check.message.empty() ? words(check.status) : check.message;
    add("hydra.check", check.name, check.wall_seconds,
        check.status == model::CheckStatus::passed ? ""
                                                   : junit_failure(says, std::string(name(check.status))));
  }
  if (checks.empty() && !results.baseline.reason.empty())
    add("hydra.check", "set-up", 0, junit_failure(results.baseline.reason, "failed"));
  for (const auto& test : tests)
    add("hydra.tests", test.name, 0,
        test.outcome == 's'   ? "<skipped/>"
        : test.outcome == 'p' ? ""
                              : junit_failure(test.message.empty() ? "failed" : test.message, "test"));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"hydra check {}\" "
      "tests=\"{}\" "
      "failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\">\n{}  </testsuite>\n</testsuites>\n",
      xml_text(results.race), count, failures, skipped, results.duration_seconds, cases);
}

std::string fenced(const std::string& text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string summary_text(const wire::Results& results, const std::vector<CiFinding>& findings) {
  const bool check = results.agents.empty();
  std::string heading = check ? (check_exit(results.baseline) == 0 ? "check passed" : "check failed")
                        : results.winner.empty() ? "no winner"
                                                 : "a winner";
  auto block = check ? check_block(results.race, results.baseline, Style{}) : result_block(results, Style{});
  std::string out = "## Hydra: " + heading + "\n\n" + fenced(block);
  if (findings.empty()) return out;
  std::string list;
  const auto sorted = worst_first(findings);
  for (std::size_t i = 0; i < std::min(sorted.size(), kShownInSummary); ++i) {
    const auto& f = sorted[i];
    list += f.level + "  " + sanitize(f.path) + (f.line > 0 ? ":" + std::to_string(f.line) : "") + "  " +
            ellipsize(ci_message(f), 160) + "\n";
  }
  if (sorted.size() > kShownInSummary) list += fmt::format("and {} more\n", sorted.size() - kShownInSummary);
  return out + "\n### " + counted(findings.size(), "finding") + "\n\n" + fenced(list);
}

std::string annotations_text(const std::vector<CiFinding>& findings) {
  std::string out;
  std::size_t count = 0;
  for (const auto& f : worst_first(findings)) {
    if (++count > kMostAnnotations) break;
    out += "::" + (f.level == "note" ? "notice" : f.level) + " file=" + command_text(f.path, false);
    if (f.line > 0) out += ",line=" + std::to_string(f.line);
    if (f.column > 0) out += ",col=" + std::to_string(f.column);
    out += ",title=" + command_text("hydra " + f.tool + ": " + sanitize(f.rule), false) +
           "::" + command_text(ci_message(f), true) + "\n";
  }
  return out;
}

}  // namespace hydra::cli
