// jest (and the output of `npm test` around it): the summary block at column 0, the verbose tree, suites that
// fail to load.
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <set>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

struct Session {
  std::size_t begin = 0;
  bool begun = false;
  std::set<std::string> files, unloadable;
  std::string file;  ///< of the last PASS or FAIL line
  Titles blocks;
  bool in_tree = false;
  std::vector<model::TestCase> tests;
};

std::optional<std::string> file_of(std::string_view line) {
  if (!eat(line, "PASS ") && !eat(line, "FAIL ") && !eat(line, " PASS ") && !eat(line, " FAIL "))
    return std::nullopt;
  eat_blanks(line);
  line = without_duration(line);
  eat(line, "./");
  if (line.empty() || contains(line, " > ")) return std::nullopt;  // vitest
  return std::string(line);
}

void read_tree_line(Session& s, std::string_view line) {
  const std::size_t indent = eat_blanks(line);
  if (line.empty() || indent == 0) {
    s.in_tree = false;
    return;
  }
  s.blocks.at(indent);
  if (auto test = case_of("jest", line)) {
    s.tests.push_back({s.file + " › " + s.blocks.path(test->name, " › "), test->status});
  } else if (line.starts_with("●")) {
    s.in_tree = false;
  } else {
    s.blocks.push(indent, line);
  }
}

/// "Test Suites: ..." and "Tests: ..." on neighbouring lines at column 0.
struct Summary {
  std::vector<Count> suites, tests;
};

std::optional<std::vector<Count>> labelled(std::string_view line, std::string_view label) {
  if (!eat(line, label) || eat_blanks(line) == 0) return std::nullopt;
  auto c = counts_of(line, ",");
  if (!c) return std::nullopt;
  // "2 of 5 total": --bail stopped the run.
  if (auto rest = c->back().what; eat(rest, "of ") && eat_number(rest) && rest == " total")
    c->back().what = "total";
  if (c->back().what != "total") return std::nullopt;
  return c;
}

std::optional<Summary> summary_at(const Input& in, std::size_t i) {
  auto suites = labelled(in.lines[i], "Test Suites:");
  if (!suites || i + 1 >= in.lines.size()) return std::nullopt;
  auto tests = labelled(in.lines[i + 1], "Tests:");
  if (!tests) return std::nullopt;
  return Summary{std::move(*suites), std::move(*tests)};
}

TestSegment finish(Session& s, const Summary& sum, std::size_t end) {
  auto seg = ended_run("jest", s.begin, end, s.files.empty() ? 40 : 60);
  auto& r = seg.report;
  r.counts = counts(sum_of(sum.tests, {"passed"}), sum_of(sum.tests, {"failed"}),
                    sum_of(sum.tests, {"skipped", "todo", "pending", "disabled"}),
                    static_cast<std::int64_t>(s.unloadable.size()));
  const auto total = sum_of(sum.tests, {"total"});
  if (!s.unloadable.empty())
    r.counts.total.reset();  // the number of tests in those suites is unknown
  else if (total != *r.counts.total)
    r.suspicious.emplace_back("the figures of the summary do not add up");
  else if (total == 0 && sum_of(sum.suites, {"failed"}) == 0)
    r.outcome = TestOutcome::no_tests;
  if (s.unloadable.empty() && sum_of(sum.suites, {"failed"}) > 0 && *r.counts.failed == 0)
    r.counts.errors = sum_of(sum.suites, {"failed"});
  r.tests = std::move(s.tests);
  keep_complete_names(r);
  return seg;
}

void unfinished(const Session& s, const Input& in, bool called_exit, std::vector<TestSegment>& out) {
  const bool script = s.file.find(".js") != std::string::npos || s.file.find(".ts") != std::string::npos ||
                      s.file.find(".mjs") != std::string::npos || s.file.find(".cjs") != std::string::npos;
  if (!called_exit && !script) return;
  auto seg = run_of("jest", s.begin, in.lines.size(), 20);
  seg.report.counts.skipped = count_of(s.tests, TestStatus::skipped);  // seen before the run stopped
  if (called_exit) seg.report.outcome = TestOutcome::crashed;
  out.push_back(std::move(seg));
}

}  // namespace

void find_jest(const Input& in, std::vector<TestSegment>& out) {
  Session s;
  bool called_exit = false;
  std::optional<std::size_t> last;  // accepted summary, index in `out`
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.starts_with("No tests found, exiting with code ")) {
      out.push_back(empty_run("jest", i, i + 1));
      out.back().confidence = 50;
    }
    if (contains(line, "●  process.exit called with ")) called_exit = true;
    if (auto file = file_of(line)) {
      if (!s.begun) s.begin = i;
      s.begun = true;
      s.file = *file;
      s.files.insert(*file);
      s.blocks.clear();
      s.in_tree = true;
    } else if (contains(line, "● Test suite failed to run")) {
      s.unloadable.insert(s.file);
    } else if (const auto sum = summary_at(in, i)) {
      const auto shown = sum_of(sum->suites, {"failed", "passed"});
      const bool all_files = static_cast<std::int64_t>(s.files.size()) >= shown && !s.files.empty();
      if (!s.begun && last) {
        out[*last].report.suspicious.emplace_back("a second summary after the end of the run");
      } else if (all_files || i + 2 >= in.lines.size() || in.lines[i + 2].starts_with("Snapshots:")) {
        if (!s.begun) s.begin = i;
        last = out.size();
        out.push_back(finish(s, *sum, i + 2));
        s = Session{};
      }
    } else if (s.in_tree) {
      read_tree_line(s, line);
    }
  }
  if (s.begun || (!last && called_exit)) unfinished(s, in, !last && called_exit, out);
}

}  // namespace hydra::parsers
