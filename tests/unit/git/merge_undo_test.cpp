// Merges that are taken back, and merges into a checkout that is as dirty as at the start.
#include "merge_states.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace hydra::git::test {
namespace {

class UndoTest : public MergeStates {
 protected:
  UndoRequest undo_of(const MergePreview& merged) const {
    UndoRequest undo{root_ / "undo", merged.new_commit, merged.old_commit, merged.ref, merged.state, false};
    undo.at_step = stop_merge_after;
    return undo;
  }
};

TEST_F(UndoTest, TakesTheMergeBackAndKeepsTheUsersFiles) {
  race();
  for (const std::string how : {"merge", "squash", "ff"}) {
    auto r = request();
    r.squash = how == "squash";
    r.ff = how == "ff";
    const auto before = git(user_, {"write-tree"});
    const auto merged = run(r);
    ASSERT_TRUE(merged.ok()) << how << describe(merged.error());
    write(user_ / "dir/b.txt", "dirty\n");
    write(user_ / "mine", "m\n");
    const auto undone = undo_merge(*store_, spec_, undo_of(*merged));
    ASSERT_TRUE(undone.ok()) << how << describe(undone.error());
    EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), spec_.repository.base) << how;
    EXPECT_EQ(git(user_, {"write-tree"}), before);
    EXPECT_EQ(git(user_, {"status", "--porcelain"}), "M dir/b.txt\n?? mine") << how;
    EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
    EXPECT_FALSE(fs::exists(user_ / "deep"));
    EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
    git(user_, {"checkout", "-q", "dir/b.txt"});
    fs::remove(user_ / "mine");
  }
}

TEST_F(UndoTest, RefusesWithTheWordsToDoItByHand) {
  race();
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok());
  const auto refuses = [&](const std::string& word) {
    const auto before = fingerprint();
    const auto undone = undo_merge(*store_, spec_, undo_of(*merged));
    ASSERT_FALSE(undone.ok()) << word;
    EXPECT_EQ(undone.error().code, Errc::refused);
    EXPECT_NE(describe(undone.error()).find(word), std::string::npos) << describe(undone.error());
    EXPECT_NE(describe(undone.error()).find("git revert -m 1"), std::string::npos)
        << describe(undone.error());
    EXPECT_EQ(fingerprint(), before);
  };
  write(user_ / "deep/new.txt", "mine now\n");
  refuses("deep/new.txt");
  git(user_, {"checkout", "-q", "."});
  git(user_, {"update-ref", "refs/remotes/origin/main", "HEAD"});
  refuses("refs/remotes/origin/main");
  git(user_, {"update-ref", "-d", "refs/remotes/origin/main"});
  write(user_ / "later.txt", "l\n");
  commit_all();
  refuses("built on");
}

TEST_F(UndoTest, KilledAtEveryStepItIsUndoneOrNot) {
  race();
  for (const std::string step : {"intent", "lock", "check", "go", "moved", "tree", "ref", "index", "done"}) {
    const auto merged = run(request());
    ASSERT_TRUE(merged.ok()) << step << describe(merged.error());
    const auto before = fingerprint();
    stop_merge_after = [&](std::string_view name) { return name == step; };
    ASSERT_FALSE(undo_merge(*store_, spec_, undo_of(*merged)).ok());
    stop_merge_after = nullptr;
    const auto recovered = recover_merge(root_ / "undo", spec_.repository, path(), home_.string());
    ASSERT_TRUE(recovered.ok()) << step << describe(recovered.error());
    const bool forward = step == "tree" || step == "ref" || step == "index" || step == "done";
    if (!forward) {
      EXPECT_EQ(fingerprint(), before) << step;
    }
    if (forward) {
      EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), spec_.repository.base) << step;
    }
    EXPECT_EQ(git(user_, {"status", "--porcelain"}), "") << step;
    EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
    git(user_, {"reset", "-q", "--hard", spec_.repository.base});
  }
}

// --- results of a dirty checkout ---

class DirtyStates : public UndoTest {
 protected:
  /// A race over uncommitted changes: a.txt edited, staged.txt staged, untracked.txt new, dir/c.txt deleted.
  void dirty_race() {
    sample();
    write(user_ / "a.txt", "one\nTWO\nthree\n");
    write(user_ / "staged.txt", "s\n");
    git(user_, {"add", "staged.txt"});
    write(user_ / "untracked.txt", "u\n");
    fs::remove(user_ / "dir/c.txt");
    before_ = git(user_, {"status", "--porcelain"});
    const auto facts = look({}, true);
    ASSERT_TRUE(facts.ok()) << describe(facts.error());
    spec_ = spec_of(*facts);
    store_ = store_of(spec_);
    const auto work = workspace(*store_);
    write(work / "a.txt", "one\nTWO\nthree\nfour\n");
    write(work / "new.txt", "n\n");
    fs::remove(work / "untracked.txt");
    result_ = capture(*store_).commit;
  }
  std::string before_;
};

TEST_F(DirtyStates, MergesIntoTheSameDirtyCheckout) {
  dirty_race();
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(merged->state, spec_.repository.base);
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD^{tree}"}),
            git(store_->directory(), {"--git-dir=.", "rev-parse", result_ + "^{tree}"}));
  EXPECT_EQ(read(user_ / "a.txt"), "one\nTWO\nthree\nfour\n");
  EXPECT_EQ(read(user_ / "staged.txt"), "s\n");
  EXPECT_FALSE(fs::exists(user_ / "untracked.txt"));
  EXPECT_FALSE(fs::exists(user_ / "dir/c.txt"));
  const auto undone = undo_merge(*store_, spec_, undo_of(*merged));
  ASSERT_TRUE(undone.ok()) << describe(undone.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), spec_.repository.head);
  EXPECT_EQ(read(user_ / "a.txt"), "one\nTWO\nthree\n");
  EXPECT_EQ(read(user_ / "untracked.txt"), "u\n");
  EXPECT_EQ(read(user_ / "staged.txt"), "s\n");
  EXPECT_FALSE(fs::exists(user_ / "dir/c.txt"));
  EXPECT_FALSE(fs::exists(user_ / "new.txt"));
}

TEST_F(DirtyStates, WhatIsEditedSinceStandsInTheWay) {
  dirty_race();
  write(user_ / "a.txt", "one\nTWO\nthree\nmine\n");
  expect_refused(request(), "a.txt");
  EXPECT_EQ(read(user_ / "a.txt"), "one\nTWO\nthree\nmine\n");
}

TEST_F(DirtyStates, WhatIsEditedSinceElsewhereIsKept) {
  dirty_race();
  write(user_ / "dir/b.txt", "later\n");
  write(user_ / "staged.txt", "s2\n");
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(user_ / "dir/b.txt"), "later\n");
  EXPECT_EQ(read(user_ / "staged.txt"), "s2\n");
  EXPECT_EQ(git(user_, {"diff", "HEAD", "--name-only"}), "dir/b.txt\nstaged.txt");
}

TEST_F(DirtyStates, KilledAtEveryStepTheDirtyStateIsThereOrMerged) {
  dirty_race();
  const auto before = fingerprint();
  for (const std::string step : {"check", "go", "moved", "tree", "ref", "index"}) {
    stop_merge_after = [&](std::string_view name) { return name == step; };
    ASSERT_FALSE(run(request()).ok());
    stop_merge_after = nullptr;
    const auto recovered = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
    ASSERT_TRUE(recovered.ok()) << step << describe(recovered.error());
    const bool forward = step == "tree" || step == "ref" || step == "index";
    if (!forward) {
      EXPECT_EQ(fingerprint(), before) << step;
      EXPECT_EQ(read(user_ / "a.txt"), "one\nTWO\nthree\n") << step;
      EXPECT_EQ(read(user_ / "untracked.txt"), "u\n") << step;
      continue;
    }
    EXPECT_EQ(git(user_, {"status", "--porcelain"}), "") << step;
    const auto done = landed(root_ / "journal");
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->state, spec_.repository.base);
    UndoRequest undo{root_ / "undo", done->commit, done->before, done->ref, done->state, false};
    undo.at_step = stop_merge_after;
    ASSERT_TRUE(undo_merge(*store_, spec_, undo).ok()) << step;
    git(user_, {"add", "staged.txt"});
    EXPECT_EQ(git(user_, {"status", "--porcelain"}), before_) << step;
  }
}

}  // namespace
}  // namespace hydra::git::test
