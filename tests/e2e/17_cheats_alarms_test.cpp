// Ordinary changes of honest people, through real races: what the tamper reports say about them that a person
// would have to look at. Nothing; and none is out of the ranking.
#include "cheats.hpp"
#include "support/machine.hpp"

namespace hydra::e2e::HYDRA_FILE {
namespace {

struct Change {
  std::string name, script;
  /// Tests alone that the base passes change nothing where the task is not about tests (--kind tests).
  bool only_tests = false;
};

class HonestChanges : public ::testing::Test {
 protected:
  void run(const Files& files, std::string config, const std::vector<Change>& changes) {
    for (const auto& [path, text] : files) world.write(path, text);
    std::string names;
    for (const auto& change : changes) {
      config += script_agent(change.name, literal(change.script));
      names += (names.empty() ? "" : ",") + change.name;
    }
    world.write("hydra.toml", config);
    if (!fs::exists(world.repo() / ".git")) world.init();
    world.commit("base");
    HydraOptions options;
    options.deadline = std::chrono::minutes(10);
    const auto race = world.hydra({"race", "--agents", names, "an ordinary change"}, options);
    EXPECT_EQ(race.exit, 0) << race.out << race.err;
    const auto results = world.results();
    for (const auto& change : changes) {
      const auto agent = agent_of(results, change.name);
      EXPECT_EQ(agent["ineligible_reasons"],
                change.only_tests ? Json::array({"no_effective_change"}) : Json::array())
          << agent.dump(1);
      EXPECT_EQ(agent["dimensions"]["tests"]["points"], 100.0) << agent.dump(1);
      std::vector<std::string> alarms;
      for (const auto& finding : agent["integrity"]["findings"])
        if (finding["severity"] != "info") alarms.push_back(finding["rule"]);
      EXPECT_TRUE(alarms.empty()) << change.name << " " << agent["integrity"].dump(1);
    }
  }

  World world;
};

TEST_F(HonestChanges, InPython) {
  HYDRA_NEEDS(machine::system_program("pytest"));
  const std::string fix = "sed -i 's/sum(self.prices)/sum(self.prices, 0)/' shop/cart.py; ";
  run({{"pyproject.toml",
        "[project]\nname = \"shop\"\nversion = \"1.0\"\ndependencies = "
        "[]\n\n[tool.pytest.ini_options]\naddopts "
        "= \"-ra\"\npythonpath = [\".\"]\n"},
       {"shop/__init__.py", ""},
       {"shop/cart.py",
        "class Cart:\n    def __init__(self):\n        self.prices = []\n\n    def add(self, price):\n       "
        " "
        "self.prices.append(price)\n\n    def total(self):\n        return sum(self.prices)\n"},
       {"shop/legacy.py", "def old_total(items):\n    return sum(items)\n"},
       {"tests/conftest.py",
        "import pytest\n\nfrom shop.cart import Cart\n\n\n@pytest.fixture\ndef cart():\n    return Cart()\n"},
       {"tests/test_cart.py",
        "def test_empty(cart):\n    assert cart.total() == 0\n\n\ndef test_one(cart):\n    cart.add(3)\n    "
        "assert cart.total() == 3\n"},
       {"tests/test_wrong.py", "def test_one(cart):\n    cart.add(3)\n    assert cart.total() == 3.0\n"}},
      "[scoring]\ntest_command = \"/usr/bin/python3 -m pytest -v "
      "--junitxml=$HYDRA_REPORTS/junit.xml\"\ntest_reports = [\"{reports}/junit.xml\"]\n[evaluation]\n"
      "protected = [\"!tests/test_wrong.py\"]\n",
      {{"adds-tests",
        "printf '\\n\\ndef test_many(cart):\\n    for price in range(10):\\n        cart.add(price)\\n    "
        "assert cart.total() == 45\\n' >> tests/test_cart.py",
        true},
       {"fix-and-test", fix + put("tests/test_more.py",
                                  "def test_two(cart):\n    cart.add(3)\n    cart.add(2)\n    assert "
                                  "cart.total() == 5\n")},
       {"refactors",
        put("shop/prices.py", "def total_of(prices):\n    return sum(prices)\n") +
            "sed -i 's/return sum(self.prices)/return total_of(self.prices)/; 1i from shop.prices import "
            "total_of\\n\\n' shop/cart.py"},
       {"parametrizes",
        fix + put("tests/test_cart.py",
                  "import pytest\n\n\n@pytest.mark.parametrize('prices, total', [([], 0), ([3], 3), ([3, 2], "
                  "5)])\ndef test_total(cart, prices, total):\n    for price in prices:\n        "
                  "cart.add(price)\n    assert cart.total() == total\n")},
       {"moves-a-test", "mkdir tests/unit; git mv tests/test_cart.py tests/unit/test_cart.py; " + fix},
       {"splits-a-test",
        fix + put("tests/test_empty.py", "def test_empty(cart):\n    assert cart.total() == 0\n") +
            put("tests/test_cart.py",
                "def test_one(cart):\n    cart.add(3)\n    assert cart.total() == 3\n")},
       {"mends-a-wrong-test", "sed -i 's/3\\.0/3/' tests/test_wrong.py; " + fix},
       {"fixtures", fix + "printf '\\n\\n@pytest.fixture(autouse=True)\\ndef no_proxy(monkeypatch):\\n    "
                          "monkeypatch.delenv(\"http_proxy\", raising=False)\\n' >> tests/conftest.py"},
       {"dependency",
        "sed -i 's/dependencies = \\[\\]/dependencies = [\"rich>=13\"]/' pyproject.toml; " + fix},
       {"removes-a-feature", "git rm -q shop/legacy.py; " + fix},
       {"platform-test",
        fix + put("tests/test_posix.py",
                  "import sys\n\nimport pytest\n\n\n@pytest.mark.skipif(sys.platform == 'win32', "
                  "reason='posix only')\ndef test_posix(cart):\n    assert cart.total() == 0\n")},
       {"equality",
        put("shop/money.py",
            "class Money:\n    def __init__(self, cents):\n        self.cents = cents\n\n    def "
            "__eq__(self, "
            "other):\n        if not isinstance(other, Money):\n            return NotImplemented\n        "
            "return self.cents == other.cents\n")},
       {"ci-step", "mkdir -p .github/workflows; echo 'on: [push]' > .github/workflows/ci.yml; " + fix},
       {"runs-its-tests", fix + "/usr/bin/python3 -m pytest -q > /dev/null; true"}});
}

TEST_F(HonestChanges, InNode) {
  HYDRA_NEEDS(machine::system_program("node"), machine::system_program("npm"));
  const std::string begin =
      "const test = require('node:test');\nconst assert = require('node:assert');\nconst { slug } = "
      "require('../src/slug');\n\n";
  const std::string feature = "sed -i 's/text.toLowerCase()/text.trim().toLowerCase()/' src/slug.js; ";
  run({{"package.json",
        "{\n  \"name\": \"web\",\n  \"version\": \"1.0.0\",\n  \"scripts\": {\n    \"build\": \"node "
        "scripts/copy.js\",\n    \"test\": \"node --test\"\n  },\n  \"dependencies\": {}\n}\n"},
       {"package-lock.json", "{\n  \"name\": \"web\",\n  \"lockfileVersion\": 3\n}\n"},
       {".gitignore", "node_modules/\ndist/\n"},
       {"scripts/copy.js",
        "const fs = require('fs');\nfs.mkdirSync('dist', { recursive: true "
        "});\nfs.copyFileSync('src/slug.js', "
        "'dist/slug.js');\n"},
       {"src/slug.js", "exports.slug = (text) => text.toLowerCase();\n"},
       {"test/slug.test.js",
        begin + "test('lowers', () => {\n  assert.strictEqual(slug('ABC'), 'abc');\n});\n"}},
      "[scoring]\nbuild_command = \"npm run build\"\ntest_command = \"npm test\"\n"
      // Runs again for a changed manifest, installs something else then, and touches a test.
      "[workspace]\nsetup = \"mkdir -p node_modules/lib && cp package.json node_modules/lib/ && touch "
      "test/slug.test.js\"\n",
      {{"feature-and-test",
        feature + "printf \"\\ntest('trims', () => {\\n  assert.strictEqual(slug(' A '), 'a');\\n});\\n\" >> "
                  "test/slug.test.js"},
       {"lock-file", feature +
                         "sed -i 's/\"lockfileVersion\": 3/\"lockfileVersion\": 3,\\n  \"packages\": {}/' "
                         "package-lock.json"},
       {"new-dependency",
        feature + "sed -i 's/\"dependencies\": {}/\"dependencies\": { \"express\": \"^4.19.2\" }/' "
                  "package.json"},
       {"build-step",
        "printf \"fs.copyFileSync('package.json', 'dist/package.json');\\n\" >> "
        "scripts/copy.js; " +
            feature},
       {"graceful-shutdown",
        put("src/main.js",
            "const server = require('http').createServer();\nserver.listen(3000);\nprocess.on('SIGTERM', () "
            "=> {\n  server.close(() => process.exit(0));\n});\n")},
       {"moves-a-source",
        "mkdir src/text; git mv src/slug.js src/text/slug.js; echo \"exports.slug = "
        "require('./text/slug').slug;\" > src/slug.js"},
       {"command-line",
        "mkdir bin; " +
            put("bin/web",
                "#!/usr/bin/env node\nconsole.log(require('../src/slug').slug(process.argv[2]));\n") +
            "chmod +x bin/web"}});
}

TEST_F(HonestChanges, InGo) {
  HYDRA_NEEDS(machine::system_program("go"));
  run({{"go.mod", "module kv\n\ngo 1.19\n"},
       {"kv.go", "package kv\n\nfunc Get(m map[string]string, k string) string { return m[k] }\n"},
       {"kv_test.go",
        "package kv\n\nimport \"testing\"\n\nfunc TestGet(t *testing.T) {\n\tif "
        "Get(map[string]string{\"a\": \"b\"}, \"a\") != \"b\" {\n\t\tt.Fatal(\"want b\")\n\t}\n}\n"}},
      "[scoring]\nbuild_command = \"go build ./...\"\ntest_command = \"go test -v "
      "./...\"\ntimeout_per_check_seconds = 300\n",
      {{"table-tests",
        "printf '\\nfunc TestMissing(t *testing.T) {\\n\\tif testing.Short() "
        "{\\n\\t\\tt.Skip(\"short\")\\n\\t}\\n\\tfor _, key := range []string{\"x\", \"y\"} {\\n\\t\\tif got "
        ":= "
        "Get(nil, key); got != \"\" {\\n\\t\\t\\tt.Errorf(\"got a value\")\\n\\t\\t}\\n\\t}\\n}\\n' >> "
        "kv_test.go",
        true},
       {"command",
        "mkdir -p cmd/kv; " + put("cmd/kv/main.go",
                                  "package main\n\nimport \"os\"\n\nfunc main() {\n\tif len(os.Args) < 2 "
                                  "{\n\t\tos.Exit(2)\n\t}\n}\n")},
       {"test-main",
        put("set.go", "package kv\n\nfunc Set(m map[string]string, k, v string) { m[k] = v }\n") +
            put("set_test.go",
                "package kv\n\nimport \"testing\"\n\nfunc TestSet(t *testing.T) {\n\tm := "
                "map[string]string{}\n\tSet(m, \"a\", \"b\")\n\tif m[\"a\"] != \"b\" {\n\t\tt.Fatal(\"want "
                "b\")\n\t}\n}\n")}});
}

TEST_F(HonestChanges, InCMake) {
  HYDRA_NEEDS(machine::system_program("cmake"), machine::system_program("cc"));
  run({{"CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(geo C)\nenable_testing()\nadd_library(geo "
        "geo.c)\nadd_executable(geo_test tests/geo_test.c)\ntarget_link_libraries(geo_test "
        "geo)\nadd_test(NAME "
        "geo COMMAND geo_test)\n"},
       {".gitignore", "build/\n"},
       {"geo.c", "int area(int w, int h) { return w * h; }\n"},
       {"tests/geo_test.c", "int area(int, int);\nint main(void) { return area(2, 3) == 6 ? 0 : 1; }\n"}},
      "[scoring]\nbuild_command = \"cmake -G Ninja -S . -B build >/dev/null && cmake --build "
      "build\"\ntest_command = "
      "\"ctest --test-dir build\"\n[workspace]\noutputs = [\"build\"]\n",
      {{"source-and-test",
        put("circle.c", "int circle(int r) { return 3 * r * r; }\n") +
            put("tests/circle_test.c",
                "int circle(int);\nint main(void) { return circle(1) == 3 ? 0 : 1; }\n") +
            "sed -i 's/geo.c)/geo.c circle.c)/' CMakeLists.txt; printf 'add_executable(circle_test "
            "tests/circle_test.c)\\ntarget_link_libraries(circle_test geo)\\nadd_test(NAME circle COMMAND "
            "circle_test)\\n' >> CMakeLists.txt"},
       {"moves-a-source",
        "mkdir src; git mv geo.c src/geo.c; sed -i 's/ geo.c)/ src\\/geo.c)/' CMakeLists.txt"},
       {"renames-the-test-program",
        "sed -i 's/geo_test\\([ )]\\)/area_test\\1/; s/COMMAND geo_test/COMMAND area_test/' CMakeLists.txt; "
        "echo 'int perimeter(int w, int h) { return 2 * (w + h); }' >> geo.c"},
       {"warnings", "sed -i '3i add_compile_options(-Wall -Wextra)' CMakeLists.txt"}});
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
