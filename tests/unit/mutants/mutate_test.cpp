// Small changes of source text: what they are, that each is one, and that the same call gives the same.
#include "mutants/mutate.hpp"

#include "mutants/called.hpp"
#include "mutants/tokens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hydra::mutants {
namespace {

struct Case {
  const char *path, *before, *after;
};

bool makes(const Case& c, unsigned kinds = kCode) {
  Request request;
  request.most = 1000;
  request.kinds = kinds;
  const auto found = mutate(c.path, c.before, request);
  return std::any_of(found.begin(), found.end(), [&](const auto& mutant) { return mutant.text == c.after; });
}

void expect_made(const std::vector<Case>& cases, unsigned kinds = kCode) {
  for (const auto& c : cases)
    EXPECT_TRUE(makes(c, kinds)) << c.path << "\n" << c.before << "\n-> " << c.after;
}

TEST(Mutate, ChangesWhatCodeDoes) {
  expect_made({
      {"a.py", "r = a < b\n", "r = a <= b\n"},
      {"a.py", "if a == b:\n    f()\n", "if a != b:\n    f()\n"},
      {"a.py", "if a == b:\n    f()\n", "if not (a == b):\n    f()\n"},
      {"a.py", "r = min(a, b)\n", "r = max(a, b)\n"},
      {"a.py", "r = a and not b\n", "r = a or not b\n"},
      {"a.py", "r = a and not b\n", "r = a and b\n"},
      {"a.py", "def f():\n    g(1)\n    return 2\n", "def f():\n    pass\n    return 2\n"},
      {"a.py", "x[i - 1]\n", "x[i + 1]\n"},
      {"a.py", "x = 9\n", "x = 10\n"},
      {"a.js", "if (a && b) { f(); }", "if (a || b) { f(); }"},
      {"a.js", "if (a && b) { f(); }", "if (!(a && b)) { f(); }"},
      {"a.js", "if (!a) f();", "if (a) f();"},
      {"a.js", "f(x);\n", ";\n"},
      {"a.js", "const r = a === b;", "const r = a !== b;"},
      {"a.go", "\tif x > high {\n", "\tif x >= high {\n"},
      {"a.go", "\tif x > high {\n", "\tif !(x > high) {\n"},
      {"a.rs", "x.max(low)", "x.min(low)"},
      {"a.c", "i++;", "i--;"},
      {"a.c", "return a <= b;", "return a < b;"},
      {"a.java", "return true;", "return false;"},
  });
}

TEST(Mutate, ChangesExpectedValues) {
  expect_made({{"t.py", "assert f('a') == 3\n", "assert f('a') == 4\n"},
               {"t.py", "assert f('a') == 3\n", "assert f('ax') == 3\n"},
               {"t.py", "assert f('') is True\n", "assert f('x') is True\n"},
               {"t.js", "assert.equal(f(), \"ab\");", "assert.equal(f(), \"abx\");"}},
              kValues);
  EXPECT_FALSE(makes({"t.py", "assert f('a') == 3\n", "assert f('a') != 3\n"}, kValues));
}

TEST(Mutate, LeavesAloneWhatIsNoCode) {
  for (const auto& [path, text] :
       std::vector<std::pair<const char*, const char*>>{{"a.py", "# a < b and 1\n"},
                                                        {"a.py", "\"\"\"min(1, 2) == 3\"\"\"\n"},
                                                        {"a.py", "s = 'a == b'\n"},
                                                        {"a.c", "/* if (a == b) */\n"},
                                                        {"a.cpp", "std::vector<int> v;\n"},
                                                        {"a.c", "char* p;\n"},
                                                        {"a.py", "import os\n"},
                                                        {"a.py", "def f(x, y):\n"},
                                                        {"a.unknown", "a == b\n"},
                                                        {"a.py", "s = '''no end == 1\n"}}) {
    Request request;
    EXPECT_TRUE(mutate(path, text, request).empty() ||
                (std::string_view(text) == "s = 'a == b'\n" && mutate(path, text, request).size() == 1))
        << path << ": " << text;
  }
}

TEST(Mutate, OneALineFirstAndOnlyOfTheLinesAsked) {
  const std::string text = "a = b < c and d == 1\nx = y < z and w == 2\nk = min(1, 2)\n";
  Request request;
  request.most = 3;
  std::set<int> lines;
  for (const auto& mutant : mutate("a.py", text, request)) lines.insert(mutant.line);
  EXPECT_EQ(lines, (std::set<int>{1, 2, 3}));
  request.lines = {2};
  request.most = 100;
  const auto second = mutate("a.py", text, request);
  EXPECT_GT(second.size(), 2u);
  for (const auto& mutant : second) {
    EXPECT_EQ(mutant.line, 2);
    EXPECT_TRUE(mutant.text.starts_with("a = b < c and d == 1\n")) << mutant.text;
    EXPECT_TRUE(mutant.text.ends_with("k = min(1, 2)\n")) << mutant.text;
  }
}

TEST(Mutate, IsBoundedAndSpreadOverTheLines) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "x" + std::to_string(i) + " = a < b\n";
  Request request;
  request.most = 4;
  const auto found = mutate("a.py", text, request);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_LT(found.front().line, 26);
  EXPECT_GT(found.back().line, 75);
  request.most = 0;
  EXPECT_TRUE(mutate("a.py", text, request).empty());
}

TEST(Mutate, TheSameCallGivesTheSameAndASeedGivesOthers) {
  const std::string text = "r = a < b and c == 1 or d != 2 and min(e, 3) + f - 4\n";
  Request request;
  request.most = 1;
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    request.seed = seed;
    const auto once = mutate("a.py", text, request), again = mutate("a.py", text, request);
    ASSERT_EQ(once.size(), 1u);
    EXPECT_EQ(once.front().text, again.front().text);
    EXPECT_NE(once.front().text, text);
    EXPECT_FALSE(once.front().description.empty());
    texts.insert(once.front().text);
  }
  EXPECT_GT(texts.size(), 3u);
}

TEST(Mutate, NoTwoAreEqualAndEachDiffersInItsLineOnly) {
  const std::string text =
      "def clamp(x, low, high):\n    if x < low:\n        return low\n    return min(x, high)\n";
  Request request;
  request.most = 100;
  std::set<std::string> texts;
  for (const auto& mutant : mutate("calc.py", text, request)) {
    EXPECT_TRUE(texts.insert(mutant.text).second) << mutant.description;
    EXPECT_EQ(std::count(mutant.text.begin(), mutant.text.end(), '\n'), 4) << mutant.description;
  }
}

TEST(Tokens, KnowTheirLines) {
  const auto found = scan("a.py", "# one\nx = '''a\nb''' + y\nz == 1\n");
  ASSERT_TRUE(found);
  const auto at = [&](std::size_t i) { return found->tokens.at(i).line; };
  EXPECT_EQ(at(0), 2);  // x
  EXPECT_EQ(at(2), 2);  // the string
  EXPECT_EQ(at(3), 3);  // +
  EXPECT_EQ(at(5), 4);  // z
  EXPECT_EQ(found->tokens.at(6).kind, TokenKind::sign);
  EXPECT_EQ(found->tokens.at(7).kind, TokenKind::number);
}

TEST(Called, WhatTestsCallIsFoundInTheProduct) {
  const auto calls = called_names(
      "t.py", "def test_a():\n    assert price(2) == 6  # other(1)\n    if (x):\n        pass\n");
  EXPECT_TRUE(calls.contains("price"));
  EXPECT_FALSE(calls.contains("other"));
  EXPECT_FALSE(calls.contains("if"));
  EXPECT_EQ(
      lines_of_functions(
          "p.py", "def unused(n):\n    return 1\n\ndef price(n):\n    a = n\n\n    return a\nx = 1\n", calls),
      (std::vector<int>{5, 7}));
  EXPECT_EQ(lines_of_functions("p.js", "function price(n) {\n  return n;\n}\nprice(1);\n", calls),
            (std::vector<int>{2}));
  EXPECT_TRUE(lines_of_functions("p.bin", "price(1)", calls).empty());
}

}  // namespace
}  // namespace hydra::mutants
