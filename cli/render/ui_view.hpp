// cli: what the daemon says of the scoreboard.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hydra::cli {

struct UiView {
  int port = 0;  ///< 0: closed
  bool page = false;
  std::int64_t codes = 0, sessions = 0;  ///< links that nobody has used yet; who is signed in
};
struct OpenedView {
  std::string url, body;  ///< `body`: the answer as it came
  int port = 0;
  std::int64_t other_codes = 0;  ///< links of before that nobody has used
};

Result<UiView> parse_ui(std::string_view body);
Result<OpenedView> parse_opened(std::string_view body);

}  // namespace hydra::cli
