// race: how each point of a result came to be, and what keeps it honest (docs/integrity.md). Pure.
#pragma once

#include "league/calibration.hpp"
#include "race/state/state.hpp"
#include "wire/results.hpp"

#include <string>

namespace hydra::race {

/// Every dimension of one agent with formula, inputs, commands and evidence; what was restored and flagged.
/// The agent must exist.
wire::Explain explain(const State& state, const std::string& agent,
                      const league::Calibration* calibration = nullptr);

/// "100 for exit code 0, else 0": how the points of this dimension are computed.
std::string formula(model::Dimension dimension, const model::DimensionScore& score);

}  // namespace hydra::race
