// Leftovers of a merge when something fails beside it: branches that moved though git said no, refs and keep
// files of a killed import, locks of other merges, configuration that changed before an undo.
#include "git/pin.hpp"
#include "merge_fixture.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hydra::git::test {
namespace {

class MergeLeft : public MergeTest {
 protected:
  Result<std::string> recover() {
    return recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  }
  [[nodiscard]] std::string hydras_refs() { return git(user_, {"for-each-ref", "refs/hydra/race1"}); }
};

TEST_F(MergeLeft, ABranchThatMovedThoughGitFailedHasMoved) {
  race();
  // A git that carries the order out and is cut off before it can say so.
  write(root_ / "bin/git", "#!/bin/sh\nPATH=" + path() +
                               "\ngit \"$@\"\nrc=$?\ncase \"$*\" in *'update-ref -m hydra: merge'*) exit 1;; "
                               "esac\nexit $rc\n");
  fs::permissions(root_ / "bin/git", fs::perms(0755));
  spec_.environment[0].second = (root_ / "bin").string() + ":" + path();
  store_ = Store::open(store_->directory(), spec_);
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), merged->new_commit);
  EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
}

TEST_F(MergeLeft, AKilledImportLeavesNoRefAndNoKeepFile) {
  race();
  const pid_t pid = ::fork();
  if (pid == 0) {
    stop_merge_after = [](std::string_view step) {
      if (step == "intent") ::kill(::getpid(), SIGKILL);
      return false;
    };
    (void)run(request());
    ::_exit(3);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_NE(hydras_refs(), "") << "the test does not kill where it means to";
  // As a kill between the pack and its ref leaves it, beside one of somebody else.
  const auto pack = user_ / ".git/objects/pack";
  write(pack / "pack-1.keep", "hydra: refs/hydra/race1/merge\n");
  write(pack / "pack-2.keep", "hydra: refs/hydra/race2/merge\n");
  write(pack / "pack-3.keep", "mine\n");
  const auto recovered = recover();
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_EQ(hydras_refs(), "");
  EXPECT_FALSE(fs::exists(pack / "pack-1.keep"));
  EXPECT_TRUE(fs::exists(pack / "pack-2.keep"));
  EXPECT_TRUE(fs::exists(pack / "pack-3.keep"));
  for (const auto& entry : fs::directory_iterator(user_ / ".git"))
    EXPECT_FALSE(entry.path().filename().string().starts_with("hydra-")) << entry.path();
}

TEST_F(MergeLeft, TheLockOfAnotherMergeIsNotToBeRemovedByHand) {
  race();
  write(user_ / ".git/hydra-0123.lock", "hydra 0123\n");
  fs::create_hard_link(user_ / ".git/hydra-0123.lock", user_ / ".git/index.lock");
  const auto merged = run(request());
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().code, Errc::refused);
  EXPECT_EQ(merged.error().hint.find("remove"), std::string::npos) << merged.error().hint;
  EXPECT_NE(merged.error().message.find("another Hydra merge"), std::string::npos);
}

TEST_F(MergeLeft, AnUndoLooksAtTheConfigurationFirst) {
  race();
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  git(user_, {"config", "filter.evil.smudge", "touch " + (root_ / "ran").string()});
  UndoRequest undo{root_ / "undo", merged->new_commit, merged->old_commit, merged->ref, {}};
  const auto refused = undo_merge(*store_, spec_, undo);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("filter.evil.smudge"), std::string::npos);
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), merged->new_commit);
  undo.repair_changes = true;
  const auto undone = undo_merge(*store_, spec_, undo);
  ASSERT_TRUE(undone.ok()) << describe(undone.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), merged->old_commit);
  EXPECT_NE(try_git(user_, {"config", "filter.evil.smudge"}).exit_code, 0);
}

TEST_F(MergeLeft, NothingIsRepairedThroughALink) {
  init();
  write(user_ / ".git/hooks/pre-push", "#!/bin/sh\n");
  race();
  write(root_ / "elsewhere/pre-commit", "somebody's\n");
  fs::remove_all(user_ / ".git/hooks");
  fs::create_directory_symlink(root_ / "elsewhere", user_ / ".git/hooks");
  auto r = request();
  r.repair_changes = true;
  const auto merged = run(r);
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(read(root_ / "elsewhere/pre-commit"), "somebody's\n");
  EXPECT_FALSE(fs::exists(root_ / "elsewhere/pre-push"));
}

TEST_F(MergeLeft, PartsAreCombinedSideBySide) {
  race();
  const auto other = workspace(*store_, "claude");
  write(other / "dir/b.txt", "other\n");
  const auto theirs = capture(*store_, "claude").commit;
  const auto tree_of = [&](const Part& part) {
    const auto made = store_->combine({part}, "combined");
    return made.ok() ? made->tree : describe(made.error());
  };
  const Part one{"codex", result_, {"deep"}}, two{"claude", theirs, {"dir"}};
  const auto first = tree_of(one), second = tree_of(two);
  ASSERT_NE(first, second);
  std::vector<std::string> wrong[2];
  const auto often = [&](const Part& part, const std::string& tree, std::vector<std::string>& bad) {
    for (int i = 0; i < 10; ++i)
      if (const auto now = tree_of(part); now != tree) bad.push_back(now);
  };
  std::thread beside([&] { often(one, first, wrong[0]); });
  often(two, second, wrong[1]);
  beside.join();
  EXPECT_EQ(wrong[0], std::vector<std::string>{});
  EXPECT_EQ(wrong[1], std::vector<std::string>{});
  for (const auto& entry : fs::directory_iterator(store_->directory()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("combine.")) << entry.path();
}

TEST_F(MergeLeft, ThePartOfARenameSaysThatTheOldFileStays) {
  sample();
  store_ = store();
  const auto work = workspace(*store_);
  fs::rename(work / "a.txt", work / "moved.txt");
  result_ = capture(*store_).commit;
  auto r = request();
  r.parts = {"moved.txt"};
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_NE(merged->note.find("a.txt"), std::string::npos) << merged->note;
  EXPECT_TRUE(fs::exists(user_ / "a.txt"));
}

TEST_F(MergeLeft, CommitsOfTheUserOnTheResultsBranchAreNamed) {
  race();
  const auto own = git(user_, {"commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "a fix of the result"});
  git(user_, {"branch", "hydra/codex-1", own});
  auto r = request();
  r.dry_run = true;
  const auto preview = run(r);
  ASSERT_TRUE(preview.ok()) << describe(preview.error());
  EXPECT_NE(preview->note.find("hydra/codex-1 has moved"), std::string::npos) << preview->note;
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_NE(merged->note.find(own.substr(0, 12)), std::string::npos) << merged->note;
  const auto again = run(request());
  ASSERT_TRUE(again.ok()) << describe(again.error());
  EXPECT_TRUE(again->already_merged);
  EXPECT_NE(again->note.find("git merge hydra/codex-1"), std::string::npos) << again->note;
  git(user_, {"merge", "-q", "-m", "by hand", "hydra/codex-1"});
  EXPECT_EQ(run(request())->note, "") << "it is in the branch by now";
  git(user_, {"branch", "-f", "hydra/codex-1", result_});
  EXPECT_EQ(run(request())->note, "");
}

TEST_F(MergeLeft, AWorktreeIsForgottenOnlyWhenItIsGone) {
  sample();
  const auto work = root_ / "linked";
  git(user_, {"worktree", "add", "--detach", work.string()});
  store_ = store();
  forget_worktree(spec_.repository, work);
  EXPECT_TRUE(fs::exists(user_ / ".git/worktrees/linked")) << "it still stands there";
  git(user_, {"worktree", "lock", work.string()});
  fs::rename(work, root_ / "moved");
  forget_worktree(spec_.repository, work);
  EXPECT_TRUE(fs::exists(user_ / ".git/worktrees/linked")) << "the user has locked it";
  fs::remove(user_ / ".git/worktrees/linked/locked");
  forget_worktree(spec_.repository, work);
  EXPECT_FALSE(fs::exists(user_ / ".git/worktrees/linked"));
}

}  // namespace
}  // namespace hydra::git::test
