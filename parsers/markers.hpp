// parsers, inside: finds in one pass which of many short texts occur in a log, to decide which parsers run at
// all.
#pragma once

#include "parsers/parsers.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// Alternative texts: a group is found when any text occurs. Each text has at least four bytes and no line
/// end.
using MarkerGroup = std::vector<std::string_view>;

inline constexpr std::size_t kMarkerBytes = 4;  ///< minimum length of a marker

/// Finds which groups occur in a text. The text must outlive the search; the cost is linear in the text.
class MarkerSearch {
 public:
  MarkerSearch(std::string_view text, std::span<const MarkerGroup> groups);
  ~MarkerSearch();
  MarkerSearch(const MarkerSearch&) = delete;
  MarkerSearch& operator=(const MarkerSearch&) = delete;

  /// Searches the next piece, up to `end`, which must be even unless `end` is the text's own end.
  void read_to(std::size_t end);
  const std::vector<bool>& found() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

/// Returns the text that is rarer in logs; empty when both are too short for a marker.
std::string_view rarest_marker(std::string_view a, std::string_view b);

}  // namespace hydra::parsers
