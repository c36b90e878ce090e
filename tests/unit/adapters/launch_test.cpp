#include "adapters/adapters.hpp"
#include "config/config.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace hydra;
using Argv = std::vector<std::string>;

model::AgentDescriptor custom(const std::string& toml) {
  const auto loaded = config::load({{"hydra.toml", "[agents.mine]\n" + toml}}, {});
  for (const auto& e : loaded.errors) ADD_FAILURE() << describe(e);
  return loaded.config.agents.at("mine");
}

adapters::LaunchContext context(std::string prompt = "do it") {
  adapters::LaunchContext c;
  c.prompt = std::move(prompt);
  c.prompt_file = "/run/prompt.txt";
  c.worktree = "/work tree";
  c.run_dir = "/run";
  c.private_home = "/run/home";
  c.session_uuid = "1-2-3";
  c.attempt = "att";
  c.timeout_seconds = 90;
  c.user_env = {{"PATH", "/bin"}, {"HOME", "/home/u"}, {"SECRET_THING", "x"}};
  return c;
}

std::optional<std::string> env(const adapters::Launch& launch, const std::string& name) {
  for (const auto& [n, v] : launch.env)
    if (n == name) return v;
  return std::nullopt;
}

bool secret(const adapters::Launch& launch, const std::string& name) {
  return std::find(launch.secrets.begin(), launch.secrets.end(), name) != launch.secrets.end();
}

TEST(Launch, ACustomAgent) {
  const auto d = custom("command = [\"my-agent\", \"--go\", \"{prompt}\"]\n");
  const auto launch = adapters::plan_launch(d, context());
  ASSERT_TRUE(launch.ok());
  EXPECT_EQ(launch->argv, (Argv{"my-agent", "--go", "do it"}));
  EXPECT_FALSE(launch->prompt_on_stdin);
}

TEST(Launch, ACustomTextAgentIsJudgedByItsExit) {
  const auto d = custom("command = [\"my-agent\", \"{prompt}\"]\n");
  adapters::StreamReader reader(d);
  reader.feed("working\nall done\n");
  reader.finish();
  adapters::RunEnd end;
  end.how = adapters::RunEnd::How::exited;
  end.wall_ms = 60'000;
  EXPECT_EQ(adapters::judge(d, reader, end).outcome, model::Outcome::completed);
  EXPECT_EQ(adapters::judge(d, reader, end).final_text, "working\nall done");
  end.code = 3;
  EXPECT_EQ(adapters::judge(d, reader, end).outcome, model::Outcome::failed);
}

TEST(Launch, TheEnvironmentIsAnAllowList) {
  auto c = context();
  c.user_env = {{"PATH", "/bin"},
                {"HOME", "/home/u"},
                {"MY_TOKEN", "t"},
                {"OTHER", "x"},
                {"GIT_DIR", "/evil"},
                {"https_proxy", "http://p"},
                {"ACME_KEY", "k"},
                {"ACME_URL", "u"},
                {"LD_PRELOAD", "x"},
                {"CLAUDECODE", "1"},
                {"HTTP_PROXY", "http://me:word@proxy"},
                {"TERM", "xterm"},
                {"GIT_ASKPASS", "x"}};
  const auto plain = adapters::plan_launch(custom("command = [\"a\"]\n"), c);
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(env(*plain, "PATH"), "/bin");
  EXPECT_EQ(env(*plain, "https_proxy"), "http://p");
  for (const auto* name :
       {"MY_TOKEN", "OTHER", "GIT_DIR", "ACME_KEY", "LD_PRELOAD", "CLAUDECODE", "GIT_ASKPASS"})
    EXPECT_FALSE(env(*plain, name)) << name;
  EXPECT_EQ(env(*plain, "TERM"), "dumb");
  EXPECT_EQ(env(*plain, "NO_COLOR"), "1");
  EXPECT_EQ(env(*plain, "CI"), "1");
  EXPECT_EQ(env(*plain, "GIT_TERMINAL_PROMPT"), "0");
  EXPECT_EQ(env(*plain, "GIT_EDITOR"), "true");
  EXPECT_EQ(env(*plain, "PAGER"), "cat");
  EXPECT_EQ(env(*plain, "HYDRA_RUN_ID"), "att");
  EXPECT_TRUE(secret(*plain, "HTTP_PROXY"));
  EXPECT_FALSE(secret(*plain, "https_proxy"));

  const auto more = adapters::plan_launch(custom("command = [\"a\"]\nenv_pass = [\"ACME_*\", \"GIT_*\"]\nenv "
                                                 "= { WHERE = \"{worktree}\" }\nauth.env = [\"MY_TOKEN\"]\n"),
                                          c);
  ASSERT_TRUE(more.ok());
  EXPECT_EQ(env(*more, "ACME_KEY"), "k");
  EXPECT_TRUE(secret(*more, "ACME_KEY"));
  EXPECT_EQ(env(*more, "ACME_URL"), "u");
  EXPECT_FALSE(secret(*more, "ACME_URL"));
  EXPECT_EQ(env(*more, "MY_TOKEN"), "t");
  EXPECT_TRUE(secret(*more, "MY_TOKEN"));
  EXPECT_EQ(env(*more, "WHERE"), "/work tree");
  EXPECT_FALSE(env(*more, "GIT_DIR"));  // never, whatever the pattern says
}

}  // namespace
