#include "cli/json_fields.hpp"
#include "cli/tui/model.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::cli::tui {

std::pair<std::int64_t, std::size_t> usual_time(std::string_view history, std::size_t most) {
  const auto json = nlohmann::json::parse(history, nullptr, false);
  std::vector<std::int64_t> times;
  for (const auto& race : member(json, "races")) {
    const auto &begin = member(race, "created_ms"), &end = member(race, "ended_ms");
    if (text(race, "state") == "done" && begin.is_number_integer() && end.is_number_integer() &&
        end.get<std::int64_t>() > begin.get<std::int64_t>())
      times.push_back(end.get<std::int64_t>() - begin.get<std::int64_t>());
  }
  if (times.size() > most) times.erase(times.begin(), times.end() - static_cast<std::ptrdiff_t>(most));
  if (times.empty()) return {0, 0};
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return {*middle, times.size()};
}

}  // namespace hydra::cli::tui
