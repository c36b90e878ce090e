#include "race/limits/providers.hpp"

#include "race/agents/provider_of.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hydra::race {
namespace {

struct Providers : ::testing::Test {
  ProviderQueue queue;
  std::vector<std::string> started;
  void ask(const std::string& tag, const std::string& provider, int limit, std::int64_t stagger = 0,
           int total = 0) {
    queue.ask(tag, provider, {limit, stagger, total}, [this, tag] { started.push_back(tag); });
  }
  using Names = std::vector<std::string>;
};

TEST_F(Providers, SoManyOfOneProviderAtOnce) {
  for (const char* tag : {"a1", "a2", "a3"}) ask(tag, "a", 2);
  ask("b1", "b", 2);
  EXPECT_EQ(queue.grant(0), std::nullopt);
  EXPECT_EQ(started, (Names{"a1", "a2", "b1"})) << "another provider does not wait";
  EXPECT_EQ(queue.running("a"), 2);
  queue.leave("a");
  queue.grant(1);
  EXPECT_EQ(started.back(), "a3");
}

TEST_F(Providers, StartsAreApart) {
  for (const char* tag : {"a1", "a2", "a3"}) ask(tag, "a", 0, 2000);
  EXPECT_EQ(queue.grant(100), 2000);
  EXPECT_EQ(started, (Names{"a1"}));
  EXPECT_EQ(queue.grant(1100), 1000);
  EXPECT_EQ(started.size(), 1u);
  EXPECT_EQ(queue.grant(2100), 2000);
  EXPECT_EQ(started, (Names{"a1", "a2"}));
  EXPECT_EQ(queue.grant(4100), std::nullopt);
  EXPECT_EQ(started, (Names{"a1", "a2", "a3"}));
}

TEST_F(Providers, ZeroIsNoLimit) {
  for (int i = 0; i < 50; ++i) ask(std::to_string(i), "a", 0);
  queue.grant(0);
  EXPECT_EQ(started.size(), 50u);
}

TEST_F(Providers, WhatWasStartedByAnEarlierDaemonCounts) {
  queue.hold("a");
  queue.hold("a");
  ask("a3", "a", 2);
  queue.grant(0);
  EXPECT_TRUE(started.empty());
  queue.leave("a");
  queue.grant(0);
  EXPECT_EQ(started, (Names{"a3"}));
}

TEST_F(Providers, ADroppedOneDoesNotHoldBackTheRest) {
  ask("a1", "a", 1);
  ask("a2", "a", 1);
  ask("a3", "a", 1);
  queue.grant(0);
  EXPECT_TRUE(queue.drop("a2"));
  EXPECT_FALSE(queue.drop("a2"));
  queue.leave("a");
  queue.grant(0);
  EXPECT_EQ(started, (Names{"a1", "a3"}));
}

TEST_F(Providers, AStartMayAskAndLeave) {
  queue.ask("a1", "a", {1, 0, 0}, [this] {
    queue.leave("a");
    ask("a2", "a", 1);
  });
  queue.grant(0);
  queue.grant(0);
  EXPECT_EQ(started, (Names{"a2"}));
}

TEST_F(Providers, OneNumberBoundsThemAll) {
  ask("a1", "a", 0, 0, 2);
  ask("none1", "", 0, 0, 2);
  ask("none2", "", 0, 0, 2);
  ask("b1", "b", 0, 0, 2);
  EXPECT_EQ(queue.grant(0), std::nullopt);
  EXPECT_EQ(started, (Names{"a1", "none1"}));
  EXPECT_EQ(queue.running(), 2);
  queue.leave("a");
  queue.grant(1);
  queue.leave("");
  queue.grant(2);
  EXPECT_EQ(started, (Names{"a1", "none1", "none2", "b1"})) << "in the order of asking";
}

TEST_F(Providers, WhoWaitsForItsProviderTakesNoPlaceOfOthers) {
  ask("a1", "a", 1, 0, 2);
  ask("a2", "a", 1, 0, 2);
  ask("b1", "b", 1, 0, 2);
  queue.grant(0);
  EXPECT_EQ(started, (Names{"a1", "b1"}));
}

TEST_F(Providers, WithoutAProviderNothingStaggers) {
  ask("none1", "", 1, 2000);
  ask("none2", "", 1, 2000);
  EXPECT_EQ(queue.grant(0), std::nullopt);
  EXPECT_EQ(started.size(), 2u);
}

TEST_F(Providers, WhatWasStartedByAnEarlierDaemonCountsAmongAll) {
  queue.hold("");
  queue.hold("a");
  ask("b1", "b", 0, 0, 2);
  queue.grant(0);
  EXPECT_TRUE(started.empty());
  queue.leave("a");
  queue.grant(0);
  EXPECT_EQ(started, (Names{"b1"}));
}

TEST(ProviderOf, AnAgentThatWorksWithAny) {
  model::RaceSpec spec;
  spec.config.agents = adapters::builtin();
  spec.config.agents["mine"] = {};
  const auto provider = [&](const std::string& id, const std::string& model) {
    return provider_of(spec, {id, id, model});
  };
  for (const auto* id :
       {"aider", "cline", "cn", "crush", "goose", "kilocode", "opencode", "openhands", "pi"}) {
    EXPECT_EQ(provider(id, "anthropic/claude-sonnet-4-5"), "anthropic");
    EXPECT_EQ(provider(id, "sonnet"), id);
    EXPECT_EQ(provider(id, ""), id);
    EXPECT_EQ(provider(id, "/odd"), id);
  }
  EXPECT_EQ(provider("claude", "other/model"), "anthropic") << "its own provider";
  EXPECT_EQ(provider("mine", "org/model"), "") << "nobody knows what it calls";
}

}  // namespace
}  // namespace hydra::race
