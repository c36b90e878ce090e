// Ends of the process with a chosen code: in a test, in a hook, on import, around main(); and the printed
// summary of a run that never took place.
#include "base/strings.hpp"
#include "checks/tamper_impl.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace hydra::checks {
namespace {

/// A plain name behind this is a method or a definition of its own: "context.exit()", "def exit(self)".
bool of_another(Text before) {
  for (const Text place : {"builtins.", "builtins__.", "getRuntime().", "Runtime."})
    if (before.ends_with(place)) return false;
  for (const Text sign : {".", "->", "def", "function", "void"})
    if (before.ends_with(sign)) return true;
  return false;
}

/// "word(0)", "word()" or "word( 0 )": a chosen success. Nothing: it is not called here.
enum class Exit { none, zero, other };
Exit exit_call(Text text, Text word) {
  for (auto at = text.find(word); at != Text::npos; at = text.find(word, at + 1)) {
    if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_'))
      continue;
    if (word.find_first_of(".:") == Text::npos && of_another(trim(text.substr(0, at)))) continue;
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

class ExitFinder {
 public:
  ExitFinder(const TextDiff& diff, Signals& signals) : diff_(diff), signals_(signals), anywhere_(diff) {}

  void look() {
    for (const auto index : diff_.added) {
      const auto& line = diff_.candidate[index];
      if (line.comment) continue;
      exits(line);
      disguised(line);
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

  [[nodiscard]] bool forks() { return anywhere_({"fork(", "Process("}); }

  /// Is a function of this name called where the file is loaded?
  [[nodiscard]] bool called_on_load(Text name) {
    if (!has_called_) {
      has_called_ = true;
      for (const auto& line : diff_.candidate) {
        const bool defines = line.text.starts_with("def ") || line.text.starts_with("async def ") ||
                             line.text.starts_with("class ");
        if (line.indent == 0 && !defines && has(line.text, "(")) collect_names(line.text, called_);
      }
    }
    return called_.contains(name);
  }
  static void collect_names(Text text, std::unordered_set<Text>& out) {
    const auto part_of_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t i = 0; i < text.size();) {
      auto end = i;
      while (end < text.size() && part_of_name(text[end])) ++end;
      if (end > i) out.insert(text.substr(i, end - i));
      i = end + 1;
    }
  }

  /// A chosen success that comes with the loading of this file, whatever function it stands in.
  [[nodiscard]] Severity on_load(const TextLine& line) {
    const auto* block = line.indent > 0 ? head_of(diff_, line) : &line;
    if (block == nullptr) return Severity::info;
    if (is(Language::go))
      return block->text.starts_with("func init(") || block->text.starts_with("var ") ? Severity::block
                                                                                      : Severity::info;
    if (!is(Language::python) || block == &line) return Severity::info;
    for (const Text word : {"def ", "async def ", "class "})
      if (block->text.starts_with(word)) {
        const auto name = block->text.substr(word.size());
        return called_on_load(trim(name.substr(0, name.find_first_of("(:")))) ? Severity::warning
                                                                              : Severity::info;
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

  /// getattr(os, "O_BINARY", 0): the one thing that it gets is named, and no end.
  static bool gets_another(Text text) {
    const auto at = text.find("getattr(");
    if (at == Text::npos || has(text.substr(at + 8), "getattr(") || has(text, "exit") || has(text, "kill") ||
        has_any(text, {"__import__(", "from os import", "+", "exec"}))
      return false;
    const auto comma = text.find(',', at);
    if (comma == Text::npos) return false;
    auto name = trim(text.substr(comma + 1));
    if (!name.starts_with('"') && !name.starts_with('\'')) return false;
    const auto end = name.find(name.front(), 1);
    return end != Text::npos && has_any(name.substr(end + 1, 2), {",", ")"});
  }

  /// The end of the process by another name: nobody needs it to end a program.
  void disguised(const TextLine& line) {
    const auto text = line.text;
    const bool hidden =
        (is(Language::python) && !gets_another(text) &&
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
    if (c_hard_ && !anywhere_({"signal(", "fork(", "sigaction", "SIG", "handler"}))
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
      if (line.indent == 0 && line.text != "{" && !line.text.starts_with('}') && !line.comment) {
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

  void forgery(const TextLine& line) {
    if (is(Language::configuration) || diff_.role == Role::hook) return;
    if (has_any(line.text, {"/run/hydra", "HYDRA_REPORTS"}))
      return add(SignalKind::report_forgery, Severity::warning, line, "names the place of the reports");
    if (product() && has_any(line.text, {"<testsuite", "numPassedTests", "config.option.xmlpath"}))
      add(SignalKind::report_forgery, Severity::info, line, "writes what a test report has");
  }

  const TextDiff& diff_;
  Signals& signals_;
  Anywhere anywhere_;
  std::unordered_set<Text> called_;
  const TextLine* summary_ = nullptr;
  const TextLine* c_exit_ = nullptr;
  bool exits_with_zero_ = false, around_main_ = false, c_hard_ = false, has_called_ = false;
};

}  // namespace

void find_exits(const TextDiff& diff, Signals& signals) { ExitFinder(diff, signals).look(); }

}  // namespace hydra::checks
