// docs/adapters.md: its TOML is read, its worked example does what the text says, its table has every key.
#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "config/config.hpp"
#include "config/schema.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

std::string document() { return read_file(places::source("/docs/adapters.md")).value_or(""); }

/// The blocks between "```KIND" and "```".
std::vector<std::string> blocks(const std::string& text, const std::string& kind) {
  std::vector<std::string> all;
  const std::string open = "```" + kind + "\n";
  for (std::size_t at = text.find("\n" + open); at != std::string::npos;
       at = text.find("\n" + open, at + 1)) {
    const auto begin = at + 1 + open.size();
    all.push_back(text.substr(begin, text.find("\n```", begin) + 1 - begin));
  }
  return all;
}

TEST(Docs, EveryTomlBlockIsAccepted) {
  const auto all = blocks(document(), "toml");
  ASSERT_GE(all.size(), 5u);
  for (const auto& block : all) {
    // A few lines of one table stand alone.
    const auto text = block.starts_with('[') ? block : "[agents.mine]\ncommand = [\"my-agent\"]\n" + block;
    const auto loaded = config::load({{"hydra.toml", text}}, adapters::builtin());
    for (const auto& e : loaded.errors) ADD_FAILURE() << describe(e) << "\n" << block;
  }
}

TEST(Docs, TheWorkedExampleDoesWhatItSays) {
  const auto text = document();
  std::string toml, stream;
  for (const auto& block : blocks(text, "toml"))
    if (block.find("[agents.mine.stream]") != std::string::npos) toml = block;
  for (const auto& block : blocks(text, ""))
    if (block.starts_with("{\"event\":\"start\"")) stream = block;
  ASSERT_FALSE(toml.empty());
  ASSERT_FALSE(stream.empty());
  const auto loaded = config::load({{"hydra.toml", toml}}, adapters::builtin());
  ASSERT_TRUE(loaded.errors.empty());
  const auto& d = loaded.config.agents.at("mine");

  adapters::LaunchContext context;
  context.prompt = "do it";
  context.model = "big";
  const auto launch = adapters::plan_launch(d, context);
  ASSERT_TRUE(launch.ok());
  EXPECT_EQ(launch->argv, (std::vector<std::string>{"my-agent", "--json", "--model", "big"}));
  EXPECT_TRUE(launch->prompt_on_stdin);

  const auto judge = [&](const std::string& bytes) {
    adapters::StreamReader reader(d);
    reader.feed(bytes);
    reader.finish();
    adapters::RunEnd end;
    end.how = adapters::RunEnd::How::exited;
    end.wall_ms = 60'000;
    return adapters::judge(d, reader, end);
  };
  const auto good = judge(stream);
  EXPECT_EQ(good.outcome, model::Outcome::completed);
  EXPECT_EQ(good.session, "s-1");
  EXPECT_EQ(good.final_text, "Finished.");
  EXPECT_EQ(good.usage.input, 200);
  EXPECT_EQ(good.usage.cache_read, 1000);
  EXPECT_EQ(good.usage.output, 80);
  EXPECT_EQ(good.usage.cost_usd, 0.02);
  const auto cut = judge(stream.substr(0, stream.rfind("{\"event\":\"done\"")));
  EXPECT_EQ(cut.outcome, model::Outcome::failed);
  EXPECT_EQ(model::name(cut.error_class), "agent_error");
}

TEST(Docs, EveryKeyIsInTheTable) {
  const auto text = document();
  for (const auto& key : config::agent_keys())
    EXPECT_NE(text.find("| `" + std::string(key.path) + "` |"), std::string::npos) << key.path;
}

TEST(Docs, EveryBuiltInAgentIsNamed) {
  const auto text = document();
  for (const auto& [id, d] : adapters::builtin())
    EXPECT_NE(text.find("`" + id + "`"), std::string::npos) << id;
}

std::string complaint(const std::string& toml) {
  const auto loaded = config::load({{"hydra.toml", toml}}, adapters::builtin());
  return loaded.errors.empty() ? "none" : describe(loaded.errors.front());
}

TEST(Docs, MistakesHaveAPlace) {
  const std::string head = "[agents.mine]\ncommand = [\"m\"]\n";
  const auto unknown = complaint(head + "comand = 3\n");
  EXPECT_NE(unknown.find("hydra.toml:3:1"), std::string::npos) << unknown;
  const auto nested = complaint(
      head +
      "[agents.mine.stream]\n[[agents.mine.stream.usage_fallback]]\nmode = \"sum\"\ninputs = \"/n\"\n");
  EXPECT_NE(nested.find("hydra.toml:6:1"), std::string::npos) << nested;
  EXPECT_NE(nested.find("input"), std::string::npos) << nested;
  const auto placeholder = complaint("[agents.mine]\ncommand = [\"m\", \"{promt}\"]\n");
  EXPECT_NE(placeholder.find("{promt}"), std::string::npos) << placeholder;
  EXPECT_NE(placeholder.find("{prompt}"), std::string::npos) << placeholder;
  EXPECT_NE(placeholder.find("hydra.toml:2"), std::string::npos) << placeholder;
  // A session exists only where one is resumed.
  EXPECT_NE(complaint("[agents.mine]\ncommand = [\"m\", \"{session}\"]\n").find("{session}"),
            std::string::npos);
  EXPECT_EQ(complaint(head + "resume_command = [\"m\", \"-r\", \"{session}\", \"{prompt}\"]\n"), "none");
  EXPECT_NE(complaint(head + "resume_command = [\"m\", \"{sesion}\"]\n").find("{session}"),
            std::string::npos);
  EXPECT_NE(complaint(head + "[agents.mine.stream.text]\nusage = \"(\"\n").find("hydra.toml:4"),
            std::string::npos);
  EXPECT_NE(complaint(head + "[agents.mine.stream.usage_file]\npath = \"{nowhere}/x\"\n").find("{nowhere}"),
            std::string::npos);
  EXPECT_EQ(
      complaint(
          head +
          "[agents.mine.stream]\nusage_fallback = { mode = \"sum\", when = { a = 1 }, input = \"/n\" }\n"),
      "none");
}

}  // namespace
