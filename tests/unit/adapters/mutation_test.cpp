// Broken and hostile streams: nothing but not crashing, bounds and independence of the pieces is asked for.
#include "adapters/adapters.hpp"
#include "base/files.hpp"
#include "config/config.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace hydra;

std::string mutate(std::string text, std::mt19937& random) {
  const auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (int i = 0; i < 20 && !text.empty(); ++i) {
    const auto at = pick(text.size());
    switch (pick(5)) {
      case 0:
        text[at] = static_cast<char>(pick(256));
        break;
      case 1:
        text.erase(at, 1 + pick(50));
        break;
      case 2:
        text.insert(at, text.substr(pick(text.size()), pick(80) + 1));
        break;
      case 3:
        text.insert(at, "\n");
        break;
      default:
        text.insert(at, "\":{[\"\\u0000-1e999\x1b]");
        break;
    }
  }
  return text;
}

TEST(Mutation, StreamsOfAllBuiltIns) {
  std::mt19937 random(20240229);
  for (const auto& [id, descriptor] : adapters::builtin()) {
    const std::string source = id == "cn" ? "continue" : id;
    auto seed = read_file(places::golden("/streams/") + source + "/ok.stdout");
    if (!seed) seed = read_file(places::golden("/streams/claude/ok.stdout"));
    ASSERT_TRUE(seed.ok());
    for (int round = 0; round < 60; ++round) {
      const auto bytes = mutate(*seed, random);
      adapters::StreamReader whole(descriptor), pieces(descriptor);
      whole.feed(bytes);
      whole.finish();
      for (std::size_t i = 0; i < bytes.size(); i += 7) pieces.feed(std::string_view(bytes).substr(i, 7));
      pieces.finish();
      const auto a = whole.summary(), b = pieces.summary();
      EXPECT_EQ(a.events, b.events);
      EXPECT_EQ(a.log_lines, b.log_lines);
      EXPECT_EQ(a.final_text, b.final_text);
      EXPECT_LE(a.final_text.size(), 4096u);
      EXPECT_LE(whole.view().last_line.size(), 200u);
      adapters::RunEnd end;
      end.how = adapters::RunEnd::How::exited;
      end.stderr_tail = bytes.substr(0, 16384);
      const auto v = adapters::judge(descriptor, whole, end);
      EXPECT_EQ(v.message.find('\x1b'), std::string::npos);
      EXPECT_EQ(v.message.find('\n'), std::string::npos);
    }
  }
}

TEST(Mutation, Configurations) {
  std::mt19937 random(4711);
  std::string open;
  for (const char c : config::all_keys())
    if (c != '#') open += c;
  for (const auto& seed : {config::all_keys(), open})
    for (int round = 0; round < 200; ++round) {
      const auto loaded = config::load({{"hydra.toml", mutate(seed, random)}}, adapters::builtin());
      for (const auto& e : loaded.errors) {
        EXPECT_TRUE(e.where.empty() || e.where.starts_with("hydra.toml")) << e.where;
        EXPECT_EQ(describe(e).find('\x1b'), std::string::npos);
      }
    }
}

}  // namespace
