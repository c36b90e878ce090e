// Parts of several results as one result.
#include "fixture.hpp"

#include <algorithm>
#include <optional>

namespace hydra::git::test {
namespace {

class CombineTest : public GitTest {
 protected:
  void SetUp() override {
    GitTest::SetUp();
    sample();
    store_ = store();
  }
  /// Captures what `script` makes of a workspace of `name`.
  Part result(const std::string& name, const std::string& script, std::vector<std::string> paths) {
    shell(workspace(*store_, name), script);
    return {name, capture(*store_, name).commit, std::move(paths)};
  }
  Result<model::Capture> combine(const std::vector<Part>& parts) {
    return store_->combine(parts, "combined");
  }
  /// "A path", one a line, of what the combination changes of the base.
  std::string changed(const model::Capture& made) {
    auto text = git(store_->directory(), {"--git-dir=.", "diff-tree", "-r", "--no-renames", "--name-status",
                                          spec_.repository.base, made.commit});
    std::replace(text.begin(), text.end(), '\t', ' ');
    return text;
  }
  std::optional<Store> store_;
};

TEST_F(CombineTest, EachPartComesFromItsResultAndNothingElse) {
  const auto made =
      combine({result("one", "echo 1 > a.txt; echo 1 > dir/b.txt; echo 1 > only-one", {"a.txt"}),
               result("two", "echo 2 > a.txt; echo 2 > dir/b.txt", {"dir"})});
  ASSERT_TRUE(made.ok()) << describe(made.error());
  EXPECT_EQ(changed(*made), "M a.txt\nM dir/b.txt");
  EXPECT_EQ(content(*store_, made->commit, "a.txt"), "1\n");
  EXPECT_EQ(content(*store_, made->commit, "dir/b.txt"), "2\n");
  EXPECT_TRUE(made->changed);
}

TEST_F(CombineTest, TheSameFileOfTwoIsRefusedAndBothAreNamed) {
  const auto one = result("one", "echo 1 > a.txt", {"a.txt"});
  const auto made = combine({one, result("two", "echo 2 > a.txt; echo 2 > dir/b.txt", {"."})});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, Errc::refused);
  for (const char* word : {"one", "two", "a.txt"})
    EXPECT_NE(made.error().message.find(word), std::string::npos) << made.error().message;
}

TEST_F(CombineTest, TheSameContentOfTwoIsNoConflict) {
  const auto made = combine({result("one", "echo same > a.txt", {"a.txt"}),
                             result("two", "echo same > a.txt; echo 2 > dir/b.txt", {"."})});
  ASSERT_TRUE(made.ok()) << describe(made.error());
  EXPECT_EQ(changed(*made), "M a.txt\nM dir/b.txt");
}

TEST_F(CombineTest, ADeletedFileIsAPart) {
  const auto made = combine({result("one", "rm dir/c.txt; echo 1 > a.txt", {"dir/c.txt"}),
                             result("two", "echo 2 > dir/b.txt", {"dir"})});
  ASSERT_TRUE(made.ok()) << describe(made.error());
  EXPECT_EQ(changed(*made), "M dir/b.txt\nD dir/c.txt");
}

TEST_F(CombineTest, DeletedByOneAndChangedByTheOtherIsRefused) {
  const auto made =
      combine({result("one", "rm dir/c.txt", {"dir"}), result("two", "echo 2 > dir/c.txt", {"dir/c.txt"})});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("dir/c.txt"), std::string::npos) << made.error().message;
}

TEST_F(CombineTest, ADirectoryIsNoBeginningOfAName) {
  const auto both = "mkdir deep deeper; echo 1 > deep/x; echo 1 > deeper/x; echo 1 > deep.txt";
  for (const std::string name : {"deep", "deep/", "./deep"}) {
    const auto made = combine({result("one", both, {name})});
    ASSERT_TRUE(made.ok()) << describe(made.error());
    EXPECT_EQ(changed(*made), "A deep/x") << name;
  }
  const auto none = combine({result("two", both, {"dee"})});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, Errc::not_found);
  EXPECT_NE(none.error().message.find("two does not change 'dee'"), std::string::npos)
      << none.error().message;
}

TEST_F(CombineTest, AnEmptyNameIsNotTheWholeResult) {
  const auto refused = combine({result("one", "echo 1 > a.txt; echo 1 > dir/b.txt", {""})});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::usage);
  const auto whole = combine({result("one", "echo 1 > a.txt; echo 1 > dir/b.txt", {"."})});
  ASSERT_TRUE(whole.ok()) << describe(whole.error());
}

TEST_F(CombineTest, AChangeOfModeIsAPart) {
  const auto made =
      combine({result("one", "chmod +x a.txt", {"a.txt"}), result("two", "echo 2 > dir/b.txt", {"dir"})});
  ASSERT_TRUE(made.ok()) << describe(made.error());
  EXPECT_EQ(git(store_->directory(), {"--git-dir=.", "ls-tree", made->commit, "a.txt"}).substr(0, 6),
            "100755");
  EXPECT_EQ(content(*store_, made->commit, "a.txt"), "one\ntwo\nthree\n");
  // A file with the same content and another mode counts as another content.
  const auto refused =
      combine({result("three", "chmod +x a.txt", {"a.txt"}), result("four", "echo 4 >> a.txt", {"a.txt"})});
  EXPECT_FALSE(refused.ok());
}

TEST_F(CombineTest, AFileWhereTheOtherKeepsADirectoryIsRefused) {
  const auto made =
      combine({result("one", "echo 1 > x", {"x"}), result("two", "mkdir x; echo 2 > x/y", {"x"})});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, Errc::refused);
  EXPECT_NE(made.error().message.find("do not fit together"), std::string::npos) << made.error().message;
}

TEST_F(CombineTest, ADirectoryInThePlaceOfAFileOfTheBaseNeedsItsDeletion) {
  const auto both = "rm a.txt; mkdir a.txt; echo 1 > a.txt/x";
  const auto half = combine({result("one", both, {"a.txt/x"})});
  ASSERT_FALSE(half.ok());
  EXPECT_NE(half.error().message.find("the base's a.txt"), std::string::npos) << half.error().message;
  const auto whole = combine({result("two", both, {"a.txt"})});
  ASSERT_TRUE(whole.ok()) << describe(whole.error());
  EXPECT_EQ(changed(*whole), "D a.txt\nA a.txt/x");
}

TEST_F(CombineTest, AFileInThePlaceOfADirectoryOfTheBaseTakesItsFilesAway) {
  const auto made = combine({result("one", "rm -r dir; echo 1 > dir", {"dir"})});
  ASSERT_TRUE(made.ok()) << describe(made.error());
  EXPECT_EQ(changed(*made), "A dir\nD dir/b.txt\nD dir/c.txt");
}

TEST_F(CombineTest, TheSamePartsGiveTheSameCommit) {
  const std::vector<Part> parts{result("one", "echo 1 > a.txt", {"a.txt"}),
                                result("two", "echo 2 > dir/b.txt", {"dir"})};
  const auto first = combine(parts), second = combine(parts);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->commit, second->commit);
}

}  // namespace
}  // namespace hydra::git::test
