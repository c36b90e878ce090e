// A cheat and the finding that names it; small projects of several kinds to cheat in.
#pragma once

#include "integrity/report/tamper.hpp"
#include "tamper_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>

namespace hydra::integrity::testing_support {

inline const Files kPython{
    {"pyproject.toml", "[project]\nname = \"app\"\n"},
    {"app/core.py", "def area(w, h):\n    return w + h\n"},
    {"app/__init__.py", ""},
    {"tests/test_core.py",
     "from app.core import area\n\n\ndef test_area():\n    assert area(2, 3) == 6\n\n\n"
     "def test_zero():\n    assert area(0, 3) == 0\n"},
    {"tests/conftest.py", "import pytest\n"}};
inline const Files kNode{
    {"package.json", "{\"scripts\":{\"test\":\"node --test\"}}"},
    {"src/a.js", "exports.area = (w, h) => w + h;\n"},
    {"test/a.test.js",
     "const test = require('node:test');\nconst assert = require('assert');\n"
     "test('area', () => {\n  assert.strictEqual(require('../src/a').area(2, 3), 6);\n});\n"}};
inline const Files kCargo{
    {"Cargo.toml", "[package]\nname = \"a\"\n"},
    {"src/lib.rs",
     "pub fn area(w: u32, h: u32) -> u32 { w + h }\n#[cfg(test)]\nmod tests {\n    #[test]\n"
     "    fn area() {\n        assert_eq!(super::area(2, 3), 6);\n    }\n}\n"}};
inline const Files kGo{{"go.mod", "module a\n"},
                       {"a.go", "package a\n"},
                       {"a_test.go",
                        "package a\nimport \"testing\"\nfunc TestA(t *testing.T) {\n\tif Area(2, 3) != 6 "
                        "{\n\t\tt.Fatal(\"6\")\n\t}\n}\n"}};
inline const Files kCmake{
    {"CMakeLists.txt",
     "project(a)\nenable_testing()\nadd_executable(t t_test.cpp)\nadd_test(NAME area COMMAND t area)\n"},
    {"t_test.cpp", "int main() { return 1; }\n"}};
inline const Files kMake{{"Makefile", "all:\n\tcc a.c\ntest: all\n\tsh run_tests.sh\n"},
                         {"run_tests.sh", "./a.out\n"},
                         {"a.c", "int main(){}\n"}};

// --- one cheat, one finding: rule, severity, path and line

struct Row {
  const char* name;
  Files base, changed;
  const char* rule;
  Severity severity;
  const char* path;
  std::int64_t line;
};
inline void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
class Cheat : public testing::TestWithParam<Row> {};

inline std::string shown(const TamperReport& report) {
  std::string out;
  for (const auto& found : report.findings)
    out += std::string(name(found.severity)) + " " + found.rule + " " + found.path + ":" +
           std::to_string(found.line) + " " + found.text + " (" + found.reason + ")\n";
  return out;
}

/// Expects that the report has the row's finding.
inline void expect_named(const Row& row) {
  const auto report =
      report_of({.base = row.base,
                 .candidate = with(row.base, row.changed),
                 .commands = {.build = "make",
                              .test = row.base.contains("scripts/test.sh") ? "sh scripts/test.sh"
                                                                           : "make test && pytest",
                              .lint = {},
                              .setup = {}}});
  const bool found = std::any_of(report.findings.begin(), report.findings.end(), [&](const auto& each) {
    return each.rule == row.rule && each.severity == row.severity && each.path == row.path &&
           each.line == row.line && !each.reason.empty();
  });
  EXPECT_TRUE(found) << shown(report);
}

constexpr auto kInfo = Severity::info;
constexpr auto kWarning = Severity::warning;

}  // namespace hydra::integrity::testing_support
