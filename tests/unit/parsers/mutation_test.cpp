// The recorded outputs changed as wrappers, terminals and accidents change them: what does not touch the
// meaning must not touch the figures, and nothing makes a failed run look clean.
#include "base/strings.hpp"
#include "score.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

using golden::Case;

std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string out;
  for (const auto line : lines(text)) out += prefix + std::string(line) + "\n";
  return out;
}

bool is_test(const Case& c) { return c.truth.value("kind", "") == "test"; }

/// Report files stand alone: nothing prefixes their lines.
bool is_report(const Case& c) {
  const auto at = c.output.find_first_not_of(" \r\n\t");
  return at == std::string::npos || c.output[at] == '<' || c.output[at] == '{' || c.output[at] == '[';
}

bool is_plain_lines(const Case& c) {
  return c.output.find('\x1b') == std::string::npos && c.output.find('\r') == std::string::npos;
}

/// How many cases keep every figure that they have unchanged.
template <class Mutate>
void expect_same(Mutate mutate, int percent) {
  int all = 0, same = 0;
  std::string lost;
  for (const auto& c : golden::cases()) {
    if (!is_test(c) || is_report(c) || !is_plain_lines(c)) continue;
    const ExitFacts exit{c.exit_code, {}};
    const auto before = golden::score_tests(c, parse_tests(c.output, exit));
    if (!before.wrong.empty()) continue;
    ++all;
    const auto after = golden::score_tests(c, parse_tests(mutate(c.output), exit));
    EXPECT_TRUE(after.safe) << c.name;
    if (after.wrong.empty())
      ++same;
    else
      lost += c.name + ": " + after.wrong + "\n";
  }
  EXPECT_GE(same * 100, all * percent) << lost;
  EXPECT_GT(all, 50);
}

TEST(Mutation, LineEnds) {
  expect_same([](const std::string& text) { return replace_all(text, "\n", "\r\n"); }, 100);
}

TEST(Mutation, Colours) {
  expect_same(
      [](const std::string& text) {
        return "\x1b[?25l" + replace_all(text, "\n", "\x1b[0m\n\x1b[32m") + "\x1b[0m";
      },
      100);
}

TEST(Mutation, WrappersPrefixes) {
  for (const char* prefix : {"2026-11-20T17:36:16.1234567Z ", "[tests] "})
    expect_same([prefix](const std::string& text) { return prefixed(text, prefix); }, 97);
}

TEST(Mutation, TextAround) {
  expect_same(
      [](const std::string& text) {
        return "\n> demo@1.0.0 test\n> run the tests\n\n" + text +
               "npm error Lifecycle script `test` failed with error:\nnpm error code 1\n";
      },
      97);
}

TEST(Mutation, AnExitCodeThatDisagreesIsNeverClean) {
  for (const auto& c : golden::cases()) {
    const int flipped = c.exit_code == 0 ? 1 : 0;
    if (is_test(c)) {
      const auto r = parse_tests(c.output, {flipped, {}});
      EXPECT_FALSE((flipped == 1 || !golden::truly_clean(c)) && golden::looks_clean(r)) << c.name;
      EXPECT_FALSE(golden::looks_clean(parse_tests(c.output, {{}, 9}))) << c.name << " killed";
    } else if (flipped == 1) {
      EXPECT_FALSE(golden::looks_clean(parse_lint(c.output, {1, {}}))) << c.name;
    }
  }
}

TEST(Mutation, ACutTailOfAFailedRunIsNeverClean) {
  for (const auto& c : golden::cases()) {
    if (golden::truly_clean(c) || c.output.size() > 100'000) continue;
    for (std::size_t parts = 1; parts < 12; ++parts) {
      const auto cut = c.output.substr(0, c.output.size() * parts / 12);
      const bool clean = is_test(c) ? golden::looks_clean(parse_tests(cut, {1, {}}))
                                    : golden::looks_clean(parse_lint(cut, {1, {}}));
      EXPECT_FALSE(clean) << c.name << " " << parts;
    }
  }
}

}  // namespace
}  // namespace hydra::parsers
