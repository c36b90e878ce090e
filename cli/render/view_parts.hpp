// cli, inside only: what several answers hold.
#pragma once

#include "cli/json_fields.hpp"
#include "cli/render/views.hpp"

namespace hydra::cli {

inline model::DiffStat diff(const nlohmann::json& json) {
  const auto& value = member(json, "diff");
  return {count(value, "lines_added"), count(value, "lines_removed"), count(value, "files_changed")};
}

inline std::vector<model::LeftOut> left_out(const nlohmann::json& json) {
  std::vector<model::LeftOut> rows;
  each(json, "left_out", [&](const nlohmann::json& item) {
    rows.push_back(
        {text(item, "path"), static_cast<std::uint64_t>(count(item, "bytes")), text(item, "reason")});
  });
  return rows;
}

}  // namespace hydra::cli
