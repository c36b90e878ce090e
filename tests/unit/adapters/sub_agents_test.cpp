// Sub-agents, and Claude's work in the background: tokens, live and at the end, and what is open.
#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

namespace hydra::adapters {
namespace {

class SubAgents : public ::testing::Test {
 protected:
  void load(const std::string& name) {
    stream = read_file(places::golden("/streams/claude/") + name + ".stdout").value_or("");
  }
  [[nodiscard]] std::size_t first_result() const { return stream.find("\"type\":\"result\""); }
  model::Usage all(const std::string& name) {
    load(name);
    StreamReader whole{*find_agent(builtin(), "claude")};
    whole.feed(stream);
    whole.finish();
    return whole.summary().usage;
  }
  std::string stream;
  StreamReader reader{*find_agent(builtin(), "claude")};
};

// The last result's `usage` has 300 and 50 tokens of input; the server's log has these.
TEST_F(SubAgents, AndTurnsAfterWorkInTheBackgroundCountAtTheEnd) {
  struct Run {
    const char* name;
    std::int64_t input, output, cache_read, cache_write;
  };
  for (const auto& run : {Run{"subagents", 7500, 790, 6000, 1200}, Run{"background", 700, 80, 1000, 200}}) {
    const auto usage = all(run.name);
    EXPECT_EQ(usage.input, run.input) << run.name;
    EXPECT_EQ(usage.output, run.output) << run.name;
    EXPECT_EQ(usage.cache_read, run.cache_read) << run.name;
    EXPECT_EQ(usage.cache_write, run.cache_write) << run.name;
  }
}

// Seven messages of the main agent and of its direct sub-agent, the output of four of them.
TEST_F(SubAgents, CountWhileTheyRun) {
  load("subagents");
  reader.feed(std::string_view(stream).substr(0, stream.rfind('\n', first_result()) + 1));
  EXPECT_EQ(reader.view().usage.input, 1000 + 500 + 1000 + 300 + 500 + 300 + 300);
  EXPECT_EQ(reader.view().usage.output, 100 + 60 + 30 + 30);
}

TEST_F(SubAgents, WorkInTheBackgroundIsOpenUntilItsListIsEmpty) {
  load("background");
  const auto end = stream.find('\n', first_result()) + 1;
  reader.feed(std::string_view(stream).substr(0, end));
  EXPECT_TRUE(reader.view().terminal);
  EXPECT_EQ(reader.view().open_tasks, 1);
  EXPECT_EQ(reader.view().open_name, "bg");
  reader.feed(std::string_view(stream).substr(end));
  EXPECT_TRUE(reader.view().terminal);
  EXPECT_EQ(reader.view().open_tasks, 0);
}

TEST(SubAgentsOfKimi, HaveLogsThatAreAddedToTheAgents) {
  const auto call = [](const std::string& model, int input, int output) {
    return R"({"type":"usage.record","model":")" + model + R"(","usage":{"inputOther":)" +
           std::to_string(input) + R"(,"output":)" + std::to_string(output) +
           R"(,"inputCacheRead":0,"inputCacheCreation":0}})" + "\n";
  };
  StreamReader kimi{*find_agent(builtin(), "kimi")};
  kimi.usage_log(call("large", 100, 10), 0, "agents/main/wire.jsonl");
  kimi.usage_log(call("small", 30, 3), 0, "agents/agent-0/wire.jsonl");
  EXPECT_EQ(kimi.view().usage.input, 130);
  EXPECT_EQ(kimi.view().usage.output, 13);
  EXPECT_EQ(kimi.summary().model, "large");
  kimi.usage_log(call("small", 30, 3), 0, "agents/agent-0/wire.jsonl");
  EXPECT_EQ(kimi.view().usage.input, 130) << "a file that is read from its begin counts once";
}

}  // namespace
}  // namespace hydra::adapters
