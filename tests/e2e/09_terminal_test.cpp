// On a terminal: the live table, Ctrl-C once and twice, and the question before a merge.
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Terminal : public ::testing::Test {
 protected:
  Terminal() : gate(world.outside() / "gate") {
    world.project(
        "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
        script_agent("good",
                     "printf '\\033]0;owned\\007hello from the agent\\n'; echo fine >> src/app.txt; " +
                         gate.script()));
  }
  World world;
  Gate gate;
};

TEST_F(Terminal, ShowsALiveTableAndThenTheResult) {
  auto run = world.start_on_terminal({"race", "--plain", "--agents", "good", "task"});
  ASSERT_TRUE(gate.arrived());
  EXPECT_TRUE(run->wait_text("running"));
  EXPECT_TRUE(run->wait_text("hello from the agent"));
  gate.open();
  EXPECT_TRUE(run->wait_text("#1"));
  EXPECT_EQ(run->wait().exit, 0);
  EXPECT_THAT(run->out(), Not(HasSubstr("\x1b]0;owned")));
  // The cursor is shown again.
  EXPECT_GE(run->out().rfind("\x1b[?25h") + 1, run->out().rfind("\x1b[?25l") + 1);
}

TEST_F(Terminal, InterruptOnceDetaches) {
  auto run = world.start_on_terminal({"race", "--plain", "--agents", "good", "task"});
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(run->wait_text("running"));
  run->type("\x03");
  EXPECT_TRUE(run->wait_text("The race continues"));
  EXPECT_EQ(run->wait().exit, 130);
  EXPECT_EQ(world.status()["state"], "running");
  gate.open();
  EXPECT_EQ(world.hydra({"watch"}).exit, 0);
}

TEST_F(Terminal, InterruptTwiceCancels) {
  auto run = world.start_on_terminal({"race", "--plain", "--agents", "good", "task"});
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(run->wait_text("running"));
  run->type("\x03");
  ASSERT_TRUE(run->wait_text("Ctrl-C again"));
  run->type("\x03");
  EXPECT_EQ(run->wait().exit, 130);
  world.hydra({"watch"});
  EXPECT_EQ(world.results()["state"], "cancelled");
}

TEST_F(Terminal, MergeAsks) {
  gate.open();
  ASSERT_EQ(world.race({"--agents", "good", "task"}).exit, 0);
  const auto before = world.fingerprint();
  for (const char* answer : {"\n", "n\n", "what\n"}) {
    auto merge = world.start_on_terminal({"merge"});
    ASSERT_TRUE(merge->wait_text("[y/N]"));
    merge->type(answer);
    EXPECT_EQ(merge->wait().exit, 1);
  }
  EXPECT_TRUE(world.fingerprint() == before);
  auto merge = world.start_on_terminal({"merge"});
  ASSERT_TRUE(merge->wait_text("[y/N]"));
  merge->type("y\n");
  EXPECT_EQ(merge->wait().exit, 0) << merge->out();
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\nfine\n");
}

TEST_F(Terminal, NoColourWhereItIsNotWanted) {
  gate.open();
  ASSERT_EQ(world.race({"--agents", "good", "task"}).exit, 0);
  EXPECT_THAT(world.hydra({"results"}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(world.hydra({"--color", "always", "results"}).out, HasSubstr("\x1b["));
  world.set_environment("NO_COLOR", "1");
  auto shown = world.start_on_terminal({"results"});
  EXPECT_EQ(shown->wait().exit, 0);
  EXPECT_THAT(shown->out(), Not(HasSubstr("\x1b[3")));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
