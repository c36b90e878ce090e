#include "race/history_view.hpp"

#include "base/strings.hpp"
#include "league/bradley_terry.hpp"
#include "league/leaderboard.hpp"
#include "race/history.hpp"
#include "race/view_parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace hydra::race {
namespace {

using nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

std::string history_dump(const auto& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class T>
OrderedJson known(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson pair_of(const std::optional<league::Interval>& interval) {
  return interval ? OrderedJson::array({interval->low, interval->high}) : OrderedJson(nullptr);
}

std::string label_of(const model::HistoryRace& race, std::string_view key) {
  for (const auto& [name, value] : race.labels)
    if (name == key) return value;
  return {};
}

using model::HistoryAttempt;
using model::HistoryRace;
using Group = std::function<std::string(const HistoryRace&, const HistoryAttempt&)>;

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : text; }

/// How attempts are gathered into the entries of a table.
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

/// Gives each text the next number.
class Numbers {
 public:
  std::uint32_t of(const std::string& text) {
    return known_.try_emplace(std::hash<std::string>{}(text), static_cast<std::uint32_t>(known_.size()))
        .first->second;
  }

 private:
  std::unordered_map<std::size_t, std::uint32_t> known_;  ///< by hash: tasks are long
};

/// Two races are of one task where it reads the same and begins at the same commit; a suite says which is
/// which.
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

OrderedJson row_json(const league::Row& row) {
  OrderedJson j;
  j["rank"] = row.rank > 0 ? OrderedJson(row.rank) : OrderedJson(nullptr);
  j["entry"] = row.entry;
  j["attempts"] = row.attempts;
  j["best"] = known(row.best);
  j["success_rate"] = row.attempts > 0 ? OrderedJson(row.success_rate) : OrderedJson(nullptr);
  j["mean"] = known(row.mean);
  j["deviation"] = known(row.deviation);
  j["mean_seconds"] = row.attempts > 0 ? OrderedJson(row.mean_seconds) : OrderedJson(nullptr);
  j["cost_usd"] = known(row.cost_usd);
  j["interval"] = pair_of(row.interval);
  j["strength"] = known(row.strength);
  j["tier"] = row.tier > 0 ? OrderedJson(row.tier) : OrderedJson(nullptr);
  j["strength_interval"] = pair_of(row.strength_interval);
  j["successes"] = row.successes;
  j["lost"] = row.lost;
  j["tasks"] = row.tasks;
  j["solved"] = row.solved;
  j["tokens"] = row.tokens;
  j["priced_attempts"] = row.priced;
  j["cost_per_solved"] = known(row.cost_per_solved);
  j["pass_at_k"] = known(row.pass_at_k);
  j["pass_all_k"] = known(row.pass_all_k);
  j["best_at_k"] = known(row.best_at_k);
  j["tasks_k"] = row.tasks_k;
  return j;
}

OrderedJson comparison_json(const league::Comparison& found) {
  return {{"a", found.a},
          {"b", found.b},
          {"tasks", found.tasks},
          {"both", found.both},
          {"only_a", found.only_a},
          {"only_b", found.only_b},
          {"neither", found.neither},
          {"p_value", found.p_value},
          {"difference", found.difference.n > 0 ? OrderedJson(found.difference.mean) : OrderedJson(nullptr)},
          {"difference_interval", pair_of(found.difference.interval)},
          {"difference_tasks", found.difference.n}};
}

OrderedJson methods_json(const league::Table& table) {
  return {{"order", "best, success rate, mean, fewer seconds (arena)"},
          {"best", "best eligible composite of a task, mean over tasks"},
          {"deviation", "population"},
          {"interval", "Wilson score, 95 %, n = attempts"},
          {"strength",
           fmt::format("Bradley-Terry, prior of {:g} virtual game, 400 points for odds of 10:1, n = {} tasks",
                       league::kPriorGames, table.compared_tasks)},
          {"strength_interval",
           fmt::format("expanded percentile bootstrap over tasks, 95 %, {} resamples", table.resamples)},
          {"tier", "95 % bootstrap interval of the difference to the tier's first entry"},
          {"pass_at_k", fmt::format("1 - C(n-c,k)/C(n,k), k = {}, mean over tasks with k attempts", table.k)},
          {"pass_all_k", fmt::format("C(c,k)/C(n,k), k = {}", table.k)},
          {"best_at_k", fmt::format("mean best composite of k attempts, k = {}", table.k)},
          {"comparison", "exact McNemar, two-sided; paired bootstrap of mean composites over tasks, 95 %"}};
}

Result<std::optional<league::Comparison>> comparison(const league::League& league, const league::Table& table,
                                                     const std::string& asked) {
  const auto index = [&](std::string_view name) -> std::optional<std::uint32_t> {
    for (const auto& row : table.rows)
      if (row.entry == name) return row.index;
    return std::nullopt;
  };
  if (asked.empty()) {
    if (table.rows.size() < 2) return std::optional<league::Comparison>();
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

OrderedJson attempt_json(const model::HistoryAttempt& attempt) {
  OrderedJson j{{"name", attempt.name},
                {"entry", attempt.entry},
                {"agent", attempt.agent},
                {"asked_model", attempt.asked},
                {"model", attempt.model},
                {"version", attempt.version},
                {"attempt", attempt.attempt},
                {"outcome", model::name(attempt.outcome)},
                {"lost", attempt.lost},
                {"eligible", attempt.eligible},
                {"success", attempt.success},
                {"rank", attempt.rank > 0 ? OrderedJson(attempt.rank) : OrderedJson(nullptr)},
                {"tied", attempt.tied},
                {"merged", attempt.merged},
                {"changed", attempt.changed},
                {"composite", known(attempt.composite)}};
  j["points"] = OrderedJson::object();
  for (const auto dimension : model::kDimensions)
    j["points"][std::string(model::name(dimension))] = known(attempt.points[model::index(dimension)]);
  j["tests_fixed"] = known(attempt.fixed);
  j["tests_broken"] = known(attempt.broken);
  j["tokens"] = known(attempt.tokens);
  j["cost_usd"] = known(attempt.cost_usd);
  j["duration_seconds"] = static_cast<double>(attempt.wall_ms) / 1000;
  j["confidence"] = attempt.confidence;
  j["rating"] = known(attempt.rating);
  j["judges"] = known(attempt.judged);
  j["merged_ms"] = known(attempt.merged_ms);
  j["merge_undone"] = attempt.undone;
  j["votes"] = OrderedJson::array();
  for (const auto& vote : attempt.votes)
    j["votes"].push_back({{"judge", vote.judge}, {"stake", vote.stake}, {"score", vote.score}});
  return j;
}

OrderedJson race_json(const model::HistoryRace& race) {
  OrderedJson j{{"race", race.race},         {"number", race.number},
                {"state", race.state},       {"task", race.task},
                {"kind", race.kind},         {"labels", OrderedJson::object()},
                {"root", race.root},         {"repository", race.repository},
                {"base", race.base},         {"created_ms", race.created_ms},
                {"ended_ms", race.ended_ms}, {"attempts", OrderedJson::array()}};
  for (const auto& [key, value] : race.labels) j["labels"][key] = value;
  for (const auto& attempt : race.attempts) j["attempts"].push_back(attempt_json(attempt));
  return j;
}

/// An attempt's place in its race, as entries are ordered by it.
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
  // An entry's place is that of its best attempt (arena); what follows breaks ties.
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const auto& a, const auto& b) {
    return place_of(*best.at(a.entry)) < place_of(*best.at(b.entry));
  });
  for (const auto& row : table.rows) {
    const auto& first = *best.at(row.entry);
    wire::Entry entry{row.entry, first.name,    first.rank, row.attempts,    row.successes,
                      row.lost,  row.tokens,    row.priced, first.composite, {},
                      row.mean,  row.deviation, {},         row.cost_usd,    {}};
    if (row.attempts > 0) entry.success_rate = row.success_rate;
    if (row.attempts > 0) entry.mean_seconds = row.mean_seconds;
    if (row.interval) entry.interval = {row.interval->low, row.interval->high};
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<std::string> leaderboard_json(const std::filesystem::path& database, const LeaderboardCall& call) {
  HYDRA_TRY(auto league, gather(database, call));
  const auto table = league::leaderboard(league, {call.minimum, call.k});
  HYDRA_TRY(const auto compared, comparison(league, table, call.compare));
  OrderedJson j{{"schema", 1},
                {"by", call.by},
                {"races", table.races},
                {"tasks", table.tasks},
                {"minimum", call.minimum},
                {"k", table.k},
                {"rows", OrderedJson::array()},
                {"comparison", nullptr},
                {"notes", table.notes}};
  for (const auto& row : table.rows) j["rows"].push_back(row_json(row));
  if (compared) j["comparison"] = comparison_json(*compared);
  j["methods"] = methods_json(table);
  return history_dump(j);
}

Result<std::string> history_json(const std::filesystem::path& database, const storage::HistoryFilter& filter,
                                 std::size_t limit) {
  OrderedJson j{{"schema", 1}, {"races", OrderedJson::array()}, {"next", nullptr}};
  std::int64_t last = 0;
  HYDRA_CHECK(storage::read_history(database, filter, [&](const model::HistoryRace& race) {
    if (j["races"].size() == limit) {
      j["next"] = last;
      return false;
    }
    j["races"].push_back(race_json(race));
    last = race.number;
    return true;
  }));
  return history_dump(j);
}

}  // namespace hydra::race
