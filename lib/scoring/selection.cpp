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

bool contains(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Whether a result contains the author's tests, or is of the same product as a result that does.
bool is_own(const CrossAuthor& author, std::string_view result) {
  return contains(author.members, result) || contains(author.same_product, result);
}

RowsOf rows_of(const model::Matrix& matrix, const CrossAuthor& author) {
  RowsOf out;
  for (const auto& row : matrix.rows) {
    if (row.author != author.name) continue;
    if (row.result == model::kBaseline)
      out.base = &row;
    else if (is_own(author, row.result))
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

/// Turns `no contact` into a failure where one result alone lacks what the other results have.
void fail_lone_gaps(model::Matrix& matrix, const CrossAuthor& author) {
  for (std::size_t test = 0; test < author.tests.size(); ++test) {
    std::size_t others_with_contact = 0, gaps = 0;
    Cell* gap = nullptr;
    for (auto& row : matrix.rows) {
      if (row.author != author.name || row.result == model::kBaseline || is_own(author, row.result)) continue;
      const auto cell = cell_at(&row, test);
      if (cell == Cell::pass || cell == Cell::fail) ++others_with_contact;
      if (cell != Cell::no_contact) continue;
      ++gaps;
      gap = &row.cells[test];
    }
    if (gaps == 1 && others_with_contact > 0) *gap = Cell::fail;
  }
}

/// Whether two authors wrote tests of the same names that end alike on every result.
bool same_voice(const model::Matrix& matrix, const CrossAuthor& a, const CrossAuthor& b) {
  if (!a.voice.empty() && a.voice == b.voice) return true;
  // Test writers see no result and no other writer, so equal names are chance.
  if (a.kind != AuthorKind::result || b.kind != AuthorKind::result) return false;
  if (a.tests.size() != b.tests.size() || a.tests.empty()) return false;
  for (std::size_t i = 0; i < a.tests.size(); ++i)
    if (a.tests[i].name != b.tests[i].name) return false;
  std::map<std::string_view, const std::vector<Cell>*> outcomes;
  for (const auto& row : matrix.rows)
    if (row.author == a.name) outcomes[row.result] = &row.cells;
  return std::all_of(matrix.rows.begin(), matrix.rows.end(), [&](const auto& row) {
    if (row.author != b.name) return true;
    const auto found = outcomes.find(row.result);
    return found != outcomes.end() && *found->second == row.cells;
  });
}

double voice_weight(const Selection::Voice& voice) {
  double most = 0;
  for (const auto* author : voice)
    for (const auto& test : author->tests) most = std::max(most, evidence_weight(test.klass));
  return most;
}

}  // namespace

model::Matrix classify(model::Matrix matrix) {
  for (const auto& author : matrix.authors) fail_lone_gaps(matrix, author);
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
  find_voices();
}

void Selection::find_voices() {
  for (const auto& author : matrix_.authors) {
    const auto same = std::find_if(voices_.begin(), voices_.end(), [&](const Voice& voice) {
      return std::any_of(voice.begin(), voice.end(),
                         [&](const auto* other) { return same_voice(matrix_, *other, author); });
    });
    if (same == voices_.end())
      voices_.push_back({&author});
    else
      same->push_back(&author);
  }
  for (const auto& row : matrix_.rows) {
    auto& shares = shares_[row.result];
    if (shares.empty())
      for (const auto& voice : voices_) shares.push_back(mean_share(voice, row.result));
  }
}

bool Selection::is_own(const Voice& voice, std::string_view result) const {
  return std::any_of(voice.begin(), voice.end(),
                     [&](const auto* author) { return scoring::is_own(*author, result); });
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

std::optional<double> Selection::share(const Voice& voice, std::string_view result) const {
  const auto found = shares_.find(result);
  if (found == shares_.end()) return std::nullopt;
  return found->second.at(static_cast<std::size_t>(&voice - voices_.data()));
}

std::optional<double> Selection::mean_share(const Voice& voice, std::string_view result) const {
  double sum = 0;
  std::int64_t authors = 0;
  for (const auto* author : voice) {
    const auto found = tally(result, *author);
    if (found.weight <= 0) continue;
    sum += found.weight_passed / found.weight;
    ++authors;
  }
  return authors == 0 ? std::nullopt : std::optional(sum / static_cast<double>(authors));
}

std::optional<double> Selection::share_of_others(const Voice& voice) const {
  double sum = 0;
  std::int64_t results = 0;
  for (const auto& [result, shares] : shares_) {
    const auto found =
        result == model::kBaseline || is_own(voice, result) ? std::nullopt : share(voice, result);
    if (!found) continue;
    sum += *found;
    ++results;
  }
  return results == 0 ? std::nullopt : std::optional(sum / static_cast<double>(results));
}

namespace {

/// Shares of voices, by weight, and the half share that keeps few voices from a certain verdict.
struct Shares {
  double sum = 0.5, weights = 1;
  void add(const Selection::Voice& voice, std::optional<double> share) {
    if (!share) return;
    sum += voice_weight(voice) * *share;
    weights += voice_weight(voice);
  }
  [[nodiscard]] double points() const { return sum / weights * 100; }
};

}  // namespace

std::optional<double> Selection::points(std::string_view result) const {
  if (!has_evidence_) return std::nullopt;
  Shares shares;
  for (const auto& voice : voices_)
    shares.add(voice, is_own(voice, result) ? share_of_others(voice) : share(voice, result));
  return shares.points();
}

double Selection::points_against(std::string_view result, std::string_view other) const {
  Shares shares;
  for (const auto& voice : voices_)
    if (!is_own(voice, result) && !is_own(voice, other)) shares.add(voice, share(voice, result));
  return shares.points();
}

bool Selection::fails_tests_of(std::string_view result, std::string_view other) const {
  return std::any_of(voices_.begin(), voices_.end(), [&](const Voice& voice) {
    if (!is_own(voice, other) || is_own(voice, result)) return false;
    return std::any_of(voice.begin(), voice.end(),
                       [&](const auto* author) { return tally(result, *author).failed > 0; });
  });
}

bool Selection::tested_by_nobody(std::string_view result) const {
  return std::none_of(voices_.begin(), voices_.end(), [&](const Voice& voice) {
    return !is_own(voice, result) && share(voice, result).has_value();
  });
}

namespace {

std::int64_t passed_tests(const Selection& selection, const CrossAuthor& author, std::string_view result) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < author.tests.size(); ++i)
    if (evidence_weight(author.tests[i].klass) > 0 && selection.cell(result, author, i) == Cell::pass)
      ++count;
  return count;
}

}  // namespace

std::int64_t Selection::own_tests(std::string_view result) const {
  std::int64_t count = 0;
  for (const auto& author : matrix_.authors)
    if (scoring::is_own(author, result)) count += passed_tests(*this, author, result);
  return count;
}

std::int64_t Selection::brought_tests(std::string_view result) const {
  std::int64_t count = 0;
  for (const auto& author : matrix_.authors)
    if (contains(author.members, result)) count += passed_tests(*this, author, result);
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
