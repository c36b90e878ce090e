// The sentence of each reason, and where it is shown.
#include "cli/render/order_lines.hpp"

#include "cli/render/explain_block.hpp"
#include "cli/render/result_block.hpp"
#include "cli/tui/model.hpp"
#include "cli/tui/view.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using model::OrderBy;
using ::testing::HasSubstr;
using ::testing::Not;

wire::OrderReason codex_above_claude(OrderBy by, std::int64_t count = 0, double points = 0,
                                     bool tied = false) {
  return {{by, tied, count, points}, "codex", "claude"};
}

std::string why(OrderBy by, std::int64_t count = 0, double points = 0) {
  const auto line = order_line(codex_above_claude(by, count, points), Style{});
  const std::string head = "codex above claude: ";
  EXPECT_EQ(line.substr(0, head.size()), head);
  return line.substr(std::min(head.size(), line.size()));
}

TEST(OrderLines, EachReasonHasASentence) {
  EXPECT_EQ(why(OrderBy::eligible), "claude is not eligible");
  EXPECT_EQ(why(OrderBy::hidden_tests, 1), "claude fails 1 hidden test");
  EXPECT_EQ(why(OrderBy::undecided), "claude waits for a decision");
  EXPECT_EQ(why(OrderBy::fixed_tests, 2, 50), "fixes 2 more failing tests");
  EXPECT_EQ(why(OrderBy::broken_tests, 1, 5), "breaks 1 fewer test");
  EXPECT_EQ(why(OrderBy::authors, 2, 40), "passes the tests of 2 more authors");
  EXPECT_EQ(why(OrderBy::others_tests, 3, 9), "fails 3 fewer tests of others");
  EXPECT_EQ(why(OrderBy::evidence, 0, 4.25), "4.3 more points of tests and evidence");
  EXPECT_EQ(why(OrderBy::nothing_shown), "claude has nothing to show");
  EXPECT_EQ(why(OrderBy::build, 0, 30), "better build, 30.0 more points");
  EXPECT_EQ(why(OrderBy::tests, 0, 3), "better tests, 3.0 more points");
  EXPECT_EQ(why(OrderBy::lint, 0, 1.5), "better lint, 1.5 more points");
  EXPECT_EQ(why(OrderBy::diff_size, 0, 2), "smaller change, 2.0 more points");
  EXPECT_EQ(why(OrderBy::speed), "faster") << "at equal points";
  EXPECT_EQ(why(OrderBy::speed, 0, 0.04), "faster") << "points that one decimal does not show";
  EXPECT_EQ(why(OrderBy::judges, 0, 25), "better judged, 25.0 more points");
  EXPECT_EQ(why(OrderBy::listed), "asked for first");
}

TEST(OrderLines, ATieIsCalledOne) {
  const auto tie = [](OrderBy by, double points) {
    return order_line(codex_above_claude(by, 0, points, true), Style{});
  };
  EXPECT_EQ(tie(OrderBy::same_code, 0), "codex tied with claude: the same code");
  EXPECT_EQ(tie(OrderBy::speed, 8), "codex tied with claude, listed first: faster, 8.0 more points");
  EXPECT_EQ(tie(OrderBy::listed, 0), "codex tied with claude, listed first: asked for first");
}

TEST(OrderLines, ANarrowOutputGetsTwoLines) {
  Style narrow;
  narrow.width = 40;
  EXPECT_EQ(order_line(codex_above_claude(OrderBy::fixed_tests, 2), narrow),
            "codex above claude:\n  fixes 2 more failing tests");
  EXPECT_EQ(order_line(codex_above_claude(OrderBy::speed), narrow), "codex above claude: faster");
}

TEST(OrderLines, AHostileNameIsMadeFitToShow) {
  auto reason = codex_above_claude(OrderBy::nothing_shown);
  reason.below = "a\x1b[31mb";
  EXPECT_THAT(order_line(reason, Style{}), Not(HasSubstr("\x1b")));
}

std::vector<wire::OrderReason> three() {
  return {codex_above_claude(OrderBy::fixed_tests, 2),
          {{OrderBy::eligible, false, 0, 0}, "claude", "gemini"}};
}

TEST(OrderLines, TheFirstRowStandsAboveTheSecond) {
  const auto reasons = three();
  EXPECT_EQ(reason_of(reasons, "codex"), &reasons[0]);
  EXPECT_EQ(reason_of(reasons, "claude"), &reasons[0]);
  EXPECT_EQ(reason_of(reasons, "gemini"), &reasons[1]);
  EXPECT_EQ(reason_of(reasons, "other"), nullptr);
  EXPECT_EQ(reason_of({}, "codex"), nullptr);
}

TEST(OrderLines, ResultsSayItOfTheWinnerAndExplanationsOfAll) {
  wire::Results results;
  results.state = "done";
  results.winner = "codex";
  results.final = true;
  for (const auto* name : {"codex", "claude", "gemini"}) {
    results.agents.emplace_back();
    results.agents.back().agent = results.agents.back().display = name;
  }
  results.order_reasons = three();
  const auto block = result_block(results, Style{});
  EXPECT_THAT(block, HasSubstr("Winner: codex\ncodex above claude: fixes 2 more failing tests\n"));
  EXPECT_THAT(block, Not(HasSubstr("claude above gemini")));
  wire::Explain explain;
  explain.agent = explain.checked_as = explain.display = "claude";
  explain.order_reasons = three();
  EXPECT_THAT(*explain_block(wire::to_json(explain), Style{}),
              HasSubstr("codex above claude: fixes 2 more failing tests\n"
                        "claude above gemini: gemini is not eligible\n"));
}

TEST(OrderLines, TheFullScreenSaysItOfTheSelectedRow) {
  wire::Status status;
  status.race = "r1";
  status.state = "done";
  for (const auto* name : {"codex", "claude", "gemini"}) {
    status.agents.emplace_back();
    status.agents.back().agent = name;
  }
  status.order_reasons = three();
  tui::Model model;
  tui::resize(model, {24, 40});
  tui::take_status(model, status, 0);
  const auto shown = [&] {
    std::string out;
    for (const auto& row : tui::view(model, 0).rows) out += tui::text_of(row) + "\n";
    return out;
  };
  EXPECT_THAT(shown(), HasSubstr("codex\n  codex above claude:\n    fixes 2 more failing tests\n"));
  tui::press(model, "G");
  EXPECT_THAT(shown(), HasSubstr("gemini\n  claude above gemini:\n    gemini is not eligible\n"));
}

}  // namespace
}  // namespace hydra::cli
