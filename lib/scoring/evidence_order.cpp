// The order of a scored race, by evidence before points (H23-H26) or by points, and why a row stands above
// the next one.
#include "scoring/evaluate.hpp"
#include "scoring/numeric.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace hydra::scoring::detail {
namespace {

using model::AgentEvidence;
using model::Dimension;
using model::OrderBy;
using model::OrderReason;
using model::RankedAgent;

double points_of(const RankedAgent& row, Dimension d) { return row.score.dimensions[model::index(d)].points; }

Contender contender(const RankedAgent& row, const AgentEvidence& agent) {
  return {row.eligible,
          row.score.composite,
          points_of(row, Dimension::tests),
          points_of(row, Dimension::build),
          points_of(row, Dimension::diff_size),
          static_cast<double>(agent.duration_ms)};
}

/// Returns the best position among results with the same tree.
std::vector<std::size_t> best_of_tree(const Race& race, const std::vector<std::size_t>& plain) {
  std::map<std::pair<bool, std::string>, std::size_t> best;
  std::vector<std::size_t> out(race.agents.size());
  for (const auto i : plain) best.emplace(std::pair(race.ranked[i].eligible, code_of(race.agents[i])), i);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = best.at({race.ranked[i].eligible, code_of(race.agents[i])});
  return out;
}

/// Returns scores in which indistinguishable speeds and diff sizes are equal; empty ones of ineligible
/// results.
std::vector<model::ScoreBreakdown> without_noise(const Race& race) {
  std::vector<std::size_t> rows;
  std::vector<double> durations, sizes;
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    if (!race.ranked[i].eligible) continue;
    rows.push_back(i);
    durations.push_back(static_cast<double>(std::max<std::int64_t>(race.agents[i].duration_ms, 1)));
    sizes.push_back(points_of(race.ranked[i], Dimension::diff_size));
  }
  const auto even = level(durations, kNoiseShare, kNoiseMs, true);
  const auto even_sizes = level(sizes, 0, kNoiseDiffPoints, false);
  std::vector<model::ScoreBreakdown> out(race.agents.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto& score = out[rows[k]] = race.ranked[rows[k]].score;
    auto& speed = score.dimensions[model::index(Dimension::speed)];
    // Speed points are fastest / duration, so the group's fastest duration gives the points.
    speed.points = std::min(100.0, speed.points * durations[k] / even[k]);
    score.dimensions[model::index(Dimension::diff_size)].points = even_sizes[k];
    score.composite = composite(score, race.config.weights);
  }
  return out;
}

OrderReason because(OrderBy by) {
  OrderReason out;
  out.by = by;
  return out;
}

/// Names the larger part of a difference in points of tests and evidence, and the fact behind it. `evidence`:
/// its part of the difference.
OrderReason by_evidence(const RankedAgent& above, const RankedAgent& below, double evidence) {
  const auto& a = above.confidence.facts;
  const auto& b = below.confidence.facts;
  const double tests = points_of(above, Dimension::tests) - points_of(below, Dimension::tests);
  auto out = because(OrderBy::evidence);
  out.points = tests + evidence;
  const auto more = [&out](OrderBy by, std::int64_t count) {
    if (count <= out.count) return;
    out.by = by;
    out.count = count;
  };
  if (tests >= evidence) {
    more(OrderBy::fixed_tests, a.fixed - b.fixed);
    more(OrderBy::broken_tests, b.broken - a.broken);
    return out;
  }
  more(OrderBy::authors, std::ssize(a.passed_authors) - std::ssize(b.passed_authors));
  if (out.count == 0) more(OrderBy::others_tests, b.tests_failed - a.tests_failed);
  return out;
}

/// Names the part of the composite that contributes most to a difference.
OrderReason by_points(const model::ScoreBreakdown& above, const model::ScoreBreakdown& below,
                      const model::Weights& weights) {
  constexpr std::array kParts{OrderBy::build,     OrderBy::tests, OrderBy::lint,
                              OrderBy::diff_size, OrderBy::speed, OrderBy::judges};
  auto more = contributions(above, weights);
  const auto less = contributions(below, weights);
  for (std::size_t i = 0; i < more.size(); ++i) more[i] -= less[i];
  const auto most = std::max_element(more.begin(), more.end()) - more.begin();
  return {kParts[static_cast<std::size_t>(most)], false, 0, above.composite - below.composite};
}

/// Returns the breakdowns without the points of speed.
std::vector<model::ScoreBreakdown> without_speed(std::vector<model::ScoreBreakdown> scores,
                                                 const model::Weights& weights) {
  for (auto& score : scores) {
    score.dimensions[model::index(Dimension::speed)] = {};
    score.composite = composite(score, weights);
  }
  return scores;
}

/// The order of a race's rows, before undecided results are moved.
class RowOrder {
 public:
  RowOrder(const Race& race, bool race_has_evidence)
      : race_(race),
        has_evidence_(race_has_evidence),
        plain_(order_by_composite(race)),
        place_(plain_.size()) {
    if (!evidence_first()) return;
    for (std::size_t i = 0; i < plain_.size(); ++i) place_[plain_[i]] = i;
    tree_ = best_of_tree(race, plain_);
    even_ = without_noise(race);
    unhurried_ = without_speed(even_, race.config.weights);
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      asks_proof_ = asks_proof_ || (race.ranked[i].eligible && race.agents[i].unproven);
      untested_.push_back(!shows_something(race.ranked[i].confidence.facts) &&
                          race.selection.tested_by_nobody(code_of(race.agents[i])));
    }
  }

  /// Returns the rows by their points; then each moves up past those that it is better than when authors of
  /// neither are asked (H33). The second comparison alone is no order: it need not be transitive.
  [[nodiscard]] std::vector<std::size_t> order() const {
    if (!evidence_first()) return plain_;
    auto out = plain_;
    std::sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(key(a, points(a)), place_[tree_[a]], place_[a]) <
             std::tuple(key(b, points(b)), place_[tree_[b]], place_[b]);
    });
    for (std::size_t i = 1; i < out.size(); ++i)
      for (std::size_t k = i; k > 0 && key_against(out[k], out[k - 1]) < key_against(out[k - 1], out[k]); --k)
        std::swap(out[k], out[k - 1]);
    return out;
  }

  /// Returns the first difference between two rows of order().
  [[nodiscard]] OrderReason reason(std::size_t above, std::size_t below) const {
    if (!evidence_first()) {
      auto out = plain_reason(above, below);
      out.tied = out.by == OrderBy::listed;
      return out;
    }
    const auto &more = even_[tree_[above]], &less = even_[tree_[below]];
    const auto part = [&](OrderBy by, Dimension d) {
      return OrderReason{by, false, 0,
                         more.dimensions[model::index(d)].points - less.dimensions[model::index(d)].points};
    };
    switch (differs_at(key_against(above, below), key_against(below, above))) {
      case 0:
        return because(OrderBy::eligible);
      case 1:
        return {OrderBy::hidden_tests, false, race_.ranked[below].confidence.facts.hidden_failed, 0};
      case 2:
        return by_evidence(race_.ranked[above], race_.ranked[below],
                           points_against(above, below) - points_against(below, above));
      case 3:
        return because(OrderBy::nothing_shown);
      case 4:
        return because(OrderBy::unproven);
      case 5:
        return {OrderBy::own_tests, false, brought(above) - brought(below), 0};
      case 6:
        return part(OrderBy::diff_size, Dimension::diff_size);
      case 7:
        return has_evidence_
                   ? by_points(unhurried_[tree_[above]], unhurried_[tree_[below]], race_.config.weights)
                   : by_points(more, less, race_.config.weights);
      case 8:
        return part(OrderBy::speed, Dimension::speed);
      default:
        return equal_keys(above, below);
    }
  }

  /// Whether nothing but what picks among equals tells two eligible results apart: no test decides between
  /// them, or in a race without evidence no points do.
  [[nodiscard]] bool equal(std::size_t a, std::size_t b) const {
    if (!evidence_first()) return reason(a, b).tied;
    const auto at = differs_at(key_against(a, b), key_against(b, a));
    return at > (has_evidence_ || at == 4 ? 3U : 8U) &&
           (!has_evidence_ || shows_something(race_.ranked[a].confidence.facts));
  }

 private:
  /// Not eligible; fails a hidden test; points of tests and evidence; shows nothing. Among equals (H34):
  /// unproven, tests brought, points of size, the other points without speed, points of speed, the last three
  /// without noise.
  using Key =
      std::tuple<bool, bool, std::int64_t, bool, bool, bool, std::int64_t, std::int64_t, std::int64_t>;

  [[nodiscard]] bool evidence_first() const { return race_.config.order == model::Order::evidence; }
  [[nodiscard]] Contender contender_of(std::size_t i) const {
    return contender(race_.ranked[i], race_.agents[i]);
  }
  [[nodiscard]] double points(std::size_t i) const { return race_.ranked[i].evidence.value_or(0); }
  /// Returns the points by authors of neither row. A result that nobody could test gains nothing by that
  /// (H35).
  [[nodiscard]] double points_against(std::size_t i, std::size_t other) const {
    if (!race_.ranked[i].evidence || !race_.ranked[other].evidence) return 0;
    const auto &mine = code_of(race_.agents[i]), &its = code_of(race_.agents[other]);
    const auto found = race_.selection.points_against(mine, its);
    if (!untested_[i] || untested_[other]) return found;
    return std::min(found, race_.selection.points_against(its, mine));
  }
  [[nodiscard]] std::int64_t brought(std::size_t i) const { return race_.ranked[i].confidence.facts.brought; }

  /// Returns the key by which evidence orders the rows, smallest first; equal keys share a rank.
  [[nodiscard]] Key key(std::size_t i, double evidence) const {
    const auto& row = race_.ranked[i];
    if (!row.eligible) return Key(true, false, 0, false, false, false, 0, 0, 0);
    const auto& facts = row.confidence.facts;
    const auto& even = even_[tree_[i]];
    const bool unproven = race_.agents[i].unproven;
    if (!has_evidence_)
      return Key(false, facts.hidden_failed > 0, asks_proof_ ? -on_grid(points_of(row, Dimension::tests)) : 0,
                 !shows_something(facts), unproven, false, 0, -on_grid(even.composite), 0);
    const auto part = [&](Dimension d) { return -on_grid(even.dimensions[model::index(d)].points); };
    return Key(false, facts.hidden_failed > 0, -on_grid(points_of(row, Dimension::tests) + evidence),
               !shows_something(facts), unproven, facts.brought == 0, part(Dimension::diff_size),
               -on_grid(unhurried_[tree_[i]].composite), part(Dimension::speed));
  }
  [[nodiscard]] Key key_against(std::size_t i, std::size_t other) const {
    return key(i, points_against(i, other));
  }

  /// Returns the first difference in the order by points.
  [[nodiscard]] OrderReason plain_reason(std::size_t above, std::size_t below) const {
    switch (first_difference(contender_of(above), contender_of(below))) {
      case KeyPart::eligible:
        return because(OrderBy::eligible);
      case KeyPart::composite:
        return by_points(race_.ranked[above].score, race_.ranked[below].score, race_.config.weights);
      case KeyPart::tests:
        return because(OrderBy::tests);
      case KeyPart::build:
        return because(OrderBy::build);
      case KeyPart::diff_size:
        return because(OrderBy::diff_size);
      case KeyPart::duration:
        return because(OrderBy::speed);
      case KeyPart::none:
        break;
    }
    return because(OrderBy::listed);
  }

  /// Returns which part lists one of two rows with equal keys first.
  [[nodiscard]] OrderReason equal_keys(std::size_t above, std::size_t below) const {
    const bool same_tree = tree_[above] == tree_[below];
    const bool eligible = race_.ranked[above].eligible;
    if (same_tree && eligible) return {OrderBy::same_code, true, 0, 0};
    auto out = same_tree ? plain_reason(above, below) : plain_reason(tree_[above], tree_[below]);
    // Among ineligible results the plain order decides.
    out.tied =
        eligible || (place_[below] == place_[above] + 1 && tied(contender_of(above), contender_of(below)));
    return out;
  }

  const Race& race_;
  bool has_evidence_;
  bool asks_proof_ = false;  ///< a result is unproven: without evidence, tests stand before the composite
  std::vector<std::size_t> plain_;         ///< the order by points
  std::vector<std::size_t> place_, tree_;  ///< position in `plain_`; best row with the same tree
  std::vector<model::ScoreBreakdown> even_, unhurried_;  ///< without noise; and without speed
  std::vector<bool> untested_;                           ///< shows nothing, and no test of others ran on it
};

bool undecided(const Race& race, std::size_t i) {
  return race.agents[i].undecided && race.ranked[i].eligible;
}

/// Moves undecided results behind the last one that passes a test, before those that pass none.
std::vector<std::size_t> with_undecided(const Race& race, bool race_has_evidence,
                                        const std::vector<std::size_t>& placed) {
  // If a base test fails, passing only what the base passes shows nothing.
  const auto& base = race.baseline.checks.tests;
  const bool to_show = race_has_evidence || (base && base->status == model::CheckStatus::failed);
  const auto passes = [&](std::size_t i) {
    const auto& row = race.ranked[i];
    return row.eligible &&
           (to_show ? shows_something(row.confidence.facts) : points_of(row, Dimension::tests) > 0);
  };
  std::vector<std::size_t> order, waiting;
  for (const auto i : placed) (undecided(race, i) ? waiting : order).push_back(i);
  const auto last = std::find_if(order.rbegin(), order.rend(), passes);
  order.insert(last.base(), waiting.begin(), waiting.end());
  return order;
}

/// Returns why a row stands above the next; `neighbours`: it did before undecided results were moved.
OrderReason reason_of(const Race& race, const RowOrder& rows, std::size_t above, std::size_t below,
                      bool neighbours) {
  auto out = rows.reason(above, below);
  // A result that moved away from its neighbour is no longer tied with it.
  out.tied = out.tied && neighbours;
  if (out.tied || out.by == OrderBy::eligible || undecided(race, above) == undecided(race, below)) return out;
  return because(undecided(race, below) ? OrderBy::undecided : OrderBy::nothing_shown);
}

/// Sets how the first place was given, from an order by `rows`.
void decide(const Race& race, const RowOrder& rows, Placed& out) {
  if (out.order.empty() || !race.ranked[out.order.front()].eligible) return;
  const auto first = out.order.front();
  const auto& code = code_of(race.agents[first]);
  std::vector<std::size_t> equal, disputed{first};
  for (const auto i : out.order) {
    if (i == first || !race.ranked[i].eligible || undecided(race, i) || undecided(race, first)) continue;
    if (same_product(race.agents[first], race.agents[i]) || !rows.equal(first, i)) continue;
    equal.push_back(i);
    const auto& other = code_of(race.agents[i]);
    if (race.selection.fails_tests_of(code, other) && race.selection.fails_tests_of(other, code))
      disputed.push_back(i);
  }
  using model::RaceDecision;
  out.decision = equal.empty() ? RaceDecision::winner : RaceDecision::tie;
  out.with = std::move(equal);
  if (disputed.size() < 2 || race.config.order != model::Order::evidence) return;
  out.decision = RaceDecision::undecided;
  out.with = std::move(disputed);
}

}  // namespace

std::vector<std::size_t> order_by_composite(const Race& race) {
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < race.agents.size(); ++i)
    contenders.push_back(contender(race.ranked[i], race.agents[i]));
  return rank_order(contenders);
}

Placed place_rows(const Race& race, bool race_has_evidence) {
  const RowOrder rows(race, race_has_evidence);
  const auto order = rows.order();
  Placed out{with_undecided(race, race_has_evidence, order), std::vector<OrderReason>(order.size()), {}, {}};
  std::vector<std::size_t> above(order.size(), order.size());  // no row: the number of rows
  for (std::size_t k = 1; k < order.size(); ++k) above[order[k]] = order[k - 1];
  for (std::size_t k = 1; k < order.size(); ++k) {
    const auto a = out.order[k - 1], b = out.order[k];
    out.reasons[k] = reason_of(race, rows, a, b, above[b] == a);
  }
  decide(race, rows, out);
  return out;
}

}  // namespace hydra::scoring::detail
