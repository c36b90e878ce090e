// Linters' reports in XML: the elements that xml.toml describes (checkstyle's format of many tools, cppcheck,
// PMD), and JUnit as linters use it.
#include "parsers/formats.hpp"
#include "parsers/lint_json.hpp"
#include "parsers/pattern.hpp"
#include "parsers/scan.hpp"
#include "parsers/xml.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace hydra::parsers {
namespace {

constexpr std::size_t kMaxValue = 2000;  ///< bytes of a text that are decoded

/// What follows a tag up to the next one, or the content of a CDATA section.
std::string text_behind(std::string_view rest) {
  constexpr std::string_view kBlanks = " \t\r\n", kData = "<![CDATA[";
  const auto first = std::min(rest.find_first_not_of(kBlanks), rest.size());
  const bool data = rest.substr(first).starts_with(kData);
  if (data) rest.remove_prefix(first + kData.size());
  rest = rest.substr(0, std::min(rest.find(data ? "]]>" : "<"), kMaxValue));
  const auto begin = std::min(rest.find_first_not_of(kBlanks), rest.size());
  rest.remove_prefix(begin);
  return xml_text(rest.substr(0, rest.find_last_not_of(kBlanks) + 1));
}

class XmlFindings {
 public:
  XmlFindings(std::string_view root, std::size_t line, LintReading& out)
      : root_(root), junit_(root.starts_with("testsuite")), line_(line), out_(out) {}

  void read(const XmlTag& tag, std::string_view behind) {
    if (!tag.begins()) return;
    if (junit_) return junit(tag, behind);
    if (row_ != nullptr && tag.is(row_->place)) return place(tag);
    if (tag.is("file")) {
      within_ = tag.value("name");
      if (within_.empty()) within_ = tag.value("path");
    } else if (const auto* row = finding_of(tag.name)) {
      begin(*row, tag, behind);
    }
  }
  void flush() {
    if (row_ != nullptr) put(row_->tool);
    row_ = nullptr;
  }
  std::string_view tool() const {
    if (junit_) return "junit";
    for (const auto& row : lint_data().xml_findings)
      if (row.root == root_) return row.tool;
    return {};
  }

 private:
  const XmlFinding* finding_of(std::string_view element) const {
    for (const auto& row : lint_data().xml_findings)
      if (row.root == root_ && row.element == element) return &row;
    return nullptr;
  }

  void begin(const XmlFinding& row, const XmlTag& tag, std::string_view behind) {
    flush();
    const auto word = row.severity.empty() ? std::string() : tag.value(row.severity);
    if (one_of(word, {"ignore", "information", "none"})) return;
    hit_ = {};
    hit_.severity = severity_named(word).value_or(row.otherwise);
    if (hit_.severity == Severity::note) hit_.severity = Severity::warning;
    hit_.line = leading_number(tag.value(row.line));
    hit_.column = leading_number(tag.value(row.column));
    rule_ = tag.value(row.rule);
    message_ = row.message.empty() ? text_behind(behind) : tag.value(row.message);
    file_ = !row.file.empty() ? tag.value(row.file) : row.place.empty() ? within_ : std::string();
    row_ = &row;
    if (row.place.empty()) flush();
  }
  void place(const XmlTag& tag) {
    if (!file_.empty()) return;  // the finding's own place comes first
    file_ = tag.value(row_->place_file);
    hit_.line = leading_number(tag.value(row_->place_line));
    hit_.column = leading_number(tag.value("column"));
  }
  void put(std::string_view tool) {
    hit_.tool = tool;
    hit_.file = file_;
    hit_.rule = rule_;
    hit_.message = message_;
    hit_.certainty = 3;
    out_.add(hit_, line_);
  }

  /// Linters write "line 2, col 5, Error - message (rule)" or "a.go:1:2: message" into a failed test.
  void junit(const XmlTag& tag, std::string_view behind) {
    if (tag.is("testsuite")) {
      suite_ = tag.value("name");
    } else if (tag.is("testcase")) {
      rule_ = tag.value("name");
      class_ = tag.value("classname");
      test_ = {};
      test_.line = leading_number(tag.value("line"));
      test_.column = leading_number(tag.value("column"));
    } else if (tag.is("failure") || tag.is("error")) {
      hit_ = test_;
      message_ = tag.value("message");
      const auto body = text_behind(behind);
      if (message_.empty()) message_ = body;
      // Of "a.js" eslint and ruff make the class "a".
      file_ = !suite_.empty() && suite_.starts_with(class_) ? suite_ : class_;
      for (const std::string_view text : {std::string_view(body), std::string_view(message_)}) {
        const auto line = text.substr(0, text.find('\n'));
        Fields f;
        if (!match(lint_line<"line {line}, col {column}, {severity} - {message}">(), line, f) &&
            !match(lint_line<"{file}:{line}:{column}: {message}">(), line, f))
          continue;
        hit_.line = f.line;
        hit_.column = f.column;
        hit_.severity = f.severity.value_or(Severity::error);
        break;
      }
      if (severity_named(tag.value("type")) == Severity::warning) hit_.severity = Severity::warning;
      put("junit");
    }
  }

  std::string_view root_;
  bool junit_;
  std::size_t line_;
  LintReading& out_;
  Hit hit_, test_;
  const XmlFinding* row_ = nullptr;  ///< of the finding that may still get its place
  std::string within_, file_, rule_, message_, class_, suite_;
};

}  // namespace

std::size_t read_xml_report(std::string_view text, std::size_t line, LintReading& out) {
  XmlReader xml(text);
  XmlTag tag;
  if (!xml.next(tag) || !tag.begins()) return 0;
  XmlFindings report(tag.name, line, out);
  const auto tool = report.tool();
  if (tool.empty()) return 0;
  do {
    report.read(tag, text.substr(xml.position()));
  } while (xml.next(tag));
  report.flush();
  if (xml.ended()) {
    out.clean(tool, line);
    return xml.position();
  }
  out.cut("an XML report is cut");
  return text.size();
}

}  // namespace hydra::parsers
