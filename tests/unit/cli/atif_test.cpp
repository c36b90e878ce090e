// Recorded streams of real agents as trajectories: every step is one of the format, and nothing that was said
// is lost.
#include "cli/render/atif.hpp"

#include "base/files.hpp"
#include "support/places.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace hydra::cli {
namespace {

using nlohmann::json;

json trajectory_of(const std::string& stream) {
  const auto log = read_file(places::golden("/streams/" + stream));
  EXPECT_TRUE(log.ok()) << stream;
  TrajectoryFacts facts{"s-1", "Add a greet module under src", "agent", "", "m", R"({"cost_usd":0.5})", 0};
  return json::parse(trajectory(facts, log.value_or("")));
}

/// What the format asks of any trajectory.
void expect_sound(const json& whole, const std::string& stream) {
  EXPECT_EQ(whole["schema_version"], "ATIF-v1.4");
  EXPECT_EQ(whole["agent"]["version"], "unknown");
  EXPECT_EQ(whole["final_metrics"]["total_steps"], whole["steps"].size());
  EXPECT_EQ(whole["final_metrics"]["total_cost_usd"], 0.5);
  int next = 1;
  for (const auto& step : whole["steps"]) {
    EXPECT_EQ(step["step_id"], next) << stream;
    EXPECT_EQ(step["source"], next == 1 ? "user" : "agent") << stream;
    EXPECT_TRUE(step["message"].is_string());
    ++next;
    std::set<std::string> calls;
    for (const auto& call : step.value("tool_calls", json::array())) {
      EXPECT_TRUE(call["arguments"].is_object()) << stream;
      EXPECT_NE(call["function_name"], "") << stream;
      EXPECT_TRUE(calls.insert(call["tool_call_id"]).second) << stream << ": a call is there once";
    }
    for (const auto& result : step.value("/observation/results"_json_pointer, json::array()))
      EXPECT_TRUE(calls.contains(result["source_call_id"])) << stream;
  }
}

// The same work by each agent: says something, writes a file, says something, runs it, says what it did.
TEST(Atif, RecordedStreams) {
  for (const std::string stream : {"codex/ok-codemode.stdout", "gemini/ok.stdout", "opencode/ok.stdout",
                                   "pi/ok.stdout", "qwen/ok.stdout"}) {
    const auto whole = trajectory_of(stream);
    expect_sound(whole, stream);
    ASSERT_EQ(whole["steps"].size(), 4u) << stream << whole.dump(1);
    EXPECT_EQ(whole["steps"][0]["message"], "Add a greet module under src");
    EXPECT_EQ(whole["steps"][1]["message"], "I will create the greet module.") << stream;
    EXPECT_EQ(whole["steps"][1]["tool_calls"].size(), 1u) << stream;
    EXPECT_EQ(whole["steps"][2]["message"], "Now I check it.") << stream;
    ASSERT_TRUE(whole["steps"][2].contains("observation")) << stream;
    EXPECT_THAT(whole["steps"][2]["observation"]["results"][0]["content"].get<std::string>(),
                testing::HasSubstr("Hello, Hydra!"))
        << stream;
    EXPECT_THAT(whole["steps"][3]["message"].get<std::string>(),
                testing::HasSubstr("Created src/greet.py with a greet() function"))
        << stream;
  }
}

TEST(Atif, WhatIsNoStreamIsOneStepAndNothingBreaksIt) {
  const auto text = json::parse(trajectory({"", "task", "a", "1", "", "", 0}, "plain\nwords \x1b[31m\xff"));
  ASSERT_EQ(text["steps"].size(), 2u);
  EXPECT_THAT(text["steps"][1]["message"].get<std::string>(), testing::StartsWith("plain\nwords"));
  EXPECT_EQ(json::parse(trajectory({}, ""))["steps"].size(), 1u);
  std::string deep = "{\"type\":\"text\",\"text\":";
  for (int i = 0; i < 5000; ++i) deep += "[";
  for (const auto& line :
       {deep, std::string("{\"type\":7,\"message\":[{}],\"item\":{\"type\":\"tool_use\"}}"),
        std::string("{\"type\":\"tool_result\",\"tool_id\":\"nobody\"}"), std::string("{}{")})
    EXPECT_TRUE(json::parse(trajectory({}, line))["steps"].is_array()) << line.substr(0, 60);
}

}  // namespace
}  // namespace hydra::cli
