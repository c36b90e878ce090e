// cli, inside only: what several answers hold.
#pragma once

#include "cli/json_fields.hpp"
#include "cli/render/views.hpp"

namespace hydra::cli {

inline DiffView diff(const nlohmann::json& json) {
  const auto& value = member(json, "diff");
  return {count(value, "lines_added"), count(value, "lines_removed"), count(value, "files_changed")};
}

inline std::vector<LeftOutView> left_out(const nlohmann::json& json) {
  std::vector<LeftOutView> rows;
  each(json, "left_out", [&](const nlohmann::json& item) {
    rows.push_back({text(item, "path"), text(item, "reason"), count(item, "bytes")});
  });
  return rows;
}

}  // namespace hydra::cli
