// Classes of tests, tallies and points of evidence (docs/selection.md).
#include "scoring/selection.hpp"

#include <algorithm>

namespace hydra::scoring {

using model::AuthorKind;
using model::Cell;
using model::CrossAuthor;
using model::CrossRow;
using model::TestClass;

namespace {

Cell cell_at(const CrossRow* row, std::size_t test) {
  return row && test < row->cells.size() ? row->cells[test] : Cell::not_run;
}

/// The rows of one author's tests: on the base, on own code, on other results.
struct RowsOf {
  const CrossRow* base = nullptr;
  std::vector<const CrossRow*> own, others;
};

RowsOf rows_of(const model::Matrix& matrix, const CrossAuthor& author) {
  RowsOf out;
  for (const auto& row : matrix.rows) {
    if (row.author != author.name) continue;
    const auto& members = author.members;
    if (row.result == model::kBaseline)
      out.base = &row;
    else if (std::find(members.begin(), members.end(), row.result) != members.end())
      out.own.push_back(&row);
    else
      out.others.push_back(&row);
  }
  return out;
}

bool any(const std::vector<const CrossRow*>& rows, std::size_t test, Cell cell) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto* row) { return cell_at(row, test) == cell; });
}

bool all_not_run(const std::vector<const CrossRow*>& rows, std::size_t test) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const auto* row) { return cell_at(row, test) == Cell::not_run; });
}

/// Returns why a test of this author is void; empty: the test may count.
std::string_view why_void(const CrossAuthor& author, const RowsOf& rows, std::size_t test) {
  if (!author.voided.empty()) return author.voided;
  const auto base = cell_at(rows.base, test);
  if (base == Cell::unstable || any(rows.own, test, Cell::unstable)) return "unstable";
  if (author.kind == AuthorKind::result) {
    if (!any(rows.own, test, Cell::pass))
      return all_not_run(rows.own, test) ? "not run on its author's result" : "fails on its author's result";
  } else if (base != Cell::pass && !any(rows.others, test, Cell::pass) && !all_not_run(rows.others, test)) {
    return "passes on no result";
  }
  return base == Cell::not_run ? "not run on the base" : std::string_view();
}

TestClass class_of(const CrossAuthor& author, const RowsOf& rows, std::size_t test) {
  const auto base = cell_at(rows.base, test);
  if (base == Cell::pass) return TestClass::passes_before;
  if (author.kind == AuthorKind::result && !any(rows.others, test, Cell::pass) &&
      (any(rows.others, test, Cell::fail) || any(rows.others, test, Cell::no_contact)))
    return TestClass::alone;
  return base == Cell::fail ? TestClass::fails_before : TestClass::no_contact_before;
}

bool is_member(const CrossAuthor& author, std::string_view result) {
  return std::find(author.members.begin(), author.members.end(), result) != author.members.end();
}

}  // namespace

model::Matrix classify(model::Matrix matrix) {
  for (auto& author : matrix.authors) {
    const auto rows = rows_of(matrix, author);
    for (std::size_t i = 0; i < author.tests.size(); ++i) {
      auto& test = author.tests[i];
      if (test.klass == TestClass::voided && !test.reason.empty()) continue;
      test.reason = why_void(author, rows, i);
      test.klass = test.reason.empty() ? class_of(author, rows, i) : TestClass::voided;
    }
  }
  return matrix;
}

double evidence_weight(TestClass klass) {
  switch (klass) {
    case TestClass::fails_before:
    case TestClass::no_contact_before:
      return 1;
    case TestClass::alone:
      return 0.5;
    case TestClass::passes_before:
    case TestClass::voided:
      return 0;
  }
  return 0;
}

Selection::Selection(const model::Matrix& classified) : matrix_(classified) {
  for (const auto& row : matrix_.rows) rows_[{row.result, row.author}] = &row;
  for (const auto& author : matrix_.authors)
    for (const auto& test : author.tests) has_evidence_ = has_evidence_ || evidence_weight(test.klass) > 0;
}

const CrossRow* Selection::row(std::string_view result, std::string_view author) const {
  const auto found = rows_.find({result, author});
  return found == rows_.end() ? nullptr : found->second;
}

Cell Selection::cell(std::string_view result, const CrossAuthor& author, std::size_t test) const {
  return cell_at(row(result, author.name), test);
}

Tally Selection::tally(std::string_view result, const CrossAuthor& author) const {
  Tally out;
  for (std::size_t i = 0; i < author.tests.size(); ++i) {
    const double weight = evidence_weight(author.tests[i].klass);
    if (weight <= 0) continue;
    switch (cell(result, author, i)) {
      case Cell::pass:
        ++out.passed;
        out.weight_passed += weight;
        out.weight += weight;
        break;
      case Cell::fail:
        ++out.failed;
        out.weight += weight;
        break;
      case Cell::no_contact:
        ++out.no_contact;
        break;
      case Cell::unstable:
        ++out.unstable;
        break;
      case Cell::not_run:
        ++out.not_run;
        break;
    }
  }
  return out;
}

std::optional<double> Selection::points(std::string_view result) const {
  if (!has_evidence_) return std::nullopt;
  double shares = 0;
  std::int64_t authors = 0;
  for (const auto& author : matrix_.authors) {
    if (is_member(author, result)) continue;
    const auto found = tally(result, author);
    if (found.weight <= 0) continue;
    shares += found.weight_passed / found.weight;
    ++authors;
  }
  return (shares + 0.5) / static_cast<double>(authors + 1) * 100;
}

std::int64_t Selection::own_tests(std::string_view result) const {
  std::int64_t count = 0;
  for (const auto& author : matrix_.authors)
    if (is_member(author, result))
      for (std::size_t i = 0; i < author.tests.size(); ++i)
        if (evidence_weight(author.tests[i].klass) > 0 && cell(result, author, i) == Cell::pass) ++count;
  return count;
}

std::string Selection::behaviour(std::string_view result) const {
  std::string out;
  for (const auto& author : matrix_.authors)
    for (std::size_t i = 0; i < author.tests.size(); ++i)
      if (evidence_weight(author.tests[i].klass) > 0)
        out += static_cast<char>('a' + static_cast<int>(cell(result, author, i)));
  return out;
}

std::optional<double> evidence_points(const model::Matrix& matrix, std::string_view result) {
  const auto classified = classify(matrix);
  return Selection(classified).points(result);
}

}  // namespace hydra::scoring
