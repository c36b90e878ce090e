// The names that a lint command's format may be given by.
#include "parsers/parsers.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

// Every name that a lint parser puts into LintReport::format.
constexpr std::array<std::string_view, 40> kFormats{
    "ansible-lint", "biome",     "black",     "checkstyle", "clang-tidy", "clippy",       "cppcheck",
    "eslint",       "flake8",    "gcc",       "github",     "go-vet",     "gofmt",        "golangci-lint",
    "hadolint",     "isort",     "javac",     "ktlint",     "make",       "markdownlint", "msbuild",
    "mypy",         "oxlint",    "php-lint",  "phpcs",      "phpstan",    "prettier",     "pycodestyle",
    "pyflakes",     "pylint",    "rubocop",   "ruff",       "rustc",      "rustfmt",      "sarif",
    "shellcheck",   "stylelint", "swiftlint", "tsc",        "yamllint"};

}  // namespace

std::vector<std::string_view> lint_formats() { return {kFormats.begin(), kFormats.end()}; }

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
