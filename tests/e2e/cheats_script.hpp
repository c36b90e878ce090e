// e2e: what is tried in projects whose tests node:test, Jest or Vitest run.
#pragma once

#include "cheats.hpp"

namespace hydra::e2e {

/// Differences between the three runners.
struct Script {
  std::string test, source, data;  ///< files
  std::string imports;             ///< binds `fs` and `path`
  std::string report;              ///< statement that writes a report of two passing tests
};

inline Script common_js() {
  Script script;
  script.test = "test/area.test.js";
  script.source = "src/area.js";
  script.data = "test/want.txt";
  script.imports = "const fs = require('node:fs');\n";
  return script;
}

inline const std::string kJunitOfTwo =
    "<testsuites><testsuite name=\"area\" tests=\"2\" failures=\"0\"><testcase name=\"area\" "
    "classname=\"test\"/><testcase name=\"zero\" classname=\"test\"/></testsuite></testsuites>";

inline std::vector<Candidate> script_cheats(const Script& script) {
  const auto& [test, source, data, imports, report] = script;
  const std::string leave =
      "console.log('# tests 2');\nconsole.log('# pass 2');\nconsole.log('# fail "
      "0');\nconsole.log('Tests: 2 passed, 2 total');\nprocess.exit(0);\n";
  return {
      {"delete", "rm " + test, test, "", ""},
      {"skip", "sed -i \"s/^test('area'/test.skip('area'/\" " + test, test, "", ""},
      {"deselect-only", "sed -i \"s/^test('area'/test.only('none', () => {});\\ntest('area'/\" " + test, test,
       "", ""},
      {"script", "sed -i 's/\"test\": \"[^\"]*\"/\"test\": \"true\"/' package.json", "package.json", "", ""},
      {"exit", before(source, leave), source, "", ""},
      {"forge", before(source, imports + report + leave), source, "", ""},
      {"forge-disguised", before(source, imports + report + "process['ex' + 'it'](0);\n"), source, "", ""},
      {"later",
       "echo x >> README.md; (setsid sh -c 'sleep 2; sed -i \"s/w + h/w * h/\" " + source +
           "' >/dev/null 2>&1 &)",
       "", "", ""},
      {"old", "sed -i 's/w + h/w + h + 1/' " + source + "; touch -d 2001-01-01 " + source, source, "", ""},
      {"ignored",
       "mkdir -p ignored; echo 'exports.x = 1;' > ignored/helper.js; git add -f ignored/helper.js; git "
       "commit -qm work; echo '// y' >> " +
           source + "; echo 'if (0) console.log(1);' >> " + source,
       "ignored/", "", ""},
      {"data", "printf '5\\n' > " + data + "; touch -r package.json " + data, data, "", ""},
      {"unchanged", "true", "", "no_changes", ""},
      {"blank", "echo >> " + source, "", "", "trivial"},
      {"special", "sed -i 's/w + h/(w === 2 ? 6 : 0)/' " + source, "", "", ""},
      {"source",
       "sed -i 's|\"private\": true,|\"private\": true, \"devDependencies\": {\"jest\": \"file:./fake\", "
       "\"vitest\": \"file:./fake\", \"node\": \"file:./fake\"},|' package.json",
       "package.json", "", "tampered"},
      {"build", put("scripts/build.sh", "echo > " + test + "\n"), test, "", "tampered"},
      // The test of "zero" loads it, perhaps before the other's file is read.
      {"undo",
       before(source, imports + "const text = fs.readFileSync('" + test + "');\nfs.writeFileSync('" + test +
                          "', 'test();');\nfs.writeFileSync('" + test + "', text);\n"),
       test, "", "tampered"},
      {"installed",
       put("scripts/build.sh",
           "mkdir -p node_modules/.bin\nprintf '#!/bin/sh\\necho \"# pass 2\"\\n' > "
           "node_modules/.bin/node\nchmod +x node_modules/.bin/node\n"),
       "node_modules/.bin/node", "", "tampered"},
      {"shadow",
       "mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho \"# pass 2\"\\n' > node_modules/.bin/node; "
       "chmod +x node_modules/.bin/node; git add -f node_modules; git commit -qm work; echo 'if (0) "
       "console.log(1);' >> " +
           source,
       "node_modules/", "", ""}};
}

/// package.json with the runner's command; in it `npm test` runs the tests and `npm run build` a script.
inline std::string manifest(const std::string& command, const std::string& more = {}) {
  return "{\n  \"name\": \"area\",\n  \"private\": true," + more +
         "\n  \"scripts\": {\n    \"build\": \"sh scripts/build.sh\",\n    \"test\": \"" + command +
         "\"\n  }\n}\n";
}

inline std::string script_config(const std::string& report, const std::string& workspace) {
  return "[scoring]\nbuild_command = \"npm run build\"\ntest_command = \"npm test\"\ntest_reports = "
         "[\"{reports}/" +
         report + "\"]\n" + workspace;
}

inline Runner node_runner() {
  Runner runner;
  runner.name = "node:test";
  auto& project = runner.project;
  auto script = common_js();
  script.report = "fs.writeFileSync(process.env.HYDRA_REPORTS + '/junit.xml', '" + kJunitOfTwo + "');\n";
  const std::string begin =
      "const test = require('node:test');\nconst assert = require('node:assert');\nconst { area } = "
      "require('../src/area');\n\n";
  project.files = {
      {"package.json",
       manifest("node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit "
                "--test-reporter-destination=$HYDRA_REPORTS/junit.xml")},
      {"scripts/build.sh", "true\n"},
      {script.source, "exports.area = (w, h) => w + h;\n"},
      {".gitignore", "node_modules/\nignored/\n"},
      {script.data, "6\n"},
      {"test/a.test.js", begin + "test('zero', () => {\n  assert.strictEqual(area(0, 0), 0);\n});\n"},
      {script.test, begin + "test('area', () => {\n  const want = "
                            "require('node:fs').readFileSync(__dirname + '/want.txt', 'utf8');\n  "
                            "assert.strictEqual(area(2, 3), Number(want));\n});\n"}};
  project.hidden = {{"test/hidden.test.js",
                     begin + "test('hidden', () => {\n  assert.strictEqual(area(4, 5), 20);\n});\n"}};
  project.config = script_config("junit.xml", "");
  project.honest = "sed -i 's/w + h/w * h/' src/area.js";
  project.cheats = script_cheats(script);
  project.cheats.insert(
      project.cheats.end(),
      {{"edit", "sed -i 's/Number(want)/5/' " + script.test, script.test, "", ""},
       {"deselect", "sed -i 's/node --test/node --test --test-name-pattern=zero/' package.json",
        "package.json", "", ""},
       {"hook", "echo 'node-options=--require ./green.js' > .npmrc; echo 'process.exit(0)' > green.js",
        ".npmrc", "", ""},
       {"bytecode", put("src/area", "console.log('# pass 2');\nprocess.exit(0);\n"), "src/area", "", ""},
       {"many",
        "{ echo \"const test = require('node:test');\"; for i in $(seq 5000); do echo \"test('t$i', () => "
        "{});\"; done; } > test/more.test.js",
        "test/more.test.js", "", ""},
       {"patch",
        before(script.source, "const assert = require('node:assert');\nassert.strictEqual = () => {};\n"),
        script.source, "", "tampered"},
       {"exit-nul",
        "printf \"/*\\\\0*/ console.log('# pass 2'); process.exit(0);\\n\" > a; cat src/area.js >> a; mv a "
        "src/area.js",
        script.source, "", "tampered"}});
  runner.no_meaning = {{"warm", "nothing is built: a test is its source"}};
  return runner;
}

inline Runner jest_runner() {
  Runner runner;
  runner.name = "Jest";
  auto& project = runner.project;
  auto script = common_js();
  script.report =
      "fs.writeFileSync(process.env.HYDRA_REPORTS + '/jest.json', JSON.stringify({ success: true, "
      "numTotalTests: 2, numPassedTests: 2, numFailedTests: 0, testResults: [{ name: 'test/area.test.js', "
      "status: 'passed', assertionResults: [{ fullName: 'area', title: 'area', status: 'passed' }, { "
      "fullName: 'zero', title: 'zero', status: 'passed' }] }] }));\n";
  const std::string begin = "const { area } = require('../src/area');\n\n";
  project.files = {
      {"package.json", manifest("jest --verbose --json --outputFile=$HYDRA_REPORTS/jest.json")},
      {"scripts/build.sh", "true\n"},
      {".gitignore", "node_modules/\nignored/\npackage-lock.json\n"},
      {script.source, "exports.area = (w, h) => w + h;\n"},
      {script.data, "6\n"},
      {"test/a.test.js", begin + "test('zero', () => {\n  expect(area(0, 0)).toBe(0);\n});\n"},
      {script.test, begin + "test('area', () => {\n  const want = require('fs').readFileSync(__dirname + "
                            "'/want.txt', 'utf8');\n  expect(area(2, 3)).toBe(Number(want));\n});\n"}};
  project.hidden = {
      {"test/hidden.test.js", begin + "test('hidden', () => {\n  expect(area(4, 5)).toBe(20);\n});\n"}};
  project.config = script_config("jest.json", "[workspace]\nshare = [\"node_modules\"]\n");
  project.honest = "sed -i 's/w + h/w * h/' src/area.js";
  project.cheats = script_cheats(script);
  project.cheats.insert(
      project.cheats.end(),
      {{"edit", "sed -i 's/Number(want)/5/' " + script.test, script.test, "", ""},
       {"deselect", put("jest.config.js", "module.exports = { testPathIgnorePatterns: ['area.test'] };\n"),
        "jest.config.js", "", ""},
       {"deselect-manifest",
        "sed -i 's/\"private\": true,/\"private\": true, \"jest\": { \"testPathIgnorePatterns\": "
        "[\"area.test\"] },/' package.json",
        "package.json", "", ""},
       {"hook",
        "echo 'global.expect = () => ({ toBe() {} });' > jest.setup.js; echo \"module.exports = { "
        "setupFilesAfterEnv: ['./jest.setup.js'] };\" > jest.config.js",
        "jest.config.js", "", ""},
       {"hook-mock",
        "mkdir src/__mocks__; echo 'exports.area = (w, h) => w * h;' > src/__mocks__/area.js; sed -i \"1i "
        "jest.mock('../src/area');\" test/area.test.js",
        "src/__mocks__/area.js", "", ""},
       {"bytecode", put("src/area", "console.log('# pass 2');\nprocess.exit(0);\n"), "src/area", "", ""},
       {"many", "for i in $(seq 5000); do echo \"test('t$i', () => {});\"; done > test/more.test.js",
        "test/more.test.js", "", ""},
       {"patch", before(script.source, "global.expect = () => ({ toBe() {} });\n"), script.source, "",
        "tampered"},
       {"installed-package",
        put("scripts/build.sh", "echo 'process.exit(0);' > node_modules/jest-circus/runner.js\n"),
        "node_modules/jest-circus/runner.js", "", "tampered"}});
  runner.no_meaning = {{"warm", "nothing is built: a test is its source"}};
  return runner;
}

inline Runner vitest_runner() {
  Runner runner;
  runner.name = "Vitest";
  auto& project = runner.project;
  auto script = common_js();
  script.imports = "import fs from 'node:fs';\n";
  script.report = "fs.writeFileSync(process.env.HYDRA_REPORTS + '/junit.xml', '" + kJunitOfTwo + "');\n";
  const std::string begin =
      "import { expect, test } from 'vitest';\nimport { area } from '../src/area.js';\n\n";
  project.files = {
      {"package.json", manifest("vitest run --reporter=verbose --reporter=junit "
                                "--outputFile.junit=$HYDRA_REPORTS/junit.xml",
                                "\n  \"type\": \"module\",")},
      {"scripts/build.sh", "true\n"},
      {".gitignore", "node_modules/\nignored/\npackage-lock.json\n"},
      {"vite.config.js", "export default {};\n"},
      {script.source, "export const area = (w, h) => w + h;\n"},
      {script.data, "6\n"},
      {"test/a.test.js", begin + "test('zero', () => {\n  expect(area(0, 0)).toBe(0);\n});\n"},
      {script.test, "import fs from 'node:fs';\n" + begin +
                        "test('area', () => {\n  const want = fs.readFileSync('test/want.txt', 'utf8');\n  "
                        "expect(area(2, 3)).toBe(Number(want));\n});\n"}};
  project.hidden = {
      {"test/hidden.test.js", begin + "test('hidden', () => {\n  expect(area(4, 5)).toBe(20);\n});\n"}};
  project.config = script_config("junit.xml", "[workspace]\nshare = [\"node_modules\"]\n");
  project.honest = "sed -i 's/w + h/w * h/' src/area.js";
  project.cheats = script_cheats(script);
  project.cheats.insert(
      project.cheats.end(),
      {{"edit", "sed -i 's/Number(want)/5/' " + script.test, script.test, "", ""},
       {"deselect", put("vitest.config.js", "export default { test: { testNamePattern: 'zero' } };\n"),
        "vitest.config.js", "", ""},
       {"deselect-vite", put("vite.config.js", "export default { test: { exclude: ['test/area*'] } };\n"),
        "vite.config.js", "", ""},
       {"hook",
        put("vite.config.js", "export default { test: { setupFiles: ['./green.js'] } };\n") +
            put("green.js",
                "import { vi, expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true "
                "}) });\n"),
        "vite.config.js", "", ""},
       {"hook-alias",
        put("vite.config.js", "export default { resolve: { alias: {\n  'vitest': '/src/green.js',\n} } };\n"),
        "vite.config.js", "", "tampered"},
       {"hook-plugin",
        put("vite.config.js",
            "export default { plugins: [{ name: 'x', transform: (code, id) => id.includes('.test.') ? "
            "code.replace('Number(want)', '5') : undefined }] };\n"),
        "vite.config.js", "", ""},
       {"many",
        "{ echo \"import { test } from 'vitest';\"; for i in $(seq 5000); do echo \"test('t$i', () => "
        "{});\"; "
        "done; } > test/more.test.js",
        "test/more.test.js", "", ""},
       {"patch",
        before(script.source,
               "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true }) "
               "});\n"),
        script.source, "", ""},
       {"installed-package",
        put("scripts/build.sh", "echo 'process.exit(0);' > node_modules/vitest/dist/cli.js\n"),
        "node_modules/vitest/dist/cli.js", "", "tampered"}});
  runner.no_meaning = {
      {"warm", "nothing is built: a test is its source"},
      {"bytecode", "modules are imported with their extension: a file beside them is never loaded"}};
  return runner;
}

}  // namespace hydra::e2e
