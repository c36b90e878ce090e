// model: variables of a race's frozen environment. Pure.
#pragma once

#include "model/race_spec.hpp"

#include <string>
#include <string_view>

namespace hydra::model {

/// The value of PATH, HOME, … that the race was started with; empty: it has none. Secrets are not among them.
inline std::string variable(const RaceSpec& spec, std::string_view name) {
  for (const auto& [key, value] : spec.environment)
    if (key == name) return value;
  return {};
}

}  // namespace hydra::model
