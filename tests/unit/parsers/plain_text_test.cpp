// plain_text: what a terminal would show, on hostile bytes too.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace hydra::parsers {
namespace {

using namespace std::string_literals;

TEST(PlainText, DropsSequences) {
  EXPECT_EQ(plain_text("\x1b[1m\x1b[31mred\x1b[0m x"), "red x");
  EXPECT_EQ(plain_text("\x1b]0;title\x07 a\x1b(B b\x1b]8;;http://x\x1b\\link"), " a blink");
  EXPECT_EQ(plain_text("a\x1b[?25lb\x1b[38;5;1mc\x1b=d"), "abcd");
  EXPECT_EQ(plain_text("a\0b\x07"s), "ab");
}

TEST(PlainText, LineEnds) {
  EXPECT_EQ(plain_text("a\r\nb\r\n"), "a\nb\n");
  EXPECT_EQ(plain_text("12%\r99%\rdone"), "done");
  EXPECT_EQ(plain_text("abcdef\rxy"), "xycdef");
  EXPECT_EQ(plain_text("abcdef\r\x1b[Kxy"), "xy");
  EXPECT_EQ(plain_text("abc\b\bX"), "aXc");
}

// Lines that were drawn above stay, and the redrawn line follows.
TEST(PlainText, CursorMoves) {
  EXPECT_EQ(plain_text("one\ntwo\n\x1b[2Auno\n"), "one\ntwo\nuno\n");
  EXPECT_EQ(plain_text("RUNS a\n\x1b[1A\x1b[2KPASS a\n"), "RUNS a\nPASS a\n");
  EXPECT_EQ(plain_text("x\x1b[999999999999A\x1b[GY"), "x\nY");
  EXPECT_EQ(plain_text("a\x1b[99999Cb"), "a b");
  EXPECT_EQ(plain_text("ok\n\x1b[2J\x1b[Hnext"), "ok\nnext");
  EXPECT_EQ(plain_text("ok\x1b[2J\x1b[Hnext"), "ok\nnext");
}

TEST(PlainText, Utf8) {
  EXPECT_EQ(plain_text("ünï 日本 🎉"), "ünï 日本 🎉");
  EXPECT_EQ(plain_text("日本\rX"), "X本");
  EXPECT_EQ(plain_text("a\xff\xfe b"), "a\xEF\xBF\xBD\xEF\xBF\xBD b");
  EXPECT_EQ(plain_text("a\xC2\x9B"
                       "b"),
            "ab");  // C1 controls
}

TEST(PlainText, UnfinishedSequences) {
  EXPECT_EQ(plain_text("a\x1b"), "a");
  EXPECT_EQ(plain_text("a\x1b["), "a");
  EXPECT_EQ(plain_text("a\x1b[12"), "a");
  EXPECT_EQ(plain_text("a\x1b]never ends\nb"), "a\nb");
}

TEST(PlainText, PieceByPiece) {
  std::string log, expected;
  for (int i = 0; i < 20'000; ++i) {
    log += "\x1b[32mok\x1b[0m " + std::to_string(i) + "\r\n";
    expected += "ok " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(plain_text(log), expected);
  std::string got;
  std::size_t most = 0, left = 0;
  write_plain(
      log,
      [&](std::string_view part) {
        got += part;
        most = std::max(most, part.size());
      },
      [&](std::string_view part) { left += part.size(); });
  EXPECT_EQ(got, expected);
  EXPECT_EQ(left, log.size());
  EXPECT_LE(most, 300'000U);
}

TEST(PlainText, ChangesWithinARow) {
  EXPECT_EQ(plain_text("日本語\b\bx"), "日x語");
  EXPECT_EQ(plain_text("abc\b\b日"), "a日c");
  EXPECT_EQ(plain_text("日本語\x1b[2G\x1b[Kx"), "日x");
  EXPECT_EQ(plain_text("abc\b\b日\rxyzé"), "xyzé");
  EXPECT_EQ(plain_text("a日b\x1b[2K\rab\x1b[D\x1b[Dé"), "éb");
}

/// A terminal of a few lines of code that knows one row at a time.
std::string shown(const std::vector<std::string>& pieces) {
  std::vector<std::vector<std::string>> rows(1);
  std::size_t row = 0, column = 0;
  for (const auto& p : pieces) {
    auto& now = rows[row];
    if (p == "\n") {
      rows.emplace_back();
      ++row;
      column = 0;
    } else if (p == "\r" || p == "\x1b[G") {
      column = 0;
    } else if (p == "\b" || p == "\x1b[D") {
      column -= column > 0 ? 1 : 0;
    } else if (p == "\x1b[K") {
      now.resize(std::min(column, now.size()));
    } else if (p == "\x1b[2K") {
      now.clear();
      column = 0;
    } else if (!p.starts_with('\x1b')) {
      if (column < now.size())
        now[column] = p;
      else
        now.push_back(p);
      ++column;
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r > 0) out += '\n';
    for (const auto& c : rows[r]) out += c;
  }
  return out;
}

TEST(PlainText, AgreesWithASimpleTerminal) {
  const std::vector<std::string> all{
      "a",         "b",  "é",      "日",      "\t",       " ",       "\n",         "\n",     "\n",
      "\r",        "\b", "\x1b[K", "\x1b[2K", "\x1b[31m", "\x1b[0m", "\x1b[G",     "\x1b[D", "\x1b(B",
      "\x1b[?25l", "c",  "d",      "e",       "f",        "g",       "\x1b]0;t\a", "x"};
  std::mt19937 random(11);
  for (int round = 0; round < 20'000; ++round) {
    // Few kinds of pieces at a time, so that the simple ways are taken too.
    std::vector<std::string> some, pieces;
    for (std::size_t i = 0; i < 2 + random() % 8; ++i) some.push_back(all[random() % all.size()]);
    some.emplace_back("\n");
    for (std::size_t i = 0; i < random() % 60; ++i) pieces.push_back(some[random() % some.size()]);
    std::string log;
    for (const auto& p : pieces) log += p;
    ASSERT_EQ(plain_text(log), shown(pieces)) << testing::PrintToString(log);
  }
}

// Sizes at which anything quadratic would not come back in the time of a test run.
TEST(PlainText, LongAndMeanInputs) {
  const std::size_t n = 2'000'000;
  EXPECT_EQ(plain_text(std::string(n, 'x')).size(), n);
  std::string unfinished, up, overwrite(n, 'a');
  for (std::size_t i = 0; i < n / 4; ++i) {
    unfinished += "\x1b]x";
    up += "\x1b[A\n";
  }
  EXPECT_TRUE(plain_text(unfinished).empty());
  EXPECT_EQ(plain_text(up).size(), n / 4);
  overwrite += '\r';
  for (std::size_t i = 0; i < n; ++i) overwrite += "é";
  EXPECT_EQ(plain_text(overwrite).size(), 2 * n);
}

}  // namespace
}  // namespace hydra::parsers
