// checks, inside only: the built-in set of protected paths, as tables of patterns (toolchains reference,
// section 4, "protected beside tests"). Pure data.
#pragma once

#include "checks/protected_paths.hpp"

#include <span>
#include <string_view>

namespace hydra::checks {

/// Patterns as config::names_one_of() reads them, and what a match means.
struct ProtectedRow {
  config::Patterns patterns;
  ProtectedKind kind;
  RestoreAction on_change;
  std::string_view reason;
};
/// The first row that matches counts.
std::span<const ProtectedRow> protected_rows();

/// Names of test files of runners that find them by name.
config::Patterns found_test_names();
/// Names of test files that a build file has to list, or that stand beside product code of their module.
config::Patterns listed_test_names();
/// Directories that hold tests wherever they stand: "__tests__", "testdata".
bool is_certain_test_directory(std::string_view name);
/// Directories that hold tests at the root of a package, or where a file in them is named like a test.
bool is_usual_test_directory(std::string_view name);
/// Modules that a Python test run imports before or while it judges: "pytest", "unittest".
bool is_runner_module(std::string_view name);
/// Modules of Python's standard library that runners load and that no project names its own files by.
bool is_standard_module(std::string_view name);

}  // namespace hydra::checks
