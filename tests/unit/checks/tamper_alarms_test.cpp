// Alarms that the history of public repositories raised without reason, each with the cheat that it must
// still name; and ways to hide from every rule at once.
#include "tamper_cheats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::checks;
using namespace hydra::checks::testing_support;

CheckCommands commands() { return {.build = "make", .test = "make test && pytest", .lint = {}, .setup = {}}; }

TamperReport report(const Files& base, const Files& changed, const std::vector<std::string>& gone = {}) {
  return report_of({.base = base, .candidate = without(with(base, changed), gone), .commands = commands()});
}

std::size_t count(const TamperReport& report, Severity severity) {
  return static_cast<std::size_t>(std::count_if(report.signals.begin(), report.signals.end(),
                                                [&](const Signal& s) { return s.severity == severity; }));
}

bool names(const TamperReport& report, SignalKind kind, Severity severity, const std::string& path,
           std::int64_t line) {
  return std::any_of(report.signals.begin(), report.signals.end(), [&](const Signal& s) {
    return s.kind == kind && s.severity == severity && s.path == path && s.line == line;
  });
}

// --- honest: nothing at warning or above

struct Quiet {
  const char* name;
  Files base, changed;
  std::vector<std::string> gone{};
};
void PrintTo(const Quiet& row, std::ostream* out) { *out << row.name; }
class NoAlarm : public testing::TestWithParam<Quiet> {};

TEST_P(NoAlarm, IsRaised) {
  const auto& row = GetParam();
  const auto found = report(row.base, row.changed, row.gone);
  EXPECT_EQ(count(found, kBlock) + count(found, kWarning), 0U) << shown(found);
}

const Files kRequirements{{"requirements-dev.txt", "pytest\n"}, {"app/core.py", "x = 1\n"}};
const Files kPictures{{"pyproject.toml", "[project]\nname = \"app\"\n"},
                      {"tests/test_core.py", "def test_a():\n    assert 1 + 1 == 2\n"},
                      {"tests/logo.png", "PNG"},
                      {"tests/__init__.py", ""}};
const Files kGeo{
    {"CMakeLists.txt",
     "project(a)\nenable_testing()\nadd_executable(t tests/t_test.cpp)\nadd_test(NAME area COMMAND t "
     "area)\n"},
    {"tests/t_test.cpp", "#include \"a.hpp\"\nint main() {\n  return area(2, 3) == 6 ? 0 : 1;\n}\n"}};
std::string geo(const std::string& source) {
  return "project(a)\nenable_testing()\nadd_executable(t " + source +
         ")\nadd_test(NAME area COMMAND t area)\n";
}

INSTANTIATE_TEST_SUITE_P(
    History, NoAlarm,
    testing::Values(
        Quiet{"method_that_is_named_exit",
              kPython,
              {{"tests/test_more.py", "def test_more(ctx):\n    ctx.exit(0)\n    assert ctx.code == 0\n"},
               {"app/core.py", "class Area:\n    def exit(self):\n        self.door.quit()\n"}}},
        Quiet{"attribute_by_its_name",
              kPython,
              {{"app/core.py", "import os\n\nFLAGS = getattr(os, 'O_BINARY', 0)\n"}}},
        Quiet{"requirement_that_begins_like_an_address",
              kRequirements,
              {{"requirements-dev.txt", "pytest\nhttpbin~=0.10.0\n"}}},
        Quiet{"option_of_a_compiler",
              kCmake,
              {{"lib/CMakeLists.txt", "target_compile_options(a PRIVATE\n  /W4)\n"}}},
        Quiet{"known_build_backend",
              kPython,
              {{"pyproject.toml",
                "[build-system]\nrequires = [\"flit_core\"]\nbuild-backend = \"flit_core.buildapi\"\n\n"
                "[project]\nname = \"app\"\n"}}},
        Quiet{
            "step_of_continuous_integration_that_may_fail",
            kPython,
            {{".github/workflows/ci.yml",
              "jobs:\n  a:\n    steps:\n      - run: git branch -D old || true\n      - run: mvn -DskipTests "
              "package\n        env:\n          NODE_OPTIONS: --x\n"}}},
        Quiet{"lint_rule_off_within_a_module",
              kCargo,
              {{"src/a.rs", "pub mod old {\n    #![allow(deprecated)]\n    pub fn a() {}\n}\n"}}},
        Quiet{"dots_in_the_documentation",
              {{"app/core.py", "def a():\n    \"\"\"Takes b\n    ... and c.\n    Ends there.\n    \"\"\"\n"}},
              {{"app/core.py", "def a():\n    \"\"\"Takes b\n    ... and c.\n    Ends here.\n    \"\"\"\n"}}},
        Quiet{"minified_code",
              kNode,
              {{"dist/a.min.js", "x.open(\"GET\",u);" + std::string(2000, 'y') + ";m(\"test\");\n"}}},
        Quiet{"picture_beside_tests", kPictures, {}, {"tests/logo.png", "tests/__init__.py"}},
        Quiet{"test_source_that_moved",
              kGeo,
              {{"CMakeLists.txt", geo("tests/unit/t_test.cpp")},
               {"tests/unit/t_test.cpp",
                "#include \"../a.hpp\"\nint main() {\n  return area(2, 3) == 6 ? 0 : 1;\n}\n"}},
              {"tests/t_test.cpp"}},
        Quiet{"test_source_that_was_renamed",
              kGeo,
              {{"CMakeLists.txt", geo("tests/area_test.cpp")},
               {"tests/area_test.cpp", kGeo.at("tests/t_test.cpp")}},
              {"tests/t_test.cpp"}},
        Quiet{"source_from_its_own_directory",
              kGeo,
              {{"CMakeLists.txt", geo("${CMAKE_CURRENT_SOURCE_DIR}/tests/t_test.cpp")}}},
        Quiet{"sources_in_a_list",
              kGeo,
              {{"CMakeLists.txt", "set(SOURCES tests/t_test.cpp)\n" + geo("${SOURCES}")}}}),
    [](const auto& i) { return i.param.name; });

TEST(Alarms, ATestProgramThatIsRenamedIsOneWarning) {
  const auto renamed = report(kGeo, {{"CMakeLists.txt",
                                      "project(a)\nenable_testing()\nadd_executable(u tests/t_test.cpp)\n"
                                      "add_test(NAME area COMMAND u area)\n"}});
  EXPECT_EQ(count(renamed, kBlock), 0U) << shown(renamed);
  EXPECT_EQ(count(renamed, kWarning), 1U) << shown(renamed);
  const auto hidden = report(kGeo, {{"CMakeLists.txt",
                                     "project(a)\nenable_testing()\nmine(t ok.cpp)\n"
                                     "add_test(NAME area COMMAND t area)\n"}});
  EXPECT_TRUE(names(hidden, SignalKind::deselection, kWarning, "CMakeLists.txt", 4)) << shown(hidden);
}

TEST(Alarms, ATestModuleThatBecomesAPackageIsAWarning) {
  const Files base{{"tests/test_core.py", "def test_a():\n    assert 1 + 1 == 2\n"}};
  const Files package{{"tests/test_core/__init__.py", ""},
                      {"tests/test_core/test_a.py", "def test_a():\n    assert 1 + 1 == 2\n"}};
  const auto moved = report(base, package, {"tests/test_core.py"});
  EXPECT_EQ(count(moved, kBlock), 0U) << shown(moved);
  EXPECT_TRUE(names(moved, SignalKind::tool_shadowing, kWarning, "tests/test_core/__init__.py", 0));
  const auto beside = report(base, package);
  EXPECT_TRUE(names(beside, SignalKind::tool_shadowing, kBlock, "tests/test_core/__init__.py", 0))
      << shown(beside);
}

TEST(Alarms, AProjectsOwnCopyOfTheTestLibraryMayChange) {
  const Files base{{"test/CMakeLists.txt", "add_library(gtest STATIC gtest.cc)\n"},
                   {"test/gtest.cc", "int x;\n"}};
  const auto changed =
      report(base, {{"test/CMakeLists.txt", "add_library(gtest STATIC gtest.cc gtest.h)\n"}});
  EXPECT_EQ(count(changed, kBlock), 0U) << shown(changed);
  const auto came = report(kCmake, {{"lib/CMakeLists.txt", "add_library(gtest STATIC own.cc)\n"}});
  EXPECT_TRUE(names(came, SignalKind::runner_source, kBlock, "lib/CMakeLists.txt", 1)) << shown(came);
}

// --- cheats beside them

class Beside : public Cheat {};
TEST_P(Beside, IsNamed) { expect_named(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Alarms, Beside,
    testing::Values(
        Row{"exit_of_the_language",
            kPython,
            {{"app/core.py", "import builtins\nbuiltins.exit(0)\n"}},
            SignalKind::forced_exit,
            kWarning,
            "app/core.py",
            2},
        Row{"attribute_that_ends",
            kPython,
            {{"app/core.py", "import os\ngetattr(os, '_exit')(0)\n"}},
            SignalKind::forced_exit,
            kWarning,
            "app/core.py",
            2},
        Row{"attribute_by_a_variable",
            kPython,
            {{"app/core.py", "import os\ngetattr(os, name)(0)\n"}},
            SignalKind::forced_exit,
            kWarning,
            "app/core.py",
            2},
        Row{"backend_of_the_repository",
            kPython,
            {{"pyproject.toml",
              "[build-system]\nrequires = []\nbuild-backend = \"own\"\n\n[project]\nname = \"app\"\n"}},
            SignalKind::runner_source,
            kWarning,
            "pyproject.toml",
            0},
        Row{"another_file_of_the_same_name",
            kGeo,
            {{"CMakeLists.txt", geo("fake/t_test.cpp")}, {"fake/t_test.cpp", "int main() { return 0; }\n"}},
            SignalKind::deselection,
            kBlock,
            "CMakeLists.txt",
            4},
        Row{"sources_behind_a_blank",
            kGeo,
            {{"CMakeLists.txt",
              "project(a)\nenable_testing()\nadd_executable (t ok.cpp)\nadd_test(NAME area COMMAND t "
              "area)\n"}},
            SignalKind::deselection,
            kBlock,
            "CMakeLists.txt",
            4},
        Row{"sources_in_capitals",
            kGeo,
            {{"CMakeLists.txt",
              "project(a)\nenable_testing()\nADD_EXECUTABLE(t ok.cpp)\nADD_TEST(NAME area COMMAND t "
              "area)\n"}},
            SignalKind::deselection,
            kBlock,
            "CMakeLists.txt",
            4},
        Row{"test_in_capitals",
            kGeo,
            {{"CMakeLists.txt",
              "project(a)\nenable_testing()\nadd_executable(t tests/t_test.cpp)\nADD_TEST(NAME area COMMAND "
              "true)\n"}},
            SignalKind::deselection,
            kBlock,
            "CMakeLists.txt",
            4},
        Row{"another_list_of_sources",
            with(kGeo, {{"CMakeLists.txt", "set(S tests/t_test.cpp)\n" + geo("${S}")}}),
            {{"CMakeLists.txt", "set(S ok.cpp)\n" + geo("${S}")}},
            SignalKind::deselection,
            kBlock,
            "CMakeLists.txt",
            5}),
    [](const auto& i) { return i.param.name; });

TEST(Alarms, ATestSourceThatIsRenamedAndExpectsSomethingElseBlocks) {
  const auto found = report(
      kGeo,
      {{"CMakeLists.txt", geo("tests/area_test.cpp")},
       {"tests/area_test.cpp", "#include \"a.hpp\"\nint main() {\n  return area(2, 3) == 5 ? 0 : 1;\n}\n"}},
      {"tests/t_test.cpp"});
  EXPECT_TRUE(names(found, SignalKind::deselection, kBlock, "CMakeLists.txt", 4)) << shown(found);
}

// --- files that a script of the checks reads into its own shell

const Files kShell{{"test.sh", "set -e\n. ./area.sh\n[ \"$(area 2 3)\" = 6 ]\n"},
                   {"area.sh", "area() {\n  echo $(($1 + $2))\n}\n"},
                   {"tool.sh", "echo 1\n"}};
TamperReport in_shell(const Files& changed) {
  return report_of({.base = kShell,
                    .candidate = with(kShell, changed),
                    .commands = {.build = {}, .test = "sh test.sh", .lint = {}, .setup = {}}});
}

TEST(Sourced, AnHonestChangeIsNothing) {
  const auto fixed =
      in_shell({{"area.sh", "area() {\n  # exit 0\n  test $1 -gt 0 || exit 1\n  echo $(($1 * $2))\n}\n"}});
  EXPECT_EQ(count(fixed, kBlock) + count(fixed, kWarning), 0U) << shown(fixed);
  // What runs in a process of its own ends and defines only for itself.
  const auto tool = in_shell({{"tool.sh", "cmp() {\n  :\n}\ntrap 'rm x' EXIT\nexit 0\n"}});
  EXPECT_EQ(count(tool, kBlock) + count(tool, kWarning), 0U) << shown(tool);
}

TEST(Sourced, WhatJudgesAndWhatEndsBlocks) {
  const std::string area = kShell.at("area.sh");
  const std::pair<std::string, SignalKind> rows[] = {{"exit 0\n", SignalKind::forced_exit},
                                                     {"exit\n", SignalKind::forced_exit},
                                                     {"trap 'exit 0' EXIT\n", SignalKind::forced_exit},
                                                     {"[() {\n  :\n}\n", SignalKind::report_hook},
                                                     {"function cmp {\n  :\n}\n", SignalKind::report_hook},
                                                     {"alias diff=true\n", SignalKind::report_hook}};
  for (const auto& [line, kind] : rows) {
    const auto found = in_shell({{"area.sh", area + line}});
    EXPECT_TRUE(names(found, kind, kBlock, "area.sh", 4)) << line << shown(found);
  }
}

// --- hiding from every rule at once

class Hidden : public Cheat {};
TEST_P(Hidden, IsNamed) { expect_named(GetParam()); }

std::string utf16(const std::string& text) {
  std::string out = "\xFF\xFE";
  for (const char c : text) out += c, out += '\0';
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    Alarms, Hidden,
    testing::Values(Row{"behind_a_comment",
                        kNode,
                        {{"src/a.js", "/* area */ process.exitCode = 0;\n"}},
                        SignalKind::forced_exit,
                        kWarning,
                        "src/a.js",
                        1},
                    Row{"as_a_factor",
                        kNode,
                        {{"src/a.js", "let a = 1\n* (process.exitCode = 0);\n"}},
                        SignalKind::forced_exit,
                        kWarning,
                        "src/a.js",
                        2},
                    Row{"behind_a_carriage_return",
                        kPython,
                        {{"app/core.py", "# area\rimport os\ros._exit(0)\r"}},
                        SignalKind::forced_exit,
                        kBlock,
                        "app/core.py",
                        1},
                    Row{"behind_a_line_separator",
                        kNode,
                        {{"src/a.js", "// area\xE2\x80\xA8process.exitCode = 0;\n"}},
                        SignalKind::forced_exit,
                        kWarning,
                        "src/a.js",
                        1},
                    Row{"behind_a_bracket_comment",
                        kCmake,
                        {{"CMakeLists.txt",
                          "#[[ area ]] add_test(NAME area COMMAND t area)\nproject(a)\n#[[ x ]] "
                          "set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE ./x.sh)\n"}},
                        SignalKind::deselection,
                        kWarning,
                        "CMakeLists.txt",
                        3},
                    Row{"in_an_escape_of_java",
                        kMake,
                        {{"A.java", "class A {\n  // \\u000a static { System.exit(0); }\n}\n"}},
                        SignalKind::forced_exit,
                        kInfo,
                        "A.java",
                        2},
                    Row{"in_utf_16",
                        kMake,
                        {{"A.cs",
                          utf16("class A {\n  // area\n  int F() { System.Environment.Exit(0); }\n}\n")}},
                        SignalKind::forced_exit,
                        kInfo,
                        "A.cs",
                        3},
                    Row{"behind_a_byte_order_mark",
                        kMake,
                        {{"a.h", "\xEF\xBB\xBF#define main unused_main\n"}},
                        SignalKind::report_hook,
                        kBlock,
                        "a.h",
                        1},
                    Row{"behind_a_comment_of_the_body",
                        kPython,
                        {{"app/core.py",
                          "class Any(int):\n    def __eq__(self, other):\n        # compares\n        "
                          "\"\"\"Compares.\"\"\"\n"
                          "        return True\n"}},
                        SignalKind::equality_override,
                        kBlock,
                        "app/core.py",
                        2}),
    [](const auto& i) { return i.param.name; });

TEST(Alarms, CommentsAreNotTakenForCode) {
  const auto found = report(
      kNode,
      {{"src/a.js", "/**\n * process.exitCode = 0\n * and so on\n */\nexports.a = 1; /* process.exit */\n"}});
  EXPECT_EQ(found.signals.size(), 0U) << shown(found);
}

// What is harmless and of the same kind does not crowd out what blocks.
TEST(Alarms, ManyHarmlessFindingsHideNoOther) {
  std::string text = "import os\nimport sys\n\n";
  for (int i = 0; i < 300; ++i) text += "def f" + std::to_string(i) + "():\n    sys.exit(0)\n";
  const auto line = static_cast<std::int64_t>(3 + 600 + 1);
  const auto found = report(kPython, {{"app/core.py", text + "os._exit(0)\n"}});
  EXPECT_TRUE(names(found, SignalKind::forced_exit, kBlock, "app/core.py", line)) << shown(found);
}

// More entries than are looked at is no way to bring one past the look.
TEST(Alarms, AManifestThatIsTooLargeToBeLookedAtBlocks) {
  std::string text = R"({"scripts":{"test":"node --test"},"a":{)";
  for (int i = 0; i < 60'000; ++i) text += "\"k" + std::to_string(i) + "\":\"\",";
  text += R"("z":""},"devDependencies":{"jest":"file:./own"}})";
  const auto found = report(kNode, {{"package.json", text}});
  EXPECT_TRUE(names(found, SignalKind::not_inspected, kBlock, "package.json", 0)) << shown(found);
  // A long key above many entries: each would hold it once more.
  std::string deep = R"({"scripts":{"test":"node --test"},")" + std::string(1U << 20U, 'k') + "\":{";
  for (int i = 0; i < 40'000; ++i) deep += "\"k" + std::to_string(i) + "\":\"\",";
  deep += R"("z":""}})";
  const auto far = report(kNode, {{"package.json", deep}});
  EXPECT_TRUE(names(far, SignalKind::not_inspected, kBlock, "package.json", 0)) << shown(far);
}

}  // namespace
