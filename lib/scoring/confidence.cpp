// Confidence in words (docs/selection.md, "Confidence"). Every number shown was measured.
#include "base/strings.hpp"
#include "scoring/evaluate.hpp"
#include "scoring/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace hydra::scoring {
namespace detail {

std::string number_of(std::int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string names(const std::vector<std::string>& list) {
  if (list.size() < 2) return join(list, "");
  const std::vector<std::string> head(list.begin(), list.end() - 1);
  return join(head, ", ") + " and " + list.back();
}

}  // namespace detail

namespace {

using detail::names;
using detail::number_of;

using model::Belief;
using model::ConfidenceFacts;

/// Ranges measured on mutants and on real patches (docs/selection.md).
constexpr std::string_view range_of(Belief word) {
  switch (word) {
    case Belief::disputed:
      return "21 to 36";
    case Belief::no_evidence:
      return "7 to 14";
    case Belief::own_word:
      return "18 to 55";
    case Belief::some:
      return "34 to 78";
    case Belief::good:
      return "70 to 90";
    default:
      return "";
  }
}

Belief word_of(const ConfidenceFacts& f) {
  if (f.hidden_failed > 0 || !f.failed_authors.empty() || f.left_failing > 0) return Belief::disputed;
  if (f.hidden_passed > 0) return Belief::confirmed;
  // The base's tests count as one more author if any of them fails on the base and passes here.
  const auto voices = f.passed_authors.size() + (f.fixed > 0 ? 1 : 0);
  if (voices >= 2) return Belief::good;
  if (voices == 1) return Belief::some;
  return f.own_tests > 0 ? Belief::own_word : Belief::no_evidence;
}

}  // namespace

std::string facts_text(Belief word, const ConfidenceFacts& f, bool race_has_evidence) {
  std::vector<std::string> facts;
  if (f.hidden_failed > 0) facts.push_back("fails " + number_of(f.hidden_failed, "hidden test"));
  if (f.hidden_failed == 0 && f.hidden_passed > 0)
    facts.push_back("passes " + (f.hidden_passed == 1 ? "the hidden test"
                                                      : "all " + number_of(f.hidden_passed, "hidden test")));
  if (f.tests_failed > 0)
    facts.push_back(fmt::format("fails {} of {} of {} (hydra explain --matrix)", f.tests_failed,
                                number_of(f.tests_of_failed, "test"), names(f.failed_authors)));
  else if (f.tests_passed > 0)
    facts.push_back(fmt::format("passes {} of {} of {}", f.tests_passed, number_of(f.tests_passed, "test"),
                                names(f.passed_authors)));
  if (f.left_failing > 0)
    facts.push_back(fmt::format("leaves {} of the base failing that another result fixes",
                                number_of(f.left_failing, "test")));
  if (f.fixed > 0)
    facts.push_back(fmt::format("{} of the base that failed now pass{}", number_of(f.fixed, "test"),
                                f.fixed == 1 ? "es" : ""));
  if (word == Belief::own_word)
    facts.push_back(fmt::format("only {} {} fail{} without the change", number_of(f.own_tests, "test"),
                                f.brought > 0 ? "that it adds" : "that another result with this code adds",
                                f.own_tests == 1 ? "s" : ""));
  // Broken tests are evidence against the result; the text below counts them.
  if (word == Belief::no_evidence && f.broken > 0)
    facts.emplace_back("no test says that it is right");
  else if (word == Belief::no_evidence)
    facts.emplace_back(race_has_evidence ? "no test that fails without the change says anything about it"
                                         : "nothing in this race tells a right result from a wrong one");
  if (f.broken > 0)
    facts.push_back(fmt::format("{} of the base no longer pass{}", number_of(f.broken, "test"),
                                f.broken == 1 ? "es" : ""));
  if (f.alike > 1) facts.push_back(fmt::format("{} of {} agree", f.alike, f.results));
  return join(facts, "; ");
}

std::string decision_text(const model::Ranking& ranking) {
  using model::OrderBy;
  const auto& with = ranking.decision_with;
  if (ranking.decision == model::RaceDecision::undecided)
    return fmt::format("undecided between {}: each fails a valid test of {}", names(with),
                       with.size() > 2 ? "another" : "the other");
  if (ranking.decision != model::RaceDecision::tie) return {};
  const auto by = ranking.agents.at(1).reason.by;
  const auto* picked = by == OrderBy::unproven    ? "proven tests"
                       : by == OrderBy::own_tests ? "its tests"
                       : by == OrderBy::diff_size ? "size"
                       : by == OrderBy::speed     ? "speed"
                       : by == OrderBy::listed    ? "the order of the agents"
                                                  : "points";
  return fmt::format("tied with {} (picked by {})", names(with), picked);
}

model::ResultConfidence confidence(ConfidenceFacts facts, bool race_has_evidence) {
  model::ResultConfidence out;
  out.word = word_of(facts);
  out.text = std::string(name(out.word)) + ": " + facts_text(out.word, facts, race_has_evidence);
  out.range = range_of(out.word);
  out.facts = std::move(facts);
  return out;
}

std::vector<double> level(std::span<const double> values, double share, double least, bool lower) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return lower ? values[a] < values[b] : values[a] > values[b];
  });
  std::vector<double> out(values.size());
  double best = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = values[order[i]];
    const double apart = lower ? value - best : best - value;
    if (i == 0 || apart > std::max(best * share, least)) best = value;
    out[order[i]] = best;
  }
  return out;
}

}  // namespace hydra::scoring
