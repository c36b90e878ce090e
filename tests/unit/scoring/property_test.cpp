// Properties over random cases from a fixed seed: bounds, monotone formulas, scale, dominance, permutations.
#include "evidence.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hydra::scoring {
namespace {

using namespace fixture;
model::ScoreBreakdown breakdown(Random& r) {
  model::ScoreBreakdown b;
  for (auto& d : b.dimensions) {
    d.status = static_cast<model::DimensionStatus>(r.upto(3));
    if (d.status == model::DimensionStatus::scored) d.points = r.points();
  }
  return b;
}

model::Weights weights(Random& r) {
  return {r.points(), r.points(), r.points(), r.points(), r.points() + 0.01};
}

TEST(Property, CompositeIsBoundedMonotoneAndScaleFree) {
  Random r(1);
  for (int i = 0; i < kCases; ++i) {
    auto b = breakdown(r);
    const auto w = weights(r);
    const double c = composite(b, w);
    ASSERT_GE(c, 0);
    ASSERT_LE(c, 100);
    const double k = 0.001 + r.points() * 37;
    ASSERT_NEAR(composite(b, {w.build * k, w.tests * k, w.lint * k, w.diff_size * k, w.speed * k}), c, 1e-9);
    auto& d = b.dimensions[static_cast<std::size_t>(r.upto(4))];
    if (d.status != model::DimensionStatus::scored) continue;
    d.points = std::min(100.0, d.points + r.points());
    ASSERT_GE(composite(b, w), c - 1e-9);
  }
}

TEST(Property, AbsentIsNotZero) {
  Random r(11);
  for (int i = 0; i < kCases; ++i) {
    auto b = breakdown(r);
    const auto w = weights(r);
    // Without a dimension the composite is that of the others alone, whatever the weight that is left out.
    auto& d = b.dimensions[static_cast<std::size_t>(r.upto(4))];
    d = {};
    auto other = w;
    (&d == &b.dimensions[0] ? other.build : other.tests) *=
        &d == &b.dimensions[0] || &d == &b.dimensions[1] ? 7 : 1;
    const double c = composite(b, w);
    ASSERT_EQ(composite(b, other), c);
    // A dimension of 0 points pulls down; one that is absent does not.
    d.status = model::DimensionStatus::failed;
    ASSERT_LE(composite(b, w), c + 1e-9);
  }
}

TEST(Property, RankOrderIsAPermutationThatIgnoresTheInputsOrder) {
  Random r(12);
  for (int i = 0; i < kCases; ++i) {
    std::vector<Contender> all;
    for (std::int64_t n = r.upto(6); n >= 0; --n) {
      // Few different values: ties in every place.
      const auto few = [&] { return static_cast<double>(r.upto(2)) * 50; };
      all.push_back({r.one_in(2), few(), few(), few(), few(), static_cast<double>(r.upto(3))});
    }
    const auto order = rank_order(all);
    for (std::size_t k = 1; k < order.size(); ++k) {
      const auto &better = all[order[k - 1]], &worse = all[order[k]];
      ASSERT_TRUE(better.eligible || !worse.eligible);
      if (better.eligible == worse.eligible) {
        ASSERT_GE(better.composite, worse.composite);
      }
      if (tied(better, worse)) {
        ASSERT_LT(order[k - 1], order[k]);
      }
    }
    auto mixed = all;
    r.shuffle(mixed);
    const auto again = rank_order(mixed);
    ASSERT_EQ(again.size(), all.size());
    for (std::size_t k = 0; k < order.size(); ++k) ASSERT_TRUE(tied(all[order[k]], mixed[again[k]]));
  }
}

TEST(Property, SpeedIsBoundedAndTheFastestHasFullMarks) {
  Random r(13);
  for (int i = 0; i < kCases; ++i) {
    std::vector<std::optional<double>> durations;
    for (std::int64_t n = r.upto(5); n >= 0; --n)
      durations.push_back(r.one_in(4) ? std::nullopt : std::optional(r.size()));
    const auto points = score_speed(durations, 0.001);
    double best = 0;
    bool some = false;
    for (std::size_t k = 0; k < points.size(); ++k) {
      ASSERT_TRUE(points[k] >= 0 && points[k] <= 100);
      ASSERT_TRUE(durations[k] || points[k] == 0);
      some = some || durations[k];
      best = std::max(best, points[k]);
      for (std::size_t j = 0; j < k; ++j)
        if (durations[j] && durations[k] && *durations[j] <= *durations[k]) {
          ASSERT_GE(points[j], points[k]);
        }
    }
    ASSERT_EQ(best, some ? 100 : 0);
  }
}

TEST(Property, TestsBonusAndPenaltyAreBounded) {
  Random r(14);
  for (int i = 0; i < kCases; ++i) {
    const auto any = [&r] {
      return r.one_in(3) ? std::numeric_limits<std::int64_t>::max() - r.upto(9) : r.upto(40);
    };
    const auto s = score_tests(any(), any(), any(), any(), r.one_in(2) ? std::optional(any()) : std::nullopt);
    ASSERT_TRUE(s.score >= 0 && s.score <= 100);
    ASSERT_TRUE(s.bonus >= 0 && s.bonus <= 10);
    ASSERT_TRUE(s.regression_penalty >= 0 && s.regression_penalty <= 50);
    ASSERT_TRUE(s.pass_rate >= 0 && s.pass_rate <= 1);
  }
}

TEST(Property, FormulasAreBoundedAndMonotone) {
  Random r(2);
  for (int i = 0; i < kCases; ++i) {
    const auto base_total = r.upto(50);
    const auto base_pass = r.upto(base_total);
    const auto total = r.upto(50);
    const auto pass = r.upto(total);
    const double t = score_tests(base_pass, base_total, pass, total).score;
    ASSERT_TRUE(t >= 0 && t <= 100);
    if (pass < total) {
      ASSERT_GE(score_tests(base_pass, base_total, pass + 1, total).score, t);
    }
    const auto lost = r.upto(base_pass);
    ASSERT_LE(score_tests(base_pass, base_total, pass, total, lost + 1).score,
              score_tests(base_pass, base_total, pass, total, lost).score);

    const auto be = r.upto(20), bw = r.upto(20), e = r.upto(20), w = r.upto(20);
    const double l = score_lint(be, bw, e, w);
    ASSERT_TRUE(l >= 0 && l <= 100);
    ASSERT_LE(score_lint(be, bw, e + 1, w), l);
    ASSERT_LE(score_lint(be, bw, e, w + 1), l);

    const auto lines = r.upto(3000), files = r.upto(60);
    const double d = score_diff_size(lines, 0, files).score;
    ASSERT_TRUE(d >= 24 && d <= 100);
    ASSERT_LE(score_diff_size(lines, 1, files).score, d);
    ASSERT_LE(score_diff_size(lines, 0, files + 1).score, d);
    const auto half = r.upto(lines);
    ASSERT_DOUBLE_EQ(score_diff_size(half, lines - half, files).score, d);
  }
}

model::AgentEvidence random_agent(Random& r, std::size_t number) {
  auto a = agent("agent" + std::to_string(number), r.upto(100000));
  a.outcome = r.one_in(3) ? static_cast<model::Outcome>(r.upto(10)) : model::Outcome::completed;
  if (r.one_in(10)) a.capture.reset();
  if (a.capture) {
    a.capture->changed = !r.one_in(8);
    a.capture->trivial = r.one_in(8);
    a.capture->diff = {r.upto(1500), r.upto(500), r.upto(40)};
  }
  const auto status = [&r] {
    return r.one_in(4) ? static_cast<model::CheckStatus>(r.upto(5)) : model::CheckStatus::passed;
  };
  a.checks.build = check(model::Dimension::build, status());
  a.checks.tests = check(model::Dimension::tests, status());
  a.checks.tests->tests = report(r.upto(12), r.upto(3), r.upto(2));
  if (r.one_in(6)) a.checks.tests->tests->suspicious = {"contradiction"};
  if (r.one_in(6)) a.checks.tests->tests->complete = false;
  a.checks.lint = check(model::Dimension::lint, status());
  a.checks.lint->lint = lint(r.upto(5), r.upto(9));
  return a;
}

std::string shown(const model::RankedAgent& a) {
  std::string s = a.agent + " " + std::to_string(a.rank) + " " + std::to_string(a.score.composite);
  for (const auto& reason : a.ineligible_reasons) s += " " + std::string(name(reason));
  return s;
}

// The order itself has its hundred thousand cases above; these are whole evaluations.
TEST(Property, RankingIgnoresTheOrderOfAsking) {
  Random r(3);
  for (int i = 0; i < kCases / 5; ++i) {
    std::vector<model::AgentEvidence> agents;
    for (std::size_t n = 0; n < 2 + static_cast<std::size_t>(r.upto(5)); ++n)
      agents.push_back(random_agent(r, n));
    const auto first = evaluate(config(), baseline(), agents);
    r.shuffle(agents);
    const auto second = evaluate(config(), baseline(), agents);
    ASSERT_EQ(first.agents.size(), second.agents.size());
    ASSERT_EQ(first.all_failed, second.all_failed);
    ASSERT_EQ(first.auto_merge, second.auto_merge);
    for (std::size_t k = 0; k < agents.size(); ++k) {
      const auto same = std::find_if(second.agents.begin(), second.agents.end(),
                                     [&](const auto& x) { return x.agent == first.agents[k].agent; });
      ASSERT_EQ(shown(first.agents[k]), shown(*same));
    }
  }
}

TEST(Property, DominanceAndThresholds) {
  Random r(5);
  for (int i = 0; i < kCases; ++i) {
    std::vector<model::AgentEvidence> agents;
    for (std::size_t n = 0; n < 3; ++n) agents.push_back(random_agent(r, n));
    const auto out = evaluate(config(), baseline(), agents);
    for (std::size_t k = 0; k < out.agents.size(); ++k) {
      const auto& a = out.agents[k];
      ASSERT_TRUE(a.score.composite >= 0 && a.score.composite <= 100);
      ASSERT_EQ(a.eligible, a.ineligible_reasons.empty());
      for (const auto& d : a.score.dimensions) {
        ASSERT_TRUE(d.points >= 0 && d.points <= 100);
        ASSERT_TRUE(d.status == model::DimensionStatus::scored || d.points == 0);
      }
      if (k == 0) continue;
      const auto& better = out.agents[k - 1];
      ASSERT_TRUE(better.eligible || !a.eligible);
      if (better.eligible == a.eligible) {
        ASSERT_GE(better.score.composite, a.score.composite - 1e-8);
      }
      ASSERT_GE(a.rank, better.rank);
    }
    ASSERT_EQ(out.winner.empty(), !out.agents[0].eligible);
    if (out.auto_merge) {
      ASSERT_GT(out.agents[0].score.composite, 85.0);
    }
    ASSERT_EQ(out.all_failed, out.winner.empty() || out.agents[0].score.composite < 30.0);
  }
}

}  // namespace
}  // namespace hydra::scoring
