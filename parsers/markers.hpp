// parsers, inside: which of many short texts occur in a log, in one pass over it. Decides which parsers are
// asked at all.
#pragma once

#include "parsers/parsers.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// One entry a group: the texts of which one must occur. Each text has at least four bytes and no line end.
using MarkerGroup = std::vector<std::string_view>;

inline constexpr std::size_t kMarkerBytes = 4;  ///< a marker's least length

/// For every group whether one of its texts occurs in a text, which must outlive the search. Linear in it.
class MarkerSearch {
 public:
  MarkerSearch(std::string_view text, std::span<const MarkerGroup> groups);
  ~MarkerSearch();
  MarkerSearch(const MarkerSearch&) = delete;
  MarkerSearch& operator=(const MarkerSearch&) = delete;

  /// The text is searched in pieces, one behind the other: up to `end`, even but for the text's own.
  void read_to(std::size_t end);
  const std::vector<bool>& found() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

/// The one that is rarer in logs; empty where both are too short for a marker.
std::string_view rarest_marker(std::string_view a, std::string_view b);

}  // namespace hydra::parsers
