// Test events as one JSON object a line: libtest (cargo, nextest), pytest-reportlog, dart and flutter. go
// test -json is read beside go's text.
#include "parsers/json_read.hpp"
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"

#include <map>

namespace hydra::parsers {
namespace {

using model::TestStatus;
using nlohmann::json;

struct Stream {
  std::vector<model::TestCase> tests;
  std::optional<std::size_t> begin;
  std::size_t end = 0;
  std::int64_t open = 0, errors = 0;
  bool ended = false, failed = false, partial = false;

  void seen(std::size_t i) {
    if (!begin) begin = i;
    end = i + 1;
  }
};

void emit(Stream& s, std::string_view format, std::vector<TestSegment>& out) {
  auto seg = run_of(format, *s.begin, s.end, 90);
  auto& r = seg.report;
  r.complete = s.ended && s.open == 0;
  const auto c = counts_of_tests(s.tests);
  r.counts = counts(*c.passed, *c.failed, *c.skipped, *c.errors + s.errors);
  if (!r.complete || s.errors > 0 || s.partial) r.counts.total.reset();
  if (r.complete && s.tests.empty() && s.errors == 0) r.outcome = "no_tests";
  if (s.failed && *r.counts.failed + *r.counts.errors == 0)
    r.suspicious.emplace_back("the end of the run says failed, and no test did");
  r.tests = std::move(s.tests);
  out.push_back(std::move(seg));
}

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
  if (s.begin) emit(s, "cargo-test", out);
}

void find_reportlog(const Input& in, std::vector<TestSegment>& out) {
  Stream s;
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    if (!contains(in.lines[i], "\"$report_type\"")) continue;
    const auto j = object_of(in.lines[i]);
    const auto type = text_in(j, "$report_type"), outcome = text_in(j, "outcome"), when = text_in(j, "when");
    if (type.empty()) continue;
    s.seen(i);
    if (type == "SessionFinish") s.ended = true;
    if (type == "CollectReport" && outcome == "failed") ++s.errors;
    if (type != "TestReport") continue;
    const auto name = text_in(j, "nodeid");
    // setup, call and teardown report by themselves; outside of the call a failure is an error.
    auto status = status_of_word(outcome).value_or(TestStatus::error);
    if (status == TestStatus::failed && when != "call") status = TestStatus::error;
    if (when != "call" && status == TestStatus::passed) continue;
    const auto [at, fresh] = index.try_emplace(name, s.tests.size());
    if (fresh)
      s.tests.push_back({name, status});
    else if (static_cast<int>(status) > static_cast<int>(s.tests[at->second].status) || when == "call")
      s.tests[at->second].status = status;
  }
  if (s.begin) emit(s, "pytest", out);
}

namespace {

/// Of a scenario's steps the worst decides; one without steps passes.
int badness(TestStatus status) {
  if (status == TestStatus::failed) return 3;
  return status == TestStatus::error ? 2 : status == TestStatus::skipped ? 1 : 0;
}

/// As in cucumber's text: undefined and ambiguous steps are errors.
TestStatus status_of_step(std::string_view word) {
  if (word == "PASSED") return TestStatus::passed;
  if (word == "FAILED") return TestStatus::failed;
  return one_of(word, {"SKIPPED", "PENDING"}) ? TestStatus::skipped : TestStatus::error;
}

}  // namespace

/// Cucumber's formatter "message": envelopes with one message each. An attempt that is repeated counts
/// nothing.
void find_cucumber_messages(const Input& in, std::vector<TestSegment>& out) {
  Stream s;
  std::map<std::string, std::string> pickles, cases;  // names by the ids of pickles, then of test cases
  struct Attempt {
    std::string name;
    TestStatus status = TestStatus::passed;
  };
  std::map<std::string, Attempt> running;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto j = object_of(in.lines[i]);
    if (j.size() != 1) continue;
    const auto& key = j.begin().key();
    const auto& m = j.begin().value();
    if (!m.is_object()) continue;
    if (key == "testRunStarted") s.seen(i);
    const auto id = text_in(m, "id"), attempt = text_in(m, "testCaseStartedId");
    if (key == "pickle" && pickles.size() < kMaxNames) {
      pickles[id] = text_in(m, "uri") + " > " + text_in(m, "name");
    } else if (key == "testCase" && cases.size() < kMaxNames) {
      cases[id] = pickles[text_in(m, "pickleId")];
    } else if (key == "testCaseStarted" && running.size() < kMaxNames) {
      running[id] = {cases[text_in(m, "testCaseId")]};
      s.seen(i);
    } else if (key == "testStepFinished") {
      const auto& result = object_in(m, "testStepResult");
      const auto at = running.find(attempt);
      if (result.is_null() || at == running.end()) continue;
      const auto status = status_of_step(json_text(result, "status"));
      if (badness(status) > badness(at->second.status)) at->second.status = status;
    } else if (key == "testCaseFinished") {
      const auto at = running.find(attempt);
      if (at == running.end()) continue;
      if (json_member(m, "willBeRetried") != true) s.tests.push_back({at->second.name, at->second.status});
      running.erase(at);
      s.seen(i);
    } else if (key == "testRunFinished" && s.begin) {
      s.ended = true;
      s.failed = json_member(m, "success") == false;
      s.seen(i);
    }
  }
  s.open = static_cast<std::int64_t>(running.size());
  if (s.begin) emit(s, "cucumber", out);
}

void find_dart_json(const Input& in, std::vector<TestSegment>& out) {
  Stream s;
  std::map<std::int64_t, std::string> names;
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (!contains(line, "\"type\":")) continue;
    const auto j = object_of(line);
    const auto type = text_in(j, "type");
    if (type == "start" && j.contains("protocolVersion")) s.seen(i);
    if (!s.begin) continue;
    if (const auto& test = object_in(j, "test"); type == "testStart" && test.is_object())
      names[number_in(test, "id")] = text_in(test, "name");
    if (type == "testDone") {
      s.seen(i);
      auto status = status_of_word(text_in(j, "result")).value_or(TestStatus::error);
      if (status == TestStatus::error) status = TestStatus::failed;  // an exception inside of the test
      // "loading a_test.dart"
      if (json_member(j, "hidden") == true && status == TestStatus::passed) continue;
      if (json_member(j, "skipped") == true) status = TestStatus::skipped;
      s.tests.push_back({names[number_in(j, "testID")], status});
    } else if (type == "done") {
      s.seen(i);
      s.ended = true;
      s.failed = json_member(j, "success") == false;
    }
  }
  if (s.begin) emit(s, "dart", out);
}

}  // namespace hydra::parsers
