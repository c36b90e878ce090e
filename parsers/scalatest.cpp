// ScalaTest with names, by itself or under sbt and Maven: suites, "- name" lines, and the totals below them.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

namespace hydra::parsers {
namespace {

constexpr std::size_t kLongestScalaLine = 1000;

struct Line {
  std::string_view text;
  std::size_t indent = 0;
};

/// Without sbt's tag.
Line line_of(std::string_view line) {
  if (!eat(line, "[info] ")) eat(line, "[error] ");
  Line out{line, 0};
  out.indent = eat_blanks(out.text);
  out.text = trim_end(out.text);
  return out;
}

/// "- adds", "- fails *** FAILED ***", "- later !!! IGNORED !!!", "- waits (pending)".
std::optional<model::TestCase> scala_test(std::string_view text) {
  if (text.size() > kLongestScalaLine || !eat(text, "- ") || text.empty()) return std::nullopt;
  text = without_duration(text);
  // Durations stand behind the mark or before it: "*** FAILED *** (2 milliseconds)".
  if (const auto open = text.rfind(" (");
      open != std::string_view::npos && (text.ends_with("milliseconds)") || text.ends_with("millisecond)") ||
                                         text.ends_with("seconds)") || text.ends_with("second)")))
    text = text.substr(0, open);
  return case_of("scalatest", text);
}

/// sbt's own line "[info] Passed: Total 3, Failed 0, Errors 0, Passed 3" behind the totals of line `i`: sbt
/// prints it where several frameworks ran. Nothing where there is none before ScalaTest's next run.
struct Standard {
  std::size_t line = 0;
  std::int64_t passed = 0, failed = 0;
};
std::optional<Standard> standard_behind(const Input& in, std::size_t i) {
  for (auto k = i + 1; k < in.lines.size(); ++k) {
    const auto text = in.lines[k].substr(0, kLongestScalaLine);
    if (contains(text, "Tests: succeeded ")) return std::nullopt;
    if (!contains(text, ": Total ")) continue;
    Figures f;
    for (const std::string_view word : {"[info] Passed", "[error] Failed", "[error] Error"}) {
      auto rest = text;
      if (eat(rest, word) &&
          match(tests_line<": Total {number}, Failed {failed}, Errors {errors}, Passed {passed}{any}">(),
                rest, f))
        return Standard{k, f.passed.value_or(0), f.failed.value_or(0)};
    }
  }
  return std::nullopt;
}

}  // namespace

void find_scalatest(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("scalatest", out);
  Titles titles;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = line_of(in.lines[i]);
    if (line.text.empty() || line.text.size() > kLongestScalaLine) continue;
    if (const auto t = scala_test(line.text)) {
      titles.at(line.indent + 2);
      if (run.tests.size() < kMaxNames) run.lists(i, {titles.path(t->name), t->status});
      continue;
    }
    Figures f;
    if (!match(tests_line<"Tests: succeeded {passed}, failed {failed}, canceled {skipped}, ignored "
                          "{skipped}, pending {skipped}">(),
               line.text, f)) {
      if (line.text.ends_with(':')) {
        if (line.indent == 0) titles.clear();
        titles.push(line.indent, line.text.substr(0, line.text.size() - 1));
      } else if (i + 1 < in.lines.size() && !titles.empty()) {
        // A flat specification's subject; the lines of a failure are indented more than the next test.
        const auto next = line_of(in.lines[i + 1]);
        if (next.text.starts_with("- ") && line.indent <= next.indent)
          titles.push(line.indent + 1, line.text);
      }
      continue;
    }
    const auto standard = standard_behind(in, i);
    const auto t = tally(f);
    // With other frameworks beside it, sbt's line counts them all.
    run.at(i);
    if (t && (!standard || (standard->passed == t->counts.passed && standard->failed == t->counts.failed)))
      run.ends(standard ? standard->line + 1 : i + 1,
               finished(in.lines[i].starts_with("[info] ") ? "sbt" : "scalatest", *t));
    run.forget();
  }
}

}  // namespace hydra::parsers
