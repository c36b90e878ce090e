// race: small changes of the base by which tests are judged where tests are the task (docs/selection.md,
// "Races about tests"). Blocking: asks git.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hydra::race {

struct BaseMutant {
  std::string path, mode, text;
  std::string name;  ///< "calc.py:2: < becomes <="
};

/// Of the commit `base`. At most `most`, of functions that these tests (path and blob) call by name; where
/// they call none that is found, of files that they name. Empty: nothing of the product is found in them.
Result<std::vector<BaseMutant>> mutants_of_base(const integrity::RaceRules& rules, const git::Store& store,
                                                const std::string& base,
                                                const std::vector<std::pair<std::string, std::string>>& tests,
                                                int most);

}  // namespace hydra::race
