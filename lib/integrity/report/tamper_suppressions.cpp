#include "integrity/report/tamper_impl.hpp"

#include <algorithm>

namespace hydra::integrity {
namespace {

constexpr Text kMarks[] = {"noqa",
                           "eslint-disable",
                           "//nolint",
                           "// nolint",
                           "NOLINT",
                           "type: ignore",
                           "pyright: ignore",
                           "pylint: disable",
                           "pylint: skip-file",
                           "@ts-ignore",
                           "@ts-expect-error",
                           "@ts-nocheck",
                           "#[allow(",
                           "#![allow(",
                           "#[expect(",
                           "prettier-ignore",
                           "stylelint-disable",
                           "biome-ignore",
                           "oxlint-disable",
                           "rubocop:disable",
                           "phpcs:ignore",
                           "phpcs:disable",
                           "@phpstan-ignore",
                           "@psalm-suppress",
                           "@SuppressWarnings",
                           "@Suppress(",
                           "NOSONAR",
                           "#pragma warning disable",
                           "#pragma warning(disable",
                           "diagnostic ignored",
                           "clang-format off",
                           "fmt: off",
                           "fmt: skip",
                           "shellcheck disable",
                           "swiftlint:disable",
                           "# nosec",
                           "mypy: ignore-errors",
                           "istanbul ignore",
                           "c8 ignore",
                           "pragma: no cover",
                           "LCOV_EXCL",
                           "cppcheck-suppress",
                           "luacheck: ignore",
                           "credo:disable",
                           "yamllint disable",
                           "hadolint ignore",
                           "checkstyle:off",
                           "deno-lint-ignore",
                           "rustfmt::skip"};
// Marks that affect the whole file.
constexpr Text kWhole[] = {"@ts-nocheck",         "flake8: noqa",        "ruff: noqa",
                           "pylint: skip-file",   "mypy: ignore-errors", "#![allow(",
                           "eslint-disable */",   "phpcs:disable",       "deno-lint-ignore-file",
                           "rubocop:disable all", "nolint:all",          "checkstyle:off"};

}  // namespace

std::int64_t find_suppressions(const TextDiff& diff, Findings& findings) {
  std::int64_t count = 0;
  for (const auto& line : diff.removed)
    if (has_any(line.text, kMarks)) --count;
  const auto& path = diff.file->change.path;
  for (const auto& line : diff.added) {
    if (!has_any(line.text, kMarks)) continue;
    ++count;
    // An indented "#![allow(…)]" applies to a module of the file.
    const bool whole = (has_any(line.text, kWhole) && (!path.ends_with(".rs") || line.indent == 0)) ||
                       (line.number == 1 && line.text == "# type: ignore");
    findings.add("lint_suppression", whole ? Severity::warning : Severity::info, path, line.number, line.text,
                 whole ? "switches rules off for the whole file" : "switches a rule off");
  }
  return count;
}

}  // namespace hydra::integrity
