// cli: people's decisions about a race, and results that wait for a decision (docs/integrity.md).
#pragma once

#include "wire/results.hpp"

#include <string>

namespace hydra::cli {

/// Returns "own tests 5 of 5, 3 of the base's could not be loaded (a, b): needs your decision".
/// The text is not sanitised: names come from an agent.
std::string undecided_words(const wire::Undecided& undecided);
/// Returns "Decided by Ada <ada@example.org>, 2026-11-22: accept build_file:CMakeLists.txt", not sanitised.
std::string decision_words(const wire::Decision& decision);
/// Returns git's identity of the user, "Ada <ada@example.org>"; empty if git has none.
std::string decider();

}  // namespace hydra::cli
