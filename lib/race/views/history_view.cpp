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
#include <unordered_map>

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

/// Returns the identity of a race's task: the suite's labels, else the same text at the same base commit.
std::string task_of(const model::HistoryRace& race) {
  const auto suite = label_of(race, "suite"), task = label_of(race, "suite-task");
  if (!suite.empty() && !task.empty()) return "suite\n" + suite + "\n" + task;
  return race.repository + "\n" + race.base + "\n" + race.task;
}

league::Attempt attempt_of(const model::HistoryAttempt& row) {
  league::Attempt attempt;
  attempt.rank = row.rank;
  attempt.lost = row.lost;
  attempt.eligible = row.eligible;
  attempt.success = row.success;
  attempt.solved = row.solved;
  attempt.composite = row.composite;
  attempt.cost_usd = row.cost_usd;
  attempt.tokens = row.tokens.value_or(0);
  attempt.seconds = static_cast<double>(row.wall_ms) / 1000;
  return attempt;
}

Result<league::League> gather(const std::filesystem::path& database, const LeaderboardCall& call) {
  HYDRA_TRY(const auto group, grouping(call.by));
  league::League league;
  Numbers entries, tasks;
  std::uint32_t races = 0;
  HYDRA_CHECK(storage::read_history(database, call.filter, [&](const model::HistoryRace& race) {
    if (race.attempts.empty()) return true;
    const auto task = tasks.of(task_of(race));
    for (const auto& row : race.attempts) {
      const auto name = group(race, row);
      auto attempt = attempt_of(row);
      attempt.entry = entries.of(name);
      if (attempt.entry == league.entries.size()) league.entries.push_back(name);
      attempt.task = task;
      attempt.race = races;
      league.attempts.push_back(attempt);
    }
    ++races;
    return true;
  }));
  return league;
}

wire::Methods methods_of(const league::Table& table) {
  return {"best, success rate, mean, fewer seconds (arena)",
          "best eligible composite of a task, mean over tasks",
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

/// Returns the rank of an attempt for ordering entries; unranked ones last.
int place_of(const model::HistoryAttempt& attempt) { return attempt.rank > 0 ? attempt.rank : 1 << 20; }

}  // namespace

std::vector<wire::Entry> detail::entries_view(const State& state) {
  std::vector<wire::Entry> entries;
  if (!state.ranking) return entries;
  const auto attempts = attempts_of(state);
  league::League league;
  std::map<std::string, const model::HistoryAttempt*> best;
  for (const auto& row : attempts) {
    auto [known, fresh] = best.try_emplace(row.entry, &row);
    if (fresh) league.entries.push_back(row.entry);
    if (place_of(row) < place_of(*known->second)) known->second = &row;
    auto attempt = attempt_of(row);
    attempt.entry = static_cast<std::uint32_t>(
        std::find(league.entries.begin(), league.entries.end(), row.entry) - league.entries.begin());
    league.attempts.push_back(attempt);
  }
  auto table = league::leaderboard(league, {1, 0});
  // An entry's place is that of its best attempt; the other columns break ties.
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const auto& a, const auto& b) {
    return place_of(*best.at(a.entry)) < place_of(*best.at(b.entry));
  });
  for (const auto& row : table.rows) {
    const auto& first = *best.at(row.entry);
    wire::Entry entry{row, first.name};
    entry.rank = first.rank;
    entry.best = first.composite;
    entries.push_back(std::move(entry));
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
