#include "cli/app.hpp"

namespace hydra::cli {

std::vector<Verb> all_verbs() {
  return {race_verb(), status_verb(), results_verb()};
}

}  // namespace hydra::cli
