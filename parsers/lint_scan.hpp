// parsers, inside: the readers of linters' text. Each line goes to the readers of the table in lint.cpp until
// one accepts it; read_rows() handles the one-line patterns.
#pragma once

#include "parsers/lint_reading.hpp"
#include "parsers/pattern.hpp"

#include <span>
#include <string_view>

namespace hydra::parsers {

/// Position of the scan. Readers may look ahead a bounded number of lines, never back.
struct LintScan {
  const Input& in;
  LintReading& out;
  std::size_t i = 0;
  std::string_view heading = {};                     ///< last line that may be a bare path
  std::string_view context = {}, context_file = {};  ///< tool and file of the open block; may be empty
  std::int64_t context_line = 0;
  std::size_t rest_of = 0;  ///< line whose unread part is `rest`, counted from 1
  std::string_view rest = {};
  bool json_over = false;  ///< a document did not end: lines that look like JSON are skipped

  int no_xml = 0;  ///< number of begun XML documents that were no reports

  /// A longer line holds data or code, not the head of a finding.
  static constexpr std::size_t kMaxLine = 16'384;
  std::string_view line() const { return rest_of == i + 1 ? rest : in.lines[i].substr(0, kMaxLine); }
  std::string_view ahead(std::size_t k) const {
    return i + k < in.lines.size() ? in.lines[i + k].substr(0, kMaxLine) : std::string_view{};
  }
};

/// Returns the number of lines consumed from scan.i; 0: unknown to this reader.
using LintReader = std::size_t (*)(LintScan& scan);

std::size_t read_document(LintScan& scan);   ///< a report in JSON or XML that begins here
std::size_t read_rows(LintScan& scan);       ///< the tables
std::size_t read_failures(LintScan& scan);   ///< the table of failures that precede findings
std::size_t read_rust_like(LintScan& scan);  ///< a message, then "--> file:1:2" or a drawn frame
std::size_t read_biome(LintScan& scan);
std::size_t read_stylish(LintScan& scan);  ///< "12:3  error  message  rule" under a path
std::size_t read_shellcheck(LintScan& scan);
std::size_t read_located(LintScan& scan);      ///< "file:1:2: …" of any tool
std::size_t read_ms_compile(LintScan& scan);   ///< "file(1,2): error CODE: …"
std::size_t read_annotations(LintScan& scan);  ///< workflow commands of GitHub and others
std::size_t read_diff(LintScan& scan);         ///< unified diffs of formatters
std::size_t read_listed(LintScan& scan);       ///< formatters that print nothing but paths

/// A line such as "file:12:3: rest", "file:12: rest" or "file:12:3-9: rest".
struct Located {
  std::string_view path, rest;
  std::int64_t line = 0, column = 0;
};
std::optional<Located> located(std::string_view line);
/// Returns whether `s` is a name with an extension or a slash, without the blanks of a message.
bool path_like(std::string_view s);
/// Removes and returns the rule in brackets at the end of a message: "[no-undef]", "(E501)"; empty: none.
std::string_view take_rule(std::string_view& message);

/// Runs parse_lint() for the tools in `only`; empty: all.
model::LintReport read_lint(std::string_view output, const ExitFacts& exit, const Hints& hints,
                            std::span<const std::string_view> only);

/// source_path(): the line is the path of a source file and nothing else. lister_of_path(): the likely
/// formatter.
bool source_path(std::string_view line);
std::string_view lister_of_path(std::string_view path);
void add_listed(LintScan& scan, std::string_view tool);

}  // namespace hydra::parsers
