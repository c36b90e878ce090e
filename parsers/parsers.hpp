// parsers: test and lint output -> counts and names. Pure: text in, result out; the text is hostile.
// A run that did not succeed is never read as a clean pass; what can't be known is absent.
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

/// How the command ended; none of both: unknown.
struct ExitFacts {
  std::optional<int> exit_code;
  std::optional<int> signal;
};

/// Told of each part of the output that a reader has gone past: who maps a large file may let its pages go.
/// The same part may be read, and told of, several times.
using LeftBehind = std::function<void(std::string_view part)>;

/// Keeps a text that `write` gives in pieces, elsewhere than in memory; it is valid as long as the output is.
using KeepText = std::function<std::string_view(
    const std::function<void(const std::function<void(std::string_view)>&)>& write)>;

/// What is known about the command beside its output.
struct Hints {
  std::string_view command;          ///< the configured command line: a hint for detection only
  std::string_view format = "auto";  ///< "auto", or one of formats(): only that parser reads
  std::string_view root = {};        ///< the workspace's absolute path: taken off the names
  LeftBehind left_behind = {};
  KeepText keep = {};
};

/// Counts and names out of a test run's merged output. Falls back to format "exit_code_only" (ruling H11).
model::TestReport parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints);
model::TestReport parse_tests(std::string_view output, const ExitFacts& exit, std::string_view command = {});

/// Names that Hints::format takes for tests, "auto" not among them.
std::vector<std::string_view> test_formats();

/// Error and warning counts out of a linter's, compiler's or formatter's output.
model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, std::string_view command = {});
/// The same for one tool: what is not of Hints::format is not counted, and said.
model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints);
std::vector<std::string_view> lint_formats();

/// A report file of a check as it was found. `problem` says why it could not be read ("is a symbolic link").
struct Report {
  std::string_view name, text, problem;
};

/// The reports are believed before the text, and both are held against each other and against the exit code:
/// a report that can't be read, is cut or says something else than the text makes the result suspicious.
model::TestReport parse_tests(std::string_view output, const ExitFacts& exit, const Hints& hints,
                              std::span<const Report> reports);
model::LintReport parse_lint(std::string_view output, const ExitFacts& exit, const Hints& hints,
                             std::span<const Report> reports);

/// Where the user's own formats come from (docs/parsers.md); asked once, when a format is needed first. To be
/// set before anything is read. What check_formats() complains about is left out.
void formats_from(std::function<std::vector<TextFile>()> user);
/// Every mistake in `files`, with its file, line and column.
std::vector<Error> check_formats(const std::vector<TextFile>& files);

/// Output without ANSI sequences, with carriage returns and CRLF resolved as a terminal would show them
/// within each line.
std::string plain_text(std::string_view output);

/// The same, piece by piece: memory is that of a piece.
void write_plain(std::string_view output, const std::function<void(std::string_view)>& out,
                 const LeftBehind& left = {});

/// Whether cleaning would change nothing: the output may be read where it is.
bool is_plain(std::string_view output);

}  // namespace hydra::parsers
