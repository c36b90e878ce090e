// eslint (stylish, compact, unix), stylelint, biome's and oxlint's headings, tsc.
#include "parsers/lint_registry.hpp"
#include "parsers/scan.hpp"

#include <nlohmann/json.hpp>

namespace hydra::parsers {
namespace {

/// "  12:3  error  message  rule" and stylelint's "  1:12  ✖  message  rule".
std::optional<LintHit> stylish(std::string_view line) {
  if (eat_blanks(line) == 0 || !eat_number(line) || !eat(line, ":") || !eat_number(line) ||
      eat_blanks(line) == 0)
    return std::nullopt;
  if (eat(line, "error ")) return LintHit{"eslint", Finding::error};
  if (eat(line, "warning ")) return LintHit{"eslint", Finding::warning};
  if (eat(line, "✖ ") || eat(line, "× ")) return LintHit{"stylelint", Finding::error};
  if (eat(line, "⚠ ") || eat(line, "‼ ")) return LintHit{"stylelint", Finding::warning};
  return std::nullopt;
}

/// "a.js: line 2, col 3, Error - message (rule)".
std::optional<LintHit> compact(std::string_view line) {
  const auto at = line.find(": line ");
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  line.remove_prefix(at + 7);
  if (!eat_number(line) || !eat(line, ", col ") || !eat_number(line)) return std::nullopt;
  if (eat(line, ", Error - ")) return LintHit{"eslint", Finding::error};
  if (eat(line, ", Warning - ")) return LintHit{"eslint", Finding::warning};
  return std::nullopt;
}

/// "a.js:2:3: message [Error/rule]".
std::optional<LintHit> unix_style(std::string_view line) {
  const auto place = located(line);
  if (!place || !place->column || !line.ends_with(']')) return std::nullopt;
  const auto open = line.rfind(" [");
  if (open == std::string_view::npos) return std::nullopt;
  const auto tag = line.substr(open + 2);
  if (tag == "Error]" || tag.starts_with("Error/")) return LintHit{"eslint", Finding::error};
  if (tag == "Warning]" || tag.starts_with("Warning/")) return LintHit{"eslint", Finding::warning};
  return std::nullopt;
}

std::string_view text_of(const nlohmann::json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_string() ? std::string_view(it->get_ref<const std::string&>())
                                          : std::string_view{};
}

/// One finding of a flat list: pylint's "type", shellcheck's "level", ruff's "code".
bool flat_finding(const nlohmann::json& j, model::LintReport& r) {
  auto level = text_of(j, "type");
  if (!level.empty()) r.format = "pylint";
  if (level.empty()) {
    level = text_of(j, "level");
    r.format = "shellcheck";
  }
  if (level.empty() && j.contains("code") && j.contains("filename")) {
    r.format = "ruff";
    const auto code = text_of(j, "code");
    level = code.starts_with('W') || code.starts_with('C') ? "warning" : "error";
  }
  if (level.empty()) return false;
  ++*(one_of(level, {"error", "fatal"}) ? r.errors : r.warnings);
  return true;
}

bool eslint_file(const nlohmann::json& file, model::LintReport& r) {
  const auto list = file.find("messages");
  if (list == file.end() || !list->is_array()) return false;
  r.format = "eslint";
  for (const auto& m : *list) {
    if (!m.is_object()) return false;
    const auto severity = m.find("severity");
    if (severity == m.end() || !severity->is_number_integer()) return false;
    ++*(*severity == 2 ? r.errors : r.warnings);
  }
  return true;
}

/// SARIF: results of every run; suppressed and vanished ones are no findings.
bool sarif(const nlohmann::json& j, model::LintReport& r) {
  const auto runs = j.find("runs");
  if (runs == j.end() || !runs->is_array()) return false;
  r.format = "sarif";
  for (const auto& run : *runs) {
    const auto results = run.find("results");
    if (results == run.end() || !results->is_array()) continue;
    for (const auto& result : *results) {
      const auto suppressed = result.find("suppressions");
      const bool hidden = suppressed != result.end() && suppressed->is_array() && !suppressed->empty();
      const auto kind = text_of(result, "kind");
      if (hidden || text_of(result, "baselineState") == "absent" || (!kind.empty() && kind != "fail"))
        continue;
      ++*(text_of(result, "level") == "error" ? r.errors : r.warnings);
    }
  }
  return true;
}

bool rubocop(const nlohmann::json& j, model::LintReport& r) {
  const auto files = j.find("files");
  if (files == j.end() || !files->is_array() || !j.contains("summary")) return false;
  r.format = "rubocop";
  for (const auto& file : *files) {
    const auto offenses = file.find("offenses");
    if (offenses == file.end() || !offenses->is_array()) return false;
    for (const auto& o : *offenses)
      ++*(one_of(text_of(o, "severity"), {"error", "fatal"}) ? r.errors : r.warnings);
  }
  return true;
}

}  // namespace

std::optional<LintHit> read_eslint(const Input& in, std::size_t i) {
  const auto line = in.lines[i];
  if (line.starts_with("Oops! Something went wrong! :(")) return LintHit{"eslint", Finding::crash};
  for (const auto form : {stylish, compact, unix_style})
    if (const auto hit = form(line)) return hit;
  if (contains(line, " potentially fixable with the `--fix` option"))
    return LintHit{"eslint", Finding::clean};
  return std::nullopt;
}

std::optional<LintHit> read_tsc(const Input& in, std::size_t i) {
  const auto line = in.lines[i];
  if (line.starts_with(' ')) return std::nullopt;
  const auto at = line.find("error TS");
  if (at == std::string_view::npos) return std::nullopt;
  auto code = line.substr(at + 8);
  if (!eat_number(code) || !code.starts_with(':')) return std::nullopt;
  const auto before = line.substr(0, at);
  if (before.empty() || before.ends_with("): ") || before.ends_with(" - "))
    return LintHit{"tsc", Finding::error};
  return std::nullopt;
}

std::optional<model::LintReport> lint_json(const Input& in) {
  const std::string_view text = in.text;
  const auto start = text.find_first_not_of(" \n\t");
  if (start == std::string_view::npos || (text[start] != '[' && text[start] != '{')) return std::nullopt;
  const auto j = nlohmann::json::parse(text, nullptr, false);
  model::LintReport r;
  r.errors = 0;
  r.warnings = 0;
  r.format = "clean";
  if (j.is_object()) {
    if (sarif(j, r) || rubocop(j, r)) return r;
    return std::nullopt;
  }
  if (!j.is_array()) return std::nullopt;
  for (const auto& item : j)
    if (!item.is_object() || (!eslint_file(item, r) && !flat_finding(item, r))) return std::nullopt;
  return r;
}

}  // namespace hydra::parsers
