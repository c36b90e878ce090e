// A test that only its author's code passes puts nobody down, and merges nothing (docs/selection.md, "The
// order" and "Automatic merge"): "bold" has such a test, "careful" a fair one.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

const std::string kFix = "sed -i 's/return x$/return min(x, high)/' calc.py\n";
const std::string kSpan = "printf 'def span(low, high):\\n    return high - low\\n' >> calc.py\n";

/// A file of tests of unittest: "high" and "self.assertEqual(…)" are one.
std::string tests_of(const std::string& name,
                     const std::vector<std::pair<std::string, std::string>>& methods) {
  std::string text = "import unittest\nimport calc\n\nclass " + name + "(unittest.TestCase):\n";
  for (const auto& [method, body] : methods)
    text += "    def test_" + method + "(self):\n        " + body + "\n";
  return text;
}

std::string writes(const std::string& path, const std::string& text) {
  return "cat > " + path + " <<'EOF'\n" + text + "EOF\n";
}

const std::pair<std::string, std::string> kHigh{"high", "self.assertEqual(calc.clamp(9, 0, 5), 5)"};
// Fails on the base and on every other result, whatever the task: nobody else names himself.
const std::string kOnlyMine =
    "printf 'NAME = 1\\n' >> calc.py\n" +
    writes("tests/test_mine.py",
           tests_of("Mine", {{"mine", "self.assertEqual(len(vars(calc).get(\"NAME\", \"\") and [1]), 1)"}}));

class Hold : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
  void race(const std::string& agents, const std::string& names) {
    world.init();
    world.write("calc.py", "def clamp(x, low, high):\n    return x\n\n\ndef twice(x):\n    return x + x\n");
    world.write("tests/__init__.py", "");
    std::vector<std::pair<std::string, std::string>> methods;
    for (const auto* n : {"0", "1", "2", "3", "4", "5", "6", "7"})
      methods.emplace_back(std::string("inside") + n,
                           "self.assertEqual(calc.clamp(" + std::string(n) + ", 0, 9), " + n + ")");
    methods.emplace_back("twice", "self.assertEqual(calc.twice(2), 4)");
    world.write("tests/test_calc.py", tests_of("Calc", methods));
    world.write(".gitignore", "__pycache__/\n");
    world.write("hydra.toml",
                "[scoring]\ntest_command = \"python3 -m unittest discover -v -s tests -t .\"\n"
                "[scoring.thresholds]\nauto_merge_minimum = 30\n" +
                    agents);
    world.commit();
    HydraOptions options;
    options.deadline = std::chrono::minutes(3);
    const auto ran =
        world.hydra({"race", "--auto-merge", "--agents", names, "let clamp know its upper limit"}, options);
    text = ran.out + ran.err;
    results = world.results();
  }
  [[nodiscard]] Json fact(const std::string& name) const {
    return agent_of(results, "bold")["confidence"]["facts"][name];
  }
  World world;
  Json results;
  std::string text;
};

TEST_F(Hold, WhoBreaksATestOfTheBaseGainsNothingByItsOwnTest) {
  race(script_agent("careful", kFix + writes("tests/test_high.py", tests_of("High", {kHigh}))) +
           script_agent("bold", kFix + "sed -i 's/x + x/x * x * x/' calc.py\n" + kOnlyMine),
       "careful,bold");
  EXPECT_EQ(results["winner"], "careful") << text;
  EXPECT_EQ(results["order_reasons"][0]["by"], "broken_tests") << text;
  EXPECT_EQ(results["auto_merged"], false) << text;
}

TEST_F(Hold, WhoAloneLacksAnInterfaceThatOthersShareHasFailed) {
  const std::pair<std::string, std::string> span{"span", "self.assertEqual(calc.span(2, 5), 3)"};
  race(script_agent("careful", kFix + kSpan + writes("tests/test_high.py", tests_of("High", {kHigh, span}))) +
           script_agent("silent", kFix + kSpan + "sed -i 's/def twice/# twice\\ndef twice/' calc.py\n") +
           script_agent("bold", kFix + kOnlyMine),
       "careful,silent,bold");
  EXPECT_EQ(fact("tests_failed"), 1) << text;
  EXPECT_EQ(agent_of(results, "bold")["confidence"]["word"], "disputed") << text;
  EXPECT_NE(results["winner"], "bold") << text;
  EXPECT_EQ(results["auto_merged"], false) << text;
}

// A function that only its author calls may be the author's own helper.
TEST_F(Hold, NotForAnInterfaceThatOneResultHasAlone) {
  const std::pair<std::string, std::string> span{"span", "self.assertEqual(calc.span(2, 5), 3)"};
  race(script_agent("careful", kFix + kSpan + writes("tests/test_high.py", tests_of("High", {kHigh, span}))) +
           script_agent("silent", kFix) + script_agent("bold", kFix + kOnlyMine),
       "careful,silent,bold");
  EXPECT_EQ(fact("out_of_contact"), 0) << text;
  EXPECT_EQ(fact("tests_failed"), 0) << text;
  EXPECT_EQ(agent_of(results, "bold")["confidence"]["word"], "some") << text;
}

// A person should look when only the winner's own test speaks against a result that shows something.
TEST_F(Hold, BesideARivalThatOnlyTestsOfTheRacePutDown) {
  race(script_agent("careful", "sleep 2\n" + kFix + writes("tests/test_high.py", tests_of("High", {kHigh}))) +
           script_agent("bold", kFix + "sed -i 's/def twice/# twice\\ndef twice/' calc.py\n" + kOnlyMine),
       "bold,careful");
  EXPECT_EQ(fact("rivals"), Json::array({"careful"})) << text;
  EXPECT_EQ(results["auto_merged"], false) << text;
  EXPECT_THAT(
      text,
      HasSubstr("held: careful has something to show, too, and nothing but tests written in this race"));
}

// A product is no rival of itself, and the result with tests that fail before stands first: "bold" only adds
// a test that the base passes.
TEST_F(Hold, TheSameCodeWithTestsStandsFirst) {
  const std::pair<std::string, std::string> low{"low", "self.assertEqual(calc.clamp(1, 0, 5), 1)"};
  race(script_agent("careful", "sleep 1\n" + kFix + writes("tests/test_high.py", tests_of("High", {kHigh}))) +
           script_agent("bold", kFix + writes("tests/test_low.py", tests_of("Low", {low}))),
       "careful,bold");
  EXPECT_EQ(results["winner"], "careful") << text;
  EXPECT_EQ(results["decision"], "winner") << text;
  EXPECT_EQ(results["order_reasons"][0]["by"], "own_tests") << text;
  EXPECT_EQ(fact("rivals"), Json::array()) << text;
  EXPECT_EQ(agent_of(results, "bold")["confidence"]["word"], "own word only") << text;
  EXPECT_EQ(results["auto_merged"], false) << text;
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
