// model: variables of a race's frozen environment. Pure.
#pragma once

#include "model/race_spec.hpp"

#include <string>
#include <string_view>

namespace hydra::model {

/// Returns PATH, HOME, … as they were when the race started; empty: not set. Secrets are not included.
inline std::string variable(const RaceSpec& spec, std::string_view name) {
  for (const auto& [key, value] : spec.environment)
    if (key == name) return value;
  return {};
}

}  // namespace hydra::model
