#include "league/meetings.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace hydra::league {
namespace {

/// Comparison key of an attempt; larger is better. All ineligible attempts are equal.
using Worth = std::tuple<bool, bool, bool, double>;

Worth worth_in_race(const Attempt& attempt) {
  if (!attempt.eligible) return {};
  return {true, true, true, -static_cast<double>(attempt.rank)};
}

Worth worth_anywhere(const Attempt& attempt) {
  if (!attempt.eligible) return {};
  return {true, attempt.solved, attempt.success, attempt.composite.value_or(0)};
}

using Sides = std::map<std::uint32_t, std::vector<Worth>>;  // attempts of each entry

/// Returns the share of pairs in which `a` is above `b`; a tie is half. Both must be sorted.
double share(const std::vector<Worth>& a, const std::vector<Worth>& b) {
  double above = 0;
  for (const auto& each : a) {
    const auto [low, high] = std::equal_range(b.begin(), b.end(), each);
    above += static_cast<double>(low - b.begin()) + static_cast<double>(high - low) / 2;
  }
  return above / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

void meet(Sides& sides, std::map<std::pair<std::uint32_t, std::uint32_t>, Meeting>& meetings) {
  for (auto& [entry, worths] : sides) std::sort(worths.begin(), worths.end());
  for (auto a = sides.begin(); a != sides.end(); ++a)
    for (auto b = std::next(a); b != sides.end(); ++b) {
      const double won = share(a->second, b->second);
      auto& meeting = meetings[{a->first, b->first}];
      meeting.a = a->first;
      meeting.b = b->first;
      meeting.wins_a += won;
      meeting.wins_b += 1 - won;
    }
}

std::vector<Meeting> meetings_of_task(std::vector<const Attempt*>& attempts) {
  std::sort(attempts.begin(), attempts.end(),
            [](const Attempt* a, const Attempt* b) { return a->race < b->race; });
  std::map<std::pair<std::uint32_t, std::uint32_t>, Meeting> meetings;
  Sides alone;
  for (std::size_t i = 0; i < attempts.size();) {
    Sides race;
    auto end = i;
    for (; end < attempts.size() && attempts[end]->race == attempts[i]->race; ++end)
      race[attempts[end]->entry].push_back(worth_in_race(*attempts[end]));
    if (race.size() > 1)
      meet(race, meetings);
    else
      for (auto each = i; each < end; ++each)
        alone[attempts[each]->entry].push_back(worth_anywhere(*attempts[each]));
    i = end;
  }
  meet(alone, meetings);
  std::vector<Meeting> found;
  found.reserve(meetings.size());
  for (const auto& [pair, meeting] : meetings) found.push_back(meeting);
  return found;
}

}  // namespace

TaskMeetings meetings_of(const League& league) {
  TaskMeetings tasks;
  std::vector<const Attempt*> together;
  const auto& attempts = league.attempts;
  for (std::size_t i = 0; i < attempts.size();) {
    together.clear();
    auto end = i;
    for (; end < attempts.size() && attempts[end].task == attempts[i].task; ++end)
      if (!attempts[end].lost) together.push_back(&attempts[end]);
    if (auto found = meetings_of_task(together); !found.empty()) tasks.push_back(std::move(found));
    i = end;
  }
  return tasks;
}

}  // namespace hydra::league
