#include "integrity/protect/protected_paths.hpp"

#include "step_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace {

using namespace hydra;
using namespace hydra::integrity;
using namespace hydra::trees;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Paths = std::vector<std::string>;

constexpr auto kAdded = ChangeKind::added;
constexpr auto kModified = ChangeKind::modified;
constexpr auto kDeleted = ChangeKind::deleted;

struct Rules {
  explicit Rules(Paths paths, CheckCommands commands = {}, Paths protect = {}, Paths unprotect = {},
                 std::map<std::string, std::string> texts = {})
      : base(std::move(paths)),
        rules({&base, std::move(commands), std::move(protect), std::move(unprotect),
               [texts = std::move(texts)](std::string_view path) -> std::optional<std::string> {
                 const auto found = texts.find(std::string(path));
                 if (found == texts.end()) return std::nullopt;
                 return found->second;
               }}) {}
  /// "remove conftest.py", in the plan's order.
  [[nodiscard]] Paths plan(const std::vector<Change>& changes) const {
    Paths out;
    for (const auto& step : plan_restore(changes, rules).steps)
      out.push_back(testing_support::words_of(step));
    return out;
  }
  BaseTree base;
  ProtectedPaths rules;
};

const Paths kPython{"pyproject.toml",    "src/app/__init__.py", "src/app/core.py", "tests/test_core.py",
                    "tests/conftest.py", "tests/data/in.json",  "README.md"};
const Paths kNode{"package.json",  "package-lock.json", "src/a.js",
                  "src/a.test.js", "test/b.js",         "jest.config.js"};
const Paths kCargo{"Cargo.toml", "Cargo.lock", "src/lib.rs", "src/tests.rs", "tests/api.rs"};
const Paths kGo{"go.mod", "a.go", "a_test.go", "testdata/in.txt"};
const Paths kCmake{"CMakeLists.txt", "src/a.cpp", "tests/CMakeLists.txt", "tests/a_test.cpp",
                   "tests/data/in.txt"};
const Paths kMake{"Makefile", "a.c", "test_a.c", "run_tests.sh"};
const Paths kMaven{"pom.xml", "src/main/java/A.java", "src/test/java/ATest.java"};
const Paths kRuby{"Gemfile", "lib/a.rb", "spec/a_spec.rb", "spec/spec_helper.rb"};

// --- one change, one step: docs/integrity.md

struct Row {
  const char* name;
  Paths base;
  Change change;
  const char* step;  ///< "" for none
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
class Step : public testing::TestWithParam<Row> {};

TEST_P(Step, IsPlanned) {
  const auto& row = GetParam();
  const auto plan = Rules(row.base).plan({row.change});
  if (*row.step == '\0')
    EXPECT_THAT(plan, IsEmpty());
  else
    EXPECT_THAT(plan, ElementsAre(row.step));
}

INSTANTIATE_TEST_SUITE_P(
    Python, Step,
    testing::Values(
        Row{"code", kPython, {"src/app/core.py", kModified}, ""},
        Row{"new_code", kPython, {"src/app/new.py", kAdded}, ""},
        Row{"test", kPython, {"tests/test_core.py", kModified}, "base tests/test_core.py"},
        Row{"deleted", kPython, {"tests/test_core.py", kDeleted}, "base tests/test_core.py"},
        Row{"data", kPython, {"tests/data/in.json", kModified}, "base tests/data/in.json"},
        Row{"new_test", kPython, {"tests/test_new.py", kAdded}, "remove tests/test_new.py"},
        Row{"conftest", kPython, {"tests/conftest.py", kModified}, "base tests/conftest.py"},
        Row{"new_conftest", kPython, {"conftest.py", kAdded}, "remove conftest.py"},
        Row{"conftest_in_code", kPython, {"src/app/conftest.py", kAdded}, "remove src/app/conftest.py"},
        Row{"pytest_ini", kPython, {"pytest.ini", kAdded}, "remove pytest.ini"},
        Row{"tox_ini", kPython, {"tox.ini", kAdded}, "remove tox.ini"},
        Row{"sitecustomize", kPython, {"sitecustomize.py", kAdded}, "remove sitecustomize.py"},
        Row{"pth", kPython, {"lib/site-packages/x.pth", kAdded}, "remove lib/site-packages/x.pth"},
        Row{"weights", kPython, {"data/weights.pth", kAdded}, ""},
        Row{"package_beside_a_test",
            {"pyproject.toml", "test_area.py", "area.py"},
            {"test_area/__init__.py", kAdded},
            "remove test_area/__init__.py"},
        Row{"package_beside_a_test_deeper",
            {"pyproject.toml", "shop/test_area.py", "shop/area.py"},
            {"shop/test_area/__init__.pyc", kAdded},
            "remove shop/test_area/__init__.pyc"},
        Row{"extension_beside_a_test",
            {"pyproject.toml", "test_area.py", "area.py"},
            {"test_area.cpython-311-x86_64-linux-gnu.so", kAdded},
            "remove test_area.cpython-311-x86_64-linux-gnu.so"},
        Row{"package_beside_a_hook",
            {"pyproject.toml", "conftest.py", "area.py"},
            {"conftest/__init__.py", kAdded},
            "remove conftest/__init__.py"},
        Row{"package_beside_code",
            {"pyproject.toml", "test_area.py", "area.py"},
            {"area/__init__.py", kAdded},
            ""},
        Row{"data_beside_a_test",
            {"pyproject.toml", "test_area.py", "area.py"},
            {"test_area/data.json", kAdded},
            ""},
        Row{"standard_module", kPython, {"argparse.py", kAdded}, "remove argparse.py"},
        Row{"standard_package", kPython, {"json/__init__.py", kAdded}, "remove json/__init__.py"},
        Row{"standard_module_in_the_package", kPython, {"src/app/json.py", kAdded}, ""},
        Row{"own_queue", kPython, {"queue.py", kAdded}, ""},
        Row{"pyproject", kPython, {"pyproject.toml", kModified}, "keys pyproject.toml"},
        Row{"pyproject_gone", kPython, {"pyproject.toml", kDeleted}, "base pyproject.toml"},
        Row{"setup_cfg", kPython, {"setup.cfg", kAdded}, "keys setup.cfg"},
        Row{"runner_package", kPython, {"unittest/__init__.py", kAdded}, "remove unittest/__init__.py"},
        Row{"own_coverage_module", kPython, {"src/app/coverage.py", kAdded}, ""},
        Row{"ci", kPython, {".github/workflows/ci.yml", kAdded}, "remove .github/workflows/ci.yml"},
        Row{"lint", kPython, {"ruff.toml", kAdded}, "remove ruff.toml"},
        Row{"readme", kPython, {"README.md", kModified}, ""}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Others, Step,
    testing::Values(
        Row{"js_code", kNode, {"src/a.js", kModified}, ""},
        Row{"js_test", kNode, {"src/a.test.js", kDeleted}, "base src/a.test.js"},
        Row{"js_directory", kNode, {"test/b.js", kModified}, "base test/b.js"},
        Row{"jest_config", kNode, {"jest.config.js", kModified}, "base jest.config.js"},
        Row{"other_jest_config", kNode, {"jest.config.ts", kAdded}, "remove jest.config.ts"},
        Row{"jest_setup", kNode, {"jest.setup.js", kAdded}, "remove jest.setup.js"},
        Row{"mocks", kNode, {"__mocks__/assert.js", kAdded}, "remove __mocks__/assert.js"},
        Row{"mocharc", kNode, {".mocharc.yml", kAdded}, "remove .mocharc.yml"},
        Row{"npmrc", kNode, {".npmrc", kAdded}, "remove .npmrc"},
        Row{"package", kNode, {"package.json", kModified}, "keys package.json"},
        Row{"lock", kNode, {"package-lock.json", kModified}, ""},
        Row{"vite", kNode, {"vite.config.ts", kAdded}, "flag vite.config.ts"},
        Row{"snapshot",
            kNode,
            {"src/__snapshots__/a.test.js.snap", kAdded},
            "remove src/__snapshots__/a.test.js.snap"},
        Row{"rust_test", kCargo, {"tests/api.rs", kDeleted}, "base tests/api.rs"},
        Row{"rust_new_test", kCargo, {"tests/new.rs", kAdded}, "remove tests/new.rs"},
        Row{"rust_module", kCargo, {"src/tests.rs", kModified}, "base src/tests.rs"},
        Row{"rust_new_module", kCargo, {"src/x/tests.rs", kAdded}, "flag src/x/tests.rs"},
        Row{"rust_code", kCargo, {"src/lib.rs", kModified}, "items src/lib.rs"},
        Row{"cargo_config", kCargo, {".cargo/config.toml", kAdded}, "remove .cargo/config.toml"},
        Row{"cargo_toml", kCargo, {"Cargo.toml", kModified}, "keys Cargo.toml"},
        Row{"build_rs", kCargo, {"build.rs", kAdded}, "flag build.rs"},
        Row{"go_test", kGo, {"a_test.go", kModified}, "base a_test.go"},
        Row{"go_new_test", kGo, {"b_test.go", kAdded}, "remove b_test.go"},
        Row{"go_data", kGo, {"testdata/in.txt", kModified}, "base testdata/in.txt"},
        Row{"go_work", kGo, {"go.work", kAdded}, "remove go.work"},
        Row{"cmake_lists", kCmake, {"tests/CMakeLists.txt", kModified}, "flag tests/CMakeLists.txt"},
        Row{"cmake_test", kCmake, {"tests/a_test.cpp", kModified}, "base tests/a_test.cpp"},
        Row{"cmake_new_test", kCmake, {"tests/b_test.cpp", kAdded}, "flag tests/b_test.cpp"},
        Row{"ctest_custom", kCmake, {"CTestCustom.cmake", kAdded}, "remove CTestCustom.cmake"},
        Row{"makefile", kMake, {"Makefile", kModified}, "keys Makefile"},
        Row{"other_makefile", kMake, {"GNUmakefile", kAdded}, "remove GNUmakefile"},
        Row{"pom", kMaven, {"pom.xml", kModified}, "flag pom.xml"},
        Row{"java_test", kMaven, {"src/test/java/ATest.java", kModified}, "base src/test/java/ATest.java"},
        Row{"java_resource", kMaven, {"src/test/resources/x.txt", kAdded}, "remove src/test/resources/x.txt"},
        Row{"mvn", kMaven, {".mvn/jvm.config", kAdded}, "remove .mvn/jvm.config"},
        Row{"java_code", kMaven, {"src/main/java/ContestTest.java", kAdded}, ""},
        Row{"spec", kRuby, {"spec/a_spec.rb", kModified}, "base spec/a_spec.rb"},
        Row{"rspec", kRuby, {".rspec", kAdded}, "remove .rspec"}),
    [](const auto& i) { return i.param.name; });

// --- moves: the base's test stands at its old place and nowhere else

TEST(RestorePlan, PutsAMovedTestBack) {
  const Rules rules(kPython);
  EXPECT_THAT(rules.plan({{"tests/unit/test_core.py", ChangeKind::renamed, "tests/test_core.py"}}),
              ElementsAre("remove tests/unit/test_core.py", "base tests/test_core.py"));
  EXPECT_THAT(rules.plan({{"tests/test_core.py", kDeleted}, {"checks/test_core.py", kAdded}}),
              ElementsAre("remove checks/test_core.py", "base tests/test_core.py"));
  // Out of sight of the runner: it is gone all the same, and back all the same.
  EXPECT_THAT(rules.plan({{"old/core.txt", ChangeKind::renamed, "tests/test_core.py"}}),
              ElementsAre("base tests/test_core.py"));
}

TEST(RestorePlan, ClearsWhatStandsInTheWay) {
  const Rules rules(kPython);
  EXPECT_THAT(rules.plan({{"tests/test_core.py", kDeleted},
                          {"tests/conftest.py", kDeleted},
                          {"tests/data/in.json", kDeleted},
                          {"tests", kAdded, {}, 0120000}}),
              ElementsAre("remove tests", "base tests/conftest.py", "base tests/data/in.json",
                          "base tests/test_core.py"));
  EXPECT_THAT(rules.plan({{"tests/conftest.py", kDeleted}, {"tests/conftest.py/x", kAdded}}),
              ElementsAre("remove tests/conftest.py/x", "base tests/conftest.py"));
}

TEST(RestorePlan, KnowsWhetherASecondRunCanTellMore) {
  const Rules rules(kPython);
  EXPECT_FALSE(plan_restore(std::vector<Change>{{"src/app/core.py", kModified}}, rules.rules).own_tests);
  EXPECT_FALSE(plan_restore(std::vector<Change>{{"tests/test_core.py", kDeleted}}, rules.rules).own_tests);
  EXPECT_TRUE(plan_restore(std::vector<Change>{{"tests/test_core.py", kModified}}, rules.rules).own_tests);
  EXPECT_TRUE(plan_restore(std::vector<Change>{{"tests/test_new.py", kAdded}}, rules.rules).own_tests);
  const Rules scripted({"src/area.sh", "ci/check.sh"},
                       {.build = {}, .test = "sh ci/check.sh", .lint = {}, .setup = {}});
  EXPECT_TRUE(plan_restore(std::vector<Change>{{"ci/check.sh", kModified}}, scripted.rules).own_tests);
}

// --- directories named "test" that hold the product

TEST(Protection, ADirectoryOfTheProductIsNoTest) {
  const Rules django(
      {"setup.py", "django/test/client.py", "django/test/__init__.py", "tests/client/tests.py"});
  EXPECT_THAT(django.plan({{"django/test/client.py", kModified}, {"django/test/signals.py", kAdded}}),
              IsEmpty());
  EXPECT_THAT(django.plan({{"tests/client/urls.py", kAdded}}), ElementsAre("remove tests/client/urls.py"));
  // A single file that is named like a test makes its directory a directory of tests.
  const Rules app({"setup.py", "app/tests/test_a.py", "app/tests/factories.py", "app/a.py"});
  EXPECT_THAT(app.plan({{"app/tests/factories.py", kModified}}), ElementsAre("base app/tests/factories.py"));
  const Rules workspace({"package.json", "packages/x/package.json", "packages/x/test/all.js"});
  EXPECT_THAT(workspace.plan({{"packages/x/test/all.js", kModified}}),
              ElementsAre("base packages/x/test/all.js"));
}

// --- scripts of the commands

TEST(Protection, ScriptsThatTheCommandsRun) {
  const Paths base{"package.json",      "ci/run.sh", "app.py",     "check.py",
                   "scripts/verify.js", "sub/go.sh", "src/main.js"};
  const auto plan = [&](const std::string& test, const std::string& path) {
    return Rules(base, {.build = {}, .test = test, .lint = {}, .setup = {}}).plan({{path, kModified}});
  };
  EXPECT_THAT(plan("sh ci/run.sh", "ci/run.sh"), ElementsAre("base ci/run.sh"));
  EXPECT_THAT(plan("./ci/run.sh --all", "ci/run.sh"), ElementsAre("base ci/run.sh"));
  EXPECT_THAT(plan("cd sub && bash -eu go.sh", "sub/go.sh"), ElementsAre("base sub/go.sh"));
  EXPECT_THAT(plan("X=1 timeout 60 python3 -u check.py | tee log", "check.py"), ElementsAre("base check.py"));
  EXPECT_THAT(plan("python3 -m pytest", "check.py"), IsEmpty());
  // The product itself, run as its own test: an honest change has to reach it.
  EXPECT_THAT(plan("python3 app.py --selftest", "app.py"), ElementsAre("flag app.py"));
  EXPECT_THAT(plan("grep -q fine app.py", "app.py"), IsEmpty());
  EXPECT_THAT(plan("cat ../../ci/run.sh", "ci/run.sh"), IsEmpty());
}

TEST(Protection, ScriptsBehindPackageScriptsAndMakeTargets) {
  const std::map<std::string, std::string> texts{
      {"package.json",
       R"({"scripts":{"test":"npm run unit","preunit":"node scripts/pre-check.js","unit":"sh run.sh"}})"},
      {"Makefile",
       "all: app\n\tcc -o app app.c\ntest: app unit\n\t@sh tools/check.sh\nunit:\n\t./unit_test.sh\n"}};
  const Paths base{"package.json",   "Makefile",     "run.sh", "scripts/pre-check.js",
                   "tools/check.sh", "unit_test.sh", "app.c"};
  const Rules npm(base, {.build = {}, .test = "npm test", .lint = {}, .setup = {}}, {}, {}, texts);
  EXPECT_THAT(
      npm.plan({{"run.sh", kModified}, {"scripts/pre-check.js", kModified}, {"tools/check.sh", kModified}}),
      ElementsAre("base run.sh", "base scripts/pre-check.js"));
  const Rules make(base, {.build = "make", .test = "make -j 2 test", .lint = {}, .setup = {}}, {}, {}, texts);
  EXPECT_THAT(make.plan({{"tools/check.sh", kDeleted}, {"unit_test.sh", kModified}, {"app.c", kModified}}),
              ElementsAre("base tools/check.sh", "base unit_test.sh"));
}

TEST(Protection, ScriptsBehindVariablesOfAMakefileAreFound) {
  const Rules rules({"Makefile", "run_tests.sh", "check.py"},
                    {.build = "make", .test = "make test", .lint = {}, .setup = {}}, {}, {},
                    {{"Makefile",
                      "RUN = sh\nPY := ${EXE}\nEXE = python3\n\ntest: unit\n\t$(RUN) "
                      "run_tests.sh\n\nunit:\n\t@$(PY) check.py\n"}});
  EXPECT_THAT(rules.plan({{"run_tests.sh", kModified}, {"check.py", kModified}}),
              ElementsAre("base check.py", "base run_tests.sh"));
}

TEST(Protection, WhatACheckScriptComparesWithAndCallsIsTheBases) {
  const Rules rules(
      {"run_tests.sh", "area.sh", "expected/area.txt", "wanted/a.txt", "wanted/b.txt", "notes.txt"},
      {.build = {}, .test = "sh run_tests.sh", .lint = {}, .setup = {}}, {}, {},
      {{"run_tests.sh",
        "PATH=$PWD/bin:$PATH\nsh area.sh 2 3 | diff - \"expected/area.txt\"\n"
        "for n in a b; do cmp \"wanted/$n.txt\" out; done\n"}});
  EXPECT_THAT(
      rules.plan({{"expected/area.txt", kModified}, {"wanted/b.txt", kModified}, {"bin/cmp", kAdded}}),
      ElementsAre("remove bin/cmp", "base expected/area.txt", "base wanted/b.txt"));
  EXPECT_THAT(rules.plan({{"notes.txt", kModified}, {"bin/tool", kAdded}}), IsEmpty());
}

// The demo's own project: an honest change to what a test script runs was taken away.
TEST(Protection, WhatATestScriptRunsIsTheProduct) {
  const Rules rules({"tests/test.sh", "src/greet.sh", "bin/tool.bash", "ci/helpers.sh", "src/app.py"},
                    {.build = {}, .test = "sh tests/test.sh", .lint = {}, .setup = {}}, {}, {},
                    {{"tests/test.sh",
                      ". ./src/greet.sh\nsh ci/helpers.sh\nbash bin/tool.bash | diff - out\n"
                      "diff <(sh src/greet.sh a) <(python3 src/app.py) && diff src/app.py out\n"}});
  EXPECT_THAT(
      rules.plan({{"src/greet.sh", kModified}, {"bin/tool.bash", kModified}, {"src/app.py", kModified}}),
      IsEmpty());
  EXPECT_THAT(rules.plan({{"ci/helpers.sh", kModified}}), ElementsAre("base ci/helpers.sh"));
}

TEST(Protection, ProgramsOfTheCommandsAreNotShadowed) {
  const Rules rules({"package.json", "src/a.js"},
                    {.build = {}, .test = "npm test && mocha src", .lint = {}, .setup = {}});
  EXPECT_THAT(rules.plan({{"npm", kAdded}, {"bin/mocha", kAdded}, {"src/npm", kAdded}, {"bin/tool", kAdded}}),
              ElementsAre("remove bin/mocha", "remove npm"));
}

// --- the user's word

TEST(Protection, WhatACalledRunnerLoadsIsTheBases) {
  Paths paths = kNode;
  paths.push_back("babel.config.js");
  const std::vector<Change> changes{{"babel.config.js", kModified}};
  EXPECT_EQ(Rules(paths, {{}, "jest", {}, {}}).plan(changes), Paths{"base babel.config.js"});
  EXPECT_EQ(Rules(paths, {{}, "node test.js", {}, {}}).plan(changes), Paths{"flag babel.config.js"});
}

TEST(Protection, TheUsersPatternsCount) {
  const Rules rules(kPython, {}, {"src/app/core.py", "**/golden"}, {"tests", "pyproject.toml"});
  EXPECT_THAT(rules.plan({{"tests/test_core.py", kModified}, {"pyproject.toml", kModified}}), IsEmpty());
  EXPECT_THAT(rules.plan({{"src/app/core.py", kModified}}), ElementsAre("base src/app/core.py"));
  // A path that both lists match is protected.
  EXPECT_THAT(rules.plan({{"tests/golden/a.txt", kAdded}}), ElementsAre("remove tests/golden/a.txt"));
  EXPECT_EQ(rules.rules.of("src/app/core.py")->kind, ProtectedKind::user);
}

TEST(Protection, ListsWhatTheBaseHas) {
  Paths all;
  const Rules rules(kPython);
  for (const auto& path : rules.base.paths()) {
    const auto protection = rules.rules.of(path);
    if (!protection) continue;
    all.push_back(path);
    EXPECT_FALSE(protection->reason.empty()) << path;
  }
  EXPECT_THAT(all,
              ElementsAre("pyproject.toml", "tests/conftest.py", "tests/data/in.json", "tests/test_core.py"));
}

// --- shadows: only of what the commands would look up

// Configuration that the test command loads by itself is the base's; else it is a build file like others.
TEST(Protected, ConfigurationThatTheTestCommandLoads) {
  const Paths base{"package.json", "src/a.js", "src/a.test.js", "vite.config.ts", ".babelrc"};
  const auto action = [&](const std::string& test, const char* path) {
    return Rules(base, {.build = {}, .test = test, .lint = {}, .setup = {}}).rules.of(path)->on_change;
  };
  EXPECT_EQ(action("npx vitest run", "vite.config.ts"), RestoreAction::base);
  EXPECT_EQ(action("npx jest", "vite.config.ts"), RestoreAction::flag);
  EXPECT_EQ(action("npx jest", ".babelrc"), RestoreAction::base);
  EXPECT_EQ(action("node --test", ".babelrc"), RestoreAction::flag);
}

TEST(Shadows, ModulesOfTheRunnerOnlyWherePythonRuns) {
  const Paths base{"go.mod", "a.go", "a_test.go", "package.json", "requirements.txt", "lib/a.rb"};
  const CheckCommands commands{.build = "go build", .test = "go test ./...", .lint = {}, .setup = {}};
  const Rules rules(base, commands);
  for (const auto* path : {"lib/doctest.py", "src/coverage.py", "nose/__init__.py", "unittest.py"})
    EXPECT_FALSE(rules.rules.of(path).has_value()) << path;
  const Rules python(kPython, {.build = {}, .test = "pytest -q", .lint = {}, .setup = {}});
  EXPECT_TRUE(python.rules.of("unittest.py").has_value());
  EXPECT_FALSE(python.rules.of("src/doctest.py").has_value()) << "one of a package src, perhaps";
}

TEST(Shadows, ProgramsOnlyWhereThePathIsSearched) {
  const Rules by_path({"run", "a.py"}, {.build = {}, .test = "./run test", .lint = {}, .setup = {}});
  EXPECT_FALSE(by_path.rules.of("scripts/run").has_value());
  const Rules searched({"a.py"}, {.build = {}, .test = "run test", .lint = {}, .setup = {}});
  EXPECT_TRUE(searched.rules.of("scripts/run").has_value());
}

}  // namespace
