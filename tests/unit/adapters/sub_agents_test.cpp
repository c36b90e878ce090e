// Claude's sub-agents and its work in the background: tokens, live and at the end, and what is open.
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
  model::Usage all() {
    reader.feed(stream);
    reader.finish();
    return reader.summary().usage;
  }
  std::string stream;
  StreamReader reader{*find_agent(builtin(), "claude")};
};

// The last result's `usage` has 300 tokens; the server's log has these.
TEST_F(SubAgents, CountAtTheEnd) {
  load("subagents");
  const auto usage = all();
  EXPECT_EQ(usage.input, 7500);
  EXPECT_EQ(usage.output, 790);
  EXPECT_EQ(usage.cache_read, 6000);
  EXPECT_EQ(usage.cache_write, 1200);
}

TEST_F(SubAgents, TurnsAfterWorkInTheBackgroundCount) {
  load("background");
  const auto usage = all();
  EXPECT_EQ(usage.input, 700);
  EXPECT_EQ(usage.output, 80);
  EXPECT_EQ(usage.cache_read, 1000);
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

}  // namespace
}  // namespace hydra::adapters
