// parsers: test and lint output -> counts and names. Pure: text in, result out; the text is hostile. A failed
// run is never read as a clean pass; unknown figures are absent.
#pragma once

#include "base/result.hpp"
#include "base/text_file.hpp"
#include "model/check.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// The command's end; neither member: unknown.
struct ExitFacts {
  std::optional<int> exit_code;
  std::optional<int> signal;
};

/// Called with each part of the output that a reader has passed, so that the owner of a mapped file can
/// release its pages. A part may be read and reported several times.
using LeftBehind = std::function<void(std::string_view part)>;

/// Stores the text that `write` emits in pieces outside of memory; the returned view must live as long as the
/// output.
using KeepText = std::function<std::string_view(
    const std::function<void(const std::function<void(std::string_view)>&)>& write)>;

/// Facts about the command other than its output.
struct Hints {
  std::string_view command;          ///< configured command line; only a hint for detection
  std::string_view format = "auto";  ///< "auto", or an element of test_formats() or lint_formats()
  std::string_view root = {};        ///< absolute path of the workspace, removed from names
  LeftBehind left_behind = {};
  KeepText keep = {};
  bool file =
      false;  ///< a report file: its bytes as they are, without a terminal's effects or wrappers' marks
};

/// Reads a test run's merged output. Unknown output gives format "exit_code_only" (H11 of docs/scoring.md).
model::ParsedTests parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints);
model::ParsedTests parse_tests(std::string_view output, const ExitFacts& exit, std::string_view command = {});

/// Names that Hints::format accepts for tests, except "auto".
std::vector<std::string_view> test_formats();

/// Reads the error and warning counts of a linter's, compiler's or formatter's output.
model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, std::string_view command = {});
/// Reads the output of one tool: findings of tools other than Hints::format do not count, and mark the log as
/// not understood.
model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints);
std::vector<std::string_view> lint_formats();

/// A check's report file. `problem`: why the file could not be read ("is a symbolic link").
struct Report {
  std::string_view name, text, problem;
};

/// The reports' figures win over the text, but reports, text and exit code must agree: a report that is
/// unreadable, cut, or at odds with the text makes the result suspicious.
model::ParsedTests parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints,
                               std::span<const Report> reports);
model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints,
                             std::span<const Report> reports);

/// Sets the source of the user's formats (docs/toolchains.md), called once when a format is first needed.
/// Must precede all reading. Rows that check_formats() reports are left out.
void formats_from(std::function<std::vector<TextFile>()> user);
/// Returns every mistake in `files`, with file, line and column.
std::vector<Error> check_formats(const std::vector<TextFile>& files);

/// Returns the output without ANSI sequences; carriage returns and CRLF take effect within each line, as in a
/// terminal.
std::string plain_text(std::string_view output);

/// Writes plain_text() piece by piece; the memory in use is that of a piece.
void write_plain(std::string_view output, const std::function<void(std::string_view)>& out,
                 const LeftBehind& left = {});

/// Returns whether cleaning would change nothing, so that the output can be read in place.
bool is_plain(std::string_view output);

}  // namespace hydra::parsers
