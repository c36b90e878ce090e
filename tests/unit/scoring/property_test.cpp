// Properties over random cases from a fixed seed: bounds, monotone formulas, scale, dominance, permutations.
#include "evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hydra::scoring {
namespace {

using namespace fixture;
constexpr int kCases = 20000;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// Uniform in [0, limit]; the remainder's bias does not matter here, the same numbers everywhere do.
  std::int64_t upto(std::int64_t limit) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(limit + 1));
  }
  bool one_in(std::int64_t n) { return upto(n - 1) == 0; }
  double points() { return static_cast<double>(upto(10000)) / 100.0; }

 private:
  std::mt19937_64 engine_;
};

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
  for (const auto& reason : a.ineligible_reasons) s += " " + reason;
  return s;
}

TEST(Property, RankingIgnoresTheOrderOfAsking) {
  Random r(3);
  std::mt19937_64 shuffler(4);
  for (int i = 0; i < kCases / 10; ++i) {
    std::vector<model::AgentEvidence> agents;
    for (std::size_t n = 0; n < 2 + static_cast<std::size_t>(r.upto(5)); ++n)
      agents.push_back(random_agent(r, n));
    const auto first = evaluate(config(), baseline(), agents);
    std::shuffle(agents.begin(), agents.end(), shuffler);
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
