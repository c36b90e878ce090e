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
/// Empty: eligible (H13, H19).
std::vector<std::string> ineligible_reasons(const model::ScoringConfig& config,
                                            const model::AgentEvidence& agent,
                                            const model::ScoreBreakdown& score);

}  // namespace hydra::scoring::detail
