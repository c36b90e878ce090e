#include "checks/episodes.hpp"

#include "base/fd.hpp"
#include "base/regular_file.hpp"
#include "base/strings.hpp"
#include "scoring/arena.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <concepts>
#include <fcntl.h>
#include <stdexcept>

namespace hydra::checks {
namespace {

namespace arena = scoring::arena;
using nlohmann::json;

constexpr const char* kFile = "verifier/episodes.jsonl";
constexpr std::size_t kMaxNamed = 3;  ///< invalid lines that the problem names

/// Throws for a member that is missing or of another kind.
template <class T>
T member(const json& from, const char* name) {
  constexpr bool flag = std::same_as<T, bool>;
  const auto found = from.find(name);
  if (found == from.end() || !(flag ? found->is_boolean() : found->is_number()))
    throw std::invalid_argument(fmt::format("{}: must be {}", name, flag ? "true or false" : "a number"));
  if constexpr (flag) return found->template get<bool>();
  const auto number = found->template get<double>();
  if constexpr (std::integral<T>)
    if (!(number >= 0 && number < 0x1p63 && std::trunc(number) == number))
      throw std::invalid_argument(fmt::format("{}: must be a whole number of at least 0", name));
  return static_cast<T>(number);
}

Result<arena::Played> game_of(const json& line) {
  std::vector<arena::Level> levels;
  double max_x = 0;
  for (const auto& each : *line.find("levels_reached")) {
    levels.push_back({member<std::int64_t>(each, "world"), member<std::int64_t>(each, "stage"),
                      member<double>(each, "max_x"), member<bool>(each, "completed")});
    max_x = std::max(max_x, levels.back().max_x);
  }
  const auto mode =
      line.value("mode", json()) == "sum" ? arena::FullGameMode::sum : arena::FullGameMode::furthest;
  const bool completed = member<bool>(line, "full_game_completed");
  const auto steps = member<std::int64_t>(line, "total_steps");
  HYDRA_TRY(const auto score, arena::score_full_game(mode, completed, levels, steps));
  return arena::Played{score.total, completed, steps, max_x};
}

Result<arena::Played> episode_of(const json& line) {
  const arena::Episode e{member<bool>(line, "completed"),           member<std::int64_t>(line, "world"),
                         member<std::int64_t>(line, "stage"),       member<double>(line, "max_x"),
                         member<std::int64_t>(line, "total_steps"), member<std::int64_t>(line, "coins"),
                         member<double>(line, "time_remaining")};
  HYDRA_TRY(const auto score, arena::score_episode(e));
  return arena::Played{score.total, e.completed, e.total_steps, e.max_x};
}

Result<arena::Played> played_of(std::string_view text) {
  const auto line = json::parse(text, nullptr, false);
  if (!line.is_object()) return Error{Errc::usage, "is no JSON object", {}, {}};
  try {
    return line.contains("levels_reached") ? game_of(line) : episode_of(line);
  } catch (const std::invalid_argument& e) {
    return Error{Errc::usage, e.what(), {}, {}};
  }
}

}  // namespace

Episodes read_episodes(const std::filesystem::path& reports) {
  Episodes out;
  const UniqueFd root(::open(reports.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!root) return out;
  const auto bytes = read_regular_file_at(root.get(), kFile, kMaxEpisodeBytes);
  if (!bytes) {
    if (bytes.error().code != Errc::not_found)
      out.problem = std::string(kFile) + " " + bytes.error().message + ": no episode counts";
    return out;
  }
  std::vector<arena::Played> played;
  std::string named;
  std::size_t number = 0, wrong = 0;
  for (const auto line : lines(*bytes)) {
    ++number;
    if (trim(line).empty()) continue;
    auto one = played.size() < kMaxEpisodes
                   ? played_of(line)
                   : Error{Errc::usage, fmt::format("is beyond {} episodes", kMaxEpisodes), {}, {}};
    if (one) {
      played.push_back(*one);
    } else if (++wrong <= kMaxNamed) {
      named += fmt::format("{}line {}: {}", wrong == 1 ? "" : "; ", number, describe(one.error()));
    }
  }
  if (wrong > 0)
    out.problem =
        fmt::format("{} of {} lines of {} do not count: {}", wrong, wrong + played.size(), kFile, named);
  if (!played.empty()) out.figures = arena::figures_of(played);
  return out;
}

}  // namespace hydra::checks
