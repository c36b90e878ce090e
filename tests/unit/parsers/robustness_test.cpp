// No output, cut or damaged in whatever way, crashes or stalls a parser or makes a failed command look clean.
#include "golden.hpp"
#include "parsers/parsers.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hydra::parsers {
namespace {

void expect_sane(const std::string& output, const std::string& what) {
  const auto t = parse_tests(output, {1, {}});
  for (const auto& n :
       {t.counts.passed, t.counts.failed, t.counts.skipped, t.counts.errors, t.counts.total}) {
    ASSERT_GE(n.value_or(0), 0) << what;
  }
  const bool clean = t.format != "exit_code_only" && t.complete && t.suspicious.empty() &&
                     t.outcome == model::TestOutcome::passed;
  ASSERT_FALSE(clean) << what;
  const auto l = parse_lint(output, {1, {}});
  ASSERT_FALSE(l.errors && l.warnings && *l.errors + *l.warnings == 0) << what;
}

constexpr std::size_t kWindow = 20'000;  // of the megabyte outputs only a part, cut at many places

TEST(Robustness, TruncatedAnywhere) {
  for (const auto& c : golden::cases()) {
    const auto text = c.output.substr(0, kWindow);
    const std::size_t step = std::max<std::size_t>(1, text.size() / 40);
    for (std::size_t n = 0; n < text.size(); n += step) {
      expect_sane(text.substr(0, n), c.name + " head " + std::to_string(n));
      expect_sane(text.substr(n), c.name + " tail " + std::to_string(n));
    }
  }
}

TEST(Robustness, DamagedBytes) {
  std::mt19937_64 random(7);
  for (const auto& c : golden::cases()) {
    for (int round = 0; round < 5; ++round) {
      auto text = c.output.substr(0, kWindow);
      if (text.empty()) continue;
      for (std::size_t i = 0; i < 1 + text.size() / 50; ++i)
        text[random() % text.size()] = static_cast<char>(random() % 256);
      expect_sane(text, c.name);
    }
  }
}

TEST(Robustness, RandomBytes) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 4000, '\0');
    for (auto& ch : text) ch = static_cast<char>(random() % 256);
    expect_sane(text, "random");
  }
}

TEST(Robustness, HugeNumbersAndLines) {
  expect_sane("Tests:       99999999999999999999 failed, 1 total\n", "overflow");
  expect_sane("=== 99999999999999999999 passed in 1s ===\n", "overflow");
  expect_sane(std::string(1'000'000, ':'), "colons");
  expect_sane(std::string(1'000'000, '['), "brackets");
  expect_sane("{\"numTotalTests\":" + std::string(1'000'000, '['), "nesting");
  std::string many;
  for (int i = 0; i < 50'000; ++i) many += "a:1:";
  expect_sane(many, "places");
}

}  // namespace
}  // namespace hydra::parsers
