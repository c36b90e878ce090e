// parsers, inside: what formats/*.toml say, one file a tool: the lines of test runners and linters, the
// shapes of their reports, and the words that they have in common. docs/parsers.md describes the files.
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

/// A runner's result in one line or a few neighbouring ones.
struct SummaryRow {
  enum class Kind : std::uint8_t {
    last,          ///< the last one in the log counts: tests may print such a line
    each,          ///< one a project, suite or file, added up
    no_tests,      ///< the runner says that there was nothing to run
    build_failed,  ///< … that the tests could not be built or loaded
    crashed,       ///< … that the run was ended before its end
    start,         ///< a line that begins with `begin` starts a run: of each run only the last summary
                   ///< counts, and a run without one has not come to its end
  };
  struct Line {
    Pattern pattern;
    bool optional = false;  ///< may be missing
  };
  std::string_view format;
  Kind kind = Kind::last;
  std::vector<Line> lines;
  std::string begin;
  std::string needs;    ///< where not empty: this text must occur somewhere in the log
  int late = 0;         ///< asked behind the rows of all tools with less
  int confidence = 40;  ///< see TestSegment
};

/// A line that only one runner prints.
struct Sign {
  enum class Where : std::uint8_t { begins, ends, whole, within, both };
  std::string_view format;
  Where where = Where::begins;
  std::string text;
  std::string end = {};  ///< for `both`: how the line ends
};

/// A line that tells of one test.
struct CaseRow {
  model::TestStatus status = model::TestStatus::passed;
  Pattern pattern;     ///< has {name}
  bool timed = false;  ///< a duration at the end of the name is none of it
};

/// A line of a linter.
struct LintRow {
  enum Kind : std::uint8_t {
    finding,
    inside,    ///< a finding only within the block that a row `context` of the same tool has opened
    per_file,  ///< a formatter's: one warning a file
    context,
    known,  ///< understood, no finding
    clean,  ///< the tool says that there is nothing
    total,
    last_total,  ///< of a watch mode: the last one counts
    capped,      ///< a total that may exceed the list
    own_total,   ///< the same, only where the tool has spoken before
    crash,       ///< the tool failed: its counts are worth nothing
    config,      ///< the tool could not begin; findings of others stand
  };
  std::string_view tool;  ///< empty: of no tool in particular
  Kind kind = finding;
  Pattern pattern;
  Severity severity = Severity::error;  ///< where the pattern has no severity
  std::optional<Pattern> follow;        ///< one of the next `within` lines must match it
  int within = 1;
  bool by_code = false;  ///< rules that begin with E or F and a digit are errors, others warnings
  bool twice = false;    ///< the tool prints findings twice
  int late = 0;          ///< asked behind the rows of all tools with less
};
/// The sections of a linter's lines, in the order in which they are asked; failures behind everything else.
enum LintSection : std::uint8_t { totals, status, findings, formatter, failures, lint_sections };

struct SeverityWord {
  std::string text;
  Severity severity;
};

/// A report in JSON that is a list of findings. Markers are keys of the root object, or of the first element
/// of a root array (those start with "[]").
struct JsonShape {
  std::string tool, keys;
  /// Steps from the root: "name[]" over a list, "name{}" over the values of an object whose keys are files,
  /// "name" into a member. Empty: the document is a finding itself.
  std::string list;
  Severity severity = Severity::error;
  bool from_zero = false;  ///< lines count from 0
  bool by_code = false;    ///< rules that begin with E or F and a digit are errors, others warnings
};

struct NamedTool {
  std::string text;  ///< a part of a command, or the end of a path
  std::string_view tool;
};

struct Formats {
  std::vector<SummaryRow> summaries;
  std::map<std::string_view, std::vector<CaseRow>> cases;                ///< by their format
  std::map<std::string, std::vector<std::string>, std::less<>> markers;  ///< by their reader
  std::vector<Sign> failure_signs;  ///< how runners tell a failed test above their summary
  std::vector<Sign> begin_signs;    ///< that a run has begun
  std::array<std::vector<LintRow>, lint_sections> lint;
  std::vector<NamedTool> endings;         ///< of files of which a tool speaks, "py"
  std::vector<NamedTool> listers;         ///< commands that print the paths of files that are not formatted
  std::vector<NamedTool> listed;          ///< ends of such paths, ".go"
  std::vector<std::string_view> differs;  ///< formatters that print unified diffs
  std::vector<JsonShape> json;
  std::vector<SeverityWord> severities;            ///< longer words first where one begins another
  std::vector<std::vector<std::string>> families;  ///< linters that print in each other's forms
  /// Lists of words by their names, of common.toml and json.toml.
  std::map<std::string, std::vector<std::string>, std::less<>> words;
  std::set<std::string, std::less<>> tools, runners;  ///< all names; the views of the rows are of these
};

/// What is of test runners, and what is of linters: read from the embedded files, and from the user's, when
/// it is needed first.
const Formats& test_data();
const Formats& lint_data();
/// One of the lists of words; empty where there is none.
const std::vector<std::string>& words(std::string_view list);
/// The same to look words up in.
using WordSet = std::set<std::string_view>;
WordSet word_set(std::string_view list);
template <PatternText List>
bool among(std::string_view word) {
  static const WordSet set = word_set(List.text);
  return set.contains(word);
}

/// What the words beside figures mean, over all runners that speak English.
enum class Meaning { passed, failed, skipped, errors, total, nothing };
/// "failures", "Failed", "not ok" -> failed; "assertions" -> nothing; absent: no word of a test summary.
/// Ignores case.
std::optional<Meaning> meaning_of(std::string_view word);
/// Adds `n` under `meaning`.
void add(Figures& figures, Meaning meaning, std::int64_t n);

enum class FormatPart : std::uint8_t { tests, lint, words, all };
/// Reads a part of a file's table into `out`; complaints name file, line and column.
void read_format(const tables::Value& file, FormatPart part, Formats& out, std::vector<Error>& errors);

}  // namespace hydra::parsers
