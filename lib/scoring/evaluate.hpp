// scoring, inside: the steps of evaluate(). Each is a pure function of the evidence.
#pragma once

#include "scoring/engine.hpp"
#include "scoring/selection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::scoring::detail {

/// What the baseline lacks, one sentence each.
std::vector<std::string> baseline_notes(const model::ScoringConfig& config,
                                        const model::BaselineEvidence& baseline);

/// Finished by itself, whatever its exit code.
bool completed(const model::AgentEvidence& agent);
/// Captured, and changed more than white space (unless that is allowed).
bool has_change(const model::ScoringConfig& config, const model::AgentEvidence& agent);
/// The tests passed by their exit code alone, where the baseline's were counted: what ran is not known, so
/// nothing is verified. Its points stay (H11). A longer chain of runners than that of a baseline that failed
/// is no such case, as long as every test of the baseline is seen to do no worse.
bool tests_unseen(const model::BaselineEvidence& baseline, const model::AgentEvidence& agent,
                  const model::DimensionScore& tests);
/// Empty: eligible (H13, H19).
std::vector<std::string> ineligible_reasons(const model::ScoringConfig& config,
                                            const model::BaselineEvidence& baseline,
                                            const model::AgentEvidence& agent,
                                            const model::ScoreBreakdown& score);

/// One race being ranked, step by step. Rows of both lists belong together, in the order of the input.
struct Race {
  const model::ScoringConfig& config;
  const model::BaselineEvidence& baseline;
  const std::vector<model::AgentEvidence>& agents;
  const Selection& selection;
  std::vector<model::RankedAgent>& ranked;
};
/// Whose checks these are: identical trees share them.
const std::string& code_of(const model::AgentEvidence& agent);
/// Passes something that fails without the change, whoever wrote it.
bool shows_something(const model::ConfidenceFacts& facts);
/// What others with something to show pass beside each result: `broken_alone`, `out_of_contact`
/// (lib/scoring/hold.cpp).
void add_what_others_pass(const Race& race, const std::vector<TestComparison>& compared,
                          std::vector<model::ConfidenceFacts>& facts);
/// `rivals` of each result. `behaviour`: equal texts are alike on all tests that count and on the base's.
void add_rivals(const Race& race, const std::vector<TestComparison>& compared,
                const std::vector<std::string>& behaviour, std::vector<model::ConfidenceFacts>& facts);

/// "1 test", "2 tests"; "a", "a and b", "a, b and c".
std::string number_of(std::int64_t n, std::string_view what);
std::string names(const std::vector<std::string>& list);

/// Fills in `evidence` and `confidence` of every row, and what the race's ranking says beside its order:
/// evidence, clusters, contested tests.
void add_evidence(const Race& race, model::Ranking& out);

/// What an order is made of: indices into the rows, best first, and whether one of them is tied with the one
/// before.
struct Placed {
  std::vector<std::size_t> order;
  std::vector<bool> tied;
};
/// The specification's plain order (H16, H19).
Placed order_by_composite(const Race& race);
/// Evidence first, points for ties; noise and identical trees are ties (H23, H24).
Placed order_by_evidence(const Race& race, bool race_has_evidence);
/// Undecided results (AgentEvidence) behind the last one that passes something, before those that pass
/// nothing.
void place_undecided(const Race& race, bool race_has_evidence, Placed& placed);
/// "fastest of 3 that nothing tells apart"; empty: something speaks for `winner`, or nobody else is like it.
std::string remark_on(const Race& race, std::size_t winner);

}  // namespace hydra::scoring::detail
