// The functions of `hydra score arena` (docs/scoring.md, "Arena").
#include "scoring/arena.hpp"

#include "cli/score/functions.hpp"

#include <array>

namespace hydra::cli::score {
namespace {

namespace arena = scoring::arena;

// scoring/arena.cpp checks the values; the arguments are only read by type here.
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr Range kAny{};

void fail(Args& args, std::string_view label, const Error& error) {
  args.fail(label, error.where, error.message);
}

arena::Episode episode_of(Args& args) {
  arena::Episode e;
  e.completed = args.flag("completed");
  e.world = args.whole("world", kLowest, kMostWhole);
  e.stage = args.whole("stage", kLowest, kMostWhole);
  e.max_x = args.number("max_x", kAny);
  e.total_steps = args.whole("total_steps", kLowest, kMostWhole);
  e.coins = args.whole("coins", kLowest, kMostWhole);
  e.time_remaining = args.number("time_remaining", kAny);
  return e;
}

void write_warning(Writer& out, const std::string& warning) {
  if (!warning.empty()) out.text("warning", warning);
}

void run_episode_score(Args& args, Writer& out) {
  const auto episode = episode_of(args);
  if (args.failed()) return;
  const auto s = arena::score_episode(episode);
  if (!s) return fail(args, "out_of_range", s.error());
  out.number("total", s->total);
  out.number("completion_bonus", s->completion_bonus);
  out.number("progress_score", s->progress_score);
  out.number("efficiency_penalty", s->efficiency_penalty);
  out.number("coin_bonus", s->coin_bonus);
  out.number("time_bonus", s->time_bonus);
  out.text("display", arena::format_total(s->total));
  write_warning(out, s->warning);
}

void run_aggregate(Args& args, Writer& out) {
  std::vector<arena::Episode> episodes;
  for (auto& e : args.objects("episodes")) episodes.push_back(episode_of(e));
  if (args.failed()) return;
  const auto a = arena::aggregate(episodes);
  if (!a) return fail(args, episodes.empty() ? "empty_list" : "out_of_range", a.error());
  out.number("best_score", a->best_score);
  out.whole("best_index", static_cast<std::int64_t>(a->best_index));
  out.number("success_rate", a->success_rate);
  out.number("avg_steps", a->avg_steps);
  out.number("avg_max_x", a->avg_max_x);
  out.number("avg_score", a->avg_score);
  out.number("std_score_population", a->std_score_population);
  write_warning(out, a->warning);
}

void run_full_game_score(Args& args, Writer& out) {
  const auto mode = args.has("mode") && args.word("mode", {"furthest", "sum"}) == 1
                        ? arena::FullGameMode::sum
                        : arena::FullGameMode::furthest;
  const bool completed = args.flag("full_game_completed");
  std::vector<arena::Level> levels;
  for (auto& l : args.objects("levels_reached"))
    levels.push_back({l.whole("world", kLowest, kMostWhole), l.whole("stage", kLowest, kMostWhole),
                      l.number("max_x", kAny), l.flag("completed")});
  const auto steps = args.whole("total_steps", kLowest, kMostWhole);
  if (args.failed()) return;
  const auto s = arena::score_full_game(mode, completed, levels, steps);
  if (!s) return fail(args, levels.empty() ? "empty_list" : "out_of_range", s.error());
  out.number("completion_bonus", s->completion_bonus);
  out.number("progress_score", s->progress_score);
  out.number("efficiency_penalty", s->efficiency_penalty);
  out.number("total", s->total);
  out.text("display", arena::format_total(s->total));
  write_warning(out, s->warning);
}

struct Models {
  std::vector<std::string> ids;  ///< as JSON
  std::vector<arena::Model> models;
};

Models models_of(Args& args) {
  Models found;
  for (auto& m : args.objects("models")) {
    found.ids.push_back(m.id("id"));
    const bool text = found.ids.back().starts_with('"');
    found.models.push_back({text ? std::string(m.text("id")) : found.ids.back(), m.number("score", kAny),
                            m.number("success_rate", {0, 100}), m.number("avg_score", kAny),
                            m.number("avg_steps", kAtLeastZero)});
  }
  return found;
}

void run_leaderboard(Args& args, Writer& out) {
  const auto found = models_of(args);
  if (args.failed()) return;
  out.array("order", arena::leaderboard_order(found.models), [&](auto i) { out.raw(found.ids[i]); });
}

void run_parse_level_id(Args& args, Writer& out) {
  const auto text = args.text("level_id");
  if (args.failed()) return;
  const auto level = arena::parse_level_id(text);
  if (!level) return fail(args, "malformed_level_id", level.error());
  out.whole("world", level->world);
  out.whole("stage", level->stage);
}

constexpr std::array kArenaFunctions{
    Function{"episode_score", run_episode_score},     Function{"aggregate", run_aggregate},
    Function{"full_game_score", run_full_game_score}, Function{"leaderboard", run_leaderboard},
    Function{"parse_level_id", run_parse_level_id},
};

}  // namespace

std::string arena_table(Args& args) {
  const auto found = models_of(args);
  return args.failed() ? std::string() : arena::leaderboard_table(found.models);
}

std::span<const Function> arena_functions() { return kArenaFunctions; }

}  // namespace hydra::cli::score
