// scoring: what the tests of a race's authors say of its results (docs/selection.md, rulings H23-H26). Pure.
#pragma once

#include "model/config.hpp"
#include "model/score.hpp"
#include "model/selection.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::scoring {

/// Fills in class and reason of every test, by the rows of the base and of the author's own code. A test that
/// came as void stays so. Idempotent.
model::Matrix classify(model::Matrix matrix);

/// By how much a test of this class counts: 1, 0.5 for `alone`, 0 for what is no evidence.
double evidence_weight(model::TestClass klass);

/// Cells of one author's evidence tests on one result.
struct Tally {
  std::int64_t passed = 0, failed = 0, no_contact = 0, unstable = 0, not_run = 0;
  double weight_passed = 0, weight = 0;  ///< of those that passed; of those that passed or failed
};

/// A classified matrix, to be asked. Views it: the matrix must outlive it.
class Selection {
 public:
  explicit Selection(const model::Matrix& classified);

  [[nodiscard]] const model::Matrix& matrix() const { return matrix_; }
  /// Whether any author has a test that counts. Without one, evidence is not configured for this race.
  [[nodiscard]] bool has_evidence() const { return has_evidence_; }
  [[nodiscard]] model::Cell cell(std::string_view result, const model::CrossAuthor& author,
                                 std::size_t test) const;
  /// Null: nobody ran this author's tests there.
  [[nodiscard]] const model::CrossRow* row(std::string_view result, std::string_view author) const;
  /// Of tests that count only.
  [[nodiscard]] Tally tally(std::string_view result, const model::CrossAuthor& author) const;
  /// (sum of shares + 0.5) / (authors + 1) * 100 over the authors other than this result: of each, the
  /// weighted share of its tests that pass, among those that passed or failed. One author, one voice. Nothing
  /// where the race has no evidence.
  [[nodiscard]] std::optional<double> points(std::string_view result) const;
  /// Own tests that fail before and pass after.
  [[nodiscard]] std::int64_t own_tests(std::string_view result) const;
  /// Cells of all tests that count, as one text: equal texts behave the same.
  [[nodiscard]] std::string behaviour(std::string_view result) const;

 private:
  const model::Matrix& matrix_;
  std::map<std::pair<std::string_view, std::string_view>, const model::CrossRow*> rows_;
  bool has_evidence_ = false;
};

/// classify() and Selection::points() in one: for whoever has a matrix and one question.
std::optional<double> evidence_points(const model::Matrix& matrix, std::string_view result);

/// The word of docs/selection.md that these facts come to, its sentence, and the measured range.
model::ResultConfidence confidence(model::ConfidenceFacts facts, bool race_has_evidence);
/// The clauses behind the word, for people.
std::string facts_text(model::Belief word, const model::ConfidenceFacts& facts, bool race_has_evidence);

/// Why the winner is not merged by itself: what evidence lacks or says against it, or who else has something
/// to show. For people; empty: nothing of that, or nobody won.
std::string evidence_hold(const model::Ranking& ranking, const model::MergeConfig& config);

/// Each value replaced by the best one that it can't be told apart from: values are taken best first, and all
/// within `share` of the best one left, or within `least` of it, whichever is more, are one group. What
/// "best" is, `lower` says. Values finite and >= 0.
std::vector<double> level(std::span<const double> values, double share, double least, bool lower);

/// Noise of a race: durations within 10 % or 5 s, points of diff size within 5.
inline constexpr double kNoiseShare = 0.1, kNoiseMs = 5000, kNoiseDiffPoints = 5;

}  // namespace hydra::scoring
