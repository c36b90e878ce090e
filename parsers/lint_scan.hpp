// parsers, inside: the readers of linters' text. Every line is offered to the readers of the table in
// lint.cpp until one takes it; tables of one-line patterns are read by one of them.
#pragma once

#include "parsers/lint_reading.hpp"
#include "parsers/pattern.hpp"

#include <span>
#include <string_view>

namespace hydra::parsers {

/// Where the scan stands. Readers may look ahead, a bounded number of lines, never back.
struct LintScan {
  const Input& in;
  LintReading& out;
  std::size_t i = 0;
  std::string_view heading = {};                     ///< the last line that may be a bare path
  std::string_view context = {}, context_file = {};  ///< tool and file whose block is open; may be empty
  std::int64_t context_line = 0;
  std::size_t rest_of = 0;  ///< the line of which only `rest` is left to read, counted from 1
  std::string_view rest = {};
  bool json_over = false;  ///< a document did not end: what looks like JSON is none of our lines

  int no_xml = 0;  ///< how often an XML document turned out to be none

  /// Longer lines hold data or code, no finding's head.
  static constexpr std::size_t kMaxLine = 16'384;
  std::string_view line() const { return rest_of == i + 1 ? rest : in.lines[i].substr(0, kMaxLine); }
  std::string_view ahead(std::size_t k) const {
    return i + k < in.lines.size() ? in.lines[i + k].substr(0, kMaxLine) : std::string_view{};
  }
};

/// Lines taken from scan.i on; 0: not known to this reader.
using LintReader = std::size_t (*)(LintScan& scan);

std::size_t read_document(LintScan& scan);   ///< a report in JSON or XML that begins here
std::size_t read_rows(LintScan& scan);       ///< the tables
std::size_t read_failures(LintScan& scan);   ///< the table of what goes wrong before there are findings
std::size_t read_rust_like(LintScan& scan);  ///< a message, then "--> file:1:2" or a drawn frame
std::size_t read_biome(LintScan& scan);
std::size_t read_stylish(LintScan& scan);  ///< "12:3  error  message  rule" under a path
std::size_t read_shellcheck(LintScan& scan);
std::size_t read_located(LintScan& scan);      ///< "file:1:2: …" of any tool
std::size_t read_ms_compile(LintScan& scan);   ///< "file(1,2): error CODE: …"
std::size_t read_annotations(LintScan& scan);  ///< GitHub's and others' workflow commands
std::size_t read_diff(LintScan& scan);         ///< unified diffs of formatters
std::size_t read_listed(LintScan& scan);       ///< formatters that print nothing but paths

/// "file:12:3: rest", "file:12: rest", "file:12:3-9: rest".
struct Located {
  std::string_view path, rest;
  std::int64_t line = 0, column = 0;
};
std::optional<Located> located(std::string_view line);
/// A name with an ending or a slash, and no blanks that a message would have.
bool path_like(std::string_view s);
/// The rule in brackets at the end of a message, dropped from it: "[no-undef]", "(E501)"; empty: none.
std::string_view take_rule(std::string_view& message);

/// parse_lint with the tools that count; none: all.
model::LintReport read_lint(std::string_view output, const ExitFacts& exit, const Hints& hints,
                            std::span<const std::string_view> only);

/// The path of a source file and nothing else; the formatter that most likely lists it.
bool source_path(std::string_view line);
std::string_view lister_of_path(std::string_view path);
void add_listed(LintScan& scan, std::string_view tool);

}  // namespace hydra::parsers
