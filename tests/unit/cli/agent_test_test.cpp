// Verdict of `hydra agents test` on the results of its tiny race.
#include "cli/agent_test.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace hydra;
using nlohmann::json;

json row() {
  return {{"agent", "mine"},
          {"model", "m"},
          {"outcome", "completed"},
          {"error_class", ""},
          {"message", ""},
          {"duration_seconds", 2.5},
          {"diff", {{"files_changed", 1}, {"lines_added", 1}, {"lines_removed", 0}}},
          {"tokens", {{"input", 10}, {"output", 5}, {"cache_read", nullptr}, {"cache_write", nullptr}}},
          {"cost_usd", nullptr},
          {"cost_estimated", false}};
}

cli::AgentTest judged(const json& agent) {
  const auto test =
      cli::judge_agent_test(json{{"race", "r1"}, {"reason", ""}, {"agents", json::array({agent})}}.dump());
  EXPECT_TRUE(test.ok());
  return test.ok() ? *test : cli::AgentTest{};
}

std::optional<bool> step(const cli::AgentTest& test, const std::string& name) {
  for (const auto& s : test.steps)
    if (s.name == name) return s.ok;
  ADD_FAILURE() << "no step " << name;
  return std::nullopt;
}

TEST(AgentTest, EverythingWorks) {
  const auto test = judged(row());
  EXPECT_TRUE(test.ok);
  EXPECT_EQ(test.remedy, "");
  for (const auto* name : {"starts", "signs in", "edits a file", "ends", "usage known"})
    EXPECT_EQ(step(test, name), true) << name;
}

TEST(AgentTest, UnknownUsageIsNoFault) {
  auto agent = row();
  agent["tokens"] = {{"input", nullptr}, {"output", nullptr}};
  const auto test = judged(agent);
  EXPECT_TRUE(test.ok);
  EXPECT_EQ(step(test, "usage known"), false);
}

TEST(AgentTest, NotSignedIn) {
  auto agent = row();
  agent["outcome"] = "failed";
  agent["error_class"] = "auth";
  agent["diff"]["files_changed"] = 0;
  agent["tokens"] = {{"input", 0}, {"output", 0}};
  agent["message"] = "Mine reported an error: invalid key; set MINE_KEY, then race again";
  const auto test = judged(agent);
  EXPECT_FALSE(test.ok);
  EXPECT_EQ(step(test, "starts"), true);
  EXPECT_EQ(step(test, "signs in"), false);
  EXPECT_EQ(step(test, "edits a file"), std::nullopt) << "it did not get so far";
  EXPECT_EQ(test.remedy, "set MINE_KEY, then race again");
}

TEST(AgentTest, DidNotStart) {
  auto agent = row();
  agent["outcome"] = "launch_error";
  agent["error_class"] = "launch_error";
  agent["diff"]["files_changed"] = 0;
  agent["tokens"] = json::object();
  agent["message"] = "Mine could not be started: '/x' is a directory; name the program in it";
  const auto test = judged(agent);
  EXPECT_EQ(step(test, "starts"), false);
  EXPECT_EQ(step(test, "signs in"), std::nullopt);
  EXPECT_EQ(step(test, "ends"), std::nullopt);
  EXPECT_EQ(test.remedy, "name the program in it");
}

TEST(AgentTest, ItEndsAndChangesNothing) {
  auto agent = row();
  agent["diff"]["files_changed"] = 0;
  const auto test = judged(agent);
  EXPECT_FALSE(test.ok);
  EXPECT_EQ(step(test, "ends"), true);
  EXPECT_EQ(step(test, "edits a file"), false);
  EXPECT_NE(test.remedy, "");
}

TEST(AgentTest, StrangeAnswersAreErrors) {
  for (const auto* text : {"", "[]", "{}", R"({"agents":[]})", R"({"agents":3})", R"({"agents":[3]})"})
    EXPECT_FALSE(cli::judge_agent_test(text).ok()) << text;
}

TEST(AgentTest, TheJsonIsWhatTheDocumentSays) {
  const auto out = json::parse(cli::to_json(judged(row())));
  EXPECT_EQ(out["schema"], 1);
  EXPECT_EQ(out["ok"], true);
  EXPECT_EQ(out["class"], nullptr);
  EXPECT_EQ(out["steps"].size(), 5u);
  EXPECT_EQ(out["tokens"]["cache_read"], nullptr);
}

}  // namespace
