#include "checks/coverage.hpp"

#include "base/strings.hpp"
#include "checks/coverage_recipes.hpp"
#include "checks/report_file.hpp"

#include <algorithm>
#include <set>

namespace hydra::checks {
namespace {

using Text = std::string_view;

Text extension_of(Text path) {
  const auto own = path.substr(path.rfind('/') + 1);
  const auto dot = own.rfind('.');
  return dot == Text::npos ? Text() : own.substr(dot);
}

bool of_kind(Text file, Text extensions) {
  const auto extension = extension_of(file);
  return !extension.empty() && extensions.find(" " + std::string(extension) + " ") != Text::npos;
}

bool plain_path(const std::string& path) {
  return std::all_of(path.begin(), path.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 32 && byte < 127 && c != ':' && c != '"' && c != '\'' && c != '\\' && c != '$' && c != '`';
  });
}

}  // namespace

const std::string* source_of(const Sources& sources, std::string_view name) {
  const std::string* best = nullptr;
  for (const auto& [path, text] : sources) {
    const bool same = name == path || (name.size() > path.size() && name.ends_with(path) &&
                                       name[name.size() - path.size() - 1] == '/');
    if (same && (!best || path.size() > best->size())) best = &path;
  }
  return best;
}

void hit(LineHits& lines, std::int64_t line, bool ran) {
  if (line < 1 || line > 10'000'000) return;
  auto& known = lines[static_cast<int>(line)];
  known = known || ran;
}

namespace {

Text attribute(Text tag, Text name) {
  const auto at = tag.find(" " + std::string(name) + "=\"");
  if (at == Text::npos) return {};
  const auto from = at + name.size() + 3;
  const auto end = tag.find('"', from);
  return end == Text::npos ? Text() : tag.substr(from, end - from);
}

}  // namespace

std::string coverage_command(const std::string& configured, const std::string& build,
                             const std::vector<std::string>& files) {
  std::string before, after;
  for (const auto& recipe : kCoverageRecipes) {
    std::vector<std::string> named, quoted;
    for (const auto& file : files)
      if (of_kind(file, recipe.extensions) && plain_path(file)) {
        named.push_back(file);
        quoted.push_back(shell_quote(file));
      }
    if (named.empty()) continue;
    std::string own(recipe.before);
    for (const auto& [mark, text] : {std::pair<Text, std::string>{"@FILES@", join(quoted, " ")},
                                     {"@PATHS@", shell_quote(join(named, ":"))},
                                     {"@SCRIPT@", shell_quote(kPythonCoverage)},
                                     {"@BUILD@", build}})
      own = replace_all(own, mark, text);
    before += own;
    after += recipe.after;
  }
  if (before.empty()) return {};
  before =
      "HYDRA_COVER_TO=\"$HYDRA_REPORTS/hydra-cover\"; export HYDRA_COVER_TO; mkdir -p \"$HYDRA_COVER_TO\"\n" +
      before;
  if (after.empty()) return before + configured;
  return before + "(" + configured + "\n)\nhydra_status=$?\n" + after + "exit $hydra_status";
}

void add_lcov(std::string_view text, const Sources& sources, Coverage& coverage) {
  LineHits* current = nullptr;
  for (const auto line : lines(text)) {
    if (line.starts_with("SF:")) {
      const auto* path = source_of(sources, trim(line.substr(3)));
      current = path ? &coverage[*path] : nullptr;
    } else if (current && line.starts_with("DA:")) {
      const auto own = line.substr(3);
      const auto comma = own.find(',');
      if (comma == Text::npos) continue;
      const auto count = own.substr(comma + 1);
      const auto number = parse_int(own.substr(0, comma));
      const auto times = parse_int(trim(count.substr(0, count.find(','))));
      if (number && times) hit(*current, *number, *times > 0);
    }
  }
}

void add_cobertura(std::string_view text, const Sources& sources, Coverage& coverage) {
  LineHits* current = nullptr;
  for (std::size_t at = text.find('<'); at != Text::npos; at = text.find('<', at + 1)) {
    const auto end = text.find('>', at);
    if (end == Text::npos) return;
    const auto tag = text.substr(at, end - at);
    if (tag.starts_with("<class ")) {
      const auto* path = source_of(sources, attribute(tag, "filename"));
      current = path ? &coverage[*path] : nullptr;
    } else if (current && tag.starts_with("<line ")) {
      const auto number = parse_int(attribute(tag, "number")), times = parse_int(attribute(tag, "hits"));
      if (number && times) hit(*current, *number, *times > 0);
    }
  }
}

namespace {

struct GoBlock {
  std::int64_t line = 0, column = 0, end_line = 0, end_column = 0;
  bool ran = false;
  [[nodiscard]] bool holds(std::int64_t l, std::int64_t c) const {
    return (l > line || (l == line && c >= column)) && (l < end_line || (l == end_line && c < end_column));
  }
};

// "calc/calc.go:3.40,5.2 1 1"
std::optional<std::pair<std::string, GoBlock>> go_block(Text line) {
  const auto colon = line.rfind(':');
  if (colon == Text::npos) return std::nullopt;
  std::vector<std::int64_t> numbers;
  std::string own(line.substr(colon + 1));
  std::replace_if(
      own.begin(), own.end(), [](char c) { return c == '.' || c == ','; }, ' ');
  for (const auto part : split(own, ' '))
    if (const auto number = parse_int(part)) numbers.push_back(*number);
  if (numbers.size() != 6) return std::nullopt;
  return std::pair{std::string(line.substr(0, colon)),
                   GoBlock{numbers[0], numbers[1], numbers[2], numbers[3], numbers[5] > 0}};
}

}  // namespace

void add_go_profile(std::string_view text, const Sources& sources, Coverage& coverage) {
  std::map<std::string, std::vector<GoBlock>> blocks;
  for (const auto line : lines(text)) {
    const auto block = go_block(line);
    if (!block) continue;
    if (const auto* path = source_of(sources, block->first)) blocks[*path].push_back(block->second);
  }
  for (const auto& [path, source] : sources) {
    const auto found = blocks.find(path);
    if (found == blocks.end()) continue;
    std::int64_t number = 0;
    for (const auto line : lines(source)) {
      ++number;
      const auto first = line.find_first_not_of(" \t");
      if (first == Text::npos || line.substr(first).starts_with("//") || line[first] == '}') continue;
      for (const auto& block : found->second)
        if (block.holds(number, static_cast<std::int64_t>(first) + 1)) hit(coverage[path], number, block.ran);
    }
  }
}

Coverage read_coverage(const std::filesystem::path& reports, const std::string& pattern,
                       const Sources& sources) {
  Coverage coverage;
  const auto own = reports / "hydra-cover";
  const auto each = [&](const std::filesystem::path& directory, const std::string& name, auto&& add) {
    for (const auto& file : read_reports(directory, {"{reports}/" + name}))
      if (file.problem.empty()) add(file.text, sources, coverage);
  };
  each(own, "py-*.info", add_lcov);
  each(own / "v8", "coverage-*.json", add_v8);
  each(own, "go.cover", add_go_profile);
  each(own, "rs.info", add_lcov);
  each(own, "gcov-*.json", add_gcov);
  if (pattern.empty()) return coverage;
  for (const auto& file : read_reports(reports, {pattern})) {
    if (!file.problem.empty()) continue;
    if (trim(file.text).starts_with('<'))
      add_cobertura(file.text, sources, coverage);
    else
      add_lcov(file.text, sources, coverage);
  }
  return coverage;
}

std::string coverage_problem(const std::filesystem::path& reports) {
  for (const auto& file : read_reports(reports / "hydra-cover", {"{reports}/why"}))
    for (const Text known : {"no_gcov", "no_llvm_tools"})  // it stands where code that is judged may write
      if (file.problem.empty() && trim(file.text) == known) return std::string(known);
  return "no_report";
}

model::CoverageReport coverage_report(const std::string& agent,
                                      const std::vector<model::ChangedLines>& changed,
                                      const Coverage& coverage) {
  model::CoverageReport report{agent, model::Measure::measured, {}, 0, 0, {}};
  if (coverage.empty()) {
    report.state = model::Measure::not_measured;
    report.reason = "no_report";
    return report;
  }
  for (const auto& file : changed) {
    const auto found = coverage.find(file.path);
    if (found == coverage.end()) continue;
    bool open = false;  // lines that say nothing do not end a range, others do
    for (const auto line : file.lines) {
      const auto state = found->second.find(line);
      if (state == found->second.end()) continue;
      ++report.lines;
      if (state->second) ++report.run;
      if (!state->second && open) report.never_run.back().to = line;
      if (!state->second && !open) report.never_run.push_back({file.path, line, line});
      open = !state->second;
    }
  }
  if (report.lines == 0) report.reason = "nothing_to_cover";
  return report;
}

}  // namespace hydra::checks
