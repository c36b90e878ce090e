// The package managers and build tools that people use, each as `hydra init` sets it up: an honest candidate
// passes on warm build results, and each broken one fails. A tool that is not on this machine skips its test;
// those that install packages from a registry run where HYDRA_TEST_NETWORK is set.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using Files = std::map<std::string, std::string>;

class Ecosystems : public ::testing::Test {
 protected:
  World world;

  void SetUp() override {
    // The tester's own tools, and what version managers keep behind them in the real home.
    world.set_environment("PATH", std::getenv("PATH"));
    const fs::path home = std::getenv("HOME");
    for (const auto& [name, directory] : {std::pair{"RUSTUP_HOME", ".rustup"}, {"PYENV_ROOT", ".pyenv"}})
      if (fs::exists(home / directory)) world.set_environment(name, (home / directory).string());
  }

  /// The project with the configuration that `hydra init` proposes, and more.
  void project(const Files& files, const std::string& agents, const std::string& proposal_has) {
    world.init();
    for (const auto& [path, text] : files) world.write(path, text);
    world.commit();
    const auto init = world.hydra({"init", "--no-check"});
    ASSERT_EQ(init.exit, 0) << init.out << init.err;
    const auto proposed = world.read("hydra.toml");
    EXPECT_THAT(proposed, HasSubstr(proposal_has));
    EXPECT_THAT(proposed, testing::Not(HasSubstr("\n#test_command"))) << proposed;
    world.write("hydra.toml", proposed + "\n" + agents);
    world.commit();
  }
  [[nodiscard]] Json race(const std::string& names) const {
    HydraOptions options;
    options.deadline = std::chrono::minutes(5);  // registries and installers take their time
    const auto run = world.race({"--agents", names, "task"}, options);
    auto results = world.results();
    EXPECT_EQ(results["state"], "done") << run.out << run.err;
    return results;
  }
  void expect_verdicts(const Json& results, const std::vector<std::string>& honest,
                       const std::vector<std::string>& broken) const {
    for (const auto& name : honest) {
      const auto agent = agent_of(results, name);
      EXPECT_TRUE(agent["eligible"].is_boolean() && agent["eligible"].get<bool>()) << log(results, name);
    }
    for (const auto& name : broken) {
      const auto agent = agent_of(results, name);
      const auto& build = agent["dimensions"]["build"]["detail"];
      const auto& tests = agent["dimensions"]["tests"]["detail"];
      EXPECT_TRUE((build.contains("exit_code") && build["exit_code"] != 0) ||
                  (tests.contains("exit_code") && tests["exit_code"] != 0))
          << log(results, name);
    }
  }
  [[nodiscard]] std::string log(const Json& results, const std::string& name) const {
    std::string text = name + ": " + agent_of(results, name).dump(1) + results["baseline"].dump(1);
    for (const char* kind : {"build", "tests"})
      for (const char* stream : {"stdout.log", "stderr.log"})
        text += slurp(world.attempt(results["race"], name, kind) / stream);
    for (const char* stream : {"stdout.log", "stderr.log"})
      text += slurp(world.attempt(results["race"], "@template", "setup") / stream);
    return text;
  }
};

// An editable install points at the checkout that it was made in: here at the candidate's, never the user's.
TEST_F(Ecosystems, PythonWithAnEditableInstall) {
  if (std::system("python3 -c 'import ensurepip, setuptools' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "no python3-venv";
  project({{".gitignore", ".venv/\n__pycache__/\n*.egg-info/\n"},
           {"setup.py",
            "from setuptools import setup\nsetup(name='shop', version='1.0', packages=['shop'], "
            "package_dir={'': 'src'})\n"},
           {"src/shop/__init__.py", ""},
           {"src/shop/price.py", "def price():\n    return 1\n"},
           {"tests/__init__.py", ""},
           {"tests/test_price.py",
            "import unittest\nfrom shop.price import price\n\n\nclass PriceTest(unittest.TestCase):\n"
            "    def test_price(self):\n        self.assertEqual(price(), 1)\n"}},
          script_agent("honest", "echo 'MORE = 1' >> src/shop/price.py") +
              script_agent("broken",
                           "printf 'def price():\\n    return 2\\n' > src/shop/price.py; "
                           "touch -d 2001-01-01 src/shop/price.py"),
          "");
  // The proposal's own set-up asks the index for packages; this one needs none.
  auto text = world.read("hydra.toml");
  text =
      "[scoring]\nbuild_command = \".venv/bin/python -c 'import shop.price'\"\n"
      "test_command = \".venv/bin/python -m unittest discover -v -s tests -t .\"\n[workspace]\n"
      "setup = \"python3 -m venv .venv && .venv/bin/python setup.py -q develop --no-deps 2>&1\"\noutputs = "
      "[\".venv\", \"src/shop.egg-info\"]\n" +
      script_agent("honest", "echo 'MORE = 1' >> src/shop/price.py") +
      script_agent("broken",
                   "printf 'def price():\\n    return 2\\n' > src/shop/price.py; "
                   "touch -d 2001-01-01 src/shop/price.py") +
      script_agent("unimportable", "echo 'def (' > src/shop/price.py");
  world.write("hydra.toml", text);
  world.commit();
  // Whatever the user has installed in their own checkout is not what is tested.
  expect_verdicts(race("honest,broken,unimportable"), {"honest"}, {"broken", "unimportable"});
}

TEST_F(Ecosystems, NpmWorkspacesWithNodeTest) {
  HYDRA_NEEDS("npm");
  project({{".gitignore", "node_modules/\n"},
           {"package.json",
            "{\"name\": \"shop\", \"private\": true, \"workspaces\": [\"packages/*\"],\n"
            " \"scripts\": {\"build\": \"node --check packages/lib/index.js\", \"test\": \"node --test "
            "packages/app/price.test.js\"}}\n"},
           {"package-lock.json",
            "{\"name\": \"shop\", \"lockfileVersion\": 3, \"requires\": true, \"packages\": {\n"
            " \"\": {\"name\": \"shop\", \"workspaces\": [\"packages/*\"]},\n"
            " \"node_modules/@shop/app\": {\"resolved\": \"packages/app\", \"link\": true},\n"
            " \"node_modules/@shop/lib\": {\"resolved\": \"packages/lib\", \"link\": true},\n"
            " \"packages/app\": {\"name\": \"@shop/app\", \"version\": \"1.0.0\"},\n"
            " \"packages/lib\": {\"name\": \"@shop/lib\", \"version\": \"1.0.0\"}}}\n"},
           {"packages/lib/package.json",
            "{\"name\": \"@shop/lib\", \"version\": \"1.0.0\", \"main\": \"index.js\"}\n"},
           {"packages/lib/index.js", "exports.price = () => 1;\n"},
           {"packages/app/package.json", "{\"name\": \"@shop/app\", \"version\": \"1.0.0\"}\n"},
           {"packages/app/price.test.js",
            "const test = require('node:test');\nconst assert = require('node:assert');\n"
            "const {price} = require('@shop/lib');\ntest('price', () => assert.equal(price(), 1));\n"}},
          script_agent("honest", "echo 'void 0;' >> packages/lib/index.js") +
              script_agent("broken", "echo 'exports.price = () => 2;' > packages/lib/index.js") +
              // A directory in the place of the link: the set-up's link wins.
              script_agent("forged",
                           "mkdir -p node_modules/@shop/lib; echo 'exports.price = () => 1;' > "
                           "node_modules/@shop/lib/index.js; git add -f node_modules; "
                           "echo 'exports.price = () => 2;' > packages/lib/index.js"),
          "npm ci");
  expect_verdicts(race("honest,broken,forged"), {"honest"}, {"broken", "forged"});
}

TEST_F(Ecosystems, CargoWorkspaces) {
  HYDRA_NEEDS("cargo");
  project({{".gitignore", "target/\n"},
           {"Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"price\", \"shop\"]\n"},
           {"Cargo.lock",
            "version = 3\n\n[[package]]\nname = \"price\"\nversion = \"0.1.0\"\n\n[[package]]\nname "
            "= \"shop\"\nversion = \"0.1.0\"\ndependencies = [\n \"price\",\n]\n"},
           {"price/Cargo.toml", "[package]\nname = \"price\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
           {"price/src/lib.rs", "pub fn price() -> u32 { 1 }\n"},
           {"shop/Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"
            "[dependencies]\nprice = { path = \"../price\" }\n"},
           {"shop/src/lib.rs", "#[test]\nfn costs_one() { assert_eq!(price::price(), 1); }\n"}},
          script_agent("honest", "echo 'pub fn more() {}' >> price/src/lib.rs") +
              script_agent("broken", "echo 'pub fn price() -> u32 { 2 }' > price/src/lib.rs") +
              // cargo goes by times.
              script_agent("old",
                           "echo 'pub fn price() -> u32 { 2 }' > price/src/lib.rs; "
                           "touch -d 2001-01-01 price/src/lib.rs"),
          "cargo test");
  expect_verdicts(race("honest,broken,old"), {"honest"}, {"broken", "old"});
}

// go remembers the result of a test until a file that it read has another size or time.
TEST_F(Ecosystems, GoWithTestData) {
  HYDRA_NEEDS("go");
  project(
      {{"go.mod", "module example.test/shop\n\ngo 1.19\n"},
       {"price/price.go", "package price\n\nfunc Price() int { return 1 }\n"},
       {"price/price_test.go",
        "package price\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestPrice(t *testing.T) {\n"
        "\tdata, err := os.ReadFile(\"../data/price.txt\")\n\tif err != nil || string(data) != \"1\\n\" || "
        "Price() != 1 {\n\t\tt.Fatal(\"wrong price\")\n\t}\n}\n"},
       {"data/price.txt", "1\n"}},
      script_agent("honest", "echo 'var More = 1' >> price/price.go") +
          script_agent("broken", "sed -i 's/return 1/return 2/' price/price.go") +
          script_agent("data", "echo 2 > data/price.txt; touch -d 2001-01-01 data/price.txt"),
      "go test");
  expect_verdicts(race("honest,broken,data"), {"honest"}, {"broken", "data"});
}

TEST_F(Ecosystems, CMakeWithGoogleTest) {
  if (!machine::has_program("cmake") || !fs::exists("/usr/include/gtest/gtest.h"))
    GTEST_SKIP() << "no cmake or GoogleTest";
  project(
      {{".gitignore", "build/\n"},
       {"CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(shop CXX)\nenable_testing()\n"
        "find_package(GTest REQUIRED)\ninclude(GoogleTest)\nadd_library(price price.cpp)\n"
        "add_executable(price_test price_test.cpp)\n"
        "target_link_libraries(price_test price GTest::gtest_main)\ngtest_discover_tests(price_test)\n"},
       {"price.h", "int price();\n"},
       {"price.cpp", "#include \"price.h\"\nint price() { return 1; }\n"},
       {"price_test.cpp",
        "#include \"price.h\"\n#include <gtest/gtest.h>\n"
        "TEST(Price, IsOne) { EXPECT_EQ(price(), 1); }\n"}},
      script_agent("honest", "echo 'int more() { return 1; }' >> price.cpp") +
          script_agent("broken", "sed -i 's/return 1/return 2/' price.cpp; touch -d 2001-01-01 price.cpp") +
          // The object of the base is still in the library.
          script_agent("deleted",
                       "rm price.cpp; echo 'int other() { return 1; }' > other.cpp; "
                       "sed -i 's/price price.cpp/price other.cpp/' CMakeLists.txt"),
      "ctest");
  expect_verdicts(race("honest,broken,deleted"), {"honest"}, {"broken", "deleted"});
}

// --- from a registry

const Files kTypeScript{
    {".gitignore", "node_modules/\ndist/\n*.tsbuildinfo\n"},
    {"tsconfig.json",
     "{\"compilerOptions\": {\"target\": \"es2020\", \"module\": \"commonjs\", \"strict\": "
     "true, \"incremental\": true, \"outDir\": \"dist\", \"rootDir\": \"src\", \"types\": "
     "[]}, \"include\": [\"src\"]}\n"},
    {"src/price.ts", "export function price(): number { return 1; }\n"}};

Files with(Files files, const Files& more) {
  for (const auto& [name, text] : more) files[name] = text;
  return files;
}

const std::string kScriptAgents =
    script_agent("honest", "echo 'export const more = 1;' >> src/price.ts") +
    script_agent("broken", "sed -i 's/return 1/return 2/' src/price.ts; touch -d 2001-01-01 src/price.ts") +
    script_agent("untyped", "sed -i \"s/return 1/return 'one'/\" src/price.ts");

TEST_F(Ecosystems, TypeScriptWithJest) {
  HYDRA_NEEDS("npm", machine::Ability::registry);
  project(with(kTypeScript, {{"package.json",
                              "{\"name\": \"shop\", \"private\": true, \"scripts\": {\"build\": \"tsc\", "
                              "\"test\": \"jest\"}, \"devDependencies\": {\"typescript\": \"5.4.5\", "
                              "\"jest\": \"29.7.0\"}, \"jest\": {\"testMatch\": [\"**/test/*.js\"]}}\n"},
                             {"test/price.js",
                              "const {price} = require('../dist/price');\n"
                              "test('price', () => expect(price()).toBe(1));\n"}}),
          kScriptAgents, "npm");
  expect_verdicts(race("honest,broken,untyped"), {"honest"}, {"broken", "untyped"});
}

TEST_F(Ecosystems, TypeScriptWithVitest) {
  HYDRA_NEEDS("npm", machine::Ability::registry);
  project(with(kTypeScript, {{"package.json",
                              "{\"name\": \"shop\", \"private\": true, \"scripts\": {\"build\": \"tsc "
                              "--noEmit\", \"test\": \"vitest run\"}, \"devDependencies\": {\"typescript\": "
                              "\"5.4.5\", \"vitest\": \"1.6.0\"}}\n"},
                             {"test/price.test.ts",
                              "import {expect, test} from 'vitest';\nimport {price} from "
                              "'../src/price';\ntest('price', () => expect(price()).toBe(1));\n"}}),
          kScriptAgents, "npm");
  expect_verdicts(race("honest,broken,untyped"), {"honest"}, {"broken", "untyped"});
}

TEST_F(Ecosystems, PnpmWorkspaces) {
  HYDRA_NEEDS("pnpm", machine::Ability::registry);
  project(
      {{".gitignore", "node_modules/\n"},
       {"package.json",
        "{\"name\": \"shop\", \"private\": true, \"scripts\": {\"build\": \"node --check lib/index.js\", "
        "\"test\": \"node --test app/price.test.js\"}}\n"},
       {"pnpm-workspace.yaml", "packages:\n  - lib\n  - app\n"},
       {"lib/package.json", "{\"name\": \"@shop/lib\", \"version\": \"1.0.0\", \"main\": \"index.js\"}\n"},
       {"lib/index.js", "exports.price = () => 1;\n"},
       {"app/package.json",
        "{\"name\": \"@shop/app\", \"version\": \"1.0.0\", \"dependencies\": "
        "{\"@shop/lib\": \"workspace:*\"}}\n"},
       {"app/price.test.js",
        "const test = require('node:test');\nconst assert = require('node:assert');\n"
        "const {price} = require('@shop/lib');\ntest('price', () => assert.equal(price(), 1));\n"}},
      script_agent("honest", "echo 'void 0;' >> lib/index.js") +
          script_agent("broken", "echo 'exports.price = () => 2;' > lib/index.js"),
      "pnpm");
  expect_verdicts(race("honest,broken"), {"honest"}, {"broken"});
}

/// Expects that `hydra init` says `words` and proposes no command; the file is valid and no check is tried.
void expect_no_commands(const World& world, const std::string& words) {
  world.commit();
  const auto init = world.hydra({"init"});
  EXPECT_EQ(init.exit, 0) << init.err;
  EXPECT_THAT(init.out, HasSubstr(words));
  EXPECT_THAT(init.out, HasSubstr("`hydra check`"));
  const auto check = world.hydra({"config", "check"});
  EXPECT_EQ(check.exit, 0) << check.err;
  EXPECT_THAT(check.out + check.err, HasSubstr("only diff size and speed would be scored"));
  EXPECT_TRUE(world.daemons().empty());
}

TEST_F(Ecosystems, InitWhereNothingIsThere) {
  world.init();
  expect_no_commands(world, "No build system was recognised in this directory");
}

TEST_F(Ecosystems, InitOfDocumentsAlone) {
  world.init();
  world.write("notes.txt", "hi\n");
  expect_no_commands(world, "No build system was recognised in this directory");
}

TEST_F(Ecosystems, InitOfAToolWithoutCommandsSaysSo) {
  world.init();
  world.write("composer.json", "{\"name\": \"a/b\"}\n");
  expect_no_commands(world, "No command to build, test or lint can be proposed");
}

TEST_F(Ecosystems, InitOfTwoToolsJoinsTheirCommands) {
  HYDRA_NEEDS("npm", "go");
  world.init();
  world.write("package.json", "{\"name\": \"w\", \"scripts\": {\"test\": \"node t.js\"}}\n");
  world.write("t.js", "console.log('ok')\n");
  world.write("go.mod", "module x\n\ngo 1.19\n");
  world.write("a_test.go", "package x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n");
  world.commit();
  const auto init = world.hydra({"init", "--no-check"});
  EXPECT_EQ(init.exit, 0) << init.err;
  EXPECT_THAT(world.read("hydra.toml"), HasSubstr("test_command = \"npm test && go test -v ./...\""));
  EXPECT_EQ(world.hydra({"config", "check"}).exit, 0);
}

// An agent's layer over node_modules takes what npm does: renames, removals, a clean install.
TEST_F(Ecosystems, AnAgentUsesNpmInItsLayer) {
  HYDRA_NEEDS("npm", machine::Ability::registry, machine::Ability::sandbox, machine::Ability::overlays);
  world.init();
  world.write(".gitignore", "node_modules/\n");
  world.write("package.json",
              "{\"name\": \"shop\", \"version\": \"1.0.0\", \"dependencies\": {\"left-pad\": \"1.3.0\"}}\n");
  ASSERT_EQ(Process({"/bin/sh", "-c", "npm install --no-audit --no-fund"}, world.repo(), world.environment())
                .wait()
                .exit,
            0);
  const std::string quiet = " --no-audit --no-fund >> npm.log 2>&1 && ";
  world.write("hydra.toml",
              "[scoring]\ntest_command = \"node -e 'require(\\\"left-pad\\\")'\"\n[workspace]\nshare = "
              "[\"node_modules\"]\n" +
                  script_agent("a", "node -e 'require(\"left-pad\")' && npm install is-odd@3.0.1" + quiet +
                                        "npm uninstall is-odd" + quiet + "npm install left-pad@1.2.0" +
                                        quiet + "npm ci" + quiet + "echo all > seen.txt"));
  world.commit();
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(world.show(agent_of(world.results(), "a")["branch"], "seen.txt"), "all\n");
  EXPECT_THAT(world.read("node_modules/left-pad/package.json"), HasSubstr("\"version\": \"1.3.0\""));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
