// checks: the command that runs one author's test files and no others, derived from the configured test
// command: a table of test runners (docs/selection.md, "What is run"). Pure: texts in, a command out.
#pragma once

#include "trees/rebuild.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Bytes of a file; absent: missing or too large.
using TextOf = std::function<std::optional<std::string>(std::string_view path)>;

struct CrossCommand {
  std::string command;  ///< command for `sh -c`
  bool whole = false;   ///< true: no recipe; the configured command, which runs others' tests too
  /// Runs each test in a separate process, for runners in which a test that exits ends the others; empty: not
  /// needed, or too many tests.
  std::string apart{};
};

/// Origin of the test names in the output of a derived command.
enum class Naming : std::uint8_t {
  by_runner,   ///< options make the runner name every test
  by_reports,  ///< report files that the configured command writes
};

/// The configured test command, with the base that defines its scripts and targets.
struct TestCommand {
  std::string configured;
  const trees::BaseTree& base;
  TextOf base_text;  ///< of package.json and Makefile
  Naming naming = Naming::by_runner;
};

/// `files`: the author's files, relative to the tree; the command does not name helpers and data among them.
/// `text_of` is called for the author's Go files. A command joined by anything but `&&`, or with a file name
/// that is no plain word, has no recipe.
CrossCommand cross_command(const TestCommand& test, const std::vector<std::string>& files,
                           const TextOf& text_of);

/// Returns how the runner of a command names its tests, "`go` names its tests with `-v`"; empty: not known.
/// For people.
std::string naming_advice(const std::string& command);

/// Returns the files, of these, that the command's test runner can be asked for by name; empty: no recipe.
std::set<std::string> askable(const TestCommand& test, const std::vector<std::string>& files);

/// Command that runs the files of these failing tests again. The configured command: a name begins with no
/// file of the base, or the runner takes no files.
std::string repeat_command(const TestCommand& test, const std::vector<std::string>& names);

/// Command that runs these test files one by one, so that a file that can't be loaded does not affect the
/// others. Empty: no recipe, the runner does so anyway, or too many files for one command line.
std::string one_by_one(const TestCommand& test, const std::vector<std::string>& files);

}  // namespace hydra::checks
