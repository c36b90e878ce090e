// The evidence that distinguishes a race's results, as the API shows it (docs/api.md, "Evidence").
#include "race/state/cross.hpp"
#include "race/state/gating.hpp"
#include "race/state/selection.hpp"
#include "race/views/view_parts.hpp"
#include "scoring/selection.hpp"

#include <algorithm>

namespace hydra::race::detail {

using model::TestClass;

namespace {

constexpr std::size_t kMostCells = 20'000;  ///< limit of tests over all rows; beyond it rows have only counts

wire::EvidenceAuthor author_view(const model::CrossAuthor& author) {
  wire::EvidenceAuthor out;
  out.author = author.name;
  out.kind = author.kind;
  out.members = author.members;
  out.void_reason = author.voided;
  out.tests = static_cast<std::int64_t>(author.tests.size());
  const auto count = [&](auto... classes) {
    return std::count_if(author.tests.begin(), author.tests.end(),
                         [&](const auto& test) { return ((test.klass == classes) || ...); });
  };
  out.fails_before = count(TestClass::fails_before, TestClass::no_contact_before, TestClass::alone);
  out.no_contact_before = count(TestClass::no_contact_before);
  out.passes_before = count(TestClass::passes_before);
  out.alone = count(TestClass::alone);
  out.void_ = count(TestClass::voided);
  return out;
}

wire::EvidenceCell cell_view(const scoring::Selection& selection, const model::CrossAuthor& author,
                             const model::CrossRow& row, bool with_tests) {
  const auto found = selection.tally(row.result, author);
  wire::EvidenceCell out{row.result,     row.author,    row.log, found.passed, found.failed, found.no_contact,
                         found.unstable, found.not_run, {}};
  if (!with_tests) return out;
  for (std::size_t i = 0; i < author.tests.size(); ++i) {
    const auto& test = author.tests[i];
    out.tests.push_back(
        {test.name, test.file, test.klass, test.reason, selection.cell(row.result, author, i), row.log});
  }
  return out;
}

}  // namespace

wire::Evidence matrix_view(const State& state) {
  const auto matrix = scoring::classify(matrix_of(state));
  wire::Evidence out;
  out.state = matrix.state;
  out.reason = matrix.reason;
  if (!state.matrix && matrix.reason.empty()) {
    out.reason = asks_further(state.spec.config.evaluation) ? "no_new_tests" : "off";
  }
  const scoring::Selection selection(matrix);
  std::size_t cells = 0;
  for (const auto& row : matrix.rows) cells += row.cells.size();
  for (const auto& author : matrix.authors) {
    out.authors.push_back(author_view(author));
    for (const auto& row : matrix.rows)
      if (row.author == author.name)
        out.cells.push_back(cell_view(selection, author, row, cells <= kMostCells));
  }
  if (state.ranking) out.clusters = state.ranking->clusters;
  out.points_configured = selection.has_evidence();
  if (!out.points_configured) out.points_reason = "no_tests_fail_before";
  return out;
}

std::optional<wire::Confidence> confidence_view(const model::ResultConfidence& confidence,
                                                const league::Calibration* calibration) {
  if (confidence.word == model::Belief::not_ranked) return std::nullopt;
  wire::Confidence out;
  out.word = confidence.word;
  out.text = confidence.text;
  out.range = confidence.range;
  out.facts = confidence.facts;
  if (const auto* own = calibration ? calibration->of(std::string(name(out.word))) : nullptr) {
    out.probability = own->share;
    out.n = own->n;
    out.interval = own->interval;
    out.brier = calibration->brier;
    out.outcome_races = calibration->races;
  }
  return out;
}

}  // namespace hydra::race::detail
