// parsers, inside: helpers for runners' text formats: titles nested by indentation, open runs, and counts of
// listed tests.
#pragma once

#include "parsers/registry.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::parsers {

/// Titles above a line, by indentation: "suite" and below it "  case" and "    test".
class Titles {
 public:
  /// Forgets the titles that do not enclose a line indented by `indent`.
  void at(std::size_t indent) {
    while (!stack_.empty() && stack_.back().first >= indent) stack_.pop_back();
  }
  void push(std::size_t indent, std::string_view title) {
    at(indent);
    if (stack_.size() < kDeepest) stack_.emplace_back(indent, title);
  }
  /// Returns whether the title stands at this indentation, and encloses nothing any more.
  bool ends(std::size_t indent, std::string_view title) {
    at(indent + 1);
    return !stack_.empty() && stack_.back() == std::pair(indent, std::string(title));
  }
  void clear() { stack_.clear(); }
  bool empty() const { return stack_.empty(); }
  /// Returns "suite > case > name".
  std::string path(std::string_view name, std::string_view separator = " > ") const {
    std::string out;
    for (const auto& [indent, title] : stack_) out.append(title).append(separator);
    return out.append(name);
  }

 private:
  static constexpr std::size_t kDeepest = 32;
  std::vector<std::pair<std::size_t, std::string>> stack_;
};

/// "not ok 3 - name # TODO reason".
struct TapPoint {
  bool ok = false;
  std::optional<std::int64_t> number;
  std::string_view name;
  model::TestStatus status = model::TestStatus::passed;
};
std::optional<TapPoint> point_of(std::string_view line);
/// Returns the number of tests with this status.
std::int64_t count_of(const std::vector<model::TestCase>& tests, model::TestStatus status);
/// Returns the counts of the listed tests.
model::TestCounts counts_of_tests(const std::vector<model::TestCase>& tests);
/// "Ran 3 tests in 0.1s" of unittest and its relatives -> 3.
std::optional<std::int64_t> ran_in_unittest(std::string_view line);
/// Stores the names in `r` if they agree with its counts, status by status.
void take_names(model::ParsedTests& r, std::vector<model::TestCase> tests);
/// Returns a segment with format and bounds, but no figures.
TestSegment run_of(std::string_view format, std::size_t begin, std::size_t end, int confidence);
TestSegment segment_of(model::ParsedTests report, std::size_t begin, std::size_t end, int confidence);
/// Returns a segment of a finished run; the caller fills in the counts.
TestSegment ended_run(std::string_view format, std::size_t begin, std::size_t end, int confidence = 60);
/// Returns the test that a row of the format's `cases` (formats/*.toml) finds in the line.
std::optional<model::TestCase> case_of(std::string_view format, std::string_view line);
/// The run that a reader is reading: its first line, and the tests listed so far.
class OpenRun {
 public:
  OpenRun(std::string_view format, std::vector<TestSegment>& out) : format_(format), out_(out) {}
  explicit operator bool() const { return begin_.has_value(); }
  /// Line `i` belongs to the run; the first such line begins the run.
  void at(std::size_t i) {
    if (!begin_) begin_ = i;
  }
  /// Begins a run at the banner on line `i`; an open run is dropped without a segment.
  void anew(std::size_t i) {
    forget();
    begin_ = i;
  }
  /// Ends the run before line `end`; without an earlier sign the run began on the line before. The names are
  /// kept if they agree with the counts.
  model::ParsedTests& ends(std::size_t end, const model::TestCounts& counts, int confidence = 60);
  model::ParsedTests& ends(std::size_t end, model::ParsedTests report, int confidence = 60);
  /// Ends the log: a run that has begun is unfinished.
  void cut(std::size_t end);
  void forget() {
    begin_.reset();
    tests.clear();
  }

  std::vector<model::TestCase> tests;

 private:
  std::string_view format_;
  std::vector<TestSegment>& out_;
  std::optional<std::size_t> begin_;
};

/// Returns a run that began and has no end: all its figures are unknown.
TestSegment unfinished_run(std::string_view format, std::size_t begin, std::size_t end);
/// Returns a run that could not begin: the tests did not build or load.
TestSegment unbuilt_run(std::string_view format, std::size_t begin, std::size_t end);
/// Returns a run that had nothing to do.
TestSegment empty_run(std::string_view format, std::size_t begin, std::size_t end);

}  // namespace hydra::parsers
