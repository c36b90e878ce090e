// The rows of formats/*.toml, looked up by a line's first byte.
#include "parsers/formats.hpp"
#include "parsers/lint_scan.hpp"
#include "parsers/scan.hpp"

#include <array>

namespace hydra::parsers {
namespace {

bool is_number(Pattern::Op::Kind kind) {
  using Op = Pattern::Op;
  return kind == Op::figure || kind == Op::line || kind == Op::column || kind == Op::number ||
         kind == Op::decimal;
}

/// Rows that may match a line, by the line's first byte, in the order of the sections.
class RowIndex {
 public:
  explicit RowIndex(std::initializer_list<LintSection> sections) {
    for (const auto section : sections)
      for (const auto& row : lint_data().lint[section]) put(row);
  }
  const std::vector<const LintRow*>& rows(std::string_view line) const {
    return by_byte_[line.empty() ? 0 : static_cast<unsigned char>(line[0])];
  }

 private:
  void put(const LintRow& row) {
    for (std::size_t byte = 0; byte < by_byte_.size(); ++byte)
      if (may_begin(row.pattern.ops().front(), static_cast<char>(static_cast<unsigned char>(byte))))
        by_byte_[byte].push_back(&row);
  }
  static bool may_begin(const Pattern::Op& first, char c) {
    using Op = Pattern::Op;
    const bool blank = c == ' ' || c == '\t';
    if (first.kind == Op::text) return first.literal[0] == c;
    if (first.kind == Op::gap) return blank;
    if (first.kind == Op::indent || first.kind == Op::any || first.kind == Op::optional ||
        first.kind == Op::plural)
      return true;
    if (is_number(first.kind)) return is_digit(c);
    if (first.kind == Op::letter) return severity_letter(c).has_value();
    return !blank;
  }
  std::array<std::vector<const LintRow*>, 256> by_byte_;
};

/// Finds the row's second line within `row.within` lines.
bool follows(const LintScan& scan, const LintRow& row, Fields& fields, std::size_t& used) {
  if (!row.follow) return true;
  for (int k = 1; k <= row.within; ++k) {
    Fields more = fields;
    if (!row.follow->match(scan.ahead(static_cast<std::size_t>(k)), more)) continue;
    fields = more;
    used = static_cast<std::size_t>(k) + 1;
    return true;
  }
  return false;
}

Severity severity_of(const LintRow& row, const Fields& fields) {
  if (fields.severity) return *fields.severity;
  return row.by_code ? severity_of_code(fields.rule) : row.severity;
}

void add_finding(LintScan& scan, const LintRow& row, const Fields& fields) {
  auto file = fields.file.empty() ? scan.context_file : fields.file;
  if (file.empty() && fields.line > 0) file = scan.heading;
  eat(file, "file://");
  scan.out.add({.tool = row.tool,
                .severity = severity_of(row, fields),
                .file = file,
                .line = fields.line,
                .column = fields.column,
                .rule = fields.rule,
                .message = fields.message,
                .twice = row.twice,
                .per_file = row.kind == LintRow::per_file},
               scan.i);
}

/// Applies a matching row; false: the context rules the row out.
bool apply(LintScan& scan, const LintRow& row, const Fields& fields) {
  auto& out = scan.out;
  switch (row.kind) {
    case LintRow::inside:
      if (scan.context != row.tool) return false;
      add_finding(scan, row, fields);
      return true;
    case LintRow::finding:
      // A time of day is no path with a line.
      if (!fields.file.empty() && fields.file.find_first_not_of("0123456789.-T ") == std::string_view::npos)
        return false;
      add_finding(scan, row, fields);
      return true;
    case LintRow::per_file:
      if (!path_like(fields.file)) return false;
      add_finding(scan, row, fields);
      return true;
    case LintRow::context:
      scan.context = row.tool;
      scan.context_file = fields.file;
      out.spoke(row.tool);
      return true;
    case LintRow::known:
      out.spoke(row.tool);
      return true;
    case LintRow::clean:
      out.clean(row.tool, scan.i);
      return true;
    case LintRow::own_total:
      if (!out.knows(row.tool)) return false;
      [[fallthrough]];
    case LintRow::total:
    case LintRow::last_total:
    case LintRow::capped:
      out.total({.tool = row.tool,
                 .errors = fields.errors,
                 .warnings = fields.warnings,
                 .all = fields.findings,
                 .capped = row.kind == LintRow::capped || row.kind == LintRow::own_total,
                 .last = row.kind == LintRow::last_total},
                scan.i);
      return true;
    case LintRow::crash:
      out.failed(row.tool, scan.line(), true, scan.i);
      return true;
    case LintRow::config:
      out.failed(row.tool, scan.line(), false, scan.i);
      return true;
  }
  return false;
}

std::size_t read_index(LintScan& scan, const RowIndex& index) {
  const auto line = scan.line();
  for (const auto* row : index.rows(line)) {
    if (row->kind == LintRow::inside && scan.context != row->tool) continue;
    Fields fields;
    if (!row->pattern.match(line, fields)) continue;
    std::size_t used = 1;
    if (!follows(scan, *row, fields, used) || !apply(scan, *row, fields)) continue;
    return used;
  }
  return 0;
}

}  // namespace

std::size_t read_rows(LintScan& scan) {
  static const RowIndex index{totals, status, findings, formatter};
  return read_index(scan, index);
}

std::size_t read_failures(LintScan& scan) {
  static const RowIndex index{failures};
  return read_index(scan, index);
}

}  // namespace hydra::parsers
