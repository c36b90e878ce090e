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

const model::AgentDescriptor& builtin(const std::string& id) { return adapters::builtin().at(id); }

TEST(Launch, TheDocumentedCommandsOfTheBuiltIns) {
  auto c = context();
  EXPECT_EQ(adapters::plan_launch(builtin("claude"), c)->argv,
            (Argv{"claude", "-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages",
                  "--session-id", "1-2-3", "--dangerously-skip-permissions"}));
  c.model = "m1";
  EXPECT_EQ(adapters::plan_launch(builtin("claude"), c)->argv,
            (Argv{"claude", "-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages",
                  "--session-id", "1-2-3", "--model", "m1", "--dangerously-skip-permissions"}));
  EXPECT_EQ(adapters::plan_launch(builtin("codex"), c)->argv,
            (Argv{"codex", "exec", "--json", "--skip-git-repo-check", "-c", "allow_login_shell=false", "-C",
                  "/work tree", "-m", "m1", "--dangerously-bypass-approvals-and-sandbox", "-"}));
  EXPECT_EQ(adapters::plan_launch(builtin("gemini"), c)->argv,
            (Argv{"gemini", "-p", "do it", "-o", "stream-json", "--approval-mode=yolo", "--skip-trust", "-m",
                  "m1"}));
  EXPECT_EQ(
      adapters::plan_launch(builtin("opencode"), c)->argv,
      (Argv{"opencode", "run", "--format", "json", "--auto", "-m", "m1", "--dir", "/work tree", "do it"}));
  EXPECT_EQ(adapters::plan_launch(builtin("cursor-agent"), c)->argv,
            (Argv{"cursor-agent", "-p", "--output-format", "stream-json", "--trust", "--force", "--workspace",
                  "/work tree", "--model", "m1", "do it"}));
  for (const auto* id : {"claude", "codex"})
    EXPECT_TRUE(adapters::plan_launch(builtin(id), c)->prompt_on_stdin) << id;
  for (const auto* id : {"gemini", "opencode", "cursor-agent"})
    EXPECT_FALSE(adapters::plan_launch(builtin(id), c)->prompt_on_stdin) << id;
}

TEST(Launch, EnvironmentOfTheBuiltIns) {
  auto c = context();
  c.user_env = {{"HOME", "/home/u"},
                {"ANTHROPIC_API_KEY", "k1"},
                {"CLAUDE_CODE_OAUTH_TOKEN", "t1"},
                {"CLAUDE_CODE_ENTRYPOINT", "cli"},
                {"CLAUDE_CODE_SSE_PORT", "1"},
                {"CLAUDECODE", "1"},
                {"CODEX_API_KEY", "k2"},
                {"CODEX_HOME", "/x"},
                {"OPENAI_API_KEY", "k3"},
                {"GEMINI_API_KEY", "k4"},
                {"AWS_SECRET_ACCESS_KEY", "k5"},
                {"CLAUDE_CONFIG_DIR", "/own"}};
  c.root = true;
  const auto claude = *adapters::plan_launch(builtin("claude"), c);
  EXPECT_EQ(env(claude, "ANTHROPIC_API_KEY"), "k1");
  EXPECT_EQ(env(claude, "CLAUDE_CODE_OAUTH_TOKEN"), "t1");
  EXPECT_EQ(env(claude, "CLAUDE_CONFIG_DIR"), "/run/home");
  EXPECT_EQ(env(claude, "IS_SANDBOX"), "1");
  EXPECT_FALSE(env(claude, "AWS_SECRET_ACCESS_KEY"));
  EXPECT_TRUE(secret(claude, "CLAUDE_CODE_OAUTH_TOKEN"));
  EXPECT_FALSE(secret(claude, "CLAUDE_CONFIG_DIR"));
  for (const auto* name : {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "OPENAI_API_KEY"})
    EXPECT_FALSE(env(claude, name)) << name;
  const auto codex = *adapters::plan_launch(builtin("codex"), c);
  EXPECT_EQ(env(codex, "CODEX_API_KEY"), "k2");
  EXPECT_EQ(env(codex, "OPENAI_API_KEY"), "k3");
  EXPECT_EQ(env(codex, "CODEX_HOME"), "/run/home");
  EXPECT_FALSE(env(codex, "ANTHROPIC_API_KEY"));
  c.root = false;
  EXPECT_FALSE(env(*adapters::plan_launch(builtin("claude"), c), "IS_SANDBOX"));
  EXPECT_EQ(env(*adapters::plan_launch(builtin("opencode"), c), "XDG_DATA_HOME"), "/run/home");
}

TEST(Launch, ThePromptIsNeverReadAgain) {
  const auto d =
      custom("command = [\"a\", \"--in={worktree}\", \"--p={prompt}\", \"{{prompt}\", \"{\\\"x\\\":1}\"]\n");
  const auto launch = adapters::plan_launch(d, context("{worktree} $(x) `y` \"q\"\n'z' {model}"));
  ASSERT_TRUE(launch.ok());
  EXPECT_EQ(launch->argv, (Argv{"a", "--in=/work tree", "--p={worktree} $(x) `y` \"q\"\n'z' {model}",
                                "{prompt}", "{\"x\":1}"}));
}

TEST(Launch, PromptsThatLookLikeOptions) {
  // A custom agent gets its bytes as they are.
  EXPECT_EQ(adapters::plan_launch(custom("command = [\"a\", \"{prompt}\"]\n"), context("-rf"))->argv,
            (Argv{"a", "-rf"}));
  // The built-ins take them on stdin where an argument would be read as an option.
  for (const auto* id : {"claude", "codex", "gemini", "opencode", "cursor-agent"}) {
    const auto launch = *adapters::plan_launch(builtin(id), context("--help me"));
    EXPECT_TRUE(launch.prompt_on_stdin) << id;
    for (const auto& a : launch.argv) EXPECT_EQ(a.find("help"), std::string::npos) << id;
  }
}

TEST(Launch, LongPrompts) {
  const std::string prompt(200'000, 'x');
  for (const auto* id : {"claude", "codex", "gemini", "opencode", "cursor-agent"}) {
    const auto launch = adapters::plan_launch(builtin(id), context(prompt));
    ASSERT_TRUE(launch.ok()) << id;
    EXPECT_TRUE(launch->prompt_on_stdin) << id;
  }
  const auto no = adapters::plan_launch(custom("command = [\"a\", \"{prompt}\"]\n"), context(prompt));
  ASSERT_FALSE(no.ok());
  EXPECT_EQ(no.error().code, Errc::usage);
  EXPECT_EQ(
      adapters::plan_launch(custom("command = [\"a\", \"-f\", \"{prompt_file}\"]\n"), context(prompt))->argv,
      (Argv{"a", "-f", "/run/prompt.txt"}));
  EXPECT_TRUE(adapters::plan_launch(custom("command = [\"a\"]\nprompt = \"stdin\"\n"), context(prompt))
                  ->prompt_on_stdin);
  // A single argument holds 131071 bytes and the NUL.
  EXPECT_TRUE(
      adapters::plan_launch(custom("command = [\"a\", \"{prompt}\"]\n"), context(prompt.substr(0, 131071)))
          .ok());
  EXPECT_FALSE(
      adapters::plan_launch(custom("command = [\"a\", \"{prompt}\"]\n"), context(prompt.substr(0, 131072)))
          .ok());
}

TEST(Launch, WhereThePromptGoesByItself) {
  EXPECT_EQ(adapters::plan_launch(custom("command = [\"a\"]\n"), context())->argv, (Argv{"a", "do it"}));
  EXPECT_EQ(adapters::plan_launch(custom("command = [\"a\"]\nprompt = \"file\"\n"), context())->argv,
            (Argv{"a", "/run/prompt.txt"}));
  const auto stdin_launch =
      *adapters::plan_launch(custom("command = [\"a\"]\nprompt = \"stdin\"\n"), context());
  EXPECT_EQ(stdin_launch.argv, (Argv{"a"}));
  EXPECT_TRUE(stdin_launch.prompt_on_stdin);
}

TEST(Launch, Conditions) {
  const auto d = custom(
      "command = [\"a\", \"{?model:--model={model}}\", \"{?model:-m}\", \"{?model}\", \"{timeout_s}\", "
      "\"{prompt}\"]\n");
  auto c = context();
  EXPECT_EQ(adapters::plan_launch(d, c)->argv, (Argv{"a", "90", "do it"}));
  c.model = "x/y:z";
  EXPECT_EQ(adapters::plan_launch(d, c)->argv, (Argv{"a", "--model=x/y:z", "-m", "x/y:z", "90", "do it"}));
}

TEST(Launch, ANulIsRefused) {
  const auto launch = adapters::plan_launch(custom("command = [\"a\"]\n"), context(std::string("a\0b", 3)));
  ASSERT_FALSE(launch.ok());
  EXPECT_EQ(launch.error().code, Errc::usage);
}

// The sandbox hides the user's home: a sign-in of which no copy is made there is none.
TEST(Launch, EverySignInFileOfABuiltInIsSeeded) {
  for (const auto& [id, d] : adapters::builtin())
    for (const auto& file : d.auth_files) {
      const auto seeds = adapters::seed_files(d.home_seed);
      EXPECT_TRUE(std::any_of(
          seeds.begin(), seeds.end(),
          [&, f = file](const auto& seed) { return seed.source == f || f.starts_with(seed.source + "/"); }))
          << id << " " << file;
    }
}

// A file that is carried back to the user must be a sign-in and nothing else: configuration may name
// commands, servers or permissions.
TEST(Launch, NoConfigurationIsCarriedBack) {
  const auto rotates = [](const char* id) { return adapters::builtin().at(id).auth_rotates; };
  EXPECT_EQ(rotates("pi"), (Argv{".pi/agent/auth.json"}));
  EXPECT_EQ(rotates("kimi"), (Argv{".kimi-code/credentials/kimi-code.json"}));
  EXPECT_EQ(rotates("cursor-agent"), (Argv{".config/cursor/auth.json"}));
  EXPECT_EQ(rotates("opencode"), (Argv{".local/share/opencode/auth.json"}));
  EXPECT_EQ(rotates("kilocode"), (Argv{".local/share/kilo/auth.json"}));
}

TEST(Launch, AFileOfTheHomeIsWhereTheXdgVariablesSay) {
  EXPECT_EQ(adapters::home_file("/h", ".config/a/b", "/c", "/d"), "/c/a/b");
  EXPECT_EQ(adapters::home_file("/h", ".local/share/a", "/c", "/d"), "/d/a");
  EXPECT_EQ(adapters::home_file("/h", ".config/a", "", ""), "/h/.config/a");
  EXPECT_EQ(adapters::home_file("/h", ".config/a", "relative", ""), "/h/.config/a");
  EXPECT_EQ(adapters::home_file("/h", ".codex/auth.json", "/c", "/d"), "/h/.codex/auth.json");
}

TEST(Launch, ALongMessageToAResumedSession) {
  const std::string prompt(200'000, 'x');
  for (const auto* id : {"gemini", "opencode", "kilocode", "qwen", "cursor-agent"}) {
    auto c = context(prompt);
    c.session = "s-1";
    const auto launch = adapters::plan_launch(builtin(id), c);
    ASSERT_TRUE(launch.ok()) << id;
    EXPECT_TRUE(launch->prompt_on_stdin) << id;
    const auto& resume = builtin(id).resume_command;
    const bool named = std::find(resume.begin(), resume.end(), "{session}") != resume.end();
    EXPECT_EQ(std::find(launch->argv.begin(), launch->argv.end(), "s-1") != launch->argv.end(), named) << id;
    EXPECT_NE(launch->argv.back(), "-p") << id;
  }
  auto c = context(prompt);
  c.session = "s-1";
  EXPECT_EQ(adapters::plan_launch(builtin("pi"), c)->argv,
            (Argv{"pi", "-p", "--mode", "json", "-ne", "--session", "s-1", "@/run/prompt.txt"}));
  c.prompt = "--help";
  EXPECT_TRUE(adapters::plan_launch(builtin("qwen"), c)->prompt_on_stdin) << "no option of its own";
}

TEST(Launch, SessionsThatARetryGoesOnWith) {
  auto c = context();
  const auto copilot = adapters::plan_launch(builtin("copilot"), c)->argv;
  const auto at = std::find(copilot.begin(), copilot.end(), "--session-id");
  ASSERT_NE(at, copilot.end());
  EXPECT_EQ(*(at + 1), "1-2-3");
  c.session = "abc";
  EXPECT_EQ(adapters::plan_launch(builtin("pi"), c)->argv,
            (Argv{"pi", "-p", "--mode", "json", "-ne", "--session", "abc", "do it"}));
}

}  // namespace
