// Members of what many races say together: history.hpp.
#include "wire/history.hpp"
#include "wire/members.hpp"

namespace hydra::wire {
namespace detail {

template <>
inline constexpr bool kInOrder<Leaderboard> = true;
template <>
inline constexpr bool kInOrder<History> = true;

HYDRA_WIRE(LeaderboardRow, rank, entry, attempts, best, success_rate, mean, deviation, mean_seconds, cost_usd,
           interval, strength, tier, strength_interval, successes, lost, tasks, solved, tokens,
           priced_attempts, cost_per_solved, pass_at_k, pass_all_k, best_at_k, tasks_k);
HYDRA_WIRE(Comparison, a, b, tasks, both, only_a, only_b, neither, p_value, difference, difference_interval,
           difference_tasks);
HYDRA_WIRE(Methods, order, best, deviation, interval, strength, strength_interval, tier, pass_at_k,
           pass_all_k, best_at_k, comparison);
HYDRA_WIRE(Leaderboard, schema, by, races, tasks, minimum, k, rows, comparison, notes, methods);
HYDRA_WIRE(HistoryPoints, build, tests, lint, diff_size, speed);
HYDRA_WIRE(HistoryVote, judge, stake, score);
HYDRA_WIRE(HistoryAttempt, name, entry, agent, asked_model, model, version, attempt, outcome, lost, eligible,
           success, rank, tied, merged, changed, composite, points, tests_fixed, tests_broken, tokens,
           cost_usd, duration_seconds, confidence, rating, judges, merged_ms, merge_undone, votes);
HYDRA_WIRE(HistoryRace, race, number, state, task, kind, labels, root, repository, base, created_ms, ended_ms,
           attempts);
HYDRA_WIRE(History, schema, races, next);

}  // namespace detail

HYDRA_ANSWER(Leaderboard)
HYDRA_ANSWER(History)

}  // namespace hydra::wire
