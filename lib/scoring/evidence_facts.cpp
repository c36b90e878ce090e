// The evidence about each result of a scored race: facts, points and confidence (H23-H26).
#include "scoring/evaluate.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace hydra::scoring::detail {
namespace {

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
    if (!out.back().by_name() && base_fails && came_out(mine, model::CheckStatus::passed) &&
        race.ranked[i].score.dimensions[model::index(model::Dimension::tests)].points > 0)
      out.back().fixed = {"the test command"};
    if (!out.back().by_name() && base_passes && came_out(mine, model::CheckStatus::failed)) {
      out.back().broken = {"the test command"};
      out.back().regressions = 1;
    }
    // An undecided result may have changed the base's tests, so their outcomes are no evidence.
    if (race.agents[i].undecided) out.back().fixed.clear();
  }
  return out;
}

std::string base_outcome(const TestComparison& c) {
  std::string out = c.by_name() ? "by name" : "";
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
  facts.brought = selection.brought_tests(result);
  for (const auto& voice : selection.voices()) {
    if (selection.is_own(voice, result)) continue;
    std::int64_t passed = 0, failed = 0;
    for (const auto* author : voice) {
      const auto found = selection.tally(result, *author);
      passed += found.passed;
      failed += found.failed;
    }
    facts.tests_passed += passed;
    facts.tests_failed += failed;
    if (failed > 0) {
      facts.failed_authors.push_back(voice.front()->name);
      facts.tests_of_failed += failed + passed;
    } else if (passed > 0) {
      facts.passed_authors.push_back(voice.front()->name);
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

}  // namespace

const std::string& code_of(const model::AgentEvidence& agent) {
  return agent.code.empty() ? agent.agent : agent.code;
}

bool same_product(const model::AgentEvidence& a, const model::AgentEvidence& b) {
  return code_of(a) == code_of(b) || (!a.product.empty() && a.product == b.product);
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
    f.failing = compared[i].by_name() ? compared[i].could_gain : 0;
    f.left_failing =
        static_cast<std::int64_t>(std::count_if(fixable.begin(), fixable.end(), [&](const auto& name) {
          return !std::binary_search(compared[i].fixed.begin(), compared[i].fixed.end(), name);
        }));
    f.broken = compared[i].regressions;
    f.hidden_passed = race.agents[i].hidden_passed;
    f.hidden_failed = race.agents[i].hidden_failed;
    add_cross_facts(race.selection, code_of(race.agents[i]), f);
  }
  const auto behaviour = behaviours(race, compared);
  add_what_others_pass(race, compared, facts);
  add_rivals(race, compared, facts);
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

}  // namespace hydra::scoring::detail
