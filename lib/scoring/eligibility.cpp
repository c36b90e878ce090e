// Eligibility (H13, H19). The composite is never changed: an ineligible agent ranks below, with its points
// shown.
#include "scoring/evaluate.hpp"

#include <algorithm>

namespace hydra::scoring::detail {
namespace {

using model::Ineligible;

}  // namespace

bool completed(const model::AgentEvidence& agent) { return ended_well(agent.outcome); }

bool has_change(const model::ScoringConfig& config, const model::AgentEvidence& agent) {
  return agent.capture && agent.capture->changed && (config.allow_trivial || !agent.capture->trivial);
}

std::vector<Ineligible> ineligible_reasons(const model::ScoringConfig& config,
                                           const model::BaselineEvidence& baseline,
                                           const model::AgentEvidence& agent,
                                           const model::ScoreBreakdown& score) {
  std::vector<Ineligible> reasons;
  // The words of both enumerations are the same, but for the outcome of a run that goes on.
  if (!completed(agent)) reasons.push_back(model::of_name<Ineligible>(model::name(agent.outcome)));
  if (!agent.capture) {
    reasons.push_back(Ineligible::capture_failed);
  } else if (!agent.capture->changed) {
    reasons.push_back(Ineligible::no_changes);
  } else if (agent.capture->trivial && !config.allow_trivial) {
    reasons.push_back(Ineligible::trivial);
  }
  if (config.build_command && score.dimensions[model::index(model::Dimension::build)].points <= 0)
    reasons.push_back(Ineligible::build_failed);
  const bool contradicted = std::any_of(score.dimensions.begin(), score.dimensions.end(), [](const auto& d) {
    return d.reason == model::ScoreReason::unverified;
  });
  if (contradicted || tests_unseen(baseline, agent, score.dimensions[model::index(model::Dimension::tests)]))
    reasons.push_back(Ineligible::unverified);
  reasons.insert(reasons.end(), agent.doubts.begin(), agent.doubts.end());
  return reasons;
}

}  // namespace hydra::scoring::detail
