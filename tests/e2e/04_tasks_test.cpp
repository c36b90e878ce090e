// The task is any text: it reaches the agent byte for byte and is never read by a shell.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

class Tasks : public ::testing::Test {
 protected:
  void SetUp() override {
    world.project(script_agent("echo", "printf %s \"$1\" > src/task.txt") +
                  "[agents.file]\ncommand = [\"sh\", \"-c\", \"cat \\\"$1\\\" > src/task.txt\", \"agent\", "
                  "\"{prompt_file}\"]\n" +
                  "[agents.stdin]\nprompt = \"stdin\"\ncommand = [\"sh\", \"-c\", \"cat > src/task.txt\"]\n");
  }
  void expect_arrives(const std::string& task, const Json& results) const {
    EXPECT_EQ(results["task"], task);
    for (const auto& agent : results["agents"])
      EXPECT_EQ(world.show(agent["branch"], "src/task.txt"), task) << agent["agent"];
  }
  World world;
};

TEST_F(Tasks, ArriveByteForByteAsAnArgument) {
  for (const std::string& task :
       {std::string("quotes ' \" ` and \\ backslash"), std::string("two\nlines\n\nand a tab\t"),
        std::string("$(touch /tmp/owned) `id` ${HOME} $HOME && exit 1; | > x"),
        std::string("umlaut ä, emoji \xF0\x9F\x90\x8D, \xE2\x80\xAE"),
        std::string("{prompt} {model} {{worktree}} %s %n"), std::string("  spaces around  ")}) {
    const auto run = world.race({"--agents", "echo,file,stdin", task});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    expect_arrives(task, world.results());
  }
}

TEST_F(Tasks, BeginWithADash) {
  const auto run = world.race({"--agents", "echo,file,stdin", "--", "--help me with -rf"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  expect_arrives("--help me with -rf", world.results());
}

// Longer than one argument may be (128 KiB): an agent that takes it as an argument can't start, and says why.
TEST_F(Tasks, OfTwoHundredKilobytesFromAFile) {
  std::string task;
  while (task.size() < 200u * 1000) task += "line " + std::to_string(task.size()) + " of a long task\n";
  std::ofstream(world.root() / "task.md") << task;
  const auto run =
      world.race({"--agents", "file,stdin,echo", "--task-file", (world.root() / "task.md").string()});
  EXPECT_EQ(run.exit, 0) << run.out.substr(0, 2000) << run.err;
  const auto results = world.results();
  for (const char* name : {"file", "stdin"}) {
    const auto agent = agent_of(results, name);
    EXPECT_EQ(agent["outcome"], "completed");
    EXPECT_TRUE(world.show(agent["branch"], "src/task.txt") == task) << name;
  }
  const auto echo = agent_of(results, "echo");
  EXPECT_EQ(echo["outcome"], "launch_error");
  EXPECT_THAT(echo["message"], HasSubstr("too long"));
}

TEST_F(Tasks, OfTwoHundredKilobytesFromStandardInput) {
  const std::string task = "begin " + std::string(200u * 1000, 'x') + " end";
  const auto run = world.race({"--agents", "stdin", "--task-file", "-"},
                              {.input = task, .directory = {}, .environment = {}});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(world.show(agent_of(world.results(), "stdin")["branch"], "src/task.txt") == task);
}

TEST_F(Tasks, ThatAreEmptyAreRefused) {
  std::ofstream(world.root() / "empty.md") << "\n \t\n";
  for (const Words& args :
       {Words{"race", "--agents", "echo", ""}, Words{"race", "--agents", "echo", " \n "},
        Words{"race", "--agents", "echo"},
        Words{"race", "--agents", "echo", "--task-file", (world.root() / "empty.md").string()},
        Words{"race", "--agents", "echo", "--task-file", "-"},
        Words{"race", "--agents", "echo", "--task-file", "/no/such/file"},
        Words{"race", "--agents", "echo", "--task-file", (world.root() / "empty.md").string(), "both"}}) {
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, 2) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr("error: "));
  }
  EXPECT_EQ(world.git({"for-each-ref", "refs/heads/hydra"}), "");
}

TEST_F(Tasks, ThatAreNotTextAreRefused) {
  std::ofstream(world.root() / "bytes") << "\xff\xfe task";
  EXPECT_EQ(world.hydra({"race", "--agents", "echo", "--task-file", (world.root() / "bytes").string()}).exit,
            2);
  std::ofstream(world.root() / "nul", std::ios::binary) << std::string("a\0b", 3);
  EXPECT_EQ(world.hydra({"race", "--agents", "echo", "--task-file", (world.root() / "nul").string()}).exit,
            2);
}

TEST_F(Tasks, ForgottenQuotesAreExplained) {
  const auto run = world.hydra({"race", "--agents", "echo", "fix", "the", "bug"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("quotes"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
