// Python's unittest: "Ran N tests" under a ruler and the verdict below; headings report fixtures that "Ran"
// does not count.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <set>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

/// "test_ok (test_u.A.test_ok)" (3.11) and "test_ok (test_u.A)" (older) both become "test_u.A.test_ok".
std::optional<std::string> id_of(std::string_view s) {
  const auto open = s.find(" (");
  if (open == std::string_view::npos || open == 0 || !s.ends_with(')')) return std::nullopt;
  const auto name = s.substr(0, open);
  const auto place = s.substr(open + 2, s.size() - open - 3);
  if (contains(name, " ") || contains(place, " ") || contains(place, "(") || place.empty())
    return std::nullopt;
  std::string id(place);
  if (!place.ends_with("." + std::string(name)) && place != name) id += "." + std::string(name);
  return id;
}

std::optional<TestStatus> unittest_status(std::string_view s) {
  if (one_of(s, {"ok"})) return TestStatus::passed;
  if (one_of(s, {"FAIL", "unexpected success"})) return TestStatus::failed;
  if (s == "ERROR") return TestStatus::error;
  if (s == "expected failure" || s.starts_with("skipped")) return TestStatus::skipped;
  return std::nullopt;
}

struct UnittestSession {
  std::optional<std::size_t> begin;
  std::set<std::string> broken;  ///< distinct tests under ERROR: and FAIL: headings
  std::int64_t outside = 0;      ///< class and module fixtures, not counted in "Ran"
  std::string pending, before;   ///< a name without a status so far; the name on the line before
  std::vector<model::TestCase> tests;
};

void read_heading(UnittestSession& s, std::string_view line) {
  if (!eat(line, "ERROR: ") && !eat(line, "FAIL: ")) return;
  for (const std::string_view fixture :
       {"setUpClass (", "tearDownClass (", "setUpModule (", "tearDownModule ("})
    if (line.starts_with(fixture)) {
      ++s.outside;
      return;
    }
  const auto close = line.find(')');
  s.broken.emplace(line.substr(0, close == std::string_view::npos ? close : close + 1));
}

void read_verbose(UnittestSession& s, std::string_view line) {
  if (!s.pending.empty())
    if (const auto status = unittest_status(line)) {
      s.tests.push_back({s.pending, *status});
      s.pending.clear();
      return;
    }
  const auto dots = line.find(" ... ");
  if (dots == std::string_view::npos) {
    s.before = id_of(line).value_or("");
    return;
  }
  auto id = id_of(line.substr(0, dots));
  if (!id && !s.before.empty()) id = s.before;
  s.before.clear();
  if (!id) return;
  const auto last = line.rfind(" ... ");
  if (const auto status = unittest_status(line.substr(last + 5)))
    s.tests.push_back({*id, *status});
  else
    s.pending = *id;
}

std::optional<std::vector<Count>> verdict_of(std::string_view line) {
  line = trim_end(line);
  if (line == "OK" || line == "FAILED" || line == "NO TESTS RAN") return std::vector<Count>{};
  if (!eat(line, "OK (") && !eat(line, "FAILED (") && !eat(line, "NO TESTS RAN (")) return std::nullopt;
  if (!eat_end(line, ")")) return std::nullopt;
  return assignments_of(line);
}

TestSegment finish(UnittestSession& s, std::size_t ruler, std::int64_t ran, const std::vector<Count>& v,
                   bool failed_word) {
  auto seg = ended_run("unittest", s.begin.value_or(ruler), ruler + 4);
  auto& r = seg.report;
  const auto failures = sum_of(v, {"failures"}), surprises = sum_of(v, {"unexpected successes"});
  const auto errors = sum_of(v, {"errors"});
  const auto skipped = sum_of(v, {"skipped", "expected failures", "SKIP"});
  // Sub-tests give a test several failures: count distinct tests if the headings name them.
  const auto outside = std::min(s.outside, errors);
  auto bad = failures + errors - outside;
  const auto distinct = static_cast<std::int64_t>(s.broken.size());
  const bool subtests = distinct > 0 && distinct < bad;
  if (subtests) bad = distinct;
  r.counts = counts(0, failures + surprises, skipped, errors);
  r.counts.passed.reset();
  r.counts.total.reset();
  const auto passed = ran - bad - skipped - surprises;
  if (passed >= 0) r.counts.passed = passed;
  if (outside == 0 && !subtests) r.counts.total = ran;
  if (ran == 0 && errors == 0) r.outcome = TestOutcome::no_tests;
  if (failed_word && failures + errors + surprises == 0)
    r.suspicious.emplace_back("FAILED without a failure");
  r.tests = std::move(s.tests);
  if (!r.counts.total || static_cast<std::int64_t>(r.tests.size()) != ran) r.tests.clear();
  return seg;
}

/// "test_a (pkg.Case.test_a) ... ok": only a verbose run prints such a line.
bool verbose_line(std::string_view line) {
  const auto end = line.find(") ... ");
  if (end == std::string_view::npos || !line.starts_with("test")) return false;
  const auto open = line.find(" (");
  if (open == std::string_view::npos || open >= end) return false;
  const auto where = line.substr(open + 2, end - open - 2);
  return contains(where, ".") && !contains(where, " ") && !contains(line.substr(0, open), " ");
}

}  // namespace

void find_unittest(const Input& in, std::vector<TestSegment>& out) {
  UnittestSession s;
  std::optional<std::size_t> open;  // first line of a verbose run without an end so far
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (!open && verbose_line(line)) open = i;
    if (!s.begin && (only(line, '=', 70) || contains(line, " ... ") ||
                     (!line.empty() && line.find_first_not_of(".FEsxu") == std::string_view::npos))) {
      s.begin = i;
    }
    if (only(line, '-', 70) && i + 1 < in.lines.size()) {
      const auto ran = ran_in_unittest(in.lines[i + 1]);
      const auto verdict = ran && i + 3 < in.lines.size() ? verdict_of(in.lines[i + 3]) : std::nullopt;
      if (!verdict) continue;
      out.push_back(finish(s, i, *ran, *verdict, in.lines[i + 3].starts_with("FAILED")));
      s = {};
      open.reset();
      i += 3;
    } else if (i > 0 && only(in.lines[i - 1], '=', 70)) {
      read_heading(s, line);
    } else {
      read_verbose(s, line);
    }
  }
  if (open) out.push_back(unfinished_run("unittest", *open, in.lines.size()));
}

}  // namespace hydra::parsers
