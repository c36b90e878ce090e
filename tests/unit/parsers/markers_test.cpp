// A single pass finds every group of markers, and no other group.
#include "parsers/markers.hpp"

#include "documented_more.hpp"
#include "golden.hpp"
#include "parsers/registry.hpp"
#include "parsers/summaries.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace hydra::parsers {
namespace {

std::vector<bool> groups_in(std::string_view text, const std::vector<MarkerGroup>& groups) {
  MarkerSearch search(text, groups);
  search.read_to(text.size());
  return search.found();
}

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

// Large enough to be sampled; read in pieces, and told of once, whole.
TEST(Markers, InALargeText) {
  std::string text;
  while (text.size() < 9'000'000) text += "tests/a.py::test_of_behaviour PASSED [ 10%]\n";
  const std::vector<MarkerGroup> groups{{"PASS "}, {" behave"}, {"[ 10%]"}, {"nowhere"}, {"at the end"}};
  text += "at the end";
  const std::vector<bool> expected{false, false, true, false, true};
  EXPECT_EQ(groups_in(text, groups), expected);
  MarkerSearch search(text, groups);
  for (std::size_t end = 0; end < text.size();) search.read_to(end = std::min(end + 1022, text.size()));
  EXPECT_EQ(search.found(), expected);
  // Told of once, piece by piece, and then again and again while lines are taken from all over it.
  std::size_t told = 0, whole = 0;
  Hints hints;
  hints.left_behind = [&](std::string_view part) {
    if (told < text.size()) {
      EXPECT_EQ(part.data(), text.data() + told);
      told += part.size();
    } else if (part.size() == text.size()) {
      ++whole;
    }
  };
  EXPECT_EQ(make_input(text, {}, hints, groups).groups, expected);
  EXPECT_EQ(told, text.size());
  EXPECT_GE(whole, 15U);
}

// A row of the summaries' table that matches has its marker in the text.
TEST(Markers, OfSummariesAreInWhatTheyMatch) {
  EXPECT_EQ(rarest_marker("abc", "de"), "");
  EXPECT_EQ(rarest_marker("passed", "ab"), "passed");
  std::size_t with = 0;
  for (const auto& row : test_data().summaries) {
    const auto marker = marker_of(row);
    if (marker.empty()) continue;
    ++with;
    EXPECT_TRUE(marker.size() >= kMarkerBytes && marker.find('\n') == std::string_view::npos) << row.format;
    bool has = row.needs == marker || row.begin == marker;
    for (const auto& line : row.lines)
      for (const auto& op : line.pattern.ops()) has = has || op.literal == marker;
    EXPECT_TRUE(has) << row.format << ": " << marker;
  }
  EXPECT_GT(with, test_data().summaries.size() / 2);
}

std::string shown(const model::ParsedTests& r) {
  std::string out = r.format + (r.complete ? " complete " : " cut ") + std::string(name(r.outcome));
  for (const auto& n : {r.counts.passed, r.counts.failed, r.counts.skipped, r.counts.errors, r.counts.total})
    out += n ? " " + std::to_string(*n) : " -";
  for (const auto& s : r.suspicious) out += " (" + s + ")";
  for (const auto& t : r.tests) out += "\n" + t.name + " " + std::string(model::name(t.status));
  return out;
}

/// Returns where `text` may be cut: behind its lines, at most `most` places, the ends' neighbourhood first.
std::set<std::size_t> cuts(std::string_view text, std::size_t most) {
  std::vector<std::size_t> all{0};
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    all.push_back(at + 1);
  if (all.back() != text.size()) all.push_back(text.size());
  std::set<std::size_t> out;
  for (std::size_t k = 0; k < std::min(most / 4, all.size()); ++k) {
    out.insert(all[k]);
    out.insert(all[all.size() - 1 - k]);
  }
  const auto step = std::max<std::size_t>(1, 2 * all.size() / most);
  for (std::size_t k = 0; k < all.size(); k += step) out.insert(all[k]);
  return out;
}

/// Empty: the search for markers has lost nothing of `text`.
std::string lost(std::string_view text) {
  const ExitFacts exit{0, {}};
  const auto with = shown(parse_tests(text, exit, Hints{}));
  const auto without = shown(parse_tests_unmarked(text, exit, Hints{}));
  if (with == without) return {};
  return "with: " + with + "\nwithout: " + without + "\nend of the text: " +
         std::string(text.substr(text.size() - std::min<std::size_t>(text.size(), 300)));
}

/// Every beginning and every end of a text that is cut between its lines.
void expect_nothing_lost(const std::string& name, std::string_view text) {
  constexpr std::size_t kMost = 24, kWindow = 20'000;
  for (const auto at : cuts(text, kMost)) {
    if (at <= kWindow) {
      const auto difference = lost(text.substr(0, at));
      ASSERT_EQ(difference, "") << name << ", the first " << at << " bytes";
    }
    if (text.size() - at <= kWindow) {
      const auto difference = lost(text.substr(at));
      ASSERT_EQ(difference, "") << name << ", without the first " << at << " bytes";
    }
  }
}

TEST(Markers, LoseNothingOfRecordedOutputs) {
  for (const auto& c : golden::cases()) expect_nothing_lost(c.name, c.output);
}

TEST(Markers, LoseNothingOfDocumentedOutputs) {
  for (const auto& d : all_documented()) expect_nothing_lost(d.name, d.text);
}

}  // namespace
}  // namespace hydra::parsers
