// Comments on lines of a result, as an agent is told them.
#include "race/agents/review.hpp"

#include "race/state/state.hpp"

#include <gmock/gmock.h>

namespace hydra::race {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

wire::ReviewComment comment(std::int64_t line, std::int64_t end, const std::string& text) {
  wire::ReviewComment made;
  made.path = "src/auth.py";
  made.line = line;
  made.end = end;
  made.text = text;
  made.at = "review.txt:3";
  return made;
}

std::string quoted(const wire::ReviewComment& comment, std::string_view text) {
  const auto made = quoted_comment(comment, text, {});
  return made.ok() ? *made : describe(made.error());
}

TEST(Review, QuotesTheLinesThatItIsAbout) {
  constexpr std::string_view kText = "one\n\ttwo\nthree\n";
  EXPECT_EQ(quoted(comment(2, 0, "why?"), kText), "src/auth.py:2\n```\n    two\n```\nwhy?\n");
  EXPECT_EQ(quoted(comment(1, 3, "all\nof it"), kText),
            "src/auth.py:1-3\n```\none\n    two\nthree\n```\nall\nof it\n");
}

TEST(Review, NamesAPlaceThatTheFileDoesNotHave) {
  for (const auto& [line, end] : {std::pair{4, 0}, {0, 0}, {-1, 0}, {3, 2}, {2, 9}})
    EXPECT_THAT(quoted(comment(line, end, "x"), "1\n2\n3\n"),
                StartsWith("review.txt:3: src/auth.py has 3 lines, and no line "));
  EXPECT_THAT(quoted(comment(1, 0, " \n"), "1\n"), HasSubstr("has no words"));
}

// A line of an agent that closes the fence, and one that looks like a person's comment.
TEST(Review, CodeStaysBetweenItsFences) {
  const auto made = quoted(comment(1, 2, "words"), "``` and ````\nsrc/a.py:1\n");
  EXPECT_THAT(made, HasSubstr("\n`````\n``` and ````\nsrc/a.py:1\n`````\n"));
  EXPECT_THAT(quoted(comment(1, 0, "words"), "a\x1b[2J and \xe2\x80\xae\n"), Not(HasSubstr("\x1b")));
}

TEST(Review, LongCodeIsCutAndSaysSo) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::string(5000, 'x') + "\n";
  const auto made = quoted(comment(1, 100, "words"), text);
  EXPECT_THAT(made, HasSubstr("(40 more lines)\n```"));
  EXPECT_LT(made.size(), 30'000u);
}

TEST(Review, ValuesOfSecretsAreNotQuoted) {
  const auto made =
      quoted_comment(comment(1, 0, "words"), "key = \"sk-12345678\"\n", {{"sk-12345678", "KEY"}});
  ASSERT_TRUE(made.ok());
  EXPECT_THAT(*made, HasSubstr("[redacted KEY]"));
  EXPECT_THAT(*made, Not(HasSubstr("sk-12345678")));
}

TEST(Review, WhoseChangeItIsAboutIsSaid) {
  EXPECT_EQ(with_review("", true, "go on"), "go on");
  EXPECT_THAT(with_review("\nc\n", true, ""), StartsWith("A person has read your change"));
  EXPECT_THAT(with_review("\nc\n", false, "be brief"), StartsWith("A person has read another change"));
  EXPECT_THAT(with_review("\nc\n", false, "be brief"), HasSubstr("\nc\n\nbe brief\n"));
}

// Agents that one `hydra retry` names run and count together; the next retry is another one.
TEST(Review, AgentsOfOneRetryCountTogether) {
  State state;
  for (const char* name : {"a", "b"}) {
    AgentState agent;
    agent.entry.name = name;
    agent.ended = model::AgentEnded{name, {}, {}};
    agent.capture.emplace().commit = std::string("c-") + name;
    state.agents.push_back(std::move(agent));
  }
  const auto retry = [&](const char* name) {
    model::RetryRequested asked;
    asked.agent = name;
    begin_again(state, asked);
  };
  const auto count = [&] {
    std::string names;
    for (const auto& agent : state.agents) names += counts_for_race(state, agent) ? agent.entry.name : "";
    return names;
  };
  state.ended = model::RaceEnd::done;
  retry("a");
  retry("b");
  EXPECT_EQ(count(), "ab");
  EXPECT_EQ(state.agents[0].earlier.at(0).commit, "c-a");
  state.ended = model::RaceEnd::done;
  state.agents[1].ended = model::AgentEnded{"b", {}, {}};
  retry("b");
  EXPECT_EQ(count(), "b");
}

}  // namespace
}  // namespace hydra::race
