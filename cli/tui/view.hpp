// cli/tui: draws the model as a picture. Pure.
#pragma once

#include "cli/tui/model.hpp"
#include "cli/tui/picture.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::cli::tui {

/// Returns a picture of model.size; `now_ms` by the clock of model.status_ms advances running times.
Picture view(const Model& model, std::int64_t now_ms);

/// Returns the agent whose table row is at this terminal row (from 0); nullopt: no table row.
std::optional<std::size_t> agent_at(const Model& model, std::size_t row);

/// Returns the points in `columns` columns, each as high as the maximum of its part; empty without points.
std::string sparkline(const std::vector<std::int64_t>& points, std::size_t columns, bool utf8);

/// Returns "[####----] 45 %, about 3m left (7 earlier races)"; without earlier races the number of ended
/// agents.
std::string progress_line(const Model& model, std::int64_t now_ms);

}  // namespace hydra::cli::tui
