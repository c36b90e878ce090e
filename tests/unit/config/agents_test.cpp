#include "config/config.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

const std::vector<std::string> kKnown{"claude", "codex", "cursor-agent", "gemini", "Odd_Name"};

std::string show(std::string_view list) {
  const auto entries = config::parse_agents(list, kKnown);
  if (!entries.ok()) return "error: " + entries.error().message + " | " + entries.error().hint;
  std::string out;
  for (const auto& e : *entries) out += (out.empty() ? "" : " ") + e.name + "/" + e.id + "/" + e.model;
  return out;
}

TEST(Agents, Lists) {
  EXPECT_EQ(show("claude"), "claude/claude/");
  EXPECT_EQ(show("claude,codex:2,gemini=m"), "claude/claude/ codex/codex/ codex-2/codex/ gemini/gemini/m");
  EXPECT_EQ(show(" claude , codex "), "claude/claude/ codex/codex/");
  EXPECT_EQ(show("codex,codex=o3"), "codex/codex/ codex-2/codex/o3");
  EXPECT_EQ(show("codex:2=gpt,codex"), "codex/codex/gpt codex-2/codex/gpt codex-3/codex/");
  EXPECT_EQ(show("claude=a/b:c=d"), "claude/claude/a/b:c=d");
  EXPECT_EQ(show("cursor"), "cursor-agent/cursor-agent/");
  EXPECT_EQ(show("Odd_Name"), "Odd-Name/Odd_Name/");
}

TEST(Agents, Complaints) {
  EXPECT_NE(show("claud").find("did you mean 'claude'?"), std::string::npos);
  EXPECT_NE(show("zzz").find("known: claude, codex"), std::string::npos);
  for (const auto* bad : {"", ",", "claude,", "claude:0", "claude:x", "claude:65", "claude=", "claude:-1",
                          "=m", ":2", "claude=-x", "claude=a\x1b", "claude:2:3"})
    EXPECT_TRUE(show(bad).starts_with("error: ")) << bad;
  EXPECT_EQ(config::parse_agents("zzz", kKnown).error().code, Errc::usage);
}

TEST(Agents, ANameThatIsTakenCountsOn) {
  const auto entries = config::parse_agents("codex:2,codex-2", {"codex", "codex-2"});
  ASSERT_TRUE(entries.ok());
  EXPECT_EQ((*entries)[2].name, "codex-2-2");
  EXPECT_EQ((*entries)[2].id, "codex-2");
}

// A race is sent to the daemon and kept with exactly the agents that it can start.
TEST(Agents, ARaceKeepsThoseThatItStarts) {
  model::Config config;
  for (const auto& id : kKnown) config.agents[id].id = id;
  config.judges.resize(2);
  config.judges[0].agent = "cursor=m";
  config.judges[1].agent = "gemini";
  config.judges[1].command = "true";
  const auto kept = [&](const std::string& list) {
    auto one = config;
    config::keep_agents(one, *config::parse_agents(list, kKnown));
    std::string ids;
    for (const auto& [id, descriptor] : one.agents) ids += id + " ";
    return ids;
  };
  EXPECT_EQ(kept("claude:2=m"), "claude cursor-agent ");
  config.selection.testers = {"Odd_Name:2", "codex=m"};
  EXPECT_EQ(kept("claude"), "Odd_Name claude codex cursor-agent ");
  config.selection.testers = {"nobody"};
  EXPECT_EQ(kept("claude"), "Odd_Name claude codex cursor-agent gemini ");
}

}  // namespace
