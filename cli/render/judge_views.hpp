// cli: what judges and people say, and how often a word was right, out of the daemon's answers.
#pragma once

#include "cli/render/views.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace hydra::cli {

/// Of an agent's `judges` (docs/results.md, "Judges"); empty where that is null.
JudgesView judges_view(const nlohmann::json& judges);
/// Of a result's `confidence`; empty where own races say nothing yet.
OwnRacesView own_races_view(const nlohmann::json& confidence);

/// The same two of the JSON of `hydra explain`.
JudgesView parse_judges(std::string_view explanation);
OwnRacesView parse_own_races(std::string_view explanation);

}  // namespace hydra::cli
