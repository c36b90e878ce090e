// The order by evidence before points (H23-H26), and its reasons, for a scored race.
#include "scoring/evaluate.hpp"
#include "scoring/numeric.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

namespace hydra::scoring::detail {
namespace {

using model::AgentEvidence;
using model::Dimension;
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

std::vector<Contender> contenders_of(const Race& race) {
  std::vector<Contender> out;
  for (std::size_t i = 0; i < race.agents.size(); ++i)
    out.push_back(contender(race.ranked[i], race.agents[i]));
  return out;
}

/// Compares each agent's tests with the base's by name.
std::vector<TestComparison> comparisons(const Race& race) {
  const auto& base = race.baseline.checks.tests;
  const auto came_out = [](const std::optional<model::CheckEvidence>& run, model::CheckStatus how) {
    return run && run->status == how;
  };
  const bool base_fails = came_out(base, model::CheckStatus::failed);
  const bool base_passes = came_out(base, model::CheckStatus::passed);
  std::vector<TestComparison> out;
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    out.push_back(compare_tests(race.baseline, race.agents[i]));
    // Without test names the command counts as a single test.
    const auto& mine = race.agents[i].checks.tests;
    if (!out.back().by_name && base_fails && came_out(mine, model::CheckStatus::passed) &&
        points_of(race.ranked[i], Dimension::tests) > 0)
      out.back().fixed = {"the test command"};
    if (!out.back().by_name && base_passes && came_out(mine, model::CheckStatus::failed)) {
      out.back().broken = {"the test command"};
      out.back().regressions = 1;
    }
    // An undecided result may have changed the base's tests, so their outcomes are no evidence.
    if (race.agents[i].undecided) out.back().fixed.clear();
  }
  return out;
}

std::string base_outcome(const TestComparison& c) {
  std::string out = c.by_name ? "by name" : "";
  const auto add = [&out](char mark, const std::vector<std::string>& names) {
    for (const auto& name : names) out.append(1, '\n').append(1, mark).append(name);
  };
  add('+', c.fixed);
  add('-', c.broken);
  add('x', c.removed);
  add('s', c.newly_skipped);
  return out;
}

void add_cross_facts(const Selection& selection, const std::string& result, model::ConfidenceFacts& facts) {
  facts.own_tests = selection.own_tests(result);
  for (const auto& author : selection.matrix().authors) {
    if (std::find(author.members.begin(), author.members.end(), result) != author.members.end()) continue;
    const auto found = selection.tally(result, author);
    facts.tests_passed += found.passed;
    facts.tests_failed += found.failed;
    if (found.failed > 0) {
      facts.failed_authors.push_back(author.name);
      facts.tests_of_failed += found.failed + found.passed;
    } else if (found.passed > 0) {
      facts.passed_authors.push_back(author.name);
    }
  }
}

/// Returns each result's outcomes on all tests that count and on the base's tests; equal texts mean equal
/// behaviour.
std::vector<std::string> behaviours(const Race& race, const std::vector<TestComparison>& compared) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < race.agents.size(); ++i)
    out.push_back(race.selection.behaviour(code_of(race.agents[i])) + "\n" + base_outcome(compared[i]));
  return out;
}

std::vector<model::ContestedTest> contested_tests(const Race& race,
                                                  const std::vector<TestComparison>& compared,
                                                  const std::vector<model::ConfidenceFacts>& facts) {
  std::map<std::string, std::int64_t> broken;
  std::int64_t with_evidence = 0;
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    if (!race.ranked[i].eligible || !shows_something(facts[i])) continue;
    ++with_evidence;
    for (const auto& name : compared[i].broken) ++broken[name];
  }
  std::vector<model::ContestedTest> out;
  for (const auto& [name, count] : broken)
    if (count * 2 > with_evidence) out.push_back({name, count, with_evidence});
  return out;
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

/// Returns composites in which indistinguishable speeds and diff sizes are equal.
std::vector<double> without_noise(const Race& race) {
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
  std::vector<double> out(race.agents.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto score = race.ranked[rows[k]].score;
    auto& speed = score.dimensions[model::index(Dimension::speed)];
    // Speed points are fastest / duration, so the group's fastest duration gives the points.
    speed.points = std::min(100.0, speed.points * durations[k] / even[k]);
    score.dimensions[model::index(Dimension::diff_size)].points = even_sizes[k];
    out[rows[k]] = composite(score, race.config.weights);
  }
  return out;
}

}  // namespace

const std::string& code_of(const AgentEvidence& agent) {
  return agent.code.empty() ? agent.agent : agent.code;
}

bool shows_something(const model::ConfidenceFacts& facts) {
  return facts.own_tests > 0 || facts.tests_passed > 0 || facts.fixed > 0 ||
         (facts.hidden_passed > 0 && facts.hidden_failed == 0);
}

void add_evidence(const Race& race, model::Ranking& out) {
  const auto compared = comparisons(race);
  std::set<std::string> fixable;
  bool hidden = false;
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    if (!race.ranked[i].eligible) continue;
    fixable.insert(compared[i].fixed.begin(), compared[i].fixed.end());
    hidden = hidden || race.agents[i].hidden_passed + race.agents[i].hidden_failed > 0;
  }
  out.evidence = race.selection.has_evidence() || !fixable.empty() || hidden;
  std::vector<model::ConfidenceFacts> facts(race.agents.size());
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    auto& f = facts[i];
    f.fixed = static_cast<std::int64_t>(compared[i].fixed.size());
    f.left_failing =
        static_cast<std::int64_t>(std::count_if(fixable.begin(), fixable.end(), [&](const auto& name) {
          return std::find(compared[i].fixed.begin(), compared[i].fixed.end(), name) ==
                 compared[i].fixed.end();
        }));
    f.broken = compared[i].regressions;
    f.hidden_passed = race.agents[i].hidden_passed;
    f.hidden_failed = race.agents[i].hidden_failed;
    add_cross_facts(race.selection, code_of(race.agents[i]), f);
  }
  const auto behaviour = behaviours(race, compared);
  add_what_others_pass(race, compared, facts);
  add_rivals(race, compared, behaviour, facts);
  const auto eligible =
      std::count_if(race.ranked.begin(), race.ranked.end(), [](const auto& r) { return r.eligible; });
  std::map<std::string_view, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < race.agents.size(); ++i)
    if (race.ranked[i].eligible) alike[behaviour[i]].push_back(i);
  for (const auto& [text, members] : alike) {
    std::vector<std::string> names;
    for (const auto i : members) {
      names.push_back(race.agents[i].agent);
      // Results that fail the same tests do not confirm each other.
      if (!shows_something(facts[i])) continue;
      facts[i].alike = static_cast<std::int64_t>(members.size());
      facts[i].results = eligible;
    }
    out.clusters.push_back(std::move(names));
  }
  std::stable_sort(out.clusters.begin(), out.clusters.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  out.contested = contested_tests(race, compared, facts);
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    if (!race.ranked[i].eligible) continue;
    race.ranked[i].evidence = race.selection.points(code_of(race.agents[i]));
    race.ranked[i].confidence = confidence(std::move(facts[i]), out.evidence);
  }
}

Placed order_by_composite(const Race& race) {
  const auto contenders = contenders_of(race);
  Placed out;
  out.order = rank_order(contenders);
  for (std::size_t i = 0; i < out.order.size(); ++i)
    out.tied.push_back(i > 0 && tied(contenders[out.order[i]], contenders[out.order[i - 1]]));
  return out;
}

Placed order_by_evidence(const Race& race, bool race_has_evidence) {
  const auto plain = order_by_composite(race);
  const auto tree = best_of_tree(race, plain.order);
  const auto even = without_noise(race);
  std::vector<std::size_t> place(race.agents.size());  // position in the plain order
  for (std::size_t i = 0; i < plain.order.size(); ++i) place[plain.order[i]] = i;
  const auto key = [&](std::size_t i) {
    const auto& row = race.ranked[i];
    if (!row.eligible) return std::tuple(true, false, std::int64_t{0}, false, std::int64_t{0});
    const double sum = race_has_evidence ? points_of(row, Dimension::tests) + row.evidence.value_or(0) : 0;
    return std::tuple(false, row.confidence.facts.hidden_failed > 0, -on_grid(sum),
                      !shows_something(row.confidence.facts), -on_grid(even[tree[i]]));
  };
  Placed out;
  out.order.resize(race.agents.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::stable_sort(out.order.begin(), out.order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(key(a), place[tree[a]], place[a]) < std::tuple(key(b), place[tree[b]], place[b]);
  });
  for (std::size_t i = 0; i < out.order.size(); ++i) {
    if (i == 0) {
      out.tied.push_back(false);
      continue;
    }
    const auto a = out.order[i], b = out.order[i - 1];
    const bool eligible = race.ranked[a].eligible && race.ranked[b].eligible;
    // Among ineligible results the plain order decides.
    out.tied.push_back(eligible ? key(a) == key(b)
                                : race.ranked[a].eligible == race.ranked[b].eligible &&
                                      plain.tied[place[a]] && place[a] == place[b] + 1);
  }
  return out;
}

void place_undecided(const Race& race, bool race_has_evidence, Placed& placed) {
  const auto undecided = [&](std::size_t i) { return race.agents[i].undecided && race.ranked[i].eligible; };
  // If a base test fails, passing only what the base passes shows nothing.
  const auto& base = race.baseline.checks.tests;
  const bool to_show = race_has_evidence || (base && base->status == model::CheckStatus::failed);
  const auto passes = [&](std::size_t i) {
    const auto& row = race.ranked[i];
    return row.eligible && !race.agents[i].undecided &&
           (to_show ? shows_something(row.confidence.facts) : points_of(row, Dimension::tests) > 0);
  };
  if (std::none_of(placed.order.begin(), placed.order.end(), undecided)) return;
  std::vector<std::size_t> order;
  for (const auto i : placed.order)
    if (!undecided(i)) order.push_back(i);
  const auto last = std::find_if(order.rbegin(), order.rend(), passes);
  auto at = last.base();
  for (const auto i : placed.order)
    if (undecided(i)) at = std::next(order.insert(at, i));
  // A result that moved away from its neighbour is no longer tied with it.
  std::map<std::size_t, std::size_t> before;
  for (std::size_t k = 1; k < placed.order.size(); ++k)
    if (placed.tied[k]) before[placed.order[k]] = placed.order[k - 1];
  for (std::size_t k = 1; k < order.size(); ++k) {
    const auto found = before.find(order[k]);
    placed.tied[k] = found != before.end() && found->second == order[k - 1];
  }
  placed.tied.front() = false;
  placed.order = std::move(order);
}

std::string remark_on(const Race& race, std::size_t winner) {
  const auto& best = race.ranked[winner];
  if (best.confidence.word != model::Belief::no_evidence) return {};
  std::size_t same = 0;
  bool fastest = true, smallest = false;
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    const auto& row = race.ranked[i];
    const auto equal = [&](Dimension d) { return on_grid(points_of(row, d)) == on_grid(points_of(best, d)); };
    if (!row.eligible || !equal(Dimension::build) || !equal(Dimension::tests) || !equal(Dimension::lint))
      continue;
    // Judges with a weight tell results apart.
    if (race.config.weights.judges > 0 &&
        on_grid(row.score.judges.points) != on_grid(best.score.judges.points))
      continue;
    ++same;
    fastest = fastest && race.agents[winner].duration_ms <= race.agents[i].duration_ms;
    smallest = smallest || points_of(row, Dimension::diff_size) < points_of(best, Dimension::diff_size);
  }
  if (same < 2) return {};
  return std::string(fastest    ? "fastest"
                     : smallest ? "smallest"
                                : "first") +
         " of " + std::to_string(same) + " that nothing tells apart";
}

}  // namespace hydra::scoring::detail
