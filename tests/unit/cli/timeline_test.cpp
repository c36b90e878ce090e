#include "cli/render/timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hydra::cli {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TimedEvent event(const char* kind, std::int64_t at, json data = json::object()) {
  data["at_ms"] = at;
  return {kind, data.dump()};
}

json check(const char* subject, const char* dimension, std::int64_t wall) {
  return {{"subject", subject}, {"evidence", {{"dimension", dimension}, {"wall_ms", wall}}}};
}

// Two agents, one place for checks: b's tests wait until those of a are over.
std::vector<TimedEvent> two_agents() {
  return {event("race_created", 1000),
          event("race_prepared", 1010),
          event("workspace_ready", 1030, {{"agent", "b"}}),
          event("workspace_ready", 1040, {{"agent", "a"}}),
          event("agent_starting", 1040, {{"agent", "a"}}),
          event("agent_ended", 1200, {{"agent", "b"}, {"job", {{"wall_ms", 150}}}}),
          event("captured", 1210, {{"agent", "b"}}),
          event("agent_ended", 1300, {{"agent", "a"}, {"job", {{"wall_ms", 260}}}}),
          event("captured", 1320, {{"agent", "a"}}),
          event("check_ended", 1420, check("a", "tests", 100)),
          event("check_ended", 1520, check("b", "tests", 100)),
          event("scoring_result", 1525),
          event("race_ended", 1530)};
}

TEST(Timeline, FindsTheChainThatTheEndWaitedFor) {
  const auto steps = timeline_of(two_agents());
  ASSERT_TRUE(steps.ok());
  std::vector<std::string> critical;
  for (const auto& step : *steps)
    if (step.critical) critical.push_back(step.who + ":" + step.step);
  EXPECT_THAT(critical, ElementsAre(":look at the repository", "a:worktree", "a:agent", "a:capture",
                                    "a:tests", "b:tests", ":ranking", ":end"));
}

TEST(Timeline, AStepStartsWhenItWasMeasuredToOrWhenItsOwnersLastOneEnded) {
  const auto steps = timeline_of(two_agents());
  ASSERT_TRUE(steps.ok());
  EXPECT_THAT(*steps, testing::Contains(TimelineStep{"b", "agent", 50, 200, false}));
  EXPECT_THAT(*steps, testing::Contains(TimelineStep{"b", "capture", 200, 210, false}));
  EXPECT_THAT(*steps, testing::Contains(TimelineStep{"b", "tests", 420, 520, true}));
}

// Verification has a row, and its runs have names.
TEST(Timeline, NamesTheRunsOfVerification) {
  const json twin = {{"subject", "+1"}, {"result", "a"}, {"author", ""}},
             cross = {{"subject", "+2"}, {"result", "a"}, {"author", "b"}};
  const auto steps = timeline_of(
      {event("race_created", 0), event("scoring_result", 100, {{"final", false}}),
       event("twins_planned", 110, {{"plan", {{"runs", {{{"run", twin}, {"copy", false}}}}}}}),
       event("check_ended", 200, check("+1", "tests", 80)),
       event("cross_planned", 210, {{"plan", {{"runs", {cross}}}}}),
       event("check_ended", 300, check("+2", "tests", 80)), event("scoring_result", 305, {{"final", true}})});
  ASSERT_TRUE(steps.ok());
  EXPECT_THAT(*steps, testing::Contains(TimelineStep{"a", "changed tests", 120, 200, true}));
  EXPECT_THAT(*steps, testing::Contains(TimelineStep{"a", "tests of b", 220, 300, true}));
  EXPECT_THAT(*steps, testing::Contains(TimelineStep{"", "verification", 100, 305, false}));
}

// A clock that is set back while a race runs.
TEST(Timeline, NoStepEndsBeforeItStarts) {
  const auto steps =
      timeline_of({event("race_created", 5000), event("race_prepared", 6000),
                   event("workspace_ready", 4000, {{"agent", "a"}}), event("race_ended", 4100)});
  ASSERT_TRUE(steps.ok());
  for (const auto& step : *steps) EXPECT_LE(step.start_ms, step.end_ms) << step.step;
}

TEST(Timeline, IsReadableWithoutColourAndWithoutARaceThatHasEnded) {
  EXPECT_EQ(timeline_block({}, Style{}), "Nothing has ended yet.\n");
  const auto steps = timeline_of({event("race_created", 0), event("captured", 5, {{"agent", "a\x1b[2J"}})});
  ASSERT_TRUE(steps.ok());
  const auto text = timeline_block(*steps, Style{.utf8 = false});
  EXPECT_THAT(text, HasSubstr("#"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_FALSE(timeline_of({{"captured", "[]"}}).ok());
}

TEST(Timeline, FitsTheTerminal) {
  const auto steps = timeline_of(two_agents());
  ASSERT_TRUE(steps.ok());
  const auto text = timeline_block(*steps, Style{.utf8 = false, .width = 60});
  for (std::size_t at = 0; at < text.rfind("\n*"); at = text.find('\n', at) + 1)
    EXPECT_LE(text.find('\n', at) - at, 60U) << text.substr(at);
}

}  // namespace
}  // namespace hydra::cli
