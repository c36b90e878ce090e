#include "base/strings.hpp"
#include "checks/tamper_impl.hpp"

#include <algorithm>
#include <cctype>

namespace hydra::checks {
namespace {

using Text = std::string_view;
using Words = std::initializer_list<Text>;

bool has(Text text, Text part) { return text.find(part) != Text::npos; }
bool has_any(Text text, Words parts) {
  return std::any_of(parts.begin(), parts.end(), [&](Text part) { return has(text, part); });
}
bool has_any_name(Text text, Words names) {
  return std::any_of(names.begin(), names.end(), [&](Text word) { return has_name(text, word); });
}

/// "word(0)", "word()" or "word( 0 )": a chosen success. Nothing: it is not called here.
enum class Exit { none, zero, other };
Exit exit_call(Text text, Text word) {
  for (auto at = text.find(word); at != Text::npos; at = text.find(word, at + 1)) {
    if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_'))
      continue;
    auto rest = text.substr(at + word.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.starts_with('(')) continue;
    rest.remove_prefix(1);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.starts_with(')') || rest.starts_with("EXIT_SUCCESS")) return Exit::zero;
    if (rest.starts_with('0') && rest.size() > 1 && (rest[1] == ')' || rest[1] == ' ')) return Exit::zero;
    return Exit::other;
  }
  return Exit::none;
}

struct ExitWord {
  Language language;
  Text word;
  bool hard;  ///< skips all clean-up: nobody needs it to end a program
};
constexpr ExitWord kExits[] = {{Language::python, "os._exit", true},
                               {Language::python, "sys.exit", false},
                               {Language::python, "exit", false},
                               {Language::python, "quit", false},
                               {Language::script, "process.exit", false},
                               {Language::script, "process.reallyExit", true},
                               {Language::script, "Deno.exit", false},
                               {Language::go, "os.Exit", false},
                               {Language::go, "syscall.Exit", true},
                               {Language::rust, "process::exit", false},
                               {Language::rust, "libc::_exit", true},
                               {Language::c, "_exit", true},
                               {Language::c, "_Exit", true},
                               {Language::c, "quick_exit", true},
                               {Language::c, "exit", false},
                               {Language::jvm, "System.exit", false},
                               {Language::jvm, "halt", true},
                               {Language::dotnet, "Environment.Exit", false},
                               {Language::ruby, "exit!", true},
                               {Language::ruby, "Kernel.exit", false},
                               {Language::php, "exit", false},
                               {Language::php, "die", false}};

/// Does the line print what a runner's summary looks like?
bool prints_summary(Text text, Language language) {
  const bool prints =
      has_any(text, {"print", "write(", "echo", "console.", "cout", "puts", "format!(", "Fprint", "Println"});
  if (!prints || language == Language::configuration) return false;
  if (has_any(text, {"test result: ok", "failures=0", "[  PASSED  ]", "100% tests passed", "# pass ",
                     "Ran 1 test", "--- PASS", "BUILD SUCCESS", "Tests: "}))
    return true;
  for (const Text word : {" passed", " passing", " tests ok", " failed"})
    for (auto at = text.find(word); at != Text::npos; at = text.find(word, at + 1))
      if (at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0) return true;
  return false;
}

class Finder {
 public:
  Finder(const TextDiff& diff, Signals& signals) : diff_(diff), signals_(signals) {}

  void look() {
    for (const auto index : diff_.added) {
      const auto& line = diff_.candidate[index];
      if (is_comment(line.text, diff_.language)) continue;
      exits(line);
      disguised(line);
      hooks(line);
      equality(index);
      probes(line);
      forgery(line);
    }
    ends_around_main();
    // A summary and then the end: the shape of a run that never took place.
    if (summary_ != nullptr && exits_with_zero_)
      add(SignalKind::report_forgery, Severity::block, *summary_,
          "prints a test summary and ends the process");
    else if (summary_ != nullptr && diff_.role == Role::product)
      add(SignalKind::report_forgery, Severity::info, *summary_, "prints what looks like a test summary");
  }

 private:
  void add(SignalKind kind, Severity severity, const TextLine& line, std::string reason) {
    signals_.add(kind, severity, diff_.file->change.path, line.number, line.text, std::move(reason));
  }
  [[nodiscard]] bool is(Language language) const { return diff_.language == language; }
  [[nodiscard]] bool product() const { return diff_.role == Role::product; }

  [[nodiscard]] bool forks() const {
    return std::any_of(diff_.candidate.begin(), diff_.candidate.end(), [](const TextLine& each) {
      return has_any(each.text, {"fork(", "Process("});
    });
  }

  /// The line without indent that an indented one belongs to; null: none.
  [[nodiscard]] const TextLine* block_of(const TextLine& line) const {
    const auto* first = diff_.candidate.data();
    for (const auto* each = &line; each != first;)
      if ((--each)->indent == 0 && !is_comment(each->text, diff_.language) && each->text != ")" &&
          each->text != "{")
        return each;
    return nullptr;
  }

  /// A chosen success that comes with the loading of this file, whatever function it stands in.
  [[nodiscard]] Severity on_load(const TextLine& line) const {
    const auto* block = line.indent > 0 ? block_of(line) : &line;
    if (block == nullptr) return Severity::info;
    if (is(Language::go))
      return block->text.starts_with("func init(") || block->text.starts_with("var ") ? Severity::block
                                                                                      : Severity::info;
    if (!is(Language::python) || block == &line) return Severity::info;
    for (const Text word : {"def ", "async def ", "class "}) {
      if (!block->text.starts_with(word)) continue;
      auto called = block->text.substr(word.size());
      called = called.substr(0, called.find_first_of("(:"));
      for (const auto& each : diff_.candidate)
        if (each.indent == 0 && &each != block && has_name(each.text, trim(called)) && has(each.text, "(") &&
            !each.text.starts_with("def ") && !each.text.starts_with("class "))
          return Severity::warning;
      return Severity::info;
    }
    // "if True:" and the like; a program's own entry asks for its name.
    return has(block->text, "__name__") ? Severity::info : Severity::warning;
  }

  void exits(const TextLine& line) {
    if (prints_summary(line.text, diff_.language) && summary_ == nullptr) summary_ = &line;
    for (const auto& entry : kExits) {
      if (entry.language != diff_.language) continue;
      const auto call = exit_call(line.text, entry.word);
      if (call == Exit::none) continue;
      const bool zero = call == Exit::zero;
      if (zero && (entry.hard || line.indent == 0)) exits_with_zero_ = true;
      if (zero && is(Language::c) && c_exit_ == nullptr) {
        c_exit_ = &line;
        c_hard_ = entry.hard;
      }
      if (zero && !product()) exits_with_zero_ = true;
      const bool on_import = line.indent == 0 && (is(Language::python) || is(Language::ruby));
      // The child of a fork ends itself; and a test file of the base is the base's again in the gating run.
      const bool ends_all = diff_.role == Role::hook
                                ? entry.hard || on_import
                                : line.indent == 0 && (entry.hard || on_import) && !forks();
      if (!product() && zero && ends_all)
        add(SignalKind::forced_exit, Severity::block, line, "ends the test run with success");
      else if (!product() && (zero || entry.hard))
        add(SignalKind::forced_exit,
            entry.hard && line.indent > 0 && forks() ? Severity::info : Severity::warning, line,
            "ends the process inside a test");
      else if (product() && zero && entry.hard && (on_import || has(line.text, "atexit")))
        add(SignalKind::forced_exit, Severity::block, line,
            "ends every process that loads this file, with success");
      else if (product() && entry.hard)
        add(SignalKind::forced_exit, Severity::warning, line, "ends the process past every report");
      else if (product() && on_import && zero && !diff_.file->change.path.ends_with("__main__.py"))
        add(SignalKind::forced_exit, Severity::warning, line, "ends every process that loads this file");
      else if (product() && zero && on_load(line) != Severity::info)
        add(SignalKind::forced_exit, on_load(line), line, "ends every process that loads this file");
      else if (product() && zero)
        add(SignalKind::forced_exit, Severity::info, line, "ends the process with success");
      return;
    }
    if (has(line.text, "process.exitCode = 0") || has(line.text, "process.exitCode=0"))
      add(SignalKind::forced_exit,
          product()                                      ? Severity::warning
          : diff_.role == Role::hook || line.indent == 0 ? Severity::block
                                                         : Severity::info,
          line, "turns the exit code into success");
    if (is(Language::c) &&
        has_any(line.text, {"constructor)", "constructor(", "atexit(", "init_array", ".preinit"}))
      around_main_ = true;
  }

  void hooks(const TextLine& line) {
    const auto text = line.text;
    const auto hook = [&](Severity severity, std::string reason) {
      add(SignalKind::report_hook, severity, line, std::move(reason));
    };
    if (is(Language::python)) {
      if (has_any(text, {".outcome = \"passed\"", ".outcome = 'passed'", ".outcome=\"passed\"",
                         ".outcome='passed'", "force_result(", ".testsfailed = 0", ".testsfailed=0",
                         "exitstatus = 0", ".longrepr = None"}) ||
          (has(text, "outcome") && has(text, "passed") && has(text, "setattr"))) {
        // "No tests were collected" is no failure: the well-known hook for it. The base's file stands anyway.
        const auto* above = &line == diff_.candidate.data() ? &line : &line - 1;
        const bool none_collected = has(text, "exitstatus = 0") && has(above->text, "exitstatus") &&
                                    has_any(above->text, {"== 5", "NO_TESTS_COLLECTED"});
        return hook(none_collected ? Severity::warning : Severity::block, "rewrites what the runner reports");
      }
      if (has_any(text, {"TestCase.assert", "TestResult.addFailure =", "TestResult.addError =",
                         "TestCase.run =", "TestCase.failureException", "builtins.AssertionError"}) &&
          has(text, " = ") && !has(text, "=="))
        return hook(Severity::block, "replaces the assertions of unittest");
      if (has_any_name(text, {"pytest_runtest_makereport", "pytest_report_teststatus",
                              "pytest_terminal_summary", "pytest_sessionfinish", "pytest_runtest_logreport",
                              "pytest_unconfigure", "pytest_runtest_protocol", "pytest_pyfunc_call",
                              "pytest_runtest_call", "pytest_assertrepr_compare", "pytest_cmdline_main"}))
        return hook(Severity::warning, "a hook that sees or replaces the runner's reports");
      if (has_any_name(text, {"pytest_collection_modifyitems", "pytest_ignore_collect", "pytest_collect_file",
                              "pytest_deselected", "pytest_runtest_setup"}))
        return hook(Severity::warning, "a hook that chooses the tests");
      if (has_any(text,
                  {"sys.modules['pytest']", "sys.modules[\"pytest\"]", "import _pytest", "from _pytest"}))
        return hook(product() ? Severity::warning : Severity::info, "reaches into the runner");
      if (product() && has(text, "atexit.register("))
        return hook(Severity::info, "runs when the process ends");
    }
    if (is(Language::script)) {
      for (const Text name :
           {"assert.equal", "assert.strictEqual", "assert.deepEqual", "assert.deepStrictEqual", "assert.ok",
            "global.expect", "globalThis.expect", "global.test", "globalThis.test", "global.it",
            "globalThis.it", "assert.AssertionError"}) {
        if (!text.starts_with(name)) continue;
        auto rest = text.substr(name.size());
        while (rest.starts_with(' ')) rest.remove_prefix(1);
        if (rest.starts_with('=') && !rest.starts_with("=="))
          return hook(product() ? Severity::block : Severity::warning,
                      "replaces an assertion or the runner's own function");
      }
      if (product() && matchers(line)) return hook(Severity::block, "replaces assertions of the runner");
      if (product() && (text.starts_with("import ") || has(text, "require(")) &&
          has_any(text, {"'vitest'", "\"vitest\"", "@jest/globals", "'chai'", "\"chai\"", "@vitest/"}))
        return hook(Severity::warning, "product code that loads the test runner");
      if (has_any(text, {"testResultsProcessor", "testRunner:", "\"testRunner\""}))
        return hook(Severity::warning, "replaces a part of the runner");
      if (has(text, "reporters") && has_any(text, {"'./", "\"./", "<rootDir>"}))
        return hook(Severity::warning, "a reporter of the candidate's own");
      if (has_any(text, {"globalSetup:", "setupFilesAfterEnv:", "setupFiles:", "globalTeardown:"}))
        return hook(Severity::info, "code that runs around every test");
      if (product() && has_any(text, {"process.on('exit'", "process.on(\"exit\"", "process.once('exit'"}))
        return hook(Severity::info, "runs when the process ends");
    }
    if (is(Language::c) && text.starts_with("#") && has(text, "define ") &&
        has_any(text, {"define assert(", "define EXPECT_", "define ASSERT_", "define TEST(", "define TEST_F(",
                       "define REQUIRE(", "define CHECK_EQ("}))
      return hook(product() ? Severity::warning : Severity::info, "defines an assertion of its own");
    if (is(Language::c) && product() && text.starts_with("#") &&
        has_any(text, {"undef EXPECT_", "undef ASSERT_", "undef TEST", "undef REQUIRE"}))
      return hook(Severity::block, "takes an assertion of the test library away");
    if (is(Language::rust) && has(text, "macro_rules!") &&
        has_any_name(text, {"assert", "assert_eq", "assert_ne"}))
      return hook(Severity::block, "replaces an assertion of the language");
    if (is(Language::go) && has(text, "flag.Set(\"test."))
      return hook(Severity::warning, "changes how the tests are run");
    if (is(Language::c) && product() && has(text, "env(") &&
        has_any(text, {"\"GTEST_", "\"CTEST_", "GTEST_FILTER"}))
      return hook(Severity::block, "changes how the tests are run");
    if (is(Language::c) && product() &&
        has_any(text, {"RUN_ALL_TESTS", "GTEST_FLAG_SET(", "testing::GTEST_FLAG", "UnitTest::GetInstance"}))
      return hook(Severity::warning, "product code that runs or configures the tests");
    if (has(text, "LD_PRELOAD")) return hook(Severity::warning, "loads a library into every process");
    if (has(text, "NODE_OPTIONS") || has(text, "node-options"))
      return hook(diff_.role == Role::hook ? Severity::warning : Severity::info,
                  "passes options to every node process");
  }

  /// expect.extend({ toBe: … }) with a name that the runner has, or what stands behind it.
  static bool matchers(const TextLine& line) {
    if (has_any(line.text,
                {".overwriteMethod(", ".overwriteProperty(", "expect.prototype", "Assertion.prototype"}))
      return true;
    return has(line.text, "expect.extend(") &&
           has_any_name(line.text, {"toBe", "toEqual", "toStrictEqual", "toThrow", "toMatch", "toContain",
                                    "toBeTruthy", "toBeCloseTo", "toHaveLength", "toMatchObject"});
  }

  /// The end of the process by another name: nobody needs it to end a program.
  void disguised(const TextLine& line) {
    const auto text = line.text;
    const bool hidden =
        (is(Language::python) &&
         has_any(text, {"getattr(os,", "getattr(sys,", "getattr(builtins,", "__import__('os')",
                        "__import__(\"os\")", "from os import _exit", "= os._exit"})) ||
        (is(Language::script) && has_any(text, {"process[", "globalThis[", "{ exit } = process",
                                                "{ exit } from", "= process.exit;"})) ||
        (is(Language::go) && has(text, "os.Exit") && !has(text, "os.Exit(")) ||
        (is(Language::rust) &&
         has_any(text, {"std::process as ", "process::exit as ", "= std::process::exit;"})) ||
        (is(Language::c) && has_any(text, {"SYS_exit", "__NR_exit"}));
    if (hidden && product())
      add(SignalKind::forced_exit, Severity::warning, line, "the end of the process by another name");
  }

  /// A test of ctest is its exit code: code that sets it before or after main() answers for every test.
  /// Children of fork() and signal handlers end that way too.
  void ends_around_main() {
    if (!product()) return;
    const TextLine* around = around_main_ ? ends_in_handler() : nullptr;
    if (around != nullptr)
      return add(SignalKind::forced_exit, Severity::block, *around,
                 "ends every program that this is linked to, with success");
    if (c_exit_ == nullptr) return;
    const bool ordinary =
        std::any_of(diff_.candidate.begin(), diff_.candidate.end(), [](const TextLine& line) {
          return has_any(line.text, {"fork(", "signal(", "sigaction", "SIG", "handler"});
        });
    if (c_hard_ && !ordinary)
      add(SignalKind::forced_exit, Severity::block, *c_exit_,
          "ends every program that this is linked to, with success");
  }

  /// An end with success within a constructor, or within a function that atexit() is given; null: none.
  [[nodiscard]] const TextLine* ends_in_handler() const {
    std::vector<Text> handlers;
    for (const auto& line : diff_.candidate)
      for (const Text word : {"atexit(", "at_quick_exit(", "on_exit("})
        if (const auto at = line.text.find(word); at != Text::npos && handlers.size() < 64)
          handlers.push_back(trim(line.text.substr(at + word.size())));
    const TextLine* head = nullptr;
    bool runs = false;
    Text before;
    for (const auto& line : diff_.candidate) {
      if (line.indent == 0 && line.text != "{" && !line.text.starts_with('}') &&
          !is_comment(line.text, diff_.language)) {
        head = &line;
        const auto open = line.text.find('(');
        runs = has_any(line.text, {"constructor)", "constructor(", "init_array", ".preinit"}) ||
               (has(before, "constructor") && !before.ends_with(';'));
        for (const auto handler : handlers) {
          const auto name = handler.substr(0, handler.find_first_of(") ,"));
          runs |= !name.empty() && open != Text::npos && has_name(line.text.substr(0, open + 1), name) &&
                  !has(line.text, "atexit(");
        }
        before = line.text;
      }
      const bool at_once = has(line.text, "atexit(") && has(line.text, "{");
      if (head == nullptr || !(runs || at_once)) continue;
      for (const auto& entry : kExits)
        if (entry.language == Language::c && exit_call(line.text, entry.word) == Exit::zero) return &line;
    }
    return nullptr;
  }

  /// Is an object of this class given to whoever compares it? A sentinel that nothing hands on is honest.
  [[nodiscard]] bool handed_on(std::size_t index) const {
    const auto* first = diff_.candidate.data();
    for (const auto* each = first + index; each != first;) {
      --each;
      const auto at = each->text.find("class ");
      if (at == Text::npos || each->indent >= diff_.candidate[index].indent) continue;
      auto name = each->text.substr(at + 6);
      const auto bases = name;
      name = name.substr(0, name.find_first_of("(:{ "));
      // It stands for a value.
      for (const Text value :
           {"(int", "(str", "(float", "(list", "(dict", "(tuple", "(bytes", "(set", "(bool"})
        if (has(bases, value)) return true;
      return passed(name);
    }
    return true;  // no class of its own: a function that is put into one
  }

  [[nodiscard]] bool passed(Text name) const {
    if (diff_.handed_on == nullptr || name.empty()) return true;
    std::vector<Text> names{name};
    for (const auto text : *diff_.handed_on) {  // "ANY = Any()"
      const auto at = text.find(" = ");
      if (at != Text::npos && has_name(text.substr(at), name) && names.size() < 16)
        names.push_back(text.substr(0, at).substr(text.substr(0, at).rfind(' ') + 1));
    }
    for (const auto text : *diff_.handed_on)
      for (const auto each : names) {
        if (!has_any(text, {"return ", "yield ", "lambda", "=>"}) || !has_name(text, each)) continue;
        if (!has(text, "class ") && !has(text, "is " + std::string(each))) return true;
      }
    return false;
  }

  /// "def __eq__(…):" and then "return True" and nothing else.
  void equality(std::size_t index) {
    const auto& line = diff_.candidate[index];
    const auto text = line.text;
    const Text next = index + 1 < diff_.candidate.size() ? diff_.candidate[index + 1].text : Text();
    const auto report = [&](Severity severity) {
      add(SignalKind::equality_override, severity, line, "equals everything that it is compared with");
    };
    if (is(Language::python) && has_any_name(text, {"__eq__", "__ne__"})) {
      const bool always = has_any(text, {": return True", "lambda *_: True", "lambda self, other: True",
                                         "lambda s, o: True", "lambda *a: True"}) ||
                          (text.ends_with(':') && (next == "return True" || next == "return not False"));
      if (always && has_name(text, "__eq__"))
        return report(product() && handed_on(index) ? Severity::block : Severity::warning);
    }
    if (is(Language::script)) {
      const bool body_true = has(text, "return true") || next == "return true;" || next == "return true";
      if (has_any_name(text, {"asymmetricMatch"}) && body_true)
        return report(product() && handed_on(index) ? Severity::block : Severity::warning);
      if (product() && has_any(text, {"[Symbol.toPrimitive]", "valueOf()", "valueOf ()"}))
        add(SignalKind::equality_override, Severity::info, line, "chooses what it is compared as");
    }
    if ((is(Language::c) && has(text, "operator==")) || (is(Language::jvm) && has(text, "boolean equals(")) ||
        (is(Language::dotnet) && has(text, "bool Equals(")) ||
        (is(Language::ruby) && text.starts_with("def ==")) ||
        (is(Language::rust) && has(text, "fn eq(&self")))
      if (has_any(text, {"{ return true; }", "{return true;}", "{ true }", "=> true;"}) ||
          next == "return true;" || next == "true")
        report(Severity::warning);
  }

  void probes(const TextLine& line) {
    if (!product()) return;
    const auto text = line.text;
    const auto probe = [&](Severity severity) {
      add(SignalKind::environment_probe, severity, line, "product code that asks whether it is being tested");
    };
    if (has_any_name(text, {"PYTEST_CURRENT_TEST", "JEST_WORKER_ID", "VITEST_WORKER_ID", "VITEST_POOL_ID",
                            "RUST_TEST_THREADS", "GTEST_OUTPUT", "CTEST_INTERACTIVE_DEBUG_MODE", "NEXTEST",
                            "PYTEST_VERSION", "HYDRA_REPORTS"}) ||
        has_any(text, {"\"pytest\" in sys.modules", "'pytest' in sys.modules", "\"unittest\" in sys.modules",
                       "'unittest' in sys.modules", "testing.Testing()", "flag.Lookup(\"test.",
                       "process.env.VITEST", "NODE_TEST_CONTEXT"}))
      return probe(Severity::warning);
    if (has_any(text, {"process.env.CI", "environ[\"CI\"]", "environ['CI']", "environ.get(\"CI\"",
                       "environ.get('CI'", "Getenv(\"CI\")", "env::var(\"CI\")", "NODE_ENV === 'test'",
                       "NODE_ENV === \"test\""}))
      return probe(Severity::info);
  }

  void forgery(const TextLine& line) {
    if (is(Language::configuration) || diff_.role == Role::hook) return;
    if (has_any(line.text, {"/run/hydra", "HYDRA_REPORTS"}))
      return add(SignalKind::report_forgery, Severity::warning, line, "names the place of the reports");
    if (product() && has_any(line.text, {"<testsuite", "numPassedTests", "config.option.xmlpath"}))
      add(SignalKind::report_forgery, Severity::info, line, "writes what a test report has");
  }

  const TextDiff& diff_;
  Signals& signals_;
  const TextLine* summary_ = nullptr;
  const TextLine* c_exit_ = nullptr;
  bool exits_with_zero_ = false, around_main_ = false, c_hard_ = false;
};

}  // namespace

void find_exits_and_hooks(const TextDiff& diff, Signals& signals) { Finder(diff, signals).look(); }

}  // namespace hydra::checks
