// The sentences about an order in each output, and the order of the ended full screen.
#include "cli/render/explain_block.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/result_block.hpp"
#include "cli/tui/model.hpp"
#include "cli/tui/view.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using model::AgentPhase;
using model::Outcome;

using model::OrderBy;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kVerdict = "codex wins: fixes 2 of 2 failing tests with 12 lines; gemini crashed.";

std::vector<wire::OrderReason> two_reasons() {
  return {{{OrderBy::fixed_tests, false, 2, 50}, "codex", "claude", "codex above claude: fixes 2 more"},
          {{OrderBy::eligible, false, 0, 0}, "claude", "gemini", "claude above gemini: \x1b[31mout"}};
}

TEST(VerdictLines, ResultsSayTheVerdictAndExplanationsEachReason) {
  wire::Results results;
  results.state = model::RacePhase::done;
  results.winner = "codex";
  results.final = true;
  results.verdict = kVerdict;
  results.order_reasons = two_reasons();
  for (const auto* name : {"codex", "claude", "gemini"}) {
    results.agents.emplace_back();
    results.agents.back().agent = results.agents.back().display = name;
  }
  EXPECT_THAT(result_block(results, Style{}),
              AllOf(HasSubstr("Winner: codex\n" + std::string(kVerdict) + "\n"), Not(HasSubstr("above"))));
  wire::Explain explain;
  explain.agent = explain.checked_as = explain.display = "claude";
  explain.order_reasons = two_reasons();
  EXPECT_THAT(
      *explain_block(wire::to_json(explain), Style{}),
      AllOf(HasSubstr("codex above claude: fixes 2 more\nclaude above gemini: "), Not(HasSubstr("\x1b"))));
}

wire::Status status_of(model::RacePhase state, std::initializer_list<const char*> agents) {
  wire::Status status;
  status.race = "r1";
  status.state = state;
  for (const auto* name : agents) {
    status.agents.emplace_back();
    status.agents.back().agent = name;
    status.agents.back().state = AgentPhase::running;
  }
  return status;
}

std::string shown(const tui::Model& model) {
  std::string out;
  for (const auto& row : tui::view(model, 0).rows) out += tui::text_of(row) + "\n";
  return out;
}

TEST(VerdictLines, TheEndedScreenIsInTheOrderOfTheRankingWithTheWinnerChosen) {
  tui::Model model;
  tui::resize(model, {24, 40});
  tui::take_status(model, status_of(model::RacePhase::running, {"gemini", "claude", "codex"}), 0);
  tui::press(model, "j");
  auto ended = status_of(model::RacePhase::done, {"gemini", "claude", "codex"});
  ended.winner = "codex";
  ended.verdict = kVerdict;
  ended.order_reasons = two_reasons();
  tui::take_status(model, ended, 0);
  EXPECT_EQ(tui::chosen(model)->agent, "codex");
  EXPECT_EQ(model.status.agents.back().agent, "gemini");
  EXPECT_THAT(shown(model),
              HasSubstr("codex wins: fixes 2 of 2 failing tests\nwith 12 lines; gemini crashed.\n"))
      << "broken between words, not cut";
  tui::press(model, "j");
  EXPECT_THAT(shown(model), HasSubstr("claude\n  codex above claude: fixes 2 more\n"));
  tui::take_status(model, ended, 1);
  EXPECT_EQ(tui::chosen(model)->agent, "claude") << "only the end moves the cursor";
  // A retry: the agents are in their own order, and the cursor stays on its agent.
  tui::take_status(model, status_of(model::RacePhase::running, {"gemini", "claude", "codex"}), 2);
  EXPECT_EQ(tui::chosen(model)->agent, "claude");
  EXPECT_EQ(model.status.agents.front().agent, "gemini");
}

TEST(VerdictLines, PhasesAreCountedAndAFailureIsOneWhileItsChecksGoOn) {
  auto status = status_of(model::RacePhase::running, {"a", "b", "c", "d", "e", "f"});
  const auto set = [&](std::size_t i, AgentPhase state, Outcome outcome) {
    status.agents[i].state = state;
    status.agents[i].outcome = outcome;
  };
  set(1, AgentPhase::queued, Outcome::unknown);
  set(2, AgentPhase::checking, Outcome::completed);
  set(3, AgentPhase::checking, Outcome::failed);
  set(4, AgentPhase::ranked, Outcome::completed);
  set(5, AgentPhase::checking, Outcome::cancelled);
  EXPECT_EQ(phase_counts(status.agents), "1 queued, 1 running, 2 in checks, 1 failed, 1 done");
  EXPECT_EQ(shown_phase(status.agents[3]), AgentPhase::failed);
  EXPECT_EQ(shown_phase(status.agents[2]), AgentPhase::checking);
}

}  // namespace
}  // namespace hydra::cli
