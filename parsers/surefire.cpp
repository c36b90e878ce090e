// Maven's surefire and failsafe: one aggregate a module behind "Results:"; the lines of the classes repeat
// it.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

struct SurefireLine {
  std::string_view level;  ///< "INFO", "WARNING", "ERROR"; empty: without a tag
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

struct Figures4 {
  std::int64_t run = 0, failures = 0, errors = 0, skipped = 0;
  bool aggregate = false;  ///< without "Time elapsed"
};

std::optional<Figures4> surefire_figures_of(std::string_view s) {
  Figures4 f;
  const std::pair<std::string_view, std::int64_t*> parts[] = {{"Tests run: ", &f.run},
                                                              {", Failures: ", &f.failures},
                                                              {", Errors: ", &f.errors},
                                                              {", Skipped: ", &f.skipped}};
  for (const auto& [word, value] : parts) {
    if (!eat(s, word)) return std::nullopt;
    const auto n = eat_number(s);
    if (!n) return std::nullopt;
    *value = *n;
  }
  if (eat(s, ", Flakes: ")) eat_number(s);
  s = trim_end(s);
  f.aggregate = s.empty();
  if (!f.aggregate && !s.starts_with(", Time elapsed: ")) return std::nullopt;
  return f;
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
      if (*sum_.total == 0) r.outcome = "no_tests";
      if (differ_) r.suspicious.emplace_back("several results that differ after one run of the tests");
      if (unbuilt_) {
        r.outcome = "build_failed";
        r.counts.errors.reset();
      }
      if (unbuilt_ || !r.complete) r.counts.total.reset();
    } else if (open_ended_ || crashed_) {
      r.complete = false;
    } else if (unbuilt_ || (failure_ && !verdict_)) {
      r.complete = true;
      r.outcome = "build_failed";
      r.counts = {0, 0, 0, std::nullopt, std::nullopt};
    } else if (none_) {
      r.complete = true;
      r.outcome = "no_tests";
      r.counts = counts(0, 0, 0, 0);
    } else {
      return;
    }
    if (crashed_) r.outcome = "crashed";
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
            (block_->run != f->run || block_->failures != f->failures || block_->errors != f->errors))
          differ_ = true;
        block_ = f;
      } else if (!f->aggregate) {
        classes_ += f->run;
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

  /// The tests of one module are over.
  void close() {
    if (block_) {
      const auto& b = *block_;
      ++modules_;
      add_counts(sum_, counts(std::max<std::int64_t>(0, b.run - b.failures - b.errors - b.skipped),
                              b.failures, b.skipped, b.errors));
    } else if (testing_) {
      open_ended_ = true;
    }
    testing_ = results_ = false;
    block_.reset();
    classes_ = 0;
  }

  const Input& in_;
  std::optional<std::size_t> begin_;
  std::size_t end_ = 0;
  bool testing_ = false, tags_ = true, results_ = false;
  bool open_ended_ = false, crashed_ = false, unbuilt_ = false, none_ = false, failure_ = false;
  bool verdict_ = false, differ_ = false;
  std::int64_t modules_ = 0, classes_ = 0;
  std::optional<Figures4> block_;
  model::TestCounts sum_ = counts(0, 0, 0, 0);
};

}  // namespace

void find_surefire(const Input& in, std::vector<TestSegment>& out) { SurefireReader(in).read(out); }

}  // namespace hydra::parsers
