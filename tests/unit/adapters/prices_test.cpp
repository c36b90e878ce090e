// Prices of models: the table, its names, and what a user's configuration may say.
#include "adapters/adapters.hpp"
#include "config/config.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

TEST(Prices, AreFoundByName) {
  const auto& table = adapters::builtin_prices();
  const auto* sonnet = adapters::find_price(table, "claude-sonnet-4-5");
  ASSERT_NE(sonnet, nullptr);
  for (const auto* name :
       {"claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5", "openrouter/anthropic/claude-sonnet-4-5",
        "claude-sonnet-4-5[1m]", "claude-sonnet-4-5@20250929"})
    EXPECT_EQ(adapters::find_price(table, name), sonnet) << name;
  EXPECT_EQ(adapters::find_price(table, "gpt-5-2025-08-07"), adapters::find_price(table, "gpt-5"));
  for (const auto* name : {"", "mock-coder", "claude-sonnet-4-50", "gpt-5-turbo", "/", "claude"})
    EXPECT_EQ(adapters::find_price(table, name), nullptr) << name;
}

TEST(Prices, OnlyFillWhatIsMissing) {
  model::Usage said;
  said.input = said.output = 10;
  said.cost_usd = 0.5;
  adapters::estimate_cost(said, "claude-sonnet-4-5", adapters::builtin_prices());
  EXPECT_EQ(said.cost_usd, 0.5);
  EXPECT_FALSE(said.estimated);
  model::Usage half;
  half.input = 10;
  adapters::estimate_cost(half, "claude-sonnet-4-5", adapters::builtin_prices());
  EXPECT_FALSE(half.cost_usd) << "half of the numbers make no price";
  model::Usage unknown;
  unknown.input = unknown.output = 10;
  adapters::estimate_cost(unknown, "mock-coder", adapters::builtin_prices());
  EXPECT_FALSE(unknown.cost_usd);
}

TEST(Prices, ComplaintsHaveAPlace) {
  const auto complain = [](const std::string& text) {
    const auto loaded = config::load({{"hydra.toml", text}}, {});
    return loaded.errors.empty() ? std::string("none") : describe(loaded.errors.front());
  };
  EXPECT_NE(complain("[prices.m]\ninput = 1\noutput = 2\ninputt = 3\n").find("hydra.toml:4:1"),
            std::string::npos);
  EXPECT_NE(complain("[prices.m]\ninput = 1\n").find("output"), std::string::npos);
  EXPECT_NE(complain("[prices.m]\ninput = -1\noutput = 2\n").find("hydra.toml:2"), std::string::npos);
  EXPECT_NE(complain("prices = 3\n").find("prices"), std::string::npos);
}

}  // namespace
