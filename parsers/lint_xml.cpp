// XML reports of linters: checkstyle's format, and JUnit as linters use it.
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

constexpr std::size_t kMaxValue = 2000;  ///< maximum bytes of a decoded text

/// Returns the text between a tag and the next tag, or the content of a CDATA section.
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
      : junit_(root.starts_with("testsuite")), line_(line), out_(out) {}

  void read(const XmlTag& tag, std::string_view behind) {
    if (!tag.begins()) return;
    if (junit_) return junit(tag, behind);
    if (tag.is("file"))
      file_ = tag.value("name");
    else if (tag.is("error"))
      error(tag);
  }

 private:
  void error(const XmlTag& tag) {
    const auto word = tag.value("severity");
    if (one_of(word, {"ignore", "none"})) return;
    hit_ = {};
    hit_.severity = severity_named(word).value_or(Severity::error);
    if (hit_.severity == Severity::note) hit_.severity = Severity::warning;
    hit_.line = leading_number(tag.value("line"));
    hit_.column = leading_number(tag.value("column"));
    rule_ = tag.value("source");
    message_ = tag.value("message");
    put("checkstyle");
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
      // For a file "a.js" eslint and ruff write the class "a".
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

  bool junit_;
  std::size_t line_;
  LintReading& out_;
  Hit hit_, test_;
  std::string file_, rule_, message_, class_, suite_;
};

}  // namespace

std::size_t read_xml_report(std::string_view text, std::size_t line, LintReading& out) {
  XmlReader xml(text);
  XmlTag tag;
  if (!xml.next(tag) || !tag.begins()) return 0;
  XmlFindings report(tag.name, line, out);
  if (!tag.is("checkstyle") && !tag.name.starts_with("testsuite")) return 0;
  const std::string_view tool = tag.is("checkstyle") ? "checkstyle" : "junit";
  do {
    report.read(tag, text.substr(xml.position()));
  } while (xml.next(tag));
  if (xml.ended()) {
    out.clean(tool, line);
    return xml.position();
  }
  out.cut("an XML report is cut");
  return text.size();
}

}  // namespace hydra::parsers
