// The right winner (docs/selection.md): the stories of what used to win, each with scripted agents in
// projects of five runners. A tool that is not on this machine skips its tests.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using Files = std::map<std::string, std::string>;

/// clamp(x, low, high) that forgets `high`, with a test of `low`, in one language. Scripts are shell.
struct Kit {
  std::string name;
  std::vector<std::string> programs;
  Files files;
  std::string config;
  std::string comment;     ///< adds a comment to the source
  std::string fix;         ///< the whole fix, without a test
  std::string partial;     ///< right for the base's tests and for values below 100, wrong else
  std::string high_test;   ///< writes a new test file that fails without the fix
  std::string wrong_test;  ///< writes a new test file that fails with the fix, too
  std::string weaken;      ///< rewrites high_test's file so that it passes
  std::string high_name;   ///< part of the name of high_test's test
  std::string old_test;    ///< writes a test that expects what the fix changes, named "old"
};

/// In the names of tests.
void PrintTo(const Kit& kit, std::ostream* out) { *out << kit.name; }

std::string file(const std::string& path, const std::string& text) {
  return "mkdir -p \"$(dirname " + path + ")\"; cat > " + path + " <<'EOF_OF_FILE'\n" + text +
         "EOF_OF_FILE\n";
}

Kit pytest_kit() {
  Kit k;
  k.name = "pytest";
  k.programs = {"python3"};
  k.files = {
      {"calc.py", "def clamp(x, low, high):\n    return max(x, low)\n"},
      {"tests/test_low.py", "from calc import clamp\n\n\ndef test_low():\n    assert clamp(-1, 0, 5) == 0\n"},
      {"pytest.ini", "[pytest]\npythonpath = .\n"},
      {".gitignore", "__pycache__/\n.pytest_cache/\n"}};
  k.config =
      "[scoring]\ntest_command = \"/usr/bin/python3 -m pytest -q -rA -p no:cacheprovider "
      "--junitxml=$HYDRA_REPORTS/junit.xml\"\ntest_reports = [\"{reports}/junit.xml\"]\n";
  k.comment = "echo '# clamps' >> calc.py; ";
  k.fix = "sed -i 's/return max(x, low)/return min(max(x, low), high)/' calc.py; ";
  k.partial = "sed -i 's/return max(x, low)/return max(x, low) if x < 100 else high/' calc.py; ";
  const std::string begin = "from calc import clamp\n\n\ndef test_high():\n    assert clamp(";
  k.high_test = file("tests/test_high.py", begin + "9, 0, 5) == 5\n");
  k.wrong_test = file("tests/test_high.py", begin + "9, 0, 5) == 6\n");
  k.old_test = file("tests/test_old.py",
                    "from calc import clamp\n\n\ndef test_old():\n    assert clamp(9, 0, 5) == 9\n");
  k.weaken = file("tests/test_high.py", "def test_high():\n    pass\n");
  k.high_name = "test_high";
  return k;
}

Kit node_kit() {
  Kit k;
  k.name = "node";
  k.programs = {"node"};
  const std::string begin =
      "const test = require('node:test');\nconst assert = require('node:assert');\n"
      "const { clamp } = require('../src/calc');\n\n";
  k.files = {
      {"src/calc.js", "exports.clamp = (x, low, high) => Math.max(x, low);\n"},
      {"test/low.test.js", begin + "test('low', () => {\n  assert.strictEqual(clamp(-1, 0, 5), 0);\n});\n"}};
  k.config =
      "[scoring]\ntest_command = \"node --test --test-reporter=spec --test-reporter-destination=stdout "
      "--test-reporter=junit --test-reporter-destination=$HYDRA_REPORTS/junit.xml\"\n"
      "test_reports = [\"{reports}/junit.xml\"]\n";
  k.comment = "echo '// clamps' >> src/calc.js; ";
  k.fix = "sed -i 's/=> Math.max(x, low)/=> Math.min(Math.max(x, low), high)/' src/calc.js; ";
  k.partial = "sed -i 's/=> Math.max(x, low)/=> (x < 100 ? Math.max(x, low) : high)/' src/calc.js; ";
  const std::string high = begin + "test('high', () => {\n  assert.strictEqual(clamp(9, 0, 5), ";
  k.high_test = file("test/high.test.js", high + "5);\n});\n");
  k.wrong_test = file("test/high.test.js", high + "6);\n});\n");
  k.old_test = file("test/old.test.js",
                    begin + "test('old', () => {\n  assert.strictEqual(clamp(9, 0, 5), 9);\n});\n");
  k.weaken = file("test/high.test.js", "const test = require('node:test');\ntest('high', () => {});\n");
  k.high_name = "high";
  return k;
}

Kit go_kit() {
  Kit k;
  k.name = "go";
  k.programs = {"go"};
  const auto test = [](const std::string& name, const std::string& call, const std::string& want) {
    return "package calc\n\nimport \"testing\"\n\nfunc Test" + name + "(t *testing.T) {\n\tif got := Clamp(" +
           call + "); got != " + want + " {\n\t\tt.Fatal(got)\n\t}\n}\n";
  };
  k.files = {{"go.mod", "module calc\n\ngo 1.19\n"},
             {"calc.go",
              "package calc\n\nfunc Clamp(x, low, high int) int {\n\tif x < low {\n\t\treturn low\n\t}\n"
              "\treturn x\n}\n"},
             {"low_test.go", test("Low", "-1, 0, 5", "0")}};
  k.config =
      "[scoring]\nbuild_command = \"go build ./...\"\ntest_command = \"go test -v ./...\"\n"
      "timeout_per_check_seconds = 300\n";
  k.comment = "echo '// Clamps.' >> calc.go; ";
  k.fix = "sed -i 's/^\\treturn x/\\tif x > high {\\n\\t\\treturn high\\n\\t}\\n\\treturn x/' calc.go; ";
  k.partial = "sed -i 's/^\\treturn x/\\tif x > 100 {\\n\\t\\treturn high\\n\\t}\\n\\treturn x/' calc.go; ";
  k.high_test = file("high_test.go", test("High", "9, 0, 5", "5"));
  k.wrong_test = file("high_test.go", test("High", "9, 0, 5", "6"));
  k.old_test = file("old_test.go", test("Old", "9, 0, 5", "9"));
  k.weaken = file("high_test.go", "package calc\n\nimport \"testing\"\n\nfunc TestHigh(t *testing.T) {}\n");
  k.high_name = "TestHigh";
  return k;
}

Kit cargo_kit() {
  Kit k;
  k.name = "cargo";
  k.programs = {"cargo"};
  const auto test = [](const std::string& name, const std::string& call, const std::string& want) {
    return "#[test]\nfn " + name + "() {\n    assert_eq!(calc::clamp(" + call + "), " + want + ");\n}\n";
  };
  k.files = {{"Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
             {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n"},
             {".gitignore", "target/\n"},
             {"src/lib.rs", "pub fn clamp(x: i32, low: i32, _high: i32) -> i32 {\n    x.max(low)\n}\n"},
             {"tests/low.rs", test("low", "-1, 0, 5", "0")}};
  k.config =
      "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"cargo test --offline "
      "--no-fail-fast\"\ntimeout_per_check_seconds = 300\n[workspace]\noutputs = [\"target\"]\n";
  k.comment = "echo '// clamps' >> src/lib.rs; ";
  k.fix = "sed -i 's/x.max(low)/x.max(low).min(_high)/' src/lib.rs; ";
  k.partial = "sed -i 's/x.max(low)/if x < 100 { x.max(low) } else { _high }/' src/lib.rs; ";
  k.high_test = file("tests/high.rs", test("high", "9, 0, 5", "5"));
  k.wrong_test = file("tests/high.rs", test("high", "9, 0, 5", "6"));
  k.old_test = file("tests/old.rs", test("old", "9, 0, 5", "9"));
  k.weaken = file("tests/high.rs", "#[test]\nfn high() {}\n");
  k.high_name = "high";
  return k;
}

Kit ctest_kit() {
  Kit k;
  k.name = "ctest";
  k.programs = {"cmake", "ctest", "cc", "make"};
  const auto test = [](const std::string& call, const std::string& want) {
    return "int clamp(int, int, int);\nint main(void) { return clamp(" + call + ") == " + want +
           " ? 0 : 1; }\n";
  };
  k.files = {
      {"CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.16)\nproject(calc C)\nenable_testing()\nadd_library(calc calc.c)\n"
       "file(GLOB tests CONFIGURE_DEPENDS tests/*_test.c)\nforeach(source ${tests})\n"
       "  get_filename_component(name ${source} NAME_WE)\n  add_executable(${name} ${source})\n"
       "  target_link_libraries(${name} calc)\n  add_test(NAME ${name} COMMAND ${name})\nendforeach()\n"},
      {".gitignore", "build/\n"},
      {"calc.c", "int clamp(int x, int low, int high) {\n  (void)high;\n  return x < low ? low : x;\n}\n"},
      {"tests/low_test.c", test("-1, 0, 5", "0")}};
  k.config =
      "[scoring]\nbuild_command = \"cmake -G Ninja -S . -B build >/dev/null && cmake --build "
      "build\"\ntest_command = "
      "\"ctest --test-dir build --output-junit $HYDRA_REPORTS/junit.xml\"\n"
      "test_reports = [\"{reports}/junit.xml\"]\n[workspace]\noutputs = [\"build\"]\n";
  k.comment = "echo '/* clamps */' >> calc.c; ";
  k.fix = "sed -i 's/return x < low ? low : x/return x < low ? low : x > high ? high : x/' calc.c; ";
  k.partial = "sed -i 's/return x < low ? low : x/return x < low ? low : x > 100 ? high : x/' calc.c; ";
  k.high_test = file("tests/high_test.c", test("9, 0, 5", "5"));
  k.wrong_test = file("tests/high_test.c", test("9, 0, 5", "6"));
  k.old_test = file("tests/old_test.c", test("9, 0, 5", "9"));
  k.weaken = file("tests/high_test.c", "int main(void) { return 0; }\n");
  k.high_name = "high_test";
  return k;
}

class RightWinner : public ::testing::TestWithParam<Kit> {
 protected:
  World world;
  Json results;
  std::string text;

  void SetUp() override {
    HYDRA_NEEDS(machine::Ability::sandbox);
    for (const auto& program : GetParam().programs) HYDRA_NEEDS(program);
    if (GetParam().name == "pytest" && std::system("/usr/bin/python3 -c 'import pytest' 2>/dev/null") != 0)
      GTEST_SKIP() << "no pytest";
    world.set_environment("PATH", std::getenv("PATH"));
    const fs::path home = std::getenv("HOME");
    for (const auto& [name, directory] : {std::pair{"RUSTUP_HOME", ".rustup"}, {"PYENV_ROOT", ".pyenv"}})
      if (fs::exists(home / directory)) world.set_environment(name, (home / directory).string());
  }

  /// The project, with what `prepare` (shell) makes of it, and agents.
  void make(const std::string& agents, const std::string& prepare = {}, const std::string& more = {}) {
    const auto& kit = GetParam();
    world.init();
    for (const auto& [path, content] : kit.files) world.write(path, content);
    if (!prepare.empty()) {
      world.write("prepare.sh", prepare);
      ASSERT_EQ(std::system(("cd '" + world.repo().string() + "' && sh prepare.sh && rm prepare.sh").c_str()),
                0);
    }
    // Seconds apart, the slower one has hardly a point for speed.
    world.write("hydra.toml",
                kit.config + "[scoring.thresholds]\nauto_merge_minimum = 50\n" + more + "\n" + agents);
    world.commit();
  }
  void race(const Words& args) {
    Words all(args);
    all.emplace_back("make clamp respect its upper bound");
    HydraOptions options;
    options.deadline = std::chrono::minutes(5);
    const auto ran = world.hydra(
        [&] {
          Words words{"race"};
          words.insert(words.end(), all.begin(), all.end());
          return words;
        }(),
        options);
    text = ran.out + ran.err;
    results = world.results();
    ASSERT_EQ(results["state"], "done") << text;
  }
  [[nodiscard]] Json agent(const std::string& name) const { return agent_of(results, name); }
  [[nodiscard]] Json why(const std::string& name) const { return agent(name)["ineligible_reasons"]; }
};

// A comment had 99.4 points and won; the true fix with its tests came last.
TEST_P(RightWinner, ACommentDoesNotWin) {
  const auto& kit = GetParam();
  make(script_agent("comment", kit.comment) + script_agent("fix", "sleep 1; " + kit.fix + kit.high_test));
  race({"--agents", "comment,fix"});
  EXPECT_EQ(results["winner"], "fix") << text;
  EXPECT_EQ(why("comment"), Json::array({"trivial"})) << text;
  EXPECT_EQ(agent("fix")["eligible"], true) << text;
  EXPECT_THAT(text, HasSubstr("trivial"));
}

// A change whose own tests fail got 100.0 and was merged by itself.
TEST_P(RightWinner, WhoseOwnTestsFailDoesNotWin) {
  const auto& kit = GetParam();
  make(script_agent("broken", kit.partial + kit.high_test) + script_agent("wrong", kit.fix + kit.wrong_test));
  race({"--agents", "broken,wrong", "--auto-merge"});
  EXPECT_EQ(results["winner"], "") << text;
  for (const auto* name : {"broken", "wrong"}) {
    EXPECT_EQ(why(name), Json::array({"own_tests_fail"})) << name << text;
    EXPECT_THAT(agent(name)["own_tests_failing"].dump(), HasSubstr(kit.high_name)) << name;
    EXPECT_THAT(agent(name)["message"].get<std::string>(), HasSubstr("its own tests fail")) << name;
  }
  EXPECT_EQ(results["auto_merged"], false);
  EXPECT_THAT(text, HasSubstr("own tests fail"));
}

// An agent that adds useless.txt beat the one that fixed the failing test, and cheaters that exit at once
// beat both.
TEST_P(RightWinner, WhoFixesTheFailingTestWins) {
  const auto& kit = GetParam();
  make(script_agent("useless", "echo x > useless.txt") + script_agent("cheater", kit.weaken) +
           script_agent("fixer", "sleep 2; " + kit.fix),
       kit.high_test);
  race({"--agents", "useless,cheater,fixer", "--auto-merge"});
  EXPECT_EQ(results["winner"], "fixer") << text;
  EXPECT_EQ(results["order_reasons"][0]["by"], "fixed_tests") << text;
  EXPECT_EQ(results["order_reasons"][0]["count"], 1);
  EXPECT_THAT(why("cheater"), Contains("no_effective_change")) << text;
  EXPECT_EQ(agent("useless")["confidence"]["word"], "disputed") << agent("useless")["confidence"].dump();
  EXPECT_EQ(agent("fixer")["confidence"]["word"], "some") << agent("fixer")["confidence"].dump();
  EXPECT_EQ(agent("fixer")["confidence"]["facts"]["fixed"], 1);
  // Every agent could read the test.
  EXPECT_EQ(results["auto_merged"], false) << text;
  EXPECT_THAT(text, HasSubstr("held: only the base's tests support it"));
}

// Byte-identical twins did not tie, and milliseconds chose the winner of equal results.
TEST_P(RightWinner, TwinsTieAndNobodyPretendsToKnow) {
  const auto& kit = GetParam();
  make(script_agent("slow", "sleep 2; " + kit.partial) + script_agent("fast", kit.partial));
  race({"--agents", "slow,fast", "--auto-merge"});
  EXPECT_EQ(agent("slow")["rank"], 1) << text;
  EXPECT_EQ(agent("fast")["rank"], 1) << text;
  EXPECT_EQ(agent("slow")["tied"], true);
  EXPECT_EQ(results["winner"], "fast");
  ASSERT_EQ(results["order_reasons"].size(), 1u) << results["order_reasons"].dump();
  EXPECT_EQ(results["order_reasons"][0]["by"], "same_code");
  EXPECT_EQ(results["order_reasons"][0]["tied"], true);
  EXPECT_THAT(text, HasSubstr("tied with slow: the same code"));
  EXPECT_EQ(agent("fast")["confidence"]["word"], "no evidence");
  EXPECT_EQ(results["auto_merged"], false) << text;
  EXPECT_THAT(text, HasSubstr("not merged automatically: held: it has too little evidence"));
}

// A failed hidden test cost 0.2 points.
TEST_P(RightWinner, WhoFailsAHiddenTestStandsBelow) {
  const auto& kit = GetParam();
  make(script_agent("partial", kit.partial) + script_agent("fix", "sleep 2; " + kit.fix));
  const auto source = world.outside() / "hidden";
  fs::create_directories(source);
  ASSERT_EQ(std::system(("cd '" + source.string() + "' && { " + kit.high_test + "}").c_str()), 0);
  race({"--agents", "partial,fix", "--hidden-tests", source.string()});
  EXPECT_EQ(results["winner"], "fix") << text;
  // Hidden tests are tests of the base where a runner prints neither path nor module.
  EXPECT_THAT(agent("fix")["confidence"]["word"], AnyOf("confirmed", "some")) << agent("fix").dump(1);
  EXPECT_EQ(agent("partial")["confidence"]["word"], "disputed") << agent("partial").dump(1);
  EXPECT_EQ(agent("partial")["rank"], 2);
}

// On a green base the true fix and a partial one had the same points but for speed.
TEST_P(RightWinner, TestsOfOneDecideAboutTheOther) {
  const auto& kit = GetParam();
  make(script_agent("partial", kit.partial) + script_agent("fix", "sleep 2; " + kit.fix + kit.high_test) +
       script_agent("silent", "sleep 1; " + kit.fix));
  race({"--agents", "partial,fix,silent", "--auto-merge"});
  ASSERT_EQ(results["evidence"]["state"], "measured") << results["evidence"].dump();
  EXPECT_EQ(agent("partial")["rank"], 3) << text;
  EXPECT_EQ(agent("partial")["confidence"]["word"], "disputed") << text;
  EXPECT_EQ(results["winner"], "fix") << text;
  EXPECT_EQ(results["final"], true);
  // The checks alone prefer the fastest; verification turns the order.
  EXPECT_THAT(text, HasSubstr("first ranking: partial ")) << text;
  EXPECT_EQ(results["led_before"], "partial");
  EXPECT_THAT(text, HasSubstr("Before verification partial stood first.")) << text;
  EXPECT_EQ(results["order_reasons"][0]["by"], "own_tests") << text;
  EXPECT_EQ(agent("fix")["confidence"]["word"], "own word only");
  // A test that the build has to name changes CMakeLists.txt: other code, for all that anybody can tell.
  const bool one_product = kit.name != "ctest";
  EXPECT_EQ(agent("silent")["confidence"]["word"], one_product ? "own word only" : "some");
  EXPECT_EQ(results["decision"], one_product ? "winner" : "tie") << text;
  EXPECT_EQ(results["auto_merged"], false) << text;
  EXPECT_THAT(world.hydra({"explain", "--matrix"}).out, HasSubstr("fix"));
}

// Every right result lost points, and a comment none, where the task changes what a test of the base expects.
TEST_P(RightWinner, ATestThatTheTaskChangesIsNamedAndCanBeApproved) {
  const auto& kit = GetParam();
  make(script_agent("fix", kit.fix) + script_agent("useless", "echo x > useless.txt"),
       kit.old_test + kit.high_test);
  race({"--agents", "fix,useless"});
  ASSERT_EQ(results["contested"].size(), 1u) << text;
  const auto name = results["contested"][0]["name"].get<std::string>();
  EXPECT_THAT(name, AnyOf(HasSubstr("old"), HasSubstr("Old")));
  EXPECT_THAT(text, HasSubstr("Probably changed by the task"));
  const auto again = world.hydra({"verify", "--approve-test", name});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  results = world.results();
  EXPECT_EQ(results["winner"], "fix") << again.out;
  EXPECT_EQ(agent("fix")["dimensions"]["tests"]["points"], 100.0) << agent("fix").dump(1);
  EXPECT_EQ(results["approved_tests"], Json::array({name}));
  EXPECT_EQ(results["contested"], Json::array());
  EXPECT_EQ(agent("fix")["attempt"], 1) << "no agent ran again";
  EXPECT_NE(world.hydra({"verify", "--approve-test", "no such test"}).exit, 0);
  EXPECT_THAT(world.hydra({"rescore"}).out, HasSubstr("the same, bit by bit"));
}

INSTANTIATE_TEST_SUITE_P(Kits, RightWinner,
                         ::testing::Values(pytest_kit(), node_kit(), go_kit(), cargo_kit(), ctest_kit()),
                         [](const auto& kit_info) { return kit_info.param.name; });

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
