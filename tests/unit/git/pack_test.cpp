// Packs that are made in the process are whole, and git's own check takes them.
#include "fixture.hpp"
#include "git/store/object_database.hpp"

namespace hydra::git::test {
namespace {

class PackTest : public GitTest {
 protected:
  /// The commit of the work of `script` on top of HEAD, on no branch.
  std::string commit(const std::string& script) {
    shell(user_, script);
    git(user_, {"add", "-A"});
    const auto made = git(user_, {"commit-tree", git(user_, {"write-tree"}), "-p",
                                  git(user_, {"rev-parse", "HEAD"}), "-m", "x"});
    git(user_, {"reset", "-q", "--hard"});
    return made;
  }
  [[nodiscard]] std::optional<std::string> packed(const std::vector<std::string>& commits) const {
    return pack_of(user_ / ".git/objects", commits, git(user_, {"rev-parse", "HEAD"}));
  }
};

TEST_F(PackTest, ItHoldsWhatTheBaseLacksAndGitTakesIt) {
  sample();
  const auto other = root_ / "other";
  git(root_, {"clone", "-q", "--no-hardlinks", user_.string(), other.string()});
  const std::vector<std::string> commits{
      commit("mkdir -p new/deep; echo 1 > new/deep/x; echo y >> a.txt; chmod +x a.txt"),
      commit("rm a.txt; mkdir a.txt; echo 1 > a.txt/inside; ln -s nowhere link"),
      commit("rm -r ./*; echo only > z")};
  const auto pack = packed(commits);
  ASSERT_TRUE(pack);
  git(other, {"index-pack", "--stdin", "--fix-thin", "--fsck-objects"}, *pack);
  for (const auto& id : commits) {
    EXPECT_EQ(git(other, {"rev-list", "--objects", "--missing=print", id}).find('?'), std::string::npos);
    EXPECT_EQ(git(other, {"diff", "--stat", "HEAD", id}), git(user_, {"diff", "--stat", "HEAD", id}));
  }
  git(other, {"fsck", "--strict"});
}

TEST_F(PackTest, OtherHistoriesAreLeftToGit) {
  sample();
  const auto first = commit("echo 1 > x");
  const auto tree = git(user_, {"rev-parse", "HEAD^{tree}"}), head = git(user_, {"rev-parse", "HEAD"});
  EXPECT_FALSE(packed({git(user_, {"commit-tree", tree, "-p", head, "-p", first, "-m", "two"})}));
  EXPECT_FALSE(packed({git(user_, {"commit-tree", tree, "-p", first, "-m", "above another"})}));
  EXPECT_FALSE(packed({git(user_, {"commit-tree", tree, "-m", "alone"})}));
  EXPECT_FALSE(packed({std::string(40, '1')}));
  EXPECT_TRUE(packed({first}));
}

}  // namespace
}  // namespace hydra::git::test
