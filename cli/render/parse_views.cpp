#include "cli/render/parse_views.hpp"

#include "cli/context.hpp"
#include "cli/json_fields.hpp"

#include <algorithm>

namespace hydra::cli {
namespace {

/// Appends a JSON string; most names are printable ASCII and need only quotes.
void append_string(std::string& out, std::string_view text) {
  const bool simple = std::all_of(text.begin(), text.end(),
                                  [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
  if (!simple) {
    out += json_string(text);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

/// Prints an object incrementally: members, and lists element by element.
class Printer {
 public:
  ~Printer() {
    out_ += "}\n";
    print(out_);
  }
  void member(std::string_view key, const OrderedJson& value) {
    begin(key);
    out_ += one_line(value);
  }
  /// `append` writes one element.
  template <class List, class Append>
  void list(std::string_view key, const List& items, Append append) {
    begin(key);
    out_ += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ',';
      first = false;
      append(out_, item);
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

void print_report(const model::ParsedTests& r) {
  // Packages are not tests (ruling H21): the number of passed tests is unknown, only that none failed.
  const bool packages = r.format == "go-packages";
  const auto& c = r.counts;
  const auto figure = [&](const std::optional<std::int64_t>& n, bool zero_is_known) {
    return packages && !(zero_is_known && n == 0) ? OrderedJson(nullptr) : or_null(n);
  };
  const bool none_bad = c.failed == 0 && c.errors == 0;
  Printer p;
  p.member("passed", figure(c.passed, false));
  p.member("failed", figure(c.failed, none_bad));
  p.member("skipped", figure(c.skipped, false));
  p.member("errors", figure(c.errors, none_bad));
  p.member("total", figure(c.total, r.outcome == model::TestOutcome::no_tests));
  // A reference, since a copy of the list could double the memory.
  static const std::vector<model::TestCase> none;
  p.list("tests", packages ? none : r.tests, [](std::string& out, const auto& t) {
    out += "{\"name\":";
    append_string(out, t.name);
    out.append(",\"status\":\"").append(model::name(t.status)).append("\"}");
  });
  p.member("format", r.format);
  p.member("confidence", model::name(r.confidence));
  p.member("complete", r.complete);
  p.member("outcome", std::string(name(r.outcome)));
  p.member("suspicious", r.suspicious);
  p.list("evidence", r.evidence, [](std::string& out, const auto& e) {
    out += one_line(OrderedJson{{"format", e.format}, {"first_line", e.first}, {"last_line", e.last}});
  });
}

void print_report(const model::LintReport& r) {
  Printer p;
  p.member("errors", or_null(r.errors));
  p.member("warnings", or_null(r.warnings));
  p.list("findings", r.findings, [](std::string& out, const auto& f) {
    out += one_line(OrderedJson{{"file", f.file},
                                {"line", f.line > 0 ? OrderedJson(f.line) : OrderedJson(nullptr)},
                                {"column", f.column > 0 ? OrderedJson(f.column) : OrderedJson(nullptr)},
                                {"rule", f.rule},
                                {"severity", name(f.severity)},
                                {"message", f.message}});
  });
  p.member("format", r.format);
  p.member("confidence", model::name(r.confidence));
  p.member("complete", r.complete);
  p.member("outcome", std::string(name(r.outcome)));
  p.member("suspicious", r.suspicious);
  p.member("evidence", r.evidence);
}

std::string formats_json(const std::vector<std::string_view>& tests,
                         const std::vector<std::string_view>& lint,
                         const std::vector<std::string_view>& agents) {
  return one_line(OrderedJson{{"schema", 1}, {"test", tests}, {"lint", lint}, {"agent", agents}});
}

}  // namespace hydra::cli
