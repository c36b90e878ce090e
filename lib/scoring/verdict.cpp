#include "scoring/verdict.hpp"

#include "base/strings.hpp"
#include "scoring/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace hydra::scoring {
namespace {

using detail::number_of;
using model::Ineligible;
using model::OrderBy;
using model::RaceDecision;
using model::RankedAgent;

/// Returns why the row above stands there, as a clause.
std::string because(const model::OrderReason& reason, std::string_view below) {
  const auto points = format_score(reason.points);
  const auto part = [&points](std::string_view words) {
    return std::string(words) + (points == "0.0" ? "" : ", " + points + " more points");
  };
  switch (reason.by) {
    case OrderBy::first:
      return {};
    case OrderBy::eligible:
      return fmt::format("{} is not eligible", below);
    case OrderBy::hidden_tests:
      return fmt::format("{} fails {}", below, number_of(reason.count, "hidden test"));
    case OrderBy::undecided:
      return fmt::format("{} waits for a decision", below);
    case OrderBy::fixed_tests:
      return "fixes " + number_of(reason.count, "more failing test");
    case OrderBy::broken_tests:
      return "breaks " + number_of(reason.count, "fewer test");
    case OrderBy::authors:
      return "passes the tests of " + number_of(reason.count, "more author");
    case OrderBy::others_tests:
      return fmt::format("fails {} of others", number_of(reason.count, "fewer test"));
    case OrderBy::evidence:
      return points + " more points of tests and evidence";
    case OrderBy::nothing_shown:
      return fmt::format("{} has nothing to show", below);
    case OrderBy::unproven:
      return fmt::format("{} passes a test that may not hear its answer", below);
    case OrderBy::own_tests:
      return fmt::format("brings {} that fail{} without the change", number_of(reason.count, "more test"),
                         reason.count == 1 ? "s" : "");
    case OrderBy::build:
      return part("better build");
    case OrderBy::tests:
      return part("better tests");
    case OrderBy::lint:
      return part("better lint");
    case OrderBy::diff_size:
      return part("smaller change");
    case OrderBy::speed:
      return part("faster");
    case OrderBy::judges:
      return part("better judged");
    case OrderBy::same_code:
      return "the same code";
    case OrderBy::listed:
      return "asked for first";
  }
  return {};
}

/// A clause about one result, and about several.
struct Clause {
  std::string one, many;
};

Clause clause(std::string_view verb, const std::string& rest) {
  const auto* ending = verb.ends_with('x') || verb.ends_with("ss") ? "es" : "s";
  return {fmt::format("{}{} {}", verb, ending, rest), fmt::format("{} {}", verb, rest)};
}

Clause ineligible(const RankedAgent& row) {
  if (row.ineligible_reasons.empty()) return {"is not eligible", "are not eligible"};
  const auto reason = row.ineligible_reasons.front();
  const auto word = replace_all(std::string(name(reason)), "_", " ");
  switch (reason) {
    case Ineligible::no_changes:
      return clause("change", "nothing");
    case Ineligible::build_failed:
      return {"does not build", "do not build"};
    case Ineligible::failed:
    case Ineligible::crashed:
    case Ineligible::timed_out:
      return {word, word};
    case Ineligible::cancelled:
    case Ineligible::stopped:
      return {"was " + word, "were " + word};
    default:
      return {"is not eligible (" + word + ")", "are not eligible (" + word + ")"};
  }
}

/// Returns the weightiest fact about a result; empty: no test speaks for or against it.
Clause fact(const RankedAgent& row) {
  if (!row.eligible) return ineligible(row);
  const auto& f = row.confidence.facts;
  if (f.hidden_failed > 0) return clause("fail", number_of(f.hidden_failed, "hidden test"));
  if (f.broken > 0) return clause("break", number_of(f.broken, "test"));
  if (f.fixed > 0 && f.failing > 0)
    return clause("fix", fmt::format("{} of {}", f.fixed, number_of(f.failing, "failing test")));
  if (f.fixed > 0) return clause("make", "the failing tests pass");
  if (f.tests_failed > 0) return clause("fail", number_of(f.tests_failed, "test") + " of others");
  if (f.tests_passed > 0) return clause("pass", number_of(f.tests_passed, "test") + " of others");
  if (f.left_failing > 0) return clause("leave", number_of(f.left_failing, "failing test"));
  if (f.brought > 0)
    return clause("bring", fmt::format("{} that fail{} without the change", number_of(f.brought, "test"),
                                       f.brought == 1 ? "s" : ""));
  return {};
}

std::string head_of(const model::Ranking& ranking, const std::string& size, bool final) {
  const auto said = decision_text(ranking);
  if (ranking.winner.empty()) return "No winner" + (said.empty() ? "" : ": " + said);
  const auto& first = ranking.agents.front();
  auto head = ranking.winner + (final ? " wins" : " is first so far") + (said.empty() ? "" : ", " + said);
  if (const auto says = fact(first).one; !says.empty()) head += ": " + says;
  head += size;
  if (ranking.decision != RaceDecision::winner || ranking.agents.size() < 2) return head;
  const auto& second = ranking.agents[1];
  if (fact(second).one != fact(first).one) return head;
  return head + fmt::format("; {} {}: {}", second.reason.tied ? "tied with" : "ahead of", second.agent,
                            because(second.reason, second.agent));
}

}  // namespace

std::string reason_text(const model::OrderReason& reason, std::string_view above, std::string_view below) {
  const bool listed = reason.tied && reason.by != OrderBy::same_code;
  return fmt::format("{} {} {}{}: {}", above, reason.tied ? "tied with" : "above", below,
                     listed ? ", listed first" : "", because(reason, below));
}

std::string verdict(const model::Ranking& ranking, const std::map<std::string, std::int64_t>& lines,
                    bool final) {
  if (ranking.agents.empty()) return {};
  const auto size = lines.find(ranking.winner);
  auto out = head_of(ranking, size == lines.end() ? "" : " with " + number_of(size->second, "line"), final);
  // The head is about the winner, what decided against the second, and about all of a tie.
  std::vector<std::pair<Clause, std::vector<std::string>>> groups;
  const auto first = fact(ranking.agents.front()).one;
  const auto& with = ranking.decision_with;
  for (std::size_t i = 0; i < ranking.agents.size(); ++i) {
    const auto& row = ranking.agents[i];
    const auto says = fact(row);
    const bool compared = i == 1 && ranking.decision == RaceDecision::winner && says.one == first;
    if (row.agent == ranking.winner || compared || says.one.empty() ||
        std::find(with.begin(), with.end(), row.agent) != with.end())
      continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& each) { return each.first.one == says.one; });
    if (group == groups.end()) group = groups.insert(group, {says, {}});
    group->second.push_back(row.agent);
  }
  auto separator = ranking.decision == RaceDecision::none ? ": " : "; ";
  const auto* kind = ranking.decision == RaceDecision::none ? "result" : "other";
  for (const auto& [says, agents] : groups) {
    out += std::exchange(separator, "; ");
    out += agents.size() == 1 ? agents.front() + " " + says.one
                              : number_of(static_cast<std::int64_t>(agents.size()), kind) + " " + says.many;
  }
  return out + ".";
}

}  // namespace hydra::scoring
