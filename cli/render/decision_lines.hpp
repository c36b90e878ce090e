// cli: what people decided about a race, and results that wait for such a word (docs/integrity.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hydra::cli {

/// "own tests 5 of 5, 3 of the base's could not be loaded (a, b): needs your decision"; empty for null.
/// Unsanitized: names are an agent's.
std::string undecided_words(const nlohmann::json& undecided);
/// "Decided by Ada <ada@example.org>, 2026-11-22: accept build_file:CMakeLists.txt". Unsanitized.
std::string decision_words(const nlohmann::json& decision);
/// Whoever git says runs this command: "Ada <ada@example.org>"; empty where git knows nobody.
std::string decider();

}  // namespace hydra::cli
