#include "race/state/rounds.hpp"

#include "base/strings.hpp"
#include "race/state/cross.hpp"
#include "race/state/green.hpp"
#include "race/state/selection.hpp"
#include "race/state/watch.hpp"
#include "scoring/engine.hpp"
#include "trees/hidden_tests.hpp"

#include <algorithm>

namespace hydra::race {
namespace {

constexpr std::size_t kMostTold = 40;  // limit of names per list

// Returns the names, never the text, of other authors' tests that this result fails although they can be
// passed.
std::vector<std::string> failed_of_others(const model::Matrix& matrix, const std::string& owner) {
  std::vector<std::string> names;
  for (const auto& author : matrix.authors) {
    const auto member = [&](const std::string& name) {
      return std::find(author.members.begin(), author.members.end(), name) != author.members.end();
    };
    if (!author.voided.empty() || member(owner)) continue;
    const model::CrossRow *mine = nullptr, *base = nullptr, *own = nullptr;
    for (const auto& row : matrix.rows) {
      if (row.author != author.name) continue;
      if (row.result == owner) mine = &row;
      if (row.result == model::kBaseline) base = &row;
      if (member(row.result)) own = &row;
    }
    if (!mine || !base) continue;
    for (std::size_t i = 0; i < author.tests.size() && i < mine->cells.size(); ++i) {
      const bool green =
          author.kind == model::AuthorKind::tester || (own && own->cells[i] == model::Cell::pass);
      if (green && base->cells[i] != model::Cell::pass && mine->cells[i] == model::Cell::fail)
        names.push_back(author.tests[i].name);
    }
  }
  return names;
}

std::string listed(const std::string& head, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text = "\n" + head + ":\n";
  for (std::size_t i = 0; i < std::min(names.size(), kMostTold); ++i)
    text += "- " + sanitize(names[i]) + "\n";
  if (names.size() > kMostTold) text += "- and " + std::to_string(names.size() - kMostTold) + " more\n";
  return text;
}

bool budget_left(const State& state, const AgentState& agent) {
  const auto used = add_usage(earlier_usage(agent, true), agent.ended->verdict.usage);
  return !over(budget_of(state, agent), spent(used));
}

Shortcomings shortcomings(const State& state, const AgentState& agent, const model::BaselineEvidence& base,
                          model::AgentEvidence mine) {
  Shortcomings found;
  found.unchanged = !agent.changed();
  if (found.unchanged) mine.checks = base.checks;
  const auto& build = mine.checks.build;
  found.build = build && build->status == model::CheckStatus::failed;
  if (found.build) found.build_log = build->attempt;
  auto compared = scoring::compare_tests(base, mine);
  found.broken = std::move(compared.broken);
  found.unfixed = std::move(compared.unfixed);
  for (auto* names : {&found.broken, &found.unfixed})
    std::erase_if(*names,
                  [&](const auto& name) { return trees::is_hidden_test(name, state.spec.hidden_tests); });
  if (found.unchanged) return found;
  const auto owner = check_owner(state, agent);
  found.own = failing_own_tests(state, owner);
  if (state.matrix) found.others = failed_of_others(matrix_of(state), owner.agent);
  return found;
}

}  // namespace

std::vector<AskedAgain> agents_of_next_round(const State& state) {
  std::vector<AskedAgain> asked;
  const auto base = baseline_evidence(state);
  for (const auto& row : agent_evidence(state)) {
    const auto* agent = state.agent(row.agent);
    if (!agent || agent->origin != Origin::agent || !agent->ended || agent->cancelled || agent->stop)
      continue;
    if (!agent->capture || !ended_well(final_outcome(*agent)) || !budget_left(state, *agent)) continue;
    auto found = shortcomings(state, *agent, base, row);
    if (!found.none()) asked.push_back({row.agent, std::move(found)});
  }
  return asked;
}

bool round_due(const State& state) {
  return state.ranking && state.round < state.spec.rounds && state.spec.verifies.empty() &&
         !state.cancelled && !state.merged() && green_result(state).empty();
}

std::string round_message(const Shortcomings& found, const std::string& output) {
  std::string text = "Your result was checked, and falls short of this:\n";
  if (found.unchanged) text += "\nYou changed no file.\n";
  if (found.build) text += "\nIt does not build.\n";
  if (!output.empty()) text += "The end of the build's output:\n\n" + output + "\n";
  text += listed("Tests that passed before and fail now", found.broken);
  text += listed("Tests that failed before and still fail", found.unfixed);
  text += listed("Your own tests that fail", found.own);
  text += listed("Tests that others wrote for the same task, by name, and that it fails", found.others);
  return text +
         "\nGo on where you left off and mend that. If a test asks for what the task does not, leave it "
         "failing and say why.";
}

}  // namespace hydra::race
