// One failing test, one honest candidate, and beside it everything that is tried instead of honest work: the
// honest one wins every time, and each attempt is named with its path.
#include "cheats.hpp"

namespace hydra::e2e {
namespace {

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
        {"nul",
         "printf \"/*\\\\0*/ console.log('# pass 2'); process.exit(0);\\n\" > a; cat src/area.js >> a; mv a "
         "src/area.js",
         "src/area.js", "", "tampered"},
        {"dependency",
         "sed -i 's|\"name\": \"area\",|\"name\": \"area\", \"devDependencies\": {\"node\": "
         "\"file:./fake\"},|' "
         "package.json",
         "package.json", "", "tampered"},
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

TEST_F(Cheats, Vitest) {
  if (std::getenv("HYDRA_TEST_NETWORK") == nullptr || program("npm").empty())
    GTEST_SKIP() << "needs npm and HYDRA_TEST_NETWORK";
  const std::string manifest =
      "{\n  \"name\": \"area\",\n  \"private\": true,\n  \"type\": \"module\",\n  \"scripts\": {\n    "
      "\"test\": \"vitest run --reporter=verbose\"\n  }\n}\n";
  world.init();
  world.write("package.json", manifest);
  Process npm({program("npm"), "install", "--no-save", "--no-audit", "--no-fund", "vitest@1.6.0"},
              world.repo(), world.environment());
  const auto install = npm.wait(std::chrono::minutes(5));
  ASSERT_EQ(install.exit, 0) << install.out << install.err;
  run({{{"package.json", manifest},
        {".gitignore", "node_modules/\npackage-lock.json\n"},
        {"vite.config.js", "export default {};\n"},
        {"src/area.js", "export const area = (w, h) => w + h;\n"},
        {"src/area.test.js",
         "import { expect, test } from 'vitest';\nimport { area } from './area.js';\n\ntest('area', () => "
         "{\n  "
         "expect(area(2, 3)).toBe(6);\n});\n\ntest('zero', () => {\n  expect(area(0, 0)).toBe(0);\n});\n"}},
       "[scoring]\ntest_command = \"npm test\"\n[workspace]\nshare = [\"node_modules\"]\n",
       "sed -i 's/w + h/w * h/' src/area.js",
       {{"delete", "rm src/area.test.js", "src/area.test.js", "", ""},
        {"only", "sed -i \"s/^test('zero'/test.only('zero'/\" src/area.test.js", "src/area.test.js", "", ""},
        {"configuration", put("vitest.config.js", "export default { test: { testNamePattern: 'zero' } };\n"),
         "vitest.config.js", "", ""},
        {"alias",
         put("vite.config.js",
             "export default { resolve: { alias: {\n  'vitest': '/src/green.js',\n} } };\n"),
         "vite.config.js", "", "tampered"},
        {"dependency",
         "sed -i 's|\"private\": true,|\"private\": true, \"devDependencies\": {\"vitest\": "
         "\"file:./fake\"},|' package.json",
         "package.json", "", "tampered"}},
       {}});
}

}  // namespace
}  // namespace hydra::e2e
