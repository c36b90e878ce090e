// cli: what was measured of a result beside its score: mutants, and which changed lines its tests run.
#pragma once

#include "cli/render/style.hpp"
#include "model/measure.hpp"

#include <optional>
#include <string>

namespace hydra::cli {

/// One line without its end; empty: nothing was measured.
std::string measured_summary(const std::optional<model::MutantReport>& mutants,
                             const std::optional<model::CoverageReport>& coverage);

/// The same in full: what survived, and which lines never ran. Lines with their ends; may be empty.
std::string measured_text(const std::optional<model::MutantReport>& mutants,
                          const std::optional<model::CoverageReport>& coverage, const Style& style);

}  // namespace hydra::cli
