#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "config/config.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace hydra;

model::AgentDescriptor stream(const std::string& rules) {
  const auto loaded =
      config::load({{"hydra.toml", "[agents.mine]\ncommand = [\"a\"]\n[agents.mine.stream]\n" + rules}}, {});
  for (const auto& e : loaded.errors) ADD_FAILURE() << describe(e);
  return loaded.config.agents.at("mine");
}

adapters::StreamSummary read(const model::AgentDescriptor& d, std::string_view bytes) {
  adapters::StreamReader reader(d);
  reader.feed(bytes);
  reader.finish();
  return reader.summary();
}

constexpr const char* kRules =
    "format = \"jsonl\"\nmax_line_bytes = 1024\nterminal_when = { type = \"end\" }\nterminal_text = "
    "\"/text\"\n"
    "text_paths = [\"/text\"]\nusage = { mode = \"sum\", when = { type = \"call\" }, input = \"/n\" }\n";

TEST(Reader, LinesThatAreTooLongAreSkippedAsLog) {
  const std::string big = "{\"type\":\"end\",\"text\":\"" + std::string(5000, 'x') + "\"}\n";
  const auto s = read(stream(kRules), big + "{\"type\":\"call\",\"n\":1}\n" + big.substr(0, 3000));
  EXPECT_FALSE(s.terminal);
  EXPECT_EQ(s.log_lines, 2);
  EXPECT_EQ(s.events, 1);
  EXPECT_EQ(s.usage.input, 1);
}

TEST(Reader, NoiseIsLogAndTheLastLineNeedsNoNewline) {
  const auto s = read(
      stream(kRules),
      "Warning: x\r\n\n{broken\n[1,2]\n{\"type\":\"call\",\"n\":2}\r\n{\"type\":\"end\",\"text\":\"bye\"}");
  EXPECT_EQ(s.log_lines, 3);
  EXPECT_TRUE(s.terminal);
  EXPECT_EQ(s.final_text, "bye");
}

TEST(Reader, InvalidUtf8IsReadAllTheSame) {
  const auto s = read(stream(kRules), "{\"type\":\"end\",\"text\":\"a\xff\xfe b\"}\n");
  EXPECT_TRUE(s.terminal);
  EXPECT_NE(s.final_text.find("a\xef\xbf\xbd"), std::string::npos);
}

TEST(Reader, ForeignNumbersCannotHurt) {
  const auto s =
      read(stream(kRules),
           "{\"type\":\"call\",\"n\":-5}\n{\"type\":\"call\",\"n\":1e300}\n{\"type\":\"call\",\"n\":\"7\"}\n"
           "{\"type\":\"call\",\"n\":99999999999999999999}\n{\"type\":\"call\",\"n\":3}\n");
  EXPECT_EQ(s.usage.input, 3);
}

TEST(Reader, DeepNestingIsNoCrash) {
  const std::string deep = "{\"type\":" + std::string(400, '[') + std::string(400, ']') + "}\n";
  EXPECT_EQ(read(stream(kRules), deep).events, 1);
}

TEST(Reader, WhatIsShownIsSanitisedAndShort) {
  adapters::StreamReader reader(stream(kRules));
  reader.feed("{\"type\":\"end\",\"text\":\"a\\u001b[2Jb\\nc " + std::string(400, 'y') + "\"}\n");
  const auto view = reader.view();
  EXPECT_LE(view.last_line.size(), 200u);
  EXPECT_EQ(view.last_line.find('\x1b'), std::string::npos);
  EXPECT_EQ(view.last_line.find('\n'), std::string::npos);
}

TEST(Reader, TheLastLineIsCutBetweenCharacters) {
  adapters::StreamReader reader(stream("format = \"text\""));
  std::string line;
  for (int i = 0; i < 150; ++i) line += "\xe4\xb8\xad";  // 450 bytes
  reader.feed(line + "\n");
  EXPECT_EQ(reader.view().last_line.size(), 198u);
}

TEST(Reader, ProgressBarsShowTheirLastState) {
  adapters::StreamReader reader(stream("format = \"text\""));
  reader.feed("10%\r50%\r100%\n\n");
  EXPECT_EQ(reader.view().last_line, "100%");
}

TEST(Reader, TextKeepsTheEndOnly) {
  adapters::StreamReader reader(stream("format = \"text\""));
  for (int i = 0; i < 10'000; ++i) reader.feed("line " + std::to_string(i) + "\n");
  reader.finish();
  const auto s = reader.summary();
  EXPECT_LE(s.final_text.size(), 4096u);
  EXPECT_TRUE(s.final_text.ends_with("line 9999"));
  EXPECT_EQ(s.events, 10'000);
}

TEST(Reader, JsonLastTakesTheLastObject) {
  auto rules = std::string(kRules);
  rules.replace(rules.find("jsonl"), 5, "json_last");
  const auto s =
      read(stream(rules), "log\n{\"type\":\"call\",\"n\":1}\n{\"type\":\"end\",\"text\":\"x\"}\nbye\n");
  EXPECT_TRUE(s.terminal);
  EXPECT_EQ(s.events, 1);
  EXPECT_FALSE(s.usage.input);
}

TEST(Reader, JsonWholeMayHaveManyLines) {
  auto rules = std::string(kRules);
  rules.replace(rules.find("jsonl"), 5, "json_whole");
  EXPECT_EQ(read(stream(rules), "{\n \"type\": \"end\",\n \"text\": \"x\"\n}\n").final_text, "x");
  const auto s = read(stream(rules), "{\"type\":\"end\",\"text\":\"" + std::string(2000, 'x') + "\"}");
  EXPECT_FALSE(s.terminal);
  EXPECT_EQ(s.log_lines, 1);
}

TEST(Reader, ConditionsCompareScalars) {
  const auto d =
      stream("format = \"jsonl\"\nterminal_when = { \"/a/b\" = 1, \"/c/0\" = true, \"/d~1e\" = \"x\" }\n");
  EXPECT_TRUE(read(d, "{\"a\":{\"b\":1},\"c\":[true],\"d/e\":\"x\"}\n").terminal);
  EXPECT_FALSE(read(d, "{\"a\":{\"b\":2},\"c\":[true],\"d/e\":\"x\"}\n").terminal);
  EXPECT_FALSE(read(d, "{\"a\":{\"b\":1},\"c\":[],\"d/e\":\"x\"}\n").terminal);
}

TEST(Reader, MovesAndReadsOn) {
  adapters::StreamReader a(stream(kRules));
  a.feed("{\"type\":\"en");
  adapters::StreamReader b(std::move(a));
  b.feed("d\"}\n");
  EXPECT_TRUE(b.view().terminal);
}

// The program itself reads its own files without checking the forms of what they say.
TEST(Builtin, FormsOfEveryFileAreRight) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(places::source()) / "adapters/builtin")) {
    if (entry.path().extension() != ".toml") continue;
    const auto text = read_file(entry.path());
    ASSERT_TRUE(text.ok()) << entry.path();
    const auto read = config::parse_descriptor(entry.path().filename().string(), *text);
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : describe(read.error()));
    ++files;
  }
  EXPECT_GT(files, 20);
}

// These CLIs read the directory by themselves, as seen in their requests (bench/agents).
TEST(Builtin, SharedSkillsOfTheUserReachTheAgentsThatReadThem) {
  for (const auto* id : {"codex", "copilot", "gemini", "kilocode", "kimi", "opencode", "pi", "qwen"}) {
    const auto rows = adapters::seed_files(adapters::builtin().at(id).home_personal);
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const auto& row) {
      return row.optional && row.source.starts_with(".agents");
    })) << id;
  }
}

TEST(Builtin, EveryAgentIsThereAndReadable) {
  const auto& all = adapters::builtin();
  const std::vector<std::string> ids{
      "aider",   "amp",      "antigravity",  "auggie",    "claude", "cline",  "cn",    "codex",
      "copilot", "crush",    "cursor-agent", "devin",     "droid",  "gemini", "goose", "kilocode",
      "kimi",    "kiro-cli", "opencode",     "openhands", "pi",     "qwen"};
  ASSERT_EQ(all.size(), ids.size());
  for (const auto& id : ids) {
    ASSERT_TRUE(all.contains(id)) << id;
    const auto& d = all.at(id);
    EXPECT_EQ(d.id, id);
    EXPECT_FALSE(d.probe_command.empty()) << id;
    EXPECT_FALSE(d.install_hint.empty()) << id;
    EXPECT_FALSE(d.auth_env.empty()) << id;
    EXPECT_FALSE(d.sign_in_hint.empty()) << id;
    EXPECT_FALSE(d.stop.empty()) << id;
    EXPECT_EQ(d.stop.back().signal, 9) << id;
    // An agent that prints plain text is judged by its exit code.
    const bool by_exit = d.stream.format == model::StreamFormat::text;
    EXPECT_EQ(d.stream.terminal_required, !by_exit) << id;
    // In the sandbox's home a copy stands where the original does.
    for (const auto& seed : d.home_seed)
      EXPECT_TRUE(d.home == model::HomePolicy::per_run || seed.find("->") == std::string::npos) << id;
  }
}

TEST(Builtin, SeedsOfAHome) {
  const auto seeds = adapters::seed_files(adapters::builtin().at("opencode").home_seed);
  ASSERT_EQ(seeds.size(), 2u);
  EXPECT_EQ(seeds[0].source, ".local/share/opencode/auth.json");
  EXPECT_EQ(seeds[0].target, "opencode/auth.json");
  EXPECT_TRUE(seeds[0].optional);
  EXPECT_EQ(seeds[1].source, ".config/opencode");
  EXPECT_EQ(seeds[1].target, "config/opencode");
  const auto claude = adapters::seed_files(adapters::builtin().at("claude").home_seed);
  EXPECT_EQ(claude.at(0).target, ".credentials.json");
}

}  // namespace
