// Completion of a line that is being typed: verbs, options, their values, races and results.
#include "cli/complete.hpp"

#include "cli/app.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::UnorderedElementsAre;
using Words = std::vector<std::string>;

Words of(const Words& words) {
  static const auto verbs = all_verbs();
  return candidates(verbs, words, [](WordKind kind) {
    switch (kind) {
      case WordKind::race:
        return Words{"01jx4k", "01jx9z"};
      case WordKind::result:
        return Words{"claude", "codex-2"};
      case WordKind::known_agent:
        return Words{"claude", "codex", "gemini"};
      case WordKind::format:
        return Words{"auto", "pytest", "jest"};
      case WordKind::weight:
        return Words{"tests=", "lint="};
    }
    return Words{};
  });
}

TEST(Complete, VerbsAndTheirChildren) {
  EXPECT_THAT(of({"re"}), UnorderedElementsAre("results", "rescore", "retry", "report"));
  EXPECT_THAT(of({""}), IsSupersetOf({"race", "merge", "completion"}));
  EXPECT_THAT(of({}), Contains("race"));
  EXPECT_THAT(of({"--v"}), ElementsAre("--version"));
  EXPECT_THAT(of({"config", "c"}), ElementsAre("check"));
  EXPECT_THAT(of({"daemon", ""}), IsSupersetOf({"start", "stop", "status"}));
}

TEST(Complete, OptionsAreThoseOfTheInnermostVerb) {
  EXPECT_THAT(of({"race", "--include"}), ElementsAre("--include-dirty"));
  EXPECT_THAT(of({"config", "check", "--j"}), ElementsAre("--json"));
  EXPECT_THAT(of({"agents", "test", "--t"}), ElementsAre("--timeout"));
  EXPECT_THAT(of({"agents", "--t"}), IsEmpty());
  EXPECT_THAT(of({"race", "fix it", "--age"}), ElementsAre("--agents")) << "behind a task, too";
  EXPECT_THAT(of({"race", "--", "--age"}), IsEmpty()) << "behind -- it is the task";
}

TEST(Complete, ValuesOfOptions) {
  EXPECT_THAT(of({"race", "--color", ""}), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(of({"race", "--color=al"}), ElementsAre("--color=always")) << "zsh and fish: one word";
  EXPECT_THAT(of({"race", "--color", "=", "al"}), ElementsAre("always")) << "bash: three";
  EXPECT_THAT(of({"race", "--color", "="}), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(of({"logs", "--kind", "te"}), UnorderedElementsAre("tests", "template"));
  EXPECT_THAT(of({"race", "--agents", "c"}), ElementsAre("claude", "codex"));
  EXPECT_THAT(of({"race", "-a", "claude,g"}), ElementsAre("claude,gemini"));
  EXPECT_THAT(of({"rescore", "--weights", "tests=50,l"}), ElementsAre("tests=50,lint="));
  EXPECT_THAT(of({"cancel", "--agent", "co"}), ElementsAre("codex-2"));
  EXPECT_THAT(of({"parse", "--format", "py"}), ElementsAre("pytest"));
  EXPECT_THAT(of({"race", "--task-file", ""}), IsEmpty()) << "the shell offers files";
  EXPECT_THAT(of({"race", "--json", "--age"}), ElementsAre("--agents")) << "a flag takes no word";
}

TEST(Complete, RacesAndResults) {
  EXPECT_THAT(of({"status", "01jx4"}), ElementsAre("01jx4k"));
  EXPECT_THAT(of({"diff", "co"}), ElementsAre("codex-2"));
  EXPECT_THAT(of({"logs", "b"}), ElementsAre("baseline"));
  EXPECT_THAT(of({"merge", "--squash", ""}), ElementsAre("claude", "codex-2"));
  EXPECT_THAT(of({"merge", "claude:src/a", ""}), ElementsAre("claude", "codex-2")) << "parts of several";
  EXPECT_THAT(of({"diff", "claude", "co"}), ElementsAre("codex-2")) << "two may be compared";
  EXPECT_THAT(of({"explain", "claude", ""}), IsEmpty()) << "it takes one";
  EXPECT_THAT(of({"agents", "test", "g"}), ElementsAre("gemini")) << "not of the last race";
  EXPECT_THAT(of({"completion", "f"}), ElementsAre("fish"));
  EXPECT_THAT(of({"race", ""}), IsEmpty()) << "a task is free text";
}

TEST(Complete, WhatIsNoLineAtAll) {
  EXPECT_THAT(of({"nonsense", ""}), IsEmpty());
  EXPECT_THAT(of({"nonsense", "--he"}), ElementsAre("--help"));
  EXPECT_THAT(of({"race", "--nonsense", "--age"}), ElementsAre("--agents"));
  EXPECT_THAT(of({"=", "=", "="}), IsSupersetOf({"race"}));
  EXPECT_THAT(of({"race", "--agents="}), ElementsAre("--agents=claude", "--agents=codex", "--agents=gemini"));
}

}  // namespace
}  // namespace hydra::cli
