#include "league/bradley_terry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace hydra::league {
namespace {

constexpr int kMostSteps = 10'000;
constexpr double kEnoughForIntervals = 1e-5;      // tolerance far below a resample's deviation
constexpr std::uint64_t kSeedOfStrengths = 1952;  // year of Bradley and Terry's paper

/// All tasks' meetings in one array, each with the index of its pair in `sums`.
struct Flat {
  std::vector<Meeting> sums;           ///< one element per pair
  std::vector<std::uint32_t> pair;     ///< by meeting: index in `sums`
  std::vector<double> wins_a, wins_b;  ///< by meeting
  std::vector<std::size_t> first;      ///< by task: its first meeting; one more element for the end

  explicit Flat(const TaskMeetings& tasks) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places;
    for (const auto& task : tasks) {
      if (task.empty()) continue;
      first.push_back(pair.size());
      for (const auto& meeting : task) {
        const auto [at, fresh] =
            places.try_emplace({meeting.a, meeting.b}, static_cast<std::uint32_t>(sums.size()));
        if (fresh) sums.push_back({meeting.a, meeting.b, 0, 0});
        pair.push_back(at->second);
        wins_a.push_back(meeting.wins_a);
        wins_b.push_back(meeting.wins_b);
      }
    }
    first.push_back(pair.size());
  }
  [[nodiscard]] std::size_t tasks() const { return first.size() - 1; }

  /// Sums the meetings; `times`: how often each task was drawn.
  void add_up(const std::vector<std::uint32_t>& times) {
    for (auto& sum : sums) sum.wins_a = sum.wins_b = 0;
    for (std::size_t task = 0; task < tasks(); ++task) {
      if (times[task] == 0) continue;
      const double weight = times[task];
      for (auto i = first[task]; i < first[task + 1]; ++i) {
        sums[pair[i]].wins_a += weight * wins_a[i];
        sums[pair[i]].wins_b += weight * wins_b[i];
      }
    }
  }
};

}  // namespace

std::vector<double> bradley_terry(std::size_t entries, const std::vector<Meeting>& meetings,
                                  double prior_games, const std::vector<double>& start, double enough) {
  std::vector<double> power(entries, 1.0), wins(entries, prior_games / 2), below(entries);
  for (std::size_t i = 0; i < start.size() && i < entries; ++i) power[i] = std::exp(start[i]);
  for (const auto& meeting : meetings) {
    wins[meeting.a] += meeting.wins_a;
    wins[meeting.b] += meeting.wins_b;
  }
  for (int step = 0; step < kMostSteps; ++step) {
    for (std::size_t i = 0; i < entries; ++i) below[i] = prior_games / (power[i] + 1);
    for (const auto& meeting : meetings) {
      const double each = (meeting.wins_a + meeting.wins_b) / (power[meeting.a] + power[meeting.b]);
      below[meeting.a] += each;
      below[meeting.b] += each;
    }
    double change = 0;
    for (std::size_t i = 0; i < entries; ++i) {
      if (below[i] <= 0) continue;  // an entry without meetings and prior
      const double next = wins[i] / below[i];
      change = std::max(change, std::abs(next - power[i]) / power[i]);
      power[i] = next;
    }
    if (change < enough) break;
  }
  std::vector<double> strength(entries);
  double mean = 0;
  for (std::size_t i = 0; i < entries; ++i) {
    strength[i] = std::log(power[i]);
    mean += strength[i] / static_cast<double>(entries);
  }
  for (auto& each : strength) each -= mean;
  return strength;
}

Strengths strengths(std::size_t entries, const TaskMeetings& tasks, std::size_t resamples) {
  Flat flat(tasks);
  Strengths found;
  found.tasks = flat.tasks();
  found.interval.resize(entries);
  std::vector<std::uint32_t> times(found.tasks, 1);
  flat.add_up(times);
  found.strength = bradley_terry(entries, flat.sums);
  if (found.tasks < 2) return found;
  Random random(kSeedOfStrengths);
  found.resampled.reserve(resamples);
  for (std::size_t i = 0; i < resamples; ++i) {
    std::fill(times.begin(), times.end(), 0);
    for (std::size_t draw = 0; draw < found.tasks; ++draw) ++times[random.below(found.tasks)];
    flat.add_up(times);
    found.resampled.push_back(
        bradley_terry(entries, flat.sums, kPriorGames, found.strength, kEnoughForIntervals));
  }
  std::vector<double> values(resamples);
  for (std::size_t entry = 0; entry < entries; ++entry) {
    for (std::size_t i = 0; i < resamples; ++i) values[i] = found.resampled[i][entry];
    found.interval[entry] = percentile_interval(values, found.tasks);
  }
  return found;
}

double rating(double strength) { return 1000 + 400 * strength / std::log(10.0); }

}  // namespace hydra::league
