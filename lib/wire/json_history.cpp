// Members of statistics over many races: history.hpp.
#include "wire/history.hpp"
#include "wire/request_members.hpp"

namespace hydra::wire {
namespace detail {

template <>
inline constexpr bool kInOrder<Leaderboard> = true;
template <>
inline constexpr bool kInOrder<History> = true;

HYDRA_WIRE(model::ArenaFigures, episodes, best_score, success_rate, avg_steps, avg_max_x, avg_score,
           std_score_population);
HYDRA_WIRE(model::LeaderboardRow, rank, entry, attempts, best, success_rate, mean, deviation, mean_seconds,
           cost_usd, interval, strength, tier, strength_interval, successes, lost, tasks, solved, tokens,
           priced_attempts, cost_per_solved, pass_at_k, pass_all_k, best_at_k, tasks_k, arena);
HYDRA_WIRE(model::Comparison, a, b, tasks, both, only_a, only_b, neither, p_value, difference,
           difference_interval, difference_tasks);
HYDRA_WIRE(Methods, order, best, deviation, interval, strength, strength_interval, tier, pass_at_k,
           pass_all_k, best_at_k, comparison);
HYDRA_WIRE(Leaderboard, schema, by, races, tasks, minimum, k, rows, comparison, notes, methods);
HYDRA_WIRE(model::HistoryVote, judge, stake, score);
struct Points {
  std::optional<double> build, tests, lint, diff_size, speed;
};
HYDRA_WIRE(Points, build, tests, lint, diff_size, speed);
HYDRA_LIST(model::HistoryAttempt) {
  HYDRA_MEMBERS(name, entry, agent);
  io("asked_model", v.asked);
  HYDRA_MEMBERS(model, version, attempt);
  HYDRA_MEMBERS(outcome, lost, eligible, success, solved);
  io.as(
      "rank", v.rank, [](int rank) { return rank > 0 ? std::optional(rank) : std::nullopt; },
      [](std::optional<int> rank) { return rank.value_or(0); });
  HYDRA_MEMBERS(tied, merged, changed, composite);
  io.as(
      "points", v.points,
      [](const auto& of) {
        return Points{of[0], of[1], of[2], of[3], of[4]};
      },
      [](const Points& of) {
        return std::array{of.build, of.tests, of.lint, of.diff_size, of.speed};
      });
  io("tests_fixed", v.fixed);
  io("tests_broken", v.broken);
  io("gained_share", v.gained);
  io("lost_share", v.damaged);
  HYDRA_MEMBERS(tokens, cost_usd, arena);
  io.seconds("duration_seconds", v.wall_ms);
  HYDRA_MEMBERS(confidence, rating);
  io("judges", v.judged);
  HYDRA_MEMBERS(merged_ms);
  io("merge_undone", v.undone);
  HYDRA_MEMBERS(votes);
}
HYDRA_LIST(model::HistoryRace) {
  using Labels = std::vector<std::pair<std::string, std::string>>;
  using ByKey = std::map<std::string, std::string>;
  HYDRA_MEMBERS(race, number, state, task, kind);
  io.as(
      "labels", v.labels, [](const Labels& labels) { return ByKey(labels.begin(), labels.end()); },
      [](const ByKey& labels) { return Labels(labels.begin(), labels.end()); });
  HYDRA_MEMBERS(root, repository, base, created_ms, ended_ms, attempts);
}
/// A line of `hydra export`: the members of both.
struct Exported {
  model::HistoryRace race;
  model::HistoryAttempt attempt;
};
HYDRA_LIST(Exported) {
  members(io, v.race);
  members(io, v.attempt);
}
HYDRA_WIRE(History, schema, races, next);

/// Returns the first member whose value no export has; empty: none. `name`: of the value.
std::string impossible(const json& value, const std::string& name) {
  constexpr double kMost = 1e15;  // a double holds every smaller whole number
  static const std::map<std::string, double> kMostOf{
      {"composite", 100}, {"build", 100}, {"tests", 100},      {"lint", 100},
      {"diff_size", 100}, {"speed", 100}, {"gained_share", 1}, {"lost_share", 1},
      {"rating", 1},      {"judges", 1},  {"score", 1},        {"success_rate", 1}};
  if (value.is_number()) {
    const auto most = kMostOf.find(name);
    const double least = name == "best_score" || name == "avg_score" ? -kMost : 0;
    const auto number = value.get<double>();
    return number >= least && number <= (most == kMostOf.end() ? kMost : most->second) ? "" : name;
  }
  if (value.is_string() && name != "task" &&
      value.get_ref<const std::string&>().find_first_of("\r\n") != std::string::npos)
    return name;
  if (!value.is_structured()) return {};
  for (const auto& [key, each] : value.items()) {
    if (value.is_object() && key.find_first_of("=\r\n") != std::string::npos) return name;
    if (auto wrong = impossible(each, value.is_array() ? name : key); !wrong.empty()) return wrong;
  }
  return {};
}

/// Adds a line's attempt to its race.
std::string add_line(const json& parsed, std::vector<model::HistoryRace>& races) {
  if (const auto wrong = impossible(parsed, "the line"); !wrong.empty())
    return sanitize(wrong) + " is out of its range";
  Exported line;
  Strictly how{Asker::program};
  read_strictly(parsed, line, {}, how);
  if (how.wrong) return how.wrong->message;
  const auto& id = line.race.race;
  if (id.size() != 10 || id.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz") != std::string::npos)
    return "race is no id";
  if (line.attempt.name.empty() || !line.race.attempts.empty()) return "the line names no attempt";
  auto race =
      std::find_if(races.begin(), races.end(), [&](const auto& each) { return each.race == line.race.race; });
  if (race == races.end()) race = races.insert(races.end(), std::move(line.race));
  for (const auto& attempt : race->attempts)
    if (attempt.name == line.attempt.name) return "the attempt " + sanitize(attempt.name) + " is given twice";
  race->attempts.push_back(std::move(line.attempt));
  return {};
}

}  // namespace detail

Result<std::vector<model::HistoryRace>> exported_races(std::string_view text, std::int64_t first) {
  std::vector<model::HistoryRace> races;
  for (const auto line : lines(text)) {
    if (!trim(line).empty()) {
      const auto parsed = detail::strict_object(line);
      const auto wrong = parsed ? detail::add_line(*parsed, races) : parsed.error().message;
      if (!wrong.empty())
        return Error{Errc::usage, wrong, "line " + std::to_string(first), "`hydra export` writes such lines"};
    }
    ++first;
  }
  return races;
}

HYDRA_ANSWERS(Leaderboard, History, model::ArenaFigures)

}  // namespace hydra::wire
