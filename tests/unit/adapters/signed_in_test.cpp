// Whether somebody is signed in with an agent: what each CLI really uses, not what merely lies there.
#include "adapters/adapters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using namespace hydra;
using Texts = std::map<std::string, std::string>;

struct SignInCase {
  const char* why;
  const char* agent;
  Texts variables, files;
  std::optional<bool> said;
  const char* state;
  const char* detail;
};

std::string sign_in_text(const SignInCase& c) {
  const auto find = [](const Texts& texts, const std::string& name) -> std::optional<std::string> {
    const auto it = texts.find(name);
    return it == texts.end() ? std::nullopt : std::optional(it->second);
  };
  const auto found = adapters::sign_in_of(
      adapters::builtin().at(c.agent),
      [&](const std::string& n) { return find(c.variables, n).value_or(""); },
      [&](const std::string& n) { return find(c.files, n); }, c.said, false);
  using State = adapters::SignIn::State;
  const char* state = found.state == State::yes ? "yes" : found.state == State::no ? "no" : "unknown";
  return std::string(state) + ": " + found.detail;
}

TEST(SignedIn, AnAgentOfWhichNoSignInIsDescribedNeedsNone) {
  const auto found = adapters::sign_in_of(
      model::AgentDescriptor{}, [](const auto&) { return ""; }, [](const auto&) { return std::nullopt; },
      std::nullopt, false);
  EXPECT_EQ(found.state, adapters::SignIn::State::yes);
  EXPECT_EQ(found.detail, "its configuration names no sign-in");
}

TEST(SignedIn, ByWhatEachCliReallyUses) {
  const SignInCase cases[] = {
      {"it wants CODEX_API_KEY", "codex", {{"OPENAI_API_KEY", "k"}}, {}, {}, "no", "CODEX_API_KEY"},
      {"", "codex", {{"CODEX_API_KEY", "k"}}, {}, {}, "yes", "CODEX_API_KEY is set"},
      {"", "codex", {}, {{".codex/auth.json", "{}"}}, true, "yes", "codex login status"},
      {"signed out", "codex", {}, {{".codex/auth.json", "{}"}}, false, "no", "codex login status"},
      {"a provider of the user's own",
       "codex",
       {{"MY_KEY", "k"}},
       {{".codex/config.toml", "[model_providers.x]\n  env_key = \"MY_KEY\"\n"}},
       false,
       "yes",
       "~/.codex/config.toml"},
      {"its variable is not set",
       "codex",
       {},
       {{".codex/config.toml", "[model_providers.x]\nenv_key = \"MY_KEY\"\n"}},
       {},
       "no",
       "~/.codex/config.toml holds no sign-in"},
      {"", "gemini", {}, {{".gemini/.env", "# mine\nGEMINI_API_KEY=abc\n"}}, {}, "yes", "~/.gemini/.env"},
      {"", "gemini", {}, {{".gemini/.env", "export GOOGLE_API_KEY = 'abc'\n"}}, {}, "yes", "~/.gemini/.env"},
      {"", "gemini", {}, {{".gemini/.env", "#GEMINI_API_KEY=abc\nGEMINI_API_KEY=\nA=1\n"}}, {}, "no", ".env"},
      {"", "gemini", {}, {{".gemini/oauth_creds.json", R"({"refresh_token":"r"})"}}, {}, "yes", "oauth"},
      {"", "gemini", {}, {{".gemini/oauth_creds.json", "{}"}}, {}, "no", "holds no sign-in"},
      {"", "qwen", {}, {{".qwen/settings.json", R"({"env":{"OPENAI_API_KEY":"k"}})"}}, {}, "yes", "settings"},
      {"", "qwen", {}, {{".qwen/settings.json", R"({"env":{"OPENAI_API_KEY":""}})"}}, {}, "no", "settings"},
      {"", "qwen", {}, {{".qwen/settings.json", R"({"model":{"name":"x"}})"}}, {}, "no", "settings"},
      {"what a start without a sign-in leaves",
       "copilot",
       {},
       {{".copilot/config.json", "// managed\n{\n  \"firstLaunchAt\": \"2026\"\n}\n"}},
       {},
       "no",
       "~/.copilot/config.json holds no sign-in"},
      {"signed out",
       "copilot",
       {},
       {{".copilot/config.json", R"({"loggedInUsers": [], "copilotTokens": {}})"}},
       {},
       "no",
       "holds no sign-in"},
      {"",
       "copilot",
       {},
       {{".copilot/config.json", R"({"loggedInUsers": [ {"host":"https://github.com","login":"me"} ]})"}},
       {},
       "yes",
       "config.json"},
      {"", "copilot", {}, {{".copilot/config.json", R"({"copilot_tokens":{"a":"t"}})"}}, {}, "yes", "config"},
      {"", "pi", {}, {{".pi/agent/auth.json", "{}"}}, {}, "no", "~/.pi/agent/auth.json holds no sign-in"},
      {"",
       "pi",
       {},
       {{".pi/agent/auth.json", R"({"openai":{"type":"api_key","key":"k"}})"}},
       {},
       "yes",
       "auth"},
      {"", "pi", {}, {{".pi/agent/models.json", R"({"providers":{}})"}}, {}, "no", "models.json"},
      {"its command needs the file",
       "cn",
       {{"OPENAI_API_KEY", "k"}},
       {},
       {},
       "no",
       "~/.continue/config.yaml"},
      {"", "cn", {}, {{".continue/config.yaml", "models:\n"}}, {}, "yes", "config.yaml"},
      {"its command is asked before a file counts",
       "claude",
       {},
       {{".claude/.credentials.json", "{}"}},
       false,
       "no",
       "claude auth status"},
      {"", "claude", {}, {{".claude/.credentials.json", "{}"}}, {}, "yes", "~/.claude/.credentials.json"},
  };
  for (const auto& c : cases) {
    const auto text = sign_in_text(c);
    EXPECT_TRUE(text.starts_with(std::string(c.state) + ": ")) << c.agent << " " << c.why << ": " << text;
    EXPECT_NE(text.find(c.detail), std::string::npos) << c.agent << " " << c.why << ": " << text;
  }
}

// An endpoint that only a key beside the sign-in needs is still seen by the agent.
TEST(SignedIn, CodexStillGetsTheKeyOfAProviderOfTheUsersOwn) {
  adapters::LaunchContext context;
  context.prompt = "p";
  context.user_env = {{"OPENAI_API_KEY", "k"}};
  const auto launch = adapters::plan_launch(adapters::builtin().at("codex"), context);
  ASSERT_TRUE(launch.ok());
  EXPECT_TRUE(std::any_of(launch->env.begin(), launch->env.end(),
                          [](const auto& e) { return e.first == "OPENAI_API_KEY"; }));
  EXPECT_EQ(std::count(launch->secrets.begin(), launch->secrets.end(), "OPENAI_API_KEY"), 1);
}

TEST(SignedIn, WhatIsSeededWithIt) {
  const auto seeds = [](const char* id, const std::string& source) {
    const auto all = adapters::seed_files(adapters::builtin().at(id).home_seed);
    return std::any_of(all.begin(), all.end(), [&](const auto& s) { return s.source == source; });
  };
  EXPECT_TRUE(seeds("gemini", ".gemini/.env"));
  EXPECT_TRUE(seeds("qwen", ".qwen/.env"));
  EXPECT_TRUE(seeds("copilot", ".copilot/settings.json"));
}

}  // namespace
