// `hydra diff` in the forms that people read, through git's pager, and links to files where the terminal has
// them.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Diff : public ::testing::Test {
 protected:
  void SetUp() override {
    world.project(script_agent("a", "echo 'two words here' > src/app.txt; echo new > src/new.txt") +
                  script_agent("b", "echo 'two letters here' > src/app.txt"));
    (void)world.race({"--agents", "a,b", "t"});
  }
  std::string diff(Words args) {
    args.insert(args.begin(), "diff");
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, 0) << run.err;
    return run.out;
  }
  /// A pager that marks each line, so that a test sees that it was asked.
  std::string pager(const std::string& mark) {
    const auto file = world.root() / ("pager-" + mark);
    std::ofstream(file) << "#!/bin/sh\nsed 's/^/" << mark << ":/'\n";
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
  std::string on_terminal(Words args) {
    args.insert(args.begin(), "diff");
    const auto process = world.start_on_terminal(args);
    EXPECT_EQ(process->wait().exit, 0) << process->out();
    return process->out();
  }
  World world;
};

TEST_F(Diff, StatSaysHowMuchOfEachFile) {
  EXPECT_THAT(diff({"a", "--stat"}), AllOf(HasSubstr(" src/app.txt | "), HasSubstr(" src/new.txt | 1 +"),
                                           HasSubstr("2 files changed"), Not(HasSubstr("@@"))));
}

TEST_F(Diff, BetweenTwoResults) {
  EXPECT_THAT(diff({"a", "b"}), AllOf(HasSubstr("-two words here"), HasSubstr("+two letters here")));
  EXPECT_THAT(diff({"b", "a"}), AllOf(HasSubstr("+two words here"), HasSubstr("-two letters here")));
  EXPECT_EQ(world.hydra({"diff", "a", "nobody"}).exit, 2);
}

TEST_F(Diff, ByWords) {
  EXPECT_THAT(diff({"a", "b", "--word-diff"}), HasSubstr("two [-words-]{+letters+} here\n"));
}

TEST_F(Diff, InTwoColumns) {
  const auto text = diff({"--side-by-side", "a", "b"});
  EXPECT_THAT(text, ::testing::ContainsRegex("two words here +│ two letters here"));
}

TEST_F(Diff, OneFormAtATime) { EXPECT_EQ(world.hydra({"diff", "a", "--stat", "--word-diff"}).exit, 2); }

TEST_F(Diff, OnATerminalThroughThePagerOfGit) {
  world.git({"config", "core.pager", pager("core")});
  EXPECT_THAT(on_terminal({"a"}), HasSubstr("core:"));
  EXPECT_THAT(on_terminal({"a", "--no-pager"}), Not(HasSubstr("core:")));
  world.git({"config", "pager.diff", pager("own")});
  EXPECT_THAT(on_terminal({"a"}), AllOf(HasSubstr("own:"), Not(HasSubstr("core:"))));
  world.git({"config", "pager.diff", "false"});
  EXPECT_THAT(on_terminal({"a"}), AllOf(Not(HasSubstr("own:")), HasSubstr("src/app.txt")));
  world.git({"config", "--unset", "pager.diff"});
  world.set_environment("GIT_PAGER", pager("variable"));
  EXPECT_THAT(on_terminal({"a"}), HasSubstr("variable:"));
  world.set_environment("GIT_PAGER", "no-such-program-here --option");
  EXPECT_THAT(on_terminal({"a"}), HasSubstr("src/app.txt")) << "without one";
}

TEST_F(Diff, APagerThatLeavesEarlyIsNoFailure) {
  world.set_environment("GIT_PAGER", "true");
  EXPECT_EQ(on_terminal({"a"}).find("error"), std::string::npos);
}

TEST_F(Diff, NamesOfFilesAreLinksWhereTheTerminalHasThem) {
  const std::string link = "\x1b]8;;file://";
  EXPECT_THAT(on_terminal({"a", "--no-pager"}), Not(HasSubstr(link)));
  world.set_environment("FORCE_HYPERLINK", "1");
  EXPECT_THAT(on_terminal({"a", "--no-pager"}),
              AllOf(HasSubstr(link), HasSubstr("/work/a/src/app.txt\x1b\\")));
  EXPECT_THAT(on_terminal({"a", "--stat", "--no-pager"}), HasSubstr(link));
  EXPECT_THAT(diff({"a"}), Not(HasSubstr(link))) << "never into a file";
}

TEST(Logs, AreFollowedUntilTheAgentEnds) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project(
      "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
      script_agent("slow", "echo before\n" + gate.script() + "\necho after >> src/app.txt; echo after"));
  EXPECT_EQ(world.hydra({"race", "--agents", "slow", "--detach", "t"}).exit, 0);
  ASSERT_TRUE(gate.arrived());
  const auto logs = world.start({"logs", "slow", "-f"});
  EXPECT_TRUE(logs->wait_line("before"));
  gate.open();
  EXPECT_TRUE(logs->wait_line("after"));
  EXPECT_EQ(logs->wait().exit, 0) << logs->err();
  EXPECT_EQ(world.hydra({"watch"}).exit, 0);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
