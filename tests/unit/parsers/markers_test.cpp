// One pass finds every group of markers, and only those.
#include "parsers/markers.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace hydra::parsers {
namespace {

TEST(Markers, AreFoundWhereverTheyStand) {
  const std::vector<MarkerGroup> groups{{"bun test v"}, {" tests.", "Ran 1 test."}, {"  ─"}, {"abcd"}, {}};
  EXPECT_EQ(groups_in("", groups), (std::vector<bool>{false, false, false, false, false}));
  EXPECT_EQ(groups_in("bun test v", groups), (std::vector<bool>{true, false, false, false, false}));
  EXPECT_EQ(groups_in("x\nRan 1 test.\n  ─", groups), (std::vector<bool>{false, true, true, false, false}));
  EXPECT_EQ(groups_in("3 tests.abcd", groups), (std::vector<bool>{false, true, false, true, false}));
  EXPECT_EQ(groups_in("bun test ", groups), (std::vector<bool>{false, false, false, false, false}));
}

// The plain search is the reference.
TEST(Markers, AgreeWithASearchOneByOne) {
  std::mt19937 random(7);
  const auto word = [&](std::size_t n) {
    std::string s;
    for (std::size_t i = 0; i < n; ++i) s += static_cast<char>('a' + random() % 3);
    return s;
  };
  for (int round = 0; round < 300; ++round) {
    const auto text = word(random() % 400);
    std::vector<std::string> words;
    for (int i = 0; i < 8; ++i) words.push_back(word(4 + random() % 4));
    std::vector<MarkerGroup> groups;
    for (std::size_t i = 0; i < words.size(); i += 2) groups.push_back({words[i], words[i + 1]});
    std::vector<bool> expected;
    for (const auto& g : groups)
      expected.push_back(text.find(g[0]) != std::string::npos || text.find(g[1]) != std::string::npos);
    EXPECT_EQ(groups_in(text, groups), expected) << text;
  }
}

}  // namespace
}  // namespace hydra::parsers
