// cli: the timeline of a race: its stored events as steps, and the critical path. Pure.
#pragma once

#include "base/result.hpp"
#include "cli/render/style.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::cli {

/// A stored event of a race's stream (docs/api.md).
struct TimedEvent {
  std::string kind, data;  ///< `data`: the JSON object, with at_ms
};

/// Times are milliseconds since the creation of the race.
struct TimelineStep {
  std::string who;   ///< an agent, a subject of checks ("@baseline"), or empty: the race
  std::string step;  ///< "agent", "capture", "tests", ...
  std::int64_t start_ms = 0, end_ms = 0;
  bool critical = false;  ///< whether the step is on the critical path

  friend bool operator==(const TimelineStep&, const TimelineStep&) = default;
};

/// Returns steps by their ends; an untimed step starts at its owner's previous end. Critical are the last
/// step, the last to end before its start, and so on to the begin. `protocol` for data that is not JSON.
Result<std::vector<TimelineStep>> timeline_of(const std::vector<TimedEvent>& events);

std::string timeline_block(const std::vector<TimelineStep>& steps, const Style& style);
/// Returns {"race", "total_ms", "critical_ms", "steps": [...]}; total minus critical is time in which no step
/// that the end needed was running.
std::string timeline_json(const std::string& race, const std::vector<TimelineStep>& steps);

}  // namespace hydra::cli
