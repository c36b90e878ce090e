// parsers, inside: what a parser gets and gives. A new runner is one function and one row of the table in
// registry.cpp.
#pragma once

#include "parsers/input.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// What one parser recognised: lines [begin, end) of the log. Of overlapping segments the more specific one
/// counts, disjoint ones are added up. `confidence` orders them: whole-output formats 90, banner and summary
/// 60, summary alone 40, an unfinished run 20; it also decides the report's Confidence (60 and more: high,
/// 40 and more: medium).
struct TestSegment {
  model::TestReport report;
  std::size_t begin = 0, end = 0;
  int confidence = 50;
};

/// `markers`: the parser is asked only where one of them occurs anywhere in the text; none: always. Each is
/// at least four bytes, on one line, and as rare as can be: they decide the speed on foreign output.
struct TestParser {
  std::string_view name;
  void (*find)(const Input& in, std::vector<TestSegment>& out);
  std::array<std::string_view, 32> markers{};
};
std::span<const TestParser> test_parsers();

/// parse_tests with every parser and every row of the summaries' table asked, whatever markers the text has:
/// what the search for markers must not change.
model::TestReport parse_tests_unmarked(std::string_view output, const ExitFacts& exit, const Hints& hints);

void find_json_report(const Input& in, std::vector<TestSegment>& out);
void find_junit(const Input& in, std::vector<TestSegment>& out);
void find_jest(const Input& in, std::vector<TestSegment>& out);
void find_vitest(const Input& in, std::vector<TestSegment>& out);
void find_mocha(const Input& in, std::vector<TestSegment>& out);
void find_node_test(const Input& in, std::vector<TestSegment>& out);
void find_tap(const Input& in, std::vector<TestSegment>& out);
void find_pytest(const Input& in, std::vector<TestSegment>& out);
void find_unittest(const Input& in, std::vector<TestSegment>& out);
void find_cargo(const Input& in, std::vector<TestSegment>& out);
void find_nextest(const Input& in, std::vector<TestSegment>& out);
void find_go(const Input& in, std::vector<TestSegment>& out);
void find_googletest(const Input& in, std::vector<TestSegment>& out);
void find_ctest(const Input& in, std::vector<TestSegment>& out);
void find_rspec(const Input& in, std::vector<TestSegment>& out);
void find_minitest(const Input& in, std::vector<TestSegment>& out);

/// Names of more tests than this are not kept: a list must not grow with a hostile log. Counts go on.
inline constexpr std::size_t kMaxNames = 1'000'000;

/// passed, failed, skipped, errors; the total is their sum.
model::TestCounts counts(std::int64_t passed, std::int64_t failed, std::int64_t skipped, std::int64_t errors);
/// Adds `more` to `sum`; what is unknown on one side is unknown in the sum.
void add_counts(model::TestCounts& sum, const model::TestCounts& more);
bool by_signal(const ExitFacts& exit);
/// Exit status and counts must agree. A disagreement is said, never smoothed over.
void hold_against_exit(model::TestReport& r, const ExitFacts& exit);
/// Before a name is added to a list that may become long: takes room for one a line once, since growing by
/// doubling would need twice the memory for a moment, and room that is never used costs none.
void make_room(std::vector<model::TestCase>& tests, std::size_t lines);
/// Gives most of that room back where it was not used.
void give_back(std::vector<model::TestCase>& tests);
/// Keeps the names only where every counted test has one: half a list would look like removed tests.
void keep_complete_names(model::TestReport& report);

}  // namespace hydra::parsers
