#include "league/leaderboard.hpp"

#include "league/meetings.hpp"
#include "scoring/arena.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace hydra::league {
namespace {

constexpr std::size_t kMostResamples = 1000, kFewestResamples = 200;
constexpr std::size_t kResampleWork = 30'000'000;  // meetings read by all resamples together
constexpr std::size_t kPairedResamples = 2000;

/// Adds attempts to a row one by one.
class Adding {
 public:
  explicit Adding(Row& row) : row_(row) {}

  void add(const Attempt& attempt) {
    if (attempt.lost) {
      ++row_.lost;
      return;
    }
    ++row_.attempts;
    row_.successes += attempt.success ? 1 : 0;
    row_.tokens += attempt.tokens;
    seconds_ += attempt.seconds;
    if (attempt.cost_usd) {
      row_.cost_usd = row_.cost_usd.value_or(0) + *attempt.cost_usd;
      ++row_.priced_attempts;
    }
    if (!attempt.composite) return;
    const double score = *attempt.composite;
    // Welford's method: one pass without cancellation.
    ++scored_;
    const double from = score - mean_;
    mean_ += from / static_cast<double>(scored_);
    squares_ += from * (score - mean_);
  }

  void finish() {
    const auto count = static_cast<double>(row_.attempts);
    if (row_.attempts > 0) {
      row_.success_rate = static_cast<double>(row_.successes) / count;
      row_.mean_seconds = seconds_ / count;
    }
    row_.interval = wilson(row_.successes, row_.attempts);
    if (scored_ == 0) return;
    row_.mean = mean_;
    row_.deviation = std::sqrt(std::max(0.0, squares_ / static_cast<double>(scored_)));
  }

 private:
  Row& row_;
  double seconds_ = 0, mean_ = 0, squares_ = 0;
  std::int64_t scored_ = 0;
};

/// Calls `each(first, last)` for the attempts of one entry at one task, without lost ones.
template <class Each>
void each_group(const std::vector<Attempt>& attempts, Each each) {
  for (std::size_t i = 0; i < attempts.size();) {
    auto end = i;
    while (end < attempts.size() && attempts[end].entry == attempts[i].entry &&
           attempts[end].task == attempts[i].task && attempts[end].lost == attempts[i].lost)
      ++end;
    if (!attempts[i].lost) each(i, end);
    i = end;
  }
}

std::int64_t fewest_attempts(const std::vector<Attempt>& attempts) {
  std::int64_t fewest = 0;
  each_group(attempts, [&](std::size_t first, std::size_t end) {
    const auto n = static_cast<std::int64_t>(end - first);
    fewest = fewest == 0 ? n : std::min(fewest, n);
  });
  return std::max<std::int64_t>(fewest, 1);
}

void add_tasks(const std::vector<Attempt>& attempts, std::int64_t k, std::vector<Row>& rows) {
  struct Sums {
    double first = 0, any = 0, all = 0, best = 0, episodes = 0;
    std::int64_t scored = 0, played = 0;
  };
  std::vector<Sums> sums(rows.size());
  std::set<std::uint32_t> played;  // tasks with episodes
  for (const auto& attempt : attempts)
    if (attempt.arena) played.insert(attempt.task);
  each_group(attempts, [&](std::size_t first, std::size_t end) {
    auto& row = rows[attempts[first].entry];
    auto& sum = sums[attempts[first].entry];
    std::int64_t successes = 0;
    bool solved = false;
    double first_place = 0;
    std::vector<double> scores;
    model::ArenaFigures episodes;
    for (auto i = first; i < end; ++i) {
      successes += attempts[i].success ? 1 : 0;
      solved = solved || attempts[i].solved;
      if (!attempts[i].composite) continue;
      scores.push_back(*attempts[i].composite);
      if (!attempts[i].eligible) continue;
      row.any_eligible = true;
      if (attempts[i].arena) scoring::arena::pool(episodes, *attempts[i].arena);
      first_place = std::max(first_place, *attempts[i].composite);
    }
    sum.first += first_place;
    ++row.tasks;
    sum.played += played.contains(attempts[first].task) ? 1 : 0;
    sum.episodes += episodes.best_score;
    if (episodes.episodes > 0) scoring::arena::pool(row.arena ? *row.arena : row.arena.emplace(), episodes);
    row.solved += solved ? 1 : 0;
    const auto n = static_cast<std::int64_t>(end - first);
    if (const auto any = pass_at_k(n, successes, k)) {
      ++row.tasks_k;
      sum.any += *any;
      sum.all += *pass_all_k(n, successes, k);
    }
    if (const auto best = best_at_k(std::move(scores), static_cast<std::size_t>(k))) {
      ++sum.scored;
      sum.best += *best;
    }
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& row = rows[i];
    if (row.arena) row.arena->best_score = sums[i].episodes / static_cast<double>(sums[i].played);
    if (row.any_eligible) row.best = sums[i].first / static_cast<double>(row.tasks);
    if (row.tasks_k > 0) {
      row.pass_at_k = sums[i].any / static_cast<double>(row.tasks_k);
      row.pass_all_k = sums[i].all / static_cast<double>(row.tasks_k);
    }
    if (sums[i].scored > 0) row.best_at_k = sums[i].best / static_cast<double>(sums[i].scored);
    if (row.solved > 0 && row.priced_attempts == row.attempts && row.cost_usd)
      row.cost_per_solved = *row.cost_usd / static_cast<double>(row.solved);
  }
}

/// Groups indistinguishable entries: from the strongest down, a tier ends at the first entry whose difference
/// to the tier's first has a 95 % interval above 0.
void set_tiers(const Strengths& found, std::vector<Row*> ranked) {
  if (found.resampled.empty()) return;
  std::erase_if(ranked, [](const Row* row) { return !row->strength; });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Row* a, const Row* b) { return *a->strength > *b->strength; });
  const Row* leader = nullptr;
  int tier = 0;
  for (auto* row : ranked) {
    if (leader != nullptr) {
      std::vector<double> differences;
      differences.reserve(found.resampled.size());
      for (const auto& one : found.resampled) differences.push_back(one[leader->index] - one[row->index]);
      const auto interval = percentile_interval(differences, found.tasks);
      if (interval && interval->front() > 0) leader = nullptr;
    }
    if (leader == nullptr) {
      leader = row;
      ++tier;
    }
    row->tier = tier;
  }
}

void add_strengths(const League& league, const TableOptions& options, Table& table) {
  const auto meetings = meetings_of(league);
  std::size_t work = 1;
  std::set<std::uint32_t> met;
  for (const auto& task : meetings) {
    work += task.size();
    for (const auto& meeting : task) met.insert({meeting.a, meeting.b});
  }
  table.resamples = std::clamp(kResampleWork / work, kFewestResamples, kMostResamples);
  const auto found = strengths(league.entries.size(), meetings, table.resamples);
  table.compared_tasks = found.tasks;
  const bool enough = static_cast<std::int64_t>(found.tasks) >= options.minimum;
  std::vector<Row*> ranked;
  for (auto& row : table.rows) {
    if (!met.contains(row.index)) continue;
    row.strength = rating(found.strength[row.index]);
    if (const auto& interval = found.interval[row.index]; enough && interval)
      row.strength_interval = Interval{rating(interval->front()), rating(interval->back())};
    if (row.attempts >= options.minimum) ranked.push_back(&row);
  }
  if (enough) return set_tiers(found, std::move(ranked));
  table.resamples = 0;
  if (!met.empty())
    table.notes.push_back(
        fmt::format("too little data for tiers and intervals of strengths: {} task{} on which "
                    "entries met, {} are needed",
                    found.tasks, found.tasks == 1 ? "" : "s", options.minimum));
}

/// Returns the key kOrder, in billionths: sums of the same numbers may differ in their last bit. Equal keys
/// keep the order of submission.
auto order_of(const Row& row) {
  const auto rounded = [](double value) { return std::llround(value * 1e9); };
  const auto solved = row.tasks > 0 ? static_cast<double>(row.solved) / static_cast<double>(row.tasks) : 0.0;
  return std::tuple(!row.rank, -rounded(solved), -rounded(row.best.value_or(-1)),
                    -rounded(row.success_rate.value_or(0)), -rounded(row.mean.value_or(-1)),
                    rounded(row.mean_seconds.value_or(0)));
}

void set_ranks(const TableOptions& options, Table& table) {
  for (auto& row : table.rows)
    if (row.any_eligible && row.attempts >= options.minimum) row.rank = 1;
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const Row& a, const Row& b) { return order_of(a) < order_of(b); });
  int place = 0;
  for (auto& row : table.rows)
    if (row.rank)
      row.rank = ++place;
    else if (row.attempts < options.minimum)
      table.notes.push_back(fmt::format("too little data to rank {}: {} attempt{}, {} are needed", row.entry,
                                        row.attempts, row.attempts == 1 ? "" : "s", options.minimum));
    else
      table.notes.push_back(fmt::format("{} is not ranked: no attempt is eligible", row.entry));
}

}  // namespace

Attempt attempt_of(const model::HistoryAttempt& row) {
  Attempt attempt;
  attempt.rank = row.rank;
  attempt.lost = row.lost;
  attempt.eligible = row.eligible;
  attempt.success = row.success;
  attempt.solved = row.solved;
  attempt.composite = row.composite;
  attempt.cost_usd = row.cost_usd;
  attempt.tokens = row.tokens.value_or(0);
  attempt.seconds = static_cast<double>(row.wall_ms) / 1000;
  attempt.arena = row.arena;
  return attempt;
}

Table leaderboard(League& league, const TableOptions& options) {
  auto& attempts = league.attempts;
  std::sort(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
    return std::tie(a.task, a.entry, a.lost, a.race, a.rank) <
           std::tie(b.task, b.entry, b.lost, b.race, b.rank);
  });
  Table table;
  table.rows.resize(league.entries.size());
  std::vector<Adding> adding;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i].entry = league.entries[i];
    table.rows[i].index = static_cast<std::uint32_t>(i);
    adding.emplace_back(table.rows[i]);
  }
  std::vector<std::uint32_t> races;
  races.reserve(attempts.size());
  for (const auto& attempt : attempts) {
    adding[attempt.entry].add(attempt);
    races.push_back(attempt.race);
    if (table.tasks == 0 ||
        attempt.task != attempts[static_cast<std::size_t>(&attempt - attempts.data()) - 1].task)
      ++table.tasks;
  }
  std::sort(races.begin(), races.end());
  table.races = static_cast<std::size_t>(std::unique(races.begin(), races.end()) - races.begin());
  for (auto& each : adding) each.finish();
  table.k = options.k > 0 ? options.k : fewest_attempts(attempts);
  add_tasks(attempts, table.k, table.rows);
  if (options.strengths) add_strengths(league, options, table);
  set_ranks(options, table);
  return table;
}

model::Comparison compare(const League& league, std::uint32_t a, std::uint32_t b) {
  struct Side {
    std::int64_t attempts = 0, successes = 0, scored = 0;
    double sum = 0;
    [[nodiscard]] bool succeeded() const { return 2 * successes > attempts; }
  };
  std::map<std::uint32_t, std::pair<Side, Side>> tasks;
  for (const auto& attempt : league.attempts) {
    if (attempt.lost || (attempt.entry != a && attempt.entry != b)) continue;
    auto& both = tasks[attempt.task];
    auto& side = attempt.entry == a ? both.first : both.second;
    ++side.attempts;
    side.successes += attempt.success ? 1 : 0;
    if (attempt.composite) {
      ++side.scored;
      side.sum += *attempt.composite;
    }
  }
  model::Comparison found;
  found.a = league.entries[a];
  found.b = league.entries[b];
  std::vector<std::pair<double, double>> scores;
  for (const auto& [task, sides] : tasks) {
    const auto& [one, other] = sides;
    if (one.attempts == 0 || other.attempts == 0) continue;
    ++found.tasks;
    if (one.succeeded() && other.succeeded()) ++found.both;
    if (one.succeeded() && !other.succeeded()) ++found.only_a;
    if (!one.succeeded() && other.succeeded()) ++found.only_b;
    if (!one.succeeded() && !other.succeeded()) ++found.neither;
    if (one.scored > 0 && other.scored > 0)
      scores.emplace_back(one.sum / static_cast<double>(one.scored),
                          other.sum / static_cast<double>(other.scored));
  }
  found.p_value = mcnemar_exact(found.only_a, found.only_b);
  const auto difference = paired_bootstrap(scores, kPairedResamples);
  if (difference.n > 0) found.difference = difference.mean;
  found.difference_interval = difference.interval;
  found.difference_tasks = difference.n;
  return found;
}

}  // namespace hydra::league
