// The scores over all recorded outputs, and the table of docs/toolchains.md that is made from them.
// HYDRA_REGENERATE=1 writes the table instead of checking it.
#include "score.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

namespace hydra::parsers {
namespace {

struct Row {
  std::string kind;
  int cases = 0, equal = 0, safe = 0, named = 0, names = 0;
};

struct Table {
  std::map<std::string, Row> tools;
  std::string failures;
};

const Table& table() {
  static const Table made = [] {
    Table t;
    for (const auto& c : golden::cases()) {
      if (c.truth.value("by_exit_code", false)) continue;
      const bool tests = c.truth.value("kind", "") == "test";
      const ExitFacts exit{c.exit_code, {}};
      const auto s =
          tests ? score_tests(c, parse_tests(c.output, exit)) : score_lint(c, parse_lint(c.output, exit));
      auto& row = t.tools[c.name.substr(0, c.name.find('/'))];
      row.kind = tests ? "tests" : row.kind.empty() ? "lint" : row.kind;
      ++row.cases;
      row.equal += s.wrong.empty() ? 1 : 0;
      row.safe += s.safe ? 1 : 0;
      row.named += s.has_names ? 1 : 0;
      row.names += s.has_names && s.names.empty() ? 1 : 0;
      if (!s.wrong.empty()) t.failures += c.name + ": " + s.wrong + "\n";
      if (!s.invented.empty()) t.failures += c.name + " invents " + s.invented + "\n";
      if (!s.names.empty()) t.failures += c.name + " names: " + s.names + "\n";
      if (!s.safe) t.failures += c.name + " LOOKS CLEAN\n";
      if (!s.clean_seen) t.failures += c.name + " is clean and not seen as such\n";
    }
    return t;
  }();
  return made;
}

Row sum(const std::string& kind) {
  Row all;
  for (const auto& [tool, r] : table().tools) {
    if (r.kind != kind) continue;
    all.cases += r.cases;
    all.equal += r.equal;
    all.safe += r.safe;
    all.named += r.named;
    all.names += r.names;
  }
  return all;
}

std::string line_of(const std::string& tool, const Row& r) {
  const auto of = [](int n, int all) { return std::to_string(n) + "/" + std::to_string(all); };
  return "| " + tool + " | " + r.kind + " | " + of(r.equal, r.cases) + " | " +
         (r.named == 0 ? "" : of(r.names, r.named)) + " | " + of(r.safe, r.cases) + " |\n";
}

std::string markdown() {
  std::string out =
      "| tool | kind | every knowable figure equal | names equal | safe |\n|---|---|---|---|---|\n";
  for (const auto& [tool, row] : table().tools) out += line_of(tool, row);
  for (const char* kind : {"tests", "lint"}) {
    auto row = sum(kind);
    row.kind = kind;
    out += line_of("**all**", row);
  }
  return out;
}

constexpr int kTests = 97, kLint = 95;  // percent

TEST(Table, NearlyEveryFigureIsTrue) {
  const auto tests = sum("tests"), lint = sum("lint");
  RecordProperty("failures", table().failures);
  EXPECT_GE(tests.equal * 100, tests.cases * kTests) << table().failures;
  EXPECT_GE(lint.equal * 100, lint.cases * kLint) << table().failures;
}

TEST(Table, NoFailedRunLooksClean) {
  EXPECT_EQ(sum("tests").safe, sum("tests").cases) << table().failures;
  EXPECT_EQ(sum("lint").safe, sum("lint").cases) << table().failures;
}

// A single version of vitest prints no line for skipped tests: half a list would look like removed tests, so
// no list is given.
TEST(Table, NamesAreTrue) { EXPECT_GE(sum("tests").names + 1, sum("tests").named) << table().failures; }

TEST(Table, IsTheOneOfTheDocumentation) {
  const auto path = std::filesystem::path(places::source()) / "docs/toolchains.md";
  const std::string begin = "<!-- scores: begin -->\n", end = "<!-- scores: end -->\n";
  auto text = golden::slurp(path);
  const auto from = text.find(begin), to = text.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to);
  const auto at = from + begin.size();
  if (std::getenv("HYDRA_REGENERATE") != nullptr) {
    text.replace(at, to - at, markdown());
    std::ofstream(path, std::ios::binary) << text;
  } else {
    EXPECT_TRUE(text.substr(at, to - at) == markdown()) << "HYDRA_REGENERATE=1 writes the table";
  }
}

}  // namespace
}  // namespace hydra::parsers
