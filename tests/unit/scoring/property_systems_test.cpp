// Properties of the arena, the reward and the term system over random cases from a fixed seed.
#include "random.hpp"
#include "scoring/arena.hpp"
#include "scoring/reward.hpp"
#include "scoring/term.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace hydra::scoring {
namespace {

using fixture::kCases;
using fixture::Random;

arena::Episode usual_episode(Random& r) {
  return {r.one_in(2),
          1 + r.upto(7),
          1 + r.upto(3),
          static_cast<double>(r.upto(5000)),
          r.upto(9'000'000),
          r.upto(99),
          static_cast<double>(r.upto(400))};
}

TEST(ArenaProperty, ACompletionAlwaysWinsWithinTheUsualRanges) {
  Random r(21);
  for (int i = 0; i < kCases; ++i) {
    auto won = usual_episode(r), lost = usual_episode(r);
    won.completed = true;
    lost.completed = false;
    const auto a = arena::score_episode(won), b = arena::score_episode(lost);
    ASSERT_TRUE(a && b && a->warning.empty() && b->warning.empty());
    ASSERT_GT(a->total, b->total);
  }
}

TEST(ArenaProperty, EpisodesAreMonotone) {
  Random r(22);
  for (int i = 0; i < kCases; ++i) {
    const auto e = usual_episode(r);
    const double total = arena::score_episode(e)->total;
    auto more = e;
    more.max_x += 1;
    ASSERT_GT(arena::score_episode(more)->total, total);
    more = e;
    more.coins += 1;
    ASSERT_GT(arena::score_episode(more)->total, total);
    more = e;
    more.total_steps += 1;
    ASSERT_LT(arena::score_episode(more)->total, total);
    more = e;
    more.time_remaining += 1;
    ASSERT_EQ(arena::score_episode(more)->total > total, e.completed);
    if (e.world < 8) {
      more = e;
      more.world += 1;
      ASSERT_DOUBLE_EQ(arena::score_episode(more)->total, total + 10000);
    }
  }
}

TEST(ArenaProperty, WhateverTheEpisodeThereIsAFiniteScoreOrAFieldToBlame) {
  Random r(23);
  for (int i = 0; i < kCases; ++i) {
    arena::Episode e{r.one_in(2),    r.upto(12) - 2,  r.upto(8) - 2, r.any(),
                     r.upto(99) - 9, r.upto(200) - 9, r.any()};
    if (r.one_in(8)) e.total_steps = e.coins = std::numeric_limits<std::int64_t>::max();
    const auto s = arena::score_episode(e);
    if (s) {
      ASSERT_TRUE(std::isfinite(s->total));
      ASSERT_TRUE(e.world >= 1 && e.world <= 8 && e.stage >= 1 && e.stage <= 4 && e.max_x >= 0 &&
                  e.total_steps >= 0 && e.coins >= 0 && e.time_remaining >= 0);
    } else {
      ASSERT_FALSE(s.error().where.empty());
    }
  }
}

TEST(ArenaProperty, AggregatesIgnoreTheOrder) {
  Random r(24);
  for (int i = 0; i < kCases; ++i) {
    std::vector<arena::Episode> episodes;
    for (std::int64_t n = r.upto(5); n >= 0; --n) episodes.push_back(usual_episode(r));
    const auto a = arena::aggregate(episodes);
    ASSERT_GE(a->best_score, a->avg_score - 1e-6);
    ASSERT_TRUE(a->success_rate >= 0 && a->success_rate <= 1);
    ASSERT_GE(a->std_score_population, 0);
    r.shuffle(episodes);
    const auto b = arena::aggregate(episodes);
    ASSERT_EQ(a->best_score, b->best_score);
    ASSERT_NEAR(a->avg_score, b->avg_score, 1e-6);
    ASSERT_NEAR(a->std_score_population, b->std_score_population, 1e-6);
  }
}

TEST(ArenaProperty, LeaderboardsIgnoreTheOrder) {
  Random r(25);
  for (int i = 0; i < kCases; ++i) {
    std::vector<arena::Model> models;
    for (std::int64_t n = r.upto(5); n >= 0; --n) {
      const auto few = [&] { return static_cast<double>(r.upto(2)); };
      models.push_back({"", few(), few(), few(), few()});
    }
    const auto key = [](const arena::Model& m) {
      return std::tuple(m.score, m.success_rate, m.avg_score, -m.avg_steps);
    };
    auto mixed = models;
    r.shuffle(mixed);
    const auto a = arena::leaderboard_order(models), b = arena::leaderboard_order(mixed);
    for (std::size_t k = 0; k < a.size(); ++k) {
      ASSERT_EQ(key(models[a[k]]), key(mixed[b[k]]));
      if (k > 0) {
        ASSERT_GE(key(models[a[k - 1]]), key(models[a[k]]));
      }
    }
  }
}

reward::Member any_member(Random& r) {
  switch (r.upto(9)) {
    case 0:
      return reward::Missing{};
    case 1:
      return reward::WrongType{};
    case 2:
    case 3:
    case 4:
      return r.one_in(2);
    default:
      return r.any();
  }
}

reward::Weights any_weights(Random& r) {
  reward::Weights w;
  if (r.one_in(2)) return w;
  w.damage_dealt = r.size();
  w.damage_received = -r.size();
  w.survival = r.points() / 25 - 2;
  w.wasted_action = -r.size();
  w.death_penalty = -1 - r.unit();
  return w;
}

TEST(RewardProperty, EveryResultHasABoundedReward) {
  Random r(31);
  for (int i = 0; i < 5 * kCases; ++i) {
    reward::RawResult result{!r.one_in(20),
                             r.one_in(20),
                             any_member(r),
                             any_member(r),
                             r.one_in(5) ? any_member(r) : reward::Member(r.one_in(2)),
                             r.one_in(2) ? any_member(r) : reward::Member(r.one_in(2)),
                             r.one_in(2) ? any_member(r) : reward::Member(r.one_in(2))};
    const auto w = any_weights(r);
    ASSERT_TRUE(reward::check_weights(w));
    const auto out = reward::compute(result, w);
    ASSERT_TRUE(out.total >= -2 && out.total <= 2);
    const auto& c = out.components;
    for (const double v : {c.damage_dealt_reward, c.damage_received_penalty, c.survival_reward,
                           c.death_penalty, c.efficiency_penalty, out.total})
      ASSERT_TRUE(std::isfinite(v) && !(v == 0 && std::signbit(v)));
    ASSERT_GE(c.damage_dealt_reward, 0);
    ASSERT_LE(c.damage_received_penalty, 0);
    ASSERT_LE(c.efficiency_penalty, 0);
    if (out.violation) {
      ASSERT_EQ(out.total, 0);
    } else if (!std::get<bool>(result.is_alive)) {
      ASSERT_LE(out.total, -1);  // dominance
      ASSERT_EQ(c.damage_dealt_reward, 0);
    }
  }
}

TEST(RewardProperty, MoreDamageDealtIsNeverWorseAndBetterBelowTheBound) {
  Random r(32);
  for (int i = 0; i < kCases; ++i) {
    reward::RawResult low;
    low.is_alive = true;
    low.damage_received = r.unit() * 3;
    low.action_wasted = r.one_in(2);
    const double dealt = r.unit() * 6;
    const double more = dealt + 0.001 + r.unit();
    auto high = low;
    low.damage_dealt = dealt;
    high.damage_dealt = more;
    const double a = reward::compute(low).total, b = reward::compute(high).total;
    ASSERT_LE(a, b);
    if (a < 2 && a > -2) {
      ASSERT_LT(a, b);
    }
    auto hurt = low;
    hurt.damage_received = std::get<double>(low.damage_received) + r.unit();
    ASSERT_LE(reward::compute(hurt).total, a);
  }
}

TEST(TermProperty, WeightsSumToOneAndFollowTheScores) {
  using term::Strategy;
  Random r(41);
  for (int i = 0; i < kCases; ++i) {
    std::vector<term::Submission> field;
    for (std::int64_t n = r.upto(7); n >= 0; --n)
      field.push_back({r.one_in(5) ? 0 : r.one_in(3) ? r.size() : r.unit(), static_cast<double>(r.upto(3))});
    const auto kind = static_cast<Strategy>(r.upto(3));
    const auto w = term::strategy(kind, field, 1 + r.upto(9));
    const double sum = std::accumulate(w.begin(), w.end(), 0.0);
    const bool zero = std::all_of(field.begin(), field.end(), [](const auto& s) { return s.score == 0; });
    ASSERT_NEAR(sum, zero ? 0 : 1, 1e-12);
    for (std::size_t a = 0; a < w.size(); ++a) {
      ASSERT_TRUE(w[a] >= 0 && w[a] <= 1);
      for (std::size_t b = 0; b < w.size(); ++b)
        if (field[a].score > field[b].score) {
          ASSERT_GE(w[a], w[b]);
        }
    }
    for (const auto scaled : term::scale(w)) ASSERT_TRUE(scaled >= 0 && scaled <= 65535);
  }
}

TEST(TermProperty, TheAverageLiesBetweenTheScores) {
  Random r(42);
  for (int i = 0; i < kCases; ++i) {
    std::vector<term::Evaluation> all;
    for (std::int64_t n = r.upto(6); n >= 0; --n)
      all.push_back({r.one_in(4) ? 0 : r.size(), (r.one_in(2) ? 1 : -1) * r.size()});
    const auto mean = term::stake_weighted_average(all);
    double low = 1 / 0.0, high = -low;
    for (const auto& e : all)
      if (e.stake > 0) low = std::min(low, e.score), high = std::max(high, e.score);
    ASSERT_EQ(mean.has_value(), low <= high);
    if (mean) {
      ASSERT_TRUE(*mean >= low && *mean <= high) << *mean << " " << low << " " << high;
    }
    // Of equal scores the average is that score, and stakes in another unit change nothing.
    for (auto& e : all) e.score = 0.7;
    if (mean) {
      ASSERT_EQ(*term::stake_weighted_average(all), 0.7);
    }
  }
}

TEST(TermProperty, OutliersIgnoreOrderShiftAndUnit) {
  Random r(43);
  for (int i = 0; i < kCases; ++i) {
    std::vector<double> scores;
    for (std::int64_t n = r.upto(8); n >= 0; --n)
      scores.push_back(static_cast<double>(r.one_in(5) ? r.upto(1000) : r.upto(8)));
    const auto o = term::outliers(scores, 3.5);
    ASSERT_EQ(o.undetermined, *o.mad == 0);
    ASSERT_TRUE(!o.undetermined || o.indices.empty());
    ASSERT_LT(o.indices.size() * 2, scores.size() + 1);  // never more than half
    auto other = scores;
    for (double& v : other) v = v * 4 - 100;
    ASSERT_EQ(term::outliers(other, 3.5).indices, o.indices);
    r.shuffle(other);
    ASSERT_EQ(term::outliers(other, 3.5).indices.size(), o.indices.size());
    ASSERT_GE(o.indices.size(), term::outliers(scores, 4.5).indices.size());
  }
}

TEST(TermProperty, CapsHoldAndRedistributionKeepsTheSum) {
  Random r(44);
  for (int i = 0; i < kCases; ++i) {
    std::vector<double> scores;
    for (std::int64_t n = r.upto(7); n >= 0; --n) scores.push_back(r.one_in(6) ? 0 : r.unit());
    const auto shares = term::normalise(scores);
    const double cap = r.unit();
    const auto plain = term::cap(shares, cap), spread = term::cap_redistribute(shares, cap);
    std::size_t holders = 0;
    double sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      ASSERT_TRUE(plain.capped[k] <= plain.limit && plain.capped[k] <= shares[k]);
      ASSERT_LE(spread.capped[k], spread.limit);
      ASSERT_GE(spread.capped[k], plain.capped[k] - 1e-12);
      ASSERT_TRUE(shares[k] > 0 || spread.capped[k] == 0);
      holders += shares[k] > 0 ? 1 : 0;
      sum += spread.capped[k];
    }
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    ASSERT_NEAR(sum, std::min(total, spread.limit * static_cast<double>(holders)), 1e-9);
  }
}

TEST(TermProperty, DecayIsMonotoneBoundedAndKeepsTheSum) {
  Random r(45);
  for (int i = 0; i < kCases; ++i) {
    const auto curve = r.one_in(2) ? term::Curve::linear : term::Curve::exponential;
    const double rate = r.one_in(10) ? static_cast<double>(r.upto(1)) : r.unit(), most = r.points();
    const auto tau = static_cast<double>(r.upto(60));
    const double burn = term::burn_percent(curve, rate, tau, most);
    ASSERT_TRUE(burn >= 0 && burn <= most);
    ASSERT_GE(term::burn_percent(curve, rate, tau + 1, most), burn);
    std::vector<term::UidWeight> weights;
    double sum = 0;
    for (std::int64_t uid = r.upto(1); uid < 6; ++uid) {
      weights.push_back({uid, static_cast<double>(r.upto(65535))});
      sum += weights.back().weight;
    }
    double after = 0;
    for (const auto& w : term::apply_burn(weights, burn, true)) {
      ASSERT_TRUE(w.weight >= 0 && w.weight == std::floor(w.weight));
      after += w.weight;
    }
    ASSERT_EQ(after, sum);
    const auto current = r.upto(200), last = r.upto(200), grace = r.upto(30);
    const auto stale = term::epochs_stale(current, last, grace);
    ASSERT_EQ(stale, std::max<std::int64_t>(0, current - last - grace));
  }
}

TEST(TermProperty, ImprovementIsMonotone) {
  Random r(46);
  for (int i = 0; i < kCases; ++i) {
    const double top = r.unit(), threshold = static_cast<double>(r.upto(50)) / 1000;
    const double score = top * (1 + (r.unit() - 0.5) / 10);
    if (term::is_improvement(top, score, threshold)) {
      ASSERT_GE(score, top * (1 + threshold) * (1 - 1e-11));
      ASSERT_TRUE(term::is_improvement(top, score + r.unit(), threshold));
    } else {
      ASSERT_LE(score, top * (1 + threshold));
      ASSERT_FALSE(term::is_improvement(top, score, threshold + 0.01));
    }
  }
}

}  // namespace
}  // namespace hydra::scoring
