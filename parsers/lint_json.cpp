// JSON reports of linters. A shape has a tool's marker keys and the way to its list of findings; members of a
// finding are looked up by the names that linters use.
#include "parsers/lint_json.hpp"

#include "parsers/formats.hpp"
#include "parsers/json_read.hpp"
#include "parsers/pattern.hpp"
#include "parsers/scan.hpp"

#include <array>

namespace hydra::parsers {
namespace {

using nlohmann::json;

const json kNone;

bool has_keys(const json& object, std::string_view keys) {
  if (!object.is_object()) return false;
  while (!keys.empty()) {
    const auto end = std::min(keys.find(' '), keys.size());
    if (!object.contains(keys.substr(0, end))) return false;
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  return true;
}

bool fits(const json& root, std::string_view markers) {
  if (!eat(markers, "[]")) return has_keys(root, markers);
  return root.is_array() && !root.empty() && has_keys(root[0], markers);
}

/// Returns the first non-empty text among `keys`.
template <class Keys>
std::string_view text_of(const json& j, const Keys& keys) {
  for (const auto& key : keys)
    if (const auto s = json_text(j, key); !s.empty()) return s;
  return {};
}

std::string_view text_at(const json& j, std::initializer_list<std::string_view> keys) {
  return text_of(j, keys);
}

std::int64_t number_of(const json& j, const std::vector<std::string>& keys) {
  for (const auto& key : keys)
    if (const auto n = json_number(j, key); n > 0) return n;
  return 0;
}

const json& member_of(const json& j, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys)
    if (const auto& m = json_member(j, key); !m.is_null()) return m;
  return kNone;
}

std::string_view file_of(const json& j) {
  auto file = text_of(j, words("json_file"));
  if (file.empty())
    if (const auto& inner = member_of(j, {"path", "file"}); inner.is_object())
      file = text_at(inner, {"file", "path"});
  eat(file, "file://");
  return file;
}

struct Position {
  std::string_view file;
  std::int64_t line = 0, column = 0;
};

/// Finds line and column in `j` itself or in objects that hold places, at most four deep.
Position position_of(const json& j, int depth = 0) {
  Position p;
  if (!j.is_object() || depth > 4) return p;
  p.file = file_of(j);
  p.line = number_of(j, words("json_line"));
  p.column = number_of(j, words("json_column"));
  for (const auto& key : words("json_place")) {
    if (p.line > 0 && !p.file.empty()) break;
    const json* inner = &json_member(j, key);
    if (inner->is_array()) inner = inner->empty() ? &kNone : &(*inner)[0];
    const auto deep = position_of(*inner, depth + 1);
    if (p.file.empty()) p.file = deep.file;
    if (p.line == 0) {
      p.line = deep.line;
      if (p.column == 0) p.column = deep.column;
    }
  }
  return p;
}

std::string_view rule_of(const json& j) {
  auto rule = text_of(j, words("json_rule"));
  if (!rule.empty()) return rule;
  if (const auto& inner = member_of(j, {"code", "rule", "Rule"}); inner.is_object())
    return text_at(inner, {"value", "code", "name", "id", "Id"});
  if (const auto& names = member_of(j, {"ruleNames"});
      names.is_array() && !names.empty() && names[0].is_string())
    return names[0].get_ref<const std::string&>();
  return {};
}

std::string_view message_of(const json& j) {
  const auto text = text_of(j, words("json_message"));
  if (!text.empty()) return text;
  if (const auto& inner = member_of(j, {"message", "extra"}); inner.is_object())
    return text_at(inner, {"text", "message"});
  if (const auto& list = member_of(j, {"message"}); list.is_array() && !list.empty())
    return message_of(list[0]);
  return {};
}

std::optional<Severity> severity_in(const json& j) {
  for (const auto& key : words("json_severity")) {
    const auto word = json_text(j, key);
    if (word == "fail") return E;
    if (!word.empty())
      if (const auto s = severity_named(word)) return s == Severity::note ? W : *s;
  }
  if (const auto& inner = member_of(j, {"rule", "extra"}); inner.is_object())
    if (const auto s = severity_named(json_text(inner, "severity"))) return s;
  return std::nullopt;
}

Severity severity_of(const JsonShape& shape, const json& j, std::string_view rule) {
  const auto& number = json_member(j, "severity");
  if (number.is_number_integer()) {
    const auto n = number.get<std::int64_t>();
    if (shape.tool == "eslint") return n == 2 ? E : W;
  }
  // GitLab's format has five words: oxlint and biome write "major" for a warning, other tools for an error.
  if (shape.tool == "codequality" && json_text(j, "severity") == "major" &&
      (rule.starts_with("lint/") || rule.ends_with(')')))
    return W;
  if (shape.by_code) {
    return rule.empty() || rule == "invalid-syntax" ? E : severity_of_code(rule);
  }
  return severity_in(j).value_or(shape.severity);
}

void add_finding(const JsonShape& shape, const json& j, std::string_view file, std::size_t line,
                 LintReading& out) {
  if (!j.is_object()) {
    if (!j.is_string()) return;
    Hit hit{.tool = shape.tool,
            .severity = shape.severity,
            .message = j.get_ref<const std::string&>(),
            .certainty = 3};
    out.add(hit, line);
    return;
  }
  const auto at = position_of(j);
  Hit hit{.tool = shape.tool, .rule = rule_of(j)};
  std::string number;
  if (const auto& code = json_member(j, "code"); hit.rule.empty() && code.is_number_integer()) {
    number = (shape.tool == "shellcheck" ? "SC" : "") + std::to_string(code.get<std::int64_t>());
    hit.rule = number;
  }
  hit.severity = severity_of(shape, j, hit.rule);
  hit.file = !at.file.empty() ? at.file : !file.empty() ? file : json_text(j, "name");
  hit.line = at.line + (shape.from_zero ? 1 : 0);
  hit.column = at.column;
  hit.message = message_of(j);
  hit.certainty = 3;
  // Skip a tool's comments on its own configuration, and notes on another finding.
  if (shape.tool == "biome" && json_text(j, "severity") == "information" && !hit.rule.starts_with("lint/"))
    return;
  if (json_text(j, shape.tool == "gcc" ? "kind" : "severity") == "note") return;
  out.add(hit, line);
}

void walk(const JsonShape& shape, const json& j, std::string_view way, std::string_view file,
          std::size_t line, LintReading& out) {
  if (way.empty()) {
    add_finding(shape, j, file, line, out);
    return;
  }
  auto step = way.substr(0, way.find('.'));
  way.remove_prefix(std::min(step.size() + 1, way.size()));
  const bool list = eat_end(step, "[]"), map = !list && eat_end(step, "{}");
  if (j.is_object())
    if (const auto here = step.empty() ? std::string_view{} : file_of(j); !here.empty()) file = here;
  const auto& target = step.empty() ? j : json_member(j, step);
  if (list && target.is_array()) {
    for (const auto& item : target) {
      auto inner = file;
      if (item.is_object() && !way.empty()) {
        if (const auto here = file_of(item); !here.empty())
          inner = here;
        else if (const auto name = text_at(item, {"source", "name"}); !name.empty())
          inner = name;
      }
      walk(shape, item, way, inner, line, out);
    }
  } else if (map && target.is_object()) {
    for (const auto& [key, item] : target.items()) walk(shape, item, way, key, line, out);
  } else if (!list && !map) {
    walk(shape, target, way, file, line, out);
  }
}

/// Adds objects with a message and a place anywhere in an unknown document.
std::size_t look_around(const json& j, std::string_view file, int depth, std::size_t line, LintReading& out) {
  if (depth > 6) return 0;
  std::size_t n = 0;
  if (j.is_object()) {
    if (const auto here = file_of(j); !here.empty()) file = here;
    if (!message_of(j).empty() && position_of(j).line > 0 && !file_of(j).empty() + !rule_of(j).empty() > 0) {
      add_finding({"json", "", ""}, j, file, line, out);
      return 1;
    }
    for (const auto& [key, value] : j.items())
      if (key != "rules" && key != "suppressed" && key != "passed_checks")
        n += look_around(value, file, depth + 1, line, out);
  } else if (j.is_array()) {
    for (const auto& value : j) n += look_around(value, file, depth + 1, line, out);
  }
  return n;
}

}  // namespace

bool read_json_report(const json& root, std::size_t line, LintReading& out) {
  if (root.is_array() && root.empty()) {
    out.clean("", line);
    return true;
  }
  if (read_sarif(root, line, out) || read_cargo_message(root, line, out)) return true;
  for (const auto& shape : lint_data().json) {
    if (!fits(root, shape.keys)) continue;
    auto named = shape;
    if (shape.tool == "phpcs" && json_member(root, "totals").contains("file_errors")) named.tool = "phpstan";
    if (named.tool == "phpstan")
      for (const auto& e : json_member(root, "errors")) add_finding(named, e, {}, line, out);
    out.clean(named.tool, line);
    walk(named, root, named.list, {}, line, out);
    return true;
  }
  return look_around(root, {}, 0, line, out) > 0;
}

}  // namespace hydra::parsers
