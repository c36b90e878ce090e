// Evidence: what it is made of and how long it holds. Files that count nothing, checks in place, what nobody
// looked at, races that were cancelled, retried, combined and verified. Real processes.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

// Every tests/test_*.sh is one test of its name.
constexpr const char* kRunner = R"(xml="$HYDRA_REPORTS/junit.xml"; n=0; bad=0; cases=
for t in tests/test_*.sh; do
  n=$((n+1)); name=$(basename $t .sh)
  if sh $t; then cases="$cases<testcase classname=\"tests.$name\" name=\"$name\"/>"
  else bad=$((bad+1)); cases="$cases<testcase classname=\"t.$name\" name=\"$name\"><failure message=\"no\"/></testcase>"
  fi
done
echo "<testsuites><testsuite name=\"s\" tests=\"$n\" failures=\"$bad\" errors=\"0\" skipped=\"0\">$cases</testsuite></testsuites>" > $xml
test $bad = 0
)";

class Evidence : public ::testing::Test {
 protected:
  void make(const std::string& agents, const std::string& more = {}) {
    world.init();
    world.write("run.sh", kRunner);
    world.write("tests/test_one.sh", "grep -q one src/app.txt\n");
    world.project("[scoring]\ntest_command = \"sh run.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n" +
                  more + agents);
  }
  Json race(const Words& args) {
    Words all(args);
    all.emplace_back("task");
    const auto ran = world.race(all);
    text = ran.out + ran.err;
    return world.results();
  }
  Json verify(int exit) {
    const auto run = world.hydra({"verify", "--json"});
    EXPECT_EQ(run.exit, exit) << run.out << run.err;
    const auto last = run.out.rfind('\n', run.out.size() - 2);
    return Json::parse(run.out.substr(last == std::string::npos ? 0 : last + 1), nullptr, false);
  }
  World world;
  std::string text;
};

// The rest of a long suite says nothing about a test that fails.
TEST_F(Evidence, AFailingTestRunsAgainByItsFile) {
  world.init();
  world.write("tests/test_one.py",
              "def test_one():\n    assert open('src/app.txt').read().startswith('one')\n");
  world.write("tests/test_two.py", "def test_two():\n    pass\n");
  world.project("[scoring]\ntest_command = \"/usr/bin/python3 -m pytest -v -p no:cacheprovider\"\n" +
                script_agent("breaks", "echo none > src/app.txt"));
  const auto row = agent_of(race({"--agents", "breaks"}), "breaks");
  EXPECT_EQ(row["dimensions"]["tests"]["detail"]["regressions"], 1) << row.dump(1);
  const auto explained = Json::parse(world.hydra({"explain", "breaks", "--json"}).out);
  Words again;
  for (const auto& dimension : explained["dimensions"])
    for (const auto& run : dimension["runs"])
      if (run["subject"] == "breaks" && run["purpose"].get<std::string>().ends_with("again"))
        again.push_back(run["command"]);
  ASSERT_EQ(again.size(), 1u) << explained.dump(1);
  EXPECT_THAT(again[0], HasSubstr("tests/test_one.py"));
}

TEST_F(Evidence, ALockFileIsSetApartAndSeen) {
  make(script_agent("honest", "echo fine >> src/app.txt; seq 3000 > package-lock.json") +
           script_agent("wordy", "seq 3000 > src/words.txt"),
       "[evaluation]\nverify = \"strict\"\n");
  const auto results = race({"--agents", "honest,wordy"});
  EXPECT_EQ(results["baseline"]["test_runs"], 2) << "and the race ended";
  const auto honest = agent_of(results, "honest");
  EXPECT_EQ(honest["diff"]["lines_added"], 3001);
  const auto size = honest["dimensions"]["diff_size"];
  EXPECT_EQ(size["points"], 100.0) << size.dump();
  EXPECT_EQ(size["detail"]["lines_added"], 1);
  EXPECT_THAT(size["detail"]["set_apart"].dump(), HasSubstr("package-lock.json (lock, +3000 -0)"));
  EXPECT_LT(agent_of(results, "wordy")["dimensions"]["diff_size"]["points"].get<double>(), 100.0);
  EXPECT_THAT(text, HasSubstr("package-lock.json (lock, +3000 -0)"));
  EXPECT_THAT(world.hydra({"explain", "honest"}).out, HasSubstr("set apart: package-lock.json"));
  EXPECT_EQ(Json::parse(world.hydra({"rescore", "--json"}).out)["rescored"]["identical"], true);
  EXPECT_EQ(Json::parse(world.hydra({"rescore", "--json", "--weights", "tests=.5,speed=5."})
                            .out)["rescored"]["weights"]["tests"],
            0.5);
  EXPECT_EQ(world.hydra({"rescore", "--weights", "tests=inf"}).exit, 2);
}

// The first race stores one run of the base. A result of the second fails a test, and the base's run again,
// in a new workspace whose build leaves its directory and ends in a comment, still passes both.
TEST_F(Evidence, ACachedBaseInDoubtIsBuiltAndRunAgain) {
  world.write("tests/test_built.sh", "grep -q built out/mark\n");
  make(script_agent("good", "echo fine >> src/app.txt") + script_agent("bad", "echo other > src/app.txt"),
       "build_command = \"mkdir -p out && cd out && echo built > mark # the build\"\n");
  const auto first = race({"--agents", "good"});
  EXPECT_EQ(first["baseline"]["test_runs"], 1) << text;
  const auto second = race({"--agents", "bad"});
  EXPECT_EQ(second["baseline"]["cached"], true);
  EXPECT_EQ(second["baseline"]["test_runs"], 2) << text;
  EXPECT_EQ(second["baseline"]["unstable"].dump(), "[]") << second["baseline"].dump(1);
  const auto again = world.attempt(second["race"], "baseline", "tests", 3);
  EXPECT_THAT(slurp(again / "reports/junit.xml"), HasSubstr("tests=\"2\" failures=\"0\""));
  EXPECT_EQ(agent_of(second, "bad")["dimensions"]["tests"]["detail"]["regressions"], 1.0);
}

// Reliability reference, row E29.
TEST_F(Evidence, WithoutASandboxNothingMergesByItself) {
  make(script_agent("a", "echo fine >> src/app.txt; printf 'a\\0b' > src/data.bin"));
  const auto results = race({"--agents", "a", "--sandbox", "off", "--auto-merge"});
  EXPECT_EQ(results["winner"], "a");
  EXPECT_EQ(results["auto_merged"], false);
  EXPECT_THAT(results["auto_merge_refused"].get<std::string>(), HasSubstr("sandbox"));
  EXPECT_THAT(text, HasSubstr("not merged automatically"));
  const auto explained = world.hydra({"explain", "a"}).out;
  EXPECT_THAT(explained, HasSubstr("contents of src/data.bin"));
}

TEST_F(Evidence, ChecksInPlaceSaySo) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  make(script_agent("a", "echo fine >> src/app.txt"), "[workspace]\nchecks = \"in_place\"\n");
  const auto results = race({"--agents", "a", "--auto-merge"});
  EXPECT_EQ(results["checks"], "in_place");
  EXPECT_EQ(agent_of(results, "a")["workspace"]["tree"], "in place");
  EXPECT_THAT(results["auto_merge_refused"].get<std::string>(), HasSubstr("own directory"));
  EXPECT_THAT(text, HasSubstr("checked in place"));
  EXPECT_THAT(world.hydra({"explain", "a"}).out, HasSubstr("Checked in place"));
}

TEST_F(Evidence, ARetryAfterACancelledRaceChecksEverybodyAgain) {
  Gate gate(world.outside() / "gate");
  const auto flag = world.outside() / "flag";
  std::ofstream(flag) << "1\n";
  world.project("[sandbox]\nread = [\"" + world.outside().string() +
                "\"]\n[scoring]\nbuild_command = \"\"\"grep -q gated src/app.txt || exit 0; test -e '" +
                flag.string() + "' || exit 0; " + gate.script() + "\"\"\"\n" +
                script_agent("a", "echo fine >> src/app.txt") +
                script_agent("b", "echo gated >> src/app.txt"));
  const auto started = world.hydra({"race", "--agents", "a,b", "--detach", "--json", "task"});
  const auto race = race_id(started);
  ASSERT_TRUE(gate.arrived());
  EXPECT_EQ(world.hydra({"cancel", race}).exit, 0);
  EXPECT_NE(world.hydra({"watch", race}).exit, 3);
  EXPECT_EQ(world.results(race)["state"], "cancelled");
  fs::remove(flag);
  const auto again = world.hydra({"retry", race + "/a"});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  const auto results = world.results(race);
  EXPECT_EQ(results["baseline"]["build"]["status"], "passed") << results["baseline"].dump(1);
  for (const char* name : {"a", "b"}) {
    const auto row = agent_of(results, name);
    EXPECT_EQ(row["dimensions"]["build"]["points"], 100.0) << row.dump(1);
    EXPECT_EQ(row["eligible"], true) << name;
  }
}

TEST_F(Evidence, AVerificationHasCombinedResultsAndCannotBeRetried) {
  make(script_agent("left", "echo fine >> src/app.txt") + script_agent("right", "echo more > src/more.txt"));
  race({"--agents", "left,right"});
  EXPECT_EQ(world.hydra({"merge", "--yes", "left:src/app.txt", "right:src/more.txt"}).exit, 0);
  ASSERT_EQ(world.results()["agents"].size(), 3u);
  const auto found = verify(0);
  EXPECT_EQ(found["identical"], true) << found.dump(1);
  ASSERT_EQ(found["agents"].size(), 3u) << found.dump(1);
  for (const auto& row : found["agents"]) EXPECT_EQ(row["composite"], row["composite_again"]) << row.dump(1);
  const auto refused = world.hydra({"retry", found["verified_by"].get<std::string>() + "/left"});
  EXPECT_NE(refused.exit, 0);
  EXPECT_THAT(refused.err, HasSubstr("verifies"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
