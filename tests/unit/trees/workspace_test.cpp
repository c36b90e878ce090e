#include "trees/workspace.hpp"

#include "base/files.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace hydra::trees {
namespace {

class WorkspaceTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-checks-XXXXXX";
    root_ = ::mkdtemp(pattern);
  }
  void TearDown() override { (void)remove_tree(root_); }
  void file(const std::string& path, const std::string& text = "x") const {
    ASSERT_TRUE(make_dirs((root_ / path).parent_path()).ok());
    ASSERT_TRUE(write_file(root_ / path, text).ok());
  }
  fs::path root_;
};

TEST_F(WorkspaceTest, AnywhereMeansEveryOutermostDirectoryOfThatName) {
  file("user/node_modules/a/node_modules/b/x");
  file("user/packages/p/node_modules/c");
  file("user/.git/node_modules/never");
  EXPECT_EQ(expand_paths(root_ / "user", {"**/node_modules", ".env"}),
            (std::vector<std::string>{"node_modules", "packages/p/node_modules", ".env"}));
}

TEST_F(WorkspaceTest, PatternsOfOutputsNeverReachIntoDependencies) {
  file("user/dist/a.js");
  file("user/packages/p/dist/b.js");
  file("user/packages/p/tsconfig.tsbuildinfo");
  file("user/node_modules/dep/dist/c.js");
  file("user/vendor/dep/dist/d.php");
  EXPECT_EQ(
      expand_paths(root_ / "user", {"**/dist", "packages/*/*.tsbuildinfo", "build"}, {"vendor"}),
      (std::vector<std::string>{"dist", "packages/p/dist", "packages/p/tsconfig.tsbuildinfo", "build"}));
}

TEST_F(WorkspaceTest, CopiesTakeTheUsersVersionAndSkipWhatIsMissing) {
  file("user/.env", "SECRET=1");
  file("user/packages/p/node_modules/c", "dep");
  file("work/.env", "from the commit");
  ASSERT_TRUE(copy_from_checkout(root_ / "user", root_ / "work", {".env", "absent", "**/node_modules"}).ok());
  EXPECT_EQ(*read_file(root_ / "work/.env"), "SECRET=1");
  EXPECT_EQ(*read_file(root_ / "work/packages/p/node_modules/c"), "dep");
  EXPECT_FALSE(fs::exists(root_ / "work/absent"));
}

// A copy, never a link: what a check writes there must not reach the user's tree.
TEST_F(WorkspaceTest, WritesIntoACopyDoNotReachTheOriginal) {
  file("user/dep/f", "user's");
  ASSERT_TRUE(make_dirs(root_ / "work").ok());
  ASSERT_TRUE(copy_from_checkout(root_ / "user", root_ / "work", {"dep"}).ok());
  ASSERT_TRUE(write_file(root_ / "work/dep/f", "check's").ok());
  EXPECT_EQ(*read_file(root_ / "user/dep/f"), "user's");
}

TEST_F(WorkspaceTest, TrashTakesAnythingAndNothing) {
  file("tree/f");
  move_to_trash(root_ / "tree", root_ / "trash");
  move_to_trash(root_ / "tree", root_ / "trash");
  EXPECT_FALSE(fs::exists(root_ / "tree"));
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "trash"), fs::directory_iterator{}), 1);
}

}  // namespace
}  // namespace hydra::trees
