// parse_lint: findings of every tool in the log added up. Clean is only what a tool says, or silence with
// exit code 0.
#include "parsers/lint_registry.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::parsers {
namespace {

struct Tally {
  std::int64_t errors = 0, warnings = 0;
  std::optional<std::int64_t> total_errors, total_warnings;  ///< what the tool's own summaries say
};

/// "✖ 6 problems (3 errors, 3 warnings)" and "Found 2 warnings and 1 error.": the tool's own totals.
std::optional<std::pair<std::int64_t, std::int64_t>> totals_of(std::string_view line) {
  const bool cross = eat(line, "✖ ") || eat(line, "× ");
  if (!cross || !eat_number(line) || (!eat(line, " problems (") && !eat(line, " problem (")))
    return std::nullopt;
  const auto c = counts_of(line.substr(0, line.find(')')), ",");
  if (!c) return std::nullopt;
  return std::pair(sum_of(*c, {"error", "errors"}), sum_of(*c, {"warning", "warnings"}));
}

std::optional<std::pair<std::int64_t, std::int64_t>> found_of(std::string_view line) {
  if (!eat(line, "Found ") || !eat_end(line, ".")) return std::nullopt;
  auto c = counts_of(line, " and ");
  if (!c) c = counts_of(line, ", ");
  if (!c) return std::nullopt;
  for (const auto& x : *c)
    if (!one_of(x.what, {"error", "errors", "warning", "warnings", "info", "infos"})) return std::nullopt;
  return std::pair(sum_of(*c, {"error", "errors"}),
                   sum_of(*c, {"warning", "warnings"}));  // biome's infos are on its own configuration
}

struct Reading {
  std::map<std::string_view, Tally> tools;
  std::set<std::string_view> seen;  ///< tools that said something, findings or not
  std::int64_t found_errors = 0, found_warnings = 0;
  bool found = false, crashed = false, unknown = false;
  std::int64_t findings() const {
    std::int64_t n = 0;
    for (const auto& [tool, t] : tools) n += t.errors + t.warnings;
    return n;
  }
};

void read_line(Reading& r, const Input& in, std::size_t i, std::string_view& last_stylish) {
  const auto line = in.lines[i];
  if (is_blank(line)) return;
  if (const auto totals = totals_of(line)) {
    auto& t = r.tools[last_stylish.empty() ? "eslint" : last_stylish];
    t.total_errors = t.total_errors.value_or(0) + totals->first;
    t.total_warnings = t.total_warnings.value_or(0) + totals->second;
    return;
  }
  if (const auto found = found_of(line)) {
    r.found = true;
    r.found_errors += found->first;
    r.found_warnings += found->second;
    return;
  }
  for (const auto reader : lint_readers()) {
    const auto hit = reader(in, i);
    if (!hit) continue;
    if (!hit->tool.empty()) r.seen.insert(hit->tool);
    if (hit->tool == "eslint" || hit->tool == "stylelint") last_stylish = hit->tool;
    if (hit->kind == Finding::error) ++r.tools[hit->tool].errors;
    if (hit->kind == Finding::warning) ++r.tools[hit->tool].warnings;
    if (hit->kind == Finding::crash) r.crashed = true;
    return;
  }
  r.unknown = true;
}

model::LintReport unread() {
  model::LintReport r;
  r.format = "exit_code_only";
  return r;
}

std::string joined(const std::set<std::string_view>& tools) {
  std::string out;
  for (const auto t : tools) out += (out.empty() ? "" : "+") + std::string(t);
  return out.empty() ? "clean" : out;
}

bool ended_well(const ExitFacts& exit) { return !exit.signal && exit.exit_code.value_or(0) == 0; }

model::LintReport report_of(const Reading& r, const Input& in) {
  model::LintReport out;
  out.errors = 0;
  out.warnings = 0;
  if (in.exit.signal || r.crashed) {
    out = unread();
    if (!r.seen.empty()) out.format = joined(r.seen);
    return out;
  }
  for (const auto& [tool, t] : r.tools) {
    // Capped lists print fewer findings than there are; a summary never knows less.
    *out.errors += std::max(t.errors, t.total_errors.value_or(0));
    *out.warnings += std::max(t.warnings, t.total_warnings.value_or(0));
  }
  if (r.findings() == 0 && r.found) {
    *out.errors += r.found_errors;
    *out.warnings += r.found_warnings;
  }
  auto tools = r.seen;
  for (const auto& [tool, t] : r.tools) tools.insert(tool);
  if (r.findings() == 0 && r.found) tools.insert("summary");
  out.format = joined(tools);
  if (*out.errors + *out.warnings > 0) return out;
  // Nothing found: believed only where the command succeeded and every line was understood, or a tool spoke.
  if (!ended_well(in.exit) || (r.unknown && tools.empty())) return unread();
  return out;
}

}  // namespace

model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, std::string_view command) {
  const Input in = make_input(output, exit, command);
  if (auto json = lint_json(in)) {
    if (*json->errors + *json->warnings > 0 || ended_well(exit)) return *json;
    return unread();
  }
  Reading reading;
  std::string_view last_stylish;
  for (std::size_t i = 0; i < in.lines.size(); ++i) read_line(reading, in, i, last_stylish);
  return report_of(reading, in);
}

}  // namespace hydra::parsers
