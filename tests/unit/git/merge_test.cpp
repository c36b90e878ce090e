#include "git/merge/conflicts.hpp"
#include "merge_fixture.hpp"

namespace hydra::git::test {
namespace {

TEST_F(MergeTest, MakesAMergeCommit) {
  race();
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD^1"}), spec_.repository.base);
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD^2"}), result_);
  EXPECT_EQ(git(user_, {"symbolic-ref", "HEAD"}), "refs/heads/main");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_EQ(read(user_ / "a.txt"), "one\n2\nthree\n");
  EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n");
  EXPECT_FALSE(fs::exists(user_ / "dir/c.txt"));
  EXPECT_EQ(git(user_, {"log", "-1", "--format=%s|%an"}), "Merge the winner|Ada Test");
  EXPECT_EQ(merged->diff.files_changed, 3);
  EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
  git(user_, {"fsck", "--strict"});
  const auto again = run(request());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->already_merged);
}

TEST_F(MergeTest, Squash) {
  race();
  auto r = request();
  r.squash = true;
  ASSERT_TRUE(run(r).ok());
  EXPECT_EQ(git(user_, {"log", "-1", "--format=%P"}), spec_.repository.base);
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD^{tree}"}),
            git(store_->directory(), {"--git-dir=.", "rev-parse", result_ + "^{tree}"}));
}

TEST_F(MergeTest, FastForwardOnly) {
  race();
  auto r = request();
  r.ff_only = true;
  ASSERT_TRUE(run(r).ok());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), result_);
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(MergeTest, FastForwardOnlyRefusedAfterTheBranchMoved) {
  race();
  write(user_ / "other", "o\n");
  commit_all();
  auto r = request();
  r.ff_only = true;
  expect_refused(r, "fast-forward");
}

TEST_F(MergeTest, MovedBranchIsMergedForReal) {
  race();
  write(user_ / "other", "o\n");
  commit_all();
  const auto old = git(user_, {"rev-parse", "HEAD"});
  ASSERT_TRUE(run(request()).ok());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD^1"}), old);
  EXPECT_EQ(read(user_ / "other"), "o\n");
  EXPECT_EQ(read(user_ / "a.txt"), "one\n2\nthree\n");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(MergeTest, DryRunChangesNothing) {
  race();
  write(user_ / "a.txt", "mine\n");
  auto r = request();
  r.dry_run = true;
  const std::string before = fingerprint();
  const auto preview = run(r);
  ASSERT_TRUE(preview.ok()) << describe(preview.error());
  EXPECT_EQ(preview->overlap, std::vector<std::string>{"a.txt"});
  EXPECT_EQ(preview->diff.lines_added, 2);
  EXPECT_FALSE(preview->new_commit.empty());
  EXPECT_EQ(fingerprint(), before);
}

TEST_F(MergeTest, UntouchedDirtyStagedAndUntrackedFilesSurvive) {
  race();
  write(user_ / "dir/b.txt", "dirty\n");
  write(user_ / "staged.txt", "staged\n");
  git(user_, {"add", "staged.txt"});
  write(user_ / "staged.txt", "staged and changed\n");
  write(user_ / "untracked", "u\n");
  write(user_ / ".env", "SECRET\n");
  ASSERT_TRUE(run(request()).ok());
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "M dir/b.txt\nAM staged.txt\n?? untracked");
  EXPECT_EQ(read(user_ / ".env"), "SECRET\n");
  EXPECT_EQ(git(user_, {"show", ":staged.txt"}), "staged");
}

TEST_F(MergeTest, OverlapIsRefused) {
  race();
  write(user_ / "a.txt", "mine\n");
  expect_refused(request(), "a.txt");
  git(user_, {"add", "a.txt"});
  expect_refused(request(), "a.txt");
}

TEST_F(MergeTest, DeletedFileOfTheUserIsOverlap) {
  race();
  fs::remove(user_ / "a.txt");
  expect_refused(request(), "a.txt");
}

TEST_F(MergeTest, UntrackedFileInTheWayIsRefused) {
  race();
  write(user_ / "deep/new.txt", "mine\n");
  expect_refused(request(), "deep/new.txt");
}

TEST_F(MergeTest, FileWhereADirectoryComesIsRefused) {
  race();
  write(user_ / "deep", "mine\n");
  expect_refused(request(), "deep");
}

TEST_F(MergeTest, IgnoredFileInTheWayIsRefused) {
  sample();
  store_ = store();
  const auto work = workspace(*store_);
  write(work / ".gitignore", "build/\n");
  write(work / ".env", "theirs\n");
  git(work, {"add", "-f", ".env"});
  // The base ignores .env, so it needs a commit of its own to get in.
  git(work, {"commit", "-q", "-m", "x"});
  const fs::path objects = user_ / ".git/objects";
  git(work, {"push", "-q", store_->directory().string(), "HEAD:refs/heads/x"});
  result_ = git(store_->directory(), {"--git-dir=.", "rev-parse", "refs/heads/x"});
  write(user_ / ".env", "mine\n");
  expect_refused(request(), ".env");
  EXPECT_EQ(read(user_ / ".env"), "mine\n");
}

TEST_F(MergeTest, UntrackedFilesInADirectoryThatBecomesAFile) {
  sample();
  store_ = store();
  const auto work = workspace(*store_);
  fs::remove_all(work / "dir");
  write(work / "dir", "now a file\n");
  result_ = capture(*store_).commit;
  write(user_ / "dir/mine.log", "ignored and mine\n");
  expect_refused(request(), "dir/mine.log");
  fs::remove(user_ / "dir/mine.log");
  ASSERT_TRUE(run(request()).ok());
  EXPECT_EQ(read(user_ / "dir"), "now a file\n");
}

TEST_F(MergeTest, ConflictsAreListedAndRefused) {
  race();
  write(user_ / "a.txt", "one\nzwei\nthree\n");
  commit_all();
  expect_refused(request(), "a.txt");
  auto r = request();
  r.dry_run = true;
  const auto preview = run(r);
  ASSERT_TRUE(preview.ok());
  EXPECT_EQ(preview->conflicts, std::vector<std::string>{"a.txt"});
  EXPECT_TRUE(preview->new_commit.empty());
  ASSERT_EQ(preview->conflict_text.size(), 1u);
  EXPECT_EQ(preview->conflict_text[0].path, "a.txt");
  EXPECT_EQ(preview->conflict_text[0].text,
            "@@ line 1 @@\none\n<<<<<<< main\nzwei\n=======\n2\n>>>>>>> " + r.branch + "\nthree\n");
}

// A file that one side removed, and one that is no text: named, and nothing to show.
TEST_F(MergeTest, ConflictsWithoutMarksHaveNoText) {
  race();
  write(user_ / "dir/c.txt", "changed here, removed there\n");
  write(user_ / "deep/new.txt", std::string("no\0text", 7));
  commit_all();
  auto r = request();
  r.dry_run = true;
  const auto preview = run(r);
  ASSERT_TRUE(preview.ok());
  EXPECT_EQ(preview->conflicts, (std::vector<std::string>{"deep/new.txt", "dir/c.txt"}));
  EXPECT_TRUE(preview->conflict_text.empty());
}

TEST(ConflictRegions, EachWithItsLinesAround) {
  const Sides sides{"0a1b", "2c3d", "main", "hydra/codex-1"};
  std::string text, far;
  for (int i = 1; i <= 20; ++i) far += "line " + std::to_string(i) + "\n";
  text = far + "<<<<<<< 0a1b:old.txt\nours\n=======\ntheirs\n>>>>>>> 2c3d\n" + far;
  EXPECT_EQ(conflict_regions(text, sides),
            "@@ line 18 @@\nline 18\nline 19\nline 20\n<<<<<<< main:old.txt\nours\n=======\ntheirs\n"
            ">>>>>>> hydra/codex-1\nline 1\nline 2\nline 3\n");
  EXPECT_EQ(conflict_regions(far, sides), "");
  EXPECT_EQ(conflict_regions("<<<<<<< 0a1b\nnever ends\n", sides), "");
  // Regions that touch share their lines.
  const std::string close = "<<<<<<< 0a1b\na\n=======\nb\n>>>>>>> 2c3d\nbetween\n";
  EXPECT_EQ(conflict_regions(close + close, sides),
            "@@ line 1 @@\n<<<<<<< main\na\n=======\nb\n>>>>>>> hydra/codex-1\nbetween\n<<<<<<< main\na\n"
            "=======\nb\n>>>>>>> hydra/codex-1\nbetween\n");
  std::string many;
  for (int i = 0; i < 3000; ++i) many += close + far;
  const auto cut = conflict_regions(many, sides);
  EXPECT_LE(cut.size(), (64u << 10) + 20);
  EXPECT_TRUE(cut.ends_with("@@ and more @@\n"));
}

TEST_F(MergeTest, OperationsInProgressAreRefused) {
  race();
  for (const char* name : {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"}) {
    write(user_ / ".git" / name, spec_.repository.base + "\n");
    const auto result = run(request());
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_EQ(result.error().code, Errc::refused);
    fs::remove(user_ / ".git" / name);
  }
  for (const char* name : {"rebase-merge", "rebase-apply"}) {
    fs::create_directory(user_ / ".git" / name);
    EXPECT_FALSE(run(request()).ok()) << name;
    fs::remove(user_ / ".git" / name);
  }
}

TEST_F(MergeTest, DetachedAndOtherBranchAreRefused) {
  race();
  git(user_, {"checkout", "-q", "-b", "other"});
  expect_refused(request(), "refs/heads/other");
  git(user_, {"checkout", "-q", "--detach"});
  expect_refused(request(), "detached");
}

TEST_F(MergeTest, ForeignIndexLockIsRefused) {
  race();
  write(user_ / ".git/index.lock", "");
  expect_refused(request(), "index.lock");
  EXPECT_TRUE(fs::exists(user_ / ".git/index.lock"));
}

TEST_F(MergeTest, AssumeUnchangedEditIsKept) {
  race();
  git(user_, {"update-index", "--assume-unchanged", "a.txt"});
  write(user_ / "a.txt", "hidden edit\n");
  const auto result = run(request());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(read(user_ / "a.txt"), "hidden edit\n");
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), spec_.repository.base);
}

void hook(const fs::path& repository, const std::string& name, const std::string& script) {
  fs::create_directories(repository / ".git/hooks");
  ASSERT_TRUE(write_file(repository / ".git/hooks" / name, "#!/bin/sh\n" + script, 0755).ok());
}

TEST_F(MergeTest, HooksMayRefuseOrEdit) {
  race();
  hook(user_, "pre-merge-commit", "test -f deep/new.txt && echo 'not today' >&2; exit 1\n");
  auto r = request();
  r.accept_changes = true;  // the hooks came after the race began
  expect_refused(r, "not today");
  fs::remove(user_ / ".git/hooks/pre-merge-commit");
  hook(user_, "commit-msg", "echo 'Signed-off-by: hook' >> \"$1\"\n");
  hook(user_, "post-merge", "pwd > ../post; exit 3\n");
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_NE(git(user_, {"log", "-1", "--format=%B"}).find("Signed-off-by: hook"), std::string::npos);
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), merged->new_commit);
  EXPECT_EQ(read(root_ / "post"), user_.string() + "\n");
  EXPECT_NE(merged->note.find("post-merge"), std::string::npos);
}

TEST_F(MergeTest, OtherHooksOfTheUserDoNotRun) {
  sample();
  for (const char* name : {"reference-transaction", "post-checkout", "post-index-change", "pre-commit"})
    hook(user_, name, "echo " + std::string(name) + " >> '" + (root_ / "ran").string() + "'\n");
  store_ = store();
  const auto work = workspace(*store_);
  write(work / "n", "n\n");
  result_ = capture(*store_).commit;
  ASSERT_TRUE(store_->publish({{"hydra/codex-1", result_}}).front().ok());
  ASSERT_TRUE(run(request()).ok());
  EXPECT_FALSE(fs::exists(root_ / "ran")) << read(root_ / "ran");
}

TEST_F(MergeTest, IntoALinkedWorktree) {
  sample();
  git(user_, {"worktree", "add", "-q", "-b", "feature", (root_ / "wt").string()});
  const auto main_user = user_;
  user_ = root_ / "wt";
  store_ = store();
  write(workspace(*store_) / "n", "n\n");
  result_ = capture(*store_).commit;
  auto r = request();
  r.expected_ref = "refs/heads/feature";
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(root_ / "wt/n"), "n\n");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_EQ(git(main_user, {"rev-parse", "main"}), spec_.repository.base);
}

// --- recovery ---

class RecoveryTest : public MergeTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(RecoveryTest, EndsAtOldOrNew) {
  race();
  write(user_ / "dir/b.txt", "dirty\n");
  write(user_ / "staged.txt", "staged\n");
  git(user_, {"add", "staged.txt"});
  write(user_ / "untracked", "u\n");
  const std::string before = fingerprint();
  const auto step = GetParam();
  stop_merge_after = [&](std::string_view name) { return name == step; };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  const auto recovered = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  const bool forward = step == "tree" || step == "ref" || step == "index" || step == "done";
  if (forward) {
    EXPECT_EQ(git(user_, {"rev-parse", "HEAD^2"}), result_);
    EXPECT_EQ(git(user_, {"status", "--porcelain"}), "M dir/b.txt\nA  staged.txt\n?? untracked");
    EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n");
  } else {
    EXPECT_EQ(fingerprint(), before);
    EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
    EXPECT_FALSE(fs::exists(user_ / "deep"));
  }
  EXPECT_EQ(read(user_ / "dir/b.txt"), "dirty\n");
  EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
  const auto again = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, "");
}

INSTANTIATE_TEST_SUITE_P(Steps, RecoveryTest,
                         ::testing::Values("intent", "lock", "check", "go", "moved", "tree", "ref", "index",
                                           "done"));

TEST_F(MergeTest, RecoveryOfAHalfWrittenTree) {
  race();
  stop_merge_after = [](std::string_view name) { return name == "go"; };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  write(user_ / "a.txt", "one\n2\nth");  // cut
  write(user_ / "deep/new.txt", "");     // cut at once
  const auto recovered = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
  EXPECT_FALSE(fs::exists(user_ / "deep"));
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(MergeTest, RecoveryLeavesWhatTheUserWroteMeanwhile) {
  race();
  stop_merge_after = [](std::string_view name) { return name == "moved"; };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  write(user_ / "deep/new.txt", "the user's own words\n");
  const auto recovered = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  ASSERT_TRUE(recovered.ok());
  EXPECT_NE(recovered->find("deep/new.txt"), std::string::npos);
  EXPECT_EQ(read(user_ / "deep/new.txt"), "the user's own words\n");
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
}

TEST_F(MergeTest, RecoveryAfterTheUserRemovedTheLockTouchesNothing) {
  race();
  stop_merge_after = [](std::string_view name) { return name == "moved"; };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  fs::remove(user_ / ".git/index.lock");
  const std::string before = fingerprint();
  EXPECT_FALSE(recover_merge(root_ / "journal", spec_.repository, path(), home_.string()).ok());
  EXPECT_EQ(fingerprint(), before);
}

TEST_F(MergeTest, BranchMovedUnderTheLockGoesBack) {
  race();
  const std::string elsewhere = git(user_, {"commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "elsewhere"});
  stop_merge_after = [&](std::string_view name) {
    if (name == "tree") git(user_, {"update-ref", "refs/heads/main", elsewhere});
    return false;
  };
  const auto result = run(request());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Errc::refused);
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
  EXPECT_FALSE(fs::exists(user_ / "deep"));
  EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(MergeTest, RecoveryWithoutJournalIsNothing) {
  race();
  const auto recovered = recover_merge(root_ / "nothing", spec_.repository, path(), home_.string());
  ASSERT_TRUE(recovered.ok());
  EXPECT_EQ(*recovered, "");
}

TEST_F(MergeTest, LocksThatGitLeftAreNamed) {
  race();
  for (const char* lock : {"HEAD.lock", "refs/heads/main.lock"}) {
    write(user_ / ".git" / lock, "");
    expect_refused(request(), lock);
    const auto refused = run(request());
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().hint.find("remove that file"), std::string::npos) << describe(refused.error());
    EXPECT_EQ(describe(refused.error()).find("moved"), std::string::npos) << describe(refused.error());
    fs::remove(user_ / ".git" / lock);
  }
  EXPECT_TRUE(run(request()).ok());
}

}  // namespace
}  // namespace hydra::git::test
