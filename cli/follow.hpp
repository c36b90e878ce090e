// cli: following a race to its end: a live table on a terminal, else a line (or a JSON object) an event.
#pragma once

#include "cli/context.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hydra::cli {

struct FollowOptions {
  bool json = false;
  std::optional<std::int64_t> after{};  ///< id of the last event that is known; absent: from the beginning
  bool redraw = true;                   ///< a live table where the terminal can show one
  /// The whole terminal, where it can show that: `with_race` leaves it when the race ends and nobody pressed
  /// a key.
  enum class Screen { none, with_race, stays } screen = Screen::none;
};

/// Follows until the race has ended, then prints the results. The stream is taken up again where it broke,
/// also when the daemon was started anew. Ctrl-C leaves the race running and says so; a second one cancels
/// it. The exit code.
Result<int> follow_race(Context& context, client::Client client, const std::string& race,
                        const FollowOptions& options);

/// GET of the results and their printing. The exit code.
Result<int> print_results(Context& context, client::Client& client, const std::string& race, bool json);

}  // namespace hydra::cli
