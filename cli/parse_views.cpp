#include "cli/parse_views.hpp"

#include "cli/context.hpp"

#include <nlohmann/json.hpp>

namespace hydra::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<std::int64_t>& n) { return n ? Json(*n) : Json(nullptr); }

std::string dump(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Prints an object in pieces: members, and lists item by item.
class Printer {
 public:
  ~Printer() {
    out_ += "}\n";
    print(out_);
  }
  void member(std::string_view key, const Json& value) {
    begin(key);
    out_ += dump(value);
  }
  template <class List, class ToJson>
  void list(std::string_view key, const List& items, ToJson to_json) {
    begin(key);
    out_ += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ',';
      first = false;
      out_ += dump(to_json(item));
      if (out_.size() > (std::size_t{1} << 16)) {
        print(out_);
        out_.clear();
      }
    }
    out_ += ']';
  }

 private:
  void begin(std::string_view key) {
    out_ += first_ ? "{" : ",";
    first_ = false;
    out_ += json_string(key) + ":";
  }
  std::string out_;
  bool first_ = true;
};

}  // namespace

void print_report(const model::TestReport& r) {
  // Packages are not tests (ruling H21): how many tests passed is not known, only that none failed.
  const bool packages = r.format == "go-packages";
  const auto& c = r.counts;
  const auto figure = [&](const std::optional<std::int64_t>& n, bool zero_is_known) {
    return packages && !(zero_is_known && n == 0) ? Json(nullptr) : number(n);
  };
  const bool none_bad = c.failed == 0 && c.errors == 0;
  Printer p;
  p.member("passed", figure(c.passed, false));
  p.member("failed", figure(c.failed, none_bad));
  p.member("skipped", figure(c.skipped, false));
  p.member("errors", figure(c.errors, none_bad));
  p.member("total", figure(c.total, r.outcome == "no_tests"));
  // Not a copy: the list may be most of the memory that this takes.
  static const std::vector<model::TestCase> none;
  p.list("tests", packages ? none : r.tests, [](const auto& t) {
    return Json{{"name", t.name}, {"status", model::name(t.status)}};
  });
  p.member("format", r.format);
  p.member("confidence", model::name(r.confidence));
  p.member("complete", r.complete);
  p.member("outcome", r.outcome);
  p.member("suspicious", r.suspicious);
  p.list("evidence", r.evidence, [](const auto& e) {
    return Json{{"format", e.format}, {"first_line", e.first}, {"last_line", e.last}};
  });
}

void print_report(const model::LintReport& r) {
  Printer p;
  p.member("errors", number(r.errors));
  p.member("warnings", number(r.warnings));
  p.list("findings", r.findings, [](const auto& f) {
    return Json{{"file", f.file},
                {"line", f.line > 0 ? Json(f.line) : Json(nullptr)},
                {"column", f.column > 0 ? Json(f.column) : Json(nullptr)},
                {"rule", f.rule},
                {"severity", f.severity == model::LintSeverity::error ? "error" : "warning"},
                {"message", f.message}};
  });
  p.member("format", r.format);
  p.member("confidence", model::name(r.confidence));
  p.member("complete", r.complete);
  p.member("outcome", r.outcome);
  p.member("suspicious", r.suspicious);
  p.member("evidence", r.evidence);
}

std::string formats_json(const std::vector<std::string_view>& tests,
                         const std::vector<std::string_view>& lint) {
  return dump(Json{{"test", tests}, {"lint", lint}});
}

}  // namespace hydra::cli
