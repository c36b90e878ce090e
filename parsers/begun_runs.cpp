// Runs that a known runner began and that have no end.
#include "base/strings.hpp"
#include "parsers/marks.hpp"
#include "parsers/scan.hpp"
#include "parsers/signs.hpp"

#include <algorithm>

namespace hydra::parsers {
namespace {

/// Lines such as "tests/test_a.py ..F", "..F.s    [ 42%]" or "tests/test_a.py::test_b PASSED   [ 42%]".
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

/// The words of a command line; quotes and shell operators separate words too.
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

/// Returns whether `first` and `second` are neighbours.
bool has_pair(const std::vector<std::string_view>& words, std::string_view first, std::string_view second) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == first && words[i + 1] == second) return true;
  return false;
}

/// Returns the runner that the command starts and that always prints at its end; silence with exit code 0
/// then means that a test ended the process. Empty: no such runner, or the command may silence the runner.
std::string_view never_silent(std::string_view command) {
  const auto plain = replace_all(std::string(command), "2>&1", "");
  if (plain.find_first_of("|<>`$[") != std::string::npos) return {};
  const auto words = words_of(plain);
  if (words.empty()) return {};
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
  for (const std::string_view runner : {"mocha", "rspec", "jasmine", "phpunit", "nose2"})
    if (words.front() == runner || has_pair(words, "npx", runner) || has_pair(words, "exec", runner))
      return runner;
  if (has_pair(words, "go", "test"))
    return has(words, {"-c", "-n", "-list", "-o", "-exec"}) || contains(plain, "-list=") ? std::string_view{}
                                                                                         : "go-test";
  if (has_pair(words, "nextest", "run")) return has(words, {"--no-run"}) ? std::string_view{} : "nextest";
  if (has_pair(words, "cargo", "test"))
    return has(words, {"--no-run", "--list"}) ? std::string_view{} : "cargo-test";
  return {};
}

constexpr std::size_t kHead = 40;  ///< lines in which npm, make or a shell may print the command

/// Tries the check's command, then lines that print a command: "> mocha --exit", "$ npx mocha".
std::string_view never_silent(const Input& in) {
  if (const auto format = never_silent(in.command); !format.empty()) return format;
  for (std::size_t i = 0; i < std::min(kHead, in.lines.size()); ++i) {
    auto line = in.lines[i].substr(0, 300);
    if (!eat(line, "> ") && !eat(line, "$ ") && !eat(line, "+ ") && !line.starts_with("python")) continue;
    if (const auto format = never_silent(line); !format.empty()) return format;
  }
  return {};
}

/// "ok 1 - adds", "not ok 2 bad": a point of a run that may not have reached its plan.
bool tap_point(std::string_view line) {
  const bool failed = eat(line, "not ok ");
  if (!failed && !eat(line, "ok ")) return false;
  return eat_number(line) && (line.empty() || line.starts_with(" - ") || (failed && line.starts_with(' ')));
}

std::string_view sign_of(std::string_view line) {
  for (const auto& sign : test_data().begin_signs)
    if (shows(sign, line)) return sign.format;
  if (pytest_progress(line)) return "pytest";
  if (rspec_failure(line)) return "rspec";
  if (tap_point(line)) return "tap";
  return {};
}

/// Marks or indented titles: without them the runner may have written only a report.
bool shows_progress(std::string_view line) {
  line = trim_end(line);
  const bool marks = !line.empty() && line.find_first_not_of(" .FEPSU*") == std::string_view::npos;
  return marks || (line.starts_with("  ") && !contains(line, "<") && !contains(line, "{"));
}

}  // namespace

void find_begun(const Input& in, std::vector<TestSegment>& out) {
  if (!out.empty() || in.exit.exit_code != 0 || in.exit.signal) return;
  std::size_t begin = 0;
  auto format = never_silent(in);
  bool shown = !one_of(format, {"mocha", "rspec", "jasmine", "phpunit", "nose2"});
  for (std::size_t i = 0; i < in.lines.size() && !shown; ++i) shown = shows_progress(in.lines[i]);
  if (!shown) format = {};
  for (; format.empty() && begin < in.lines.size(); ++begin) format = sign_of(in.lines[begin]);
  if (!format.empty())
    out.push_back(
        unfinished_run(format, begin > 0 ? begin - 1 : 0, std::max<std::size_t>(1, in.lines.size())));
}

}  // namespace hydra::parsers
