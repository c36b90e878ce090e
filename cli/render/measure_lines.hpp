// cli: what was measured of a result beside its score: mutants, and which changed lines its tests run.
#pragma once

#include "cli/render/style.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace hydra::cli {

/// One line without its end, of the members `mutants` and `diff_coverage` of a result; empty: nothing was
/// measured.
std::string measured_summary(const nlohmann::json& agent);

/// The same in full: what survived, and which lines never ran. Lines with their ends; may be empty.
std::string measured_text(const nlohmann::json& agent, const Style& style);

}  // namespace hydra::cli
