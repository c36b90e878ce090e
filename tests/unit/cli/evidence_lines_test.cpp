// Evidence lines: what the block says beside the points, and the matrix of cross tests.
#include "cli/render/evidence_lines.hpp"

#include "cli/render/result_block.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

wire::AgentResult told(const std::string& name, const std::string& display, double composite, double points,
                       const std::string& word) {
  wire::AgentResult a;
  a.agent = name;
  a.display = display;
  a.branch = "hydra/" + name + "-1";
  a.eligible = true;
  a.composite = composite;
  a.evidence_points = points;
  a.confidence.emplace().word = model::of_name<model::Belief>(word);
  a.confidence->text = word + ": facts";
  return a;
}

wire::Results race_with_evidence() {
  wire::Results v;
  v.race = "r1";
  v.task = "task";
  v.state = model::RacePhase::done;
  v.winner = "codex";
  v.final = true;
  v.points_winner = "claude";
  v.agents = {told("codex", "Codex CLI", 91.3, 87.5, "good"),
              told("claude", "Claude Code", 97.1, 25, "disputed")};
  v.agents[0].rank = 1;
  v.agents[0].confidence->facts.tests_passed = 5;
  v.agents[1].rank = 2;
  v.agents[1].confidence->facts.tests_passed = 1;
  v.agents[1].confidence->facts.tests_failed = 3;
  v.evidence.state = model::Measure::measured;
  v.evidence.authors = {{"codex", model::AuthorKind::result, "", {"codex"}, 3, 3, 0, 0, 0, 0},
                        {"claude", model::AuthorKind::result, "", {"claude"}, 4, 4, 0, 0, 1, 0}};
  wire::EvidenceCell cell{"claude", "codex", "", 1, 1, 0, 0, 0, {}};
  cell.tests = {{"high", "", model::TestClass::fails_before, "", model::Cell::fail, ""},
                {"low", "", model::TestClass::fails_before, "", model::Cell::pass, ""}};
  v.evidence.cells = {cell};
  return v;
}

TEST(EvidenceLines, StandBesideAndBelowThePoints) {
  const Style style;
  const auto text = result_block(race_with_evidence(), style);
  EXPECT_THAT(text, HasSubstr("evidence 88 · good"));
  EXPECT_THAT(text, HasSubstr("evidence 25 · disputed"));
  EXPECT_THAT(
      text, HasSubstr("Evidence: 7 tests of 2 authors fail without the change. Codex CLI passes all 5 of the "
                      "others', Claude Code 1 of 4.\n"));
  EXPECT_THAT(text, HasSubstr("By points alone Claude Code would be first, 97.1 to 91.3.\n"));
  Style ascii;
  ascii.utf8 = false;
  EXPECT_THAT(result_block(race_with_evidence(), ascii), HasSubstr("evidence 88 | good"));
}

TEST(EvidenceLines, AWinnerWithoutEvidenceIsAnnouncedAsSuch) {
  auto v = race_with_evidence();
  v.points_winner.clear();
  v.evidence = {};
  for (auto& agent : v.agents) {
    agent.evidence_points.reset();
    agent.confidence.emplace().word = model::Belief::no_evidence;
  }
  const auto text = result_block(v, Style{});
  EXPECT_THAT(text, HasSubstr("Winner: Codex CLI (branch: hydra/codex-1), no evidence\n"));
  EXPECT_THAT(text, Not(HasSubstr("Evidence:")));
  EXPECT_THAT(text, Not(HasSubstr("· no evidence")));
}

TEST(EvidenceLines, TestsThatTheTaskChangesComeWithTheCommand) {
  auto v = race_with_evidence();
  v.contested = {{"tests/a.py::test_old[1 2]", 2, 2}};
  EXPECT_THAT(
      evidence_lines(v, Style{}),
      HasSubstr("Probably changed by the task: tests/a.py::test_old[1 2] (2 of 2 results with evidence break "
                "it). `hydra verify r1 --approve-test 'tests/a.py::test_old[1 2]'` frees it.\n"));
}

TEST(EvidenceLines, TheMatrixShowsAuthorsByResultsAndEachTest) {
  const auto text = matrix_block(race_with_evidence(), Style{});
  EXPECT_THAT(text, HasSubstr("Cross tests of race r1: measured\n"));
  EXPECT_THAT(text, HasSubstr("1/2"));
  EXPECT_THAT(text, HasSubstr("    high: fails before\n      claude ✗\n"));
  EXPECT_THAT(text, HasSubstr("  Claude Code: disputed: facts\n"));
}

TEST(EvidenceLines, HostileNamesAreMadeFitToShow) {
  auto v = race_with_evidence();
  v.evidence.cells[0].tests[0].name = "a\x1b[31mb";
  v.contested = {{"x\x1b]0;y\x07", 1, 1}};
  EXPECT_THAT(matrix_block(v, Style{}) + evidence_lines(v, Style{}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace hydra::cli
