#include "base/strings.hpp"
#include "checks/tamper_impl.hpp"

#include <algorithm>
#include <map>

namespace hydra::checks {
namespace {

using Text = std::string_view;

bool has(Text text, Text part) { return text.find(part) != Text::npos; }

struct CmakeTest {
  std::string arguments;  ///< behind the name, with one blank between words
  std::int64_t line = 0;
};

/// Every add_test() of a text by its name. Line breaks and indentation count nothing.
std::map<std::string, CmakeTest> cmake_tests(Text text) {
  std::map<std::string, CmakeTest> out;
  std::int64_t line = 1;
  std::size_t counted = 0;
  for (auto at = text.find("add_test"); at != Text::npos; at = text.find("add_test", at + 8)) {
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

bool has_any(Text text, std::initializer_list<Text> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](Text part) { return has(text, part); });
}

/// "COMMAND area_test --fast": "area_test".
Text program_of(Text arguments) {
  if (arguments.starts_with("COMMAND ")) arguments.remove_prefix(8);
  return arguments.substr(0, arguments.find(' '));
}

/// Words of the add_executable() of this target; empty: there is none.
std::vector<std::string> sources_of(Text text, Text target) {
  for (auto at = text.find("add_executable("); at != Text::npos; at = text.find("add_executable(", at + 15)) {
    std::vector<std::string> words;
    const auto inner = text.substr(at + 15, std::min(text.find(')', at), text.size()) - at - 15);
    std::string word;
    for (const char c : std::string(inner) + " ") {
      if (Text(" \t\r\n").find(c) == Text::npos)
        word += c;
      else if (!word.empty())
        words.push_back(std::move(word)), word.clear();
    }
    if (words.empty() || words.front() != target) continue;
    words.erase(words.begin());
    return words;
  }
  return {};
}

/// May a test of the base be run by this program: its own, or one that is built of the same test?
bool same_program(Text base, Text before, Text candidate, Text now) {
  if (before == now) return true;
  const auto old = sources_of(base, before), sources = sources_of(candidate, now);
  return std::any_of(sources.begin(), sources.end(), [&](const std::string& source) {
    return std::find(old.begin(), old.end(), source) != old.end();
  });
}

/// Names of the tests that a set_tests_properties() or set_property() is about, around a line of the text.
Text subjects_of(Text text, Text line) {
  const auto at = static_cast<std::size_t>(line.data() - text.data());
  Text found;
  for (const Text command : {"set_tests_properties(", "set_property("}) {
    const auto begin = text.substr(0, at + line.size()).rfind(command);
    if (begin == Text::npos || at - std::min(at, begin) > 4096) continue;
    const auto rest = text.substr(begin + command.size());
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

void find_cmake_tests(const TextDiff& diff, Signals& signals) {
  const auto text_of = [](const std::optional<std::string>& text) {
    return text ? Text(*text).substr(0, kMostFileBytes) : Text();
  };
  const auto before = cmake_tests(text_of(diff.file->base)), now = cmake_tests(text_of(diff.file->candidate));
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
                  !same_program(text_of(diff.file->base), program_of(test.arguments),
                                text_of(diff.file->candidate), program_of(found->second.arguments))
              ? Severity::block
              : Severity::warning,
          test.line, shown, "a test of the base runs another command");
  }
  const auto base = text_of(diff.file->base), candidate = text_of(diff.file->candidate);
  for (const auto& [name, test] : before) {
    const auto program = std::string(program_of(test.arguments));
    const auto old = sources_of(base, program), sources = sources_of(candidate, program);
    const auto kept = [&](const std::string& source) {
      return std::any_of(sources.begin(), sources.end(), [&](const std::string& each) {
        return Text(each).substr(each.rfind('/') + 1) == Text(source).substr(source.rfind('/') + 1);
      });
    };
    if (!sources.empty() && !std::all_of(old.begin(), old.end(), kept))
      add(std::any_of(old.begin(), old.end(), kept) ? Severity::warning : Severity::block, test.line,
          "add_executable(" + program + " " + join(sources, " ") + ")",
          "a test of the base is built of other sources");
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
    if (is_comment(line.text, diff.language)) continue;
    if (has_any(line.text, {"PASS_REGULAR_EXPRESSION", "WILL_FAIL"})) {
      const auto names = subjects_of(text_of(diff.file->candidate), line.text);
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
      signals.add(SignalKind::runner_source, Severity::block, diff.file->change.path, line.number, line.text,
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
      if (has(line.text, word) && text_of(diff.file->candidate).find(word) == Text::npos)
        add(Severity::warning, line.number, line.text, "tests of the base are no longer found");
}

}  // namespace hydra::checks
