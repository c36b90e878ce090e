// scoring, inside: the steps of evaluate(). Each step is a pure function of the evidence.
#pragma once

#include "scoring/engine.hpp"
#include "scoring/selection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::scoring::detail {

inline constexpr std::string_view kExitCodeOnly = "exit_code_only";

/// Returns counts for the formula. An unknown total becomes the number of reported tests, an upper bound, so
/// that the pass rate is never too high.
std::optional<TestNumbers> numbers(const model::TestReport& report);
/// Whether the check passed or failed by itself.
bool ended(const std::optional<model::CheckEvidence>& check);
bool succeeded(const model::CheckEvidence& check);
/// Whether the output of a known runner was recognised.
bool recognised(const model::TestReport& report);
/// Whether a report is whole, without contradictions, and has counts.
bool readable(const model::TestReport& report);
/// Returns the base's report, if results can be compared with it; else null.
const model::TestReport* baseline_report(const model::BaselineEvidence& baseline);

/// Returns one sentence per gap of the baseline.
std::vector<std::string> baseline_notes(const model::ScoringConfig& config,
                                        const model::BaselineEvidence& baseline);

/// Whether the agent finished by itself, with any exit code.
bool completed(const model::AgentEvidence& agent);
/// Whether the captured change is more than white space, or white space is allowed.
bool has_change(const model::ScoringConfig& config, const model::AgentEvidence& agent);
/// Whether tests passed by exit code only although the baseline's were counted: nothing is verified, points
/// stay (H11). False for a longer chain of runners after a failed baseline if no test got worse.
bool tests_unseen(const model::BaselineEvidence& baseline, const model::AgentEvidence& agent,
                  const model::DimensionScore& tests);
/// Returns the reasons against eligibility (H13, H19); empty: eligible.
std::vector<model::Ineligible> ineligible_reasons(const model::ScoringConfig& config,
                                                  const model::BaselineEvidence& baseline,
                                                  const model::AgentEvidence& agent,
                                                  const model::ScoreBreakdown& score);

/// A race during ranking. Entries of `agents` and `ranked` correspond, in input order.
struct Race {
  const model::ScoringConfig& config;
  const model::BaselineEvidence& baseline;
  const std::vector<model::AgentEvidence>& agents;
  const Selection& selection;
  std::vector<model::RankedAgent>& ranked;
};
/// Returns the agent whose checks count for this agent: identical trees share checks.
const std::string& code_of(const model::AgentEvidence& agent);
/// Whether the result passes a test, of any author, that fails without the change.
bool shows_something(const model::ConfidenceFacts& facts);
/// Sets `broken_alone` and `out_of_contact`: what other results with evidence pass and this result does not
/// (lib/scoring/hold.cpp).
void add_what_others_pass(const Race& race, const std::vector<TestComparison>& compared,
                          std::vector<model::ConfidenceFacts>& facts);
/// Whether two results differ at most in their tests.
bool same_product(const model::AgentEvidence& a, const model::AgentEvidence& b);
/// Sets `rivals` of each result.
void add_rivals(const Race& race, const std::vector<TestComparison>& compared,
                std::vector<model::ConfidenceFacts>& facts);

/// Returns "1 test" or "2 tests"; names() returns "a", "a and b" or "a, b and c".
std::string number_of(std::int64_t n, std::string_view what);
std::string names(const std::vector<std::string>& list);

/// Sets `evidence` and `confidence` of every row, and evidence, clusters and contested tests of the ranking.
void add_evidence(const Race& race, model::Ranking& out);

/// An order: indices into the rows, best first, and for each why the previous row stands above it.
struct Placed {
  std::vector<std::size_t> order;
  std::vector<model::OrderReason> reasons;
  model::RaceDecision decision = model::RaceDecision::none;
  std::vector<std::size_t>
      with;  ///< rows that are tied with the first one; or all between which nothing decides
};
/// Returns the plain order by points (H16, H19).
std::vector<std::size_t> order_by_composite(const Race& race);
/// Returns the configured order. By evidence, points decide equal evidence, and noise and identical trees are
/// ties (H23, H24). Undecided results stand behind the last one that passes a test.
Placed place_rows(const Race& race, bool race_has_evidence);

}  // namespace hydra::scoring::detail
