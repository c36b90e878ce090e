// cmocka, and the test drivers of build systems: meson test and automake's make check.
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <map>

namespace hydra::parsers {
namespace {

using model::TestStatus;

// ---- cmocka ----------------------------------------------------------------------------------------------

/// "[==========] tests: Running 3 test(s)." / "[==========] 3 test(s) run."; the group's name is new
/// in 1.1.6.
std::optional<std::int64_t> cmocka_bar(std::string_view line, bool running, std::string& group) {
  if (!eat(line, "[==========] ")) return std::nullopt;
  if (const auto colon = line.find(": "); colon != std::string_view::npos) {
    group = line.substr(0, colon);
    line.remove_prefix(colon + 2);
  }
  Figures f;
  if (running)
    match(lint_line<"Running {total} test(s).">(), line, f);
  else
    match(lint_line<"{total} test(s) run.">(), line, f);
  return f.total;
}

std::optional<model::TestCase> cmocka_result(const std::string& group, std::string_view line) {
  auto test = case_of("cmocka", line);
  if (!test || group.empty()) return test;
  if (test->name.starts_with(group + ": ")) test->name.erase(0, group.size() + 2);
  test->name = group + " > " + test->name;
  return test;
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

/// "Ok:                 3": a line of the block at the end; false: none.
bool meson_figure(std::string_view line, Figures& figures) {
  static constexpr std::pair<std::string_view, Meaning> kWords[] = {{"Ok", Meaning::passed},
                                                                    {"OK", Meaning::passed},
                                                                    {"Fail", Meaning::failed},
                                                                    {"FAIL", Meaning::failed},
                                                                    {"Timeout", Meaning::failed},
                                                                    {"TIMEOUT", Meaning::failed},
                                                                    {"Error", Meaning::failed},
                                                                    {"Skipped", Meaning::skipped},
                                                                    {"SKIP", Meaning::skipped},
                                                                    {"Ignored", Meaning::skipped},
                                                                    {"Expected Fail", Meaning::skipped},
                                                                    {"Unexpected Pass", Meaning::failed}};
  Fields f;
  if (!match(tests_line<"{indent}{name}: {total}">(), line, f)) return false;
  for (const auto& [word, meaning] : kWords)
    if (f.name == word) return add(figures, meaning, *f.total), true;
  return false;
}

// ---- automake --------------------------------------------------------------------------------------------

/// The summary of the parallel harness: seven lines in one order.
bool automake_figures(const Input& in, std::size_t i, Figures& f) {
  const Pattern* lines[] = {&tests_line<"# TOTAL: {total}">(),  &tests_line<"# PASS: {passed}">(),
                            &tests_line<"# SKIP: {skipped}">(), &tests_line<"# XFAIL: {skipped}">(),
                            &tests_line<"# FAIL: {failed}">(),  &tests_line<"# XPASS: {failed}">(),
                            &tests_line<"# ERROR: {errors}">()};
  return std::all_of(std::begin(lines), std::end(lines), [&](const Pattern* pattern) {
    return i < in.lines.size() && match(*pattern, in.lines[i++], f);
  });
}

/// The serial harness: "All 2 tests passed", "1 of 3 tests failed", between rulers.
std::optional<model::TestCounts> serial_of(std::string_view line, const std::vector<model::TestCase>& tests) {
  const auto passed = count_of(tests, TestStatus::passed), skipped = count_of(tests, TestStatus::skipped);
  Figures f;
  if (match(lint_line<"All {passed} tests passed{any}">(), line, f) ||
      match(lint_line<"All {passed} tests behaved as expected{any}">(), line, f))
    return counts(tests.empty() ? *f.passed : passed, 0, skipped, 0);
  const bool failed = match(lint_line<"{failed} of {total} test{any} failed{any}">(), line, f) ||
                      match(lint_line<"{failed} of {total} test{any}did not behave{any}">(), line, f);
  if (!failed || *f.failed > *f.total) return std::nullopt;
  if (tests.empty()) return counts(*f.total - *f.failed, *f.failed, 0, 0);
  return counts(passed, *f.failed, skipped, 0);
}

}  // namespace

void find_cmocka(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("cmocka", out);
  std::string group;
  std::int64_t announced = 0;
  const auto close = [&](std::size_t end, bool ended) {
    if (!run) return;
    auto c = counts_of_tests(run.tests);
    if (!ended) {
      run.cut(end);
      out.back().report.counts = {c.passed, std::nullopt, c.skipped, std::nullopt, std::nullopt};
      return;
    }
    if (*c.total != announced) {
      c.errors = std::max<std::int64_t>(0, announced - *c.total);
      c.total = announced;
    }
    run.ends(end, c, 65);
  };
  bool after = false;  // behind the end of a group its failures are listed once more
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    std::string named;
    if (const auto n = cmocka_bar(line, true, named)) {
      close(i, false);
      run.at(i);
      announced = *n;
      group = named;
      after = false;
    } else if (run && cmocka_bar(line, false, named) == announced) {
      close(i + 1, true);
      after = true;
    } else if (after && (line.ends_with(" FAILED TEST(S)") || line.ends_with(" SKIPPED TEST(S)") ||
                         line.starts_with("[  "))) {
      out.back().end = i + 1;
    } else if (run) {
      if (auto test = cmocka_result(group, line)) run.tests.push_back(std::move(*test));
    }
  }
  close(in.lines.size(), false);
}

void find_meson(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("meson", out);
  std::map<std::int64_t, model::TestCase> listed;  // the summary of failures lists some tests again
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Figures f;
    if (auto t = meson_test(line)) {
      run.at(i);
      listed.emplace(std::move(*t));
    } else if (line == "No tests defined.") {
      out.push_back(empty_run("meson", i, i + 1));
    } else if (run && meson_figure(line, f)) {
      while (i + 1 < in.lines.size() && meson_figure(in.lines[i + 1], f)) ++i;
      for (auto& [number, test] : listed) run.tests.push_back(std::move(test));
      listed.clear();
      run.ends(i + 1, counts(f.passed.value_or(0), f.failed.value_or(0), f.skipped.value_or(0), 0), 65);
    }
  }
  run.cut(in.lines.size());
}

void find_automake(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("automake", out);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Figures f;
    if (auto t = case_of("automake", line)) {
      run.lists(i, std::move(*t));
    } else if (line.starts_with("Testsuite summary for ") && automake_figures(in, i + 2, f)) {
      run.at(i);
      auto& r = run.ends(i + 9, counts(*f.passed, *f.failed, *f.skipped, *f.errors));
      if (r.counts.total != f.total) r.suspicious.emplace_back("the figures of the summary do not add up");
    } else if (i > 0 && only(in.lines[i - 1], '=', 10)) {
      if (const auto c = serial_of(line, run.tests)) {
        run.at(i - 1);
        run.ends(i + 1, *c);
      }
    }
  }
}

}  // namespace hydra::parsers
