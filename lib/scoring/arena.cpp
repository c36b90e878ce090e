// Episodes, aggregates and full games (A1-A7).
#include "scoring/arena.hpp"

#include "scoring/numeric.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace hydra::scoring::arena {
namespace {

constexpr double kLevelBonus = 1'000'000;
constexpr double kGameBonus = 10'000'000;
constexpr double kUsualX = 5'000;
constexpr std::int64_t kUsualSteps = 9'000'000;
constexpr std::int64_t kUsualCoins = 99;

Error impossible(std::string where, std::string what) {
  return {Errc::usage, "must be " + std::move(what), std::move(where), {}};
}

bool is_length(double v) { return std::isfinite(v) && v >= 0; }

std::optional<Error> check_place(std::int64_t world, std::int64_t stage, double max_x) {
  if (world < 1 || world > 8) return impossible("world", "a whole number from 1 to 8");
  if (stage < 1 || stage > 4) return impossible("stage", "a whole number from 1 to 4");
  if (!is_length(max_x)) return impossible("max_x", "a finite number of at least 0");
  return std::nullopt;
}

double progress(std::int64_t world, std::int64_t stage, double max_x) {
  return static_cast<double>(world) * 10'000 + static_cast<double>(stage) * 1'000 + max_x;
}

/// Divides by 10, since 0.1 has no exact binary form; the quotient is the double nearest to the penalty.
double step_cost(std::int64_t steps) { return static_cast<double>(steps) / 10; }

void warn(std::string& warning, bool unusual, std::string_view what) {
  if (unusual) warning += (warning.empty() ? "" : "; ") + std::string(what);
}

std::string within(std::string_view list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

}  // namespace

Result<EpisodeScore> score_episode(const Episode& e) {
  if (auto error = check_place(e.world, e.stage, e.max_x)) return *error;
  if (e.total_steps < 0) return impossible("total_steps", "at least 0");
  if (e.coins < 0) return impossible("coins", "at least 0");
  if (!is_length(e.time_remaining)) return impossible("time_remaining", "a finite number of at least 0");

  EpisodeScore out;
  out.completion_bonus = e.completed ? kLevelBonus : 0;
  out.progress_score = progress(e.world, e.stage, e.max_x);
  out.efficiency_penalty = step_cost(e.total_steps);
  out.coin_bonus = static_cast<double>(e.coins) * 100;
  out.time_bonus = e.completed ? e.time_remaining * 10 : 0;
  out.total =
      out.completion_bonus + out.progress_score + out.coin_bonus + out.time_bonus - out.efficiency_penalty;
  if (!std::isfinite(out.total)) return impossible("time_remaining", "small enough for a finite total");

  warn(out.warning, e.max_x > kUsualX, "max_x is above the usual 5,000");
  warn(out.warning, e.total_steps > kUsualSteps, "total_steps is above the usual 9,000,000");
  warn(out.warning, e.coins > kUsualCoins, "coins is above the usual 99");
  return out;
}

Aggregate figures_of(const std::vector<Played>& played) {
  std::vector<double> scores, steps, positions;
  Aggregate out;
  double successes = 0;
  for (const auto& one : played) {
    if (scores.empty() || one.total > out.best_score) {
      out.best_score = one.total;
      out.best_index = scores.size();
    }
    scores.push_back(one.total);
    steps.push_back(static_cast<double>(one.total_steps));
    positions.push_back(one.max_x);
    if (one.completed) ++successes;
  }
  out.episodes = static_cast<std::int64_t>(played.size());
  if (played.empty()) return out;
  out.success_rate = successes / static_cast<double>(played.size());
  out.avg_steps = detail::mean(steps);
  out.avg_max_x = detail::mean(positions);
  out.avg_score = detail::mean(scores);
  out.std_score_population = detail::deviation(scores);
  return out;
}

Result<Aggregate> aggregate(const std::vector<Episode>& episodes) {
  if (episodes.empty()) return Error{Errc::usage, "must hold at least one episode", "episodes", {}};
  std::vector<Played> played;
  std::string warning;
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    auto score = score_episode(episodes[i]);
    if (!score) {
      Error error = score.error();
      error.where = within("episodes", i) + "." + error.where;
      return error;
    }
    if (warning.empty() && !score->warning.empty()) warning = within("episodes", i) + ": " + score->warning;
    played.push_back({score->total, episodes[i].completed, episodes[i].total_steps, episodes[i].max_x});
  }
  auto out = figures_of(played);
  out.warning = std::move(warning);
  return out;
}

void pool(model::ArenaFigures& sum, const model::ArenaFigures& more) {
  if (more.episodes == 0) return;
  if (sum.episodes == 0) sum.best_score = more.best_score;
  sum.best_score = std::max(sum.best_score, more.best_score);
  sum.episodes += more.episodes;
  const double part = static_cast<double>(more.episodes) / static_cast<double>(sum.episodes);
  sum.std_score_population =
      std::hypot(std::sqrt(1 - part) * sum.std_score_population, std::sqrt(part) * more.std_score_population,
                 std::sqrt(part * (1 - part)) * (more.avg_score - sum.avg_score));
  for (const auto mean : {&model::ArenaFigures::success_rate, &model::ArenaFigures::avg_steps,
                          &model::ArenaFigures::avg_max_x, &model::ArenaFigures::avg_score})
    sum.*mean += (more.*mean - sum.*mean) * part;
}

Result<FullGameScore> score_full_game(FullGameMode mode, bool full_game_completed,
                                      const std::vector<Level>& levels, std::int64_t total_steps) {
  if (levels.empty()) return Error{Errc::usage, "must hold at least one level", "levels_reached", {}};
  if (total_steps < 0) return impossible("total_steps", "at least 0");
  FullGameScore out;
  bool far = false;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (auto error = check_place(levels[i].world, levels[i].stage, levels[i].max_x)) {
      error->where = within("levels_reached", i) + "." + error->where;
      return *error;
    }
    far = far || levels[i].max_x > kUsualX;
  }
  if (mode == FullGameMode::sum) {
    for (const auto& l : levels) out.progress_score += progress(l.world, l.stage, l.max_x);
  } else {
    // Levels compare by place in the game, not by points: any position in 1-2 is beyond all of 1-1.
    const auto place = [](const Level& l) { return std::tuple(l.world, l.stage, l.max_x); };
    const auto& last = *std::max_element(levels.begin(), levels.end(),
                                         [&](const Level& a, const Level& b) { return place(a) < place(b); });
    out.progress_score = progress(last.world, last.stage, last.max_x);
  }
  out.completion_bonus = full_game_completed ? kGameBonus : 0;
  out.efficiency_penalty = step_cost(total_steps);
  out.total = out.completion_bonus + out.progress_score - out.efficiency_penalty;
  if (!std::isfinite(out.total)) return impossible("levels_reached", "small enough for a finite total");
  warn(out.warning, far, "max_x is above the usual 5,000");
  warn(out.warning, total_steps > kUsualSteps, "total_steps is above the usual 9,000,000");
  return out;
}

Result<LevelId> parse_level_id(std::string_view text) {
  constexpr std::string_view kPattern = "SuperMarioBros-W-S-v0";
  LevelId out;
  bool good = text.size() == kPattern.size();
  for (std::size_t i = 0; good && i < kPattern.size(); ++i) {
    if (kPattern[i] == 'W') {
      out.world = text[i] - '0';
    } else if (kPattern[i] == 'S' && i > 0) {
      out.stage = text[i] - '0';
    } else {
      good = text[i] == kPattern[i];
    }
  }
  if (!good || check_place(out.world, out.stage, 0))
    return impossible("level_id", "SuperMarioBros-W-S-v0 with a world of 1 to 8 and a stage of 1 to 4");
  return out;
}

}  // namespace hydra::scoring::arena
