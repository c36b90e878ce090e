// The happy path: three agents of different quality, from the race to the merge.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// "right" does what the checks ask for in few lines, "wordy" in many, "wrong" does not do it.
std::string three_agents() {
  return "[scoring]\n"
         "build_command = \"test -f src/app.txt\"\n"
         "test_command = \"grep -qx done src/app.txt\"\n"
         "[race]\nagents = [\"right\", \"wordy\", \"wrong\"]\n" +
         script_agent("right", "echo done >> src/app.txt") +
         script_agent("wordy", "echo done >> src/app.txt; seq 3000 > src/notes.txt") +
         script_agent("wrong", "echo later >> src/app.txt");
}

TEST(Race, RanksThreeAgentsAndPrintsTheResult) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  const auto base = world.project(three_agents());
  const auto run = world.race({"append a line"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  for (const char* text :
       {"right: started", "wordy: completed", "wrong: captured", "baseline: tests failed", "#1", "#2", "#3"})
    EXPECT_THAT(run.out, HasSubstr(text));
  EXPECT_THAT(run.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run.out, HasSubstr("race " + race_id(run) + " created"));

  const auto results = world.results();
  EXPECT_EQ(results["schema"], 1);
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(results["base"], base);
  EXPECT_EQ(results["winner"], "right");
  EXPECT_EQ(results["all_failed"], false);
  EXPECT_EQ(results["merged"], nullptr);
  EXPECT_EQ(results["baseline"]["state"], "checked");
  EXPECT_EQ(results["baseline"]["build"]["status"], "passed");
  EXPECT_EQ(results["baseline"]["tests"]["status"], "failed");
  ASSERT_EQ(results["agents"].size(), 3u);
  EXPECT_EQ(results["agents"][0]["agent"], "right");
  EXPECT_EQ(results["agents"][1]["agent"], "wordy");
  EXPECT_EQ(results["agents"][2]["agent"], "wrong");
  double before = 100.0;
  int rank = 0;
  for (const auto& agent : results["agents"]) {
    EXPECT_EQ(agent["outcome"], "completed");
    EXPECT_EQ(agent["eligible"], true);
    EXPECT_EQ(agent["rank"], ++rank);
    EXPECT_LE(agent["composite"].get<double>(), before);
    before = agent["composite"].get<double>();
    EXPECT_EQ(agent["dimensions"]["build"]["points"], 100.0);
    EXPECT_EQ(agent["dimensions"]["lint"]["status"], "not_configured");
    EXPECT_EQ(agent["sandbox"], "bwrap");
    EXPECT_EQ(agent["leaked_processes"], 0);
    EXPECT_TRUE(agent["dimensions"]["diff_size"]["detail"]["lines_added"].is_number_integer());
  }
  EXPECT_EQ(results["agents"][0]["dimensions"]["tests"]["points"], 100.0);
  EXPECT_EQ(results["agents"][2]["dimensions"]["tests"]["points"], 0.0);
  EXPECT_LT(results["agents"][1]["dimensions"]["diff_size"]["points"],
            results["agents"][0]["dimensions"]["diff_size"]["points"]);
  EXPECT_EQ(results["agents"][0]["diff"]["lines_added"], 1);
  EXPECT_EQ(results["agents"][0]["diff"]["files_changed"], 1);
  EXPECT_EQ(results["agents"][1]["diff"]["lines_added"], 3001);
}

// Weights 30, 30, 15 and 10 without lint's: the composite is their weighted mean (spec scoring-engine).
TEST(Race, CompositeIsTheWeightedMeanOfWhatIsConfigured) {
  World world;
  world.project(three_agents());
  ASSERT_EQ(world.race({"append a line"}).exit, 0);
  for (auto all = world.results(); const auto& agent : all["agents"]) {
    const auto points = [&](const char* name) { return agent["dimensions"][name]["points"].get<double>(); };
    const double mean =
        (30 * points("build") + 30 * points("tests") + 15 * points("diff_size") + 10 * points("speed")) / 85;
    EXPECT_NEAR(agent["composite"].get<double>(), mean, 1e-9) << agent["agent"];
  }
}

TEST(Race, BranchesHoldTheResultsOnTopOfTheBase) {
  World world;
  const auto base = world.project(three_agents());
  ASSERT_EQ(world.race({"append a line"}).exit, 0);
  const auto results = world.results();
  for (const auto& agent : results["agents"]) {
    const std::string branch = agent["branch"];
    EXPECT_THAT(branch, ::testing::StartsWith("hydra/" + agent["agent"].get<std::string>() + "-"));
    EXPECT_EQ(agent["commit"], world.git({"rev-parse", branch}));
    EXPECT_EQ(world.git({"rev-parse", branch + "^"}), base);
    EXPECT_EQ(world.show(branch, "README.md"), "# A project\n");
  }
  EXPECT_EQ(world.show(agent_of(results, "right")["branch"], "src/app.txt"), "one\ntwo\nthree\ndone\n");
  EXPECT_EQ(world.show(agent_of(results, "wrong")["branch"], "src/app.txt"), "one\ntwo\nthree\nlater\n");
  EXPECT_EQ(
      world.git({"ls-tree", "--name-only", "-r", agent_of(results, "wordy")["branch"].get<std::string>()}),
      ".gitignore\nREADME.md\nhydra.toml\nsrc/app.txt\nsrc/notes.txt");
}

TEST(Race, WithoutAWinnerItExitsWithOne) {
  World world;
  world.project("[scoring]\nbuild_command = \"false\"\n" + script_agent("only", "echo x >> src/app.txt"));
  EXPECT_EQ(world.race({"--agents", "only", "task"}).exit, 1);
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "");
  EXPECT_EQ(results["state"], "done");
  EXPECT_EQ(agent_of(results, "only")["ineligible_reasons"], Json::array({"build_failed"}));
}

TEST(Race, SameAgentSeveralTimes) {
  World world;
  world.project(script_agent("twin", "echo \"$HYDRA_RUN_ID\" > src/who.txt"));
  EXPECT_EQ(world.race({"--agents", "twin:2", "task"}).exit, 0);
  const auto results = world.results();
  ASSERT_EQ(results["agents"].size(), 2u);
  const auto one = agent_of(results, "twin"), two = agent_of(results, "twin-2");
  EXPECT_NE(one["commit"], two["commit"]);
  EXPECT_NE(one["branch"], two["branch"]);
}

TEST(Race, TwoWithinOneSecondGetBranchesOfTheirOwn) {
  World world;
  world.project(script_agent("quick", "date +%N > src/when.txt"));
  EXPECT_EQ(world.race({"--agents", "quick", "task"}).exit, 0);
  EXPECT_EQ(world.race({"--agents", "quick", "task"}).exit, 0);
  EXPECT_EQ(world.git({"for-each-ref", "--format=x", "refs/heads/hydra"}), "x\nx");
}

TEST(Race, JsonIsOneObjectALine) {
  World world;
  world.project(three_agents());
  const auto run = world.race({"--json", "append a line"});
  EXPECT_EQ(run.exit, 0);
  std::istringstream lines(run.out);
  std::vector<std::string> events;
  for (std::string line; std::getline(lines, line);) {
    const auto json = Json::parse(line, nullptr, false);
    ASSERT_TRUE(json.is_object()) << line;
    events.push_back(json.value("event", ""));
  }
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front(), "race_created");
  EXPECT_EQ(events.back(), "results");
  for (const char* kind : {"agent_starting", "agent_ended", "captured", "check_ended", "published",
                           "scoring_result", "race_ended"})
    EXPECT_THAT(events, ::testing::Contains(kind));
}

TEST(Merge, BringsTheWinnerInAndLeavesTheRestAlone) {
  World world;
  world.project(three_agents());
  world.write("README.md", "# A project, being edited\n");
  world.write("scratch.txt", "mine\n");
  ASSERT_EQ(world.race({"append a line"}).exit, 0);
  const auto before = world.fingerprint();
  const auto dry = world.hydra({"merge", "--dry-run", "right"});
  EXPECT_EQ(dry.exit, 0) << dry.out << dry.err;
  EXPECT_TRUE(world.fingerprint() == before) << world.fingerprint().differs_from(before);

  const auto merged = world.hydra({"merge", "--yes"});
  EXPECT_EQ(merged.exit, 0) << merged.out << merged.err;
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\ndone\n");
  EXPECT_EQ(world.read("README.md"), "# A project, being edited\n");
  EXPECT_EQ(world.read("scratch.txt"), "mine\n");
  EXPECT_EQ(world.git({"status", "--porcelain"}), " M README.md\n?? scratch.txt");
  const auto results = world.results();
  EXPECT_TRUE(results["merged"].is_object()) << results["merged"];
  EXPECT_EQ(world.git({"merge-base", "--is-ancestor", agent_of(results, "right")["commit"], "HEAD"}), "");
  EXPECT_EQ(world.git({"symbolic-ref", "HEAD"}), "refs/heads/main");
}

TEST(Merge, WithoutAnArgumentItRefusesToGuessWithoutATerminal) {
  World world;
  world.project(three_agents());
  ASSERT_EQ(world.race({"append a line"}).exit, 0);
  const auto before = world.fingerprint();
  const auto run = world.hydra({"merge"});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("--yes"));
  EXPECT_TRUE(world.fingerprint() == before);
}

TEST(Merge, AutoMergeActsOnlyWhenAskedFor) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  world.project(three_agents() + "[merge]\nauto_merge_evidence = \"any\"\n");
  const auto run = world.hydra({"race", "--agents", "right", "--auto-merge", "append a line"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(world.results()["auto_merged"], true);
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\ndone\n");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
