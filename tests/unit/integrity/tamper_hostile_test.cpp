// Texts that are made to cost: each of these is of the shape that once cost the square of its size, hours for
// what stands here. It ends, and what it says is bounded.
#include "tamper_cheats.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra::integrity;
using namespace hydra::integrity::testing_support;

constexpr std::size_t kBytes = 1U << 20U;

std::string repeated(const std::string& text) {
  std::string out;
  while (out.size() < kBytes) out += text;
  return out;
}
std::string numbered(const std::string& before, const std::string& after) {
  std::string out;
  for (int i = 0; out.size() < kBytes; ++i) out += before + std::to_string(i) + after;
  return out;
}

/// As deep as a key may be.
const std::string many_parts = "." + [] {
  std::string out;
  for (int i = 0; i < 1000; ++i) out += "a.";
  return out;
}();

struct Costly {
  const char* name;
  Files base, changed;
};
void PrintTo(const Costly& row, std::ostream* out) { *out << row.name; }
class HostileShapes : public testing::TestWithParam<Costly> {};

TEST_P(HostileShapes, Ends) {
  const auto& row = GetParam();
  const auto report =
      report_of({.base = row.base,
                 .candidate = with(row.base, row.changed),
                 .commands = {.build = "make", .test = "make test && pytest", .lint = {}, .setup = {}}});
  EXPECT_LE(report.findings.size(), kMostFindings) << shown(report);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, HostileShapes,
    testing::Values(
        Costly{"ends_in_functions", kPython, {{"app/core.py", repeated("def f():\n  sys.exit(0)\n")}}},
        Costly{"ends_of_children", kPython, {{"tests/test_more.py", repeated("  os._exit(0)\n")}}},
        Costly{"equal_classes",
               kPython,
               {{"app/core.py", numbered("class A", ":\n  def __eq__(s, o):\n    return True\nx = A\n")}}},
        Costly{"callers", kPython, {{"app/core.py", repeated("sys._getframe(1)\n")}}},
        Costly{"sentinels", kPython, {{"app/core.py", repeated("ANY\n")}}},
        Costly{"stacks", kNode, {{"src/a.js", repeated("Error().stack\n")}}},
        Costly{"separators", kNode, {{"src/a.js", repeated("\xE2\x80\xA8")}}},
        Costly{"programs", kMake, {{"a.c", repeated("  execv(a)\n")}}},
        Costly{"callers_of_go", kGo, {{"a.go", repeated("runtime.Caller(1)\n")}}},
        Costly{"verdicts", kCmake, {{"CMakeLists.txt", repeated("PASS_REGULAR_EXPRESSION x\n")}}},
        Costly{"keys_of_keys", kPython, {{"pyproject.toml", repeated("a.") + "a = 1\n"}}},
        Costly{"keys_below_keys", kPython, {{"pyproject.toml", numbered("x", many_parts + "a = 'b'\n")}}},
        Costly{"includes", kMake, {{"Makefile", repeated("include x.mk\n")}, {"x.mk", repeated("A = 1\n")}}}),
    [](const auto& i) { return i.param.name; });

// Many small files: what is kept of a report is bounded while it is made, too.
TEST(HostileDiff, ManyFiles) {
  Tree tree{.base = kPython, .candidate = kPython};
  for (int i = 0; i < 5'000; ++i)
    tree.candidate["d" + std::to_string(i % 100) + "/a" + std::to_string(i) + ".py"] = "import os  # noqa\n";
  const auto report = report_of(tree);
  EXPECT_EQ(report.findings.size(), kMostFindings);
  EXPECT_EQ(report.not_shown, 5'000 - static_cast<std::int64_t>(kMostFindings));
}

}  // namespace
