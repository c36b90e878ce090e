// scoring: why the results of a race stand as they do, as sentences for people. Code decides by
// model::OrderReason.
#pragma once

#include "model/score.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hydra::scoring {

/// Returns "codex above claude: fixes 2 more failing tests".
std::string reason_text(const model::OrderReason& reason, std::string_view above, std::string_view below);

/// Returns "codex wins: fixes 2 of 2 failing tests with 12 lines; claude breaks 1 test; 2 others change
/// nothing."; empty without results. `lines`: added and removed by each agent; `final`: verification has
/// ended.
std::string verdict(const model::Ranking& ranking, const std::map<std::string, std::int64_t>& lines,
                    bool final);

}  // namespace hydra::scoring
