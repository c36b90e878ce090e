// What is measured of a winner and never ranked by: mutants of its changed lines, and which of them its tests
// run.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <set>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

// clamp() in calc.py; lines 2 and 3 of the result are noticed by no test.
const char* const kFix =
    "cat > calc.py <<'EOF'\n"
    "def clamp(x, low, high):\n"
    "    if x is None and low == 7:\n"
    "        return 70\n"
    "    return max(low, min(x, high))\n"
    "EOF\n"
    "cat > tests/test_high.py <<'EOF'\n"
    "from unittest import TestCase\n"
    "import calc\n"
    "\n"
    "class High(TestCase):\n"
    "    def test_high(self):\n"
    "        self.assertEqual(calc.clamp(9, 1, 3), 3)\n"
    "EOF\n";

class Measure : public ::testing::Test {
 protected:
  void make(const std::string& config, const std::string& agents) {
    world.init();
    world.write("calc.py", "def clamp(x, low, high):\n    return x\n");
    world.write("tests/__init__.py", "");
    world.write(
        "tests/test_calc.py",
        "import unittest\nimport calc\n\n\nclass Test(unittest.TestCase):\n    def test_inside(self):\n"
        "        self.assertEqual(calc.clamp(2, 1, 3), 2)\n");
    world.write(".gitignore", "__pycache__/\n");
    world.write(
        "hydra.toml",
        "[scoring]\ntest_command = \"python3 -m unittest discover -v -s tests -t .\"\n" + config + agents);
    world.commit();
  }
  World world;
};

TEST_F(Measure, MutantsShowWhatNoTestNotices) {
  make("", script_agent("right", kFix) + script_agent("other", "echo x > other.txt\n"));
  (void)world.race({"--agents", "right,other", "clamp"});
  const auto before = world.results();
  ASSERT_EQ(before["winner"], "right") << before.dump(1);
  EXPECT_TRUE(agent_of(before, "right")["mutants"].is_null());
  const auto ran = world.hydra({"verify", "--mutants"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const auto after = world.results();
  EXPECT_EQ(after["state"], "done");
  EXPECT_EQ(after["winner"], "right") << "it is shown, and never ranked by";
  EXPECT_EQ(agent_of(after, "right")["composite"], agent_of(before, "right")["composite"]);
  const auto mutants = agent_of(after, "right")["mutants"];
  ASSERT_EQ(mutants["state"], "measured") << mutants.dump(1);
  std::set<int> killed, survived;
  for (const auto& mutant : mutants["mutants"]) {
    EXPECT_EQ(mutant["path"], "calc.py");
    (mutant["state"] == "killed" ? killed : survived).insert(mutant["line"].get<int>());
    if (mutant["line"] == 4) {
      EXPECT_THAT(mutant["by"].get<std::string>(), HasSubstr("test_"));
    }
  }
  EXPECT_EQ(survived, (std::set<int>{2, 3})) << mutants.dump(1);
  EXPECT_TRUE(killed.contains(4)) << mutants.dump(1);
  EXPECT_THAT(ran.out, HasSubstr("survived calc.py:2: "));
  EXPECT_THAT(ran.out, HasSubstr("killed   calc.py:4: "));
  EXPECT_THAT(world.hydra({"explain", "right"}).out, HasSubstr("survived calc.py:2: "));
}

TEST_F(Measure, ARaceMeasuresItsWinnerWhereItIsToldTo) {
  make("[selection]\nmutants = 2\ncoverage = \"winner\"\n",
       script_agent("right", kFix) + script_agent("other", "echo x > other.txt\n"));
  const auto ran = world.race({"--agents", "right,other", "clamp"});
  const auto right = agent_of(world.results(), "right");
  EXPECT_EQ(right["mutants"]["mutants"].size(), 2u) << right["mutants"].dump(1);
  const auto coverage = right["diff_coverage"];
  ASSERT_EQ(coverage["state"], "measured") << coverage.dump(1) << ran.out;
  EXPECT_EQ(coverage["lines"], 3);
  EXPECT_EQ(coverage["run"], 2);
  EXPECT_EQ(coverage["never_run"], Json::parse(R"([{"path": "calc.py", "from": 3, "to": 3}])"));
  EXPECT_THAT(ran.out, HasSubstr("tests run 2 of 3 changed lines"));
  EXPECT_TRUE(agent_of(world.results(), "other")["diff_coverage"].is_null());
}

TEST_F(Measure, NodeSaysByItselfWhatItRan) {
  world.init();
  world.write("src/calc.js", "exports.clamp = (x) => x;\n");
  world.write("test/low.test.js",
              "const test = require('node:test');\nconst assert = require('node:assert');\n"
              "const { clamp } = require('../src/calc');\n"
              "test('low', () => { assert.strictEqual(clamp(2, 1, 3), 2); });\n");
  world.write("hydra.toml",
              "[scoring]\ntest_command = \"node --test\"\n[selection]\ncoverage = \"winner\"\n" +
                  script_agent("right",
                               "cat > src/calc.js <<'EOF'\n"
                               "exports.clamp = (x, low, high) => {\n"
                               "  if (x > high) {\n"
                               "    return high;\n"
                               "  }\n"
                               "  return Math.max(x, low);\n"
                               "};\n"
                               "EOF\n"));
  world.commit();
  (void)world.race({"--agents", "right", "clamp"});
  const auto coverage = agent_of(world.results(), "right")["diff_coverage"];
  ASSERT_EQ(coverage["state"], "measured") << coverage.dump(1);
  EXPECT_EQ(coverage["never_run"], Json::parse(R"([{"path": "src/calc.js", "from": 3, "to": 3}])"))
      << coverage.dump(1);
  EXPECT_EQ(coverage["run"], 2) << coverage.dump(1);
}

TEST_F(Measure, AnyToolMayMeasureWithItsOwnReport) {
  make(
      "[selection]\ncoverage = \"winner\"\ncoverage_command = \"printf "
      "'SF:calc.py\\\\nDA:2,1\\\\nDA:4,0\\\\n' > "
      "$HYDRA_REPORTS/lcov.info\"\ncoverage_report = \"{reports}/lcov.info\"\n",
      script_agent("right", kFix));
  (void)world.race({"--agents", "right", "clamp"});
  const auto coverage = agent_of(world.results(), "right")["diff_coverage"];
  EXPECT_EQ(coverage["lines"], 2) << coverage.dump(1);
  EXPECT_EQ(coverage["run"], 1);
}

TEST_F(Measure, WhatCannotBeMeasuredSaysWhy) {
  make("[selection]\ncoverage = \"winner\"\n", script_agent("right", "echo x > other.txt\n"));
  (void)world.race({"--agents", "right", "clamp"});
  const auto ran = world.hydra({"verify", "--mutants", "--coverage"});
  const auto right = agent_of(world.results(), "right");
  EXPECT_EQ(right["mutants"]["state"], "not_measured") << right.dump(1);
  EXPECT_EQ(right["mutants"]["reason"], "no_changed_code");
  EXPECT_THAT(ran.out, HasSubstr("it changes no code of the product"));
  const auto nobody =
      world.hydra({"verify", "--mutants", world.results()["race"].get<std::string>() + "/nobody"});
  EXPECT_NE(nobody.exit, 0);
  EXPECT_THAT(nobody.err, HasSubstr("no result of 'nobody'"));
}

// A file that nothing names is no reason against a result, and is said.
TEST_F(Measure, AFileThatNothingNamesIsNamed) {
  make("", script_agent("right", std::string(kFix) +
                                     "n=use; echo x > \"$n\"less.txt; echo limits > limits.txt\n" +
                                     "sed -i '1s/$/  # see limits.txt/' calc.py\n"));
  (void)world.race({"--agents", "right", "clamp"});
  const auto right = agent_of(world.results(), "right");
  EXPECT_EQ(right["warnings"], Json::array({"nothing of the build or the tests names useless.txt"}));
  EXPECT_EQ(right["eligible"], true);
}

TEST_F(Measure, TestsThatEndDifferentlyTellTwoResultsApart) {
  make("",
       script_agent("right", kFix) +
           script_agent("half", "printf 'def clamp(x, low, high):\\n    return max(x, low)\\n' > calc.py\n"));
  (void)world.race({"--agents", "right,half", "clamp"});
  const auto ran = world.hydra({"diff", "right", "half", "--behaviour", "--json"});
  const auto found = Json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(found.is_object()) << ran.out << ran.err;
  ASSERT_EQ(found["differ"].size(), 1u) << found.dump(1);
  EXPECT_THAT(found["differ"][0]["test"].get<std::string>(), HasSubstr("test_high"));
  EXPECT_EQ(found["differ"][0]["of"], "right");
  EXPECT_EQ(found["differ"][0]["a"], "pass");
  EXPECT_EQ(found["differ"][0]["b"], "fail");
  EXPECT_EQ(found["compared"], 2);
  const auto text = world.hydra({"diff", "right", "half", "--behaviour"}).out;
  EXPECT_THAT(text, HasSubstr("1 of 2 tests that ran on both end differently"));
  EXPECT_THAT(world.hydra({"diff", "right", "half"}).out, HasSubstr("\n+    return max(x, low)"))
      << "from the first to the second";
  EXPECT_EQ(world.hydra({"diff", "right", "--behaviour"}).exit, 2);
}

// Where tests are the task, what they notice decides; before, whoever was faster won.
TEST_F(Measure, TestsAreJudgedByWhatTheyNotice) {
  world.init();
  world.write(
      "price.py",
      "def price(n, member):\n    total = n * 3\n    if member and n > 10:\n        total = total - 5\n"
      "    return total\n");
  world.write("other.py", "def unused(n):\n    return n + 1\n");
  const auto test = [](const std::string& name, const std::string& body) {
    return "import unittest\nfrom price import price\n\n\nclass " + name +
           "(unittest.TestCase):\n    def test_" + name + "(self):\n" + body;
  };
  world.write("tests/__init__.py", "");
  world.write("tests/test_one.py", test("one", "        self.assertEqual(price(1, False), 3)\n"));
  world.write(".gitignore", "__pycache__/\n");
  const auto writes = [&](const std::string& name, const std::string& body) {
    return "cat > tests/test_" + name + ".py <<'EOF'\n" + test(name, body) + "EOF\n";
  };
  world.write(
      "hydra.toml",
      "[scoring]\ntest_command = \"python3 -m unittest discover -v -s tests -t .\"\n" +
          script_agent("weak", writes("weak", "        self.assertEqual(price(2, False), 6)\n")) +
          script_agent("thorough", "sleep 1\n" + writes("thorough",
                                                        "        self.assertEqual(price(11, True), 28)\n"
                                                        "        self.assertEqual(price(10, True), 30)\n"
                                                        "        self.assertEqual(price(11, False), 33)\n")));
  world.commit();
  const auto ran = world.race({"--kind", "tests", "--agents", "weak,thorough", "more tests for price"});
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "thorough") << ran.out << results["evidence"].dump(1);
  const auto facts = [&](const std::string& name) { return agent_of(results, name)["confidence"]["facts"]; };
  EXPECT_EQ(facts("weak")["mutants_noticed"], 0) << results["evidence"].dump(1);
  EXPECT_GT(facts("thorough")["mutants_noticed"].get<int>(), 2) << results["evidence"].dump(1);
  EXPECT_GT(agent_of(results, "thorough")["evidence_points"].get<double>(),
            agent_of(results, "weak")["evidence_points"].get<double>());
  const auto matrix = world.hydra({"explain", "--matrix"}).out;
  EXPECT_THAT(matrix, HasSubstr("price.py:"));
  EXPECT_THAT(matrix, ::testing::Not(HasSubstr("other.py:")));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
