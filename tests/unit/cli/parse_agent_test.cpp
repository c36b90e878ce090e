// `hydra parse --kind agent`: the object that it prints, over recordings and over rubbish.
#include "cli/parse_agent.hpp"

#include "cli/app.hpp"
#include "cli/parse_agent_args.hpp"
#include "config/config.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace {

using namespace hydra;
using nlohmann::json;

const std::string kStreams = places::golden("/streams/");

struct Ran {
  int code = 0;
  json out;
  std::string err;
};

Ran run(const cli::ParseAgentOptions& options, std::istream& in) {
  std::ostringstream out;
  Ran ran;
  const auto code = cli::parse_agent(options, in, out);
  ran.code = code.ok() ? *code : cli::exit_code(code.error().code);
  ran.out = json::parse(out.str(), nullptr, false);
  if (!code.ok()) ran.err = describe(code.error());
  return ran;
}

Ran text(const std::string& format, const std::string& bytes, int code = 0) {
  cli::ParseAgentOptions options;
  options.format = format;
  options.exit_code = code;
  std::istringstream in(bytes);
  return run(options, in);
}

Ran recording(cli::ParseAgentOptions options, const std::string& name) {
  if (options.format.empty()) options.format = name.substr(0, name.find('/'));
  options.stderr_file = kStreams + name + ".stderr";
  std::ifstream in(kStreams + name + ".stdout", std::ios::binary);
  return run(options, in);
}

TEST(ParseAgent, PrintsWhatTheStreamSays) {
  const auto ran = recording({}, "claude/ok");
  EXPECT_EQ(ran.code, cli::kDone);
  EXPECT_EQ(ran.out["outcome"], "completed");
  EXPECT_TRUE(ran.out["class"].is_null());
  EXPECT_EQ(ran.out["message"], "");
  EXPECT_EQ(ran.out["session"], "83838c6c-3065-4ef9-b0fd-6a0f6c4d73f7");
  EXPECT_EQ(ran.out["turns"], 3);
  EXPECT_EQ(ran.out["usage"], (json{{"input", 1650},
                                    {"output", 185},
                                    {"cache_read", 11850},
                                    {"cache_write", 650},
                                    {"reasoning", nullptr}}));
  EXPECT_DOUBLE_EQ(ran.out["cost_usd"], 0.0137175);
  EXPECT_EQ(ran.out["cost_source"], "stream");
}

TEST(ParseAgent, UnknownIsNull) {
  const auto ran = recording({}, "continue/ok");
  EXPECT_EQ(ran.out["outcome"], "completed");
  for (const auto* name : {"session", "turns", "cost_usd", "cost_source"})
    EXPECT_TRUE(ran.out[name].is_null()) << name;
  for (const auto& [name, value] : ran.out["usage"].items()) EXPECT_TRUE(value.is_null()) << name;
}

TEST(ParseAgent, StandardErrorTells) {
  cli::ParseAgentOptions options;
  options.exit_code = 1;
  const auto ran = recording(options, "continue/http401");
  EXPECT_EQ(ran.out["outcome"], "failed");
  EXPECT_EQ(ran.out["class"], "auth");
  EXPECT_NE(ran.out["message"].get<std::string>().find("401 invalid x-api-key"), std::string::npos);
  options.exit_code = 0;
  EXPECT_EQ(recording(options, "gemini/http429").out["class"], "rate_limit");
}

TEST(ParseAgent, WhoStoppedItComesFirst) {
  cli::ParseAgentOptions options;
  options.timed_out = true;
  EXPECT_EQ(recording(options, "claude/ok").out["outcome"], "timed_out");
  EXPECT_TRUE(recording(options, "claude/ok").out["class"].is_null());
  options = {};
  options.over_budget = true;
  EXPECT_EQ(recording(options, "claude/ok").out["outcome"], "over_budget");
  // A signal from outside, however it is told.
  for (const int code : {143, 137, 130, -15, -9}) {
    options = {};
    options.exit_code = code;
    EXPECT_EQ(recording(options, "claude/longtool-sigterm").out["outcome"], "crashed") << code;
    EXPECT_EQ(recording(options, "pi/ok").out["outcome"], "crashed") << code;
  }
  options = {};
  options.signal = 15;
  EXPECT_EQ(recording(options, "qwen/ok").out["outcome"], "crashed");
  options = {};
  options.exit_code = 7;
  EXPECT_EQ(recording(options, "claude/ok").out["outcome"], "completed_with_warning");
}

TEST(ParseAgent, RefusedWhateverItTried) {
  EXPECT_EQ(recording({}, "claude/permission-denied").out["outcome"], "misconfigured");
  cli::ParseAgentOptions options;
  options.changed = true;
  EXPECT_EQ(recording(options, "claude/permission-denied").out["outcome"], "completed");
  options.changed = false;
  EXPECT_EQ(recording(options, "codex/default-sandbox").out["outcome"], "misconfigured");
  EXPECT_EQ(recording(options, "codex/ok").out["outcome"], "completed");
}

TEST(ParseAgent, CostsAreEstimatedByTheModel) {
  const auto gemini = recording({}, "gemini/ok").out;
  EXPECT_EQ(gemini["cost_source"], "estimated");
  EXPECT_NEAR(gemini["cost_usd"].get<double>(), (1650 * 1.25 + (185 + 32) * 10 + 11850 * 0.125) / 1e6, 1e-12);
  EXPECT_TRUE(recording({}, "codex/ok").out["cost_usd"].is_null());
  cli::ParseAgentOptions options;
  options.model = "gpt-5";
  EXPECT_EQ(recording(options, "codex/ok").out["cost_source"], "estimated");
  options.model = "mine";
  options.prices["mine"] = {1, 2, {}, {}};
  EXPECT_NEAR(recording(options, "codex/ok").out["cost_usd"].get<double>(), (1650 + 11850 + 2 * 185) / 1e6,
              1e-12);
}

TEST(ParseAgent, NamesAndOtherNames) {
  for (const auto& [other, id] : std::map<std::string, std::string>{{"cursor", "cursor-agent"},
                                                                    {"continue", "cn"},
                                                                    {"agy", "antigravity"},
                                                                    {"claude-code", "claude"},
                                                                    {"kiro", "kiro-cli"},
                                                                    {"kilo", "kilocode"}}) {
    EXPECT_EQ(text(other, "").code, cli::kDone) << other;
    EXPECT_EQ(text(id, "").code, cli::kDone) << id;
  }
  const auto custom = text("custom", "working\ndone\n");
  EXPECT_EQ(custom.out["outcome"], "completed");
  EXPECT_EQ(text("custom", "working\n", 3).out["outcome"], "failed");
  const auto unknown = text("claud", "");
  EXPECT_EQ(unknown.code, cli::kUsage);
  EXPECT_NE(unknown.err.find("did you mean 'claude'?"), std::string::npos);
}

TEST(ParseAgent, AgentsOfTheUser) {
  const auto loaded =
      config::load({{"hydra.toml",
                     "[agents.mine]\ncommand = [\"m\"]\n[agents.mine.stream]\nformat = \"jsonl\"\n"
                     "terminal_when = { event = \"done\" }\nterminal_required = true\n"}},
                   {});
  ASSERT_TRUE(loaded.errors.empty());
  cli::ParseAgentOptions options;
  options.format = "mine";
  options.agents = loaded.config.agents;
  std::istringstream good("{\"event\":\"done\"}\n"), cut("{\"event\":\"tool\"}\n");
  EXPECT_EQ(run(options, good).out["outcome"], "completed");
  EXPECT_EQ(run(options, cut).out["outcome"], "failed");
}

TEST(ParseAgent, EmptyAndBrokenOutputIsNeverCompleted) {
  for (const auto* id : {"claude", "codex", "gemini", "qwen", "opencode", "copilot", "pi", "cline", "cn",
                         "amp", "droid", "auggie", "cursor", "goose", "antigravity", "kilocode"})
    for (const auto* bytes :
         {"", "\n", "{", "{}\n", "null\n", "[]\n", "\xff\xfe\n", "{\"type\":\"result\""}) {
      const auto ran = text(id, bytes);
      EXPECT_EQ(ran.code, cli::kDone) << id;
      ASSERT_TRUE(ran.out.is_object()) << id;
      EXPECT_FALSE(ran.out["outcome"].get<std::string>().starts_with("completed")) << id << " " << bytes;
      EXPECT_FALSE(ran.out["message"].get<std::string>().empty()) << id;
    }
}

TEST(ParseAgent, AMissingFileIsSaid) {
  cli::ParseAgentOptions options;
  options.format = "claude";
  options.stderr_file = "/nowhere/at/all";
  std::istringstream in;
  const auto ran = run(options, in);
  EXPECT_EQ(ran.code, cli::kUsage);
  EXPECT_NE(ran.err.find("/nowhere/at/all"), std::string::npos);
}

TEST(ParseAgent, OneEndOnly) {
  const auto refused = [](const char* code, const char* signal, bool timed_out, bool cancelled, bool budget) {
    cli::ParseAgentArgs args;
    args.signal = signal;
    args.timed_out = timed_out;
    args.cancelled = cancelled;
    args.over_budget = budget;
    const auto error = cli::contradiction(args, code);
    return error && error->code == Errc::usage;
  };
  EXPECT_TRUE(refused("0", "9", false, false, false));
  EXPECT_TRUE(refused("", "", true, true, false));
  EXPECT_TRUE(refused("", "", false, true, true));
  EXPECT_FALSE(refused("0", "", true, false, false));
  EXPECT_FALSE(refused("", "9", false, false, true));
  EXPECT_FALSE(refused("", "", false, false, false));
}

TEST(ParseAgent, ADirectoryIsNoFile) {
  for (const auto file : {&cli::ParseAgentOptions::stderr_file, &cli::ParseAgentOptions::usage_file}) {
    cli::ParseAgentOptions options;
    options.format = "claude";
    options.*file = "/tmp";
    std::istringstream in;
    const auto ran = run(options, in);
    EXPECT_EQ(ran.code, cli::kUsage);
    EXPECT_NE(ran.err.find("can't read '/tmp'"), std::string::npos);
  }
}

}  // namespace
