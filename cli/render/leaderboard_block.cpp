#include "cli/render/leaderboard_block.hpp"

#include "base/strings.hpp"
#include "scoring/engine.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace hydra::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

Result<OrderedJson> table_of(std::string_view text) {
  auto json = OrderedJson::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array())
    return Error{Errc::protocol,
                 "the daemon's answer is no leaderboard",
                 {},
                 "are `hydra` and `hydrad` of the same version?"};
  return json;
}

std::optional<double> figure(const OrderedJson& row, const char* name) {
  const auto found = row.find(name);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string shown(const std::optional<double>& value, const char* format, double times = 1) {
  return value ? fmt::format(fmt::runtime(format), *value * times) : "--";
}

std::string points(const std::optional<double>& value) {
  return value ? scoring::format_score(*value) : "--";
}

std::string span(const OrderedJson& row, const char* name, const char* format, double times) {
  const auto found = row.find(name);
  if (found == row.end() || !found->is_array() || found->size() != 2) return {};
  return " " + fmt::format(fmt::runtime(format), (*found)[0].get<double>() * times,
                           (*found)[1].get<double>() * times);
}

std::string word(const OrderedJson& row, const char* name) {
  const auto found = row.find(name);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

using Cells = std::array<std::string, 11>;

Cells cells_of(const OrderedJson& row, const Style& style) {
  return {shown(figure(row, "rank"), "{:.0f}"),
          style.fit(word(row, "entry"), 40),
          shown(figure(row, "attempts"), "{:.0f}"),
          points(figure(row, "best")),
          shown(figure(row, "success_rate"), "{:.0f}%", 100) + span(row, "interval", "[{:.0f}, {:.0f}]", 100),
          points(figure(row, "mean")) +
              (figure(row, "deviation") ? " +/- " + points(figure(row, "deviation")) : ""),
          shown(figure(row, "mean_seconds"), "{:.1f}"),
          shown(figure(row, "cost_usd"), "{:.2f}"),
          shown(figure(row, "cost_per_solved"), "{:.2f}"),
          shown(figure(row, "strength"), "{:.0f}") + span(row, "strength_interval", "[{:.0f}, {:.0f}]", 1),
          shown(figure(row, "tier"), "{:.0f}")};
}

std::string table_text(const OrderedJson& table, const Style& style) {
  std::vector<Cells> rows{
      {"Rank", "Entry", "n", "Best", "Success", "Mean", "Sec", "USD", "USD/solved", "Strength", "Tier"}};
  for (const auto& row : table["rows"]) rows.push_back(cells_of(row, style));
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

std::string with_k(const OrderedJson& table, const Style& style) {
  const auto k = table.value("k", std::int64_t{1});
  std::string out;
  for (const auto& row : table["rows"]) {
    if (!figure(row, "pass_at_k")) continue;
    out += fmt::format("  {}: pass@{} {}, pass^{} {}, best@{} {} (n = {} tasks)\n",
                       style.safe(word(row, "entry")), k, shown(figure(row, "pass_at_k"), "{:.2f}"), k,
                       shown(figure(row, "pass_all_k"), "{:.2f}"), k, points(figure(row, "best_at_k")),
                       shown(figure(row, "tasks_k"), "{:.0f}"));
  }
  return out.empty() ? out : "\n" + out;
}

std::string comparison_text(const OrderedJson& table, const Style& style) {
  const auto found = table.find("comparison");
  if (found == table.end() || !found->is_object()) return {};
  const auto& c = *found;
  const auto count = [&](const char* name) { return c.value(name, std::int64_t{0}); };
  auto out = fmt::format("\n{} and {} on the same {} task{}: ", style.safe(word(c, "a")),
                         style.safe(word(c, "b")), count("tasks"), count("tasks") == 1 ? "" : "s");
  if (count("tasks") == 0) return out + "nothing to compare.\n";
  out +=
      fmt::format("both solved {}, only the first {}, only the second {}, neither {}; exact McNemar p = {}.",
                  count("both"), count("only_a"), count("only_b"), count("neither"),
                  shown(figure(c, "p_value"), "{:.3f}"));
  if (figure(c, "difference"))
    out += fmt::format("\nMean difference of composites {}{} (paired bootstrap over {} tasks, 95 %).",
                       shown(figure(c, "difference"), "{:+.1f}"),
                       span(c, "difference_interval", "[{:+.1f}, {:+.1f}]", 1), count("difference_tasks"));
  return out + "\n";
}

std::string csv_value(const OrderedJson& value) {
  if (value.is_null()) return {};
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field(text);
  // Names of models and labels come from anywhere: no spreadsheet may run them.
  if (!field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos)
    field.insert(field.begin(), '\'');
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  return "\"" + replace_all(std::move(field), "\"", "\"\"") + "\"";
}

Result<std::string> leaderboard_text(std::string_view json, const Style& style) {
  HYDRA_TRY(const auto table, table_of(json));
  if (table["rows"].empty())
    return std::string(
        "Nothing is remembered that this asks for. `hydra race` adds to it, `hydra history rebuild` reads "
        "old races again.\n");
  auto out = table_text(table, style);
  out += with_k(table, style);
  out += comparison_text(table, style);
  for (const auto& note : table.value("notes", std::vector<std::string>{}))
    out += "Note: " + style.safe(note) + "\n";
  std::int64_t lost = 0;
  for (const auto& row : table["rows"]) lost += row.value("lost", std::int64_t{0});
  out += fmt::format("\nn: attempts in {} race{}, {} task{}. ", table.value("races", 0),
                     table.value("races", 0) == 1 ? "" : "s", table.value("tasks", 0),
                     table.value("tasks", 0) == 1 ? "" : "s");
  if (lost > 0)
    out += fmt::format("{} lost to the machine, a provider or a cancel {} not counted. ", lost,
                       lost == 1 ? "is" : "are");
  const auto methods = table.find("methods");
  if (methods != table.end() && methods->is_object())
    out += "Success: " + word(*methods, "interval") + ". Strength: " + word(*methods, "strength") + "; " +
           word(*methods, "strength_interval") + ".";
  return out + "\n";
}

Result<std::string> leaderboard_csv(std::string_view json) {
  HYDRA_TRY(const auto table, table_of(json));
  constexpr std::array kColumns{"rank",      "entry",        "attempts", "best",     "success_rate", "mean",
                                "deviation", "mean_seconds", "cost_usd", "interval", "strength",     "tier"};
  std::string out =
      "rank,entry,attempts,best,success_rate,mean,deviation,mean_seconds,cost_usd,interval_low,"
      "interval_high,strength,tier\r\n";
  for (const auto& row : table["rows"]) {
    std::string line;
    for (const std::string_view name : kColumns) {
      const auto value = row.contains(name) ? row[std::string(name)] : OrderedJson(nullptr);
      const bool pair = value.is_array() && value.size() == 2;
      if (name == "interval")
        line += (pair ? csv_value(value[0]) + "," + csv_value(value[1]) : std::string(",")) + ",";
      else
        line += csv_value(value) + ",";
    }
    line.pop_back();
    out += line + "\r\n";
  }
  return out;
}

}  // namespace hydra::cli
