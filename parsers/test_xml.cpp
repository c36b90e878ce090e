// Test reports in XML other than JUnit's. One reader for all: a document is a list of cases, and each dialect
// says which element is a case and where its status stands.
#include "base/strings.hpp"
#include "parsers/formats.hpp"
#include "parsers/marks.hpp"
#include "parsers/reports.hpp"
#include "parsers/scan.hpp"
#include "parsers/xml.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

using model::TestStatus;

class Cases {
 public:
  explicit Cases(const XmlDialect& d) : d_(d) {}

  void read(const XmlTag& tag) {
    if (tag.is(d_.test))
      test(tag);
    else if (open_ && tag.begins())
      detail(tag);
    else if (!d_.group.empty() && tag.is(d_.group))
      group(tag);
    else if (tag.begins())
      failed_elsewhere(tag);
  }

  std::vector<model::TestCase> tests;
  bool broken = false;  ///< the runner says that the run failed as a whole

 private:
  void group(const XmlTag& tag) {
    if (tag.kind == XmlTag::Kind::open) groups_.push_back(tag.value(d_.group_name));
    if (tag.kind == XmlTag::Kind::close && !groups_.empty()) groups_.pop_back();
  }

  void test(const XmlTag& tag) {
    if (tag.kind == XmlTag::Kind::close) {
      if (open_ && depth_-- == 0) close();
      return;
    }
    if (open_) {  // TRX nests the results of a data-driven test
      if (tag.kind == XmlTag::Kind::open) ++depth_;
      return;
    }
    if (tag.value("is-config") == "true") return;
    now_ = {};
    auto name = tag.value(d_.name);
    if (name.empty()) name = tag.value("name");
    for (auto g = groups_.rbegin(); g != groups_.rend(); ++g)
      if (!g->empty()) name = *g + "." + name;
    now_.name = std::move(name);
    skipped_ = tag.value("skipped") == "true";
    word_ = d_.status.empty() ? "" : tag.value(d_.status);
    if (tag.has("executed") && tag.value("executed") != "True" && tag.value("executed") != "true")
      word_ = "skipped";  // NUnit 2
    if (tag.kind == XmlTag::Kind::empty) return close();
    open_ = true;
    depth_ = 0;
  }

  void detail(const XmlTag& tag) {
    if (!d_.inner.empty() && tag.is(d_.inner)) word_ = tag.value(d_.inner_status);
  }

  void close() {
    open_ = false;
    auto status = status_of_word(word_);
    if (skipped_ && status != TestStatus::failed) status = TestStatus::skipped;
    now_.status = status.value_or(TestStatus::error);
    tests.push_back(std::move(now_));
  }

  void failed_elsewhere(const XmlTag& tag) {
    // TRX: an assembly that could not be loaded fails the run without a test.
    if (tag.is("ResultSummary") && one_of(tag.value("outcome"), {"Failed", "Error", "Aborted"}))
      broken = true;
    if (tag.is("assembly") && !tag.value("errors").empty() && tag.value("errors") != "0") broken = true;
  }

  const XmlDialect& d_;
  std::vector<std::string> groups_;
  model::TestCase now_;
  std::string word_;
  bool open_ = false, skipped_ = false;
  std::size_t depth_ = 0;
};

const XmlDialect* dialect_of(std::string_view text) {
  XmlReader xml(text);
  XmlTag root;
  if (!xml.next(root)) return nullptr;
  const auto& all = test_data().xml;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& d) { return root.is(d.root); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::optional<TestStatus> status_of_word(std::string_view word) {
  const auto w = to_lower(word.substr(0, 40));
  if (among<"status_passed">(w)) return TestStatus::passed;
  if (among<"status_failed">(w)) return TestStatus::failed;
  if (among<"status_error">(w)) return TestStatus::error;
  if (among<"status_skipped">(w)) return TestStatus::skipped;
  return std::nullopt;
}

bool read_test_xml(std::string_view text, WholeReport& out) {
  const auto* dialect = dialect_of(text);
  if (dialect == nullptr) return false;
  XmlReader xml(text);
  Cases cases(*dialect);
  for (XmlTag tag; xml.next(tag);) cases.read(tag);
  out.length = xml.position();
  auto& r = out.report;
  r.format = dialect->format;
  r.complete = xml.ended();
  r.counts = counts_of_tests(cases.tests);
  if (cases.broken && *r.counts.failed + *r.counts.errors == 0) {
    r.counts.errors = 1;
    r.counts.total.reset();
  } else if (cases.tests.empty() && r.complete) {
    r.outcome = "no_tests";
  }
  if (!r.complete) r.counts.total.reset();
  r.tests = std::move(cases.tests);
  return true;
}

}  // namespace hydra::parsers
