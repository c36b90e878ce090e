// Playwright.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/summaries.hpp"

#include <algorithm>
#include <map>

namespace hydra::parsers {
namespace {

using model::TestOutcome;

/// "  3 passed (5.2s)", "  1 flaky", "  2 did not run": exactly two blanks.
std::optional<Count> playwright_figure(std::string_view line) {
  if (!eat(line, "  ") || line.empty() || !is_digit(line[0])) return std::nullopt;
  line = trim_end(line);
  if (line.ends_with(')')) line = trim_end(line.substr(0, line.rfind('(')));
  const auto c = counts_of(line, "\n");
  if (!c || !one_of(c->front().what, {"passed", "failed", "flaky", "skipped", "interrupted", "did not run",
                                      "error was not a part of any test, see above for details",
                                      "errors were not a part of any test, see above for details"}))
    return std::nullopt;
  return c->front();
}

void playwright_end(OpenRun& run, std::size_t end, std::int64_t announced, const std::vector<Count>& c) {
  const auto gone = sum_of(c, {"did not run"});
  auto& r = run.ends(end, counts(sum_of(c, {"passed", "flaky"}), sum_of(c, {"failed", "interrupted"}),
                                 sum_of(c, {"skipped"}),
                                 sum_of(c, {"error was not a part of any test, see above for details",
                                            "errors were not a part of any test, see above for details"})));
  if (announced != *r.counts.total - *r.counts.errors + gone)
    r.suspicious.emplace_back("the figures of the summary do not add up");
  if (gone > 0) {
    r.counts.total.reset();
    r.outcome = TestOutcome::partial;
  }
}

}  // namespace

void find_playwright(const Input& in, std::vector<TestSegment>& out) {
  OpenRun run("playwright", out);
  bool interrupted = false;  // text followed the last figure
  std::int64_t announced = 0;
  std::size_t end = 0;
  std::vector<Count> c;
  const auto close = [&](std::size_t at) {
    if (c.empty())
      run.cut(at);
    else
      playwright_end(run, end, announced, c);
    c.clear();
  };
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    Figures f;
    if (match(lint_line<"Running {total} test{s} using {number} worker{any}">(), line, f)) {
      close(i);
      run.at(i);
      announced = *f.total;
    } else if (line.starts_with("Error: No tests found")) {
      out.push_back(empty_run("playwright", i, i + 1));
    } else if (!run) {
      continue;
    } else if (const auto figure = playwright_figure(line)) {
      // Between two figures stand only names of tests, indented by four: other text starts a new summary.
      if (interrupted) c.clear();
      interrupted = false;
      c.push_back(*figure);
      end = i + 1;
    } else if (!c.empty() && !line.empty() && !line.starts_with("    ")) {
      interrupted = true;
    }
  }
  close(in.lines.size());
}

}  // namespace hydra::parsers
