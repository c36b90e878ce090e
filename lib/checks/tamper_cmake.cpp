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
      add(does_nothing(found->second.arguments) ? Severity::block : Severity::warning, test.line, shown,
          "a test of the base runs another command");
  }
  constexpr Text kDiscover[] = {"gtest_discover_tests",   "catch_discover_tests", "enable_testing",
                                "doctest_discover_tests", "include(CTest",        "gtest_add_tests"};
  for (const auto& line : diff.removed)
    for (const auto word : kDiscover)
      if (has(line.text, word) && text_of(diff.file->candidate).find(word) == Text::npos)
        add(Severity::warning, line.number, line.text, "tests of the base are no longer found");
}

}  // namespace hydra::checks
