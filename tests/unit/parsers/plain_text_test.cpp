// plain_text: what a terminal would show, on hostile bytes too.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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
}

}  // namespace
}  // namespace hydra::parsers
