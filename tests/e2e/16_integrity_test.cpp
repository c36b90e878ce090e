// A score that the code which is scored can't bend: the base's tests, hidden tests, unstable ones, and what
// explain, rescore and verify say afterwards. Real processes, tests with names through a JUnit report.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Every tests/test_*.sh is one test of its name; exit code 77 is a skip.
constexpr const char* kRunner = R"(xml="$HYDRA_REPORTS/junit.xml"; n=0; bad=0; skip=0; cases=
for t in tests/test_*.sh; do
  n=$((n+1)); name=$(basename $t .sh)
  sh $t; code=$?
  case $code in
    0) cases="$cases<testcase classname=\"tests.$name\" name=\"$name\"/>";;
    77) skip=$((skip+1)); cases="$cases<testcase classname=\"tests.$name\" name=\"$name\"><skipped/></testcase>";;
    *) bad=$((bad+1)); cases="$cases<testcase classname=\"tests.$name\" name=\"$name\"><failure message=\"no\"/></testcase>";;
  esac
done
echo "<testsuites><testsuite name=\"s\" tests=\"$n\" failures=\"$bad\" errors=\"0\" skipped=\"$skip\">$cases</testsuite></testsuites>" > $xml
test $bad = 0
)";

class IntegrityOfScores : public ::testing::Test {
 protected:
  // A base with two tests that pass and one that fails until src/app.txt says "fine".
  void make(const std::string& agents, const std::string& more = {}) {
    world.init();
    world.write("run.sh", kRunner);
    world.write("tests/test_one.sh", "grep -q one src/app.txt\n");
    world.write("tests/test_two.sh", "grep -q two src/app.txt\n");
    world.write("tests/test_fine.sh", "grep -q fine src/app.txt\n");
    world.project("[scoring]\ntest_command = \"sh run.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n" +
                  more + agents);
  }
  Json race(const Words& args) {
    Words all(args);
    all.emplace_back("task");
    const auto ran = world.race(all);
    text = ran.out + ran.err;
    results = world.results();
    return results;
  }
  [[nodiscard]] Json agent(const std::string& name) const { return agent_of(results, name); }
  [[nodiscard]] static Json tests_of(const Json& agent) { return agent["dimensions"]["tests"]; }
  [[nodiscard]] static std::string names(const Json& agent, const char* key) {
    return agent["tests_by_name"].is_object() ? agent["tests_by_name"][key].dump() : "not by name";
  }

  World world;
  Json results;
  std::string text;
};

TEST_F(IntegrityOfScores, WhoWeakensTestsGainsNothing) {
  make(script_agent("honest", "echo fine >> src/app.txt") +
       script_agent("deletes", "rm tests/test_fine.sh; echo x >> src/app.txt") +
       script_agent("skips", "echo 'exit 77' > tests/test_fine.sh; echo x >> src/app.txt") +
       script_agent("passes", "echo 'exit 0' > tests/test_fine.sh; echo x >> src/app.txt") +
       script_agent("runner", "echo true > run.sh; echo x >> src/app.txt"));
  race({"--agents", "honest,deletes,skips,passes,runner"});
  EXPECT_EQ(results["winner"], "honest") << results.dump(1);
  const auto honest = agent("honest");
  EXPECT_EQ(tests_of(honest)["points"], 100.0);
  EXPECT_EQ(names(honest, "fixed"), R"(["tests.test_fine.test_fine"])") << honest["tests_by_name"].dump();
  for (const char* cheat : {"deletes", "skips", "passes", "runner"}) {
    const auto row = agent(cheat);
    EXPECT_LT(tests_of(row)["points"].get<double>(), 100.0) << cheat;
    EXPECT_EQ(names(row, "removed"), "[]") << cheat << ": the base's test was run";
    EXPECT_EQ(names(row, "fixed"), "[]") << cheat;
    EXPECT_THAT(row["integrity"]["restored"].dump(),
                HasSubstr(cheat == std::string("runner") ? "run.sh" : "tests/test_fine.sh"));
  }
}

// Run as it is, so that what it breaks is seen; and never a winner, for what it may say could not be undone.
TEST_F(IntegrityOfScores, AManifestThatCannotBeReadIsNeitherMendedNorBelieved) {
  world.init();
  world.write("package.json", "{\"scripts\": {\"test\": \"sh run.sh\"}}\n");
  world.project("[scoring]\ntest_command = \"cat package.json\"\n" +
                script_agent("bad", "echo broken > package.json; echo x >> src/app.txt"));
  race({"--agents", "bad"});
  const auto bad = agent("bad");
  EXPECT_EQ(slurp(world.attempt(results["race"], "bad", "tests") / "stdout.log"), "broken\n");
  EXPECT_EQ(bad["eligible"], false);
  EXPECT_THAT(bad["ineligible_reasons"], Contains("tampered"));
  EXPECT_THAT(bad["integrity"]["findings"].dump(), HasSubstr("package.json"));
  const std::string name = results["race"].get<std::string>() + "/bad";
  const auto refused = world.hydra({"merge", name});
  EXPECT_EQ(refused.exit, 1) << "nobody has said that it may";
  EXPECT_THAT(refused.err, AllOf(HasSubstr("tampered"), HasSubstr("package.json")));
  EXPECT_EQ(world.hydra({"merge", name, "--allow", "tampered"}).exit, 0);
}

// The price: nothing protected changed, nothing broken, no run but the first.
TEST_F(IntegrityOfScores, AnHonestResultIsRunOnce) {
  make(script_agent("honest", "echo fine >> src/app.txt"));
  race({"--agents", "honest"});
  const auto& id = results["race"];
  EXPECT_TRUE(fs::exists(world.attempt(id, "honest", "tests")));
  EXPECT_FALSE(fs::exists(world.attempt(id, "honest", "tests", 3)));
  EXPECT_FALSE(fs::exists(world.attempt(id, "honest@own", "tests")));
  EXPECT_EQ(results["baseline"]["test_runs"], 2);
}

TEST_F(IntegrityOfScores, NewTestsOfTheAgentCount) {
  for (const std::string verify : {"standard", "fast"}) {
    World own;
    own.init();
    own.write("run.sh", kRunner);
    own.write("tests/test_one.sh", "grep -q one src/app.txt\n");
    own.project("[scoring]\ntest_command = \"sh run.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n" +
                script_agent("adds",
                             "echo 'grep -q more src/app.txt' > tests/test_more.sh; echo more >> "
                             "src/app.txt"));
    own.race({"--agents", "adds", "--verify", verify, "task"});
    const auto all = own.results();
    const auto row = agent_of(all, "adds");
    EXPECT_EQ(row["eligible"], true) << row.dump(1);
    EXPECT_EQ(row["tests_by_name"]["added"].size(), verify == "standard" ? 1u : 0u) << row.dump(1);
    EXPECT_EQ(fs::exists(own.attempt(all["race"], "adds@own", "tests")), verify == "standard");
    EXPECT_EQ(all["verify"], verify);
  }
}

TEST_F(IntegrityOfScores, HiddenTestsAreSeenByChecksOnly) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const auto source = world.outside() / "hidden";
  fs::create_directories(source / "tests");
  std::ofstream(source / "tests/test_concealed.sh") << "grep -q general src/app.txt\n";
  const auto look = "ls tests > src/seen.txt; ls -R '" + world.outside().string() +
                    "' >> src/seen.txt 2>&1; "
                    "find / -name 'test_concealed*' 2>/dev/null >> src/seen.txt; echo fine >> src/app.txt; ";
  make("[sandbox]\nread = [\"" + world.outside().string() + "\"]\n" + script_agent("special", look) +
       script_agent("general", look + "echo general >> src/app.txt"));
  race({"--agents", "special,general", "--hidden-tests", source.string()});
  EXPECT_EQ(results["winner"], "general") << results.dump(1);
  EXPECT_EQ(results["hidden_tests"], 1);
  for (const char* name : {"special", "general"}) {
    const std::string branch = agent(name)["branch"];
    EXPECT_THAT(world.show(branch, "src/seen.txt"), Not(HasSubstr("concealed"))) << name;
    EXPECT_THAT(world.git({"ls-tree", "-r", "--name-only", branch}), Not(HasSubstr("concealed"))) << name;
    EXPECT_THAT(slurp(world.attempt(results["race"], name, "agent") / "stdout.log"),
                Not(HasSubstr("concealed")));
  }
  EXPECT_THAT(names(agent("general"), "fixed"), HasSubstr("test_concealed"));
  EXPECT_THAT(names(agent("general"), "hidden"), HasSubstr("test_concealed"));
}

TEST_F(IntegrityOfScores, HiddenTestsThatAgentsCouldReadAreRefused) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  make(script_agent("a", "echo fine >> src/app.txt"));
  const auto link = world.outside() / "links";
  fs::create_directories(link);
  fs::create_symlink("/etc/hostname", link / "test_link.sh");
  const auto refused = [&](const Words& more, const std::string& why) {
    Words args{"race", "--agents", "a"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    const auto ran = world.hydra(args);
    EXPECT_NE(ran.exit, 0) << why;
    EXPECT_THAT(ran.out + ran.err, HasSubstr(why));
  };
  refused({"--hidden-tests", link.string()}, "only plain files");
  refused({"--hidden-tests", (world.repo() / "tests").string()}, "the base holds them");
  refused({"--hidden-tests", (world.outside() / "nothing").string()}, "no such directory");
  fs::create_directories(world.outside() / "good");
  std::ofstream(world.outside() / "good/test_x.sh") << "true\n";
  refused({"--hidden-tests", (world.outside() / "good").string(), "--sandbox", "off"}, "need a sandbox");
}

TEST_F(IntegrityOfScores, UnstableTestsOfTheBaseAreNoRegressions) {
  // Passes in the first run of a workspace only; the agent leaves the mark behind, so that it fails there at
  // once.
  world.init();
  world.write("run.sh", kRunner);
  world.write("tests/test_one.sh", "grep -q one src/app.txt\n");
  world.write("tests/test_shaky.sh", "if [ -e .ran ]; then exit 1; fi; touch .ran\n");
  world.project("[scoring]\ntest_command = \"sh run.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n" +
                script_agent("a", "echo x >> src/app.txt; touch .ran"));
  race({"--agents", "a"});
  EXPECT_THAT(results["baseline"]["unstable"].dump(), HasSubstr("test_shaky")) << results.dump(1);
  const auto row = agent("a");
  EXPECT_EQ(tests_of(row)["detail"]["regressions"], 0) << row.dump(1);
  EXPECT_THAT(names(row, "unstable"), HasSubstr("test_shaky"));
  EXPECT_EQ(names(row, "broken"), "[]");
}

TEST_F(IntegrityOfScores, ExplainNamesFormulaCommandAndWhatWasRestored) {
  make(script_agent("cheat", "echo 'exit 0' > tests/test_fine.sh; echo x >> src/app.txt"));
  race({"--agents", "cheat"});
  const auto shown = world.hydra({"explain", "cheat"});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  for (const char* part :
       {"pass_rate", "sh run.sh", "exit code 1", "tests/test_fine.sh", "tamper report", "regressions"})
    EXPECT_THAT(shown.out, HasSubstr(part));
  const auto json = Json::parse(world.hydra({"explain", "cheat", "--json"}).out);
  EXPECT_EQ(json["agent"], "cheat");
  EXPECT_NE(json["commit"], json["checked_commit"]) << "the checks ran on a tree of their own";
  double sum = 0;
  for (const auto& dimension : json["dimensions"]) {
    sum += dimension["contribution"].get<double>();
    const auto name = dimension["dimension"].get<std::string>();
    EXPECT_EQ(dimension["runs"].empty(), name != "tests") << name << ": only the tests were run";
  }
  EXPECT_NEAR(sum, json["composite"].get<double>(), 1e-9);
}

TEST_F(IntegrityOfScores, RescoreIsTheSameBitByBitAndTakesOtherWeights) {
  make(script_agent("small", "echo fine >> src/app.txt") + script_agent("none", "seq 2000 > src/more.txt"));
  race({"--agents", "small,none"});
  const auto same = Json::parse(world.hydra({"rescore", "--json"}).out);
  EXPECT_EQ(same["rescored"]["identical"], true);
  const auto other =
      Json::parse(world.hydra({"rescore", "--json", "--weights", "tests=0,speed=0,build=0"}).out);
  EXPECT_EQ(other["rescored"]["identical"], false);
  const auto diff = agent_of(other, "none")["dimensions"]["diff_size"]["points"].get<double>();
  EXPECT_NEAR(agent_of(other, "none")["composite"].get<double>(), diff, 1e-9) << "nothing else counts";
  EXPECT_EQ(world.results()["agents"], results["agents"]) << "nothing was stored";
  EXPECT_EQ(world.hydra({"rescore", "--weights", "nose=3"}).exit, 2);
  EXPECT_EQ(world.hydra({"rescore", "--weights", "tests=-1"}).exit, 2);
}

TEST_F(IntegrityOfScores, VerifyRunsTheChecksAgain) {
  make(script_agent("honest", "echo fine >> src/app.txt") +
       script_agent("cheat", "echo 'exit 0' > tests/test_fine.sh; echo x >> src/app.txt"));
  race({"--agents", "honest,cheat"});
  const auto before = world.list();
  const auto branches = world.git({"branch", "--list", "hydra/*"});
  const auto verified = world.hydra({"verify"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("every check ended as it is stored"));
  EXPECT_EQ(world.list(), before) << "a verification is in no list";
  EXPECT_EQ(world.git({"branch", "--list", "hydra/*"}), branches);
  EXPECT_EQ(world.results()["race"], results["race"]);
}

// Evidence that the checks no longer give: the comparison must say so.
TEST_F(IntegrityOfScores, VerifySeesWhatEndsInAnotherWay) {
  const auto flag = world.outside() / "flag";
  std::ofstream(flag) << "1\n";
  world.init();
  world.write("run.sh", kRunner);
  world.write("tests/test_flag.sh", "test -e '" + flag.string() + "'\n");
  world.project("[sandbox]\nread = [\"" + world.outside().string() +
                "\"]\n[scoring]\ntest_command = \"sh run.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n" +
                script_agent("a", "echo x >> src/app.txt"));
  race({"--agents", "a"});
  fs::remove(flag);
  const auto verified = world.hydra({"verify"});
  EXPECT_EQ(verified.exit, 1) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("test_flag"));
}

TEST_F(IntegrityOfScores, StrictRunsAndAgrees) {
  make(script_agent("honest", "echo fine >> src/app.txt"), "build_command = \"true\"\n");
  race({"--agents", "honest", "--verify", "strict"});
  EXPECT_EQ(results["winner"], "honest") << results.dump(1);
  EXPECT_EQ(results["verify"], "strict");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
