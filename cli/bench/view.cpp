#include "cli/bench/view.hpp"

#include "base/clock.hpp"
#include "base/strings.hpp"
#include "cli/json_fields.hpp"
#include "cli/render/leaderboard_block.hpp"
#include "cli/render/live_table.hpp"
#include "scoring/engine.hpp"
#include "wire/json_value.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::cli {
namespace {

std::string money(std::optional<double> usd) { return usd ? fmt::format("${:.2f}", *usd) : "-"; }

/// Returns "1", "0", "2/3" for several attempts, "lost" or "-".
std::string mark(const suite::Board& board, const std::string& task, const std::string& entry) {
  int passed = 0, known = 0;
  bool lost = false;
  for (int attempt = 1; attempt <= board.attempts(); ++attempt) {
    const auto* outcome = board.outcome(task, entry, attempt);
    if (outcome == nullptr) continue;
    lost = lost || outcome->lost;
    if (outcome->lost) continue;
    ++known;
    passed += outcome->solved ? 1 : 0;
  }
  if (known == 0) return lost ? "lost" : "-";
  return board.attempts() == 1 ? std::to_string(passed) : fmt::format("{}/{}", passed, known);
}

OrderedJson arena_of(const std::optional<model::ArenaFigures>& played) {
  return played ? OrderedJson(wire::json_value(*played)) : OrderedJson();
}

OrderedJson row_of(const suite::Row& row, const std::vector<std::string>& entries) {
  const auto submitted = std::find(entries.begin(), entries.end(), row.entry) - entries.begin() + 1;
  return {
      {"rank", or_null(row.rank)}, {"entry", row.entry},         {"passed", row.solved},
      {"total", row.tasks},        {"score", row.score},         {"submitted", submitted},
      {"attempts", row.attempts},  {"successes", row.successes}, {"success_rate", or_null(row.success_rate)},
      {"best", or_null(row.best)}, {"mean", or_null(row.mean)},  {"mean_seconds", or_null(row.mean_seconds)},
      {"lost", row.lost},          {"not_run", row.open},        {"cost_usd", or_null(row.cost_usd)},
      {"tokens", row.tokens},      {"seconds", row.seconds},     {"arena", arena_of(row.arena)}};
}

OrderedJson results_of(const suite::Board& board, const std::string& task) {
  auto results = OrderedJson::array();
  for (const auto& entry : board.entries())
    for (int attempt = 1; attempt <= board.attempts(); ++attempt) {
      const auto* outcome = board.outcome(task, entry, attempt);
      OrderedJson j{{"entry", entry}, {"attempt", attempt}, {"score", nullptr}, {"state", "not_run"}};
      if (outcome != nullptr) {
        j["state"] = outcome->lost ? "lost" : "done";
        if (!outcome->lost) j["score"] = outcome->solved ? 1.0 : 0.0;
        j["outcome"] = outcome->word;
        j["race"] = outcome->race;
        j["seconds"] = outcome->seconds;
        j["arena"] = arena_of(outcome->arena);
      }
      results.push_back(std::move(j));
    }
  return results;
}

std::string digest_of(const BenchRun& run, const std::string& task) {
  const auto found = run.digests.find(task);
  return found == run.digests.end() ? "" : found->second;
}

OrderedJson named(const std::string& task, const std::string& reason) {
  return {{"task", task}, {"reason", to_utf8(reason)}};
}

}  // namespace

bool complete(const BenchEnd& end, const suite::Board& board) {
  return end.failed.empty() && board.verdicts() == board.keys();
}

std::string bench_task_line(const BenchNews& news, const suite::Board& board, const Style& style) {
  std::string line = fmt::format("[{}/{}] {}:", news.tasks_done, news.tasks, style.safe(news.task));
  for (const auto& entry : board.entries())
    line += fmt::format(" {} {}", style.safe(entry), mark(board, news.task, entry));
  return line;
}

std::string bench_status_line(const BenchNews& news, const suite::Board& board) {
  std::string line =
      fmt::format("{} of {}, {} running", news.tasks_done, counted(news.tasks, "task"), news.running);
  if (news.left_ms >= 0) line += ", about " + format_duration(news.left_ms) + " left";
  line += fmt::format(", {} and {} tokens spent", money(board.cost_usd()), short_count(board.tokens()));
  return line;
}

std::string left_out_text(const suite::Suite& suite, const Style& style) {
  std::string text;
  for (const auto& task : suite.tasks)
    if (!task.needs_image.empty())
      text += style.safe(task.name) + " needs an image: " + style.safe(task.needs_image) + "\n";
  for (const auto& task : suite.broken)
    text += style.safe(task.name) + " is broken: " + style.safe(task.reason) + "\n";
  return text;
}

std::string bench_text(const BenchPlan& plan, const BenchEnd& end, const suite::Board& board,
                       const Style& style) {
  std::size_t width = 5;
  for (const auto& entry : board.entries()) width = std::max(width, display_width(style.safe(entry)));
  std::string text = "\nSuite " + style.safe(plan.run.suite) + ", run " + plan.run.id + ": " +
                     counted(board.tasks().size(), "task") + "\n";
  text += pad("#", 4) + pad("entry", width + 2) + pad("score", 8, true) + pad("solved", 10, true) +
          pad("best", 7, true) + pad("success", 10, true) + pad("lost", 6, true) + pad("not run", 9, true) +
          pad("cost", 10, true) + pad("tokens", 9, true) + "\n";
  for (const auto& row : board.rows())
    text += pad(row.rank ? std::to_string(*row.rank) : "--", 4) + pad(style.safe(row.entry), width + 2) +
            pad(fmt::format("{:.1f} %", row.score * 100), 8, true) +
            pad(fmt::format("{}/{}", row.solved, row.tasks), 10, true) +
            pad(row.best ? scoring::format_score(*row.best) : "--", 7, true) +
            pad(fmt::format("{}/{}", row.successes, row.attempts), 10, true) +
            pad(std::to_string(row.lost), 6, true) + pad(std::to_string(row.open), 9, true) +
            pad(money(row.cost_usd), 10, true) + pad(short_count(row.tokens), 9, true) + "\n";
  for (const auto& row : board.rows()) text += episodes_text(row, style);
  text += std::string("Order: ") + league::kOrder + ".\n";
  for (const auto& [task, why] : end.failed)
    text += style.safe(task) + " could not be run: " + style.safe(why) + "\n";
  const auto left = board.keys() - board.verdicts();
  if (end.over_budget)
    text += "The budget is spent; `--resume` with a larger one runs the rest.\n";
  else if (end.interrupted)
    text += "Stopped. Running attempts continue in the background; `--resume` continues the run.\n";
  else if (left > 0)
    text += fmt::format(
        "{} of {} attempts have no verdict: they were lost, which is no failure; `--resume` tries "
        "them again.\n",
        left, board.keys());
  return text;
}

std::string bench_json(const BenchPlan& plan, const BenchEnd& end, const suite::Board& board) {
  OrderedJson j{{"schema", 1},
                {"suite", plan.run.suite},
                {"run", plan.run.id},
                {"source", to_utf8(plan.run.source)},
                {"versions", plan.run.versions},
                {"labels", plan.run.labels},
                {"complete", complete(end, board)},
                {"attempts", board.attempts()},
                {"rows", OrderedJson::array()},
                {"tasks", OrderedJson::array()},
                {"not_begun", OrderedJson::array()},
                {"needs_image", OrderedJson::array()},
                {"cost_usd", board.cost_usd()},
                {"tokens", board.tokens()},
                {"repeated", board.repeated()},
                {"over_budget", end.over_budget},
                {"interrupted", end.interrupted}};
  for (const auto& row : board.rows()) j["rows"].push_back(row_of(row, board.entries()));
  for (const auto& task : board.tasks())
    j["tasks"].push_back(
        {{"task", task}, {"digest", digest_of(plan.run, task)}, {"results", results_of(board, task)}});
  for (const auto& [task, why] : end.failed) j["not_begun"].push_back(named(task, why));
  for (const auto& task : plan.suite.tasks)
    if (!task.needs_image.empty()) j["needs_image"].push_back(named(task.name, task.needs_image));
  return j.dump();
}

}  // namespace hydra::cli
