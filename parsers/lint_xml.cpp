// Reports in XML: checkstyle's format (of many tools), cppcheck, PMD and PHPMD, SpotBugs, Android lint,
// ReSharper, and JUnit as linters use it. A tag scanner: no entities but the five of the standard, no
// expansion, no tree.
#include "parsers/lint_json.hpp"
#include "parsers/lint_pattern.hpp"
#include "parsers/scan.hpp"
#include "parsers/xml.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace hydra::parsers {
namespace {

constexpr std::size_t kMaxAttributes = 64;
constexpr std::size_t kMaxValue = 2000;  ///< bytes of an attribute that are decoded

struct Tag {
  std::string_view name;
  bool closing = false, empty = false;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  std::string_view text;  ///< what follows up to the next tag; the content of CDATA sections
  std::string_view raw(std::string_view key) const {
    for (const auto& [k, v] : attributes)
      if (k == key) return v;
    return {};
  }
};

std::string decoded(std::string_view s) { return xml_text(s.substr(0, kMaxValue)); }

/// Reads tag by tag; false at the end or where the text is no XML any more.
class Tags {
 public:
  explicit Tags(std::string_view text) : text_(text) {}
  std::size_t used() const { return at_; }

  bool next(Tag& tag) {
    tag = {};
    while (true) {
      const auto open = text_.find('<', at_);
      if (open == std::string_view::npos) return false;
      at_ = open;
      if (starts("<!--")) {
        if (!skip_to("-->")) return false;
      } else if (starts("<![CDATA[")) {
        if (!skip_to("]]>")) return false;
      } else if (starts("<?")) {
        if (!skip_to("?>")) return false;
      } else if (starts("<!")) {
        if (!skip_declaration()) return false;
      } else {
        break;
      }
    }
    ++at_;
    if (at_ < text_.size() && text_[at_] == '/') {
      tag.closing = true;
      ++at_;
    }
    tag.name = word();
    if (tag.name.empty()) return false;
    if (!attributes(tag)) return false;
    content(tag);
    return true;
  }

 private:
  bool starts(std::string_view s) const { return text_.substr(at_, s.size()) == s; }
  bool skip_to(std::string_view end) {
    const auto found = text_.find(end, at_);
    if (found == std::string_view::npos) return false;
    at_ = found + end.size();
    return true;
  }
  /// A DOCTYPE with its internal subset: read over, never used.
  bool skip_declaration() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']') --depth;
      if (text_[at_] == '>' && depth <= 0) {
        ++at_;
        return true;
      }
    }
    return false;
  }
  std::string_view word() {
    const auto begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n/>=<\"'").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool attributes(Tag& tag) {
    while (true) {
      blanks();
      if (at_ >= text_.size()) return false;
      if (text_[at_] == '>') {
        ++at_;
        return true;
      }
      if (text_[at_] == '/') {
        tag.empty = true;
        ++at_;
        continue;
      }
      const auto name = word();
      if (name.empty()) return false;
      blanks();
      if (at_ >= text_.size() || text_[at_] != '=') continue;
      ++at_;
      blanks();
      if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return false;
      const char quote = text_[at_++];
      const auto end = text_.find(quote, at_);
      if (end == std::string_view::npos) return false;
      if (tag.attributes.size() < kMaxAttributes)
        tag.attributes.emplace_back(name, text_.substr(at_, end - at_));
      at_ = end + 1;
    }
  }
  void content(Tag& tag) {
    auto rest = text_.substr(at_);
    const auto first = rest.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && rest.substr(first).starts_with("<![CDATA[")) {
      rest.remove_prefix(first + 9);
      tag.text = rest.substr(0, std::min(rest.find("]]>"), kMaxValue));
      return;
    }
    tag.text = rest.substr(0, std::min(rest.find('<'), kMaxValue));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::int64_t number(std::string_view s) { return eat_number(s).value_or(0); }

std::string_view trimmed(std::string_view s) {
  const auto first = s.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\r\n") - first + 1);
}

class XmlFindings {
 public:
  XmlFindings(std::string_view root, std::size_t line, LintReading& out)
      : root_(root), line_(line), out_(out) {}

  void read(const Tag& tag) {
    if (tag.closing) return;
    if (tag.name == "file" && pending_) {  // of a duplication; its first place stands for it
      if (file_.empty()) {
        file_ = decoded(tag.raw("path"));
        hit_.line = number(tag.raw("line"));
      }
    } else if (tag.name == "file") {
      file_ = decoded(tag.raw("name"));
      if (file_.empty()) file_ = decoded(tag.raw("path"));
    } else if (root_ == "checkstyle" && tag.name == "error") {
      add("checkstyle", tag, tag.raw("severity"), "source", "message", "line", "column");
    } else if (root_ == "results" && tag.name == "error") {
      cppcheck(tag);
    } else if (root_ == "results" && tag.name == "location") {
      location(tag);
    } else if ((root_ == "pmd" || root_ == "pmd-cpd") && tag.name == "violation") {
      pmd(tag);
    } else if (root_ == "pmd-cpd" && tag.name == "duplication") {
      flush();
      pending_ = true;
      hit_ = {};
      rule_ = "duplication";
      message_ = decoded(tag.raw("lines"));
    } else if (root_ == "phpcs" && (tag.name == "error" || tag.name == "warning")) {
      phpcs(tag);
    } else if (tag.name == "BugInstance") {
      flush();
      pending_ = true;
      hit_ = {};
      rule_ = decoded(tag.raw("type"));
      hit_.severity = tag.raw("priority") == "1" ? Severity::error : Severity::warning;
    } else if (tag.name == "SourceLine" && pending_) {
      file_ = decoded(tag.raw("sourcepath"));
      hit_.line = number(tag.raw("start"));
    } else if (tag.name == "LongMessage" && pending_) {
      message_ = decoded(tag.text);
    } else if (root_ == "issues" && tag.name == "issue") {
      flush();
      pending_ = true;
      hit_ = {};
      rule_ = decoded(tag.raw("id"));
      message_ = decoded(tag.raw("message"));
      hit_.severity = severity_named(tag.raw("severity")).value_or(Severity::warning);
    } else if (root_ == "issues" && tag.name == "location") {
      location(tag);
    } else if (root_ == "jslint" && tag.name == "issue") {
      add("jshint", tag, "", "", "reason", "line", "char");
    } else if (root_ == "Report" && tag.name == "Issue") {
      file_ = decoded(tag.raw("File"));
      add("resharper", tag, "warning", "TypeId", "Message", "Line", "");
    } else if (tag.name == "testsuite") {
      suite_ = decoded(tag.raw("name"));
    } else if (tag.name == "testcase") {
      name_ = decoded(tag.raw("name"));
      class_ = decoded(tag.raw("classname"));
      file_ = decoded(tag.raw("file"));
      case_line_ = number(tag.raw("line"));
      case_column_ = number(tag.raw("column"));
    } else if (junit() && (tag.name == "failure" || tag.name == "error")) {
      junit_failure(tag);
    }
  }
  void flush() {
    if (pending_) {
      hit_.tool = root_ == "results"   ? "cppcheck"
                  : root_ == "issues"  ? "android-lint"
                  : root_ == "pmd-cpd" ? "pmd-cpd"
                                       : "spotbugs";
      put();
    }
    pending_ = false;
    file_.clear();
    message_.clear();
  }

 private:
  bool junit() const { return root_ == "testsuites" || root_ == "testsuite"; }
  void put() {
    hit_.file = file_;
    hit_.rule = rule_;
    hit_.message = message_;
    hit_.certainty = 3;
    out_.add(hit_, line_);
  }
  void add(std::string_view tool, const Tag& tag, std::string_view severity, std::string_view rule,
           std::string_view message, std::string_view line, std::string_view column, bool text = false) {
    hit_ = {};
    hit_.tool = tool;
    hit_.severity = severity_named(severity).value_or(Severity::error);
    if (hit_.severity == Severity::note) hit_.severity = Severity::warning;
    hit_.line = number(tag.raw(line));
    hit_.column = number(tag.raw(column));
    rule_ = decoded(tag.raw(rule));
    message_ = text ? decoded(trimmed(tag.text)) : decoded(tag.raw(message));
    if (severity != "ignore") put();
  }
  void cppcheck(const Tag& tag) {
    flush();
    rule_ = decoded(tag.raw("id"));
    message_ = decoded(tag.raw("msg"));
    hit_ = {};
    hit_.severity = severity_named(tag.raw("severity")).value_or(Severity::error);
    // What it says of its own run.
    pending_ = tag.raw("severity") != "information" && tag.raw("severity") != "none";
  }
  void location(const Tag& tag) {
    if (!pending_ || !file_.empty()) return;
    file_ = decoded(tag.raw("file"));
    hit_.line = number(tag.raw("line"));
    hit_.column = number(tag.raw("column"));
  }
  void pmd(const Tag& tag) {
    hit_ = {};
    hit_.tool = "pmd";
    hit_.line = number(tag.raw("beginline"));
    hit_.column = number(tag.raw("begincolumn"));
    rule_ = decoded(tag.raw("rule"));
    message_ = decoded(trimmed(tag.text));
    put();
  }
  void phpcs(const Tag& tag) { add("phpcs", tag, tag.name, "source", "", "line", "column", true); }
  /// Linters write "line 2, col 5, Error - message (rule)" or "a.go:1:2: message" into a failed test.
  void junit_failure(const Tag& tag) {
    hit_ = {};
    hit_.tool = "junit";
    message_ = decoded(tag.raw("message"));
    const auto body = decoded(trimmed(tag.text));
    if (message_.empty()) message_ = body;
    rule_ = name_;
    // Of "a.js" eslint and ruff make the class "a".
    file_ = !suite_.empty() && suite_.starts_with(class_) ? suite_ : class_;
    hit_.line = case_line_;
    hit_.column = case_column_;
    for (const std::string_view text : {std::string_view(body), std::string_view(message_)}) {
      Fields f;
      if (match_pattern("line %l, col %c, %s - %m", text.substr(0, text.find('\n')), f) ||
          match_pattern("%f:%l:%c: %m", text.substr(0, text.find('\n')), f)) {
        hit_.line = f.line;
        hit_.column = f.column;
        hit_.severity = f.severity.value_or(Severity::error);
        break;
      }
    }
    if (const auto s = severity_named(tag.raw("type")); s == Severity::warning) hit_.severity = *s;
    put();
  }

  std::string_view root_;
  std::size_t line_;
  LintReading& out_;
  Hit hit_;
  bool pending_ = false;
  std::string file_, rule_, message_, name_, class_, suite_;
  std::int64_t case_line_ = 0, case_column_ = 0;
};

}  // namespace

std::size_t read_xml_report(std::string_view text, std::size_t line, LintReading& out) {
  Tags tags(text);
  Tag tag;
  if (!tags.next(tag) || tag.closing) return 0;
  const auto root = tag.name;
  if (!one_of(root, {"checkstyle", "results", "pmd", "pmd-cpd", "BugCollection", "issues", "jslint", "Report",
                     "phpcs", "testsuites", "testsuite"}))
    return 0;
  XmlFindings report(root, line, out);
  report.read(tag);
  int depth = tag.empty ? 0 : 1;
  while (depth > 0 && tags.next(tag)) {
    depth += tag.closing ? -1 : tag.empty ? 0 : 1;
    report.read(tag);
  }
  report.flush();
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kNames{
      {{"results", "cppcheck"},
       {"BugCollection", "spotbugs"},
       {"issues", "android-lint"},
       {"jslint", "jshint"},
       {"Report", "resharper"}}};
  std::string_view tool = root.starts_with("testsuite") ? "junit" : root;
  for (const auto& [name, known] : kNames)
    if (root == name) tool = known;
  if (depth == 0) {
    out.clean(tool, line);
    return tags.used();
  }
  out.cut("an XML report is cut");
  return text.size();
}

}  // namespace hydra::parsers
