// The names that a lint command's format may be given by.
#include "parsers/lint_json.hpp"
#include "parsers/lint_scan.hpp"

#include <algorithm>
#include <set>

namespace hydra::parsers {

std::vector<std::string_view> lint_formats() {
  std::set<std::string_view> names;
  for (const auto table : {lint_status_rows(), lint_total_rows(), lint_finding_rows(), lint_formatter_rows()})
    for (const auto& row : table) names.insert(row.tool);
  for (const auto name : lint_json_tools()) names.insert(name);
  names.insert({"actionlint",  "clang-tidy",   "clippy",    "cpplint", "flake8", "ghc",        "github",
                "gofmt",       "markdownlint", "mypy",      "pylint",  "sarif",  "shellcheck", "shfmt",
                "staticcheck", "stylelint",    "swiftlint", "ty",      "typos",  "yamllint",   "zig"});
  names.erase("");
  return {names.begin(), names.end()};
}

model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints) {
  auto r = parse_lint(output, exit, hints.command);
  if (hints.format == "auto" || hints.format.empty() || r.format == hints.format) return r;
  if (r.format == "clean" || r.format == "exit_code_only") return r;
  const auto asked = std::string(hints.format);
  r.suspicious.push_back("read as " + r.format + ", not as " + asked);
  r.errors.reset();
  r.warnings.reset();
  r.findings.clear();
  r.confidence = model::Confidence::none;
  return r;
}

}  // namespace hydra::parsers
