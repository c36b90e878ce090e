// TAP with braces and subunit's binary stream: cut or damaged they are no finished run.
#include "golden.hpp"
#include "parsers/parsers.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

std::string recorded(const std::string& name) {
  return golden::slurp(std::filesystem::path(places::golden()) / "parsers" / name / "output.txt");
}

TEST(Subunit, CutAnywhereIsNoFinishedRun) {
  const auto text = recorded("subunit/binary");
  ASSERT_FALSE(text.empty());
  for (std::size_t n = 0; n < text.size(); n += 7) {
    const auto r = parse_tests(std::string_view(text).substr(0, n), {0, {}});
    const bool clean = r.complete && r.suspicious.empty() && r.outcome.empty();
    EXPECT_FALSE(clean) << n;
  }
}

TEST(Subunit, TextBetweenPacketsIsPassedOver) {
  const auto text = recorded("subunit/binary");
  const auto r = parse_tests("building\xB3\x2B...\n" + text + "done\n", {1, {}});
  EXPECT_EQ(r.format, "subunit");
  EXPECT_EQ(r.counts.total, 5);
}

TEST(Subunit, AWrongChecksumIsNoPacket) {
  auto text = recorded("subunit/binary");
  for (std::size_t i = 20; i < text.size(); i += 20) text[i] = static_cast<char>(text[i] ^ 1);
  EXPECT_FALSE(parse_tests(text, {0, {}}).complete);
}

// Every byte looks like a packet of megabytes: the checksums must not be summed up for each.
TEST(Subunit, WhatOnlyLooksLikePacketsCostsLinearTime) {
  std::string text;
  while (text.size() < 6'000'000) text += "\xB3\x2B\x03\x80\x90\x00";
  EXPECT_EQ(parse_tests(text, {0, {}}).format, "exit_code_only");
}

TEST(TapBraces, CutIsNoFinishedRun) {
  const auto text = recorded("vitest/tap");
  for (auto at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    const auto r = parse_tests(std::string_view(text).substr(0, at + 1), {1, {}});
    EXPECT_FALSE(r.complete) << at;
  }
}

TEST(TapBraces, ASuiteThatFailedByItself) {
  const auto r = parse_tests(
      "TAP version 13\n1..2\nnot ok 1 - a.test.ts # time=2ms {\n    1..0\n}\nok 2 - b.test.ts {\n    1..1\n"
      "    ok 1 - adds\n}\n",
      {1, {}});
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.counts.passed, 1);
  EXPECT_EQ(r.counts.failed, 1);
}

// A plan inside of the braces that is not kept.
TEST(TapBraces, FewerTestsThanPlanned) {
  const auto r = parse_tests("TAP version 13\n1..1\nok 1 - a {\n    1..2\n    ok 1 - x\n}\n", {0, {}});
  EXPECT_FALSE(r.complete);
  EXPECT_FALSE(r.suspicious.empty());
}

}  // namespace
}  // namespace hydra::parsers
