// Suites: Harbor's task directories, suite.toml and JSON Lines; what is wrong with them; and that a run goes
// on after a SIGKILL of everything without a loss or a repetition.
#include "budgets.hpp"
#include "support/machine.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class SuiteRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    HYDRA_NEEDS(machine::Ability::sandbox);
    suite = world.root() / "suite";
  }

  void put(const fs::path& path, const std::string& text) const {
    fs::create_directories((suite / path).parent_path());
    std::ofstream(suite / path) << text;
  }
  // Solved by an answer.txt that holds its name.
  void task(const std::string& name, const std::string& test = {}, const std::string& toml = {}) const {
    put(name + "/task.toml", toml.empty() ? "[verifier]\ntimeout_sec = 60\n" : toml);
    put(name + "/instruction.md", "task " + name);
    put(name + "/environment/Dockerfile", "FROM ubuntu:24.04\nWORKDIR /app\nCOPY given.txt /app/given.txt\n");
    put(name + "/environment/given.txt", "given\n");
    put(name + "/tests/test.sh", test.empty() ? "grep -q '" + name + "' /app/answer.txt\n" : test);
    put(name + "/solution/solve.sh", "echo " + name + " > /app/answer.txt\n");
  }
  Json bench(Words more, int exit = 0) const {
    Words args{"bench", suite.string(), "--json"};
    args.insert(args.end(), more.begin(), more.end());
    HydraOptions options;
    options.deadline = std::chrono::minutes(4);
    const auto run = world.hydra(args, options);
    EXPECT_EQ(run.exit, exit) << run.out << run.err;
    const auto parsed = Json::parse(run.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << run.out << run.err;
    return parsed.is_discarded() ? Json::object() : parsed;
  }
  static Json row(const Json& result, const std::string& entry) {
    for (const auto& candidate : result["rows"])
      if (candidate["entry"] == entry) return candidate;
    ADD_FAILURE() << "no row of " << entry << ": " << result.dump();
    return Json::object();
  }
  static Json score(const Json& result, const std::string& task_name, const std::string& entry) {
    for (const auto& candidate : result["tasks"])
      if (candidate["task"] == task_name)
        for (const auto& one : candidate["results"])
          if (one["entry"] == entry) return one["score"];
    ADD_FAILURE() << "no result of " << entry << " at " << task_name;
    return nullptr;
  }
  static std::string good() { return script_agent("good", "echo \"${1#task }\" > answer.txt"); }
  static std::string bad() { return script_agent("bad", "echo wrong > answer.txt"); }

  // Not below /tmp, which every sandbox has for itself: what is hidden here is hidden on purpose.
  World world{"app", "/var/tmp"};
  fs::path suite;
};

TEST_F(SuiteRuns, AHarborSuiteRanksItsEntries) {
  world.project(bad() + good() +
                script_agent("half", "case $1 in *one) echo one > /app/answer.txt;; *) echo > x;; esac"));
  task("one");
  task("two");
  task("apart");
  put("apart/environment/Dockerfile", "FROM golang:1.22\n");
  const auto result = bench({"--agents", "bad,half,good", "--jobs", "2"});
  EXPECT_EQ(result["schema"], 1);
  EXPECT_EQ(result["suite"], "suite");
  EXPECT_EQ(result["complete"], true);
  ASSERT_EQ(result["rows"].size(), 3u);
  EXPECT_EQ(result["rows"][0]["entry"], "good");
  EXPECT_EQ(result["rows"][0]["passed"], 2);
  EXPECT_EQ(result["rows"][0]["total"], 2);
  EXPECT_EQ(result["rows"][0]["score"], 1.0);
  EXPECT_EQ(result["rows"][1]["entry"], "half");
  EXPECT_EQ(result["rows"][1]["score"], 0.5);
  EXPECT_EQ(score(result, "one", "half"), 1.0);
  EXPECT_EQ(score(result, "two", "half"), 0.0);
  EXPECT_EQ(result["rows"][2]["score"], 0.0);
  EXPECT_EQ(result["needs_image"][0]["reason"], "FROM golang:1.22");
  // The leaderboard is the same table.
  const auto board = Json::parse(world.hydra({"leaderboard", "--suite", "suite", "--json"}).out);
  EXPECT_EQ(board["tasks"], 2);
  ASSERT_EQ(board["rows"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto &leader = board["rows"][i], &bench = result["rows"][i];
    for (const auto* figure : {"entry", "rank", "best", "success_rate", "mean", "attempts", "successes"})
      EXPECT_EQ(leader[figure], bench[figure]) << figure;
    EXPECT_EQ(leader["solved"], bench["passed"]);
    EXPECT_EQ(leader["tasks"], bench["total"]);
  }
  EXPECT_EQ(board["rows"][0]["success_rate"], 1.0);
  // The run has ended: nothing is left to go on with.
  const auto again = bench({"--resume"});
  EXPECT_EQ(again["run"], result["run"]);
  EXPECT_EQ(again["rows"], result["rows"]);
}

TEST_F(SuiteRuns, NothingOfTestsOrSolutionIsReadableByAnAgent) {
  // Everything that an agent could look at, by name and by content.
  const std::string look =
      "{ ls -a /tests /solution /logs; find / -xdev \\( -name test.sh -o -name solve.sh -o -name "
      ".hydra-suite \\) "
      "-not -path '/proc/*'; env; git cat-file --batch-all-objects --batch; "
      "grep -rs SECRET-WORD /app \"" +
      world.root().string() + "\"; cat '" + (world.root() / "suite/one/tests/test.sh").string() +
      "' 2> /dev/null; } > found.txt 2>&1; echo one > answer.txt";
  world.project(script_agent("spy", look));
  task("one", "# SECRET-WORD\ngrep -q one /app/answer.txt\n");
  const auto result = bench({"--agents", "spy"});
  EXPECT_EQ(row(result, "spy")["score"], 1.0) << "it did run";
  const auto race = result["tasks"][0]["results"][0]["race"].get<std::string>();
  const auto found = slurp(world.state() / "races" / race / "work/spy/found.txt");
  EXPECT_THAT(found, HasSubstr("given")) << "it saw its own repository";
  EXPECT_THAT(found, Not(HasSubstr("SECRET-WORD")));
  EXPECT_THAT(found, Not(HasSubstr((suite / "one").string())));
  EXPECT_THAT(found, Not(HasSubstr("\n/tests/test.sh")));
  EXPECT_THAT(found, Not(HasSubstr("\n/solution/solve.sh")));
  EXPECT_THAT(found, Not(HasSubstr(".hydra-suite\n")));
}

TEST_F(SuiteRuns, OnlyATestThatEndsWithNoughtInTimeIsAPass) {
  world.project(good());
  const std::string soon = "[verifier]\ntimeout_sec = 2\n";
  task("says-pass", "echo PASS; echo '1 passed'; exit 1\n");
  task("hangs", "sleep 1000\n", soon);
  task("forks", "for i in 1 2 3; do (setsid sleep 1000 &) ; done; grep -q forks /app/answer.txt\n");
  task("reward", "mkdir -p /logs/verifier; echo 0 > /logs/verifier/reward.txt; exit 0\n");
  task("rewarded", "echo 1.0 > /logs/verifier/reward.txt; exit 0\n");
  task("report",
       "echo '{\"reward\": 0.5, \"x\": 1}' > /logs/verifier/reward.json; echo 1 > "
       "/logs/verifier/reward.txt\n");
  const auto result = bench({"--agents", "good", "--jobs", "2"});
  EXPECT_EQ(score(result, "says-pass", "good"), 0.0);
  EXPECT_EQ(score(result, "hangs", "good"), 0.0);
  EXPECT_EQ(score(result, "forks", "good"), 1.0);
  EXPECT_EQ(score(result, "reward", "good"), 0.0);
  EXPECT_EQ(score(result, "rewarded", "good"), 1.0);
  EXPECT_EQ(score(result, "report", "good"), 0.0);
  EXPECT_EQ(row(result, "good")["lost"], 0);
}

TEST_F(SuiteRuns, BrokenTasksAreNamedBeforeAnythingStarts) {
  world.project(good());
  task("whole");
  task("no-tests");
  fs::remove_all(suite / "no-tests/tests");
  put("half/instruction.md", "x");
  const auto refused = world.hydra({"bench", suite.string(), "--agents", "good"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("no-tests is broken: it has no tests/test.sh"),
                    HasSubstr("half is broken: it has no task.toml"), HasSubstr("2 tasks are broken")));
  EXPECT_EQ(row(bench({"--agents", "good", "--skip-broken"}), "good")["total"], 1);
  EXPECT_EQ(world.hydra({"bench", suite.string(), "--agents", "good", "--filter", "none"}).exit, 2);
  EXPECT_EQ(world.hydra({"bench", suite.string(), "--agents", "nobody"}).exit, 2);
  EXPECT_EQ(world.hydra({"bench", (world.root() / "gone").string(), "--agents", "good"}).exit, 2);
}

TEST_F(SuiteRuns, TwoSuitesOfOneNameAreToldApart) {
  world.project(good());
  task("one");
  bench({"--agents", "good"});
  const auto other = world.root() / "elsewhere/suite";
  fs::create_directories(other.parent_path());
  fs::copy(suite, other, fs::copy_options::recursive);
  const auto refused = world.hydra({"bench", other.string(), "--agents", "good"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_THAT(refused.err, HasSubstr("another suite has the name suite"));
  const auto named = world.hydra({"bench", other.string(), "--agents", "good", "--name", "second", "--json"});
  EXPECT_EQ(named.exit, 0) << named.err;
  // Tasks of the same name in both suites are two tasks.
  EXPECT_EQ(Json::parse(world.hydra({"leaderboard", "--minimum", "1", "--json"}).out)["tasks"], 2);
}

TEST_F(SuiteRuns, WhatTheMachineLosesIsTriedAgainAndNoFailure) {
  world.project(good() + "[agents.gone]\ncommand = [\"no-such-program-anywhere\"]\n");
  task("one");
  const auto result = bench({"--agents", "gone,good"}, 1);
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(row(result, "good")["score"], 1.0);
  EXPECT_EQ(row(result, "gone")["total"], 0);
  EXPECT_EQ(row(result, "gone")["lost"], 1);
  EXPECT_EQ(score(result, "one", "gone"), nullptr);
  EXPECT_EQ(
      Json::parse(world.hydra({"leaderboard", "--suite", "suite", "--minimum", "1", "--json"}).out)["races"],
      3)
      << "the first race and two more tries, of the lost key alone";
}

TEST_F(SuiteRuns, AttemptsCountByTheBestOfThem) {
  world.project(
      script_agent("lucky",
                   "case $PWD in *.2|*/app) ;; esac; case $(git -C . rev-parse --absolute-git-dir) in "
                   "*) echo \"${1#task }\" > answer.txt;; esac"));
  task("one");
  const auto result = bench({"--agents", "lucky", "--attempts", "2"});
  EXPECT_EQ(row(result, "lucky")["attempts"], 2);
  EXPECT_EQ(row(result, "lucky")["successes"], 2);
  EXPECT_EQ(row(result, "lucky")["passed"], 1);
  EXPECT_EQ(row(result, "lucky")["success_rate"], 1.0);
}

TEST_F(SuiteRuns, ValidationNamesBrokenTasks) {
  world.project(good());
  task("fine");
  task("already", "exit 0\n");
  task("unsolved");
  put("unsolved/solution/solve.sh", "echo wrong > /app/answer.txt\n");
  task("no-reference");
  fs::remove_all(suite / "no-reference/solution");
  const auto run = world.hydra({"bench", "validate", suite.string(), "--json"});
  EXPECT_EQ(run.exit, 1) << run.err;
  std::map<std::string, Json> tasks;
  const auto result = Json::parse(run.out);
  for (const auto& one : result["tasks"]) tasks[one["task"]] = one;
  EXPECT_EQ(tasks["fine"]["state"], "good") << tasks["fine"].dump();
  EXPECT_EQ(tasks["fine"]["reference"], 1.0);
  EXPECT_EQ(tasks["fine"]["nothing"], 0.0);
  EXPECT_THAT(tasks["already"]["reason"], HasSubstr("pass before anything is done"));
  EXPECT_THAT(tasks["unsolved"]["reason"], HasSubstr("reference solution scores 0"));
  EXPECT_EQ(tasks["no-reference"]["state"], "not_run");
  EXPECT_EQ(Json::parse(world.hydra({"leaderboard", "--json"}).out)["races"], 0)
      << "it says nothing of agents";
}

// A project whose second commit is the fix, with its test.
std::string fixed_project(World& world, const std::string& config) {
  world.project(config);
  world.write("src/add.sh", "echo $(($1 - $2))\n");
  world.write("tests/test_old.sh", "true\n");
  world.commit("subtract");
  world.write("src/add.sh", "echo $(($1 + $2)) # FIXED-WORD\n");
  world.write("tests/test_add.sh", "[ \"$(sh src/add.sh 2 3)\" = 5 ] # SECRET-WORD\n");
  return world.commit("Add instead of subtracting");
}

TEST_F(SuiteRuns, ATaskOutOfACommitOfOnesOwn) {
  const std::string look = "{ git cat-file --batch-all-objects --batch; git log --all; cat '" +
                           world.repo().string() + "/src/add.sh'; grep -rs . '" +
                           (world.root() / "suite").string() + "'; } > found.txt 2>&1; ";
  const auto fix =
      fixed_project(world, script_agent("fixer", look + "echo 'echo $(($1 + $2))' > src/add.sh") +
                               script_agent("idler", "echo x > src/x"));
  const auto made = world.hydra({"bench", "new", fix, "--suite", suite.string(), "--name", "add",
                                 "--test-command", "sh tests/test_add.sh"});
  ASSERT_EQ(made.exit, 0) << made.err;
  EXPECT_THAT(slurp(suite / "add/tests/tests/test_add.sh"), HasSubstr("SECRET-WORD"));
  EXPECT_THAT(slurp(suite / "add/solution.patch"),
              AllOf(HasSubstr("FIXED-WORD"), Not(HasSubstr("SECRET-WORD"))));
  EXPECT_EQ(world.hydra({"bench", "validate", suite.string()}).exit, 0);
  const auto result = bench({"--agents", "fixer,idler"});
  EXPECT_EQ(row(result, "fixer")["score"], 1.0);
  EXPECT_EQ(row(result, "idler")["score"], 0.0);
  const auto race = result["tasks"][0]["results"][0]["race"].get<std::string>();
  const auto found = slurp(world.state() / "races" / race / "work/fixer/found.txt");
  EXPECT_THAT(found, HasSubstr("$1 - $2")) << "it saw the base";
  EXPECT_THAT(found, Not(HasSubstr("SECRET-WORD")));
  EXPECT_THAT(found, Not(HasSubstr("FIXED-WORD")));
  EXPECT_THAT(found, Not(HasSubstr("Add instead")));
  // A name in use, a commit without a parent and one that changes no test can't be a task.
  const auto refused = [&](const Words& more) {
    Words args{"bench", "new"};
    args.insert(args.end(), more.begin(), more.end());
    args.insert(args.end(), {"--suite", suite.string(), "--test-command", "x"});
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, 2);
    return run.err;
  };
  EXPECT_THAT(refused({fix, "--name", "add"}), HasSubstr("has something of that name"));
  EXPECT_THAT(refused({world.git({"rev-list", "--max-parents=0", "HEAD"})}), HasSubstr("no parent"));
  world.write("README.md", "more\n");
  EXPECT_THAT(refused({world.commit("docs")}), HasSubstr("changes no test"));
}

TEST_F(SuiteRuns, JsonLinesOverLocalClones) {
  const auto fix = fixed_project(
      world,
      script_agent(
          "fixer",
          "git cat-file --batch-all-objects --batch > found.txt; echo 'echo $(($1 + $2))' > src/add.sh") +
          script_agent("idler", "echo x > src/x"));
  const auto base = world.git({"rev-parse", fix + "^"});
  const Json instance{{"instance_id", "app-1"},
                      {"repo", "someone/app"},
                      {"base_commit", base},
                      {"problem_statement", "add"},
                      {"patch", world.git({"diff", base, fix, "--", "src"}) + "\n"},
                      {"test_patch", world.git({"diff", base, fix, "--", "tests"}) + "\n"},
                      {"FAIL_TO_PASS", "[\"tests/test_add.sh\"]"},
                      {"PASS_TO_PASS", "[\"tests/test_old.sh\"]"}};
  suite = world.root() / "swe.jsonl";
  std::ofstream(suite) << instance.dump() << "\n";
  const Words clones{"--repositories", world.repo().parent_path().string(), "--test-command",
                     "for t in {tests}; do sh $t || exit 1; done"};
  Words args{"bench", "validate", suite.string()};
  args.insert(args.end(), clones.begin(), clones.end());
  const auto valid = world.hydra(args);
  EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
  args = clones;
  args.insert(args.end(), {"--agents", "fixer,idler"});
  const auto result = bench(args);
  EXPECT_EQ(row(result, "fixer")["score"], 1.0);
  EXPECT_EQ(row(result, "idler")["score"], 0.0);
  const auto race = result["tasks"][0]["results"][0]["race"].get<std::string>();
  const auto found = slurp(world.state() / "races" / race / "work/fixer/found.txt");
  EXPECT_THAT(found,
              AllOf(HasSubstr("$1 - $2"), Not(HasSubstr("SECRET-WORD")), Not(HasSubstr("FIXED-WORD"))));
}

// spec term-challenge-scoring, "Benchmark Score": 8 of 10 tasks are 0.80.
TEST_F(SuiteRuns, TheWorkedExampleOfTheSpecification) {
  const std::string eight = "case $1 in *t8|*t9) echo > x;; *) echo \"${1#task }\" > answer.txt;; esac";
  world.project(script_agent("second", eight) + script_agent("first", eight) + bad());
  for (int i = 0; i < 10; ++i) task("t" + std::to_string(i));
  const auto result = bench({"--agents", "bad,first,second", "--jobs", "2"});
  EXPECT_EQ(row(result, "first")["score"], 0.8);
  EXPECT_EQ(row(result, "first")["submitted"], 2);
  EXPECT_EQ(row(result, "second")["passed"], 8);
  EXPECT_EQ(result["rows"][2]["entry"], "bad");
  EXPECT_EQ(result["rows"][2]["score"], 0.0);
}

// The program's file stays the same through the upgrade, as that of a wrapper does.
TEST_F(SuiteRuns, VersionsAreAskedForWhenARunBegins) {
  const auto version = world.outside() / "version";
  fs::create_directories(world.outside());
  world.project(good() + "probe.command = [\"sh\", \"-c\", 'cat " + version.string() +
                "']\nprobe.regex = '(.+)'\n" + bad());
  task("one");
  std::ofstream(version) << "1.0.0\n";
  const auto first = bench({"--agents", "good,bad", "--label", "prompt=v1"});
  EXPECT_EQ(first["versions"], Json({{"good", "1.0.0"}}));
  EXPECT_EQ(first["labels"], Json({{"prompt", "v1"}}));
  std::ofstream(version) << "1.1.0\n";
  bench({"--agents", "good", "--label", "prompt=v2"});
  const auto board = [&](Words more) {
    more.insert(more.begin(), {"leaderboard", "--suite", "suite", "--json"});
    std::map<std::string, std::int64_t> attempts;
    const auto told = Json::parse(world.hydra(more).out);
    for (const auto& leader : told["rows"]) attempts[leader["entry"]] = leader["attempts"];
    return attempts;
  };
  using Attempts = std::map<std::string, std::int64_t>;
  EXPECT_EQ(board({"--entry", "good", "--by", "version"}), (Attempts{{"good 1.0.0", 1}, {"good 1.1.0", 1}}));
  EXPECT_EQ(board({"--entry", "good", "--by", "label:prompt"}), (Attempts{{"v1", 1}, {"v2", 1}}));
  EXPECT_EQ(board({"--entry", "bad"}), (Attempts{{"bad", 1}}));
  EXPECT_EQ(world.hydra({"bench", suite.string(), "--agents", "good", "--label", "suite-run=x"}).exit, 2);
  std::ofstream(version) << "1.2.0\n";
  EXPECT_THAT(world.hydra({"bench", suite.string(), "--resume"}).err,
              HasSubstr("good is 1.2.0, and the run began with 1.1.0"));
}

TEST_F(SuiteRuns, OtherTestsAreAnotherTask) {
  world.project(good());
  task("one");
  task("two");
  bench({"--agents", "good"});
  put("two/tests/test.sh", "false\n");
  const auto resumed = world.hydra({"bench", suite.string(), "--resume"});
  EXPECT_EQ(resumed.exit, 2);
  EXPECT_THAT(resumed.err, HasSubstr("tests or commands changed since the run began: two\n"));
  const auto again = bench({"--agents", "good"});
  EXPECT_EQ(score(again, "two", "good"), 0.0);
  const auto board = Json::parse(world.hydra({"leaderboard", "--suite", "suite", "--json"}).out);
  EXPECT_EQ(board["tasks"], 3);
  EXPECT_EQ(board["rows"][0]["solved"], 2);
}

TEST_F(SuiteRuns, APipelineAsksForAPassRate) {
  world.project(good() + script_agent("half", "case $1 in *one) echo one > answer.txt;; *) echo > x;; esac"));
  task("one");
  task("two");
  fs::create_directories(world.outside());
  const auto run = [&](const std::string& agent) {
    HydraOptions options;
    options.deadline = std::chrono::minutes(4);
    return world.hydra({"ci", "--junit", (world.outside() / "j.xml").string(), "--summary",
                        (world.outside() / "s.md").string(), "bench", suite.string(), "--agents", agent,
                        "--min-pass-rate", "0.8"},
                       options);
  };
  const auto poor = run("half");
  EXPECT_EQ(poor.exit, 1) << poor.err;
  EXPECT_THAT(poor.err, HasSubstr("half solved 1 of 2 tasks, less than 0.8"));
  const auto junit = slurp(world.outside() / "j.xml");
  EXPECT_THAT(junit, AllOf(HasSubstr("failures=\"0\""), HasSubstr("failures=\"1\"")));
  EXPECT_THAT(slurp(world.outside() / "s.md"), HasSubstr("1/2"));
  EXPECT_EQ(run("good").exit, 0);
  EXPECT_EQ(world.hydra({"bench", suite.string(), "--agents", "good", "--min-pass-rate", "80"}).exit, 2);
}

TEST_F(SuiteRuns, ACleanTakesTheRunWithItsRaces) {
  world.project(good());
  task("one");
  const auto run = world.state() / "suites" / bench({"--agents", "good"})["run"].get<std::string>();
  const auto items = Json::parse(world.hydra({"clean", "--json"}).out)["items"];
  const auto row_of_run =
      std::find_if(items.begin(), items.end(), [](const auto& item) { return item["kind"] == "suite"; });
  ASSERT_NE(row_of_run, items.end());
  EXPECT_EQ((*row_of_run)["kept"], "its races are kept");
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_TRUE(fs::exists(run)) << "its workspaces can still be made again";
  EXPECT_THAT(world.hydra({"clean", "--keep", "0"}).out, HasSubstr("repositories of a suite's run"));
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  EXPECT_FALSE(fs::exists(run));
}

TEST_F(SuiteRuns, TheBudgetIsOneOfTheWholeRun) {
  world.project(speaker("spender", "session s; use 10 10 0.40; echo \"${1#task }\" > answer.txt; done_"));
  for (const char* name : {"t1", "t2", "t3", "t4"}) task(name);
  const auto first = bench({"--agents", "spender", "--budget-usd", "1"}, 1);
  EXPECT_EQ(first["over_budget"], true);
  EXPECT_GE(row(first, "spender")["not_run"], 1);
  EXPECT_GE(row(first, "spender")["passed"], 2);
  EXPECT_EQ(row(first, "spender")["passed"], row(first, "spender")["total"]) << "no money is no failure";
  EXPECT_GE(first["cost_usd"], 1.0);
  EXPECT_LT(first["cost_usd"], 1.5);
  const auto second = bench({"--resume", "--budget-usd", "5"});
  EXPECT_EQ(row(second, "spender")["passed"], 4);
  EXPECT_EQ(second["repeated"], 0);
}

// Each agent writes a line where it runs: what ran twice stands there twice.
TEST_F(SuiteRuns, AfterASigkillOfEverythingNothingIsLostAndNothingRunsTwice) {
  const auto log = (world.outside() / "runs").string();
  const auto counted = [&](const std::string& name) {
    return script_agent(name, "echo \"" + name + " $1\" >> '" + log + "'; echo \"${1#task }\" > answer.txt");
  };
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" + counted("a") + counted("b"));
  constexpr int kTasks = 6;
  for (int i = 0; i < kTasks; ++i) task("t" + std::to_string(i));
  Words args{"bench", suite.string(), "--agents", "a,b", "--jobs", "2"};
  ASSERT_EQ(world.hydra({"daemon", "start"}).exit, 0);  // so that there is one to kill at once
  int kills = 0;
  for (bool more = true; more && kills < 20; args = {"bench", suite.string(), "--resume", "--jobs", "2"}) {
    auto run = world.start(args);
    ASSERT_TRUE(run->wait_line("Suite suite")) << run->err();
    // The daemon alone, in the middle of the first races; then all of it, where a task has just ended.
    if (kills == 0) world.kill_daemon();
    more = run->wait_line("/" + std::to_string(kTasks) + "] t");
    if (!more) break;
    run->signal(9);
    world.kill_daemon();
    const int ended = run->wait().exit;
    if (ended == 0) break;  // that was the last task's line, and it was over before the signal came
    EXPECT_EQ(ended, 128 + 9);
    ++kills;
  }
  EXPECT_GE(kills, 2);
  const auto result = bench({"--resume"});
  EXPECT_EQ(result["complete"], true) << result.dump();
  EXPECT_EQ(result["repeated"], 0);
  for (const char* entry : {"a", "b"}) {
    EXPECT_EQ(row(result, entry)["passed"], kTasks);
    EXPECT_EQ(row(result, entry)["lost"], 0);
  }
  std::map<std::string, int> runs;
  std::istringstream lines(slurp(log));
  for (std::string line; std::getline(lines, line);) ++runs[line];
  EXPECT_EQ(runs.size(), 2u * kTasks);
  for (const auto& [key, times] : runs) EXPECT_EQ(times, 1) << key;
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
