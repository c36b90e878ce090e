// parsers, inside: what a parser gets and gives. A new runner is one function and one row of the table in
// registry.cpp.
#pragma once

#include "parsers/input.hpp"

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

struct TestParser {
  std::string_view name;
  void (*find)(const Input& in, std::vector<TestSegment>& out);
};
std::span<const TestParser> test_parsers();
/// The parser is asked only where one of these texts occurs anywhere in the log (`markers` of
/// formats/*.toml); none: always. Each has at least four bytes, stands on one line, and is as rare as can be:
/// they decide the speed on foreign output.
std::span<const std::string> markers_of(const TestParser& parser);

/// parse_tests with every parser and every row of the summaries' table asked, whatever markers the text has:
/// what the search for markers must not change.
model::TestReport parse_tests_unmarked(std::string_view output, const ExitFacts& exit, const Hints& hints);

/// The readers; registry.cpp lists them.
using FindRuns = void(const Input& in, std::vector<TestSegment>& out);
FindRuns find_json_report, find_junit, find_jest, find_vitest, find_mocha, find_node_test, find_tap,
    find_pytest, find_unittest, find_cargo, find_nextest, find_go, find_googletest, find_ctest, find_rspec,
    find_minitest, find_exunit, find_prove, find_surefire, find_phpunit, find_playwright, find_gradle,
    find_gotestsum, find_sugar, find_generic;
/// A part of find_go: go test -json.
FindRuns find_go_json;
/// Runs that a known runner began and that have no end. A test that ends the process with exit code 0 leaves
/// no summary: what is there must not pass for the output of an unknown, successful tool. Asked where no
/// other parser found anything, and only for exit code 0: everything else is no success anyway. Adds at most
/// one unfinished run.
FindRuns find_begun;

/// Names of more tests than this are not kept: a list must not grow with a hostile log. Counts go on.
inline constexpr std::size_t kMaxNames = 1'000'000;

/// passed, failed, skipped, errors; the total is their sum.
model::TestCounts counts(std::int64_t passed, std::int64_t failed, std::int64_t skipped, std::int64_t errors);
/// Adds `more` to `sum`; what is unknown on one side is unknown in the sum.
void add_counts(model::TestCounts& sum, const model::TestCounts& more);
/// The sum of what is known of both.
std::optional<std::int64_t> plus_known(std::optional<std::int64_t> a, std::optional<std::int64_t> b);
/// Adds everything but names and formats of another run.
void add_report(model::TestReport& sum, const model::TestReport& more);
bool by_signal(const ExitFacts& exit);
/// Exit status and counts must agree. A disagreement is said, never smoothed over.
void hold_against_exit(model::TestReport& r, const ExitFacts& exit);
/// Before a name is added to a list that may become long: takes room for one a line once, since growing by
/// doubling would need twice the memory for a moment, and room that is never used costs none.
void make_room(std::vector<model::TestCase>& tests, std::size_t lines);
/// Gives most of that room back where it was not used.
void give_back(std::vector<model::TestCase>& tests);
/// Takes the workspace's path off the names (`root` absolute, may be empty) and numbers equal names: "a",
/// "a #2", "a #3", passed ones first, so that the order of a parallel run does not matter. n log n at most.
void make_stable(std::vector<model::TestCase>& tests, std::string_view root);
/// Keeps the names only where every counted test has one: half a list would look like removed tests.
void keep_complete_names(model::TestReport& report);

}  // namespace hydra::parsers
