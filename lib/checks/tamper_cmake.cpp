#include "checks/tamper_cmake.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <map>

namespace hydra::checks {
namespace {

struct CmakeTest {
  std::string arguments;  ///< behind the name, with one blank between words
  std::int64_t line = 0;
};

/// Every add_test() of a text by its name. Line breaks and indentation count nothing.
std::map<std::string, CmakeTest> cmake_tests(Text text) {
  std::map<std::string, CmakeTest> out;
  std::int64_t line = 1;
  std::size_t counted = 0;
  const auto lower = to_lower(text);  // names of commands have no case
  for (auto at = lower.find("add_test"); at != std::string::npos; at = lower.find("add_test", at + 8)) {
    auto open = at + 8;
    while (open < text.size() && text[open] == ' ') ++open;
    if (open >= text.size() || text[open] != '(' || (at > 0 && text[at - 1] == '_')) continue;
    int depth = 1;
    auto end = open + 1;
    std::vector<std::string> words(1);
    for (; end < text.size() && depth > 0; ++end) {
      const char c = text[end];
      if (c == '(') ++depth;
      if (c == ')' && --depth == 0) break;
      if (Text(" \t\r\n").find(c) == Text::npos)
        words.back() += c;
      else if (!words.back().empty())
        words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    if (!words.empty() && words.front() == "NAME") words.erase(words.begin());
    if (words.empty()) continue;
    line += std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                       text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    counted = at;
    const auto name = words.front();
    words.erase(words.begin());
    out[name] = {join(words, " "), line};
    at = end;
    if (at + 8 > text.size()) break;
  }
  return out;
}

/// "COMMAND area_test --fast": "area_test".
Text program_of(Text arguments) {
  if (arguments.starts_with("COMMAND ")) arguments.remove_prefix(8);
  return arguments.substr(0, arguments.find(' '));
}

/// May a test of the base be run by this program: its own, or one that is built of the same test?
bool same_program(const CmakeSources& base, const std::string& before, const CmakeSources& candidate,
                  const std::string& now, const ChangedPaths& changed) {
  if (before == now) return true;
  const auto old = base.find(before), sources = candidate.find(now);
  if (old == base.end() || sources == candidate.end()) return false;
  return std::any_of(old->second.begin(), old->second.end(), [&](const std::string& source) {
    return kept_source(source, sources->second, changed) != Kept::gone;
  });
}

/// Names of the tests that a set_tests_properties() or set_property() is about, around a line of the text.
Text subjects_of(Text text, Text line) {
  const auto at = static_cast<std::size_t>(line.data() - text.data());
  Text found;
  constexpr std::size_t kMostBefore = 4096;
  const auto before = text.substr(at - std::min(at, kMostBefore), std::min(at, kMostBefore) + line.size());
  for (const Text command : {"set_tests_properties(", "set_property("}) {
    const auto begin = before.rfind(command);
    if (begin == Text::npos) continue;
    const auto rest = text.substr(
        static_cast<std::size_t>(before.data() - text.data()) + begin + command.size(), 2 * kMostBefore);
    const auto words = rest.substr(0, rest.find("PROPERT"));
    if (found.empty() || words.data() > found.data()) found = words;
  }
  return found;
}

bool does_nothing(Text command) {
  constexpr Text kNothing[] = {"COMMAND true", "COMMAND echo",      "-E true",
                               "-E echo",      "COMMAND /bin/true", "COMMAND :"};
  return std::any_of(std::begin(kNothing), std::end(kNothing), [&](Text part) { return has(command, part); });
}

}  // namespace

void find_cmake_tests(const TextDiff& diff, const ChangedPaths& changed, Signals& signals) {
  const auto text_of = [](const std::optional<std::string>& text,
                          const std::unique_ptr<std::string>& decoded) {
    return decoded ? Text(*decoded) : text ? Text(*text).substr(0, kMostFileBytes) : Text();
  };
  const auto base = text_of(diff.file->base, diff.decoded_base);
  const auto candidate = text_of(diff.file->candidate, diff.decoded);
  const auto before = cmake_tests(base), now = cmake_tests(candidate);
  const auto built_before = cmake_sources(base, diff.file->change.path);
  const auto built = cmake_sources(candidate, diff.file->change.path);
  const auto add = [&](Severity severity, std::int64_t line, Text text, std::string reason) {
    signals.add(SignalKind::deselection, severity, diff.file->change.path, line, text, std::move(reason));
  };
  for (const auto& [name, test] : before) {
    const auto found = now.find(name);
    const auto shown = "add_test(" + name + " " + test.arguments + ")";
    if (found == now.end())
      add(Severity::warning, test.line, shown, "a test of the base is no longer added");
    else if (found->second.arguments != test.arguments)
      add(does_nothing(found->second.arguments) ||
                  !same_program(built_before, std::string(program_of(test.arguments)), built,
                                std::string(program_of(found->second.arguments)), changed)
              ? Severity::block
              : Severity::warning,
          test.line, shown, "a test of the base runs another command");
  }
  for (const auto& [name, test] : before) {
    const auto program = std::string(program_of(test.arguments));
    const auto old = built_before.find(program), sources = built.find(program);
    const auto still = now.find(name);
    const bool same = still != now.end() && program_of(still->second.arguments) == program;
    if (old != built_before.end() && sources == built.end() && same)
      add(Severity::warning, test.line, "add_executable(" + program + " …)",
          "what a test of the base is built of is not said here any more");
    if (old != built_before.end() && sources != built.end() && !old->second.empty()) {
      auto worst = Kept::whole, best = Kept::gone;
      for (const auto& source : old->second) {
        const auto kept = kept_source(source, sources->second, changed);
        worst = std::min(worst, kept);
        best = std::max(best, kept);
      }
      if (worst != Kept::whole)
        add(best == Kept::gone ? Severity::block : Severity::warning, test.line,
            "add_executable(" + program + " " + join(sources->second, " ") + ")",
            "a test of the base is built of other sources");
    }
    const auto writes = candidate.find("add_custom_command(TARGET " + program + " ");
    if (writes != Text::npos && base.find("add_custom_command(TARGET " + program + " ") == Text::npos) {
      const auto command =
          candidate.substr(writes, std::min(candidate.find(')', writes), candidate.size()) - writes);
      add(has_any(command,
                  {"copy", "rename", "cp ", "mv ", "ln ", "echo", "sh ", "touch", "printf", "TARGET_FILE"})
              ? Severity::block
              : Severity::warning,
          1 + std::count(candidate.begin(), candidate.begin() + static_cast<std::ptrdiff_t>(writes), '\n'),
          command, "a command after the build of a test's program, which it may replace");
    }
  }
  // What decides in the place of a test's exit code, for a test of the base or for all.
  for (const auto index : diff.added) {
    const auto& line = diff.candidate[index];
    if (line.comment) continue;
    if (has_any(line.text, {"PASS_REGULAR_EXPRESSION", "WILL_FAIL"})) {
      const auto names = subjects_of(candidate, line.text);
      const bool of_base =
          has(names, "${") || std::any_of(before.begin(), before.end(),
                                          [&](const auto& test) { return has_name(names, test.first); });
      if (of_base) add(Severity::block, line.number, line.text, "another verdict for a test of the base");
    }
    if (has(line.text, "_LAUNCHER") || has(line.text, "RULE_LAUNCH_"))
      add(has_any(line.text, {"ccache", "sccache", "distcc", "icecc"}) ? Severity::info : Severity::warning,
          line.number, line.text, "another program builds what the tests run");
    if (has_any(line.text, {"CROSSCOMPILING_EMULATOR", "TEST_LAUNCHER"}))
      add(has(diff.file->change.path, "toolchain") ? Severity::warning : Severity::block, line.number,
          line.text, "another program runs the tests");
    const auto lower = to_lower(line.text);
    if ((lower.starts_with("function(") || lower.starts_with("macro(")) &&
        has_any(lower, {"(add_test", "(add_executable", "(gtest_", "(find_package", "(set_tests_properties",
                        "(enable_testing", "(catch_discover", "(target_link_libraries"}))
      add(Severity::block, line.number, line.text, "takes the place of a command of CMake");
    if (has_any(lower, {"(gtest_dir ", "(gtest_root ", "(catch2_dir ", "(doctest_dir ", "add_library(gtest",
                        "(boost_dir "}) &&
        !has(lower, "alias"))
      // A project that builds the library itself changes how, now and then.
      signals.add(SignalKind::runner_source,
                  has(base, "add_library(gtest") && has(lower, "add_library(gtest") ? Severity::warning
                                                                                    : Severity::block,
                  diff.file->change.path, line.number, line.text,
                  "takes the test library from another place");
    if (has(line.text, "EXPECT_") || has(line.text, "ASSERT_"))
      add(Severity::block, line.number, line.text, "defines an assertion for all that is compiled");
    else if (has(line.text, "NDEBUG"))
      add(Severity::warning, line.number, line.text, "turns assert() off");
  }
  constexpr Text kDiscover[] = {"gtest_discover_tests",   "catch_discover_tests", "enable_testing",
                                "doctest_discover_tests", "include(CTest",        "gtest_add_tests"};
  for (const auto& line : diff.removed)
    for (const auto word : kDiscover)
      if (has(line.text, word) && candidate.find(word) == Text::npos)
        add(Severity::warning, line.number, line.text, "tests of the base are no longer found");
}

}  // namespace hydra::checks
