// Weights on the command line, whatever form people gave them.
#include "cli/amounts.hpp"

#include <gtest/gtest.h>

namespace hydra::cli {
namespace {

using Weights = std::map<std::string, double>;

TEST(Weights, EveryFormOfANumber) {
  const auto found = read_weights("tests=.5, lint=5.,speed=1e2,build=30,diff_size=0");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found,
            (Weights{{"tests", 0.5}, {"lint", 5.0}, {"speed", 100.0}, {"build", 30.0}, {"diff_size", 0.0}}));
  EXPECT_EQ(read_weights("").value(), Weights());
}

TEST(Weights, WhatIsNoFiniteNumberIsRefused) {
  for (const char* text : {"tests=inf", "tests=-inf", "tests=nan", "tests=1e999", "tests=", "tests",
                           "tests=1x", "tests=0x1p3", "tests=1 2", "=,"})
    EXPECT_FALSE(read_weights(text).ok()) << text;
}

}  // namespace
}  // namespace hydra::cli
