// support: a step of a restore plan as a test writes it.
#pragma once

#include "integrity/protect/protected_paths.hpp"

#include <array>
#include <string>

namespace hydra::integrity::testing_support {

/// "remove conftest.py".
inline std::string words_of(const RestoreStep& step) {
  constexpr std::array<const char*, 5> kActions{"base", "remove", "keys", "flag", "items"};
  return std::string(kActions.at(static_cast<std::size_t>(step.action))) + " " + step.path;
}

}  // namespace hydra::integrity::testing_support
