// Defects that a second reading of the merge found, each red before its fix.
#include "merge_fixture.hpp"

#include <cstdlib>

namespace hydra::git::test {
namespace {

class MergeReview : public MergeTest {
 protected:
  void stop_at(const std::string& step) {
    stop_merge_after = [step](std::string_view name) { return name == step; };
    ASSERT_FALSE(run(request()).ok());
    stop_merge_after = nullptr;
  }
  Result<std::string> recover() {
    return recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  }
};

TEST_F(MergeReview, GoingBackFromADirectoryThatBecameALink) {
  sample();
  write(root_ / "elsewhere/b.txt", "somebody else's\n");
  store_ = store();
  const auto work = workspace(*store_);
  fs::remove_all(work / "dir");
  fs::create_symlink(root_ / "elsewhere", work / "dir");
  result_ = capture(*store_).commit;
  const auto before = fingerprint();
  auto r = request();
  r.allow = {"symlinks"};
  stop_merge_after = [](std::string_view name) { return name == "moved"; };
  ASSERT_FALSE(run(r).ok());
  stop_merge_after = nullptr;
  ASSERT_TRUE(fs::is_symlink(user_ / "dir"));
  const auto recovered = recover();
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_EQ(fingerprint(), before);
  EXPECT_FALSE(fs::is_symlink(user_ / "dir"));
  EXPECT_EQ(read(user_ / "dir/b.txt"), "b1\nb2\n");
  EXPECT_EQ(read(root_ / "elsewhere/b.txt"), "somebody else's\n");
}

TEST_F(MergeReview, GoingBackInASparseCheckoutLeavesOutWhatItLeavesOut) {
  sample();
  git(user_, {"sparse-checkout", "set", "--no-cone", "/*", "!/dir/"});
  ASSERT_FALSE(fs::exists(user_ / "dir"));
  store_ = store();
  const auto work = workspace(*store_);
  write(work / "a.txt", "one\n2\nthree\n");
  write(work / "dir/b.txt", "other\n");
  result_ = capture(*store_).commit;
  const auto before = fingerprint();
  stop_at("moved");
  const auto recovered = recover();
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_EQ(fingerprint(), before);
  EXPECT_FALSE(fs::exists(user_ / "dir"));
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
}

TEST_F(MergeReview, GoingBackReadsNoAttributesOfTheHalfMovedTree) {
  sample();
  store_ = store();
  const auto work = workspace(*store_);
  write(work / ".gitattributes", "*.txt text eol=crlf\n");
  write(work / "a.txt", "one\n2\nthree\n");
  write(work / "new.txt", "n\n");
  result_ = capture(*store_).commit;
  const auto before = fingerprint();
  auto r = request();
  r.allow = {"attributes"};
  stop_merge_after = [](std::string_view name) { return name == "moved"; };
  ASSERT_FALSE(run(r).ok());
  stop_merge_after = nullptr;
  ASSERT_EQ(read(user_ / "a.txt"), "one\r\n2\r\nthree\r\n");
  fs::remove(user_ / ".gitattributes");  // as if the move had been cut before it came
  const auto recovered = recover();
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_EQ(recovered->find("left as they are"), std::string::npos) << *recovered;
  EXPECT_EQ(fingerprint(), before);
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
  EXPECT_FALSE(fs::exists(user_ / "new.txt"));
}

TEST_F(MergeReview, SubmodulesAreNotEntered) {
  fs::create_directories(root_ / "lib");
  const auto app = user_;
  user_ = root_ / "lib";
  init();
  write(user_ / "l.txt", "1\n");
  commit_all();
  const auto first = git(user_, {"rev-parse", "HEAD"});
  write(user_ / "l.txt", "2\n");
  commit_all();
  const auto second = git(user_, {"rev-parse", "HEAD"});
  user_ = app;
  sample();
  git(user_, {"-c", "protocol.file.allow=always", "submodule", "-q", "add", (root_ / "lib").string(), "sub"});
  git(user_ / "sub", {"checkout", "-q", first});
  commit_all();
  git(user_, {"config", "submodule.recurse", "true"});
  store_ = store();
  (void)workspace(*store_);
  // A result whose tree names the other commit of the submodule: by plumbing, as a capture never does.
  const auto tree = git(user_, {"ls-tree", "HEAD"});
  const auto moved = git(user_, {"mktree"}, replace_all(tree, first, second) + "\n");
  result_ = git(user_, {"commit-tree", moved, "-p", "HEAD", "-m", "other submodule"});
  auto r = request();
  r.allow = {"submodules"};
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(git(user_ / "sub", {"rev-parse", "HEAD"}), first) << "the user moves their submodules";
  EXPECT_EQ(read(user_ / "sub/l.txt"), "1\n");
}

TEST_F(MergeReview, BranchInAnotherWorkTreeIsRefused) {
  race();
  git(user_, {"worktree", "add", "-q", "-f", (root_ / "other").string(), "main"});
  expect_refused(request(), "other");
  fs::remove_all(root_ / "other");  // gone without `git worktree remove`: nobody stands there
  EXPECT_TRUE(run(request()).ok());
}

TEST_F(MergeReview, BranchThatAnotherWorkTreeRebasesIsRefused) {
  race();
  git(user_, {"worktree", "add", "-q", "--detach", (root_ / "other").string()});
  write(user_ / ".git/worktrees/other/rebase-merge/head-name", "refs/heads/main\n");
  expect_refused(request(), "other");
}

TEST_F(MergeReview, SquashingTwiceMakesNoEmptyCommit) {
  race();
  auto r = request();
  r.squash = true;
  ASSERT_TRUE(run(r).ok());
  const auto head = git(user_, {"rev-parse", "HEAD"});
  const auto again = run(r);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->already_merged);
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), head);
}

TEST_F(MergeReview, StagedAndDeletedFileOfTheSameNameIsNamed) {
  race();
  write(user_ / "deep/new.txt", "mine\n");
  git(user_, {"add", "deep/new.txt"});
  fs::remove_all(user_ / "deep");
  auto r = request();
  r.dry_run = true;
  const auto preview = run(r);
  ASSERT_TRUE(preview.ok());
  EXPECT_EQ(preview->overlap, std::vector<std::string>{"deep/new.txt"});
}

TEST_F(MergeReview, AHookThatRefusesLeavesNothingBehind) {
  race();
  const auto file = user_ / ".git/hooks/commit-msg";
  fs::create_directories(file.parent_path());
  ASSERT_TRUE(write_file(file, "#!/bin/sh\nexit 1\n", 0755).ok());
  auto r = request();
  r.accept_changes = true;
  expect_refused(r, "commit-msg");
  EXPECT_FALSE(fs::exists(root_ / "journal/scratch"));
  EXPECT_EQ(git(user_, {"for-each-ref", "refs/hydra/race1/merge"}), "");
  EXPECT_TRUE(merge_settled(root_ / "journal"));
}

TEST_F(MergeReview, WhoseLockIsGoneIsToldOnceAndCanMergeAgain) {
  race();
  stop_at("moved");
  fs::remove(user_ / ".git/index.lock");
  EXPECT_FALSE(recover().ok());
  const auto told = run(request());
  ASSERT_FALSE(told.ok());
  EXPECT_EQ(told.error().code, Errc::conflict);
  git(user_, {"reset", "-q", "--hard"});
  fs::remove_all(user_ / "deep");
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
}

TEST_F(MergeReview, AJournalThatCannotBeMarkedForgetsItself) {
  race();
  const auto elsewhere = git(user_, {"commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "elsewhere"});
  stop_merge_after = [&](std::string_view name) {
    if (name != "tree") return false;
    fs::create_directories(root_ / "journal/undone/full");  // no mark of that name can be written
    git(user_, {"update-ref", "refs/heads/main", elsewhere});
    return false;
  };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  fs::remove_all(root_ / "journal/undone");
  EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
  const auto recovered = recover();
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_TRUE(run(request()).ok());
}

TEST_F(MergeReview, WhatSomebodyBuiltOnAMovedBranchIsNotTakenBack) {
  race();
  stop_at("ref");
  const auto merged = git(user_, {"rev-parse", "HEAD"});
  const auto above = git(user_, {"commit-tree", "HEAD^{tree}", "-p", merged, "-m", "above"});
  git(user_, {"update-ref", "refs/heads/main", above});
  const auto recovered = recover();
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(MergeReview, ARepositoryThatIsGoneNeedsNoRecovery) {
  race();
  stop_at("moved");
  fs::rename(user_, root_ / "away");
  const auto recovered = recover();
  EXPECT_TRUE(recovered.ok()) << describe(recovered.error());
}

TEST_F(MergeReview, TreesWithNamesThatGitForbidsAreRefused) {
  race();
  const auto blob = git(store_->directory(), {"--git-dir=.", "hash-object", "-w", "--stdin"}, "x\n");
  for (const std::string name : {".GIT", "git~1", ".git"}) {
    const auto inner =
        git(store_->directory(), {"--git-dir=.", "mktree"}, "100644 blob " + blob + "\tconfig\n");
    const auto tree = git(store_->directory(), {"--git-dir=.", "mktree"},
                          git(store_->directory(), {"--git-dir=.", "ls-tree", result_}) + "\n040000 tree " +
                              inner + "\t" + name + "\n");
    auto r = request();
    r.commit = git(store_->directory(), {"--git-dir=.", "commit-tree", tree, "-p", result_, "-m", "evil"});
    const auto before = fingerprint();
    const auto result = run(r);
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_EQ(fingerprint(), before) << name;
    EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
  }
}

}  // namespace
}  // namespace hydra::git::test
