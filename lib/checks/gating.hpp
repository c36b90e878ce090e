// checks: what a candidate's checks run on (docs/integrity.md). Its commit with the protected paths as the
// base has them, made as a commit of Hydra's store; and the tamper report of its diff and of its tool calls.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "integrity/report/tamper.hpp"
#include "model/integrity.hpp"
#include "model/race_spec.hpp"

#include <string>
#include <vector>

namespace hydra::checks {

struct Candidate {
  std::string name;    ///< of the agent
  std::string commit;  ///< captured
  std::vector<integrity::ToolCall> calls;
  /// Ignore files whose new rules hide files of the result: linters obey them, too.
  std::vector<std::string> hiding_rules;
  bool restore = true;  ///< false: checks run in its own directory, nothing can be restored
};

/// Blocking: asks git some three times, and four more where something is restored.
Result<model::Integrity> inspect_candidate(integrity::KnownRules& known, const git::Store& store,
                                           const model::RaceSpec& spec, const Candidate& candidate);

}  // namespace hydra::checks
