// Layers that become directories, and the checkouts that they are over.
#include "trees/shared_base.hpp"

#include "base/files.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

namespace hydra::trees {
namespace {

class MergedLayer : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/hydra-layer-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
    for (const auto& directory : {tree, upper}) ASSERT_TRUE(make_dirs(root / directory).ok());
  }
  void TearDown() override { (void)remove_tree(root); }
  void put(const std::string& path, const std::string& text) const {
    ASSERT_TRUE(make_dirs((root / path).parent_path()).ok());
    ASSERT_TRUE(write_file(root / path, text).ok());
  }
  void remove_in_layer(const std::string& path) const {
    ASSERT_TRUE(make_dirs((root / upper / path).parent_path()).ok());
    ASSERT_EQ(::mknod((root / upper / path).c_str(), S_IFCHR, makedev(0, 0)), 0);
  }
  void hide_below(const std::string& path) const {
    ASSERT_TRUE(make_dirs(root / upper / path).ok());
    ASSERT_EQ(::setxattr((root / upper / path).c_str(), "user.overlay.opaque", "y", 1, 0), 0);
  }
  void merge() const {
    const auto merged = merge_layer(root / upper, root / tree);
    ASSERT_TRUE(merged.ok()) << describe(merged.error());
  }
  [[nodiscard]] std::string text(const std::string& path) const {
    return read_file(root / tree / path).value_or("none");
  }

  fs::path root;
  const std::string tree = "tree", upper = "upper";
};

TEST_F(MergedLayer, HoldsWhatWasWrittenAndWhatWasLeft) {
  put("tree/kept", "base\n");
  put("tree/dir/kept", "base\n");
  put("tree/dir/changed", "base\n");
  put("upper/dir/changed", "new\n");
  put("upper/dir/added", "new\n");
  merge();
  EXPECT_EQ(text("kept"), "base\n");
  EXPECT_EQ(text("dir/kept"), "base\n");
  EXPECT_EQ(text("dir/changed"), "new\n");
  EXPECT_EQ(text("dir/added"), "new\n");
}

TEST_F(MergedLayer, LacksWhatWasRemoved) {
  put("tree/file", "base\n");
  put("tree/dir/in", "base\n");
  put("tree/other/in", "base\n");
  remove_in_layer("file");
  remove_in_layer("dir");
  remove_in_layer("other/in");
  merge();
  EXPECT_FALSE(fs::exists(root / "tree/file"));
  EXPECT_FALSE(fs::exists(root / "tree/dir"));
  EXPECT_FALSE(fs::exists(root / "tree/other/in"));
  EXPECT_TRUE(fs::exists(root / "tree/other"));
}

TEST_F(MergedLayer, ADirectoryMadeAnewHasNothingOfTheOldOne) {
  put("tree/dir/old", "base\n");
  hide_below("dir");
  put("upper/dir/new", "new\n");
  merge();
  EXPECT_FALSE(fs::exists(root / "tree/dir/old"));
  EXPECT_EQ(text("dir/new"), "new\n");
}

TEST_F(MergedLayer, KindsModesAndTimesAreTheLayers) {
  put("tree/file", "base\n");
  put("tree/dir/in", "base\n");
  put("tree/link", "base\n");
  put("upper/file/in", "new\n");
  put("upper/dir", "new\n");
  fs::create_symlink("/nowhere", root / "upper/link");
  put("upper/program", "#!/bin/sh\n");
  fs::permissions(root / "upper/program", fs::perms(0750));
  fs::permissions(root / "upper/file", fs::perms(0710));
  const timespec then[2] = {{1'000'000'000, 0}, {1'000'000'000, 7}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (root / "upper/program").c_str(), then, 0), 0);
  merge();
  EXPECT_EQ(text("file/in"), "new\n");
  EXPECT_EQ(text("dir"), "new\n");
  EXPECT_EQ(fs::read_symlink(root / "tree/link"), "/nowhere");
  struct stat facts {};
  ASSERT_EQ(::stat((root / "tree/program").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0750u);
  EXPECT_EQ(facts.st_mtim.tv_sec, 1'000'000'000);
  EXPECT_EQ(facts.st_mtim.tv_nsec, 7);
  ASSERT_EQ(::stat((root / "tree/file").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0710u);
}

TEST_F(MergedLayer, NothingIsWrittenThroughALinkOfTheBase) {
  put("elsewhere/in", "mine\n");
  fs::create_directory_symlink(root / "elsewhere", root / "tree/dir");
  put("upper/dir/in", "new\n");
  merge();
  EXPECT_EQ(read_file(root / "elsewhere/in").value_or(""), "mine\n");
  EXPECT_EQ(text("dir/in"), "new\n");
}

TEST(SharedBases, GoWhenNobodyNamesThem) {
  std::string pattern = "/tmp/hydra-bases-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const fs::path root = pattern;
  for (const char* name : {"one/tree", "two/tree", "three.new/tree"})
    ASSERT_TRUE(make_dirs(root / "bases" / name).ok());
  const SharedBases bases(root / "bases", root / "trash");
  bases.drop_unused([] { return std::set<std::string>{"one"}; });
  EXPECT_TRUE(fs::exists(bases.tree("one")));
  EXPECT_FALSE(fs::exists(bases.tree("two")));
  EXPECT_FALSE(fs::exists(root / "bases/three.new")) << "what a kill left half made";
  (void)remove_tree(root);
}

}  // namespace
}  // namespace hydra::trees
