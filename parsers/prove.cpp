// Perl's prove.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

struct Prove {
  std::optional<std::size_t> begin;
  std::int64_t points[3] = {0, 0, 0};  ///< passed, failed, skipped at the top level of the files' TAP
  std::int64_t failed = 0;             ///< sum over "Failed 1/3 subtests"
  std::int64_t reported = 0;           ///< sum over "t/a.t (Wstat: 256 (exited 1) Tests: 4 Failed: 1)"
  std::int64_t unplanned = 0;          ///< files that died without a failed point
  std::vector<model::TestCase> tests;
  std::string file;
};

/// "t/a.t .. ", "t/a.t .. ok", "t/a.t .... skipped: why" -> the file.
std::optional<std::string_view> prove_file(std::string_view line) {
  const auto dots = line.find(" ..");
  if (dots == std::string_view::npos || dots == 0 || line[0] == ' ' || line[0] == '#') return std::nullopt;
  const auto rest = line.substr(std::min(line.find_first_not_of('.', dots + 1), line.size()));
  const auto verdict = trim_end(rest);
  if (!verdict.empty() && verdict[0] != ' ') return std::nullopt;
  const auto name = line.substr(0, dots);
  if (contains(name, " ")) return std::nullopt;
  return name;
}

void prove_point(Prove& p, std::string_view line) {
  const auto point = point_of(line);
  if (!point || !point->number) return;
  ++p.points[point->status == TestStatus::passed ? 0 : point->status == TestStatus::failed ? 1 : 2];
  if (!point->name.empty()) p.tests.push_back({p.file + " > " + std::string(point->name), point->status});
}

void prove_finish(Prove& p, std::int64_t total, std::string_view result, std::size_t end,
                  std::vector<TestSegment>& out) {
  auto seg = ended_run("prove", p.begin.value_or(end - 2), end);
  auto& r = seg.report;
  if (p.failed == 0 && p.points[1] == 0) p.failed = p.reported;
  const auto listed = p.points[0] + p.points[1] + p.points[2];
  if (listed > 0 && listed == total) {
    r.counts = counts(p.points[0], p.points[1], p.points[2], p.points[1] == 0 ? p.unplanned : 0);
    r.tests = std::move(p.tests);
    keep_complete_names(r);
  } else if (result == "PASS") {
    r.counts = counts(total, 0, 0, 0);
  } else if (result == "NOTESTS") {
    r.counts = counts(0, 0, 0, 0);
    r.outcome = TestOutcome::no_tests;
  } else {
    // Without -v, skipped points are hidden in the passed points.
    r.counts.failed = p.failed;
    r.counts.errors = p.failed == 0 ? std::max<std::int64_t>(1, p.unplanned) : 0;
    r.counts.total = total;
  }
  if (result == "FAIL" && *r.counts.failed + *r.counts.errors == 0) r.counts.errors = 1;
  if (result == "PASS" && *r.counts.failed > 0)
    r.suspicious.emplace_back("prove passed, but failed points are listed");
  out.push_back(std::move(seg));
  p = {};
}

}  // namespace

void find_prove(const Input& in, std::vector<TestSegment>& out) {
  Prove p;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    auto line = in.lines[i];
    if (const auto file = prove_file(line)) {
      if (!p.begin) p.begin = i;
      p.file = *file;
    } else if (eat(line, "Failed ")) {
      const auto n = eat_number(line);
      if (n && eat(line, "/") && eat_number(line) && line.starts_with(" subtests")) p.failed += *n;
    } else if (const auto at = line.find(" (Wstat: "); at != std::string_view::npos) {
      // A row of prove's summary report, the only place of the figure with -Q.
      if (const auto failed = line.find(" Failed: ", at); failed != std::string_view::npos)
        p.reported += leading_number(line.substr(failed + 9));
    } else if (line.starts_with("No subtests run") || line.starts_with("Dubious, test returned ") ||
               line.starts_with("  Parse errors: ")) {
      ++p.unplanned;
    } else if (eat(line, "Files=")) {
      if (!eat_number(line) || !eat(line, ", Tests=")) continue;
      const auto total = eat_number(line);
      auto result = i + 1 < in.lines.size() ? in.lines[i + 1] : std::string_view{};
      if (total && eat(result, "Result: ") && one_of(trim_end(result), {"PASS", "FAIL", "NOTESTS"}))
        prove_finish(p, *total, trim_end(result), i + 2, out);
    } else if (p.begin) {
      prove_point(p, line);
    }
  }
}

}  // namespace hydra::parsers
