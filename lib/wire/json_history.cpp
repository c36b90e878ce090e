// Members of statistics over many races: history.hpp.
#include "wire/history.hpp"
#include "wire/members.hpp"

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
HYDRA_WIRE(History, schema, races, next);

}  // namespace detail

HYDRA_ANSWERS(Leaderboard, History, model::ArenaFigures)

}  // namespace hydra::wire
