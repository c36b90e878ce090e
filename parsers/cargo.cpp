// cargo test: a "test result:" line per target, added up. A result must agree with its "running N tests", so
// that a printed result does not count. cargo nextest: one summary line.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

std::optional<std::int64_t> running_of(std::string_view line) {
  if (!eat(line, "running ")) return std::nullopt;
  const auto n = eat_number(line);
  if (!n || !one_of(trim_end(line), {" tests", " test"})) return std::nullopt;
  return n;
}

std::optional<std::vector<Count>> result_of(std::string_view line) {
  if (!eat(line, "test result: ") || (!eat(line, "ok. ") && !eat(line, "FAILED. "))) return std::nullopt;
  const auto time = line.find("; finished in ");
  return counts_of(line.substr(0, time), ";");
}

struct CargoTest {
  std::string_view name;
  TestStatus status = TestStatus::passed;
};

/// Returns the name in "test a::b ... ok", nearly every line of a large log; empty: another line.
std::string_view passed_of(std::string_view line) {
  if (!line.ends_with(" ... ok") || !eat(line, "test ")) return {};
  const auto name = line.substr(0, line.find(' '));
  return name.size() + 7 == line.size() ? name : std::string_view{};
}

std::optional<CargoTest> cargo_test(std::string_view line) {
  if (!eat(line, "test ")) return std::nullopt;
  const auto dots = line.find(" ... ");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto verdict = without_duration(line.substr(dots + 5));
  auto name = line.substr(0, dots);
  for (const std::string_view mode : {" - should panic", " - compile fail", " - compile", " - no run"})
    eat_end(name, mode);
  // The line number of a doc test changes with every edit above the test.
  if (const auto at = name.ends_with(')') ? name.rfind(" (line ") : std::string_view::npos;
      at != std::string_view::npos)
    name = name.substr(0, at);
  if (verdict == "ok") return CargoTest{name, TestStatus::passed};
  if (verdict.starts_with("FAILED")) return CargoTest{name, TestStatus::failed};
  if (verdict.starts_with("ignored")) return CargoTest{name, TestStatus::skipped};
  return std::nullopt;
}

/// "     Running unittests src/lib.rs (target/debug/deps/demo-83…)" -> "demo src/lib.rs". A line "
/// Doc-tests demo" -> "Doc-tests demo".
std::optional<std::string> target_of(std::string_view line) {
  eat_blanks(line);
  if (line.starts_with("Doc-tests ")) return std::string(line);
  if (!eat(line, "Running ")) return std::nullopt;
  eat(line, "unittests ");
  const auto open = line.rfind(" (");
  if (open == std::string_view::npos) return std::nullopt;
  auto binary = line.substr(open + 2);
  if (const auto slash = binary.find_last_of("/\\"); slash != std::string_view::npos)
    binary.remove_prefix(slash + 1);
  binary = binary.substr(0, binary.rfind('-'));
  return std::string(binary) + " " + std::string(line.substr(0, open));
}

/// "    Starting 3 tests across 1 binary"
bool nextest_begins(std::string_view line) {
  eat_blanks(line);
  return line.starts_with("Starting ") &&
         (contains(line, " tests across ") || contains(line, " test across "));
}
bool nextest_ends(std::string_view line) {
  eat_blanks(line);
  return line.starts_with("Summary [");
}

class CargoReader {
 public:
  explicit CargoReader(const Input& in) : in_(in) {}

  void read(std::vector<TestSegment>& out) {
    for (std::size_t i = 0; i < in_.lines.size(); ++i)
      if (const auto end = (open_ && !block_) ? i : end_of_nextest(i); end > i)
        i = end;
      else
        line(i, in_.lines[i]);
    close();
    if (blocks_ == 0 && !unbuilt_) return;
    seg_.report.format = "cargo-test";
    seg_.confidence = blocks_ > 0 ? 60 : 40;
    auto& r = seg_.report;
    if (blocks_ == 0) {
      r.complete = true;
      r.outcome = TestOutcome::build_failed;
      r.counts = {0, 0, 0, std::nullopt, std::nullopt};
    } else {
      r.complete = !cut_;
      r.counts = sum_;
      if (cut_) {
        // Passed and skipped were counted; a target that died may have failed in any other test.
        r.counts.total.reset();
        r.counts.errors.reset();
        if (r.counts.failed == 0) r.counts.failed.reset();
      }
      if (cut_ && crashed_) r.outcome = TestOutcome::crashed;
      if (*sum_.total == 0 && !cut_) r.outcome = TestOutcome::no_tests;
      keep_complete_names(r);
      if (cut_) r.tests.clear();
      give_back(r.tests);
    }
    out.push_back(std::move(seg_));
  }

 private:
  /// Returns the last line of a run of nextest that begins on line `i`, since the output of a failed try is
  /// that of a test binary; else `i`.
  std::size_t end_of_nextest(std::size_t i) {
    if (endless_ || !nextest_begins(in_.lines[i])) return i;
    for (auto end = i; end < in_.lines.size(); ++end)
      if (nextest_ends(in_.lines[end])) return end;
    endless_ = true;
    return i;
  }

  void line(std::size_t i, std::string_view text) {
    if (const auto name = passed_of(text); !name.empty()) {
      if (open_) list({name, TestStatus::passed}, i);
      return;
    }
    if (auto t = target_of(text)) {
      close();
      target_ = *t;
    } else if (const auto n = running_of(text)) {
      close();
      open_ = true;
      expected_ = *n;
      if (blocks_++ == 0 && !unbuilt_) seg_.begin = i;
    } else if (const auto c = result_of(text)) {
      result(*c);
    } else if (contains(text, "process didn't exit successfully: ") && contains(text, " (signal: ")) {
      crashed_ = true;
    } else if (text.starts_with("error: could not compile ")) {
      if (!unbuilt_ && blocks_ == 0) seg_.begin = i;
      unbuilt_ = true;
    } else if (open_) {
      if (const auto test = cargo_test(text)) list(*test, i);
      return;
    } else {
      return;
    }
    seg_.end = i + 1;
  }

  void list(const CargoTest& test, std::size_t i) {
    if (nameless_) return;
    auto& tests = seg_.report.tests;
    const auto lines = in_.lines.size() - i;
    // The list will exceed kMaxNames: so many tests are announced, and the log has enough lines.
    if (tests.size() >= kMaxNames ||
        (expected_ > static_cast<std::int64_t>(kMaxNames) && lines > kMaxNames)) {
      nameless_ = true;
      std::vector<model::TestCase>().swap(tests);
      return;
    }
    make_room(tests, lines);
    std::string name;
    name.reserve((target_.empty() ? 0 : target_.size() + 3) + test.name.size());
    if (!target_.empty()) name.append(target_).append(" > ");
    name.append(test.name);
    tests.push_back({std::move(name), test.status});
  }

  void result(const std::vector<Count>& c) {
    if (!open_) return;
    const auto found =
        counts(sum_of(c, {"passed", "measured"}), sum_of(c, {"failed"}), sum_of(c, {"ignored"}), 0);
    if (*found.total != expected_) return;
    if (block_ && (block_->passed != found.passed || block_->failed != found.failed))
      seg_.report.suspicious.emplace_back("two results that differ for one target");
    block_ = found;
  }

  void close() {
    if (!open_) return;
    open_ = false;
    if (block_)
      add_counts(sum_, *block_);
    else
      cut_ = true;  // the target was aborted or killed
    block_.reset();
  }

  const Input& in_;
  TestSegment seg_;
  std::string target_;
  bool endless_ = false;  ///< no further run of nextest has an end
  bool open_ = false, cut_ = false, unbuilt_ = false, crashed_ = false;
  std::int64_t expected_ = 0, blocks_ = 0;
  std::optional<model::TestCounts> block_;
  bool nameless_ = false;  ///< more names than kMaxNames
  model::TestCounts sum_ = counts(0, 0, 0, 0);
};

}  // namespace

void find_cargo(const Input& in, std::vector<TestSegment>& out) { CargoReader(in).read(out); }

namespace {

/// "  TRY 2 PASS [   0.004s] demo tests::adds"; the name is binary and test.
std::optional<model::TestCase> nextest_test(std::string_view line) {
  if (line.size() > 1000) return std::nullopt;
  if (eat(line, "TRY ") && (!eat_number(line) || !eat(line, " "))) return std::nullopt;
  const auto open = line.find(" [");
  // A skipped test, which only some status levels show, has no time: "SKIP [         ]".
  const bool skip = line.starts_with("SKIP [ ");
  const auto close = line.find(skip ? " ] " : "s] ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const auto word = trim_end(line.substr(0, open));
  auto status = TestStatus::failed;
  if (word == "PASS" || word == "LEAK")
    status = TestStatus::passed;
  else if (skip)
    status = TestStatus::skipped;
  else if (!one_of(word, {"FAIL", "TIMEOUT", "ABORT", "XFAIL"}) && !word.starts_with("SIG"))
    return std::nullopt;
  auto name = line.substr(close + 3);
  // Newer versions of nextest number the tests: "(1/3) demo tests::adds".
  if (auto rest = name; eat(rest, "(") && (eat_blanks(rest), eat_number(rest)) && eat(rest, "/") &&
                        eat_number(rest) && eat(rest, ") "))
    name = rest;
  eat_blanks(name);
  if (name.empty()) return std::nullopt;
  return model::TestCase{std::string(trim_end(name)), status};
}

}  // namespace

void find_nextest(const Input& in, std::vector<TestSegment>& out) {
  std::vector<model::TestCase> tests;
  std::map<std::string, std::size_t, std::less<>> place;  // the last try of a test counts
  std::optional<std::size_t> begin;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (nextest_begins(line)) {
      begin = i;
      tests.clear();
      place.clear();
      continue;
    }
    eat_blanks(line);
    if (auto t = nextest_test(line)) {
      const auto [it, fresh] = place.try_emplace(t->name, tests.size());
      if (!fresh)
        tests[it->second].status = t->status;
      else if (tests.size() < kMaxNames)
        tests.push_back(std::move(*t));
      else
        place.erase(it);
      continue;
    }
    if (line.size() > 1000 || !eat(line, "Summary [")) continue;
    const auto close = line.find("] ");
    const auto colon = line.find(" run: ");
    if (close == std::string_view::npos || colon == std::string_view::npos || colon < close) continue;
    std::string figures(line.substr(colon + 6));
    for (auto open = figures.find(" ("); open != std::string::npos; open = figures.find(" (")) {
      const auto end = figures.find(')', open);
      if (end == std::string::npos) break;
      figures.erase(open, end + 1 - open);  // "299 passed (1 flaky)"
    }
    const auto c = counts_of(figures, ",");
    if (!c) continue;
    auto seg = ended_run("nextest", i, i + 1, 50);
    seg.report.counts = counts(sum_of(*c, {"passed"}), sum_of(*c, {"failed", "timed out", "exec failed"}),
                               sum_of(*c, {"skipped"}), 0);
    // nextest does not list skipped tests: the names must cover all tests that ran.
    const auto listed = counts_of_tests(tests);
    if (listed.passed == seg.report.counts.passed && listed.failed == seg.report.counts.failed) {
      seg.report.tests = std::move(tests);
      if (begin) seg.begin = *begin, seg.confidence = 60;
    }
    begin.reset();
    tests.clear();
    place.clear();
    out.push_back(std::move(seg));
  }
}

}  // namespace hydra::parsers
