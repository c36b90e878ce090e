// parsers, inside: linters. Every line is offered to the readers of the table in lint_registry.cpp until one
// knows it.
#pragma once

#include "parsers/registry.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace hydra::parsers {

enum class Finding {
  error,
  warning,
  note,   ///< belongs to another finding
  clean,  ///< the tool says how it went: known text, no finding
  crash,  ///< the tool itself failed: its counts are worth nothing
};

struct LintHit {
  std::string_view tool;
  Finding kind = Finding::note;
};

/// Knows line `i` of the input, or not. Pure; looks ahead a bounded number of lines.
using LintReader = std::optional<LintHit> (*)(const Input& in, std::size_t i);
std::span<const LintReader> lint_readers();

std::optional<LintHit> read_eslint(const Input& in, std::size_t i);
std::optional<LintHit> read_tsc(const Input& in, std::size_t i);
std::optional<LintHit> read_rust(const Input& in, std::size_t i);
std::optional<LintHit> read_python(const Input& in, std::size_t i);
std::optional<LintHit> read_formatter(const Input& in, std::size_t i);
std::optional<LintHit> read_compiler(const Input& in, std::size_t i);
std::optional<LintHit> read_go(const Input& in, std::size_t i);
std::optional<LintHit> read_shellcheck(const Input& in, std::size_t i);
std::optional<LintHit> read_wrapper(const Input& in, std::size_t i);

/// "path:12:3: rest" or "path:12: rest" -> path and rest.
struct Located {
  std::string_view path, rest;
  bool column = false;
};
std::optional<Located> located(std::string_view line);

/// A whole report as JSON (eslint, ruff, pylint, shellcheck), or nothing.
std::optional<model::LintReport> lint_json(const Input& in);

}  // namespace hydra::parsers
