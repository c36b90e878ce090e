// The names that a lint command's format may be given by.
#include "parsers/formats.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <set>

namespace hydra::parsers {
std::vector<std::string_view> lint_formats() {
  const auto& all = lint_data();
  std::set<std::string_view> names(words("linters").begin(), words("linters").end());
  for (const auto& section : all.lint)
    for (const auto& row : section) names.insert(row.tool);
  for (const auto& shape : all.json) names.insert(shape.tool);
  for (const auto& family : all.families) names.insert(family.begin(), family.end());
  names.erase("");
  return {names.begin(), names.end()};
}

model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints) {
  const auto asked = hints.format;
  // SARIF and plain JSON are forms of any tool.
  if (one_of(asked, {"", "auto", "sarif", "json"})) return read_lint(output, exit, hints, {});
  std::vector<std::string_view> only{asked};
  for (const auto& family : lint_data().families)
    if (std::find(family.begin(), family.end(), asked) != family.end())
      only.insert(only.end(), family.begin(), family.end());
  return read_lint(output, exit, hints, only);
}

}  // namespace hydra::parsers
