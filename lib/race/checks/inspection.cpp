#include "race/checks/inspection.hpp"

#include "integrity/report/tool_calls.hpp"
#include "model/capture_words.hpp"

#include <algorithm>

namespace hydra::race {

Inspection inspection_of(const State& state, const Layout& layout, const std::string& name) {
  const auto& agent = *state.agent(name);
  Inspection inspection;
  auto& candidate = inspection.candidate;
  candidate.name = name;
  candidate.commit = agent.capture->commit;
  candidate.restore = state.spec.config.workspace.checks != model::CheckPlace::in_place;
  for (const auto& flag : agent.capture->flags)
    if (const auto path = model::path_of(flag, model::kHidesFiles))
      candidate.hiding_rules.emplace_back(*path);
  inspection.combined = agent.workspace == kNoWorkspace;
  const auto& agents = state.spec.config.agents;
  if (const auto found = agents.find(agent.entry.id); found != agents.end())
    inspection.descriptor = found->second;
  const auto add = [&](int number) {
    inspection.logs.push_back(layout.attempt(name, "agent", std::max(1, number)) / "stdout.log");
  };
  for (const auto& earlier : agent.earlier)
    if (earlier.same_work) add(earlier.number);
  add(agent.attempts);
  return inspection;
}

Result<model::Integrity> look_at_candidate(integrity::KnownRules& known, const git::Store& store,
                                           const model::RaceSpec& spec, Inspection inspection) {
  integrity::Transcript transcript;
  if (inspection.combined)
    transcript.unseen.emplace_back(
        "what the agents ran whose files it is made of: look at their own results");
  else
    transcript = integrity::read_transcript(inspection.descriptor, inspection.logs);
  inspection.candidate.calls = std::move(transcript.calls);
  HYDRA_TRY(auto integrity, checks::inspect_candidate(known, store, spec, inspection.candidate));
  integrity.unseen.insert(integrity.unseen.end(), transcript.unseen.begin(), transcript.unseen.end());
  return integrity;
}

model::Integrity or_not_inspected(Result<model::Integrity> found, const std::string& commit) {
  if (found.ok()) return std::move(*found);
  model::Integrity integrity;
  integrity.commit = commit;
  integrity.error = describe(found.error());
  return integrity;
}

}  // namespace hydra::race
