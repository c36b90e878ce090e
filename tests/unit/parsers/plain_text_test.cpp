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

TEST(PlainText, CursorMoves) {
  EXPECT_EQ(plain_text("one\ntwo\n\x1b[2Auno\n"), "uno\ntwo\n");
  EXPECT_EQ(plain_text("RUNS a\n\x1b[1A\x1b[2KPASS a\n"), "PASS a\n");
  EXPECT_EQ(plain_text("x\x1b[999999999999A\x1b[GY"), "Y");
  EXPECT_EQ(plain_text("a\x1b[99999Cb"), "a b");
  EXPECT_EQ(plain_text("ok\n\x1b[2J\x1b[Hnext"), "ok\nnext");
  EXPECT_EQ(plain_text("a\nb\nc\x1b[2A\x1b[J"), "a");
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

// What was given away is never changed again, and the last rows still are.
TEST(PlainText, PieceByPiece) {
  std::string log, expected;
  for (int i = 0; i < 20'000; ++i) {
    log += "\x1b[32mok\x1b[0m " + std::to_string(i) + "\r\n";
    expected += "ok " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(plain_text(log), expected);
  EXPECT_EQ(plain_text(log + "\x1b[1A\x1b[2Kdone"), expected.substr(0, expected.size() - 9) + "done\n");
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
  EXPECT_LE(most, 100'000U);
}

TEST(PlainText, ChangesWithinARow) {
  EXPECT_EQ(plain_text("日本語\b\bx"), "日x語");
  EXPECT_EQ(plain_text("abc\b\b日"), "a日c");
  EXPECT_EQ(plain_text("日本語\x1b[2G\x1b[Kx"), "日x");
  EXPECT_EQ(plain_text("abc\b\b日\rxyzé"), "xyzé");
  EXPECT_EQ(plain_text("a日b\x1b[2K\rab\x1b[D\x1b[Dé"), "éb");
}

// Rows that were done with are taken back when a cursor goes up to them, as often as it likes.
TEST(PlainText, RowsAreTakenBack) {
  EXPECT_EQ(plain_text("a\nb\nc\n\x1b[3Ax\n\n\nd\n\x1b[4A\x1b[2Ky\n"), "y\nb\nc\nd\n");
  EXPECT_EQ(plain_text("日本\nb\n\x1b[2A\x1b[1Cx\n"), "日x\nb\n");
  EXPECT_EQ(plain_text("one\ntwo\n\x1b[2A\x1b[Jthree\n"), "three\n");
  EXPECT_EQ(plain_text("one\n\x1b[A\rtwo"), "two\n");
  EXPECT_EQ(plain_text("a\n\x1b[1A"), "a\n");
}

// No cursor goes back farther than a terminal is high.
TEST(PlainText, OnlyTheLastRowsAreTakenBack) {
  std::string log, expected;
  for (int i = 0; i < 10'000; ++i) {
    log += std::to_string(i) + "\n";
    // The 4096 last ones with the one that the cursor is in.
    expected += i == 10'000 - 4095 ? "here\n" : std::to_string(i) + "\n";
  }
  EXPECT_EQ(plain_text(log + "\x1b[9999A\x1b[2Khere"), expected);
}

/// A terminal of a few lines of code: rows of characters, all of them kept.
std::string shown(const std::vector<std::string>& pieces) {
  std::vector<std::vector<std::string>> rows(1);
  std::size_t row = 0, column = 0;
  for (const auto& p : pieces) {
    auto& now = rows[row];
    if (p == "\n") {
      if (++row == rows.size()) rows.emplace_back();
      column = 0;
    } else if (p == "\r" || p == "\x1b[G") {
      column = 0;
    } else if (p == "\b" || p == "\x1b[D") {
      column -= column > 0 ? 1 : 0;
    } else if (p == "\x1b[A") {
      row -= row > 0 ? 1 : 0;
      column = std::min(column, rows[row].size());
    } else if (p == "\x1b[3F") {
      row -= std::min<std::size_t>(row, 3);
      column = 0;
    } else if (p == "\x1b[B") {
      row = std::min(row + 1, rows.size() - 1);
      column = std::min(column, rows[row].size());
    } else if (p == "\x1b[K" || p == "\x1b[J") {
      if (p == "\x1b[J") rows.resize(row + 1);
      rows[row].resize(std::min(column, rows[row].size()));
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
  const std::vector<std::string> all{"a",       "b",      "é",      "日",     "\t",         " ",
                                     "\n",      "\n",     "\n",     "\r",     "\b",         "\x1b[A",
                                     "\x1b[3F", "\x1b[B", "\x1b[K", "\x1b[J", "\x1b[2K",    "\x1b[31m",
                                     "\x1b[0m", "\x1b[G", "\x1b[D", "\x1b(B", "\x1b[?25l",  "c",
                                     "d",       "e",      "f",      "g",      "\x1b]0;t\a", "x"};
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
  EXPECT_EQ(plain_text(up), "\n");
  overwrite += '\r';
  for (std::size_t i = 0; i < n; ++i) overwrite += "é";
  EXPECT_EQ(plain_text(overwrite).size(), 2 * n);
  // Thousands of rows to and fro for a few bytes.
  std::string to_and_fro;
  for (int i = 0; i < 5'000; ++i) to_and_fro += "a row of text\n";
  const auto rows = to_and_fro;
  for (int i = 0; i < 100'000; ++i) to_and_fro += "\x1b[4096A\x1b[4096B\n";
  EXPECT_EQ(plain_text(to_and_fro), rows + std::string(100'000, '\n'));
}

}  // namespace
}  // namespace hydra::parsers
