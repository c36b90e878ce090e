#include "config/config.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

config::Loaded load(const std::string& text,
                    const std::map<std::string, model::AgentDescriptor>& builtin = {}) {
  return config::load({{"hydra.toml", text}}, builtin);
}

std::string only(const config::Loaded& loaded) {
  if (loaded.errors.size() != 1) {
    std::string all = std::to_string(loaded.errors.size()) + " errors";
    for (const auto& e : loaded.errors) all += "\n" + describe(e);
    return all;
  }
  return describe(loaded.errors[0]);
}

// Exactly as the specification prints it.
constexpr const char* kSpec = R"([scoring]
weights = { build = 30, tests = 30, lint = 15, diff_size = 15, speed = 10 }
build_command = "npm run build"
test_command = "npm test"
lint_command = "npm run lint"
timeout_per_check_seconds = 120

[scoring.thresholds]
auto_merge_minimum = 85.0    # Auto-merge if winner scores above this
fail_maximum = 30.0          # Flag as "all agents failed" below this
)";

TEST(Load, TheSpecificationsFile) {
  const auto loaded = load(kSpec);
  EXPECT_TRUE(loaded.errors.empty()) << only(loaded);
  const auto& s = loaded.config.scoring;
  EXPECT_EQ(s.build_command, "npm run build");
  EXPECT_EQ(s.test_command, "npm test");
  EXPECT_EQ(s.lint_command, "npm run lint");
  EXPECT_EQ(s.timeout_per_check_seconds, 120);
  EXPECT_EQ(s.weights.build, 30);
  EXPECT_EQ(s.weights.speed, 10);
  EXPECT_EQ(s.thresholds.auto_merge_minimum, 85.0);
  EXPECT_EQ(s.thresholds.fail_maximum, 30.0);
  EXPECT_FALSE(loaded.config.merge.automatic);
}

TEST(Load, AnEmptyFileHasTheDefaults) {
  const auto loaded = load("");
  EXPECT_TRUE(loaded.errors.empty());
  EXPECT_EQ(loaded.config.scoring.weights.diff_size, 15);
  EXPECT_FALSE(loaded.config.scoring.build_command);
  EXPECT_EQ(loaded.config.sandbox.mode, model::SandboxMode::required);
}

TEST(Load, ACustomAgentNeedsACommandOnly) {
  const auto loaded = load("[agents.mine]\ncommand = [\"my-agent\", \"{prompt}\"]\n");
  ASSERT_TRUE(loaded.errors.empty()) << only(loaded);
  const auto& agent = loaded.config.agents.at("mine");
  EXPECT_EQ(agent.id, "mine");
  EXPECT_EQ(agent.command, (std::vector<std::string>{"my-agent", "{prompt}"}));
  EXPECT_EQ(agent.stream.format, model::StreamFormat::text);
  EXPECT_TRUE(agent.env_pass.empty());
}

}  // namespace
