// Used trees beside a template: who takes them, which ones, and what becomes of the others.
#include "checks/used_trees.hpp"

#include "base/files.hpp"
#include "checks/template.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace hydra::checks {
namespace {

class UsedTreesTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-used-XXXXXX";
    root_ = ::mkdtemp(pattern);
    if (!can_use_again(root_)) GTEST_SKIP() << "used trees can't be told from fresh ones here";
    for (const char* kind : {"cold", "warm"})
      for (int i = 0; i < 20; ++i)
        file("templates/t/" + std::string(kind) + "/d/f" + std::to_string(i), kind);
    file(
        "templates/t/template.json",
        R"({"key":"k","warm":true,"finished_ns":7,"copies_only":false,"bytes":1000,"used_ms":1,"notes":[]})");
  }
  void TearDown() override { (void)remove_tree(root_); }
  void file(const std::string& path, const std::string& text) const {
    ASSERT_TRUE(make_dirs((root_ / path).parent_path()).ok());
    ASSERT_TRUE(write_file(root_ / path, text).ok());
  }
  [[nodiscard]] UsedTrees trees(int limit = 4) const { return {home(), root_ / "trash", limit}; }
  [[nodiscard]] fs::path home() const { return root_ / "templates/t"; }
  [[nodiscard]] CopySource source(bool warm = false, std::int64_t finished = 7) const {
    return {home() / (warm ? "warm" : "cold"), warm, finished};
  }
  [[nodiscard]] fs::path place(const std::string& name) const {
    (void)make_dirs(root_ / "checks" / name);
    return root_ / "checks" / name;
  }
  [[nodiscard]] ino_t inode(const std::string& name) const {
    struct stat st {};
    return ::lstat((root_ / "checks" / name / "tree").c_str(), &st) == 0 ? st.st_ino : 0;
  }
  void use(const std::string& name, const CopySource& from, const UsedTrees& all) const {
    ASSERT_TRUE(all.make(from, place(name)).ok());
    file("checks/" + name + "/tree/d/f3", "used by " + name);
    const auto work = all.give_back(from, place(name));
    ASSERT_TRUE(work);
    EXPECT_FALSE(fs::exists(place(name) / "tree"));
    work();
  }
  [[nodiscard]] std::size_t kept() const {
    std::error_code ec;
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(home() / "used", ec), fs::directory_iterator{}));
  }
  fs::path root_;
};

TEST_F(UsedTreesTest, AUsedTreeIsTakenAndIsAsTheTemplate) {
  const auto all = trees();
  EXPECT_FALSE(*all.make(source(), place("a")));
  const auto first = inode("a");
  file("checks/a/tree/d/f3", "evil");
  all.give_back(source(), place("a"))();
  EXPECT_TRUE(*all.make(source(), place("b")));
  EXPECT_EQ(inode("b"), first);
  EXPECT_EQ(*read_file(place("b") / "tree/d/f3"), "cold");
  EXPECT_EQ(kept(), 0U);
  // And once more: the manifest is of now.
  file("checks/b/tree/d/f4", "evil");
  all.give_back(source(), place("b"))();
  EXPECT_TRUE(*all.make(source(), place("c")));
  EXPECT_EQ(inode("c"), first);
  EXPECT_EQ(*read_file(place("c") / "tree/d/f4"), "cold");
}

TEST_F(UsedTreesTest, WarmAndColdAndTemplatesThatWereMadeAgainAreApart) {
  const auto all = trees();
  use("a", source(true), all);
  EXPECT_FALSE(*all.make(source(false), place("b")));
  EXPECT_FALSE(*all.make(source(true, 8), place("c")));
  EXPECT_TRUE(*all.make(source(true), place("d")));
  EXPECT_EQ(*read_file(place("d") / "tree/d/f3"), "warm");
}

TEST_F(UsedTreesTest, ATreeOfAnotherTemplateIsNotPutBack) {
  const auto all = trees();
  ASSERT_TRUE(all.make(source(false, 7), place("a")).ok());
  const auto work = all.give_back(source(false, 8), place("a"));
  ASSERT_TRUE(work);
  work();
  EXPECT_EQ(kept(), 0U);
  EXPECT_FALSE(fs::is_empty(root_ / "trash"));
}

TEST_F(UsedTreesTest, NoMoreThanTheLimit) {
  const auto all = trees(2);
  std::vector<std::function<void()>> work;
  for (const char* name : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(all.make(source(), place(name)).ok());
    work.push_back(all.give_back(source(), place(name)));
  }
  std::vector<std::thread> threads;
  for (const auto& each : work) threads.emplace_back(each);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(kept(), 2U);
  EXPECT_TRUE(*all.make(source(), place("e")));
  EXPECT_TRUE(*all.make(source(), place("f")));
  EXPECT_FALSE(*all.make(source(), place("g")));
  const auto none = trees(0);
  EXPECT_FALSE(*none.make(source(), place("h")));
  EXPECT_FALSE(none.give_back(source(), place("h")));
}

TEST_F(UsedTreesTest, TwoNeverTakeTheSame) {
  const auto all = trees(8);
  for (int round = 0; round < 5; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] { (void)all.make(source(), place(std::to_string(i))); });
    for (auto& thread : threads) thread.join();
    std::set<ino_t> inodes;
    for (int i = 0; i < 8; ++i) {
      inodes.insert(inode(std::to_string(i)));
      EXPECT_EQ(*read_file(place(std::to_string(i)) / "tree/d/f3"), "cold");
      file("checks/" + std::to_string(i) + "/tree/d/f3", "evil");
    }
    EXPECT_EQ(inodes.size(), 8U);
    for (int i = 0; i < 8; ++i) all.give_back(source(), place(std::to_string(i)))();
    EXPECT_EQ(kept(), 8U);
  }
}

TEST_F(UsedTreesTest, WhatCantBePutBackIsNeverKept) {
  const auto all = trees();
  ASSERT_TRUE(all.make(source(), place("a")).ok());
  fs::remove(home() / "cold/d/f3");
  file("checks/a/tree/d/f3", "evil");
  all.give_back(source(), place("a"))();
  EXPECT_EQ(kept(), 0U);
  // Nor what this process has no manifest of.
  ASSERT_TRUE(all.make(source(), place("b")).ok());
  fs::remove(place("b") / "manifest");
  EXPECT_FALSE(all.give_back(source(), place("b")));
  EXPECT_TRUE(fs::exists(place("b") / "tree"));
}

TEST_F(UsedTreesTest, NothingIsMadeBesideATemplateThatIsGone) {
  const auto all = trees();
  ASSERT_TRUE(all.make(source(), place("a")).ok());
  fs::rename(home(), root_ / "away");
  EXPECT_FALSE(all.give_back(source(), place("a")));
  EXPECT_FALSE(fs::exists(home()));
}

TEST_F(UsedTreesTest, TheyCountAndGoBeforeAnyTemplate) {
  const auto all = trees();
  use("a", source(), all);
  const auto bytes = used_bytes(home());
  EXPECT_GE(bytes, 20U);
  const Templates templates(root_ / "templates", root_ / "trash");
  ASSERT_EQ(templates.list().size(), 1U);
  EXPECT_EQ(templates.list().front().meta.bytes, 1000 + bytes);
  EXPECT_TRUE(templates.evict(1000 + bytes, {}).empty());
  EXPECT_EQ(kept(), 1U);
  EXPECT_TRUE(templates.evict(1000, {"t"}).empty());
  EXPECT_FALSE(fs::exists(home() / "used"));
  EXPECT_EQ(templates.list().front().meta.bytes, 1000U);
  EXPECT_FALSE(*all.make(source(), place("b")));
}

TEST_F(UsedTreesTest, TheStateOfAnEarlierDaemonIsDropped) {
  use("a", source(), trees());
  Templates(root_ / "templates", root_ / "trash").drop_used_trees();
  EXPECT_FALSE(fs::exists(home() / "used"));
  EXPECT_TRUE(fs::exists(home() / "template.json"));
}

}  // namespace
}  // namespace hydra::checks
