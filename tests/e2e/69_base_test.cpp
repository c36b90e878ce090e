// Bases that can judge no result: races stop before an agent costs anything, and no result wins.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTwo =
    script_agent("a", "echo fine >> src/app.txt") + script_agent("b", "echo finer >> src/app.txt");

class Base : public ::testing::Test {
 protected:
  Base() { world.stop_at_a_bad_base(); }
  /// Returns whether any agent has begun.
  [[nodiscard]] bool agents_began(const Json& results) const {
    for (const auto* name : {"a", "b"})
      if (fs::exists(world.attempt(results["race"], name, "agent"))) return true;
    return false;
  }
  World world;
};

struct BadBase {
  const char* name;
  std::string scoring;  ///< below [scoring]
  const char* problem;
  const char* says;  ///< part of what the race prints
};

class BadBases : public Base, public ::testing::WithParamInterface<BadBase> {};

TEST_P(BadBases, StopTheRaceBeforeAnAgentBegins) {
  const auto& row = GetParam();
  world.project("[scoring]\n" + row.scoring + kTwo);
  const auto run = world.race({"--agents", "a,b", "task"});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["state"], "failed");
  EXPECT_EQ(results["baseline"]["problem"], row.problem);
  EXPECT_FALSE(agents_began(results));
  EXPECT_THAT(run.out, AllOf(HasSubstr(row.says), HasSubstr("--base-fails")));
  // `hydra check` says the same, and a race after it does not run the base again.
  const auto check = world.hydra({"check"});
  EXPECT_EQ(check.exit, 1);
  EXPECT_THAT(check.out, AllOf(HasSubstr("No result could be judged"), HasSubstr(row.says)));
  EXPECT_EQ(world.race({"--agents", "a,b", "task"}).exit, 1);
  EXPECT_EQ(world.results()["baseline"]["cached"], true);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BadBases,
    ::testing::Values(
        BadBase{"AVariableIsMissing",
                "test_command = \"python3 -c 'import os; os.environ[\\\"DATABASE_URL\\\"]'\"\n",
                "no_test_passes", "KeyError: 'DATABASE_URL'"},
        BadBase{"NoTestPasses",
                "test_command = \"printf '1..2\\\\nnot ok 1 - one\\\\nnot ok 2 - two\\\\n'; exit 1\"\n",
                "no_test_passes", "not ok 2 - two"},
        BadBase{"TheScriptIsNotExecutable", "test_command = \"./README.md\"\n", "command_not_found",
                "can't be run here"},
        BadBase{"NothingToDo", "test_command = \"echo 'make: Nothing to be done for test.'\"\n", "no_tests",
                "ended with exit code 0: name the tests, or a command"},
        BadBase{"TooLate", "test_command = \"sleep 1.5\"\ntimeout_per_check_seconds = 1\n", "timed_out",
                "timeout_per_check_seconds = 60"},
        BadBase{"TheBuildFails", "build_command = \"exit 3\"\ntest_command = \"true\"\n", "build_fails",
                "`exit 3` (exit code 3)"}),
    [](const auto& row) { return row.param.name; });

// A long suite: agents begin while the base's tests still run.
class LongBase : public Base {
 protected:
  LongBase() : tests(world.outside() / "tests"), agent(world.outside() / "agent") {}
  /// The base's tests and agent "a" wait at their gates, then the tests end with `end`.
  void start(const std::string& end) {
    const auto out = world.outside().string();
    world.project("[sandbox]\nwrite = [\"" + out + "\"]\nread = [\"" + out +
                  "\"]\n[scoring]\nbuild_command = \"true\"\ntest_command = \"\"\"" + tests.script() + "; " +
                  end + "\"\"\"\n" + script_agent("a", "echo fine >> src/app.txt; " + agent.script()));
    run = world.start({"race", "--agents", "a", "task"});
    ASSERT_TRUE(tests.arrived()) << run->out() << run->err();
    ASSERT_TRUE(agent.arrived()) << run->out() << run->err();
  }
  Gate tests, agent;
  std::unique_ptr<Process> run;
};

TEST_F(LongBase, LetsAgentsBeginOnceItsChecksHaveBegunToWork) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  start("true");
  tests.open(8);
  agent.open();
  const auto ended = run->wait();
  EXPECT_EQ(ended.exit, 0) << ended.out << ended.err;
  EXPECT_EQ(world.results()["winner"], "a");
}

TEST_F(LongBase, ThatJudgesNothingAfterAllStopsThem) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  start("no-such-runner");
  tests.open(8);
  const auto ended = run->wait();
  EXPECT_EQ(ended.exit, 1) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("no-such-runner"));
  const auto results = world.results();
  EXPECT_EQ(results["state"], "failed");
  EXPECT_EQ(results["winner"], "");
  EXPECT_THAT(world.show(agent_of(results, "a")["branch"], "src/app.txt"), HasSubstr("fine"))
      << "the work so far is kept";
}

struct Outside {
  const char* name;
  const char* command;
  const char* advice;
};

class FoundOutside : public Base, public ::testing::WithParamInterface<Outside> {};

// The user's shell has it, and the sandbox hides it: the advice is the line that shows it.
TEST_P(FoundOutside, TheLineThatShowsItIsTold) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  fs::create_directories(world.home() / "data");
  fs::create_directories(world.home() / ".local/bin");
  std::ofstream(world.home() / "data/table.csv") << "1\n";
  std::ofstream(world.home() / ".local/bin/mytool") << "#!/bin/sh\n";
  fs::permissions(world.home() / ".local/bin/mytool", fs::perms::owner_all);
  world.set_environment("DATABASE_URL", "sqlite:x");
  world.project("[scoring]\ntest_command = '''" + std::string(GetParam().command) + "'''\n" + kTwo);
  const auto run = world.race({"--agents", "a,b", "task"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.out, HasSubstr(GetParam().advice)) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, FoundOutside,
    ::testing::Values(Outside{"AVariable", "echo \"KeyError: 'DATABASE_URL'\"; exit 1",
                              "[workspace] env = [\"DATABASE_URL\"]"},
                      Outside{"AFile", "cat ~/data/table.csv", "[workspace] read = [\"~/data/table.csv\"]"},
                      Outside{"AProgram", "mytool --check", "export PATH=\"$HOME/.local/bin:$PATH\""}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(Base, ARaceOfItsUserGoesOn) {
  world.project("[scoring]\ntest_command = \"grep -q fine src/app.txt\"\n" + kTwo);
  EXPECT_EQ(world.race({"--agents", "a,b", "task"}).exit, 1);
  const auto run = world.race({"--base-fails", "--agents", "a,b", "task"});
  EXPECT_EQ(run.exit, 0) << run.out;
}

TEST_F(Base, ATerminalIsAsked) {
  world.project("[scoring]\ntest_command = \"echo the database is missing; grep -q fine src/app.txt\"\n" +
                kTwo);
  auto refused = world.start_on_terminal({"race", "--plain", "--agents", "a,b", "task"});
  ASSERT_TRUE(refused->wait_text("Race anyway? [y/N]"));
  EXPECT_THAT(refused->out(), HasSubstr("the database is missing"));
  refused->type("n\n");
  EXPECT_EQ(refused->wait().exit, 1);
  auto wanted = world.start_on_terminal({"race", "--plain", "--agents", "a,b", "task"});
  ASSERT_TRUE(wanted->wait_text("Race anyway? [y/N]"));
  wanted->type("y\n");
  EXPECT_EQ(wanted->wait().exit, 0);
  EXPECT_EQ(world.results()["state"], "done");
}

TEST_F(Base, NobodyWinsWhereNoTestPassed) {
  world.project("[scoring]\ntest_command = \"exit 1\"\n" + kTwo);
  const auto run = world.race({"--base-fails", "--agents", "a,b", "task"});
  EXPECT_EQ(run.exit, 1) << run.out;
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "");
  EXPECT_THAT(agent_of(results, "a")["ineligible_reasons"], Contains("not_judged"));
  EXPECT_THAT(run.out, AllOf(HasSubstr("no test passed anywhere, nor in the base: nothing was judged"),
                             AnyOf(HasSubstr("a, b: tests ended with exit code 1"),
                                   HasSubstr("b, a: tests ended with exit code 1")),
                             Not(HasSubstr("Winner"))));
}

TEST_F(Base, ATimeOutOfResultsIsNamed) {
  world.project("[scoring]\ntest_command = \"sleep 1000\"\ntimeout_per_check_seconds = 1\n" + kTwo);
  const auto run = world.race({"--base-fails", "--agents", "a,b", "task"});
  EXPECT_THAT(run.out, AnyOf(HasSubstr("a, b: tests timed out after 1 s"),
                             HasSubstr("b, a: tests timed out after 1 s")));
}

// The change of a submodule's files is part of no result.
TEST_F(Base, AResultInsideASubmoduleIsNotEligible) {
  const auto library = world.outside() / "library";
  fs::create_directories(library);
  for (const auto& words : {Words{"init", "-q"}, Words{"commit", "-q", "--allow-empty", "-m", "first"}})
    ASSERT_EQ(world.try_git(words, library).exit, 0);
  world.project("[scoring]\ntest_command = \"true\"\n" + script_agent("a", "echo fine > libs/x/new.txt") +
                script_agent("b", "echo fine >> src/app.txt; sleep 0.3"));
  world.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.string(), "libs/x"});
  world.commit("with a submodule");
  world.race({"--agents", "a,b", "task"});
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "b");
  EXPECT_THAT(agent_of(results, "a")["ineligible_reasons"], Contains("no_changes"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
