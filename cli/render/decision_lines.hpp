// cli: what people decided about a race, and results that wait for such a word (docs/integrity.md).
#pragma once

#include "wire/results.hpp"

#include <string>

namespace hydra::cli {

/// "own tests 5 of 5, 3 of the base's could not be loaded (a, b): needs your decision".
/// Unsanitized: names are an agent's.
std::string undecided_words(const wire::Undecided& undecided);
/// "Decided by Ada <ada@example.org>, 2026-11-22: accept build_file:CMakeLists.txt". Unsanitized.
std::string decision_words(const wire::Decision& decision);
/// Whoever git says runs this command: "Ada <ada@example.org>"; empty where git knows nobody.
std::string decider();

}  // namespace hydra::cli
