#include "cli/render/leaderboard_block.hpp"

#include "base/strings.hpp"
#include "scoring/arena.hpp"
#include "scoring/engine.hpp"
#include "wire/history.hpp"
#include "wire/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace hydra::cli {
namespace {

std::string shown(const std::optional<double>& value, const char* format, double times = 1) {
  return value ? fmt::format(fmt::runtime(format), *value * times) : "--";
}
std::string shown(const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : "--"; }

std::string points(const std::optional<double>& value) {
  return value ? scoring::format_score(*value) : "--";
}

std::string span(const std::optional<wire::Interval>& interval, const char* format, double times) {
  if (!interval) return {};
  return " " + fmt::format(fmt::runtime(format), (*interval)[0] * times, (*interval)[1] * times);
}

using Cells = std::array<std::string, 12>;

Cells cells_of(const model::LeaderboardRow& row, const Style& style) {
  return {shown(row.rank),
          style.fit(row.entry, 40),
          std::to_string(row.attempts),
          fmt::format("{}/{}", row.solved, row.tasks),
          points(row.best),
          shown(row.success_rate, "{:.0f}%", 100) + span(row.interval, "[{:.0f}, {:.0f}]", 100),
          points(row.mean) + (row.deviation ? " +/- " + points(row.deviation) : ""),
          shown(row.mean_seconds, "{:.1f}"),
          shown(row.cost_usd, "{:.2f}"),
          shown(row.cost_per_solved, "{:.2f}"),
          shown(row.strength, "{:.0f}") + span(row.strength_interval, "[{:.0f}, {:.0f}]", 1),
          shown(row.tier)};
}

std::string table_text(const wire::Leaderboard& table, const Style& style) {
  std::vector<Cells> rows{{"Rank", "Entry", "n", "Solved", "Best", "Success", "Mean", "Sec", "USD",
                           "USD/solved", "Strength", "Tier"}};
  for (const auto& row : table.rows) rows.push_back(cells_of(row, style));
  std::array<std::size_t, std::tuple_size_v<Cells>> widths{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  std::string out;
  for (std::size_t line = 0; line < rows.size(); ++line) {
    std::string text;
    for (std::size_t i = 0; i < rows[line].size(); ++i)
      text += (i == 0 ? "" : "  ") + pad(rows[line][i], widths[i], i != 1);
    out += (line == 0 ? style.paint(Paint::bold, text) : text) + "\n";
  }
  return out;
}

std::string with_k(const wire::Leaderboard& table, const Style& style) {
  std::string out;
  for (const auto& row : table.rows)
    if (row.pass_at_k)
      out += fmt::format("  {}: pass@{} {}, pass^{} {}, best@{} {} (n = {})\n", style.safe(row.entry),
                         table.k, shown(row.pass_at_k, "{:.2f}"), table.k, shown(row.pass_all_k, "{:.2f}"),
                         table.k, points(row.best_at_k), counted(row.tasks_k, "task"));
  return out.empty() ? out : "\n" + out;
}

std::string comparison_text(const model::Comparison& c, const Style& style) {
  auto out =
      fmt::format("\n{} and {} on the same {}: ", style.safe(c.a), style.safe(c.b), counted(c.tasks, "task"));
  if (c.tasks == 0) return out + "nothing to compare.\n";
  out += fmt::format(
      "both succeeded at {}, only the first {}, only the second {}, neither {}; exact McNemar {}.", c.both,
      c.only_a, c.only_b, c.neither, c.p_value < 0.001 ? "p < 0.001" : fmt::format("p = {:.3f}", c.p_value));
  if (c.difference)
    out += fmt::format("\nMean difference of composites {:+.1f}{} (paired bootstrap over {}, 95 %).",
                       *c.difference, span(c.difference_interval, "[{:+.1f}, {:+.1f}]", 1),
                       counted(c.difference_tasks, "task"));
  return out + "\n";
}

template <class T>
std::string csv_value(const std::optional<T>& value) {
  return value ? nlohmann::json(*value).dump() : "";
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field(text);
  // Names of models and labels are untrusted, so no spreadsheet may run them as formulas.
  if (!field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos)
    field.insert(field.begin(), '\'');
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  return "\"" + replace_all(std::move(field), "\"", "\"\"") + "\"";
}

std::string episodes_text(const model::LeaderboardRow& row, const Style& style) {
  using scoring::arena::format_total;
  if (!row.arena) return {};
  const auto& played = *row.arena;
  return fmt::format("  {}: best of {} {}, {:.0f} % completed, mean {} +/- {}, {} steps\n",
                     style.safe(row.entry), counted(played.episodes, "episode"),
                     format_total(played.best_score), played.success_rate * 100,
                     format_total(played.avg_score), format_total(played.std_score_population),
                     format_total(played.avg_steps));
}

Result<std::string> leaderboard_text(std::string_view json, const Style& style) {
  HYDRA_TRY(const auto table, wire::from_json<wire::Leaderboard>(json));
  if (table.rows.empty())
    return std::string(
        "No race matches. `hydra race` adds to the history, `hydra doctor --repair` rebuilds it.\n");
  auto out = table_text(table, style);
  out += with_k(table, style);
  std::string episodes;
  for (const auto& row : table.rows) episodes += episodes_text(row, style);
  if (!episodes.empty()) out += "\n" + episodes;
  if (table.comparison) out += comparison_text(*table.comparison, style);
  for (const auto& note : table.notes) out += "Note: " + style.safe(note) + "\n";
  std::int64_t lost = 0;
  for (const auto& row : table.rows) lost += row.lost;
  out += fmt::format("\nn: attempts in {}, {}. ", counted(table.races, "race"), counted(table.tasks, "task"));
  if (lost > 0)
    out += fmt::format("{} lost to the machine, a provider or a cancel {} not counted. ", lost,
                       lost == 1 ? "is" : "are");
  const auto& methods = table.methods;
  return out + "Order: " + methods.order + ". Success: " + methods.interval +
         ". Strength: " + methods.strength + "; " + methods.strength_interval + ".\n";
}

Result<std::string> leaderboard_arena(std::string_view json) {
  constexpr double kCompletion = 1'000'000;
  HYDRA_TRY(const auto table, wire::from_json<wire::Leaderboard>(json));
  std::vector<scoring::arena::Model> models;
  for (const auto& row : table.rows) {
    if (!row.rank || row.tasks == 0) continue;
    if (const auto& played = row.arena) {
      models.push_back(
          {row.entry, played->best_score, played->success_rate, played->avg_score, played->avg_steps});
      continue;
    }
    const double solved = static_cast<double>(row.solved) / static_cast<double>(row.tasks);
    models.push_back({row.entry, kCompletion * solved + row.best.value_or(0), row.success_rate.value_or(0),
                      row.mean.value_or(0), row.mean_seconds.value_or(0)});
  }
  if (models.empty()) return std::string("No entry has enough attempts for a rank (--minimum).\n");
  return scoring::arena::leaderboard_table(models);
}

Result<std::string> leaderboard_csv(std::string_view json) {
  HYDRA_TRY(const auto table, wire::from_json<wire::Leaderboard>(json));
  std::string out =
      "rank,entry,attempts,solved,tasks,best,success_rate,mean,deviation,mean_seconds,cost_usd,interval_low,"
      "interval_high,strength,tier\r\n";
  for (const auto& row : table.rows) {
    std::optional<double> low, high;
    if (row.interval) low = (*row.interval)[0], high = (*row.interval)[1];
    out += csv_value(row.rank) + "," + csv_field(row.entry);
    for (const auto count : {row.attempts, row.solved, row.tasks}) out += "," + std::to_string(count);
    for (const auto& figure : {row.best, row.success_rate, row.mean, row.deviation, row.mean_seconds,
                               row.cost_usd, low, high, row.strength})
      out += "," + csv_value(figure);
    out += "," + csv_value(row.tier) + "\r\n";
  }
  return out;
}

}  // namespace hydra::cli
