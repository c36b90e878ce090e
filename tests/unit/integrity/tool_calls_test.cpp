// Tool calls as an agent's log shows them, and what of a log is not read.
#include "integrity/report/tool_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydra::integrity {
namespace {

TEST(ToolCalls, CommandsOfJsonLines) {
  const auto found = tool_calls(
      "not json \"command\"\n"
      "{\"type\":\"item\",\"item\":{\"command\":\"git log --all\"}}\n"
      "{\"input\":{\"cmd\":[\"bash\",\"-lc\",\"ls\"]}}\n"
      "{\"input\":{\"url\":\"https://github.com/a/b/pull/7\"}}\n"
      "{\"text\":\"I ran git show\"}\n");
  const auto& calls = found.calls;
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(found.missing, "");
  EXPECT_EQ(calls[0].text, "git log --all");
  EXPECT_EQ(calls[0].line, 2);
  EXPECT_EQ(calls[1].text, "bash -lc ls");
  EXPECT_EQ(calls[2].text, "webfetch https://github.com/a/b/pull/7");
}

TEST(ToolCalls, HostileLinesEndNothing) {
  std::string deep = "{\"command\":";
  for (int i = 0; i < 100'000; ++i) deep += "[";
  EXPECT_TRUE(tool_calls(deep).calls.empty());
  std::string nested = "{\"command\":";
  for (int i = 0; i < 1000; ++i) nested += "{\"a\":";
  nested += "1";
  for (int i = 0; i < 1001; ++i) nested += "}";
  EXPECT_TRUE(tool_calls(nested).calls.empty());
}

// What was not read may hold anything: the report says so.
TEST(ToolCalls, WhatIsLeftOutIsSaid) {
  const std::string line = "{\"command\":\"ls\"}\n";
  EXPECT_THAT(tool_calls(line + "{\"command\":\"" + std::string(2u << 20, 'x') + "\"}\n").missing,
              ::testing::HasSubstr("line of more than 1 MiB"));
  std::string many;
  for (std::size_t i = 0; i <= kMostToolCalls; ++i)
    many += "{\"command\":\"ls " + std::to_string(i) + "\"}\n";
  EXPECT_THAT(tool_calls(many).missing, ::testing::HasSubstr("20,000"));
}

}  // namespace
}  // namespace hydra::integrity
