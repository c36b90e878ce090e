// Refs that are read in the process are those that git lists.
#include "git/refs.hpp"

#include "fixture.hpp"

namespace hydra::git::test {
namespace {

class RefsTest : public GitTest {
 protected:
  [[nodiscard]] Command asked() const {
    Command command(path(), home_.string());
    command.git_dir(user_ / ".git").cwd(user_);
    return command;
  }
  static std::string shown(const std::vector<Ref>& refs) {
    std::string text;
    for (const auto& ref : refs) text += ref.id + " " + ref.name + "\n";
    return text;
  }
};

TEST_F(RefsTest, TheyAreGitsOwn) {
  sample();
  for (const char* branch : {"b", "b-x", "deep/er/one", "B"}) git(user_, {"branch", branch});
  git(user_, {"tag", "light"});
  git(user_, {"tag", "-a", "-m", "words", "heavy"});
  git(user_, {"update-ref", "refs/hydra/base/x", "HEAD"});
  git(user_, {"pack-refs", "--all"});
  write(user_ / "a.txt", "moved\n");
  commit_all();
  git(user_, {"branch", "-f", "b"});  // loose over packed
  git(user_, {"branch", "-D", "b-x"});
  git(user_, {"update-ref", "refs/remotes/origin/main", "HEAD"});
  git(user_, {"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"});
  git(user_, {"symbolic-ref", "refs/remotes/origin/lost", "refs/remotes/origin/nowhere"});
  git(user_, {"worktree", "add", "-q", "--detach", (root_ / "linked").string()});
  const auto read = read_refs(user_ / ".git");
  const auto said = ask_for_refs(asked());
  ASSERT_TRUE(read && said.ok());
  EXPECT_GT(said->size(), 8u);
  EXPECT_EQ(shown(*read), shown(*said));
  EXPECT_EQ(has_ref(user_ / ".git", "refs/heads/deep/er/one"), true);
  EXPECT_EQ(has_ref(user_ / ".git", "refs/heads/hydra"), false);
}

TEST_F(RefsTest, WhatIsNotKnownIsLeftToGit) {
  EXPECT_FALSE(read_refs(root_ / "nothing"));
  EXPECT_FALSE(has_ref(root_ / "nothing", "refs/heads/main"));
  sample();
  fs::create_directories(user_ / ".git/reftable");
  EXPECT_FALSE(read_refs(user_ / ".git"));
}

}  // namespace
}  // namespace hydra::git::test
