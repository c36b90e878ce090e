// Whole-output reports: JUnit XML, and the JSON of jest, vitest, mocha and rspec.
#include "parsers/registry.hpp"
#include "parsers/scan.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;
using nlohmann::json;

TestSegment whole(const Input& in, std::string_view format) {
  TestSegment seg;
  seg.end = in.lines.size();
  seg.confidence = 90;
  seg.report.format = format;
  seg.report.complete = true;
  return seg;
}

std::int64_t number(const json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_number_integer()
             ? std::clamp<std::int64_t>(it->get<std::int64_t>(), 0, 1'000'000'000)
             : 0;
}

std::string text(const json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
}

const json* list(const json& j, const char* key) {
  const auto it = j.find(key);
  return it != j.end() && it->is_array() ? &*it : nullptr;
}

TestStatus by_word(std::string_view word) {
  if (word == "passed") return TestStatus::passed;
  return word == "failed" ? TestStatus::failed : TestStatus::skipped;
}

void jest_json(const Input& in, const json& j, std::vector<TestSegment>& out) {
  auto seg = whole(in, "jest");
  auto& r = seg.report;
  const auto broken = number(j, "numRuntimeErrorTestSuites");
  r.counts = counts(number(j, "numPassedTests"), number(j, "numFailedTests"),
                    number(j, "numPendingTests") + number(j, "numTodoTests"), broken);
  if (broken > 0) r.counts.total.reset();
  if (const auto* files = list(j, "testResults"))
    for (const auto& f : *files)
      if (const auto* tests = list(f, "assertionResults"))
        for (const auto& t : *tests) r.tests.push_back({text(t, "fullName"), by_word(text(t, "status"))});
  if (number(j, "numTotalTests") == 0 && broken == 0) r.outcome = "no_tests";
  const auto it = j.find("success");
  if (it != j.end() && *it == false && *r.counts.failed + broken == 0 && r.outcome.empty()) {
    r.counts.errors = std::max<std::int64_t>(1, number(j, "numFailedTestSuites"));
    r.counts.total.reset();
  }
  keep_complete_names(r);
  out.push_back(std::move(seg));
}

void mocha_json(const Input& in, const json& j, std::vector<TestSegment>& out) {
  auto seg = whole(in, "mocha");
  auto& r = seg.report;
  const auto& stats = j["stats"];
  r.counts = counts(number(stats, "passes"), number(stats, "failures"), number(stats, "pending"), 0);
  const std::pair<const char*, TestStatus> groups[] = {
      {"passes", TestStatus::passed}, {"failures", TestStatus::failed}, {"pending", TestStatus::skipped}};
  for (const auto& [key, status] : groups)
    if (const auto* tests = list(j, key))
      for (const auto& t : *tests) r.tests.push_back({text(t, "fullTitle"), status});
  keep_complete_names(r);
  out.push_back(std::move(seg));
}

void rspec_json(const Input& in, const json& j, std::vector<TestSegment>& out) {
  auto seg = whole(in, "rspec");
  auto& r = seg.report;
  const auto& s = j["summary"];
  const auto failed = number(s, "failure_count"), skipped = number(s, "pending_count");
  const auto outside = number(s, "errors_outside_of_examples_count");
  r.counts = counts(std::max<std::int64_t>(0, number(s, "example_count") - failed - skipped), failed, skipped,
                    outside);
  if (outside > 0) r.counts.total.reset();
  if (const auto* tests = list(j, "examples"))
    for (const auto& t : *tests) r.tests.push_back({text(t, "full_description"), by_word(text(t, "status"))});
  keep_complete_names(r);
  out.push_back(std::move(seg));
}

/// Value of an attribute inside of one tag, with the five XML entities resolved.
std::string attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    auto rest = tag.substr(at + name.size());
    const bool begins = at > 0 && (tag[at - 1] == ' ' || tag[at - 1] == '\n' || tag[at - 1] == '\t');
    if (!begins || !eat(rest, "=") || rest.empty()) continue;
    const char quote = rest[0];
    const auto end = quote == '"' || quote == '\'' ? rest.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) return {};
    std::string out;
    for (auto value = rest.substr(1, end - 1); !value.empty();) {
      if (eat(value, "&lt;"))
        out += '<';
      else if (eat(value, "&gt;"))
        out += '>';
      else if (eat(value, "&quot;"))
        out += '"';
      else if (eat(value, "&apos;"))
        out += '\'';
      else if (eat(value, "&amp;"))
        out += '&';
      else {
        out += value[0];
        value.remove_prefix(1);
      }
    }
    return out;
  }
  return {};
}

/// The end of a tag: the '>' outside of quotes.
std::size_t tag_end(std::string_view s, std::size_t i) {
  char quote = 0;
  for (; i < s.size(); ++i) {
    if (quote != 0) {
      if (s[i] == quote) quote = 0;
    } else if (s[i] == '"' || s[i] == '\'') {
      quote = s[i];
    } else if (s[i] == '>') {
      return i;
    }
  }
  return std::string_view::npos;
}

class JUnit {
 public:
  bool read(std::string_view s) {
    for (std::size_t i = s.find('<'); i != std::string_view::npos; i = s.find('<', i)) {
      if (s.substr(i).starts_with("<![CDATA[") || s.substr(i).starts_with("<!--")) {
        const bool data = s[i + 2] == '[';
        i = s.find(data ? "]]>" : "-->", i);
        if (i == std::string_view::npos) return false;
        i += 3;
        continue;
      }
      const auto end = tag_end(s, i);
      if (end == std::string_view::npos) return false;
      tag(s.substr(i + 1, end - i - 1));
      i = end + 1;
    }
    return depth_ == 0 && suites_ > 0;
  }
  std::vector<model::TestCase> tests;
  bool lint = false;

 private:
  static bool named(std::string_view t, std::string_view name) {
    return t.starts_with(name) && (t.size() == name.size() || contains(" \n\t/", t.substr(name.size(), 1)));
  }

  void tag(std::string_view t) {
    const bool empty = t.ends_with('/');
    if (named(t, "/testsuite") || named(t, "/testsuites")) {
      --depth_;
    } else if (named(t, "testsuite") || named(t, "testsuites")) {
      ++suites_;
      if (!empty) ++depth_;
      lint = lint || attribute(t, "package") == "org.eslint";
    } else if (named(t, "testcase")) {
      const auto name = attribute(t, "name"), of = attribute(t, "classname");
      const auto status = attribute(t, "status");
      tests.push_back({of.empty() || of == name ? name : of + "." + name,
                       one_of(status, {"disabled", "notrun"}) ? TestStatus::skipped
                       : status == "fail"                     ? TestStatus::failed
                                                              : TestStatus::passed});
      inside_ = !empty;
    } else if (named(t, "/testcase")) {
      inside_ = false;
    } else if (inside_ && named(t, "skipped")) {
      // CTest calls a test whose program is missing skipped; it is a failure.
      tests.back().status =
          attribute(t, "message") == "Unable to find executable" ? TestStatus::failed : TestStatus::skipped;
    } else if (inside_ && named(t, "failure")) {
      tests.back().status = TestStatus::failed;
    } else if (inside_ && named(t, "error")) {
      tests.back().status = TestStatus::error;
    }
  }

  std::int64_t depth_ = 0, suites_ = 0;
  bool inside_ = false;
};

}  // namespace

void find_json_report(const Input& in, std::vector<TestSegment>& out) {
  // Behind what a wrapper printed: the first line that opens an object.
  std::size_t start = std::string::npos;
  for (const auto line : in.lines)
    if (line.starts_with('{')) {
      start = static_cast<std::size_t>(line.data() - in.text.data());
      break;
    }
  if (start == std::string::npos) return;
  const std::string_view body = std::string_view(in.text).substr(start);
  if (!contains(body, "\"numTotalTests\"") && !contains(body, "\"passes\"") &&
      !contains(body, "\"summary_line\""))
    return;
  const auto end = body.rfind('}');
  if (end == std::string_view::npos) return;
  const auto j = json::parse(body.substr(0, end + 1), nullptr, false);
  if (!j.is_object()) return;
  if (j.contains("numTotalTests")) return jest_json(in, j, out);
  if (j.contains("stats") && j["stats"].is_object() && j["stats"].contains("passes"))
    return mocha_json(in, j, out);
  if (j.contains("summary_line") && j.contains("summary") && j["summary"].is_object()) rspec_json(in, j, out);
}

void find_junit(const Input& in, std::vector<TestSegment>& out) {
  std::string_view s = in.text;
  s.remove_prefix(std::min(s.find_first_not_of(" \n\t"), s.size()));
  if (!s.starts_with("<?xml") && !s.starts_with("<testsuite")) return;
  if (!contains(s, "<testsuite")) return;
  JUnit reader;
  const bool complete = reader.read(s);
  if (reader.lint) return;
  auto seg = whole(in, "junit");
  auto& r = seg.report;
  r.complete = complete;
  std::int64_t n[4] = {0, 0, 0, 0};
  for (const auto& t : reader.tests) ++n[static_cast<int>(t.status)];
  r.counts = counts(n[0], n[1], n[2], n[3]);
  if (reader.tests.empty() && complete) r.outcome = "no_tests";
  r.tests = std::move(reader.tests);
  out.push_back(std::move(seg));
}

}  // namespace hydra::parsers
