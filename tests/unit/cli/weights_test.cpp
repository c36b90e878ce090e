// Weights on the command line become numbers of JSON, whatever form people gave them (RFC 8259, section 6).
#include "cli/weights.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hydra::cli {
namespace {

nlohmann::json read(const std::string& text) {
  const auto members = weights_json(text);
  EXPECT_TRUE(members.ok()) << text;
  return nlohmann::json::parse("{" + members.value_or("?") + "}", nullptr, false);
}

TEST(Weights, EveryFormOfANumberBecomesJson) {
  const auto found = read("tests=.5, lint=5.,speed=1e2,build=30,diff_size=0");
  EXPECT_EQ(
      found,
      nlohmann::json({{"tests", 0.5}, {"lint", 5.0}, {"speed", 100.0}, {"build", 30.0}, {"diff_size", 0.0}}));
  EXPECT_EQ(read(""), nlohmann::json::object());
  EXPECT_EQ(read("tests=0.1")["tests"].get<double>(), 0.1);
}

TEST(Weights, WhatIsNoFiniteNumberIsRefused) {
  for (const char* text : {"tests=inf", "tests=-inf", "tests=nan", "tests=1e999", "tests=", "tests",
                           "tests=1x", "tests=0x1p3", "tests=1 2", "=,"})
    EXPECT_FALSE(weights_json(text).ok()) << text;
}

}  // namespace
}  // namespace hydra::cli
