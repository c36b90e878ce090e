// Tamper report: deleted tests, hostile input.
#include "tamper_cheats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::integrity;
using namespace hydra::integrity::testing_support;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// --- what is gone, left out or old

// Examples in documentation are the candidate's in the gating run.
TEST(Tampering, AnExampleThatExpectsSomethingElseIsNamed) {
  const Files crate{{"src/lib.rs", "/// ```\n/// assert_eq!(area(2, 3), 6);\n/// ```\npub fn area() {}\n"}};
  auto text = crate.at("src/lib.rs");
  const auto weaker = text.replace(text.find("3), 6"), 5, "3), 5");
  const auto report = report_of({.base = crate, .candidate = with(crate, {{"src/lib.rs", weaker}})});
  ASSERT_EQ(report.findings.size(), 1U) << shown(report);
  EXPECT_EQ(report.findings[0].rule, "weakened_assertion");
  EXPECT_EQ(report.findings[0].severity, kWarning);
  EXPECT_EQ(report.findings[0].path, "src/lib.rs");
  EXPECT_EQ(report.findings[0].line, 2);
  const Files documented{
      {"app/core.py", "def area(w, h):\n    \"\"\"\n    >>> area(2, 3)\n    6\n    \"\"\"\n"}};
  const Files other{{"app/core.py", "def area(w, h):\n    \"\"\"\n    >>> area(2, 3)\n    5\n    \"\"\"\n"}};
  EXPECT_THAT(shown(report_of({.base = documented, .candidate = other})),
              HasSubstr("warning weakened_assertion app/core.py:4"));
}

TEST(Tampering, WhatWasLeftOutIsNamed) {
  const std::string unchecked("\xa7\x0d\x0d\x0a\x01\x00\x00\x00........", 16);
  auto candidate =
      with(kPython, {{"app/__pycache__/core.cpython-311.pyc", unchecked}, {"app/core.pyc", "x"}});
  const auto report = report_of(
      {.base = kPython,
       .candidate = candidate,
       .left_out = {
           {"app/__pycache__/core.cpython-311.pyc", "*.pyc: a generated kind that the base does not have"},
           {"app/core.pyc", "*.pyc: a generated kind that the base does not have"},
           {"node_modules/jest/bin/jest.js", "ignored by the base's rules", true},
           {"app/__pycache__/b.cpython-311.pyc", "*.pyc: a generated kind that the base does not have"},
           {"tests/__pycache__/b.cpython-311.pyc", "*.pyc: a generated kind that the base does not have"},
           {"lib/sitecustomize.py", "a generated kind that the base does not have"}}});
  const auto text = shown(report);
  EXPECT_THAT(text, HasSubstr("warning generated_file app/__pycache__/core.cpython-311.pyc"));
  EXPECT_THAT(text, HasSubstr("warning generated_file app/core.pyc"));
  EXPECT_THAT(text, HasSubstr("warning generated_file node_modules/jest/bin/jest.js"));
  EXPECT_THAT(text, HasSubstr("info generated_file app/__pycache__/b.cpython-311.pyc"));
  EXPECT_THAT(text, HasSubstr("info generated_file tests/__pycache__/b.cpython-311.pyc"));
  EXPECT_THAT(text, HasSubstr("warning generated_file lib/sitecustomize.py"));
}

TEST(Tampering, SuppressionsAreCountedNet) {
  Files base = kPython;
  base["app/core.py"] = "import os  # noqa\nimport sys  # noqa: F401\n";
  EXPECT_EQ(
      report_of({.base = base,
                 .candidate = with(
                     base, {{"app/core.py", "import os  # noqa\nx = 1  # type: ignore\ny = 2  # nosec\n"}})})
          .suppressions,
      1);
  EXPECT_EQ(report_of({.base = base, .candidate = with(base, {{"app/core.py", "import os\n"}})}).suppressions,
            0);
  // A file that moved takes its own along.
  auto moved = without(base, {"app/core.py"});
  moved["app/kernel.py"] = base["app/core.py"];
  EXPECT_EQ(report_of({.base = base, .candidate = moved}).suppressions, 0);
}

// --- hostile input

TEST(Tampering, ExcerptsAreSafeAndShort) {
  const auto report = report_of(
      {.base = kPython,
       .candidate = with(kPython, {{"tests/test_\x1b[2J.py", "x = 1  # noqa \x1b[31m\xe2\x80\xae" +
                                                                 std::string(100'000, 'x') + "\n"}})});
  ASSERT_FALSE(report.findings.empty());
  for (const auto& s : report.findings) {
    EXPECT_LE(s.text.size(), kMostExcerpt);
    for (const auto& text : {s.text, s.path, s.reason}) {
      EXPECT_EQ(text.find('\x1b'), std::string::npos);
      EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
    }
  }
}

TEST(Tampering, ManyFindingsAreCountedNotKept) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "x" + std::to_string(i) + " = 1  # noqa\n";
  auto candidate = with(kPython, {{"app/core.py", text}});
  for (int i = 0; i < 100; ++i) candidate["tests/test_" + std::to_string(i) + ".py"] = text;
  const auto report = report_of({.base = kPython, .candidate = candidate});
  EXPECT_EQ(report.findings.size(), kMostFindings);
  EXPECT_EQ(report.suppressions, 101 * 5000);
  EXPECT_EQ(report.not_shown, 101 * 5000 - static_cast<std::int64_t>(kMostFindings));
}

TEST(Tampering, NoChangeNoFinding) {
  const auto report = report_of({.base = kPython, .candidate = kPython});
  EXPECT_THAT(report.findings, IsEmpty());
}

}  // namespace
