// A sample holds the files of needed tests, and random ones.
#include "race/checks/test_sample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hydra::race {
namespace {

using ::testing::Contains;
using ::testing::SizeIs;

/// Forty files of five tests each; test 2 of file 7 is test_7_2.
std::vector<TestFile> forty_files() {
  std::vector<TestFile> files;
  for (int i = 0; i < 40; ++i) {
    TestFile file{"tests/test_" + std::to_string(i) + ".py", ""};
    for (int n = 0; n < 5; ++n)
      file.text += "def test_" + std::to_string(i) + "_" + std::to_string(n) + "():\n    assert True\n";
    files.push_back(std::move(file));
  }
  return files;
}

std::optional<std::set<std::string>> sample(const std::vector<std::string>& needed, const std::string& token,
                                            std::size_t tests_in_each = 5) {
  return sample_of(forty_files(), needed, token, [&](const TestFile&) { return tests_in_each; });
}

TEST(TestSample, HoldsAtLeastTwentyTests) {
  const auto found = sample({}, "token");
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, SizeIs(kSampledTests / 5));
}

TEST(TestSample, DiffersFromRaceToRace) {
  std::set<std::set<std::string>> seen;
  for (int i = 0; i < 10; ++i) seen.insert(sample({}, "token" + std::to_string(i)).value());
  EXPECT_THAT(seen, SizeIs(testing::Ge(9u)));
  EXPECT_EQ(sample({}, "token"), sample({}, "token"));
}

TEST(TestSample, HasTheFilesOfNeededTestsBesideIt) {
  for (const auto* name : {"test_7_2", "tests/test_7.py::test_7_2", "tests.test_7.test_7_2",
                           "tests/test_7.py::test_7_2[umlaut/ä]", "suite > test_7_2"}) {
    const auto found = sample({name}, "token");
    ASSERT_TRUE(found) << name;
    EXPECT_THAT(*found, Contains("tests/test_7.py")) << name;
    EXPECT_THAT(*found, SizeIs(testing::Ge(kSampledTests / 5))) << name;
  }
}

TEST(TestSample, NeedsNoOtherFileWithATestOfTheSameName) {
  std::vector<TestFile> files;
  for (int i = 0; i < 9; ++i)
    files.push_back({"part" + std::to_string(i) + "_test.cpp",
                     "TEST(Part" + std::to_string(i) + ", Price) { EXPECT_EQ(1, 1); }\n"});
  const auto none = [](const TestFile&) { return std::size_t{0}; };
  EXPECT_EQ(sample_of(files, {"Part7.Price"}, "token", none), std::set<std::string>{"part7_test.cpp"});
  EXPECT_FALSE(sample_of(files, {"Price"}, "token", none)) << "any of these";
}

TEST(TestSample, IsEverythingWhereANeededTestIsInNoKnownFile) {
  EXPECT_FALSE(sample({"made by a generator"}, "token"));
  EXPECT_FALSE(sample({""}, "token")) << "the whole command";
}

TEST(TestSample, IsEverythingInASmallProject) {
  const std::vector<TestFile> files{{"tests/test_a.py", "def test_a(): assert 1"}, {"tests/test_b.py", "x"}};
  EXPECT_FALSE(sample_of(files, {}, "token", [](const TestFile&) { return std::size_t{3}; }));
}

TEST(TestSample, LeavesOutFilesWithoutAssertions) {
  const auto found = sample_of(forty_files(), {}, "token", [](const TestFile& file) {
    return file.path == "tests/test_3.py" ? std::size_t{20} : 0;
  });
  EXPECT_EQ(found, std::set<std::string>{"tests/test_3.py"});
}

}  // namespace
}  // namespace hydra::race
