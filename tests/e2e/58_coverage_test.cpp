// Which changed lines the tests run where the code has to be compiled for it, and mutants of those lines
// only.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Line 3 is run by no test.
const char* const kClampInC =
    "int clamp(int x, int low, int high) {\n"
    "  if (x < low && low == 7)\n"
    "    return 70;\n"
    "  return x > high ? high : x < low ? low : x;\n"
    "}\n";

class Coverage : public ::testing::Test {
 protected:
  void project(const std::map<std::string, std::string>& files, const std::string& scoring,
               const std::string& path, const std::string& text) {
    world.init();
    for (const auto& [name, content] : files) world.write(name, content);
    world.write("hydra.toml", "[scoring]\n" + scoring + "[selection]\ncoverage = \"winner\"\n" +
                                  script_agent("right", "cat > " + path + " <<'EOF'\n" + text + "EOF\n"));
    world.commit();
    const auto ran = world.race({"--agents", "right", "clamp"});
    out = ran.out;
    coverage = agent_of(world.results(), "right")["diff_coverage"];
  }
  void expect_third_line_never_run(const std::string& path) {
    ASSERT_EQ(coverage["state"], "measured") << coverage.dump(1) << out;
    EXPECT_EQ(coverage["never_run"], Json::array({{{"path", path}, {"from", 3}, {"to", 3}}}))
        << coverage.dump(1);
    EXPECT_GE(coverage["run"].get<int>(), 2) << coverage.dump(1);
  }
  World world;
  Json coverage;
  std::string out;
};

TEST_F(Coverage, MakeIsBuiltAnewForGcov) {
  HYDRA_NEEDS("gcov", "make");
  project({{".gitignore", "*.o\ncheck\n*.gc*\n"},
           {"src/calc.c", "int clamp(int x, int low, int high) {\n  return x;\n}\n"},
           {"check.c", "int clamp(int, int, int);\nint main(void) { return clamp(2, 1, 3) == 2 ? 0 : 1; }\n"},
           {"Makefile", "check: src/calc.o check.o\n\t$(CC) -o $@ $^\n"}},
          "build_command = \"make check\"\ntest_command = \"./check\"\n", "src/calc.c", kClampInC);
  expect_third_line_never_run("src/calc.c");
}

TEST_F(Coverage, CMakeIsConfiguredAnewForGcov) {
  HYDRA_NEEDS("gcov", "cmake", "make");
  std::string in_cpp = kClampInC;
  project({{".gitignore", "build/\n"},
           {"calc.cpp", "int clamp(int x, int low, int high) {\n  return x;\n}\n"},
           {"check.cpp", "int clamp(int, int, int);\nint main() { return clamp(2, 1, 3) == 2 ? 0 : 1; }\n"},
           {"CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(calc CXX)\nenable_testing()\n"
            "add_executable(check calc.cpp check.cpp)\nadd_test(NAME check COMMAND check)\n"}},
          "build_command = \"cmake -S . -B build && cmake --build build\"\n"
          "test_command = \"ctest --test-dir build --output-on-failure\"\n",
          "calc.cpp", in_cpp);
  expect_third_line_never_run("calc.cpp");
}

// Only the tools of rustc's own LLVM read what it writes: where they are not here, that is said, and only
// there.
TEST_F(Coverage, CargoTellsOrSaysWhatIsMissing) {
  if (!world.use_cargo()) GTEST_SKIP() << "no cargo";
  project({{".gitignore", "target/\n"},
           {"Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
           {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n"},
           {"src/lib.rs",
            "pub fn clamp(x: i32, low: i32, high: i32) -> i32 {\n    let _ = (low, high);\n    x\n}\n"},
           {"tests/check.rs", "#[test]\nfn inside() {\n    assert_eq!(calc::clamp(2, 1, 3), 2);\n}\n"}},
          "test_command = \"cargo test --offline\"\n", "src/lib.rs",
          "pub fn clamp(x: i32, low: i32, high: i32) -> i32 {\n"
          "    if x < low && low == 7 {\n"
          "        return 70;\n"
          "    }\n"
          "    x.max(low).min(high)\n"
          "}\n");
  if (coverage["state"] == "measured") return expect_third_line_never_run("src/lib.rs");
  const auto tools_of_rustc =
      "m=$(rustc -vV | sed -n 's/^LLVM version: \\([0-9]*\\).*/\\1/p'); ls \"$(rustc --print sysroot)\""
      "/lib/rustlib/*/bin/llvm-cov >/dev/null 2>&1 || command -v \"llvm-cov-$m\" >/dev/null";
  ASSERT_NE(std::system(tools_of_rustc), 0) << coverage.dump(1) << out;
  EXPECT_EQ(coverage["reason"], "no_llvm_tools") << coverage.dump(1) << out;
  EXPECT_THAT(out, HasSubstr("rustup component add llvm-tools"));
}

// A mutant of a line that no test runs costs a run and says what the coverage has said already.
class MutantsOfRunLines : public ::testing::Test {
 protected:
  void make(const std::string& selection) {
    world.init();
    world.write("calc.py", "def clamp(x, low, high):\n    return x\n");
    world.write("tests/__init__.py", "");
    world.write(
        "tests/test_calc.py",
        "import unittest\nimport calc\n\n\nclass Test(unittest.TestCase):\n    def test_inside(self):\n"
        "        self.assertEqual(calc.clamp(2, 1, 3), 2)\n");
    world.write(".gitignore", "__pycache__/\n");
    world.write("hydra.toml",
                "[scoring]\ntest_command = \"python3 -m unittest discover -v -s tests -t .\"\n" + selection +
                    script_agent("right",
                                 "cat > calc.py <<'EOF'\n"
                                 "def clamp(x, low, high):\n"
                                 "    if x is None and low == 7:\n"
                                 "        return 70\n"
                                 "    return max(low, min(x, high))\n"
                                 "EOF\n"));
    world.commit();
    ran = world.race({"--agents", "right", "clamp"});
  }
  [[nodiscard]] Json mutants() const { return agent_of(world.results(), "right")["mutants"]; }
  [[nodiscard]] std::set<int> lines() const {
    std::set<int> found;
    const auto report = mutants();
    for (const auto& mutant : report["mutants"]) found.insert(mutant["line"].get<int>());
    return found;
  }
  World world;
  e2e::Run ran;
};

TEST_F(MutantsOfRunLines, ARaceMeasuresCoverageFirst) {
  make("[selection]\nmutants = 6\ncoverage = \"winner\"\n");
  EXPECT_EQ(lines(), (std::set<int>{2, 4})) << mutants().dump(1);
  EXPECT_EQ(mutants()["never_run"], 1);
  EXPECT_THAT(ran.out, HasSubstr("none of 1 line that no test runs"));
}

TEST_F(MutantsOfRunLines, WhoAsksForMutantsAloneGetsAllLines) {
  make("");
  const auto first = world.hydra({"verify", "--mutants"});
  EXPECT_EQ(lines(), (std::set<int>{2, 3, 4})) << mutants().dump(1);
  EXPECT_THAT(first.out, Not(HasSubstr("that no test runs")));
  const auto both = world.hydra({"verify", "--mutants", "--coverage"});
  EXPECT_EQ(both.exit, 0) << both.out << both.err;
  EXPECT_EQ(lines(), (std::set<int>{2, 4})) << mutants().dump(1);
  EXPECT_THAT(both.out, HasSubstr("none of 1 line that no test runs"));
  EXPECT_EQ(agent_of(world.results(), "right")["diff_coverage"]["state"], "measured");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
