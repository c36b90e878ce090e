// go test -json. A specialised scanner, since the logs are large and most lines are irrelevant output. Only
// announced tests count: a test can print a line that go itself takes for a result.
#include "parsers/json_read.hpp"
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace hydra::parsers {
namespace {

using model::TestOutcome;
using model::TestStatus;

struct Event {
  std::string_view action, package, test;
  bool failed_build = false;
};

/// Returns the content of a string behind its opening quote; nothing with escapes or without an end.
std::optional<std::string_view> plain_string(std::string_view s) {
  const auto end = s.find('"');
  if (end == std::string_view::npos) return std::nullopt;
  const auto text = s.substr(0, end);
  if (text.find('\\') != std::string_view::npos) return std::nullopt;
  return text;
}

/// Reads the members before "Output", in go's order. False: another layout.
bool quick(std::string_view line, Event& e) {
  if (!line.ends_with('}')) return false;
  eat(line, "{");
  while (true) {
    if (!eat(line, "\"")) return false;
    const auto key = plain_string(line);
    if (!key) return false;
    line.remove_prefix(key->size() + 1);
    if (!eat(line, ":")) return false;
    // The output may hold anything; all needed members precede it.
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

constexpr std::string_view kTime = "{\"Time\":\"", kOutput = "\",\"Action\":\"output\",\"Package\":\"";

/// Maximum number of tests that are told apart; at the limit the run counts as cut.
constexpr std::size_t kMostTests = 4 * kMaxNames;

struct Package {
  std::vector<std::uint32_t> tests;  ///< announced tests, as indexes into the list of all
  std::unordered_map<std::string_view, std::uint32_t> live;  ///< by name; the keys are views into the list
  std::size_t indexed = 0;                                   ///< number of `tests` that are in `live`
  std::size_t prefix = 0;                                    ///< bytes of "package > " before each name
  bool ended = false, dropped = false;  ///< `dropped`: `live` was freed at the package's first end
};

class GoJsonReader {
 public:
  void read(const Input& in) {
    lines_ = in.lines.size();
    for (std::size_t i = 0; i < lines_; ++i) {
      const auto line = in.lines[i];
      if (output_of_last(line)) {
        end_ = i + 1;
        late_result(line);
      } else if (line.starts_with('{')) {
        object(i, line);
      } else if (line.starts_with("FAIL\t") &&
                 (contains(line, " [build failed]") || contains(line, " [setup failed]"))) {
        ++unbuilt_;
      }
    }
  }

  void emit(std::vector<TestSegment>& out) {
    if (!begin_) return;
    auto seg = run_of("go-test", *begin_, end_, 90);
    auto& r = seg.report;
    bool open = false, cut = tests_.size() >= kMostTests;
    for (const auto& [at, status] : late_) {
      if (settled_[at]) continue;
      tests_[at].status = status;
      settled_[at] = true;
    }
    for (const auto& [name, p] : packages_) cut = cut || !p.ended;
    for (const bool settled : settled_) open = open || !settled;
    r.complete = !cut;
    const auto listed = counts_of_tests(tests_);
    r.counts = counts(*listed.passed, *listed.failed, *listed.skipped, unbuilt_);
    if (tests_.empty()) r.outcome = unbuilt_ > 0 ? TestOutcome::build_failed : TestOutcome::no_tests;
    if (unbuilt_ > 0 || open || cut)
      r.counts.total.reset();
    else if (tests_.size() <= kMaxNames)
      r.tests = in_order();
    if (contradiction_) r.suspicious.emplace_back("a test has two different results");
    out.push_back(std::move(seg));
  }

 private:
  /// Recognizes an output event of the previous line's package without parsing: three of four lines, none of
  /// which counts.
  bool output_of_last(std::string_view line) const {
    if (last_ == nullptr || !line.starts_with(kTime) || !line.ends_with('}')) return false;
    line.remove_prefix(kTime.size());
    const auto end = line.find('"');
    if (end == std::string_view::npos) return false;
    line.remove_prefix(end);
    if (!eat(line, kOutput) || !eat(line, *last_name_)) return false;
    return line.starts_with("\",\"Test\":\"") || line.starts_with("\",\"Output\":\"");
  }

  /// Before go 1.20 a result behind output without a line end ("tail--- PASS: TestX (0.00s)") has no event.
  void late_result(std::string_view line) {
    constexpr std::string_view kMark = "--- ", kEnd = R"x(s)\n"})x";
    if (!line.ends_with(kEnd)) return;
    const auto mark = line.rfind(kMark);
    if (mark == std::string_view::npos || trim_end(line.substr(0, mark)).ends_with(R"("Output":")")) return;
    Event e;
    if (!quick(line, e) || e.action != "output" || e.test.empty()) return;
    auto result = line.substr(mark + kMark.size());
    const auto status = status_of_word(result.substr(0, 4));
    result.remove_prefix(std::min<std::size_t>(result.size(), 4));
    if (!eat(result, ": ")) return;
    if (!status || !eat(result, e.test) || !result.starts_with(" (")) return;
    if (const auto at = find(package(e.package), e.test)) late_[*at] = *status;
  }

  void object(std::size_t i, std::string_view line) {
    Event e;
    if (quick(line, e)) {
      event(i, e);
      return late_result(line);
    }
    if (!contains(line, "\"Action\"") || line.size() > (std::size_t{1} << 22)) return;
    if (!json_extent(line)) return;
    const auto j = read_json(line);
    const auto action = text_in(j, "Action"), package = text_in(j, "Package"), test = text_in(j, "Test");
    event(i, {action, package, test, j.is_object() && j.contains("FailedBuild")});
  }

  void event(std::size_t i, const Event& e) {
    // test2json without -p leaves the package out; other JSON lines have an action, too.
    if (e.package.empty() && !packages_.contains("") && (e.action != "run" || e.test.empty())) return;
    if (!begin_) begin_ = i;
    end_ = i + 1;
    auto& p = package(e.package);
    if (e.action == "output") return;
    const auto status = status_of_word(e.action);
    if (e.test.empty()) {
      p.ended = status.has_value();
      if (status && e.failed_build) ++unbuilt_;
      // Free the index: a later lookup is rare and rebuilds it. Only once, or a hostile log could force many
      // rebuilds.
      if (status && !p.dropped) {
        p.dropped = true;
        p.live = {};
        p.indexed = 0;
      }
      return;
    }
    if (e.action == "run")
      announce(p, e, i);
    else if (status)
      settle(p, e.test, *status);
  }

  void announce(Package& p, const Event& e, std::size_t i) {
    if (tests_.size() >= kMostTests) return;
    make_room(tests_, lines_ - i);
    std::string name;
    name.reserve(e.package.size() + 3 + e.test.size());
    if (!e.package.empty()) name.append(e.package).append(" > ");
    p.prefix = name.size();
    name.append(e.test);
    p.tests.push_back(static_cast<std::uint32_t>(tests_.size()));
    // A test without a result has failed.
    tests_.push_back({std::move(name), TestStatus::failed});
    settled_.push_back(false);
  }

  std::string_view bare(const Package& p, std::uint32_t at) const {
    return std::string_view(tests_[at].name).substr(p.prefix);
  }

  /// Returns the last announced test of this name.
  std::optional<std::uint32_t> find(Package& p, std::string_view name) {
    if (p.tests.empty()) return std::nullopt;
    if (bare(p, p.tests.back()) == name) return p.tests.back();
    if (moved_ != tests_.data()) {
      // The list was reallocated, and with it short names (in place in std::string).
      for (auto& [key, other] : packages_) {
        other.live = {};
        other.indexed = 0;
      }
      moved_ = tests_.data();
    }
    for (; p.indexed < p.tests.size(); ++p.indexed) {
      // For a repeated name the key stays a view of the older name, which is equal.
      p.live[bare(p, p.tests[p.indexed])] = p.tests[p.indexed];
    }
    const auto at = p.live.find(name);
    return at == p.live.end() ? std::nullopt : std::optional(at->second);
  }

  void settle(Package& p, std::string_view name, TestStatus status) {
    const auto at = find(p, name);
    if (!at) return;
    auto& t = tests_[*at];
    if (settled_[*at] && t.status != status) {
      contradiction_ = true;
      status = t.status == TestStatus::failed || status == TestStatus::passed ? t.status : status;
    }
    t.status = status;
    settled_[*at] = true;
  }

  /// Returns the list, package by package.
  std::vector<model::TestCase> in_order() {
    std::vector<std::uint32_t> order;
    bool sorted = true;
    order.reserve(tests_.size());
    for (const auto* name : order_)
      for (const auto at : packages_.find(*name)->second.tests) {
        sorted = sorted && (order.empty() || order.back() < at);
        order.push_back(at);
      }
    if (!sorted) {
      std::vector<model::TestCase> out;
      out.reserve(tests_.size());
      for (const auto at : order) out.push_back(std::move(tests_[at]));
      tests_ = std::move(out);
    }
    give_back(tests_);
    return std::move(tests_);
  }

  Package& package(std::string_view name) {
    if (last_ != nullptr && *last_name_ == name) return *last_;
    const auto [at, fresh] = packages_.try_emplace(std::string(name));
    if (fresh) order_.push_back(&at->first);
    last_name_ = &at->first;
    last_ = &at->second;
    return *last_;
  }

  std::size_t lines_ = 0;
  std::vector<model::TestCase> tests_;        ///< of all packages, in announced order
  std::vector<bool> settled_;                 ///< which of `tests_` have a result
  std::map<std::uint32_t, TestStatus> late_;  ///< results that appear only in a test's output
  const model::TestCase* moved_ = nullptr;
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

void find_go_json(const Input& in, std::vector<TestSegment>& out) {
  if (!in.lines.contains("\"Action\"")) return;
  GoJsonReader reader;
  reader.read(in);
  reader.emit(out);
}

}  // namespace hydra::parsers
