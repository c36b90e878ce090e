// Runs that a known runner began and that have no end.
#include "base/strings.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/signs.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

/// "tests/test_a.py ..F", "..F.s    [ 42%]", "tests/test_a.py::test_b PASSED   [ 42%]".
bool pytest_progress(std::string_view line) {
  line = trim_end(line);
  bool percent = false;
  if (eat_end(line, "%]")) {
    const auto open = line.rfind('[');
    if (open == std::string_view::npos || line.size() - open > 4) return false;
    line = trim_end(line.substr(0, open));
    percent = true;
  }
  const auto space = line.rfind(' ');
  const auto last = space == std::string_view::npos ? line : line.substr(space + 1);
  const auto before = space == std::string_view::npos ? std::string_view{} : line.substr(0, space);
  if (last.empty()) return false;
  const bool file = before.ends_with(".py") && !contains(before, " ");
  if (last.find_first_not_of(".FEsxX") == std::string_view::npos)
    return file || (percent && before.empty() && last.find('.') != std::string_view::npos);
  return contains(before, ".py::") && !contains(before, " ") &&
         one_of(last, {"PASSED", "FAILED", "SKIPPED", "XFAIL", "XPASS", "ERROR"});
}

/// A line of progress marks and nothing else.
bool all_marks(std::string_view line) {
  line = trim_end(line);
  eat_blanks(line);
  return !line.empty() && line.find_first_not_of(".FEsxXSPUI*,!") == std::string_view::npos;
}

/// The words of a command line; quotes and the shell's own signs part them too.
std::vector<std::string_view> words_of(std::string_view command) {
  std::vector<std::string_view> out;
  while (!command.empty() && out.size() < 200) {
    const auto n = std::min(command.find_first_of(" \t\n'\"();&"), command.size());
    auto word = command.substr(0, n);
    if (!word.empty())
      out.push_back(word.substr(word.rfind('/') == std::string_view::npos ? 0 : word.rfind('/') + 1));
    command.remove_prefix(std::min(n + 1, command.size()));
  }
  return out;
}

bool has(const std::vector<std::string_view>& words, std::initializer_list<std::string_view> any) {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return one_of(word, any); });
}

/// `first` and `second` beside each other.
bool has_pair(const std::vector<std::string_view>& words, std::string_view first, std::string_view second) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == first && words[i + 1] == second) return true;
  return false;
}

/// The runner that a command starts and that always says something when it comes to its end: with exit code
/// 0 and no word of it the process was ended from within. Empty: none, or the command may keep it silent.
std::string_view never_silent(std::string_view command) {
  const auto plain = replace_all(std::string(command), "2>&1", "");
  if (plain.find_first_of("|<>`$[") != std::string::npos) return {};
  const auto words = words_of(plain);
  if (has(words, {"if", "for", "case", "while", "-h", "--help", "--version", "-V"})) return {};
  const bool module = has_pair(words, "-m", "pytest");
  if (module || has(words, {"pytest", "py.test", "pytest-3"})) {
    const bool starts = module || one_of(words.front(), {"pytest", "py.test", "pytest-3"}) ||
                        has_pair(words, "run", "pytest");
    const bool quiet = has(words, {"--collect-only", "--co", "--fixtures", "--markers", "--setup-plan",
                                   "no:terminal", "-qqq", "-qqqq", "--cache-show"}) ||
                       contains(plain, "no:terminal");
    return starts && !quiet ? "pytest" : std::string_view{};
  }
  if (has_pair(words, "-m", "unittest")) return "unittest";
  if (has_pair(words, "go", "test"))
    return has(words, {"-c", "-n", "-list", "-o", "-exec"}) || contains(plain, "-list=") ? std::string_view{}
                                                                                         : "go-test";
  if (has_pair(words, "nextest", "run")) return has(words, {"--no-run"}) ? std::string_view{} : "nextest";
  if (has_pair(words, "cargo", "test"))
    return has(words, {"--no-run", "--list"}) ? std::string_view{} : "cargo-test";
  return {};
}

/// Runners whose marks alone say too little, and the words that start them.
struct Named {
  std::string_view format;
  std::initializer_list<std::string_view> words;
  bool (*shows)(std::string_view line);
};

/// mocha's own reporters indent everything by two.
bool mocha_line(std::string_view line) {
  const auto indent = eat_blanks(line);
  return indent >= 2 && !line.empty() && line.front() != '<' && line.front() != '{';
}

constexpr std::size_t kHead = 40;  ///< lines in which the command may be told by npm, make or a shell

/// A line that shows a command: "> mocha --exit", "$ npx mocha", "python3 -m unittest".
bool tells(std::string_view line, const Named& named) {
  if (line.size() > 300) return false;
  if (!eat(line, "> ") && !eat(line, "$ ")) eat(line, "+ ");
  for (const auto word : words_of(line)) {
    if (one_of(word, named.words)) return true;
    const bool leads =
        contains(word, "=") ||
        one_of(word, {"npx", "npm", "exec", "run", "yarn", "pnpm", "bundle", "node", "c8", "nyc", "python",
                      "python3", "-m", "env", "cross-env", "poetry", "uv", "php"});
    if (!leads) return false;
  }
  return false;
}

const Named* named_by(const Input& in) {
  static const Named all[] = {
      {"mocha", {"mocha", "_mocha"}, mocha_line},
      {"pytest", {"pytest", "py.test"}, all_marks},
      {"unittest", {"unittest", "nose2"}, all_marks},
      {"rspec", {"rspec"}, all_marks},
      {"jasmine", {"jasmine"}, all_marks},
      {"lab", {"lab"}, all_marks},
      {"minitest", {"minitest"}, all_marks},
      {"phpunit", {"phpunit"}, all_marks},
      {"busted", {"busted"}, all_marks},
  };
  const auto words = words_of(in.command);
  for (const auto& named : all) {
    if (has(words, named.words)) return &named;
    for (std::size_t i = 0; i < std::min(kHead, in.lines.size()); ++i)
      if (tells(in.lines[i], named)) return &named;
  }
  return nullptr;
}

/// "ok 1 - adds", "not ok 2 bad": of a run that has not come to its plan.
bool tap_point(std::string_view line) {
  const bool failed = eat(line, "not ok ");
  if (!failed && !eat(line, "ok ")) return false;
  return eat_number(line) && (line.empty() || line.starts_with(" - ") || (failed && line.starts_with(' ')));
}

/// "1/3 main.test.adds...OK" of zig.
bool zig_point(std::string_view line) {
  if (!eat_number(line) || !eat(line, "/") || !eat_number(line)) return false;
  return contains(line, "...OK") || contains(line, "...FAIL") || contains(line, "...SKIP");
}

/// " math  • • ✘": uvu's suites, with a mark for each test.
bool uvu_suite(std::string_view line) {
  if (!eat(line, " ") || line.empty() || line.front() == ' ') return false;
  const auto at = line.find("  ");
  if (at == std::string_view::npos) return false;
  line.remove_prefix(at + 2);
  return line.starts_with("• ") || line.starts_with("✘ ");
}

/// "  ✔ math adds: 0ms" of mocha's reporter "list", and its "  1 passing (3ms)" where that was cut.
bool mocha_only(std::string_view line) {
  if (line.starts_with("  ✔ ")) return line.ends_with("ms") && contains(line, ": ");
  if (!eat(line, "  ") || !eat_number(line) || !eat(line, " passing (")) return false;
  return line.find(')') == std::string_view::npos;
}

/// "2 tests complete (1 skipped)" of lab, whose next lines are its end.
bool lab_total(std::string_view line) {
  if (!eat_number(line) || (!eat(line, " tests complete") && !eat(line, " test complete"))) return false;
  return line.empty() || line.ends_with(" skipped)");
}

std::string_view sign_of(std::string_view line) {
  for (const auto& sign : test_data().begin_signs)
    if (shows(sign, line)) return sign.format;
  if (pytest_progress(line)) return "pytest";
  if (rspec_failure(line)) return "rspec";
  if (hspec_failure(line)) return "hspec";
  if (tap_point(line)) return "tap";
  if (zig_point(line)) return "zig-test";
  if (uvu_suite(line)) return "uvu";
  if (mocha_only(line)) return "mocha";
  if (lab_total(line)) return "lab";
  return {};
}

}  // namespace

void find_begun(const Input& in, std::vector<TestSegment>& out) {
  if (!out.empty() || in.exit.exit_code != 0 || in.exit.signal) return;
  const auto* named = named_by(in);
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto line = in.lines[i];
    if (line.empty()) continue;
    auto format = sign_of(line);
    if (format.empty() && named != nullptr && named->shows(line)) format = named->format;
    // rspec has that line too.
    if (named != nullptr && format == "jasmine") format = named->format;
    if (format.empty()) continue;
    out.push_back(unfinished_run(format, i, in.lines.size()));
    return;
  }
  if (const auto format = never_silent(in.command); !format.empty())
    out.push_back(unfinished_run(format, 0, in.lines.size()));
}

}  // namespace hydra::parsers
