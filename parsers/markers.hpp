// parsers, inside: which of many short texts occur in a log, in one pass over it. Decides which parsers are
// asked at all.
#pragma once

#include "parsers/parsers.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// One entry a group: the texts of which one must occur. Each text has at least four bytes and no line end.
using MarkerGroup = std::vector<std::string_view>;

inline constexpr std::size_t kMarkerBytes = 4;  ///< a marker's least length

/// For every group whether one of its texts occurs in `text`. Linear in `text`.
std::vector<bool> groups_in(std::string_view text, std::span<const MarkerGroup> groups,
                            const LeftBehind& left = {});

/// The one that is rarer in logs; empty where both are too short for a marker.
std::string_view rarest_marker(std::string_view a, std::string_view b);

}  // namespace hydra::parsers
