// cli: follows a race to its end: a live table on a terminal, else a line or JSON object per event.
#pragma once

#include "cli/context.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hydra::cli {

struct FollowOptions {
  bool json = false;
  std::optional<std::int64_t> after{};  ///< id of the last known event; absent: from the beginning
  bool redraw = true;                   ///< whether to show a live table if the terminal can
  /// Use of the full screen, if the terminal can: `with_race` leaves it at the race's end unless a key was
  /// pressed.
  enum class Screen { none, with_race, stays } screen = Screen::none;
};

/// Follows until the race has ended, then prints the results; returns the exit code. Reconnects, also after a
/// restart of the daemon. Ctrl-C leaves the race running and says so; a second one cancels the race.
Result<int> follow_race(Context& context, client::Client client, const std::string& race,
                        const FollowOptions& options);

/// Fetches and prints the results; returns the exit code.
Result<int> print_results(Context& context, client::Client& client, const std::string& race, bool json);

}  // namespace hydra::cli
