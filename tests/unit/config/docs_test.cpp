// Examples in the documentation must load.
#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace hydra;

/// The fenced blocks of one language; those without a table of their own stand in [agents.mine].
std::vector<std::string> blocks(const std::string& file, std::string_view language) {
  const auto text = read_file(places::source("/docs/") + file).value_or("");
  std::vector<std::string> found;
  bool inside = false, wanted = false;
  for (const auto line : lines(text)) {
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line.substr(3) == language;
      if (wanted) found.emplace_back();
    } else if (wanted) {
      found.back() += std::string(line) + "\n";
    }
  }
  for (auto& block : found)
    if (language == "toml" && !block.starts_with('['))
      block = "[agents.mine]\ncommand = [\"my-agent\"]\n" + block;
  return found;
}

TEST(Docs, EveryExampleLoads) {
  int seen = 0;
  for (const auto* file : {"adapters.md", "configuration.md", "selection.md", "recipes/monorepo.md",
                           "recipes/no-tests.md", "recipes/private-registry.md", "recipes/docker.md"})
    for (const auto& block : blocks(file, "toml")) {
      ++seen;
      for (const auto& e : config::load({{"hydra.toml", block}}, adapters::builtin()).errors)
        ADD_FAILURE() << describe(e) << "\n" << block;
    }
  EXPECT_GE(seen, 6);
}

TEST(Docs, TheToolchainShownIsRight) {
  const auto shown = blocks("toolchains.md", "toml");
  ASSERT_EQ(shown.size(), 2u);  // of toolchains, and of formats
  for (const auto& e : config::check_toolchains({{"zz.toml", shown[0]}})) ADD_FAILURE() << describe(e);
}

TEST(Docs, TheWorkedExampleReadsItsStream) {
  std::string toml;
  for (const auto& block : blocks("adapters.md", "toml"))
    if (block.find("terminal_when") != std::string::npos) toml = block;
  std::string stream;
  for (const auto& block : blocks("adapters.md", ""))
    if (block.starts_with('{')) stream = block;
  ASSERT_FALSE(stream.empty());
  const auto loaded = config::load({{"hydra.toml", toml}}, {});
  const auto& d = loaded.config.agents.at("mine");
  adapters::StreamReader reader(d);
  reader.feed(stream);
  reader.finish();
  adapters::RunEnd end;
  end.how = adapters::RunEnd::How::exited;
  const auto v = adapters::judge(d, reader, end);
  EXPECT_EQ(v.outcome, model::Outcome::completed) << v.message;
  EXPECT_EQ(v.session, "s-1");
  EXPECT_EQ(v.final_text, "Finished.");
  EXPECT_EQ(v.usage.input, 200);
  EXPECT_EQ(v.usage.cache_read, 1000);
  EXPECT_EQ(v.usage.output, 80);
  EXPECT_EQ(v.usage.cost_usd, 0.02);
  EXPECT_EQ(reader.view().tool, "edit");
}

TEST(Docs, TheComplaintsShownAreTheRealOnes) {
  const auto loaded =
      config::load({{"hydra.toml",
                     "\n\n[scoring]\ntest_comand = \"x\"\n\n\n\n[scoring.thresholds]\nfail_maximum = 101\n"}},
                   {});
  ASSERT_EQ(loaded.errors.size(), 2u);
  std::set<std::string> shown;
  const auto text = blocks("configuration.md", "").at(0);
  for (const auto line : lines(text)) shown.insert(std::string(line));
  for (const auto& e : loaded.errors) EXPECT_TRUE(shown.contains(describe(e))) << describe(e);
}

}  // namespace
