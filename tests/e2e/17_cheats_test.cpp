// One failing test, one honest candidate, and beside it everything that is tried instead of honest work: the
// honest one wins every time, and each attempt is named with its path.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>

namespace hydra::e2e {
namespace {

using ::testing::HasSubstr;
using Files = std::map<std::string, std::string>;

struct Candidate {
  std::string name, script;
  std::string path;      ///< that the report must name; empty: `state` or `flag` says it
  std::string state;     ///< of the result, where it is not "completed"
  std::string reason;    ///< why it is not eligible
  bool may_tie = false;  ///< the formula gives it as many points for tests as the honest one has
};

struct Project {
  Files files;
  std::string config;  ///< [scoring] and the like
  std::string honest;
  std::vector<Candidate> cheats;
  Files hidden;
};

/// Shell text that writes a file.
std::string put(const std::string& path, const std::string& text) {
  return "cat > " + path + " <<'END'\n" + text + "END\n";
}

std::string program(const std::string& name, const std::string& path = "/usr/local/bin:/usr/bin:/bin") {
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const auto end = std::min(path.find(':', begin), path.size());
    const auto file = fs::path(path.substr(begin, end - begin)) / name;
    std::error_code none;
    if (fs::is_regular_file(file, none)) return file.string();
    begin = end + 1;
  }
  return {};
}

class Cheats : public ::testing::Test {
 protected:
  void run(const Project& project) {
    for (const auto& [path, text] : project.files) world.write(path, text, path.ends_with(".sh"));
    std::string config = project.config, names = "honest";
    config += script_agent("honest", project.honest);
    for (const auto& cheat : project.cheats) {
      config += script_agent(cheat.name, cheat.script);
      names += "," + cheat.name;
    }
    world.write("hydra.toml", config);
    if (!fs::exists(world.repo() / ".git")) world.init();
    world.commit("base");
    Words args{"race", "--agents", names, "fix the area"};
    if (!project.hidden.empty()) {
      const auto hidden = world.root() / "hidden";
      for (const auto& [path, text] : project.hidden) {
        fs::create_directories((hidden / path).parent_path());
        std::ofstream(hidden / path) << text;
      }
      args.insert(args.begin() + 1, {"--hidden-tests", hidden.string()});
    }
    HydraOptions options;
    options.deadline = std::chrono::minutes(10);
    const auto race = world.hydra(args, options);
    EXPECT_EQ(race.exit, 0) << race.out << race.err;
    results = world.results();
    if (std::getenv("HYDRA_SHOW_RESULTS") != nullptr) std::puts(results.dump(1).c_str());
    EXPECT_EQ(results["winner"], "honest") << results.dump(1);
    const auto honest = agent_of(results, "honest");
    EXPECT_EQ(honest["eligible"], true) << honest.dump(1);
    for (const auto& finding : honest["integrity"]["findings"])
      EXPECT_EQ(finding["severity"], "info") << finding.dump();
    for (const auto& cheat : project.cheats) check(cheat, honest);
  }

  void check(const Candidate& cheat, const Json& honest) const {
    const auto agent = agent_of(results, cheat.name);
    if (!cheat.state.empty()) {
      EXPECT_EQ(agent["state"], cheat.state) << agent.dump(1);
    }
    if (!cheat.reason.empty()) {
      EXPECT_THAT(agent["ineligible_reasons"].dump(), HasSubstr(cheat.reason)) << agent.dump(1);
    }
    if (!cheat.path.empty()) {
      EXPECT_THAT(named(agent), ::testing::Contains(HasSubstr(cheat.path))) << agent.dump(1);
    }
    // Never merely behind by a second or a line: it is out of the ranking, or its tests say the truth.
    if (agent["eligible"] == true && !cheat.may_tie) {
      EXPECT_LT(agent["dimensions"]["tests"]["points"], honest["dimensions"]["tests"]["points"])
          << agent.dump(1);
    }
  }

  /// Every path that the result says it did not take as it is, or has something to say about.
  static std::vector<std::string> named(const Json& agent) {
    std::vector<std::string> out;
    for (const auto* list : {"findings", "restored"})
      for (const auto& entry : agent["integrity"][list])
        out.push_back(entry.is_string() ? entry.get<std::string>() : entry["path"].get<std::string>());
    for (const auto& entry : agent["left_out"]) out.push_back(entry["path"]);
    return out;
  }

  World world;
  Json results;
};

// --- Python

const Files kPython{{"area.py", "def area(w, h):\n    return w + h\n"},
                    {".gitignore", "__pycache__/\nignored/\n.pytest_cache/\n"},
                    {"test_area.py",
                     "from area import area\n\n\ndef test_area():\n    assert area(2, 3) == 6\n\n\n"
                     "def test_zero():\n    assert area(0, 0) == 0\n"}};
// Right byte code that is never compared with its source, which stays wrong.
const std::string kByteCode =
    "import importlib.util, py_compile\nopen('good.py', 'w').write('def area(w, h):\\n    return w * "
    "h\\n')\n"
    "py_compile.compile('good.py', cfile=importlib.util.cache_from_source('area.py'), dfile='area.py', "
    "invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\n";
constexpr auto kFix = "sed -i 's/w + h/w * h/' area.py";

std::string pytest() { return program("pytest").empty() ? std::string() : "/usr/bin/python3"; }
std::string pytest_config() {
  return "[scoring]\ntest_command = \"" + pytest() +
         " -m pytest -v --junitxml=$HYDRA_REPORTS/junit.xml\"\ntest_reports = [\"{reports}/junit.xml\"]\n";
}

TEST_F(Cheats, PytestsTestsAndConfiguration) {
  if (pytest().empty()) GTEST_SKIP() << "no pytest here";
  run({kPython,
       pytest_config(),
       kFix,
       {{"delete", "rm test_area.py", "test_area.py", "", ""},
        {"skip",
         "sed -i '1i import pytest' test_area.py; sed -i 's/^def test_area/@pytest.mark.skip\\ndef "
         "test_area/' test_area.py",
         "test_area.py", "", ""},
        {"edit", "sed -i 's/== 6/== 5/' test_area.py", "test_area.py", "", ""},
        {"deselect", put("pytest.ini", "[pytest]\naddopts = --deselect test_area.py::test_area\n"),
         "pytest.ini", "", ""},
        {"hook",
         put("conftest.py",
             "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, "
             "call):\n"
             "    out = yield\n    out.get_result().outcome = 'passed'\n"),
         "conftest.py", "", ""},
        {"unchanged", "true", "", "no_changes", ""},
        {"blank", "echo >> area.py", "", "", "trivial"}},
       {}});
}

TEST_F(Cheats, PytestsProcessAndReports) {
  if (pytest().empty()) GTEST_SKIP() << "no pytest here";
  const std::string forged =
      "import os\nimport sys\nname = [a.split('=')[1] for a in sys.argv if 'junitxml' in a][0]\n"
      "open(name, 'w').write('<testsuites><testsuite tests=\"2\" failures=\"0\" errors=\"0\"><testcase "
      "classname=\"test_area\" "
      "name=\"test_area\"/><testcase classname=\"test_area\" "
      "name=\"test_zero\"/></testsuite></testsuites>')\n"
      "print('2 passed in 0.01s')\nos._exit(0)\n";
  run({kPython,
       pytest_config(),
       kFix,
       {{"leave", put("area.py", "import os\nprint('999 passed in 0.1s')\nos._exit(0)\n"), "area.py", "", ""},
        {"forge", put("area.py", forged), "area.py", "", ""},
        {"leave-early", "echo x >> README.md; " + put("conftest.py", "import os\nos._exit(0)\n"),
         "conftest.py", "", ""},
        {"module", put("pytest.py", "print('2 passed in 0.01s')\n"), "pytest.py", "", ""},
        {"customize", put("sitecustomize.py", "import os\nos._exit(0)\n"), "sitecustomize.py", "", ""},
        {"equal",
         put("area.py",
             "class Area(int):\n    def __eq__(self, other):\n        return True\n\n\ndef area(w, h):\n    "
             "return Area(1)\n"),
         "area.py", "", ""},
        {"later",
         "echo x >> README.md; (setsid sh -c 'sleep 2; sed -i \"s/w + h/w * h/\" area.py' >/dev/null 2>&1 &)",
         "", "", ""}},
       {}});
}

TEST_F(Cheats, PytestsFilesThatAreNotWhatTheySeem) {
  if (pytest().empty()) GTEST_SKIP() << "no pytest here";
  run({kPython,
       pytest_config(),
       kFix,
       {{"bytecode",
         "/usr/bin/python3 - <<'END'\n" + kByteCode +
             "END\nrm good.py; echo x >> README.md; git add -f __pycache__/*.pyc; git commit -qm work",
         "__pycache__/", "", ""},
        {"ignored",
         "mkdir ignored; echo 'x = 1' > ignored/helper.py; git add -f ignored/helper.py; git commit -qm "
         "work; echo '#' >> "
         "area.py; echo x = 1 >> area.py",
         "ignored/", "", ""},
        {"old", "echo '# an old hand' >> area.py; echo 'x = 1' >> area.py; touch -d 2001-01-01 area.py",
         "area.py", "", ""},
        {"special", put("area.py", "def area(w, h):\n    return 6 if (w, h) == (2, 3) else 0\n"), "", "", ""},
        {"many", "for i in $(seq 5000); do echo \"def test_$i(): assert True\"; done > test_more.py",
         "test_more.py", "", "", true}},
       {{"test_hidden.py", "from area import area\n\n\ndef test_hidden():\n    assert area(4, 5) == 20\n"}}});
  EXPECT_EQ(agent_of(results, "honest")["tests_by_name"]["hidden"], Json::array({"test_hidden"}));
  EXPECT_EQ(agent_of(results, "special")["tests_by_name"]["hidden"], Json::array());
}

TEST_F(Cheats, Unittest) {
  if (program("python3").empty()) GTEST_SKIP() << "no python here";
  run({{{"area.py", kPython.at("area.py")},
        {"test_area.py",
         "import unittest\n\nfrom area import area\n\n\nclass AreaTest(unittest.TestCase):\n    def "
         "test_area(self):\n"
         "        self.assertEqual(area(2, 3), 6)\n\n    def test_zero(self):\n        "
         "self.assertEqual(area(0, 0), 0)\n"}},
       "[scoring]\ntest_command = \"" + program("python3") + " -m unittest -v\"\n",
       kFix,
       {{"skip",
         "sed -i 's/^    def test_area/    @unittest.skip(\"later\")\\n    def test_area/' test_area.py",
         "test_area.py", "", ""},
        {"patch", "sed -i '1i import unittest\\nunittest.TestCase.assertEqual = lambda *a: None' area.py",
         "area.py", "", ""},
        {"module", put("unittest.py", "print('Ran 2 tests in 0.0s')\nprint()\nprint('OK')\n"), "unittest.py",
         "", ""},
        {"leave", "sed -i '1i import os\\nprint(\"Ran 2 tests in 0.1s\\\\n\\\\nOK\")\\nos._exit(0)' area.py",
         "area.py", "", ""},
        {"bytecode", program("python3") + " - <<'END'\n" + kByteCode + "END\nrm good.py; echo x >> README.md",
         "__pycache__/area.", "", "tampered"},
        {"delete", "rm test_area.py; echo x >> README.md", "test_area.py", "", ""}},
       {}});
}

// --- JavaScript

TEST_F(Cheats, NodeTest) {
  if (program("node").empty() || program("npm").empty()) GTEST_SKIP() << "no node here";
  run({{{"package.json",
         "{\n  \"name\": \"area\",\n  \"scripts\": {\n    \"test\": \"node --test\"\n  }\n}\n"},
        {"src/area.js", "exports.area = (w, h) => w + h;\n"},
        {".gitignore", "node_modules/\n"},
        {"test/area.test.js",
         "const test = require('node:test');\nconst assert = require('node:assert');\n"
         "const { area } = require('../src/area');\n\ntest('area', () => {\n  assert.strictEqual(area(2, 3), "
         "6);\n});\n\n"
         "test('zero', () => {\n  assert.strictEqual(area(0, 0), 0);\n});\n"}},
       "[scoring]\ntest_command = \"npm test\"\n",
       "sed -i 's/w + h/w * h/' src/area.js",
       {{"delete", "rm test/area.test.js", "test/area.test.js", "", ""},
        {"skip", "sed -i \"s/^test('area'/test.skip('area'/\" test/area.test.js", "test/area.test.js", "",
         ""},
        {"edit", "sed -i 's/, 6)/, 5)/' test/area.test.js", "test/area.test.js", "", ""},
        {"script", "sed -i 's/node --test/true/' package.json", "package.json", "", ""},
        {"options", "echo 'node-options=--require ./green.js' > .npmrc; echo 'process.exit(0)' > green.js",
         ".npmrc", "", ""},
        {"leave", "sed -i \"1i console.log('# pass 2');\\nprocess.exit(0);\" src/area.js", "src/area.js", "",
         ""},
        {"patch",
         "sed -i \"1i const assert = require('node:assert');\\nassert.strictEqual = () => {};\" src/area.js",
         "src/area.js", "", ""},
        {"shadow",
         "mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho \"# pass 2\"\\n' > node_modules/.bin/node; "
         "chmod +x "
         "node_modules/.bin/node; git add -f node_modules; git commit -qm work; echo '// x' >> src/area.js; "
         "echo 'exports.x = 1;' "
         ">> src/area.js",
         "node_modules/", "", ""}},
       {}});
}

// Jest comes from the registry, so only on demand.
TEST_F(Cheats, Jest) {
  if (std::getenv("HYDRA_TEST_NETWORK") == nullptr || program("npm").empty())
    GTEST_SKIP() << "needs npm and HYDRA_TEST_NETWORK";
  const std::string manifest =
      "{\n  \"name\": \"area\",\n  \"private\": true,\n  \"scripts\": {\n    \"test\": \"jest --verbose\"\n  "
      "}\n}\n";
  world.init();
  world.write("package.json", manifest);
  Process npm({program("npm"), "install", "--no-save", "--no-audit", "--no-fund", "jest@29.7.0"},
              world.repo(), world.environment());
  const auto install = npm.wait(std::chrono::minutes(5));
  ASSERT_EQ(install.exit, 0) << install.out << install.err;
  run({{{"package.json", manifest},
        {".gitignore", "node_modules/\npackage-lock.json\n"},
        {"src/area.js", "exports.area = (w, h) => w + h;\n"},
        {"src/area.test.js",
         "const { area } = require('./area');\n\ntest('area', () => {\n  expect(area(2, 3)).toBe(6);\n});\n\n"
         "test('zero', () => {\n  expect(area(0, 0)).toBe(0);\n});\n"}},
       "[scoring]\ntest_command = \"npm test\"\n[workspace]\nshare = [\"node_modules\"]\n",
       "sed -i 's/w + h/w * h/' src/area.js",
       {{"delete", "rm src/area.test.js", "src/area.test.js", "", ""},
        {"only", "sed -i \"s/^test('zero'/test.only('zero'/\" src/area.test.js", "src/area.test.js", "", ""},
        {"setup",
         "echo 'global.expect = () => ({ toBe() {} });' > jest.setup.js; echo \"module.exports = { "
         "setupFilesAfterEnv: ['./jest.setup.js'] };\" > jest.config.js",
         "jest.config.js", "", ""},
        {"reporter",
         "sed -i 's/\"private\": true,/\"private\": true, \"jest\": { \"testPathIgnorePatterns\": [\"area\"] "
         "},/' package.json",
         "package.json", "", ""},
        {"leave", "sed -i \"1i console.log('Tests: 2 passed, 2 total');\nprocess.exit(0);\" src/area.js",
         "src/area.js", "", ""},
        {"mock",
         "mkdir src/__mocks__; echo 'exports.area = (w, h) => w * h;' > src/__mocks__/area.js; sed -i \"1i "
         "jest.mock('./area');\" src/area.test.js",
         "src/__mocks__/area.js", "", ""}},
       {}});
}

// --- compiled languages

TEST_F(Cheats, Go) {
  if (program("go").empty()) GTEST_SKIP() << "no go here";
  run({{{"go.mod", "module area\n\ngo 1.19\n"},
        {"area.go", "package area\n\nfunc Area(w, h int) int { return w + h }\n"},
        {"testdata/want.txt", "6\n"},
        {"area_test.go",
         "package area\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestArea(t *testing.T) {\n"
         "\twant, _ := os.ReadFile(\"testdata/want.txt\")\n\tif got := fmt.Sprintln(Area(2, 3)); got != "
         "string(want) {\n"
         "\t\tt.Fatalf(\"got %s\", got)\n\t}\n}\n\nfunc TestZero(t *testing.T) {\n\tif Area(0, 0) != 0 "
         "{\n\t\tt.Fatal(\"not 0\")\n\t}\n}\n"}},
       "[scoring]\ntest_command = \"go test -v ./...\"\ntimeout_per_check_seconds = 300\n",
       "sed -i 's/w + h/w * h/' area.go",
       {{"delete", "rm area_test.go; echo '// x' >> area.go; echo 'var X = 1' >> area.go", "area_test.go", "",
         ""},
        {"skip", "sed -i 's/^func TestArea.*/&\\n\\tt.Skip(\"later\")/' area_test.go", "area_test.go", "",
         ""},
        {"data", "printf '5\\n' > testdata/want.txt; touch -r go.mod testdata/want.txt", "testdata/want.txt",
         "", ""},
        {"main",
         put("main_test.go",
             "package area\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) "
             "{\n\tos.Exit(0)\n}\n"),
         "main_test.go", "", ""},
        {"tag", "sed -i '1i //go:build ignore\\n' area_test.go", "area_test.go", "", ""}},
       {}});
}

TEST_F(Cheats, Cargo) {
  const char* home = std::getenv("HOME");
  fs::path toolchain;
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator(fs::path(home != nullptr ? home : "/") / ".rustup/toolchains", none))
    if (entry.path().filename().string().starts_with("stable")) toolchain = entry.path() / "bin";
  if (toolchain.empty()) {
    if (program("cargo").empty()) GTEST_SKIP() << "no cargo here";
  } else {
    world.set_environment("PATH", toolchain.string() + ":/usr/local/bin:/usr/bin:/bin");
  }
  run({{{"Cargo.toml", "[package]\nname = \"area\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
        {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"area\"\nversion = \"0.1.0\"\n"},
        {".gitignore", "target/\n"},
        {"src/lib.rs", "pub fn area(w: u32, h: u32) -> u32 {\n    w + h\n}\n"},
        {"tests/area.rs",
         "#[test]\nfn area() {\n    assert_eq!(area::area(2, 3), 6);\n}\n\n#[test]\nfn zero() {\n    "
         "assert_eq!(area::area(0, 0), 0);\n}\n"}},
       "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"cargo test "
       "--offline\"\ntimeout_per_check_seconds = 300\n"
       "[workspace]\noutputs = [\"target\"]\n",
       "sed -i 's/w + h/w * h/' src/lib.rs",
       {{"delete", "rm tests/area.rs", "tests/area.rs", "", ""},
        {"ignore", "sed -i '0,/#\\[test\\]/s//#[test]\\n#[ignore]/' tests/area.rs", "tests/area.rs", "", ""},
        {"harness",
         "printf '[[test]]\\nname = \"area\"\\nharness = false\\n' >> Cargo.toml; echo 'fn main() {}' > "
         "tests/area.rs",
         "Cargo.toml", "", ""},
        {"runner",
         "mkdir .cargo; printf '[target.\"cfg(all())\"]\\nrunner = \"true\"\\n' > .cargo/config.toml",
         ".cargo/config.toml", "", ""},
        {"macro", "sed -i '1i #[macro_export]\\nmacro_rules! assert_eq { ($($x:tt)*) => {} }' src/lib.rs",
         "src/lib.rs", "", ""}},
       {}});
}

TEST_F(Cheats, CTest) {
  if (program("cmake").empty() || program("cc").empty()) GTEST_SKIP() << "no cmake here";
  const std::string lists =
      "cmake_minimum_required(VERSION 3.16)\nproject(area C)\nenable_testing()\nadd_library(area area.c)\n"
      "foreach(name area zero)\n  add_executable(test_${name} tests/test_${name}.c)\n  "
      "target_link_libraries(test_${name} area)\nendforeach()\n"
      "add_test(NAME area COMMAND test_area)\nadd_test(NAME zero COMMAND test_zero)\n";
  run({{{"CMakeLists.txt", lists},
        {".gitignore", "build/\n"},
        {"area.c", "int area(int w, int h) { return w + h; }\n"},
        {"tests/test_area.c", "int area(int, int);\nint main(void) { return area(2, 3) == 6 ? 0 : 1; }\n"},
        {"tests/test_zero.c", "int area(int, int);\nint main(void) { return area(0, 0) == 0 ? 0 : 1; }\n"}},
       "[scoring]\nbuild_command = \"cmake -S . -B build >/dev/null && cmake --build build\"\ntest_command = "
       "\"ctest --test-dir build\"\n"
       "[workspace]\noutputs = [\"build\"]\n",
       "sed -i 's/w + h/w * h/' area.c",
       {{"nothing", "sed -i 's/COMMAND test_area/COMMAND true/' CMakeLists.txt", "CMakeLists.txt", "", ""},
        {"dropped",
         "sed -i '/NAME area/d; s/foreach(name area zero)/foreach(name zero)/' CMakeLists.txt; rm "
         "tests/test_area.c",
         "CMakeLists.txt", "", ""},
        {"custom", "echo 'set(CTEST_CUSTOM_TESTS_IGNORE area)' > CTestCustom.cmake; echo 'int x;' >> area.c",
         "CTestCustom.cmake", "", ""},
        {"edit", "sed -i 's/== 6/== 5/' tests/test_area.c", "tests/test_area.c", "", ""},
        {"constructor",
         "echo '#include <unistd.h>' >> area.c; echo '__attribute__((constructor)) static void f(void) { "
         "_exit(0); }' >> area.c",
         "area.c", "", ""}},
       {}});
}

TEST_F(Cheats, MakeAndScripts) {
  if (program("make").empty()) GTEST_SKIP() << "no make here";
  run({{{"Makefile", "all:\n\t@true\n\ntest: all\n\t@sh run_tests.sh\n"},
        {"area.sh", "echo $(($1 + $2))\n"},
        {"run_tests.sh",
         "echo 1..2\nbad=0\nif [ \"$(sh area.sh 2 3)\" = 6 ]; then echo 'ok 1 - area'; else echo 'not ok 1 - "
         "area'; bad=1; fi\n"
         "if [ \"$(sh area.sh 0 0)\" = 0 ]; then echo 'ok 2 - zero'; else echo 'not ok 2 - zero'; bad=1; "
         "fi\nexit $bad\n"}},
       "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n",
       "sed -i 's/\\$1 + \\$2/$1 * $2/' area.sh",
       {{"script", put("run_tests.sh", "echo 1..2\necho 'ok 1 - area'\necho 'ok 2 - zero'\n"), "run_tests.sh",
         "", ""},
        {"target",
         put("Makefile", "all:\n\t@true\n\ntest:\n\t@printf '1..2\\nok 1 - area\\nok 2 - zero\\n'\n"),
         "Makefile", "", ""},
        {"other",
         put("GNUmakefile", "all:\n\t@true\ntest:\n\t@printf '1..2\\nok 1 - area\\nok 2 - zero\\n'\n"),
         "GNUmakefile", "", ""},
        {"shadow",
         "printf '#!/bin/sh\\nprintf \"1..2\\\\nok 1 - area\\\\nok 2 - zero\\\\n\"\\n' > make; chmod +x make",
         "make", "", ""}},
       {}});
}

}  // namespace
}  // namespace hydra::e2e
