#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
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

TEST(Load, EveryKeySetsItsMember) {
  const auto loaded = load(R"(
[scoring]
weights = { build = 1, tests = 2.5, lint = 3, diff_size = 4, speed = 0 }
timeout_per_check_seconds = 0.5
[workspace]
checks = "in_place"
setup = "npm ci"
setup_network = true
copy = [".env"]
share = ["node_modules", "**/node_modules"]
outputs = ["build", "**/dist", "*.tsbuildinfo"]
warm = "npm run warm"
caches = ["npm", "~/.cache/x"]
read = ["../sibling", "/opt/x"]
[limits]
disk_gib = 1.5
agent_timeout_seconds = 60
agents = 2
checks = 3
retries = 2
memory_bytes = 8_000_000_000
processes = 512
[sandbox]
mode = "auto"
check_network = true
read = ["~/.cargo"]
write = ["/var/cache/x"]
[merge]
auto = true
style = "squash"
message = "{task}"
[notify]
command = ["tell", "{x}"]
webhook = "https://example.org/hook"
[race]
agents = ["mine:2"]
[agents.mine]
command = ["x"]
)");
  ASSERT_TRUE(loaded.errors.empty()) << only(loaded);
  const auto& c = loaded.config;
  EXPECT_EQ(c.scoring.weights.tests, 2.5);
  EXPECT_EQ(c.scoring.weights.speed, 0);
  EXPECT_EQ(c.scoring.timeout_per_check_seconds, 0.5);
  EXPECT_EQ(c.workspace.checks, model::CheckPlace::in_place);
  EXPECT_EQ(c.workspace.setup, "npm ci");
  EXPECT_TRUE(c.workspace.setup_network);
  EXPECT_EQ(c.workspace.read, (std::vector<std::string>{"../sibling", "/opt/x"}));
  EXPECT_EQ(c.workspace.copy, (std::vector<std::string>{".env"}));
  EXPECT_EQ(c.workspace.share, (std::vector<std::string>{"node_modules", "**/node_modules"}));
  EXPECT_EQ(c.workspace.outputs, (std::vector<std::string>{"build", "**/dist", "*.tsbuildinfo"}));
  EXPECT_EQ(c.workspace.warm, "npm run warm");
  EXPECT_EQ(c.workspace.caches, (std::vector<std::string>{"npm", "~/.cache/x"}));
  EXPECT_EQ(c.limits.disk_gib, 1.5);
  EXPECT_EQ(c.notify.command, (std::vector<std::string>{"tell", "{x}"}));
  EXPECT_EQ(c.notify.webhook, "https://example.org/hook");
  EXPECT_EQ(c.limits.agent_timeout_seconds, 60);
  EXPECT_EQ(c.limits.agents, 2);
  EXPECT_EQ(c.limits.checks, 3);
  EXPECT_EQ(c.limits.retries, 2);
  EXPECT_EQ(c.limits.memory_bytes, 8'000'000'000u);
  EXPECT_EQ(c.limits.processes, 512);
  EXPECT_EQ(c.sandbox.mode, model::SandboxMode::automatic);
  EXPECT_TRUE(c.sandbox.check_network);
  EXPECT_EQ(c.sandbox.read, (std::vector<std::string>{"~/.cargo"}));
  EXPECT_EQ(c.sandbox.write, (std::vector<std::string>{"/var/cache/x"}));
  EXPECT_TRUE(c.merge.automatic && c.merge.style == model::MergeStyle::squash);
  EXPECT_EQ(c.merge.message, "{task}");
  EXPECT_EQ(c.default_agents, (std::vector<std::string>{"mine:2"}));
}

TEST(Load, LaterLayersWinKeyByKey) {
  const auto loaded =
      config::load({{"user",
                     "[scoring]\ntest_command = \"a\"\nlint_command = \"l\"\nweights.build = 1\n"
                     "[agents.claude]\ncommand = [\"/opt/claude\"]\n"},
                    {"project",
                     "[scoring]\ntest_command = \"b\"\nweights = { tests = 2 }\n"
                     "[agents.claude]\nenv_pass = [\"X_*\"]\n"}},
                   adapters::builtin());
  ASSERT_TRUE(loaded.errors.empty()) << only(loaded);
  EXPECT_EQ(loaded.config.scoring.test_command, "b");
  EXPECT_EQ(loaded.config.scoring.lint_command, "l");
  EXPECT_EQ(loaded.config.scoring.weights.build, 1);
  EXPECT_EQ(loaded.config.scoring.weights.tests, 2);
  EXPECT_EQ(loaded.config.scoring.weights.lint, 15);
  const auto& claude = loaded.config.agents.at("claude");
  EXPECT_EQ(claude.command, (std::vector<std::string>{"/opt/claude"}));
  EXPECT_EQ(claude.env_pass, (std::vector<std::string>{"X_*"}));
  EXPECT_EQ(claude.stream.format, model::StreamFormat::jsonl);
  EXPECT_EQ(claude.display, "Claude Code");
}

TEST(Load, AWeightOfTheLowerLayerCanBeTakenAway) {
  const auto loaded = config::load(
      {{"user", "[scoring]\nweights = { build = 0, tests = 0, lint = 0, diff_size = 0, speed = 0 }\n"},
       {"project", "[scoring]\nweights = { tests = 1 }\n"}},
      {});
  EXPECT_TRUE(loaded.errors.empty()) << only(loaded);
}

TEST(Load, AnAliasExtendsItsAgent) {
  const auto extended = load("[agents.cursor]\nenv_pass = [\"X\"]\n", adapters::builtin());
  ASSERT_TRUE(extended.errors.empty()) << only(extended);
  EXPECT_FALSE(extended.config.agents.contains("cursor"));
  EXPECT_EQ(extended.config.agents.at("cursor-agent").env_pass, (std::vector<std::string>{"X"}));
  const auto own = load("[agents.cursor]\ncommand = [\"mine\"]\n", adapters::builtin());
  EXPECT_EQ(own.config.agents.at("cursor").stream.format, model::StreamFormat::text);
}

TEST(Load, AVariantTakesWhatItDoesNotSay) {
  const auto loaded = config::load({{"user", "[agents.claude]\nenv_pass = [\"X\"]\n"},
                                    {"project",
                                     "[agents.a]\nlike = \"claude-b\"\ndisplay = \"A\"\n"
                                     "[agents.claude-b]\nlike = \"claude\"\nmodel = \"opus\"\n"
                                     "prompt_prefix = \"Test first.\"\n[agents.c]\nlike = \"cursor\"\n"}},
                                   adapters::builtin());
  ASSERT_TRUE(loaded.errors.empty()) << only(loaded);
  const auto& agents = loaded.config.agents;
  const auto& claude = agents.at("claude");
  EXPECT_EQ(claude.kind(), "claude");
  for (const auto* name : {"a", "claude-b"}) {
    const auto& variant = agents.at(name);
    EXPECT_EQ(variant.id, name);
    EXPECT_EQ(variant.kind(), "claude");
    EXPECT_EQ(variant.model, "opus");
    EXPECT_EQ(variant.prompt_prefix, "Test first.");
    EXPECT_EQ(variant.env_pass, (std::vector<std::string>{"X"}));
    EXPECT_EQ(variant.command, claude.command);
    EXPECT_EQ(variant.home_personal, claude.home_personal);
  }
  EXPECT_EQ(agents.at("a").display, "A");
  EXPECT_EQ(agents.at("claude-b").display, "claude-b");
  EXPECT_EQ(agents.at("c").kind(), "cursor-agent");
}

TEST(Load, ALaterFileChangesAVariant) {
  const auto loaded = config::load({{"user", "[agents.b]\nlike = \"claude\"\nmodel = \"opus\"\n"},
                                    {"project", "[agents.b]\nprompt_prefix = \"Test first.\"\n"}},
                                   adapters::builtin());
  ASSERT_TRUE(loaded.errors.empty()) << only(loaded);
  EXPECT_EQ(loaded.config.agents.at("b").model, "opus");
  EXPECT_EQ(loaded.config.agents.at("b").kind(), "claude");
}

TEST(Load, AWholeDescriptor) {
  const auto loaded = load(R"(
[agents.mine]
display = "Mine"
command = ["mine", "{?model:-m}", "{?model}", "{prompt}"]
long_command = ["mine"]
env = { A = "{run_dir}/x" }
stop = [{ signal = "TERM", wait_seconds = 2.5 }, { signal = "SIGKILL", wait_seconds = 0 }]
exit.ok = [0, 3]
exit.ignore = true
exit.class = { 41 = "auth" }
home.policy = "per_run"
home.variable = "MINE_HOME"
home.seed = [".mine/auth.json? -> auth.json"]
home.write = { "settings.json" = "{}" }
[agents.mine.stream]
format = "jsonl"
progress = [{ type = "a" }, { "/b/c" = 1 }]
terminal_when = { type = "end", "/x/y" = true }
usage = { mode = "sum", when = { type = "u" }, input = "/in" }
)");
  ASSERT_TRUE(loaded.errors.empty()) << only(loaded);
  const auto& d = loaded.config.agents.at("mine");
  EXPECT_EQ(d.display, "Mine");
  ASSERT_EQ(d.stop.size(), 2u);
  EXPECT_EQ(d.stop[0].signal, 15);
  EXPECT_EQ(d.stop[0].wait_seconds, 2.5);
  EXPECT_EQ(d.stop[1].signal, 9);
  EXPECT_EQ(d.ok_exit, (std::vector<int>{0, 3}));
  EXPECT_TRUE(d.ignore_exit_code);
  EXPECT_EQ(d.exit_class.at(41), "auth");
  EXPECT_EQ(d.home, model::HomePolicy::per_run);
  EXPECT_EQ(d.home_write.at("settings.json"), "{}");
  ASSERT_EQ(d.stream.progress.size(), 2u);
  EXPECT_EQ(d.stream.progress[0][0].pointer, "/type");
  EXPECT_EQ(d.stream.progress[1][0].pointer, "/b/c");
  EXPECT_EQ(d.stream.progress[1][0].equals, "1");
  EXPECT_EQ(d.stream.terminal_when.size(), 2u);
  EXPECT_EQ(d.stream.usage.mode, model::UsageMode::sum);
  EXPECT_EQ(d.stream.usage.input, "/in");
}

// A file in a directory of the repository: its commands run there, and its paths are meant from there.
TEST(Load, AFileBelowTheRootSpeaksOfItsOwnDirectory) {
  auto loaded =
      config::load({{"hydra.toml",
                     "[scoring]\ntest_command = \"npm test\"\n[workspace]\nshare = [\"node_modules\"]\n"
                     "outputs = [\"dist\", \"**/out\"]\nread = [\"../lib\", \"/opt/x\"]\n"
                     "[evaluation]\nprotected = [\"*.golden\", \"!test/data\", \"ci/check.sh\"]\n"}},
                   {});
  for (const auto& e : loaded.errors) ADD_FAILURE() << describe(e);
  auto& config = loaded.config;
  config::stands_in(config, "");
  EXPECT_EQ(config.workspace.directory, "");
  config::stands_in(config, "web/app");
  using List = std::vector<std::string>;
  EXPECT_EQ(config.workspace.directory, "web/app");
  EXPECT_EQ(config.workspace.share, List{"web/app/node_modules"});
  EXPECT_EQ(config.workspace.outputs, (List{"web/app/dist", "web/app/**/out"}));
  EXPECT_EQ(config.workspace.read, (List{"web/app/../lib", "/opt/x"}));
  EXPECT_EQ(config.evaluation.protected_paths, (List{"*.golden", "web/app/ci/check.sh"}));
  EXPECT_EQ(config.evaluation.unprotected_paths, List{"web/app/test/data"});
}

TEST(Descriptor, NeedsItsSchemaAndOneAgent) {
  EXPECT_TRUE(config::parse_descriptor("a.toml", "schema = 1\n[agent.a]\ncommand = [\"a\"]\n").ok());
  for (const auto* bad :
       {"[agent.a]\ncommand = [\"a\"]\n", "schema = 2\n[agent.a]\ncommand = [\"a\"]\n", "schema = 1\n",
        "schema = 1\n[agent.a]\n", "schema = 1\n[agent.a_b]\ncommand = [\"a\"]\n",
        "schema = ", "schema = 1\nx = 1\n[agent.a]\ncommand = [\"a\"]\n",
        "schema = 1\n[agent.a]\ncommand = [\"a\"]\nx = 1\n",
        "schema = 1\n[agent.a]\ncommand = [\"a\"]\n[agent.b]\ncommand = [\"a\"]\n"})
    EXPECT_FALSE(config::parse_descriptor("a.toml", bad).ok()) << bad;
  EXPECT_EQ(
      config::parse_descriptor("a.toml", "schema = 1\n[agent.a]\ncommand = [\"a\"]\nx = 1\n").error().where,
      "a.toml:4:1");
}

// HYDRA_REGENERATE=1 writes the file instead of checking it.
TEST(Example, TheCommittedFileIsTheGeneratedOne) {
  const auto path = places::source("/hydra.toml.example");
  if (std::getenv("HYDRA_REGENERATE") != nullptr) std::ofstream(path, std::ios::binary) << config::example();
  EXPECT_EQ(read_file(path).value_or("missing"), config::example());
}

/// Takes every setting in; returns their number too.
std::pair<std::string, int> taken_in(const std::string& text) {
  std::string open;
  int settings = 0;
  for (const auto line : lines(text)) {
    const bool setting = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    settings += setting;
    open += std::string(setting ? line.substr(1) : line) + "\n";
  }
  return {open, settings};
}

TEST(Example, HasTheTwelveKeysThatMostProjectsSet) {
  const auto [open, settings] = taken_in(config::example());
  EXPECT_EQ(settings, 12);
  const auto loaded = load(open, adapters::builtin());
  EXPECT_TRUE(loaded.errors.empty()) << only(loaded);
}

TEST(Example, LoadsAsItIsAndWithEverySettingTakenIn) {
  const auto text = config::all_keys();
  EXPECT_TRUE(load(text, adapters::builtin()).errors.empty());
  const auto [open, settings] = taken_in(text);
  EXPECT_GT(settings, 80);
  const auto loaded = load(open, adapters::builtin());
  EXPECT_TRUE(loaded.errors.empty()) << only(loaded);
  // The values printed there are the defaults.
  const model::Config defaults;
  EXPECT_EQ(loaded.config.limits.agent_timeout_seconds, defaults.limits.agent_timeout_seconds);
  EXPECT_EQ(loaded.config.limits.disk_free_mib, defaults.limits.disk_free_mib);
  EXPECT_EQ(loaded.config.scoring.weights.lint, defaults.scoring.weights.lint);
  EXPECT_EQ(loaded.config.agents.at("my-agent").stream.max_line_bytes, 32u << 20);
}

TEST(Example, EveryKeyOfTheSpecificationIsThere) {
  const auto text = config::all_keys();
  for (const auto* key :
       {"weights = { build = 30, tests = 30, lint = 15, diff_size = 15, speed = 10, judges = 0 }",
        "build_command", "test_command", "lint_command", "timeout_per_check_seconds = 120",
        "auto_merge_minimum = 85", "fail_maximum = 30"})
    EXPECT_NE(text.find(key), std::string::npos) << key;
}

}  // namespace
