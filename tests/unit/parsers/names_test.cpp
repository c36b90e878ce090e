// make_stable: ids that stay the same from run to run and tell equal names apart.
#include "parsers/registry.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace hydra::parsers {
namespace {

using model::TestStatus;

std::vector<std::string> stable(std::vector<model::TestCase> tests, std::string_view root = {}) {
  make_stable(tests, root);
  std::vector<std::string> out;
  for (auto& t : tests) out.push_back(std::move(t.name));
  return out;
}

TEST(Names, EqualOnesAreNumbered) {
  using Names = std::vector<std::string>;
  const auto passed = TestStatus::passed, failed = TestStatus::failed, skipped = TestStatus::skipped;
  EXPECT_EQ(stable({{"a", passed}, {"b", passed}, {"a", passed}, {"a", passed}}),
            (Names{"a", "b", "a #2", "a #3"}));
  // Whatever their order is, the better ones come first.
  EXPECT_EQ(stable({{"a", failed}, {"a", skipped}, {"a", passed}}), (Names{"a #3", "a #2", "a"}));
  // Names that look like that already.
  EXPECT_EQ(stable({{"a", passed}, {"a", passed}, {"a #2", passed}, {"a #2", passed}}),
            (Names{"a", "a #3", "a #2", "a #2 #2"}));
  EXPECT_EQ(stable({{"#2", passed}, {"#2", passed}, {" #2", passed}, {"", passed}, {"", passed}}),
            (Names{"#2", "#2 #2", " #2", "", " #3"}));
}

TEST(Names, NoTwoAreEqualInTheEnd) {
  std::mt19937 random(5);
  const std::vector<std::string> words{"a", "b", " #2", " #3", " #", "1"};
  for (int round = 0; round < 2'000; ++round) {
    std::vector<model::TestCase> tests;
    std::multiset<std::string> before;
    for (std::size_t i = 0; i < random() % 30; ++i) {
      std::string name;
      for (std::size_t k = 0; k < random() % 3; ++k) name += words[random() % words.size()];
      before.insert(name);
      tests.push_back({name, static_cast<TestStatus>(random() % 4)});
    }
    const auto names = stable(tests);
    const std::set<std::string> unique(names.begin(), names.end());
    ASSERT_EQ(unique.size(), names.size());
    for (const auto& name : before) ASSERT_TRUE(unique.contains(name)) << name;
  }
}

TEST(Names, TheRootIsTakenOff) {
  EXPECT_EQ(stable({{"/repo/a.py::x", TestStatus::passed}, {"/repository/b", TestStatus::passed}}, "/repo/"),
            (std::vector<std::string>{"a.py::x", "/repository/b"}));
}

}  // namespace
}  // namespace hydra::parsers
