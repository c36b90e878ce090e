// scoring, inside: the steps of evaluate(). Each is a pure function of the evidence.
#pragma once

#include "scoring/engine.hpp"

#include <optional>
#include <string>
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

}  // namespace hydra::scoring::detail
