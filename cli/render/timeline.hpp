// cli: where a race's time went: its stored events as steps, and the chain of them that it waited for. Pure.
#pragma once

#include "base/result.hpp"
#include "cli/render/style.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// A stored event as the stream of a race tells it (docs/api.md).
struct TimedEvent {
  std::string kind, data;  ///< `data`: the JSON object, with at_ms
};

/// Times are milliseconds since the race was created.
struct TimelineStep {
  std::string who;   ///< an agent, a subject of checks ("@baseline"), or empty: the race
  std::string step;  ///< "agent", "capture", "tests", ...
  std::int64_t start_ms = 0, end_ms = 0;
  bool critical = false;  ///< one of the chain that the end had to wait for

  friend bool operator==(const TimelineStep&, const TimelineStep&) = default;
};

/// In the order in which they ended. A step that was timed (agents, checks) starts when it did; any other
/// when the step of the same agent or subject before it ended (its first one: the last of the race itself),
/// and one of the race when any did. Critical is the last step, the one that ended last before it started,
/// and so on to the begin: it was either what the step needed or what had its place. `protocol` for data that
/// is not JSON.
Result<std::vector<TimelineStep>> timeline_of(const std::vector<TimedEvent>& events);

std::string timeline_block(const std::vector<TimelineStep>& steps, const Style& style);
/// {"race", "total_ms", "critical_ms", "steps": [...]}: in the total beyond `critical_ms` nothing was under
/// way that the end waited for.
std::string timeline_json(const std::string& race, const std::vector<TimelineStep>& steps);

}  // namespace hydra::cli
