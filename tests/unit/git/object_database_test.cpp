// Trees read and written in the process are git's own, for trees of every shape.
#include "git/store/object_database.hpp"

#include "fixture.hpp"
#include "git/environment.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace hydra::git::test {
namespace {

using Tree = std::map<std::string, std::string>;  ///< path -> content

class ObjectDatabaseTest : public GitTest {
 protected:
  void SetUp() override {
    GitTest::SetUp();
    init();
  }

  /// A commit whose tree is `tree`: without a checkout, so that every name can be tried.
  std::string commit_of(const Tree& tree) {
    git(user_, {"read-tree", "--empty"});
    std::string entries;
    for (const auto& [path, content] : tree) {
      const bool link = content.starts_with("->");
      const std::string mode = link ? "120000" : content.starts_with("#!") ? "100755" : "100644";
      entries += mode + " " + git(user_, {"hash-object", "-w", "--stdin"}, content) + "\t" + path + '\0';
    }
    git(user_, {"update-index", "-z", "--index-info"}, entries);
    return git(user_, {"commit-tree", git(user_, {"write-tree"}), "-m", "x"});
  }
  [[nodiscard]] ObjectDatabase database() const { return ObjectDatabase(user_ / ".git/objects"); }

  static std::string shown(const std::vector<TreeChange>& changes) {
    std::string text;
    for (const auto& c : changes)
      text += ":" + c.old_mode + " " + c.mode + " " + c.old_id + " " + c.id + " " + c.status + "\n" + c.path +
              "\n";
    return text;
  }
  std::string as_git_sees_it(const std::string& from, const std::string& to) const {
    auto text =
        try_git(user_, {"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to}).out;
    std::replace(text.begin(), text.end(), '\0', '\n');
    return text;
  }
};

TEST_F(ObjectDatabaseTest, ChangesAndTreesAreGitsOwnForTreesOfEveryShape) {
  // Names that sort otherwise as a file than as a directory, and every kind of entry.
  const std::vector<std::string> names{"a", "a-b", "a.c", "a0", "ä", "b c", "z"};
  const std::vector<std::string> contents{"one\n", "two\n", "#!run\n", "->a", ""};
  std::mt19937 random(20261122);
  const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
  const auto tree = [&] {
    Tree made;
    for (int i = 0; i < 12; ++i) {
      std::string path = pick(names);
      while (random() % 2 == 0) path += "/" + pick(names);
      // No path is also a directory of another.
      const bool taken = std::any_of(made.begin(), made.end(), [&](const auto& entry) {
        return entry.first.starts_with(path + "/") || path.starts_with(entry.first + "/");
      });
      if (!taken) made[path] = pick(contents);
    }
    return made;
  };
  for (int round = 0; round < 40; ++round) {
    const auto from = commit_of(tree()), to = commit_of(round == 7 ? Tree{} : tree());
    const auto changes = database().changes(from, to);
    ASSERT_TRUE(changes);
    EXPECT_EQ(shown(*changes), as_git_sees_it(from, to));
    EXPECT_EQ(database().write_tree(from, *changes), git(user_, {"rev-parse", to + "^{tree}"}));
    std::string listed;
    const auto files = database().files(to);
    ASSERT_TRUE(files);
    for (const auto& file : *files) listed += file.mode + " blob " + file.id + "\t" + file.path + "\n";
    auto expected = try_git(user_, {"ls-tree", "-r", "-z", "--full-tree", to}).out;
    std::replace(expected.begin(), expected.end(), '\0', '\n');
    EXPECT_EQ(listed, expected);
  }
}

TEST_F(ObjectDatabaseTest, WhatIsNotThereIsAskedOfGit) {
  const auto commit = commit_of({{"a", "text\n"}});
  const std::string none(40, 'a'), zero(40, '0');
  EXPECT_FALSE(database().changes(commit, none));
  EXPECT_FALSE(database().files(none));
  EXPECT_FALSE(database().tree_of("HEAD"));
  EXPECT_FALSE(database().blobs({none}, 100, 100));
  const auto found = database().blobs({zero, commit + ":a", commit + ":b", commit + ":a/b"}, 100, 100);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at(1), "text\n");
  EXPECT_FALSE(found->at(0) || found->at(2) || found->at(3));
  EXPECT_FALSE(database().blobs({commit + ":a"}, 4, 100)->front()) << "too large";
  EXPECT_FALSE(ObjectDatabase(root_ / "nowhere").files(commit));
}

TEST_F(ObjectDatabaseTest, LinesOfLargeFilesAreCountedByGit) {
  const auto objects = database();
  const std::string none(40, '0');
  const auto small = objects.write_blob("one\ntwo\n").value();
  const auto large = objects.write_blob(std::string((32u << 20) + 1, '\n')).value();
  EXPECT_EQ(objects.changed_lines(none, small)->added, 2);
  EXPECT_FALSE(objects.changed_lines(none, large));
  EXPECT_EQ(objects.blob_size(large), (32u << 20) + 1);
}

TEST_F(ObjectDatabaseTest, ADamagedTreeIsNoAnswer) {
  const auto commit = commit_of({{"d/a", "text\n"}, {"e", "text\n"}});
  const auto tree = git(user_, {"rev-parse", commit + ":d"});
  const auto file = user_ / ".git/objects" / tree.substr(0, 2) / tree.substr(2);
  fs::permissions(file, fs::perms(0600));
  write(file, "no object");
  EXPECT_FALSE(database().files(commit));
  EXPECT_FALSE(database().blobs({commit + ":d/a"}, 100, 100));
}

}  // namespace
}  // namespace hydra::git::test
