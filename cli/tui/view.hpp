// cli/tui: the model as a picture. Pure.
#pragma once

#include "cli/tui/model.hpp"
#include "cli/tui/picture.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hydra::cli::tui {

/// As large as model.size; `now_ms` by the clock of model.status_ms: running times are moved on.
Picture view(const Model& model, std::int64_t now_ms);

/// The agent whose row of the table stands in this row of the terminal (from 0); nothing beside the table.
std::optional<std::size_t> agent_at(const Model& model, std::size_t row);

/// The points in `columns` columns, each as high as the largest in its part; empty without points.
std::string sparkline(const std::vector<std::int64_t>& points, std::size_t columns, bool utf8);

/// "[####----] 45 %, about 3m left (7 earlier races)"; without earlier races how many agents have ended.
std::string progress_line(const Model& model, std::int64_t now_ms);

}  // namespace hydra::cli::tui
