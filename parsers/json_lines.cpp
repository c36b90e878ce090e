// Test events as one JSON object per line: libtest (cargo, nextest). go.cpp and go_json.cpp read go test
// -json.
#include "parsers/json_read.hpp"
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;
using nlohmann::json;

struct Stream {
  std::vector<model::TestCase> tests;
  std::optional<std::size_t> begin;
  std::size_t end = 0;
  std::int64_t open = 0;
  bool ended = false, failed = false;

  void seen(std::size_t i) {
    if (!begin) begin = i;
    end = i + 1;
  }
};

json object_of(std::string_view line) {
  eat_blanks(line);
  if (!line.starts_with('{') || line.size() > (std::size_t{1} << 22) || !json_extent(line)) return {};
  auto j = read_json(line);
  return j.is_object() ? j : json();
}

}  // namespace

void find_libtest_json(const Input& in, std::vector<TestSegment>& out) {
  Stream s;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    if (!contains(in.lines[i], "\"event\"")) continue;
    const auto j = object_of(in.lines[i]);
    const auto type = text_in(j, "type"), event = text_in(j, "event");
    if (type == "suite") {
      s.seen(i);
      if (event == "started") {
        ++s.open;
      } else {
        s.ended = true;
        if (s.open > 0) --s.open;
        s.failed = s.failed || event == "failed";
      }
    } else if (type == "test" && event != "started" && !event.empty()) {
      const auto status = status_of_word(event);
      if (!status || !s.begin) continue;
      s.seen(i);
      s.tests.push_back({text_in(j, "name"), *status});
    } else if (type == "bench" && s.begin) {
      s.tests.push_back({text_in(j, "name"), TestStatus::passed});
    }
  }
  if (!s.begin) return;
  out.push_back(run_of("cargo-test", *s.begin, s.end, 90));
  auto& r = out.back().report;
  r.complete = s.ended && s.open == 0;
  r.counts = counts_of_tests(s.tests);
  if (!r.complete) r.counts.total.reset();
  if (r.complete && s.tests.empty()) r.outcome = TestOutcome::no_tests;
  if (s.failed && *r.counts.failed + *r.counts.errors == 0)
    r.suspicious.emplace_back("the end of the run says failed, and no test did");
  r.tests = std::move(s.tests);
}

}  // namespace hydra::parsers
