#include "cli/tui/model.hpp"
#include "wire/history.hpp"
#include "wire/json.hpp"

#include <algorithm>

namespace hydra::cli::tui {

std::pair<std::int64_t, std::size_t> usual_time(std::string_view history, std::size_t most) {
  const auto page = wire::from_json<wire::History>(history).value_or({});
  std::vector<std::int64_t> times;
  for (const auto& race : page.races)
    if (race.state == "done" && race.created_ms > 0 && race.ended_ms > race.created_ms)
      times.push_back(race.ended_ms - race.created_ms);
  if (times.size() > most) times.erase(times.begin(), times.end() - static_cast<std::ptrdiff_t>(most));
  if (times.empty()) return {0, 0};
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return {*middle, times.size()};
}

}  // namespace hydra::cli::tui
