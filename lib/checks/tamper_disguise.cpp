// Product code that ends a test run, reaches into the runner or reads the tests by ways that need no exit().
#include "base/strings.hpp"
#include "checks/tamper_impl.hpp"

#include <algorithm>
#include <vector>

namespace hydra::checks {
namespace {

bool is_quote(char c) { return c == '\'' || c == '"'; }

/// The line with literals that are added to each other as one: 'uni' + 'ttest' becomes 'unittest'.
std::string joined_literals(Text text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_quote(text[i])) {
      auto next = text.find_first_not_of(" \t", i + 1);
      if (next != Text::npos && text[next] == '+') {
        next = text.find_first_not_of(" \t", next + 1);
        if (next != Text::npos && is_quote(text[next])) {
          i = next;
          continue;
        }
      }
    }
    out += text[i];
  }
  return out;
}

class DisguiseFinder {
 public:
  DisguiseFinder(const TextDiff& diff, Signals& signals) : diff_(diff), signals_(signals), anywhere_(diff) {}

  void look() {
    if (diff_.role != Role::product) return;
    if (is(Language::script)) bind_runners();
    for (const auto index : diff_.added) {
      const auto& line = diff_.candidate[index];
      if (line.comment) continue;
      pieces(line);
      if (is(Language::c)) c(line);
      if (is(Language::python)) python(line);
      if (is(Language::go)) go(line);
      if (is(Language::script)) script(line);
    }
  }

 private:
  [[nodiscard]] bool is(Language language) const { return diff_.language == language; }
  void add(SignalKind kind, Severity severity, const TextLine& line, std::string reason) {
    signals_.add(kind, severity, diff_.file->change.path, line.number, line.text, std::move(reason));
  }
  [[nodiscard]] Text head(const TextLine& line) const {
    const auto* above = head_of(diff_, line);
    return above == nullptr ? Text() : above->text;
  }

  /// Nobody writes these names in pieces but to hide them.
  void pieces(const TextLine& line) {
    if (!is(Language::python) && !is(Language::script)) return;
    if (!has(line.text, "+")) return;
    const auto joined = joined_literals(line.text);
    if (joined.size() == line.text.size()) return;
    for (const Text word :
         {"__eq__", "__ne__", "_exit", "pytest", "_pytest", "unittest", "TestCase", "assertEqual", "outcome",
          "node:test", "vitest", "strictEqual", "deepStrictEqual", "exitCode", "asymmetricMatch", "os._exit"})
      if (has_name(joined, word) && !has_name(line.text, word))
        return add(SignalKind::report_hook, Severity::block, line,
                   "puts a name of the runner, or of comparing, together out of pieces");
  }

  void c(const TextLine& line) {
    const auto text = line.text;
    const bool declares = text.ends_with(';') && !has(text, "{");
    if ((has(text, "__assert_fail(") || has(text, "__assert_rtn(")) && !declares)
      return add(SignalKind::report_hook, Severity::block, line, "replaces what assert() calls");
    if (text.starts_with("#") && has(text, "define ") && has_any_name(text, {"main", "__assert_fail"}) &&
        !has(text, "SDL")) {
      auto defined = trim(text.substr(text.find("define ") + 7));
      defined = defined.substr(0, defined.find_first_of(" \t("));
      if (defined == "main" || defined == "__assert_fail")
        return add(SignalKind::report_hook, Severity::block, line, "renames the entry of every program");
    }
    if (has(text, "syscall(") && has_any(text, {"SYS_exit", "__NR_exit", "SYS_execve", "__NR_execve"}))
      return add(SignalKind::forced_exit, Severity::block, line, "ends the process past every report");
    if (!has_any_name(text,
                      {"execl", "execlp", "execle", "execv", "execvp", "execve", "execvpe", "fexecve"}) ||
        !has(text, "(") || text.starts_with('#'))
      return;
    const bool child = anywhere_({"fork(", "clone("});
    const auto above = has_any(text, {"constructor"}) ? text : head(line);
    const bool nothing = has_any(text, {"/true\"", "\"true\""});
    add(SignalKind::forced_exit,
        has(above, "constructor") || (nothing && !child) ? Severity::block
        : child                                          ? Severity::info
                                                         : Severity::warning,
        line, "puts another program in the place of the process");
  }

  void python(const TextLine& line) {
    const auto text = line.text;
    if (has(text, "os.exec") || has_any_name(text, {"execv", "execve", "execvp", "execl", "execlp"})) {
      const auto above = line.indent == 0 ? Text() : head(line);
      const bool called = above.starts_with("def ") || above.starts_with("async def ") ||
                          above.starts_with("class ") || has(above, "__name__");
      if (has(text, "("))
        add(SignalKind::forced_exit,
            line.indent == 0 && !text.starts_with("import ") && !text.starts_with("from ") ? Severity::block
            : called                                                                       ? Severity::info
                     : Severity::warning,
            line, "puts another program in the place of the process");
    }
    if (has_any(text, {"gc.get_objects", "gc.get_referrers"}))
      add(SignalKind::report_hook, Severity::warning, line, "looks through all objects, the runner's too");
    if (has(text, "setattr(") &&
        has_any_name(text, {"unittest", "TestCase", "pytest", "_pytest", "TestResult"}))
      add(SignalKind::report_hook, Severity::block, line, "replaces a part of the runner");
    if (has_name(text, "ANY") && anywhere_({"unittest.mock", "import mock", "from mock"}))
      add(SignalKind::equality_override,
          has(text, "return") || has(text, "lambda") ? Severity::block : Severity::warning, line,
          "equals everything that it is compared with");
  }

  void go(const TextLine& line) {
    const auto text = line.text;
    const auto above = head(line);
    const bool on_load = above.starts_with("func init(") || above.starts_with("var ");
    if (has(text, "syscall.Exec(") || has(text, "unix.Exec("))
      add(SignalKind::forced_exit, on_load ? Severity::block : Severity::warning, line,
          "puts another program in the place of the process");
    if (has_any(text, {"RawSyscall", "syscall.Syscall"}) &&
        has_any(text, {"SYS_EXIT", "SYS_EXECVE", "SYS_KILL"}))
      add(SignalKind::forced_exit, Severity::block, line, "ends the process past every report");
  }

  static bool names_runner(Text text) {
    return has_any(
        text, {"'assert'", "\"assert\"", "'node:assert", "\"node:assert", "'assert/strict'", "'node:test'",
               "\"node:test\"", "'vitest'", "\"vitest\"", "@jest/globals", "'chai'", "\"chai\""});
  }

  /// Names under which this file has a module of the runner.
  void bind_runners() {
    for (const auto& line : diff_.candidate) {
      if (!names_runner(line.text)) continue;
      Text bound;
      if (const auto at = line.text.find("= require("); at != Text::npos) {
        bound = trim(line.text.substr(0, at));
        bound = bound.substr(bound.rfind(' ') + 1);
      } else if (line.text.starts_with("import ")) {
        const auto from = line.text.find(" from ");
        if (from == Text::npos || from < 7) continue;
        bound = trim(line.text.substr(7, from - 7));
        if (bound.starts_with("* as ")) bound = trim(bound.substr(5));
        bound = bound.substr(0, bound.find_first_of(", "));
      }
      if (!bound.empty() && bound.find_first_of("{}[]()") == Text::npos && runners_.size() < 32)
        runners_.push_back(bound);
    }
  }

  void script(const TextLine& line) {
    const auto text = line.text;
    bool reaches = names_runner(text);
    bool member = false;
    for (const auto name : runners_) {
      if (!has_name(text, name)) continue;
      for (auto at = text.find(name); at != Text::npos; at = text.find(name, at + 1)) {
        const auto rest = text.substr(at + name.size());
        const auto before = trim(text.substr(0, at));
        const bool argument = before.ends_with('(') || before.ends_with(',');
        reaches |= argument;
        if (rest.starts_with('[')) member = true;
      }
    }
    const bool sets =
        has_any(text, {"Object.assign(", "Object.defineProperty(", "Object.defineProperties(",
                       "Object.setPrototypeOf(", "Reflect.set(", "Reflect.defineProperty(", "new Proxy("});
    if ((sets && reaches) || (member && has(text, "=")))
      add(SignalKind::report_hook, Severity::block, line,
          "replaces an assertion or the runner's own function");
  }

  const TextDiff& diff_;
  Signals& signals_;
  Anywhere anywhere_;
  std::vector<Text> runners_;
};

}  // namespace

void find_disguises(const TextDiff& diff, Signals& signals) { DisguiseFinder(diff, signals).look(); }

}  // namespace hydra::checks
