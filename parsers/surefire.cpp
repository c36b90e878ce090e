// Maven's surefire and failsafe: an aggregate per module behind "Results:"; the lines of the classes repeat
// the aggregate.
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

using model::TestOutcome;

struct SurefireLine {
  std::string_view level;  ///< "INFO", "WARNING", "ERROR"; empty: no tag
  std::string_view text;
};

SurefireLine tagged(std::string_view line) {
  for (const std::string_view level : {"INFO", "WARNING", "ERROR"}) {
    auto rest = line;
    if (eat(rest, "[") && eat(rest, level) && eat(rest, "]")) {
      eat(rest, " ");
      return {level, rest};
    }
  }
  return {{}, line};
}

/// Figures of a class, or, without "Time elapsed", of a module.
struct SurefireFigures : Figures {
  bool aggregate = false;
};

std::optional<SurefireFigures> surefire_figures_of(std::string_view s) {
  SurefireFigures f;
  f.aggregate = match(tests_line<"Tests run: {total}, Failures: {failed}, Errors: {errors}, Skipped: "
                                 "{skipped}{?, Flakes: {number}}">(),
                      s, f);
  if (f.aggregate || match(tests_line<"Tests run: {total}, Failures: {failed}, Errors: {errors}, Skipped: "
                                      "{skipped}{?, Flakes: {number}}, Time elapsed: {any}">(),
                           s, f))
    return f;
  return std::nullopt;
}

class SurefireReader {
 public:
  explicit SurefireReader(const Input& in) : in_(in) {}

  void read(std::vector<TestSegment>& out) {
    for (std::size_t i = 0; i < in_.lines.size(); ++i) line(i, in_.lines[i]);
    close();
    if (!begin_) return;
    auto seg = run_of("surefire", *begin_, end_, 60);
    auto& r = seg.report;
    if (modules_ > 0) {
      r.counts = sum_;
      r.complete = !open_ended_ && !crashed_;
      if (*sum_.total == 0) r.outcome = TestOutcome::no_tests;
      if (differ_) r.suspicious.emplace_back("several results that differ after one run of the tests");
      if (unbuilt_) {
        r.outcome = TestOutcome::build_failed;
        r.counts.errors.reset();
      }
      if (unbuilt_ || !r.complete) r.counts.total.reset();
    } else if (open_ended_ || crashed_) {
      r.complete = false;
    } else if (unbuilt_ || (failure_ && !verdict_)) {
      r.complete = true;
      r.outcome = TestOutcome::build_failed;
      r.counts = {0, 0, 0, std::nullopt, std::nullopt};
    } else if (none_) {
      r.complete = true;
      r.outcome = TestOutcome::no_tests;
      r.counts = counts(0, 0, 0, 0);
    } else {
      return;
    }
    if (crashed_) r.outcome = TestOutcome::crashed;
    out.push_back(std::move(seg));
  }

 private:
  void line(std::size_t i, std::string_view text) {
    const auto [level, s] = tagged(text);
    if (trim_end(s) == " T E S T S") {
      close();
      testing_ = true;
      tags_ = !level.empty();
    } else if (testing_ && (trim_end(s) == "Results:" || trim_end(s) == "Results :") &&
               tags_ == !level.empty()) {
      results_ = true;
    } else if (const auto f = surefire_figures_of(s)) {
      if (level.empty() == tags_ || (!testing_ && level.empty())) return;
      if (f->aggregate && (results_ || !testing_)) {
        if (block_ &&
            (block_->total != f->total || block_->failed != f->failed || block_->errors != f->errors))
          differ_ = true;
        block_ = f;
      }
    } else if (!level.empty() &&
               (s.starts_with("--- ") || s.starts_with("Building ") || s.starts_with("BUILD "))) {
      close();
      if (s.starts_with("BUILD FAILURE")) failure_ = true;
      if (!s.starts_with("BUILD ")) return;
    } else if (level == "ERROR" &&
               (s.starts_with("COMPILATION ERROR") || contains(s, ": Compilation failure"))) {
      unbuilt_ = true;
    } else if (level == "INFO" &&
               (s.starts_with("No tests to run.") || s.starts_with("Tests are skipped."))) {
      none_ = true;
    } else if (level == "ERROR" && contains(s, "The forked VM terminated without ")) {
      crashed_ = true;
    } else if (level == "ERROR" && contains(s, "There are test failures.")) {
      verdict_ = true;
    } else {
      return;
    }
    if (!begin_) begin_ = i;
    end_ = i + 1;
  }

  /// Ends the tests of a module.
  void close() {
    if (block_) {
      const auto& b = *block_;
      ++modules_;
      const auto passed = std::max<std::int64_t>(0, *b.total - *b.failed - *b.errors - *b.skipped);
      add_counts(sum_, counts(passed, *b.failed, *b.skipped, *b.errors));
    } else if (testing_) {
      open_ended_ = true;
    }
    testing_ = results_ = false;
    block_.reset();
  }

  const Input& in_;
  std::optional<std::size_t> begin_;
  std::size_t end_ = 0;
  bool testing_ = false, tags_ = true, results_ = false;
  bool open_ended_ = false, crashed_ = false, unbuilt_ = false, none_ = false, failure_ = false;
  bool verdict_ = false, differ_ = false;
  std::int64_t modules_ = 0;
  std::optional<SurefireFigures> block_;
  model::TestCounts sum_ = counts(0, 0, 0, 0);
};

}  // namespace

void find_surefire(const Input& in, std::vector<TestSegment>& out) { SurefireReader(in).read(out); }

}  // namespace hydra::parsers
