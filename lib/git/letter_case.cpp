#include "git/letter_case.hpp"

#include "base/strings.hpp"

namespace hydra::git {

bool ignores_case(const model::RepositoryFacts& facts) {
  for (const auto& [key, value] : facts.conversion) {
    if (key != kIgnoreCase) continue;
    const auto word = to_lower(trim(value));
    return word == "true" || word == "yes" || word == "on" || parse_int(word).value_or(0) != 0;
  }
  return false;
}

}  // namespace hydra::git
