#include "model/test_list.hpp"

#include "model/json.hpp"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

namespace hydra::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> shown(const TestList& tests) {
  std::vector<std::string> out;
  for (const auto& test : tests) out.push_back(std::string(test.name) + " " + std::string(name(test.status)));
  return out;
}

CheckEnded ended_with(TestList tests) {
  CheckEnded ended{Subject::of("a"), {}};
  ended.evidence.tests.emplace().tests = std::move(tests);
  return ended;
}

TEST(TestList, AnEventKeepsNamesStatusesAndOrder) {
  const TestList tests{{"tests/b.py::t[1]", TestStatus::passed},
                       {"tests/b.py::t[12]", TestStatus::failed},
                       {"tests/a.py::\xC3\xA4", TestStatus::error},
                       {"tests/a.py::\xC3\xB6", TestStatus::skipped},
                       {"", TestStatus::passed},
                       {"say \"x\" \\ 1", TestStatus::passed},
                       {"say \"x\" \\ 2\nmore", TestStatus::failed},
                       {"7 dwarfs", TestStatus::passed}};
  const auto text = to_json(EventBody(ended_with(tests)));
  auto back = event_from_json("check_ended", text);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(shown(*tests_in(*back)), shown(tests));
}

TEST(TestList, AnEventHasTheCommonBeginningOfNamesOnce) {
  TestList tests;
  for (int i = 0; i < 100; ++i)
    tests.push_back({"tests/test_of_something.py::test_" + std::to_string(i), TestStatus::passed});
  EXPECT_LT(to_json(EventBody(ended_with(tests))).size(), tests.text().size() / 2);
}

TEST(TestList, ADamagedEventIsRefused) {
  const auto text = to_json(EventBody(ended_with({{"ab", TestStatus::passed}, {"ac", TestStatus::passed}})));
  const std::string whole = R"("p0 2 abp1 1 c")";
  ASSERT_THAT(text, HasSubstr(whole));
  for (const auto* coded : {R"("p0 2 abp3 1 c")", R"("p0 2 abx1 1 c")", R"("p0 2 abp1 2 c")", R"("p0 2 abp")",
                            R"("p0 -2 ab")", R"("p0")", R"("p")", "1", "[]"}) {
    auto damaged = text;
    damaged.replace(text.find(whole), whole.size(), coded);
    EXPECT_FALSE(event_from_json("check_ended", damaged).ok()) << coded;
  }
}

// As JSON has it: another process must read the names that this one compares.
TEST(TestList, AnEventHasInvalidUtf8Replaced) {
  auto back = event_from_json("check_ended", to_json(EventBody(ended_with({{"a\xFF", TestStatus::passed},
                                                                           {"a\xFF"
                                                                            "b",
                                                                            TestStatus::failed}}))));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_THAT(shown(*tests_in(*back)), ElementsAre("a\xEF\xBF\xBD passed",
                                                   "a\xEF\xBF\xBD"
                                                   "b failed"));
}

TEST(TestList, ANameThatOccursTwiceHasItsWorstStatus) {
  const TestList tests{{"a", TestStatus::skipped}, {"a", TestStatus::passed}, {"a", TestStatus::failed}};
  EXPECT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests.find("a"), TestStatus::failed);
  EXPECT_EQ(tests.numbered().size(), 1u);
}

TEST(TestList, TwoListsAreReadTogether) {
  const TestList a{{"x", TestStatus::passed}, {"y", TestStatus::failed}};
  const TestList b{{"y", TestStatus::passed}, {"z", TestStatus::skipped}};
  std::map<std::string, std::string> seen;
  const auto word = [](auto status) { return status ? std::string(name(*status)) : "-"; };
  beside(a, b, [&](std::string_view test, auto one, auto other) {
    seen[std::string(test)] = word(one) + " " + word(other);
  });
  EXPECT_EQ(seen, (std::map<std::string, std::string>{
                      {"x", "passed -"}, {"y", "failed passed"}, {"z", "- skipped"}}));
  EXPECT_THAT(shown(a.without(b)), ElementsAre("x passed"));
  EXPECT_THAT(shown(b.without({})), ElementsAre("y passed", "z skipped"));
}

// A race keeps many lists that are alike: copies share them, and a changed copy leaves the others as they
// were.
TEST(TestList, ACopySharesItsTestsUntilOneIsChanged) {
  TestList tests{{"a", TestStatus::passed}};
  auto copy = tests;
  EXPECT_EQ(copy.text().data(), tests.text().data());
  EXPECT_FALSE(copy.contains("b"));
  copy.push_back({"b", TestStatus::passed});
  EXPECT_TRUE(copy.contains("b"));
  EXPECT_THAT(shown(tests), ElementsAre("a passed"));
  tests.clear();
  tests.push_back({"c", TestStatus::passed});
  EXPECT_TRUE(tests.contains("c"));
  EXPECT_EQ(copy.size(), 2u);
}

}  // namespace
}  // namespace hydra::model
