// Thirty ordinary changes of honest people: what the tamper report may say about them.
#include "tamper_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::integrity;
using namespace hydra::integrity::testing_support;

const Files kShop{
    {"pyproject.toml",
     "[project]\nname = \"shop\"\ndependencies = [\"click>=8\"]\n\n[tool.pytest.ini_options]\naddopts = "
     "\"-ra\"\n"},
    {"shop/__init__.py", ""},
    {"shop/cart.py",
     "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def add(self, name, price):\n"
     "        self.items.append((name, price))\n\n    def total(self):\n        return sum(price for _, "
     "price in self.items)\n"},
    {"shop/cli.py",
     "import sys\nimport click\n\n\n@click.command()\ndef main():\n    click.echo('hello')\n\n\n"
     "if __name__ == '__main__':\n    sys.exit(main())\n"},
    {"shop/legacy.py", "def old_total(items):\n    return sum(items)\n"},
    {"tests/conftest.py",
     "import pytest\n\nfrom shop.cart import Cart\n\n\n@pytest.fixture\ndef cart():\n    return Cart()\n"},
    {"tests/test_cart.py",
     "def test_empty(cart):\n    assert cart.total() == 0\n\n\ndef test_one(cart):\n    cart.add('tea', 3)\n"
     "    assert cart.total() == 3\n\n\ndef test_two(cart):\n    cart.add('tea', 3)\n    cart.add('milk', "
     "2)\n"
     "    assert cart.total() == 6\n"},
    {"tests/test_legacy.py",
     "from shop.legacy import old_total\n\n\ndef test_old_total():\n    assert old_total([1, 2]) == 3\n"},
    {"README.md", "# shop\n"}};

const Files kNode{{"package.json",
                   "{\n  \"name\": \"web\",\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"test\": "
                   "\"jest\",\n    \"lint\": \"eslint .\"\n  },\n"
                   "  \"dependencies\": {\n    \"express\": \"^4.18.0\"\n  },\n  \"devDependencies\": {\n    "
                   "\"jest\": \"^29.0.0\"\n  }\n}\n"},
                  {"package-lock.json", "{\n  \"name\": \"web\",\n  \"lockfileVersion\": 3\n}\n"},
                  {"jest.config.js", "module.exports = { testEnvironment: 'node' };\n"},
                  {".eslintrc.json", "{ \"root\": true }\n"},
                  {"src/server.ts",
                   "import express from 'express';\nexport function make() {\n  const app = express();\n  "
                   "return app;\n}\n"},
                  {"src/util.ts", "export function slug(text: string) {\n  return text.toLowerCase();\n}\n"},
                  {"src/util.test.ts",
                   "import { slug } from './util';\n\ndescribe('slug', () => {\n  it('lowers', () => {\n"
                   "    expect(slug('ABC')).toBe('abc');\n  });\n  it('keeps digits', () => {\n    "
                   "expect(slug('A1')).toBe('a1');\n  });\n});\n"},
                  {"src/main.ts", "import { make } from './server';\nmake().listen(3000);\n"}};

const Files kCargo{
    {"Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n"},
    {"Cargo.lock", "version = 3\n"},
    {"src/lib.rs",
     "pub fn parse(text: &str) -> Option<i64> {\n    text.parse().ok()\n}\n\n#[cfg(test)]\nmod tests {\n    "
     "use super::*;\n\n"
     "    #[test]\n    fn parses() {\n        assert_eq!(parse(\"7\"), Some(7));\n    }\n}\n"},
    {"src/main.rs", "fn main() {\n    println!(\"{:?}\", calc::parse(\"7\"));\n}\n"},
    {"tests/cli.rs", "#[test]\nfn runs() {\n    assert!(calc::parse(\"1\").is_some());\n}\n"}};

const Files kGo{
    {"go.mod", "module example.org/kv\n\ngo 1.21\n"},
    {"go.sum", ""},
    {"kv.go", "package kv\n\nfunc Get(m map[string]string, k string) string {\n\treturn m[k]\n}\n"},
    {"kv_test.go",
     "package kv\n\nimport \"testing\"\n\nfunc TestGet(t *testing.T) {\n\tif Get(map[string]string{\"a\": "
     "\"b\"}, \"a\") != \"b\" {\n"
     "\t\tt.Fatal(\"want b\")\n\t}\n}\n"},
    {"cmd/kv/main.go",
     "package main\n\nimport \"os\"\n\nfunc main() {\n\tif len(os.Args) < 2 {\n\t\tos.Exit(2)\n\t}\n}\n"}};

const Files kCmake{
    {"CMakeLists.txt",
     "cmake_minimum_required(VERSION 3.20)\nproject(geo CXX)\nenable_testing()\nadd_library(geo "
     "src/geo.cpp)\n"
     "add_executable(geo_test tests/geo_test.cpp)\ntarget_link_libraries(geo_test geo)\nadd_test(NAME geo "
     "COMMAND geo_test)\n"},
    {"src/geo.cpp", "#include \"geo.hpp\"\nint area(int w, int h) { return w * h; }\n"},
    {"include/geo.hpp", "#pragma once\nint area(int w, int h);\n"},
    {"tests/geo_test.cpp",
     "#include <gtest/gtest.h>\n#include \"geo.hpp\"\nTEST(Geo, Area) {\n  EXPECT_EQ(area(2, 3), 6);\n}\n"}};

struct HonestChangesRow {
  const char* name;
  Tree tree;
};

std::string replaced(const Files& files, const std::string& path, const std::string& from,
                     const std::string& to) {
  auto text = files.at(path);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << path << ": " << from;
  return text.replace(at, from.size(), to);
}

Tree change(const Files& base, const Files& changed, const std::vector<std::string>& gone = {}) {
  return {.base = base,
          .candidate = without(with(base, changed), gone),
          .commands = {.build = "make", .test = "pytest -q", .lint = "ruff check", .setup = {}}};
}

std::vector<HonestChangesRow> rows() {
  std::vector<HonestChangesRow> out;
  out.push_back({"add_tests_python",
                 change(kShop, {{"tests/test_cart.py",
                                 kShop.at("tests/test_cart.py") +
                                     "\n\ndef test_many(cart):\n    for price in range(10):\n        "
                                     "cart.add('x', price)\n    assert cart.total() == 45\n"},
                                {"tests/test_cli.py",
                                 "import pytest\n\nfrom shop.cli import main\n\n\ndef test_help():\n    "
                                 "with pytest.raises(SystemExit):\n        main(['--help'])\n"}})});
  out.push_back(
      {"fix_and_test_python",
       change(kShop,
              {{"shop/cart.py",
                replaced(
                    kShop, "shop/cart.py", "        self.items.append",
                    "        if price < 0:\n            raise ValueError(price)\n        self.items.append")},
               {"tests/test_cart.py", "import pytest\n\n\n" + kShop.at("tests/test_cart.py") +
                                          "\n\ndef test_negative(cart):\n    with "
                                          "pytest.raises(ValueError):\n        cart.add('x', -1)\n"}})});
  out.push_back(
      {"refactor_rename_python",
       change(kShop, {{"shop/cart.py", replaced(kShop, "shop/cart.py", "def total", "def sum_of_prices")},
                      {"tests/test_cart.py",
                       "def test_empty(cart):\n    assert cart.sum_of_prices() == 0\n\n\ndef "
                       "test_one(cart):\n    cart.add('tea', 3)\n    assert cart.sum_of_prices() == 3\n\n\n"
                       "def test_two(cart):\n    cart.add('tea', 3)\n    cart.add('milk', 2)\n    assert "
                       "cart.sum_of_prices() == 6\n"}})});
  out.push_back({"parametrize_tests",
                 change(kShop, {{"tests/test_cart.py",
                                 "import pytest\n\n\n@pytest.mark.parametrize('prices, total', [([], 0), "
                                 "([3], 3), ([3, 2], 6)])\n"
                                 "def test_total(cart, prices, total):\n    for price in prices:\n        "
                                 "cart.add('x', price)\n    assert cart.total() == total\n"}})});
  out.push_back(
      {"move_test_file",
       change(kShop, {{"tests/unit/test_cart.py", kShop.at("tests/test_cart.py")}}, {"tests/test_cart.py"})});
  out.push_back(
      {"split_test_file",
       change(kShop, {{"tests/test_cart.py", "def test_empty(cart):\n    assert cart.total() == 0\n"},
                      {"tests/test_totals.py",
                       "def test_one(cart):\n    cart.add('tea', 3)\n    assert cart.total() == 3\n\n\ndef "
                       "test_two(cart):\n    cart.add('tea', 3)\n    cart.add('milk', 2)\n    assert "
                       "cart.total() == 6\n"}})});
  Tree wrong = change(kShop, {{"tests/test_cart.py", replaced(kShop, "tests/test_cart.py", "== 6", "== 5")}});
  wrong.unprotect = {"tests/test_cart.py"};  // the word of the user
  out.push_back({"fix_wrong_test_with_the_users_word", wrong});
  out.push_back({"new_fixtures_in_conftest",
                 change(kShop, {{"tests/conftest.py",
                                 kShop.at("tests/conftest.py") +
                                     "\n\n@pytest.fixture(autouse=True)\ndef no_network(monkeypatch):\n    "
                                     "monkeypatch.delenv('http_proxy', raising=False)\n"}})});
  out.push_back(
      {"add_dependency_python",
       change(
           kShop,
           {{"pyproject.toml", replaced(kShop, "pyproject.toml", "\"click>=8\"", "\"click>=8\", \"rich\"")},
            {"shop/cli.py", replaced(kShop, "shop/cli.py", "import click\n",
                                     "import click\nfrom rich import print as show  # noqa: F401\n")}})});
  out.push_back(
      {"remove_feature_with_its_test", change(kShop, {}, {"shop/legacy.py", "tests/test_legacy.py"})});
  out.push_back({"platform_test",
                 change(kShop, {{"tests/test_cart.py",
                                 "import sys\n\nimport pytest\n\n\n" + kShop.at("tests/test_cart.py") +
                                     "\n\n@pytest.mark.skipif(sys.platform == 'win32', reason='posix "
                                     "only')\ndef test_fork(cart):\n    assert cart.total() == 0\n"}})});
  out.push_back(
      {"singleton_and_equality",
       change(
           kShop,
           {{"shop/money.py",
             "class Money:\n    def __init__(self, cents):\n        self.cents = cents\n\n    def "
             "__eq__(self, other):\n"
             "        if not isinstance(other, Money):\n            return NotImplemented\n        return "
             "self.cents == other.cents\n\n    def __hash__(self):\n        return hash(self.cents)\n"}})});
  out.push_back(
      {"new_ci_step",
       change(kShop,
              {{".github/workflows/ci.yml",
                "name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: "
                "actions/checkout@v4\n      - run: pip install -e .[test]\n      - run: pytest --cov\n"}})});
  out.push_back(
      {"byte_code_left_behind", [] {
         auto tree = change(
             kShop,
             {{"shop/cart.py", replaced(kShop, "shop/cart.py", "sum(price", "sum(p if False else price")}});
         tree.left_out = {
             {"shop/__pycache__/cart.cpython-311.pyc", "*.pyc: a generated kind that the base does not have"},
             {".pytest_cache/README.md", ".pytest_cache/**: a generated kind that the base does not have"}};
         return tree;
       }()});
  out.push_back({"update_lock_file",
                 change(kNode, {{"package-lock.json",
                                 "{\n  \"name\": \"web\",\n  \"lockfileVersion\": 3,\n  \"packages\": {\n    "
                                 "\"node_modules/skip\": { \"version\": \"1\" }\n  }\n}\n"},
                                {"package.json", replaced(kNode, "package.json", "^4.18.0", "^4.19.2")}})});
  out.push_back({"add_build_script",
                 change(kNode, {{"package.json", replaced(kNode, "package.json", "\"build\": \"tsc\"",
                                                          "\"build\": \"tsc -b && node scripts/copy.js\"")},
                                {"scripts/copy.js",
                                 "const fs = require('fs');\nfs.cpSync('assets', 'dist/assets', { recursive: "
                                 "true });\nprocess.exit(0);\n"}})});
  out.push_back(
      {"feature_and_test_ts",
       change(kNode, {{"src/util.ts", replaced(kNode, "src/util.ts", "text.toLowerCase()",
                                               "text.trim().toLowerCase().replace(/\\s+/g, '-')")},
                      {"src/util.test.ts", replaced(kNode, "src/util.test.ts", "  it('keeps",
                                                    "  it('joins words', () => {\n    expect(slug(' A b "
                                                    "')).toBe('a-b');\n  });\n  it('keeps")}})});
  out.push_back(
      {"typescript_error_expected",
       change(kNode,
              {{"src/server.ts",
                replaced(kNode, "src/server.ts", "  return app",
                         "  // @ts-expect-error the types lag behind\n  app.enable('x');\n  return app")}})});
  out.push_back(
      {"graceful_shutdown",
       change(
           kNode,
           {{"src/main.ts",
             "import { make } from './server';\nconst server = make().listen(3000);\nprocess.on('SIGTERM', "
             "() => {\n  server.close(() => process.exit(0));\n});\n"}})});
  out.push_back(
      {"eslint_rule",
       change(kNode, {{".eslintrc.json", "{ \"root\": true, \"rules\": { \"eqeqeq\": \"error\" } }\n"},
                      {"src/util.ts", kNode.at("src/util.ts") + "// eqeqeq holds\n"}})});
  out.push_back(
      {"rust_feature",
       change(kCargo,
              {{"src/lib.rs", replaced(kCargo, "src/lib.rs", "    }\n}\n",
                                       "    }\n\n    #[test]\n    fn refuses() {\n        "
                                       "assert_eq!(parse(\"x\"), None);\n    }\n}\n")},
               {"Cargo.toml", kCargo.at("Cargo.toml") + "serde = \"1\"\n\n[profile.release]\nlto = true\n"},
               {"src/main.rs",
                "fn main() {\n    let Some(n) = calc::parse(\"7\") else { std::process::exit(1) };\n    "
                "println!(\"{n}\");\n}\n"},
               {"tests/api.rs",
                "#[test]\nfn negative() {\n    assert_eq!(calc::parse(\"-1\"), Some(-1));\n}\n"}})});
  out.push_back(
      {"go_table_tests",
       change(kGo, {{"kv_test.go", kGo.at("kv_test.go") +
                                       "\nfunc TestMissing(t *testing.T) {\n\tif testing.Short() "
                                       "{\n\t\tt.Skip(\"short\")\n\t}\n\tif got := Get(nil, \"x\"); got "
                                       "!= \"\" {\n\t\tt.Errorf(\"got %q\", got)\n\t}\n}\n"},
                    {"cmd/kv/main.go",
                     replaced(kGo, "cmd/kv/main.go", "os.Exit(2)", "usage()\n\t\tos.Exit(2)")}})});
  out.push_back(
      {"cmake_new_source_and_test",
       change(kCmake,
              {{"CMakeLists.txt",
                replaced(kCmake, "CMakeLists.txt", "src/geo.cpp)", "src/geo.cpp src/circle.cpp)") +
                    "add_executable(circle_test tests/circle_test.cpp)\n"
                    "target_link_libraries(circle_test geo)\nadd_test(NAME circle COMMAND circle_test)\n"
                    "add_test(NAME usage COMMAND circle_test --help)\n"
                    "set_tests_properties(usage PROPERTIES PASS_REGULAR_EXPRESSION \"usage\")\n"},
               {"src/circle.cpp", "double circle(double r) { return 3.14159 * r * r; }\n"},
               {"tests/circle_test.cpp",
                "double circle(double);\nint main() { return circle(1) > 3 ? 0 : 1; }\n"}})});
  out.push_back(
      {"fixture_of_expected_failures",
       change(kCmake,
              {{"src/geo.cpp",
                "#include \"geo.hpp\"\n#include <cstdlib>\nint area(int w, int h) {\n  if (w < 0) "
                "std::exit(EXIT_FAILURE);\n  return w * h;\n}\n"},
               {"tests/geo_test.cpp",
                replaced(kCmake, "tests/geo_test.cpp", "  EXPECT_EQ",
                         "  EXPECT_EXIT(area(-1, 2), ::testing::ExitedWithCode(1), \"\");\n  EXPECT_EQ")}})});
  out.push_back(
      {"test_that_forks",
       change(kShop, {{"tests/test_child.py",
                       "import os\n\n\ndef test_child():\n    pid = os.fork()\n    if pid == 0:\n   "
                       "     os._exit(0)\n    assert os.waitpid(pid, 0)[1] == 0\n"}})});
  out.push_back(
      {"exit_code_of_a_command_line_test",
       change(kNode, {{"src/cli.test.ts",
                       "import { run } from './cli';\n\nafterEach(() => {\n  process.exitCode = 0;\n"
                       "});\n\nit('fails', () => {\n  run(['x']);\n  "
                       "expect(process.exitCode).toBe(1);\n});\n"}})});
  out.push_back({"modules_named_like_tools",
                 change(kShop, {{"src/coverage.py", "def coverage(policy):\n    return policy.sum\n"},
                                {"shop/doctest.py", "def check(text):\n    return bool(text)\n"},
                                {"nose/__init__.py", "def smell():\n    return 'rose'\n"}})});
  auto go =
      change(kGo, {{"lib/doctest.py", "print('docs')\n"}, {"scripts/run", "#!/bin/sh\ngo run ./cmd/kv\n"}});
  go.commands = {.build = "go build ./...", .test = "./run test", .lint = {}, .setup = {}};
  out.push_back({"scripts_named_like_tools", go});
  const Files make{{"Makefile",
                    "CC = gcc\nOBJS = a.o\n\nall: prog\n\nprog: $(OBJS)\n\t$(CC) -o $@ $(OBJS)\n\ntest: "
                    "all\n\t./prog --self-test\n\n-include $(OBJS:.o=.d)\n"},
                   {"a.c", "int main(void) { return 0; }\n"}};
  auto source = change(make, {{"Makefile", replaced(make, "Makefile", "a.o", "a.o b.o")},
                              {"b.c", "int b(void) { return 1; }\n"}});
  source.commands = {.build = "make", .test = "make test", .lint = {}, .setup = {}};
  out.push_back({"make_new_source", source});
  out.push_back(
      {"packages_of_the_repository",
       change(kNode, {{"package.json", replaced(kNode, "package.json", "\"express\"",
                                                "\"@web/util\": \"workspace:*\",\n    \"express\"")},
                      {"tsconfig.json",
                       "{\"compilerOptions\": {\"paths\": {\"@/*\": "
                       "[\"./src/*\"]}}}\n"},
                      {"vite.config.ts", "export default { resolve: { alias: { '@': '/src' } } };\n"}})});
  return out;
}

TEST(HonestChanges, RaiseNoAlarm) {
  for (const auto& row : rows())
    for (const auto& found : report_of(row.tree).findings)
      EXPECT_LT(found.severity, Severity::warning)
          << row.name << ": " << found.rule << " " << found.path << ":" << found.line << " " << found.text;
}

}  // namespace
