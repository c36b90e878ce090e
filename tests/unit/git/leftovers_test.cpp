#include "fixture.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace hydra::git::test {
namespace {

class LeftoversTest : public GitTest {
 protected:
  void linked_race() {
    sample();
    auto facts = look();
    ASSERT_TRUE(facts.ok());
    spec_ = spec_of(*facts);
    spec_.config.workspace.isolation = model::WorkspaceIsolation::linked;
    const auto made = Store::create(root_ / "state/races/race1/store", spec_);
    ASSERT_TRUE(made.ok()) << describe(made.error());
    work_ = root_ / "state/races/race1/work/codex";
    ASSERT_TRUE(made->make_workspace(work_, "codex").ok());
    write(user_ / ".git/hydra-index.tmp", "x");
    git(user_, {"branch", "hydra/codex-1"});
    git(user_, {"worktree", "add", "-q", "--detach", (root_ / "users").string()});
  }
  std::vector<std::string> found() {
    const auto list = leftovers(spec_.repository, root_ / "state", path(), home_.string());
    EXPECT_TRUE(list.ok());
    std::vector<std::string> names;
    for (const auto& l : list.ok() ? *list : std::vector<Leftover>{})
      names.push_back(l.kind + " " + fs::path(l.name).filename().string() + " " + l.race);
    return names;
  }
  Result<void> remove_all() {
    return remove_leftovers(spec_.repository,
                            *leftovers(spec_.repository, root_ / "state", path(), home_.string()), path(),
                            home_.string());
  }
  fs::path work_;
};

TEST_F(LeftoversTest, EverythingOfHydrasAndNothingElse) {
  linked_race();
  EXPECT_EQ(found(), (std::vector<std::string>{"ref race1 race1", "worktree codex race1", "lock hydra.lock ",
                                               "file hydra-index.tmp "}));
  const auto kept = remove_all();
  ASSERT_FALSE(kept.ok()) << "the work tree still stands";
  EXPECT_EQ(kept.error().code, Errc::refused);
  fs::remove_all(work_);
  const auto removed = remove_all();
  ASSERT_TRUE(removed.ok()) << describe(removed.error());
  EXPECT_EQ(found(), std::vector<std::string>{});
  EXPECT_NE(git(user_, {"branch", "--list", "hydra/codex-1"}), "") << "results stay";
  EXPECT_NE(git(user_, {"worktree", "list"}).find("users"), std::string::npos) << "the user's own stay";
  EXPECT_TRUE(remove_all().ok());
}

TEST_F(LeftoversTest, ALockThatSomebodyHoldsStays) {
  linked_race();
  const auto lock = user_ / ".git/hydra.lock";
  const int fd = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  const std::vector<Leftover> only{{"lock", lock.string(), {}}};
  const auto removed = remove_leftovers(spec_.repository, only, path(), home_.string());
  ASSERT_FALSE(removed.ok());
  EXPECT_EQ(removed.error().code, Errc::refused);
  EXPECT_TRUE(fs::exists(lock));
  ::close(fd);
  EXPECT_TRUE(remove_leftovers(spec_.repository, only, path(), home_.string()).ok());
  EXPECT_FALSE(fs::exists(lock));
}

}  // namespace
}  // namespace hydra::git::test
