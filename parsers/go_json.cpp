// go test -json. Read by a scanner of its own: these logs are large, and most of their lines are output that
// says nothing. Only tests that were announced count: a test can print a line that go itself takes for a
// result.
#include "parsers/go_json.hpp"

#include "parsers/json_read.hpp"
#include "parsers/scan.hpp"

#include <map>
#include <unordered_map>

namespace hydra::parsers {
namespace {

using model::TestStatus;

struct Event {
  std::string_view action, package, test;
  bool failed_build = false;
};

/// A string's content behind its opening quote; nothing where it has escapes or no end.
std::optional<std::string_view> plain_string(std::string_view s) {
  const auto end = s.find('"');
  if (end == std::string_view::npos) return std::nullopt;
  const auto text = s.substr(0, end);
  if (text.find('\\') != std::string_view::npos) return std::nullopt;
  return text;
}

/// Reads the members that stand before "Output"; go writes them in this order. False: not of that form.
bool quick(std::string_view line, Event& e) {
  if (!line.ends_with('}')) return false;
  eat(line, "{");
  while (true) {
    if (!eat(line, "\"")) return false;
    const auto key = plain_string(line);
    if (!key) return false;
    line.remove_prefix(key->size() + 1);
    if (!eat(line, ":")) return false;
    // The output may hold anything, and what matters stands before it.
    if (*key == "Output") return !e.action.empty();
    if (eat(line, "\"")) {
      const auto value = plain_string(line);
      if (!value) return false;
      if (*key == "Action") e.action = *value;
      if (*key == "Package") e.package = *value;
      if (*key == "Test") e.test = *value;
      if (*key == "FailedBuild") e.failed_build = true;
      line.remove_prefix(value->size() + 1);
    } else {
      const auto end = line.find_first_of(",}");
      if (end == std::string_view::npos || line.substr(0, end).find_first_of("{[") != std::string_view::npos)
        return false;
      line.remove_prefix(end);
    }
    if (line == "}") return !e.action.empty();
    if (!eat(line, ",")) return false;
  }
}

std::optional<TestStatus> status_of(std::string_view word) {
  if (word == "pass") return TestStatus::passed;
  if (word == "fail") return TestStatus::failed;
  if (word == "skip") return TestStatus::skipped;
  return std::nullopt;
}

struct Test {
  std::string name;
  std::optional<TestStatus> status;
};

struct Package {
  std::vector<Test> tests;
  std::unordered_map<std::string, std::size_t> live;  ///< announced, by name
  bool ended = false;
};

class Reader {
 public:
  void read(const Input& in) {
    for (std::size_t i = 0; i < in.lines.size(); ++i) {
      const auto line = in.lines[i];
      if (line.starts_with('{'))
        object(i, line);
      else if (line.starts_with("FAIL\t") &&
               (contains(line, " [build failed]") || contains(line, " [setup failed]")))
        ++unbuilt_;
    }
  }

  bool emit(std::vector<TestSegment>& out) {
    if (!begin_) return false;
    TestSegment seg;
    seg.begin = *begin_;
    seg.end = end_;
    seg.confidence = 90;
    auto& r = seg.report;
    r.format = "go-test";
    bool open = false, cut = false;
    std::int64_t all = 0;
    for (auto& [name, p] : packages_) {
      cut = cut || !p.ended;
      all += static_cast<std::int64_t>(p.tests.size());
    }
    std::int64_t n[4] = {0, 0, 0, 0};
    const bool named = all <= static_cast<std::int64_t>(kMaxNames);
    for (const auto* name : order_)
      for (auto& t : packages_.find(*name)->second.tests) {
        open = open || !t.status;
        const auto status = t.status.value_or(TestStatus::failed);
        ++n[static_cast<int>(status)];
        if (named) r.tests.push_back({*name + " > " + t.name, status});
      }
    r.complete = !cut;
    r.counts = counts(n[0], n[1], n[2], unbuilt_);
    if (all == 0) r.outcome = unbuilt_ > 0 ? "build_failed" : "no_tests";
    if (unbuilt_ > 0 || open || cut) {
      r.counts.total.reset();
      r.tests.clear();
    }
    if (contradiction_) r.suspicious.emplace_back("a test has two different results");
    out.push_back(std::move(seg));
    return true;
  }

 private:
  void object(std::size_t i, std::string_view line) {
    Event e;
    if (quick(line, e)) return event(i, e);
    if (!contains(line, "\"Action\"") || line.size() > (std::size_t{1} << 22)) return;
    if (!json_extent(line)) return;
    const auto j = read_json(line);
    const auto action = text_in(j, "Action"), package = text_in(j, "Package"), test = text_in(j, "Test");
    event(i, {action, package, test, j.is_object() && j.contains("FailedBuild")});
  }

  void event(std::size_t i, const Event& e) {
    if (e.package.empty()) return;
    if (!begin_) begin_ = i;
    end_ = i + 1;
    auto& p = package(e.package);
    if (e.action == "output") return;
    const auto status = status_of(e.action);
    if (e.test.empty()) {
      p.ended = status.has_value();
      if (status && e.failed_build) ++unbuilt_;
      return;
    }
    if (e.action == "run") {
      p.live[std::string(e.test)] = p.tests.size();
      p.tests.push_back({std::string(e.test), std::nullopt});
    } else if (status) {
      settle(p, e.test, *status);
    }
  }

  void settle(Package& p, std::string_view name, TestStatus status) {
    const auto at = p.live.find(std::string(name));
    if (at == p.live.end()) return;
    auto& t = p.tests[at->second];
    if (t.status && *t.status != status) {
      contradiction_ = true;
      status = *t.status == TestStatus::failed || status == TestStatus::passed ? *t.status : status;
    }
    t.status = status;
  }

  Package& package(std::string_view name) {
    if (last_ != nullptr && *last_name_ == name) return *last_;
    const auto [at, fresh] = packages_.try_emplace(std::string(name));
    if (fresh) order_.push_back(&at->first);
    last_name_ = &at->first;
    last_ = &at->second;
    return *last_;
  }

  std::map<std::string, Package, std::less<>> packages_;  ///< stable addresses
  std::vector<const std::string*> order_;
  const std::string* last_name_ = nullptr;
  Package* last_ = nullptr;
  std::int64_t unbuilt_ = 0;
  bool contradiction_ = false;
  std::optional<std::size_t> begin_;
  std::size_t end_ = 0;
};

}  // namespace

bool find_go_json(const Input& in, std::vector<TestSegment>& out) {
  if (!contains(in.text, "\"Action\"")) return false;
  Reader reader;
  reader.read(in);
  return reader.emit(out);
}

}  // namespace hydra::parsers
