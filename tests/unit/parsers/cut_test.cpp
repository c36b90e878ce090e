// A run that was ended from within prints a part of its output and exits with 0: it is no clean pass.
#include "documented_more.hpp"
#include "score.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace hydra::parsers {
namespace {

/// Outputs of which a part may be a whole output: nothing in them says that more was to come.
const std::map<std::string, std::string> kNoEnd = {
    {"ava/ok", "its last line, with the skipped tests, is there only if some were skipped"},
    {"cargo-test/aborted", "each target has its own result, and no line ends the whole run"},
    {"cargo-test/all-pass", "each target has its own result, and no line ends the whole run"},
    {"cargo-test/doc-tests", "each target has its own result, and no line ends the whole run"},
    {"jest/made-concurrently-named", "two runs, the first of which was whole"},
    {"mixed-frameworks/go-then-jest", "two runs, the first of which was whole"},
    {"mocha/min", "a test printed the lines that end the run, and the reporter shows nothing else"},
    {"mocha/nyan", "a test printed the lines that end the run, and the reporter draws nothing else"},
    {"nextest/made-retry-then-doc-tests", "two runs, the first of which was whole"},
    {"node-test/mixed-green-tap",
     "a TAP document that keeps its plan is whole, and node's figures follow it"},
    {"pytest/made-pytest-exit", "what tells of the early stop comes behind the summary"},
};

bool same(const model::ParsedTests& a, const model::ParsedTests& b) {
  return a.counts.passed == b.counts.passed && a.counts.skipped == b.counts.skipped;
}

/// Returns where a part of this output, which exits with 0, is read as a clean run other than the whole one.
std::string taken_for_clean(const std::string& output) {
  const auto whole = parse_tests(output, {0, {}});
  std::string out;
  for (std::size_t part = 1; part <= 10; ++part)
    for (const bool line : {false, true}) {
      auto cut = output.substr(0, output.size() * part / 11);
      if (line) cut.resize(cut.rfind('\n') == std::string::npos ? 0 : cut.rfind('\n') + 1);
      const auto r = parse_tests(cut, {0, {}});
      if (!golden::looks_clean(r) || (golden::looks_clean(whole) && same(r, whole))) continue;
      out += " " + std::to_string(part) + (line ? "l:" : ":") + r.format;
    }
  return out;
}

TEST(Cut, RecordedOutputsThatExitWithZero) {
  std::set<std::string> used;
  for (const auto& c : golden::cases()) {
    if (c.truth.value("kind", "") != "test") continue;
    const auto parts = taken_for_clean(c.output);
    if (parts.empty()) continue;
    used.insert(c.name);
    EXPECT_TRUE(kNoEnd.contains(c.name)) << c.name << parts;
  }
  for (const auto& [name, why] : kNoEnd) EXPECT_TRUE(used.contains(name)) << name << " need not be listed";
}

TEST(Cut, DocumentedOutputsThatExitWithZero) {
  for (const auto& d : all_documented()) {
    EXPECT_EQ(taken_for_clean(d.text), "") << d.name;
  }
}

}  // namespace
}  // namespace hydra::parsers
