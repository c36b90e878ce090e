// The names that a lint command's format may be given by.
#include "parsers/lint_json.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <set>

namespace hydra::parsers {
namespace {

/// Tools that print in each other's forms, or are asked for by each other's names.
const std::vector<std::vector<std::string_view>> kFamilies{
    {"flake8", "ruff", "pycodestyle", "pyflakes", "python", "codequality", "github", "junit", "black"},
    {"gcc", "clang", "clang-tidy", "clang-format", "cppcheck", "make", "msvc"},
    {"rustc", "clippy", "cargo", "rustfmt"},
    {"eslint", "standard", "xo", "jshint", "oxlint", "checkstyle", "junit", "github"},
    {"stylelint", "eslint", "checkstyle"},
    {"go", "go-vet", "go-build", "golangci-lint", "staticcheck", "gofmt"},
    {"php", "php-lint"},
    {"phpcs", "checkstyle", "junit"},
    {"phpmd", "pmd"},
    {"mypy", "pyright", "ty", "pytype", "pyre", "python"},
    {"dotnet", "msbuild", "msvc"},
    {"ktlint", "kotlinc", "detekt", "checkstyle"},
    {"shellcheck", "checkstyle"},
    {"dart", "flutter"},
};

}  // namespace

std::vector<std::string_view> lint_formats() {
  std::set<std::string_view> names;
  for (const auto table : {lint_status_rows(), lint_total_rows(), lint_finding_rows(), lint_formatter_rows()})
    for (const auto& row : table) names.insert(row.tool);
  for (const auto name : lint_json_tools()) names.insert(name);
  names.insert({"npm-audit",  "jscpd",      "unimported",   "cargo-machete", "trufflehog", "slither",
                "dprint",     "knip",       "depcheck",     "publint",       "crystal",    "octave",
                "actionlint", "clang-tidy", "clippy",       "cpplint",       "flake8",     "ghc",
                "github",     "gofmt",      "markdownlint", "mypy",          "pylint",     "sarif",
                "shellcheck", "shfmt",      "staticcheck",  "stylelint",     "swiftlint",  "ty",
                "typos",      "yamllint",   "zig"});
  for (const auto& family : kFamilies) names.insert(family.begin(), family.end());
  names.erase("");
  return {names.begin(), names.end()};
}

model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints) {
  const auto asked = hints.format;
  // SARIF and plain JSON are forms of any tool.
  if (one_of(asked, {"", "auto", "sarif", "json"})) return read_lint(output, exit, hints, {});
  std::vector<std::string_view> only{asked};
  for (const auto& family : kFamilies)
    if (std::find(family.begin(), family.end(), asked) != family.end())
      only.insert(only.end(), family.begin(), family.end());
  return read_lint(output, exit, hints, only);
}

}  // namespace hydra::parsers
