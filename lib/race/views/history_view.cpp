#include "race/views/history_view.hpp"

#include "base/strings.hpp"
#include "league/bradley_terry.hpp"
#include "league/leaderboard.hpp"
#include "race/state/history.hpp"
#include "race/views/view_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace hydra::race {
namespace {

std::string label_of(const model::HistoryRace& race, std::string_view key) {
  for (const auto& [name, value] : race.labels)
    if (name == key) return value;
  return {};
}

using model::HistoryAttempt;
using model::HistoryRace;
using Group = std::function<std::string(const HistoryRace&, const HistoryAttempt&)>;

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : text; }

/// Returns how attempts are grouped into the entries of a table.
Result<Group> grouping(const std::string& by) {
  if (by == "agent")
    return Group([](const HistoryRace&, const HistoryAttempt& attempt) {
      return attempt.asked.empty() ? attempt.agent : attempt.agent + "=" + attempt.asked;
    });
  if (by == "model")
    return Group([](const HistoryRace&, const HistoryAttempt& attempt) { return or_unknown(attempt.model); });
  if (by == "version")
    return Group([](const HistoryRace&, const HistoryAttempt& attempt) {
      return attempt.agent + " " + or_unknown(attempt.version);
    });
  if (by.starts_with("label:") && by.size() > 6)
    return Group([key = by.substr(6)](const HistoryRace& race, const HistoryAttempt&) {
      const auto value = label_of(race, key);
      return value.empty() ? "(no " + key + ")" : value;
    });
  return Error{
      Errc::usage, "can't group by '" + sanitize(by) + "'", {}, "agent, model, version or label:KEY"};
}

/// Numbers texts in the order of their first use.
class Numbers {
 public:
  std::uint32_t of(const std::string& text) {
    return known_.try_emplace(std::hash<std::string>{}(text), static_cast<std::uint32_t>(known_.size()))
        .first->second;
  }

 private:
  std::unordered_map<std::size_t, std::uint32_t> known_;  ///< by hash, since tasks are long
};

/// Returns the identity of a race's task: the suite's labels, so that other tests or commands make another
/// task; else the same text at the same base commit.
std::string task_of(const model::HistoryRace& race) {
  const auto suite = label_of(race, "suite"), task = label_of(race, "suite-task");
  if (!suite.empty() && !task.empty())
    return "suite\n" + suite + "\n" + task + "\n" + label_of(race, "suite-digest");
  return race.repository + "\n" + race.base + "\n" + race.task;
}

bool is_asked_for(const std::vector<std::string>& entries, const model::HistoryAttempt& row) {
  return entries.empty() || std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
           return entry == row.entry || entry == row.agent || entry == row.agent + "=" + row.asked;
         });
}

/// Sorts the attempts by the creation of their races and numbers entries, tasks and races by their first
/// use, so that a history in another order gives the same table.
void number_by_time(const std::vector<std::pair<std::int64_t, std::string>>& races, league::League& league) {
  std::vector<std::uint32_t> order(races.size()), place(races.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return races[a] < races[b]; });
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (auto& attempt : league.attempts) attempt.race = place[attempt.race];
  std::stable_sort(league.attempts.begin(), league.attempts.end(),
                   [](const auto& a, const auto& b) { return a.race < b.race; });
  std::unordered_map<std::uint32_t, std::uint32_t> entries, tasks;
  auto names = std::exchange(league.entries, {});
  for (auto& attempt : league.attempts) {
    const auto [entry, fresh] =
        entries.try_emplace(attempt.entry, static_cast<std::uint32_t>(league.entries.size()));
    if (fresh) league.entries.push_back(std::move(names[attempt.entry]));
    attempt.entry = entry->second;
    attempt.task = tasks.try_emplace(attempt.task, static_cast<std::uint32_t>(tasks.size())).first->second;
  }
}

Result<league::League> gather(const std::filesystem::path& database, const LeaderboardCall& call) {
  HYDRA_TRY(const auto group, grouping(call.by));
  league::League league;
  Numbers entries, tasks;
  std::vector<std::pair<std::int64_t, std::string>> races;
  HYDRA_CHECK(storage::read_history(database, call.filter, [&](const model::HistoryRace& race) {
    if (race.attempts.empty()) return true;
    const auto task = tasks.of(task_of(race));
    bool any = false;
    for (const auto& row : race.attempts) {
      if (!is_asked_for(call.entries, row)) continue;
      any = true;
      const auto name = group(race, row);
      auto attempt = league::attempt_of(row);
      attempt.entry = entries.of(name);
      if (attempt.entry == league.entries.size()) league.entries.push_back(name);
      attempt.task = task;
      attempt.race = static_cast<std::uint32_t>(races.size());
      league.attempts.push_back(attempt);
    }
    if (any) races.emplace_back(race.created_ms, race.race);
    return true;
  }));
  number_by_time(races, league);
  return league;
}

wire::Methods methods_of(const league::Table& table) {
  return {league::kOrder,
          "best eligible composite of a task, mean over tasks; with the speed beside others of its race",
          "population",
          "Wilson score, 95 %, n = attempts",
          fmt::format("Bradley-Terry, prior of {:g} virtual game, 400 points for odds of 10:1, n = {} tasks",
                      league::kPriorGames, table.compared_tasks),
          fmt::format("expanded percentile bootstrap over tasks, 95 %, {} resamples", table.resamples),
          "95 % bootstrap interval of the difference to the tier's first entry",
          fmt::format("1 - C(n-c,k)/C(n,k), k = {}, mean over tasks with k attempts", table.k),
          fmt::format("C(c,k)/C(n,k), k = {}", table.k),
          fmt::format("mean best composite of k attempts, k = {}", table.k),
          "exact McNemar, two-sided; paired bootstrap of mean composites over tasks, 95 %"};
}

Result<std::optional<model::Comparison>> comparison(const league::League& league, const league::Table& table,
                                                    const std::string& asked) {
  const auto index = [&](std::string_view name) -> std::optional<std::uint32_t> {
    for (const auto& row : table.rows)
      if (row.entry == name) return row.index;
    return std::nullopt;
  };
  if (asked.empty()) {
    if (table.rows.size() < 2) return std::optional<model::Comparison>();
    return std::optional(league::compare(league, table.rows[0].index, table.rows[1].index));
  }
  const auto names = split(asked, ',');
  if (names.size() != 2) return Error{Errc::usage, "two entries are compared, as A,B", "--compare", {}};
  const auto a = index(trim(names[0])), b = index(trim(names[1]));
  if (!a || !b || a == b) {
    std::vector<std::string> all;
    for (const auto& row : table.rows) all.push_back(row.entry);
    return Error{Errc::not_found, "no such two entries: " + sanitize(asked), "--compare",
                 all.empty() ? "the table is empty" : "its entries are " + join(all, ", ")};
  }
  return std::optional(league::compare(league, *a, *b));
}

}  // namespace

std::vector<wire::Entry> detail::entries_view(const State& state) {
  std::vector<wire::Entry> entries;
  if (!state.ranking) return entries;
  const auto attempts = attempts_of(state);
  league::League league;
  std::map<std::string, const model::HistoryAttempt*> best;  // by entry, of the eligible attempts
  for (const auto& row : attempts) {
    const auto known = std::find(league.entries.begin(), league.entries.end(), row.entry);
    auto attempt = league::attempt_of(row);
    attempt.entry = static_cast<std::uint32_t>(known - league.entries.begin());
    league.attempts.push_back(attempt);
    if (known == league.entries.end()) league.entries.push_back(row.entry);
    if (row.lost || !row.eligible) continue;
    auto [first, fresh] = best.try_emplace(row.entry, &row);
    if (row.composite > first->second->composite) first->second = &row;
  }
  for (const auto& row : league::leaderboard(league, {1, 0, false}).rows) {
    const auto first = best.find(row.entry);
    entries.push_back({row, first == best.end() ? "" : first->second->name});
  }
  return entries;
}

Result<wire::Leaderboard> leaderboard_view(const std::filesystem::path& database,
                                           const LeaderboardCall& call) {
  HYDRA_TRY(auto league, gather(database, call));
  const auto table = league::leaderboard(league, {call.minimum, call.k});
  HYDRA_TRY(auto compared, comparison(league, table, call.compare));
  return wire::Leaderboard{1,
                           call.by,
                           table.races,
                           table.tasks,
                           call.minimum,
                           table.k,
                           {table.rows.begin(), table.rows.end()},
                           std::move(compared),
                           table.notes,
                           methods_of(table)};
}

Result<wire::History> history_page(const std::filesystem::path& database,
                                   const storage::HistoryFilter& filter, std::size_t limit) {
  wire::History out;
  HYDRA_CHECK(storage::read_history(database, filter, [&](const model::HistoryRace& race) {
    if (out.races.size() == limit) {
      out.next = out.races.empty() ? 0 : out.races.back().number;
      return false;
    }
    out.races.push_back(race);
    return true;
  }));
  return out;
}

}  // namespace hydra::race
