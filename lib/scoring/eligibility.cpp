// Eligibility (H13, H19). The composite is never changed: an ineligible agent ranks below, with its points
// shown.
#include "scoring/evaluate.hpp"

#include <algorithm>

namespace hydra::scoring::detail {
namespace {

std::string_view outcome_reason(model::Outcome o) {
  if (o == model::Outcome::completed || o == model::Outcome::completed_with_warning) return "";
  return o == model::Outcome::unknown ? "unfinished" : model::name(o);
}

}  // namespace

bool completed(const model::AgentEvidence& agent) { return outcome_reason(agent.outcome).empty(); }

bool has_change(const model::ScoringConfig& config, const model::AgentEvidence& agent) {
  return agent.capture && agent.capture->changed && (config.allow_trivial || !agent.capture->trivial);
}

std::vector<std::string> ineligible_reasons(const model::ScoringConfig& config,
                                            const model::BaselineEvidence& baseline,
                                            const model::AgentEvidence& agent,
                                            const model::ScoreBreakdown& score) {
  std::vector<std::string> reasons;
  if (const auto why = outcome_reason(agent.outcome); !why.empty()) reasons.emplace_back(why);
  if (!agent.capture) {
    reasons.emplace_back("capture_failed");
  } else if (!agent.capture->changed) {
    reasons.emplace_back("no_changes");
  } else if (agent.capture->trivial && !config.allow_trivial) {
    reasons.emplace_back("trivial");
  }
  if (config.build_command && score.dimensions[model::index(model::Dimension::build)].points <= 0)
    reasons.emplace_back("build_failed");
  const bool contradicted = std::any_of(score.dimensions.begin(), score.dimensions.end(),
                                        [](const auto& d) { return d.reason == "unverified"; });
  if (contradicted || tests_unseen(baseline, agent, score.dimensions[model::index(model::Dimension::tests)]))
    reasons.emplace_back("unverified");
  reasons.insert(reasons.end(), agent.doubts.begin(), agent.doubts.end());
  return reasons;
}

}  // namespace hydra::scoring::detail
