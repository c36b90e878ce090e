// cli: lines from one descriptor, answers to another, in constant memory. Knows nothing of what is answered.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli::score {

inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;  ///< bytes, without the newline

struct LineHandler {
  std::function<void(std::string_view line, std::string& out)> line;
  std::function<void(std::string& out)>
      too_long;  ///< once for a line beyond kLongestLine; the rest is dropped
};

/// Hands over every line, a last one without a newline too. Answers are written when no further whole line
/// has arrived, so that a peer that waits for its answer gets it, and in large pieces otherwise. `io` with
/// where = "input" or "output".
Result<void> answer_lines(int input, int output, const LineHandler& handler);

}  // namespace hydra::cli::score
