#include "cli/render/views.hpp"

#include <nlohmann/json.hpp>

namespace hydra::cli {

std::vector<NamedCheck> checks_of(const wire::Baseline& baseline) {
  std::vector<NamedCheck> checks;
  for (const auto& [name, check] :
       {std::pair{"build", &baseline.build}, {"tests", &baseline.tests}, {"lint", &baseline.lint}})
    if (*check) checks.push_back({**check, name});
  return checks;
}

const wire::Dimension& dimension_of(const wire::AgentResult& agent, const char* name) {
  static const wire::Dimension kNone;
  const auto found = agent.dimensions.find(name);
  return found == agent.dimensions.end() ? kNone : found->second;
}

std::vector<NamedCheck> checks_of(const wire::AgentResult& agent) {
  std::vector<NamedCheck> checks;
  for (const char* name : kCheckNames) {
    const auto run = agent.runs.find(name);
    const auto& dimension = dimension_of(agent, name);
    const auto& check = dimension.detail.check;
    const bool ran = run != agent.runs.end();
    // After a failed set-up no check ran, so the attempt is the set-up's.
    const bool prepared =
        dimension.reason != model::ScoreReason::not_started || !check || check->attempt.empty();
    if (!ran && prepared) continue;
    const auto status = ran ? run->second.status : model::CheckStatus::not_started;
    checks.push_back({{check.value_or(wire::Check{}), status, {}}, name});
  }
  return checks;
}

std::string pretty_json(std::string_view text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::string(text);
  return json.dump(2) + "\n";
}

}  // namespace hydra::cli
