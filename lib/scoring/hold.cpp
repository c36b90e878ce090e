// Reasons against an automatic merge (docs/selection.md, "Automatic merge"): tests that rivals with evidence
// pass, and rivals that only the race's own tests rank lower.
#include "base/strings.hpp"
#include "scoring/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace hydra::scoring {
namespace detail {
namespace {

/// Returns names of tests that pass on the base but not on this result: broken, skipped or removed.
std::set<std::string_view> lost_tests(const Race& race, const TestComparison& compared) {
  std::set<std::string_view> out;
  const auto& base = race.baseline.checks.tests;
  if (!compared.by_name() || !base || !base->tests) return out;
  for (const auto* names : {&compared.broken, &compared.removed, &compared.newly_skipped})
    out.insert(names->begin(), names->end());
  for (const auto& test : base->tests->tests)
    if (test.status != model::TestStatus::passed) out.erase(test.name);
  return out;
}

/// Counts other authors' tests that cannot reach this result's interface, if a result besides the author's
/// passes them. A test that only its author passes may depend on details of the author's code.
std::int64_t out_of_contact(const Race& race, const std::string& result) {
  const auto passes = [&](const model::CrossAuthor& author, std::size_t test) {
    for (std::size_t i = 0; i < race.agents.size(); ++i)
      if (race.ranked[i].eligible &&
          race.selection.cell(code_of(race.agents[i]), author, test) == model::Cell::pass)
        return true;
    return false;
  };
  std::int64_t count = 0;
  for (const auto& voice : race.selection.voices()) {
    if (race.selection.is_own(voice, result)) continue;
    for (const auto* author : voice)
      for (std::size_t t = 0; t < author->tests.size(); ++t)
        if (evidence_weight(author->tests[t].klass) >= 1 &&
            race.selection.cell(result, *author, t) == model::Cell::no_contact && passes(*author, t))
          ++count;
  }
  return count;
}

/// Whether the base's own tests decide between two results: `other` fails a test that `result` fixes. Two
/// results that are alike on the tests that agents can see are not decided: a cheat passes just these (H36).
bool base_decides(const TestComparison& result, const TestComparison& other) {
  return !std::includes(other.fixed.begin(), other.fixed.end(), result.fixed.begin(), result.fixed.end());
}

/// Whether a third party decides: `result` passes all tests of an author of neither product, a test writer
/// among them, and `other` fails one.
bool third_party_decides(const Selection& selection, const std::string& result, const std::string& other) {
  const auto& voices = selection.voices();
  return std::any_of(voices.begin(), voices.end(), [&](const auto& voice) {
    if (selection.is_own(voice, result) || selection.is_own(voice, other)) return false;
    return selection.share(voice, result) == 1 && selection.share(voice, other).value_or(1) < 1;
  });
}

}  // namespace

void add_what_others_pass(const Race& race, const std::vector<TestComparison>& compared,
                          std::vector<model::ConfidenceFacts>& facts) {
  std::vector<std::set<std::string_view>> lost;
  for (const auto& c : compared) lost.push_back(lost_tests(race, c));
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    std::set<std::string_view> kept;
    for (std::size_t other = 0; other < race.agents.size(); ++other) {
      if (!race.ranked[other].eligible || race.agents[other].undecided || !compared[other].by_name() ||
          !shows_something(facts[other]))
        continue;
      std::set_difference(lost[i].begin(), lost[i].end(), lost[other].begin(), lost[other].end(),
                          std::inserter(kept, kept.end()));
    }
    facts[i].broken_alone = static_cast<std::int64_t>(kept.size());
    facts[i].out_of_contact = out_of_contact(race, code_of(race.agents[i]));
  }
}

void add_rivals(const Race& race, const std::vector<TestComparison>& compared,
                std::vector<model::ConfidenceFacts>& facts) {
  for (std::size_t i = 0; i < race.agents.size(); ++i) {
    // Passing all hidden tests is decisive.
    if (!race.ranked[i].eligible || (facts[i].hidden_passed > 0 && facts[i].hidden_failed == 0)) continue;
    for (std::size_t other = 0; other < race.agents.size(); ++other)
      if (other != i && race.ranked[other].eligible && shows_something(facts[other]) &&
          !same_product(race.agents[i], race.agents[other]) && !base_decides(compared[i], compared[other]) &&
          !third_party_decides(race.selection, code_of(race.agents[i]), code_of(race.agents[other])))
        facts[i].rivals.push_back(race.agents[other].agent);
  }
}

}  // namespace detail

using detail::names;
using detail::number_of;

std::string evidence_hold(const model::Ranking& ranking, model::EvidenceFloor floor) {
  if (ranking.winner.empty() || ranking.agents.empty()) return {};
  const auto& found = ranking.agents.front().confidence;
  if (found.facts.left_failing > 0)
    return "held: it leaves a test of the base failing that another eligible result fixes";
  if (found.word == model::Belief::disputed)
    return "held: evidence speaks against it: " + facts_text(found.word, found.facts, true);
  if (found.facts.broken_alone > 0)
    return fmt::format("held: it breaks {} of the base that another result with evidence passes",
                       number_of(found.facts.broken_alone, "test"));
  if (found.facts.out_of_contact > 0)
    return fmt::format(
        "held: {} that other results share {} an interface that it does not have "
        "(hydra explain --matrix)",
        number_of(found.facts.out_of_contact, "test"), found.facts.out_of_contact == 1 ? "needs" : "need");
  const auto least = floor == model::EvidenceFloor::any    ? model::Belief::no_evidence
                     : floor == model::EvidenceFloor::good ? model::Belief::good
                                                           : model::Belief::some;
  if (found.word < least)
    return fmt::format("held: it has too little evidence ({}; [merge] auto_merge_evidence asks for \"{}\")",
                       found.text, name(floor));
  // Tests that every agent could read show no more than that they were read (H36).
  if (floor != model::EvidenceFloor::any && found.facts.hidden_passed == 0 &&
      found.facts.passed_authors.empty())
    return "held: only the base's tests support it; hidden tests or a test writer would be a witness "
           "(hydra race --testers)";
  return {};
}

std::string auto_merge_hold(const model::Ranking& ranking, model::EvidenceFloor floor) {
  if (ranking.winner.empty() || ranking.agents.empty()) return {};
  if (auto held = evidence_hold(ranking, floor); !held.empty()) return held;
  const auto& rivals = ranking.agents.front().confidence.facts.rivals;
  if (!rivals.empty())
    return fmt::format(
        "held: {} {} something to show, too, and nothing but tests written in this race tells {} from the "
        "winner "
        "(hydra explain --matrix)",
        names(rivals), rivals.size() == 1 ? "has" : "have", rivals.size() == 1 ? "it" : "them");
  if (ranking.decision == model::RaceDecision::tie) return "held: tied with " + names(ranking.decision_with);
  return {};
}

}  // namespace hydra::scoring
