// checks: makes the tree that a candidate's checks run on (docs/integrity.md): its commit with the protected
// paths of the base, as a commit of Hydra's store; and the tamper report of its diff.
#pragma once

#include "base/result.hpp"
#include "checks/cross_recipes.hpp"
#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/integrity.hpp"
#include "model/race_spec.hpp"

#include <string>
#include <vector>

namespace hydra::checks {

struct Candidate {
  std::string name;    ///< agent's name
  std::string commit;  ///< captured commit
  /// Ignore files whose new rules hide files of the result, also from linters.
  std::vector<std::string> hiding_rules;
  bool restore = true;  ///< false: checks run in the agent's own directory, where nothing can be restored
};

/// Returns the race's test command; lives no longer than `race`.
TestCommand test_command_of(const integrity::RaceRules& race, const model::ScoringConfig& scoring);

/// Blocking: asks git about three times, and four more times when something is restored.
Result<model::Integrity> inspect_candidate(integrity::KnownRules& known, const git::Store& store,
                                           const model::RaceSpec& spec, const Candidate& candidate);

/// Returns the finding, or one for a candidate that could not be inspected: checked as it is, and not
/// eligible.
model::Integrity or_not_inspected(Result<model::Integrity> found, const std::string& commit);

}  // namespace hydra::checks
