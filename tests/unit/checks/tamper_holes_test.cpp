// Holes that a review has found, each with the honest change beside it.
#include "tamper_cheats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::checks;
using namespace hydra::checks::testing_support;

class Hole : public Cheat {};

TEST_P(Hole, IsNamed) { expect_named(GetParam()); }

/// An honest change: nothing of it blocks, and only so much of it warns.
struct Honest {
  const char* name;
  Files base, changed;
  std::size_t warnings = 0;
};
void PrintTo(const Honest& row, std::ostream* out) { *out << row.name; }
class HonestBeside : public testing::TestWithParam<Honest> {};

TEST_P(HonestBeside, IsNotTakenForACheat) {
  const auto& row = GetParam();
  const auto report =
      report_of({.base = row.base,
                 .candidate = with(row.base, row.changed),
                 .commands = {.build = "make", .test = "make test && pytest", .lint = {}, .setup = {}}});
  std::size_t warnings = 0;
  for (const auto& s : report.signals) {
    EXPECT_NE(s.severity, kBlock) << shown(report);
    if (s.severity == kWarning) ++warnings;
  }
  EXPECT_EQ(warnings, row.warnings) << shown(report);
}

const Files kFlat{{"pyproject.toml", "[project]\nname = \"area\"\n"},
                  {"area.py", "def area(w, h):\n    return w + h\n"},
                  {"conftest.py", "import pytest\n"},
                  {"test_area.py",
                   "import unittest\n\nfrom area import area\n\n\nclass TestArea(unittest.TestCase):\n    "
                   "def test_area(self):\n        self.assertEqual(area(2, 3), 6)\n"}};

INSTANTIATE_TEST_SUITE_P(
    Places, Hole,
    testing::Values(
        Row{"package_in_the_place_of_a_test",
            kFlat,
            {{"test_area/__init__.py",
              "__file__ = 'test_area.py'\nclass TestArea:\n    def test_area(self):\n        pass\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "test_area/__init__.py",
            0},
        Row{"package_in_the_place_of_a_hook",
            kFlat,
            {{"conftest/__init__.py", "x = 1\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "conftest/__init__.py",
            0},
        Row{"standard_module",
            kPython,
            {{"argparse.py", "import os\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "argparse.py",
            0},
        Row{"pth_that_runs",
            kPython,
            {{"src/x.pth", "import os; os.environ['A'] = '1'\n"}},
            SignalKind::tool_shadowing,
            kBlock,
            "src/x.pth",
            0}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Places, HonestBeside,
    testing::Values(Honest{"weights", kPython, {{"data/weights.pth", std::string("PK\3\4\0\0", 6)}}},
                    Honest{"data_beside_a_test", kFlat, {{"test_area/in.json", "{}\n"}}},
                    Honest{"code_becomes_a_package", kFlat, {{"area/__init__.py", "def area(w, h): ...\n"}}},
                    Honest{"own_queue", kPython, {{"app/queue.py", "class Queue: ...\n"}}}),
    [](const auto& i) { return i.param.name; });

}  // namespace
