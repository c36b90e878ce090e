#include "race/state/cross_inputs.hpp"

#include "race/state/gating.hpp"
#include "race/state/selection.hpp"

#include <algorithm>

namespace hydra::race {

constexpr int kMutantsOfBase = 12;  // where [selection] mutants says nothing

CrossInputs cross_inputs(const State& state) {
  CrossInputs inputs;
  const auto ranking = ranking_of(state);
  for (const auto& agent : state.agents) {
    const auto row = std::find_if(ranking.agents.begin(), ranking.agents.end(),
                                  [&](const auto& ranked) { return ranked.agent == agent.entry.name; });
    if (row == ranking.agents.end() || !row->eligible || !agent.capture) continue;
    const auto owner = check_owner(state, agent);
    if (std::any_of(inputs.results.begin(), inputs.results.end(),
                    [&](const auto& result) { return result.owner == owner; }))
      continue;
    const auto* integrity = integrity_of(state, agent);
    inputs.results.push_back({owner, integrity ? integrity->commit : agent.capture->commit});
    CrossInputs::Writer writer{owner, agent.capture->commit, model::AuthorKind::result, {}};
    for (const auto& finding : findings_of(state, agent))
      if (finding.severity == model::Severity::block) writer.blocked.insert(finding.path);
    inputs.writers.push_back(std::move(writer));
  }
  for (const auto& agent : state.agents) {
    if (!agent.entry.tester || !agent.capture || !agent.capture->changed || agent.cancelled) continue;
    if (!agent.integrity || !agent.integrity->error.empty()) continue;
    CrossInputs::Writer writer{agent.entry.name, agent.capture->commit, model::AuthorKind::tester, {}};
    for (const auto& finding : agent.integrity->findings)
      if (finding.severity == model::Severity::block) writer.blocked.insert(finding.path);
    inputs.writers.push_back(std::move(writer));
  }
  const int most = state.spec.config.selection.mutants;
  if (task_kind(state.spec) == model::TaskKind::tests) inputs.mutants = most > 0 ? most : kMutantsOfBase;
  const auto base = state.subjects.find(std::string(model::kBaseline));
  if (base != state.subjects.end()) {
    const auto& tests = base->second.checks.tests;
    inputs.base_named = finished(tests) && tests->tests && !tests->tests->tests.empty();
  }
  return inputs;
}

}  // namespace hydra::race
