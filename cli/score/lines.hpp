// cli: reads lines from one descriptor and writes answers to another, in constant memory. The contents of
// lines do not matter.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli::score {

inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;  ///< bytes, newline excluded

struct LineHandler {
  std::function<void(std::string_view line, std::string& out)> line;
  std::function<void(std::string& out)>
      too_long;  ///< called once for a line above kLongestLine, whose rest is dropped
};

/// Passes every line to `handler`, also a last one without newline. Output is flushed when no whole line is
/// left, so that an interactive peer gets its answer. `io`, where = "input" or "output".
Result<void> answer_lines(int input, int output, const LineHandler& handler);

}  // namespace hydra::cli::score
