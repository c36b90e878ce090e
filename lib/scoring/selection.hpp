// scoring: cross tests, the evidence of the race's authors about its results (docs/selection.md, rulings
// H23-H26). Every function is pure.
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

/// Sets class and reason of every test from the rows of the base and of the author's own code; a void test
/// stays void. A result that alone lacks an interface fails the tests that others run on theirs (H35).
/// Idempotent.
model::Matrix classify(model::Matrix matrix);

/// Returns the weight of a test class: 1, 0.5 for `alone`, 0 for classes that are no evidence.
double evidence_weight(model::TestClass klass);

/// Cells of one author's evidence tests on one result.
struct Tally {
  std::int64_t passed = 0, failed = 0, no_contact = 0, unstable = 0, not_run = 0;
  double weight_passed = 0, weight = 0;  ///< weight of passed tests; of passed and failed tests
};

/// Queries on a classified matrix, which must outlive this view.
class Selection {
 public:
  explicit Selection(const model::Matrix& classified);
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  [[nodiscard]] const model::Matrix& matrix() const { return matrix_; }
  /// Whether any author has a test that counts; if none has, evidence is not configured for this race.
  [[nodiscard]] bool has_evidence() const { return has_evidence_; }
  [[nodiscard]] model::Cell cell(std::string_view result, const model::CrossAuthor& author,
                                 std::size_t test) const;
  /// Returns the row of this author's tests on this result; null: the tests did not run there.
  [[nodiscard]] const model::CrossRow* row(std::string_view result, std::string_view author) const;
  /// Counts only tests with weight above 0.
  [[nodiscard]] Tally tally(std::string_view result, const model::CrossAuthor& author) const;
  /// Authors with one opinion: attempts of an entry, or the same tests with the same outcomes.
  using Voice = std::vector<const model::CrossAuthor*>;
  [[nodiscard]] const std::vector<Voice>& voices() const { return voices_; }
  /// Whether the result, or another one of its product, has the tests of this voice.
  [[nodiscard]] bool is_own(const Voice& voice, std::string_view result) const;

  /// Returns the mean share of the voice's authors; nullopt: no test passed or failed there.
  [[nodiscard]] std::optional<double> share(const Voice& voice, std::string_view result) const;

  /// Returns (sum of weight * share + 0.5) / (sum of weights + 1) * 100 over the voices; nullopt: no evidence
  /// in the race. A share is the weighted share of passed among passed and failed tests. The own voice has
  /// the mean share of the other results (H33); a voice whose tests are all `alone` has half weight.
  [[nodiscard]] std::optional<double> points(std::string_view result) const;
  /// Returns the points of `result` by voices of neither result, to compare the two (H33); 50 without any.
  [[nodiscard]] double points_against(std::string_view result, std::string_view other) const;
  /// Whether the result fails a test that counts and belongs to the other's product, not to its own.
  [[nodiscard]] bool fails_tests_of(std::string_view result, std::string_view other) const;
  /// Whether no test of another voice passed or failed on this result.
  [[nodiscard]] bool tested_by_nobody(std::string_view result) const;
  /// Returns the number of tests of the result's product that fail on the base and pass on the result.
  [[nodiscard]] std::int64_t own_tests(std::string_view result) const;
  /// Returns those of own_tests() that the result itself contains.
  [[nodiscard]] std::int64_t brought_tests(std::string_view result) const;
  /// Returns the cells of all tests that count as one text: equal texts mean equal behaviour.
  [[nodiscard]] std::string behaviour(std::string_view result) const;

 private:
  [[nodiscard]] std::optional<double> mean_share(const Voice& voice, std::string_view result) const;
  [[nodiscard]] std::optional<double> share_of_others(const Voice& voice) const;
  void find_voices();

  const model::Matrix& matrix_;
  std::vector<Voice> voices_;
  std::map<std::string_view, std::vector<std::optional<double>>> shares_;  ///< by result, of each voice
  std::map<std::pair<std::string_view, std::string_view>, const model::CrossRow*> rows_;
  bool has_evidence_ = false;
};

/// Combines classify() and Selection::points() for a single question.
std::optional<double> evidence_points(const model::Matrix& matrix, std::string_view result);

/// Returns the confidence word of docs/selection.md, its sentence and the measured range.
model::ResultConfidence confidence(model::ConfidenceFacts facts, bool race_has_evidence);
/// Returns the clauses behind the word, for people.
std::string facts_text(model::Belief word, const model::ConfidenceFacts& facts, bool race_has_evidence);

/// Returns "tied with b (picked by size)" or "undecided between a and b: each fails a valid test of the
/// other". For people; empty: a winner, or no result is eligible.
std::string decision_text(const model::Ranking& ranking);

/// Returns why the winner is not merged automatically: missing or contrary evidence. For people; empty: no
/// such reason, or no winner.
std::string evidence_hold(const model::Ranking& ranking,
                          model::EvidenceFloor floor = model::EvidenceFloor::some);
/// The same; a tie and a rival with something to show are reasons too.
std::string auto_merge_hold(const model::Ranking& ranking,
                            model::EvidenceFloor floor = model::EvidenceFloor::some);

/// Groups indistinguishable values: the best value left and all within `share` of it or `least`, whichever is
/// more, become that best value. `lower`: smaller is better. Values finite and >= 0.
std::vector<double> level(std::span<const double> values, double share, double least, bool lower);

/// Noise of a race: 10 % or 5 s of duration, 5 points of diff size.
inline constexpr double kNoiseShare = 0.1, kNoiseMs = 5000, kNoiseDiffPoints = 5;

}  // namespace hydra::scoring
