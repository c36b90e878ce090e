// Pest and Laravel's artisan test, shunit2, Dart and Flutter, Julia, Nim's unittest, DejaGnu, Twisted's
// trial.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>
#include <array>

namespace hydra::parsers {
namespace {

using model::TestStatus;

// ---- Pest ------------------------------------------------------------------------------------------------

/// "  Tests:    1 failed, 1 skipped, 3 passed (4 assertions)".
std::optional<Figures> pest_summary(std::string_view line) {
  if (!eat(line, "  Tests:") || eat_blanks(line) == 0) return std::nullopt;
  line = trim_end(line);
  if (const auto open = line.rfind(" ("); open != std::string_view::npos && line.ends_with(" assertions)"))
    line = line.substr(0, open);
  const auto c = counts_of(line, ",");
  if (!c || c->back().what == "total") return std::nullopt;
  Figures f;
  f.passed = 0;
  for (const auto& x : *c) {
    // Tests with a warning or a deprecation have passed all the same.
    const bool passed = one_of(x.what, {"deprecated", "warnings", "warning", "warn", "notices", "notice"});
    const auto meaning = passed ? std::optional(Meaning::passed) : meaning_of(x.what);
    if (!meaning) return std::nullopt;
    add(f, x.what == "risky" ? Meaning::passed : *meaning, x.n);
  }
  return f;
}

// ---- Dart ------------------------------------------------------------------------------------------------

/// "00:01 +3 ~1 -1: Some tests failed."; the text is the message.
bool dart_line(std::string_view line, Fields& f) {
  return match(lint_line<"{number}:{number} +{passed}{? ~{skipped}}{? -{failed}}: {message}">(), line, f);
}

// ---- Julia -----------------------------------------------------------------------------------------------

struct Column {
  std::size_t end = 0;
  std::string_view word;
};

/// The columns of "Test Summary: | Pass  Fail  Error  Broken  Total  Time".
std::vector<Column> julia_columns(std::string_view line) {
  std::vector<Column> out;
  for (std::size_t at = line.find('|') + 1; at < line.size();) {
    const auto begin = line.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find(' ', begin), line.size());
    out.push_back({at, line.substr(begin, at - begin)});
    if (out.size() > 8) break;
  }
  return out;
}

/// False: no row of a test set at the top. The nested ones are in its figures.
bool julia_row(std::string_view line, std::size_t bar, const std::vector<Column>& columns, Figures& sum) {
  if (line[bar] != '|' || line[0] == ' ') return false;
  bool any = false;
  for (const auto& column : columns) {
    if (column.end > line.size()) continue;
    auto begin = column.end;
    while (begin > 0 && is_digit(line[begin - 1])) --begin;
    auto digits = line.substr(begin, column.end - begin);
    const auto n = eat_number(digits);
    if (!n) continue;
    any = true;
    const auto meaning = column.word == "Broken" ? std::optional(Meaning::skipped) : meaning_of(column.word);
    if (meaning) add(sum, *meaning, *n);
  }
  if (any) sum.passed = sum.passed.value_or(0);
  return any;
}

}  // namespace

void find_pest(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("pest", out);
  std::string group;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    auto head = line;
    if (eat(head, "   PASS  ") || eat(head, "   FAIL  ") || eat(head, "   WARN  ") ||
        eat(head, "   TODO  ")) {
      run.at(i);
      group = trim_end(head);
    } else if (auto t = run ? case_of("pest", line) : std::nullopt) {
      run.tests.push_back({group + " > " + t->name, t->status});
    } else if (const auto f = pest_summary(line)) {
      if (i + 1 >= in.lines.size() ||
          (!in.lines[i + 1].starts_with("  Duration: ") && !in.lines[i + 1].starts_with("  Time: ")))
        continue;
      run.at(i);
      if (const auto t2 = tally(*f)) run.ends(i + 2, finished("pest", *t2));
      run.forget();
    }
  }
  if (!run.tests.empty()) run.cut(in.lines.size());
}

void find_shunit2(const Input& in, std::vector<TestSegment>& out) {
  std::vector<model::TestCase> tests;
  std::optional<std::size_t> begin, fallback;
  const auto first = out.size();
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Figures f, parts;
    if (line.starts_with("test") && !contains(line, " ")) {
      if (!begin) begin = i;
      tests.push_back({std::string(line), TestStatus::passed});
    } else if (!tests.empty() && (line.starts_with("ASSERT:") || line.starts_with("shunit2:ERROR "))) {
      tests.back().status = TestStatus::failed;
    } else if (i + 2 < in.lines.size() && match(tests_line<"Ran {total} test{?s}.">(), line, f) &&
               is_blank(in.lines[i + 1])) {
      auto verdict = in.lines[i + 2];
      const bool ok = eat(verdict, "OK");
      if (!ok && !eat(verdict, "FAILED")) continue;
      if (!is_blank(verdict) && !match(tests_line<" (failures={failed})">(), verdict, parts) &&
          !match(tests_line<" (skipped={skipped})">(), verdict, parts) &&
          !match(tests_line<" (failures={failed},skipped={skipped})">(), verdict, parts))
        continue;
      // A test may print this: the real one agrees with the names above it.
      if (static_cast<std::int64_t>(tests.size()) != *f.total) {
        fallback = i;
        continue;
      }
      model::TestReport r;
      r.complete = true;
      const auto bad = count_of(tests, TestStatus::failed);
      r.counts = counts(*f.total - bad, bad, 0, 0);
      // The figures are assertions, and which tests skipped some is not printed.
      if (parts.skipped) r.counts.passed = r.counts.skipped = std::nullopt;
      if (!parts.skipped) r.tests = std::move(tests);
      if ((bad > 0) == ok) r.suspicious.emplace_back("the verdict and the listed failures disagree");
      if (!ok && bad == 0) r.outcome = "tests_failed";
      if (*f.total == 0) r.outcome = "no_tests";
      r.format = "shunit2";
      out.push_back(segment_of(std::move(r), begin.value_or(i), i + 3, 60));
      tests.clear();
      begin.reset();
    }
  }
  if (fallback && out.size() == first) {
    Figures f;
    match(tests_line<"Ran {total} test{?s}.">(), in.lines[*fallback], f);
    model::TestReport r;
    r.complete = true;
    r.counts.total = f.total;
    if (in.lines[*fallback + 2].starts_with("FAILED")) r.outcome = "tests_failed";
    r.format = "shunit2";
    out.push_back(segment_of(std::move(r), *fallback, *fallback + 3, 30));
  }
}

/// busted -o gtest: like GoogleTest's, with files for suites and a line for errors.
void find_busted_gtest(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("busted", out);
  std::optional<Figures> figures;
  std::size_t end = 0;
  const auto close = [&] {
    if (const auto t = figures ? tally(*figures) : std::nullopt) {
      run.ends(end, finished("busted", *t));
    } else if (run) {
      run.cut(in.lines.size());
      out.back().confidence = 45;  // above the line that another reporter of it ends with
    }
    figures.reset();
  };
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("[==========] Running tests from ")) {
      close();
      run.at(i);
      continue;
    }
    if (!run || !line.starts_with('[')) continue;
    Figures f;
    if (match(tests_line<"[==========] {total} test{?s} from {number} test file{?s} ran. ({any}">(), line,
              f)) {
      figures = f;
      figures->passed = 0;
    } else if (!figures ||
               (!match(tests_line<"[ PASSED ] {passed} test{?s}.">(), line, *figures) &&
                !match(tests_line<"[ SKIPPED ] {skipped} test{?s}, listed below:">(), line, *figures) &&
                !match(tests_line<"[ FAILED ] {failed} test{?s}, listed below:">(), line, *figures) &&
                !match(tests_line<"[ ERROR ] {errors} error{?s}, listed below:">(), line, *figures))) {
      continue;
    }
    end = i + 1;
  }
  close();
}

void find_dart(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("dart", out);
  std::int64_t unloaded = 0;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    Fields f;
    if (!dart_line(in.lines[i], f)) continue;
    const auto text = f.message;
    run.at(i);
    if (text.starts_with("loading ") && text.ends_with(" [E]")) ++unloaded;
    const bool none = text == "No tests ran." || text == "No tests match";
    if (text != "All tests passed!" && text != "Some tests failed." && text != "All tests skipped." && !none)
      continue;
    if (none && !f.failed) {
      run.ends(i + 1, counts(0, 0, 0, 0), 40);
    } else if (auto t = tally(f)) {
      unloaded = std::min(unloaded, *t->counts.failed);
      t->counts.failed = *t->counts.failed - unloaded;
      t->counts.errors = unloaded;
      auto& r = run.ends(i + 1, finished("dart", *t));
      if (unloaded > 0) r.counts.total.reset();
    }
    run.forget();
    unloaded = 0;
  }
  run.cut(in.lines.size());
}

void find_julia(const Input& in, std::vector<TestSegment>& out) {
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto head = in.lines[i];
    if (!head.starts_with("Test Summary:")) continue;
    const auto bar = head.find('|');
    if (bar == std::string_view::npos) continue;
    const auto columns = julia_columns(head);
    Figures sum;
    std::size_t end = i + 1;
    bool any = false;
    for (; end < in.lines.size(); ++end) {
      const auto line = in.lines[end];
      if (line.size() <= bar || line[bar] != '|') break;
      any = julia_row(line, bar, columns, sum) || any;
    }
    const auto t = any ? tally(sum) : std::nullopt;
    if (!t) continue;
    out.push_back(segment_of(finished("julia", *t), i, end, 60));
    i = end - 1;
  }
}

void find_nim(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("nim-unittest", out);
  std::size_t end = 0;
  std::string suite;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (eat(line, "[Suite] "))
      suite = line;
    else if (auto t = case_of("nim-unittest", line, suite))
      run.tests.push_back(std::move(*t));
    else
      continue;
    run.at(i);
    end = i + 1;
  }
  if (run.tests.empty() || suite.empty()) return;
  auto& r = run.ends(end, counts_of_tests(run.tests), 45);
  // There is no summary: only an exit code that agrees with the marks shows that the run came to its end.
  r.complete = in.exit.exit_code && (*in.exit.exit_code != 0) == (*r.counts.failed > 0);
  if (!r.complete) r.counts.total.reset();
}

void find_dejagnu(const Input& in, std::vector<TestSegment>& out) {
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto head = in.lines[i];
    eat_blanks(head);
    if (!head.starts_with("=== ") || !head.ends_with(" Summary ===")) continue;
    Figures f;
    f.passed = 0;
    std::size_t end = i + 1;
    bool any = false;
    for (; end < in.lines.size() && end < i + 20; ++end) {
      auto line = in.lines[end];
      if (is_blank(line)) continue;
      if (!eat(line, "# of ")) break;
      const auto digits = line.find_last_not_of("0123456789");
      if (digits == std::string_view::npos) break;
      auto number = line.substr(digits + 1);
      const auto n = eat_number(number);
      if (!n) break;
      any = true;
      const auto word = trim_end(line.substr(0, digits + 1));
      if (one_of(word, {"expected passes", "unknown successes", "known successes"}))
        add(f, Meaning::passed, *n);
      else if (one_of(word, {"unexpected failures", "unexpected successes"}))
        add(f, Meaning::failed, *n);
      else if (word.starts_with("unresolved") || contains(word, "errors"))
        add(f, Meaning::errors, *n);
      else
        add(f, Meaning::skipped, *n);  // expected failures, known failures, untested, unsupported
    }
    const auto t = tally(f);
    if (!t) continue;
    auto r = finished("dejagnu", *t);
    if (!any) r.outcome = "no_tests";
    out.push_back(segment_of(std::move(r), i, end, 60));
    i = end - 1;
  }
}

}  // namespace hydra::parsers
