// plain_text: what a terminal would show, on hostile bytes too.
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

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
