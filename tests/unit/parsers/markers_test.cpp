// One pass finds every group of markers, and only those.
#include "parsers/markers.hpp"

#include "parsers/summaries.hpp"

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

// Large enough to be sampled, and told of once, whole.
TEST(Markers, InALargeText) {
  std::string text;
  while (text.size() < 9'000'000) text += "tests/a.py::test_of_behaviour PASSED [ 10%]\n";
  const std::vector<MarkerGroup> groups{{"PASS "}, {" behave"}, {"[ 10%]"}, {"nowhere"}, {"at the end"}};
  std::size_t told = 0;
  const auto found =
      groups_in(text + "at the end", groups, [&](std::string_view part) { told += part.size(); });
  EXPECT_EQ(found, (std::vector<bool>{false, false, true, false, true}));
  EXPECT_EQ(told, text.size() + 10);
}

// A row of the summaries' table that matches has its marker in the text.
TEST(Markers, OfSummariesAreInWhatTheyMatch) {
  EXPECT_EQ(rarest_marker("abc", "de"), "");
  EXPECT_EQ(rarest_marker("passed", "ab"), "passed");
  std::size_t with = 0;
  for (const auto& row : summary_rows()) {
    const auto marker = marker_of(row);
    if (marker.empty()) continue;
    ++with;
    EXPECT_TRUE(marker.size() >= kMarkerBytes && marker.find('\n') == std::string_view::npos) << row.pattern;
    EXPECT_TRUE(row.pattern.find(marker) != std::string_view::npos || row.needs == marker) << row.pattern;
  }
  EXPECT_GT(with, summary_rows().size() / 2);
}

}  // namespace
}  // namespace hydra::parsers
