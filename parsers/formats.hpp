// parsers, inside: the contents of formats/*.toml, one file per tool: lines of test runners and linters,
// shapes of reports, and shared lists of words. docs/toolchains.md describes the files.
#pragma once

#include "base/result.hpp"
#include "parsers/parsers.hpp"
#include "parsers/pattern.hpp"
#include "tables/tree.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// A runner's result in one line or in a few neighbouring lines.
struct SummaryRow {
  enum class Kind : std::uint8_t {
    last,          ///< the log's last match counts, since tests may print such a line
    each,          ///< matches are added up: a match per project, suite or file
    no_tests,      ///< the runner found nothing to run
    build_failed,  ///< the tests could not be built or loaded
    crashed,       ///< the run was ended early
    start,         ///< start of a run (`begin`): only a run's last summary counts; no summary: unfinished
  };
  struct Line {
    Pattern pattern;
    bool optional = false;  ///< the line may be missing
  };
  std::string_view format;
  Kind kind = Kind::last;
  std::vector<Line> lines;
  std::string begin;
  std::string needs;    ///< text that must occur somewhere in the log; empty: none
  int late = 0;         ///< 0 to 9; rows of all tools with a lower value come first
  int confidence = 40;  ///< as in TestSegment
};

/// A line that only one runner prints.
struct Sign {
  enum class Where : std::uint8_t { begins, ends, whole, within, both };
  std::string_view format;
  Where where = Where::begins;
  std::string text;
  std::string end = {};  ///< for `both`: end of the line
};

/// A line that reports one test.
struct CaseRow {
  model::TestStatus status = model::TestStatus::passed;
  Pattern pattern;     ///< has {name}
  bool timed = false;  ///< a duration at the end does not belong to the name
};

/// A line of a linter.
struct LintRow {
  enum Kind : std::uint8_t {
    finding,
    inside,    ///< a finding only within the block that a `context` row of the same tool has opened
    per_file,  ///< a formatter's finding: one warning per file
    context,
    known,  ///< understood, no finding
    clean,  ///< the tool reports no findings
    total,
    last_total,  ///< total of a watch mode: the last value counts
    capped,      ///< total that may exceed the list
    own_total,   ///< like `capped`, but only after other output of the tool
    crash,       ///< the tool failed: its counts are worthless
    config,      ///< the tool could not start; findings of other tools count
  };
  std::string_view tool;  ///< empty: no particular tool
  Kind kind = finding;
  Pattern pattern;
  Severity severity = Severity::error;  ///< used when the pattern has no severity
  std::optional<Pattern> follow;        ///< pattern that one of the next `within` lines must match
  int within = 1;
  bool by_code = false;  ///< rules that begin with E or F and a digit are errors, others warnings
  bool twice = false;    ///< the tool prints findings twice
  int late = 0;          ///< 0 to 9; rows of all tools with a lower value come first
};
/// Sections of a linter's rows in matching order; the readers ask `failures` last.
enum LintSection : std::uint8_t { totals, status, findings, formatter, failures, lint_sections };

struct SeverityWord {
  std::string text;
  Severity severity;
};

/// A JSON report that is a list of findings. `keys` are members of the root object, or, after "[]", of the
/// first element of a root array.
struct JsonShape {
  std::string tool, keys;
  /// Steps from the root: "name[]" walks a list, "name{}" the values of an object whose keys are files,
  /// "name" enters a member. Empty: the document is itself a finding.
  std::string list;
  Severity severity = Severity::error;
  bool from_zero = false;  ///< line numbers start at 0
  bool by_code = false;    ///< rules that begin with E or F and a digit are errors, others warnings
};

struct NamedTool {
  std::string text;  ///< part of a command, or end of a path
  std::string_view tool;
};

struct Formats {
  std::vector<SummaryRow> summaries;
  std::map<std::string_view, std::vector<CaseRow>> cases;                ///< by format
  std::map<std::string, std::vector<std::string>, std::less<>> markers;  ///< by parser
  std::vector<Sign> failure_signs;  ///< lines that report a failed test above the summary
  std::vector<Sign> begin_signs;    ///< lines that show that a run has begun
  std::array<std::vector<LintRow>, lint_sections> lint;
  std::vector<NamedTool> endings;         ///< file extensions that a tool reports on, "py"
  std::vector<NamedTool> listers;         ///< commands that print the paths of unformatted files
  std::vector<NamedTool> listed;          ///< ends of such paths, ".go"
  std::vector<std::string_view> differs;  ///< formatters that print unified diffs
  std::vector<JsonShape> json;
  std::vector<SeverityWord> severities;  ///< errors, warnings, notes; longer words before their prefixes
  std::vector<std::vector<std::string>> families;  ///< linters that print in each other's formats
  /// Lists of words by name, from common.toml and json.toml.
  std::map<std::string, std::vector<std::string>, std::less<>> words;
  std::set<std::string, std::less<>> tools, runners;  ///< all names; the rows' views point into these sets
};

/// Return the test runners' and the linters' data; the first call reads the embedded files and the user's.
const Formats& test_data();
const Formats& lint_data();
/// Returns the list of words; empty: unknown list.
const std::vector<std::string>& words(std::string_view list);
/// Returns the list as a set, for lookups.
using WordSet = std::set<std::string_view>;
WordSet word_set(std::string_view list);
template <PatternText List>
bool among(std::string_view word) {
  static const WordSet set = word_set(List.text);
  return set.contains(word);
}

/// Meaning of the word beside a figure in an English summary.
enum class Meaning { passed, failed, skipped, errors, total, nothing };
/// "failures", "Failed", "not ok" -> failed; "assertions" -> nothing; absent: no word of a test summary.
/// Ignores case.
std::optional<Meaning> meaning_of(std::string_view word);
/// Adds `n` to the figure of `meaning`.
void add(Figures& figures, Meaning meaning, std::int64_t n);

enum class FormatPart : std::uint8_t { tests, lint, words, all };
/// Reads a part of a file's table into `out`; errors name file, line and column.
void read_format(const tables::Value& file, FormatPart part, Formats& out, std::vector<Error>& errors);

}  // namespace hydra::parsers
