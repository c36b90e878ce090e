// cmocka, and the test drivers of build systems: meson test and automake's make check.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;

// ---- cmocka ----------------------------------------------------------------------------------------------

struct Cmocka {
  std::optional<std::size_t> begin;
  std::int64_t announced = 0;
  std::string group;
  std::vector<model::TestCase> tests;
  std::int64_t errors = 0;
};

/// "[==========] tests: Running 3 test(s)." / "[==========] 3 test(s) run."; the group's name is new
/// in 1.1.6.
std::optional<std::int64_t> cmocka_bar(std::string_view line, bool running, std::string& group) {
  if (!eat(line, "[==========] ")) return std::nullopt;
  if (const auto colon = line.find(": "); colon != std::string_view::npos) {
    group = line.substr(0, colon);
    line.remove_prefix(colon + 2);
  }
  if (eat(line, "Running ") != running) return std::nullopt;
  const auto n = eat_number(line);
  if (!n || line != (running ? " test(s)." : " test(s) run.")) return std::nullopt;
  return n;
}

void cmocka_result(Cmocka& run, std::string_view line) {
  auto test = case_of("cmocka", line);
  if (!test) return;
  if (!run.group.empty() && test->name.starts_with(run.group + ": "))
    test->name.erase(0, run.group.size() + 2);
  if (!run.group.empty()) test->name = run.group + " > " + test->name;
  run.tests.push_back(std::move(*test));
}

// ---- meson -----------------------------------------------------------------------------------------------

struct MesonWord {
  std::string_view word;
  TestStatus status;
};
constexpr MesonWord kMeson[] = {{" OK ", TestStatus::passed},
                                {" FAIL ", TestStatus::failed},
                                {" SKIP ", TestStatus::skipped},
                                {" TIMEOUT ", TestStatus::failed},
                                {" EXPECTEDFAIL ", TestStatus::skipped},
                                {" UNEXPECTEDPASS ", TestStatus::failed},
                                {" ERROR ", TestStatus::failed},
                                {" INTERRUPT ", TestStatus::failed},
                                {" IGNORED ", TestStatus::skipped}};

/// " 1/6 demo:core / ok   OK    0.03s" -> number, name, status.
std::optional<std::pair<std::int64_t, model::TestCase>> meson_test(std::string_view line) {
  eat_blanks(line);
  const auto n = eat_number(line);
  if (!n || !eat(line, "/") || !eat_number(line) || eat_blanks(line) == 0) return std::nullopt;
  std::optional<model::TestCase> test;
  std::size_t place = 0;
  for (const auto& [word, status] : kMeson) {
    const auto at = line.rfind(word);
    if (at == std::string_view::npos || at < place) continue;
    auto rest = line.substr(at + word.size());
    eat_blanks(rest);
    if (!eat_decimal(rest) || !rest.starts_with('s')) continue;
    place = at;
    test = model::TestCase{std::string(trim_end(line.substr(0, at))), status};
  }
  if (!test || test->name.empty()) return std::nullopt;
  return std::pair(*n, std::move(*test));
}

struct MesonBlock {
  std::int64_t passed = 0, failed = 0, skipped = 0;
  bool any = false;

  bool take(std::string_view line) {
    eat_blanks(line);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    const auto word = trim_end(line.substr(0, colon));
    line.remove_prefix(colon + 1);
    if (eat_blanks(line) == 0) return false;
    const auto n = eat_number(line);
    if (!n || !is_blank(line)) return false;
    if (one_of(word, {"Ok", "OK"}))
      passed += *n;
    else if (one_of(word, {"Fail", "FAIL", "Unexpected Pass", "Timeout", "TIMEOUT", "Error"}))
      failed += *n;
    else if (one_of(word, {"Expected Fail", "Skipped", "SKIP", "Ignored"}))
      skipped += *n;
    else
      return false;
    any = true;
    return true;
  }
};

// ---- automake --------------------------------------------------------------------------------------------

/// "# XFAIL: 1".
std::optional<std::int64_t> automake_figure(const Input& in, std::size_t i, std::string_view word) {
  if (i >= in.lines.size()) return std::nullopt;
  auto line = in.lines[i];
  if (!eat(line, "# ") || !eat(line, word) || !eat(line, ":") || eat_blanks(line) == 0) return std::nullopt;
  const auto n = eat_number(line);
  return n && is_blank(line) ? n : std::nullopt;
}

constexpr std::string_view kFigures[] = {"TOTAL", "PASS", "SKIP", "XFAIL", "FAIL", "XPASS", "ERROR"};

TestSegment automake_segment(std::size_t begin, std::size_t end, const model::TestCounts& c,
                             std::vector<model::TestCase> tests) {
  auto seg = ended_run("automake", begin, end);
  auto& r = seg.report;
  r.counts = c;
  if (c.total == 0) r.outcome = "no_tests";
  take_names(r, std::move(tests));
  return seg;
}

/// The serial harness: "All 2 tests passed", "1 of 3 tests failed", between rulers.
std::optional<model::TestCounts> serial_of(std::string_view line, const std::vector<model::TestCase>& tests) {
  const auto skipped = count_of(tests, TestStatus::skipped);
  if (eat(line, "All ")) {
    const auto n = eat_number(line);
    if (!n || (!line.starts_with(" tests passed") && !line.starts_with(" tests behaved as expected")))
      return std::nullopt;
    const auto known = std::count_if(tests.begin(), tests.end(),
                                     [](const auto& t) { return t.status == TestStatus::passed; });
    return counts(tests.empty() ? *n : known, 0, skipped, 0);
  }
  const auto failed = eat_number(line);
  if (!failed || !eat(line, " of ")) return std::nullopt;
  const auto all = eat_number(line);
  if (!all || *failed > *all ||
      (!line.starts_with(" test") || (!contains(line, " failed") && !contains(line, "did not behave"))))
    return std::nullopt;
  if (tests.empty()) return counts(*all - *failed, *failed, 0, 0);
  return counts(count_of(tests, TestStatus::passed), *failed, skipped, 0);
}

}  // namespace

void find_cmocka(const Input& in, std::vector<TestSegment>& out) {
  Cmocka run;
  const auto close = [&](std::size_t end, bool ended) {
    if (!run.begin) return;
    auto seg = unfinished_run("cmocka", *run.begin, end);
    auto& r = seg.report;
    r.counts = counts_of_tests(run.tests);
    seg.confidence = ended ? 65 : 20;
    r.complete = ended;
    if (ended && run.announced == 0) r.outcome = "no_tests";
    if (ended && *r.counts.total != run.announced) {
      r.counts.errors = std::max<std::int64_t>(0, run.announced - *r.counts.total);
      r.counts.total = run.announced;
    }
    if (!ended) r.counts = {r.counts.passed, std::nullopt, r.counts.skipped, std::nullopt, std::nullopt};
    if (ended) r.tests = std::move(run.tests);
    keep_complete_names(r);
    out.push_back(std::move(seg));
    run = {};
  };
  bool after = false;  // behind the end of a group its failures are listed once more
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    std::string group;
    if (const auto n = cmocka_bar(line, true, group)) {
      close(i, false);
      run.begin = i;
      run.announced = *n;
      run.group = group;
      after = false;
    } else if (run.begin && cmocka_bar(line, false, group) == run.announced) {
      close(i + 1, true);
      after = true;
    } else if (after && (line.ends_with(" FAILED TEST(S)") || line.ends_with(" SKIPPED TEST(S)") ||
                         line.starts_with("[  "))) {
      out.back().end = i + 1;
    } else if (run.begin) {
      cmocka_result(run, line);
    }
  }
  close(in.lines.size(), false);
}

void find_meson(const Input& in, std::vector<TestSegment>& out) {
  std::optional<std::size_t> begin;
  std::vector<std::pair<std::int64_t, model::TestCase>> listed;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (auto t = meson_test(line)) {
      if (!begin) begin = i;
      listed.push_back(std::move(*t));
    } else if (line == "No tests defined.") {
      out.push_back(empty_run("meson", i, i + 1));
    } else if (MesonBlock block; begin && block.take(line)) {
      std::size_t end = i + 1;
      while (end < in.lines.size() && block.take(in.lines[end])) ++end;
      auto seg = ended_run("meson", *begin, end, 65);
      auto& r = seg.report;
      r.counts = counts(block.passed, block.failed, block.skipped, 0);
      // The summary of failures lists some tests again, with their numbers.
      std::sort(listed.begin(), listed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      listed.erase(std::unique(listed.begin(), listed.end(),
                               [](const auto& a, const auto& b) { return a.first == b.first; }),
                   listed.end());
      std::vector<model::TestCase> tests;
      for (auto& [number, test] : listed) tests.push_back(std::move(test));
      take_names(r, std::move(tests));
      out.push_back(std::move(seg));
      begin.reset();
      listed.clear();
      i = end - 1;
    }
  }
  if (begin) out.push_back(unfinished_run("meson", *begin, in.lines.size()));
}

void find_automake(const Input& in, std::vector<TestSegment>& out) {
  std::vector<model::TestCase> tests;
  std::optional<std::size_t> begin;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (auto t = case_of("automake", line)) {
      if (!begin) begin = i;
      tests.push_back(std::move(*t));
    } else if (line.starts_with("Testsuite summary for ") && i + 8 < in.lines.size()) {
      std::int64_t n[7] = {};
      bool whole = true;
      for (std::size_t k = 0; k < 7 && whole; ++k) {
        const auto figure = automake_figure(in, i + 2 + k, kFigures[k]);
        whole = figure.has_value();
        n[k] = figure.value_or(0);
      }
      if (!whole) continue;
      const auto c = counts(n[1], n[4] + n[5], n[2] + n[3], n[6]);
      auto seg = automake_segment(begin.value_or(i), i + 9, c, std::move(tests));
      if (*c.total != n[0]) seg.report.suspicious.emplace_back("the figures of the summary do not add up");
      out.push_back(std::move(seg));
      tests.clear();
      begin.reset();
    } else if (i > 0 && only(in.lines[i - 1], '=', 10)) {
      const auto c = serial_of(line, tests);
      if (!c) continue;
      out.push_back(automake_segment(begin.value_or(i - 1), i + 1, *c, std::move(tests)));
      tests.clear();
      begin.reset();
    }
  }
}

}  // namespace hydra::parsers
