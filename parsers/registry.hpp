// parsers, inside: input and output of a parser. A new runner is one function and one row of the table in
// registry.cpp.
#pragma once

#include "parsers/input.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::parsers {

/// A run in lines [begin, end) of the log; the more confident of two overlapping segments wins. Whole-output
/// formats have 90, banner and summary 60, a summary alone 40, an unfinished run 20.
struct TestSegment {
  model::ParsedTests report;
  std::size_t begin = 0, end = 0;
  int confidence = 50;  ///< the report's Confidence: 60 and more high, 40 and more medium, else low
};

struct TestParser {
  std::string_view name;
  void (*find)(const Input& in, std::vector<TestSegment>& out);
};
std::span<const TestParser> test_parsers();
/// `markers` of formats/*.toml: a log without any of them skips the parser; none: always runs. A marker has
/// at least four bytes, stands on one line, and should be rare for speed on foreign output.
std::span<const std::string> markers_of(const TestParser& parser);

/// Runs every parser and every row of the summaries' table: the result must equal that of parse_tests().
model::ParsedTests parse_tests_unmarked(std::string_view output, const ExitFacts& exit, const Hints& hints);

/// The readers; registry.cpp lists them.
using FindRuns = void(const Input& in, std::vector<TestSegment>& out);
FindRuns find_json_report, find_junit, find_jest, find_vitest, find_mocha, find_node_test, find_tap,
    find_pytest, find_unittest, find_cargo, find_nextest, find_go, find_googletest, find_ctest, find_rspec,
    find_minitest, find_exunit, find_prove, find_surefire, find_phpunit, find_playwright, find_gradle,
    find_gotestsum, find_sugar, find_generic;
/// Part of find_go: go test -json.
FindRuns find_go_json;
/// Adds at most one unfinished run, only for exit code 0 and an empty `out`: a test that ends its process
/// with 0 leaves no summary, and the output must not pass for that of an unknown, successful tool.
FindRuns find_begun;

/// Maximum number of names kept: a list must not grow with a hostile log. Counting continues.
inline constexpr std::size_t kMaxNames = 1'000'000;

/// Returns the counts; the total is their sum.
model::TestCounts counts(std::int64_t passed, std::int64_t failed, std::int64_t skipped, std::int64_t errors);
/// Adds `more` to `sum`; a figure unknown on one side is unknown in the sum.
void add_counts(model::TestCounts& sum, const model::TestCounts& more);
/// Returns the sum; unknown if either operand is.
std::optional<std::int64_t> plus_known(std::optional<std::int64_t> a, std::optional<std::int64_t> b);
/// Adds a format's name to names joined by '+'.
void join(std::string& formats, const std::string& more);
/// Returns whether the run had nothing to do.
bool without_tests(const model::ParsedTests& report);
/// Adds another run's report; a run without tests costs no names.
void add_report(model::ParsedTests& sum, model::ParsedTests more);
bool by_signal(const ExitFacts& exit);
/// Compares exit status and counts; a disagreement makes the report suspicious, and is its last reason.
void hold_against_exit(model::ParsedTests& r, const ExitFacts& exit);
/// Call before each push_back: reserves room for a name per line once the list is long. Doubling would need
/// twice the memory for a moment, and unused pages cost nothing.
void make_room(std::vector<model::TestCase>& tests, std::size_t lines);
/// Returns most of that room if unused.
void give_back(std::vector<model::TestCase>& tests);
/// Removes the workspace's path (`root`, absolute or empty) from names and numbers equal names "a", "a #2",
/// "a #3", passed tests first: the order of a parallel run must not matter. At most n log n.
void make_stable(std::vector<model::TestCase>& tests, std::string_view root);
/// Keeps the names only if every counted test has a name: half a list would look like removed tests.
void keep_complete_names(model::ParsedTests& report);

}  // namespace hydra::parsers
