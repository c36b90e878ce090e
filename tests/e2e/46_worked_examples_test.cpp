// The worked examples of the specifications as races: scripted agents, checks and judges, real results,
// standings and exports. docs/scoring.md, "Tests of these formulas", has those that no race can express.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <map>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

// Every tests/test_*.sh is one test of its name.
constexpr const char* kRunAll = R"(xml="$HYDRA_REPORTS/junit.xml"; n=0; bad=0; cases=
for t in tests/test_*.sh; do
  n=$((n+1)); name=$(basename $t .sh)
  if sh $t; then cases="$cases<testcase classname=\"t.$name\" name=\"$name\"/>"
  else bad=$((bad+1)); cases="$cases<testcase classname=\"t.$name\" name=\"$name\"><failure message=\"no\"/></testcase>"
  fi
done
echo "<testsuites><testsuite name=\"s\" tests=\"$n\" failures=\"$bad\" errors=\"0\" skipped=\"0\">$cases</testsuite></testsuites>" > $xml
test $bad = 0
)";
const std::string kTestsOf20 = "test_command = \"sh run.sh\"\ntest_reports = [\"{reports}/junit.xml\"]\n";

/// New files f1 … fN of so many lines each, in src/.
std::string files(int count, int lines) {
  return "for i in $(seq " + std::to_string(count) + "); do seq " + std::to_string(lines) +
         " | sed 's/^/n/' > src/f$i.txt; done\n";
}
/// Fixes these of the four tests that fail on the base.
std::string fixes(int first, int last) {
  return "for i in $(seq " + std::to_string(first) + " " + std::to_string(last) +
         "); do echo w$i >> src/app.txt; done\n";
}

class WorkedExamples : public ::testing::Test {
 protected:
  /// 20 tests of which 16 pass; lint prints src/lint.txt.
  void make(const std::string& config) {
    world.init();
    world.write("run.sh", kRunAll);
    std::string words;
    for (int i = 1; i <= 20; ++i) {
      const auto word = "w" + std::to_string(i);
      world.write("tests/test_" + word + ".sh", "grep -qx " + word + " src/words.txt src/app.txt\n");
      if (i <= 16) words += word + "\n";
    }
    world.write("src/words.txt", words);
    world.project(config);
  }
  Json race(const std::string& agents, const Words& more = {}) {
    Words args{"--json", "--agents", agents};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("implement JWT auth");
    const auto ran = world.race(args);
    text = ran.out + ran.err;
    return world.results();
  }
  static double points(const Json& agent, const char* dimension) {
    return agent["dimensions"][dimension]["points"].get<double>();
  }
  World world;
  std::string text;
};

// Scoring engine, "Example Calculation", with ruling H1: 91.25 for the first agent, printed 91.3. Seconds
// can't be scripted: three judges say what the example's speed says (80, 100, 70 points), with its weight. No
// whole number of lines and files has 95 points of diff size: the second has 100 there and 92.5 from the
// judges, the same sum.
TEST_F(WorkedExamples, TheCompositesOfTheScoringEngine) {
  const std::string judge =
      "[[judges]]\nname = \"NAME\"\ncommand = '''if grep -q '^+w17' \"$HYDRA_DIFF\"; then s=0.8; elif test "
      "-e "
      "src/broken; then s=0.7; else s=0.925; fi\nprintf '{\"nonce\":\"%s\",\"score\":%s}' \"$HYDRA_NONCE\" "
      "$s'''\n";
  std::string judges;
  for (const auto* name : {"a", "b", "c"}) judges += std::string(judge).replace(judge.find("NAME"), 4, name);
  make(
      "[scoring]\nweights = { build = 30, tests = 30, lint = 15, diff_size = 15, speed = 0, judges = 10 }\n"
      "build_command = \"! test -e src/broken\"\nlint_command = \"echo 'src/app.txt:9:9: error: old [E0]'; "
      "cat src/lint.txt 2>/dev/null; exit 1\"\n" +
      kTestsOf20 + "[evaluation]\nbudget = 0\n" + judges +
      // 17 files and 290 lines: 75 points of diff size; one new lint error: 90; 19 of 20 tests: 95.
      script_agent("first", fixes(17, 19) + files(14, 19) +
                                "seq 20 > src/last.txt\n"
                                "echo \"src/app.txt:1:2: error: bad [E1]\" > src/lint.txt") +
      script_agent("second", "echo fine >> src/app.txt") +
      // 17 files and 600 lines: 60.
      script_agent("third", files(16, 36) + "seq 24 > src/broken"));
  const auto results = race("first,second,third");
  const auto first = agent_of(results, "first"), second = agent_of(results, "second"),
             third = agent_of(results, "third");
  const auto cells = [](const Json& agent) {
    std::map<std::string, double> found;
    for (const auto* name : {"build", "tests", "lint", "diff_size"}) found[name] = points(agent, name);
    return found;
  };
  using Cells = std::map<std::string, double>;
  const auto expect = [&](const Json& agent, const Cells& cells_expected, double composite) {
    for (const auto& [name, value] : cells(agent))
      EXPECT_NEAR(value, cells_expected.at(name), 1e-9) << name << text;
    EXPECT_NEAR(agent["composite"].get<double>(), composite, 1e-9) << agent["judges"].dump();
  };
  expect(first, {{"build", 100}, {"tests", 95}, {"lint", 90}, {"diff_size", 75}}, 91.25);
  expect(second, {{"build", 100}, {"tests", 80}, {"lint", 100}, {"diff_size", 100}}, 93.25);
  expect(third, {{"build", 0}, {"tests", 0}, {"lint", 0}, {"diff_size", 60}}, 16.0);
  // H2: half up; H4: what was not run is shown as such.
  const auto shown = world.hydra({"results"}).out;
  EXPECT_THAT(shown, HasSubstr("91.3 / 100"));
  EXPECT_THAT(shown, HasSubstr("93.3 / 100"));
  EXPECT_THAT(shown, HasSubstr("16.0 / 100"));
  EXPECT_THAT(shown, HasSubstr("[TESTS: --]"));
  EXPECT_EQ(third["dimensions"]["tests"]["status"], "skipped");
  EXPECT_EQ(third["eligible"], false);
}

// "Lint": 2 new warnings are 96 points (H1: the 90 of the table are illustrative); "Speed": the fastest has
// 100.
TEST_F(WorkedExamples, TheFormulasOfSingleDimensions) {
  make(
      "[scoring]\nlint_command = \"echo 'src/app.txt:9:9: error: old [E0]'; cat src/lint.txt 2>/dev/null; "
      "exit 1\"\n" +
      kTestsOf20 + "[evaluation]\nbudget = 0\n" +
      script_agent("warned",
                   "printf 'src/app.txt:1:1: warning: a [W1]\\nsrc/app.txt:2:1: warning: b [W2]\\n' > "
                   "src/lint.txt; " +
                       fixes(17, 20)) +
      script_agent("worse", "sed -i '/^w1$/d' src/words.txt") +
      // 100 lines in 5 files have no penalty; 300 in one: 80; 10 files: 85.
      script_agent("even", files(5, 20)) + script_agent("long", files(1, 300)) +
      script_agent("wide", files(10, 1)));
  const auto results = race("warned,worse,even,long,wide");
  const auto warned = agent_of(results, "warned"), worse = agent_of(results, "worse");
  EXPECT_NEAR(points(warned, "lint"), 96, 1e-9) << text;
  EXPECT_NEAR(points(warned, "tests"), 100, 1e-9);
  // 15 of 20 pass, one regression of 16: 75 - 1/16 * 50.
  EXPECT_NEAR(points(worse, "tests"), 75 - 50.0 / 16, 1e-9);
  EXPECT_NEAR(points(agent_of(results, "even"), "diff_size"), 100, 1e-9);
  EXPECT_NEAR(points(agent_of(results, "long"), "diff_size"), 80 * 0.6 + 100 * 0.4, 1e-9);
  EXPECT_NEAR(points(agent_of(results, "wide"), "diff_size"), 100 * 0.6 + 85 * 0.4, 1e-9);
  // fastest / duration * 100, out of the durations that the results show.
  double fastest = 1e18;
  for (const auto& agent : results["agents"])
    fastest = std::min(fastest, agent["duration_seconds"].get<double>());
  for (const auto& agent : results["agents"])
    EXPECT_NEAR(points(agent, "speed"), fastest / agent["duration_seconds"].get<double>() * 100, 1e-6);
}

// "Defaults When Commands Are Missing": without tests the weights are build 30, lint 15, diff size 15, speed
// 10 of 70.
TEST_F(WorkedExamples, WeightsOfWhatIsNotConfiguredGoToTheOthers) {
  world.project("[scoring]\nbuild_command = \"true\"\nlint_command = \"true\"\n" +
                script_agent("one", "echo fine >> src/app.txt"));
  EXPECT_EQ(world.race({"--agents", "one", "task"}).exit, 0);
  const auto explained = Json::parse(world.hydra({"explain", "one", "--json"}).out);
  std::map<std::string, double> shares;
  for (const auto& dimension : explained["dimensions"]) shares[dimension["dimension"]] = dimension["share"];
  for (const auto& [name, weight] : std::map<std::string, double>{
           {"build", 30}, {"tests", 0}, {"lint", 15}, {"diff_size", 15}, {"speed", 10}})
    EXPECT_NEAR(shares[name], weight / 70, 1e-12) << name;
}

// Term challenge: 8 of 10 passed are 0.80. Arena: of ten episodes the best one counts, and 3 of 10 are 30 %.
TEST_F(WorkedExamples, PassRatesAndTheBestOfTen) {
  const auto only = [](const std::string& attempts, const std::string& then, const std::string& other) {
    return "n=${HYDRA_RUN_ID%/agent/*}; case ${n##*#} in " + attempts + ") echo " + then +
           " >> src/app.txt;; *) echo " + other + " >> src/app.txt;; esac";
  };
  world.project(
      "[scoring]\ntest_command = \"! grep -q wrong src/app.txt\"\n"
      "[evaluation]\nbudget = 0\n" +
      script_agent("term", only("9|10", "wrong", "fine")) +
      script_agent("arena", only("1|3|7", "fine", "wrong")));
  HydraOptions slow;
  slow.deadline = kDeadline * 3;
  EXPECT_NE(world.race({"--agents", "term,arena", "--attempts", "10", "task"}, slow).exit, -1);
  const auto results = world.results();
  std::map<std::string, Json> entries;
  for (const auto& entry : results["entries"]) entries[entry["entry"]] = entry;
  EXPECT_EQ(entries["term"]["success_rate"], 0.8);
  EXPECT_EQ(entries["arena"]["success_rate"], 0.3);
  // The best attempt stands for its entry; equal trees are tied, so it is one of the three that passed.
  const auto best = entries["arena"]["best_attempt"].get<std::string>();
  EXPECT_TRUE(best == "arena#1" || best == "arena#3" || best == "arena#7") << best;
  EXPECT_EQ(entries["arena"]["best"], agent_of(results, best)["composite"]);
  const auto board = Json::parse(world.hydra({"leaderboard", "--json"}).out);
  std::map<std::string, Json> rows;
  for (const auto& row : board["rows"]) rows[row["entry"]] = row;
  EXPECT_EQ(rows["term"]["successes"], 8);
  EXPECT_EQ(rows["term"]["attempts"], 10);
  EXPECT_EQ(rows["arena"]["success_rate"], 0.3);
}

std::string validator(const std::string& name, double stake, const std::map<std::string, double>& scores) {
  std::string script;
  for (const auto& [word, score] : scores)
    script += "grep -q '^+" + word + "' \"$HYDRA_DIFF\" && s=" + std::to_string(score) + "\n";
  return "[[judges]]\nname = \"" + name + "\"\nstake = " + std::to_string(stake) + "\ncommand = '''" +
         script + "printf '{\"nonce\":\"%s\",\"score\":%s}' \"$HYDRA_NONCE\" $s'''\n";
}

// Term challenge, "Weight Calculation" and "Outlier Detection": judges are the validators, with their stakes.
TEST_F(WorkedExamples, ValidatorsStakesOutliersAndWeights) {
  const std::string agents =
      script_agent("one", "echo first >> src/app.txt") + script_agent("two", "echo second >> src/app.txt");
  const std::string judges = validator("v1", 1, {{"first", 0.9}, {"second", 0.5}}) +
                             validator("v2", 2, {{"first", 0.8}, {"second", 0.4}}) +
                             validator("v3", 1, {{"first", 0.7}, {"second", 0.3}}) +
                             validator("liar", 4, {{"first", 0.0}, {"second", 0.4}});
  const std::string standings = "[standings]\n";
  world.project(standings + judges + agents);
  EXPECT_NE(world.race({"--agents", "one,two", "task"}).exit, -1);
  const auto one = agent_of(world.results(), "one")["judges"];
  // Median of 0, 0.7, 0.8, 0.9 is 0.75; distances 0.75, 0.05, 0.05, 0.15: the MAD is 0.1.
  EXPECT_NEAR(one["median"].get<double>(), 0.75, 1e-12);
  EXPECT_NEAR(one["mad"].get<double>(), 0.1, 1e-12);
  for (const auto& vote : one["votes"]) {
    EXPECT_NEAR(vote["modified_z"].get<double>(), 0.6745 * (vote["score"].get<double>() - 0.75) / 0.1, 1e-9);
    EXPECT_EQ(vote["outlier"], vote["judge"] == "liar") << vote.dump();
  }
  EXPECT_NEAR(one["score"].get<double>(), (0.9 + 2 * 0.8 + 0.7) / 4, 1e-12);
  const auto weights = [&](const std::string& more) {
    world.write("hydra.toml", standings + more + judges + agents);
    return Json::parse(world.hydra({"standings", "--judges", "--json"}).out)["weights"];
  };
  using Weights = std::map<std::string, int>;
  const auto expect = [&](const std::string& more, const Weights& expected) {
    const auto found = weights(more);
    ASSERT_EQ(found.size(), expected.size()) << found.dump();
    for (const auto& [uid, weight] : expected)
      EXPECT_NEAR(found[uid].get<double>(), weight, 1) << more << uid;
  };
  // Scores 0.8 and 0.4. Linear: 2/3 and 1/3; the cap of a half takes from the first and gives nobody (T5).
  expect("", {{"0", 0}, {"1", 32768}, {"2", 21845}});
  expect("cap = 1.0\n", {{"0", 0}, {"1", 43690}, {"2", 21845}});
  expect("cap = 1.0\nstrategy = \"quadratic\"\n", {{"0", 0}, {"1", 52428}, {"2", 13107}});
  expect("cap = 1.0\nstrategy = \"ranked\"\n", {{"0", 0}, {"1", 43690}, {"2", 21845}});
  expect("cap = 1.0\nstrategy = \"winner_takes_all\"\n", {{"0", 0}, {"1", 65535}, {"2", 0}});
  // More validators than there are admit nobody.
  expect("min_validators = 5\n", {{"0", 0}, {"1", 0}, {"2", 0}});
}

// Reward protocol, invariants and test matrix: the share of failing tests that are fixed is damage dealt, the
// share of passing tests that are broken damage received. The base passes 16 of 20.
TEST_F(WorkedExamples, TheRewardsOfTheMatrix) {
  make("[scoring]\n" + kTestsOf20 + "[evaluation]\nbudget = 0\n" +
       script_agent("idle", "echo fine >> src/app.txt") + script_agent("fixer", fixes(17, 17)) +
       script_agent("hero", fixes(17, 20)) + script_agent("breaker", "sed -i '/^w1$/d' src/words.txt") +
       script_agent("wasted", "true") +
       // Fixes everything, and its own new test fails: not eligible, so dead.
       script_agent("kamikaze", fixes(17, 20) + "echo false > tests/test_own.sh") +
       "[agents.gone]\ncommand = [\"/nowhere/agent\"]\n");
  race("idle,fixer,hero,breaker,wasted,kamikaze,gone");
  std::map<std::string, Json> lines;
  std::istringstream in(world.hydra({"export", "--format", "rewards"}).out);
  for (std::string line; std::getline(in, line);) {
    auto json = Json::parse(line);
    lines[json["name"]] = json;
  }
  const auto reward = [&](const std::string& name) { return lines[name]["reward"].get<double>(); };
  ASSERT_EQ(lines.size(), 7u) << text;
  EXPECT_EQ(reward("idle"), 0.1) << "zero impact: exactly the survival reward " << lines["idle"];
  EXPECT_NEAR(reward("fixer"), 0.5 / 4 + 0.1, 1e-12) << lines["fixer"];
  EXPECT_NEAR(reward("hero"), 0.5 + 0.1, 1e-12) << "all four " << lines["hero"];
  EXPECT_LT(reward("fixer"), reward("hero")) << "monotonicity";
  EXPECT_NEAR(reward("breaker"), -0.7 / 16 + 0.1, 1e-12) << lines["breaker"];
  EXPECT_NEAR(reward("wasted"), 0.1 - 0.02, 1e-12) << lines["wasted"];
  EXPECT_LE(reward("kamikaze"), -1.0) << "dominance of death " << lines["kamikaze"];
  EXPECT_EQ(lines["kamikaze"]["components"]["damage_dealt_reward"], 0.0);
  EXPECT_EQ(reward("gone"), 0.0) << "malformed " << lines["gone"];
  EXPECT_EQ(lines["gone"]["violation"], "CRITICAL");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
