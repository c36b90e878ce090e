// Votes of judges and people, and how often a word was right, as text for a person.
#include "cli/render/judge_lines.hpp"

#include "wire/json.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;

constexpr const char* kExplained = R"({
  "confidence": {"word": "good", "probability": 0.8, "interval": [0.6, 0.9], "brier": 0.141, "n": 20, "outcome_races": 34},
  "judges": {"status": "scored", "score": 0.8, "text": "stake-weighted mean of 2 judges, 1 left out as an outlier",
    "judges": 3, "asked": 4, "votes": [
      {"judge": "style", "person": false, "stake": 2, "score": 0.8, "invalid": "", "reason": "fi\u001b[31mne", "outlier": false},
      {"judge": "ada", "person": true, "stake": 1, "score": 1, "invalid": "", "reason": "", "outlier": false},
      {"judge": "liar", "person": false, "stake": 1, "score": 0, "invalid": "", "reason": "", "outlier": true},
      {"judge": "late", "person": false, "stake": 1, "score": null, "invalid": "timed_out", "reason": "", "outlier": false}]}})";

wire::Explain explained(const char* text) {
  return wire::from_json<wire::Explain>(text).value_or(wire::Explain{});
}

TEST(JudgeLines, EveryVoteIsShownWithItsReason) {
  const auto lines = votes_lines(explained(kExplained).judges, Style{});
  EXPECT_THAT(lines,
              HasSubstr("judges: 0.8 of 1, stake-weighted mean of 2 judges, 1 left out as an outlier\n"));
  EXPECT_THAT(lines, HasSubstr("    style, stake 2: 0.8\n"));
  EXPECT_THAT(lines, HasSubstr("    ada (a person), stake 1: 1\n"));
  EXPECT_THAT(lines, HasSubstr("    liar, stake 1: 0, left out as an outlier\n"));
  EXPECT_THAT(lines, HasSubstr("    late, stake 1: no valid answer (timed out)\n"));
  EXPECT_EQ(lines.find('\x1b'), std::string::npos) << "a judge's words are not a terminal's";
  EXPECT_EQ(votes_lines(explained("{\"judges\":null}").judges, Style{}), "");
  EXPECT_EQ(votes_lines(explained("nonsense").judges, Style{}), "");
}

TEST(JudgeLines, ANumberOnlyWhereThereIsOne) {
  EXPECT_EQ(
      own_races_line(explained(kExplained).confidence),
      "In 34 own races with a known outcome, 16 of 20 results with this word were good: 80 % (60 to 90 %), "
      "Brier score 0.14.");
  EXPECT_EQ(own_races_line(
                explained(R"({"confidence": {"word": "good", "probability": null, "n": null}})").confidence),
            "");
}

TEST(JudgeLines, ResultsHaveOneLineOfThem) {
  wire::Results results;
  results.agents.resize(3);
  results.agents[0].agent = "codex";
  results.agents[0].display = "Codex CLI";
  results.agents[0].judges = explained(kExplained).judges;
  results.agents[1].agent = results.agents[1].display = "claude";
  results.agents[1].judges.emplace().status = model::JudgesState::too_few_judges;
  results.agents[1].judges->text = "2 judges gave an answer that counts, 3 are needed";
  EXPECT_EQ(judges_line(results, Style{}),
            "Judges: Codex CLI 0.80 (3 of 4, 1 left out as outlier), claude no score\n"
            "  claude: 2 judges gave an answer that counts, 3 are needed\n");
  results.agents[2] = results.agents[1];
  results.agents[2].display = "gemini";
  EXPECT_EQ(judges_line(results, Style{}),
            "Judges: Codex CLI 0.80 (3 of 4, 1 left out as outlier), claude no score, gemini no score\n"
            "  claude, gemini: 2 judges gave an answer that counts, 3 are needed\n");
  results.agents[2].judges.reset();
  results.agents.erase(results.agents.begin(), results.agents.begin() + 2);
  EXPECT_EQ(judges_line(results, Style{}), "");
}

}  // namespace
}  // namespace hydra::cli
