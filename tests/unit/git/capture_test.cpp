#include "capture_fixture.hpp"
#include "model/agent_run.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace hydra::git::test {
namespace {

TEST_F(CaptureTest, NoChange) {
  start();
  const auto c = take();
  EXPECT_FALSE(c.changed);
  EXPECT_EQ(c.tree, spec_.repository.base_tree);
  EXPECT_EQ(c.commit, spec_.repository.base);
  EXPECT_EQ(c.diff.files_changed, 0);
  EXPECT_TRUE(c.warnings.empty());
}

TEST_F(CaptureTest, TouchedOnlyIsNoChange) {
  start();
  shell(work_, "touch -d '2001-01-01' a.txt dir/b.txt");
  const auto c = take();
  EXPECT_FALSE(c.changed);
  EXPECT_TRUE(c.warnings.empty()) << c.warnings[0];
}

// An agent may write in the moment in which its worktree is made, and put size and time back.
TEST_F(CaptureTest, WhatIsWrittenAtOnceIsSeenWhateverItsTimeSays) {
  sample();
  store_ = store();
  for (int round = 0; round < 20; ++round) {
    work_ = workspace(*store_);
    struct stat st {};
    ASSERT_EQ(::stat((work_ / "run.sh").c_str(), &st), 0);
    auto text = read(work_ / "run.sh");
    text.front() = 'X';
    write(work_ / "run.sh", text);
    const timespec times[2] = {st.st_atim, st.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, (work_ / "run.sh").c_str(), times, 0), 0);
    EXPECT_EQ(take().diff.files_changed, 1) << round;
  }
}

TEST_F(CaptureTest, SameDirectoryTwiceIsTheSameCommit) {
  start();
  write(work_ / "n", "n\n");
  EXPECT_EQ(take().commit, take().commit);
}

TEST_F(CaptureTest, StrangeNames) {
  start();
  for (const char* name :
       {"new\nline", "-dash", " blank ", "quo\"te", "\xC3\xBCmlaut", "back\\slash", "tab\there"})
    write(work_ / name, "x\n");
  const auto c = take();
  EXPECT_EQ(c.diff.files_changed, 7);
  for (const char* name :
       {"new\nline", "-dash", " blank ", "quo\"te", "\xC3\xBCmlaut", "back\\slash", "tab\there"})
    EXPECT_EQ(content_of(c, name), "x\n") << name;
}

TEST_F(CaptureTest, NamesOfAnyBytesComeBackExactly) {
  start();
  const std::vector<std::string> strange{
      "bad\xFF\xFEutf8", "\xC3",  std::string(255, 'n'), "\x01\x7F", "*", "a\r", "$(id)", "README",
      "readme",          "ReadMe"};
  for (const auto& name : strange) write(work_ / name, name + "\n");
  const auto c = take();
  EXPECT_EQ(c.diff.files_changed, static_cast<std::int64_t>(strange.size()));
  const auto tree =
      try_git(store_->directory(), {"--git-dir=.", "ls-tree", "-r", "-z", "--name-only", c.commit}).out;
  for (const auto& name : strange) {
    EXPECT_NE((std::string(1, '\0') + tree).find(std::string(1, '\0') + name + '\0'), std::string::npos)
        << name;
    EXPECT_EQ(content_of(c, name), name + "\n") << name;
  }
  const fs::path out = root_ / "out";
  ASSERT_TRUE(store_->checkout(out, c.commit, {}).ok());
  for (const auto& name : strange) EXPECT_EQ(read(out / name), name + "\n") << name;
}

TEST_F(CaptureTest, FilesAboveTheLimitAreLeftOutAndNamed) {
  start();
  write(work_ / "fits", std::string(1 << 20, 'x'));
  write(work_ / "dir/big", "");
  // No disk: holes.
  fs::resize_file(work_ / "a.txt", model::kLargestFile + 1);
  fs::resize_file(work_ / "dir/big", std::uintmax_t{3} << 30);
  const auto c = take();
  EXPECT_EQ(names_of(c), ".gitignore\na.txt\ndir/b.txt\ndir/c.txt\nfits\nlink\nrun.sh");
  EXPECT_EQ(content_of(c, "a.txt"), "one\ntwo\nthree\n") << "the base's";
  for (const char* path : {"a.txt", "dir/big"}) {
    ASSERT_NE(row(c, path), nullptr) << path;
    EXPECT_EQ(row(c, path)->reason, model::LeftReason::too_large);
  }
  EXPECT_EQ(row(c, "dir/big")->bytes, std::uint64_t{3} << 30);
  EXPECT_EQ(c.warnings.size(), 2u);
}

TEST_F(CaptureTest, AboveTheDiskLimitTheLargestNewFilesAreLeftOutAndNamed) {
  sample();
  spec_ = spec_of(*look());
  spec_.config.limits.disk_bytes = 1000;
  store_ = store_of(spec_);
  work_ = workspace(*store_);
  write(work_ / "small", std::string(300, 'x'));
  write(work_ / "middle", std::string(600, 'x'));
  write(work_ / "dir/large", std::string(700, 'x'));
  write(work_ / "a.txt", std::string(2000, 'x'));  // of the base
  const auto c = take();
  EXPECT_EQ(names_of(c), ".gitignore\na.txt\ndir/b.txt\ndir/c.txt\nlink\nmiddle\nrun.sh\nsmall");
  ASSERT_NE(row(c, "dir/large"), nullptr);
  EXPECT_EQ(row(c, "dir/large")->reason, model::LeftReason::above_limit);
  EXPECT_EQ(row(c, "dir/large")->bytes, 700u);
  EXPECT_EQ(c.warnings.size(), 1u);
}

TEST_F(CaptureTest, GitDirectoryReplacedByTheAgent) {
  start();
  shell(root_, "mkdir -p evil && git init -q evil && git -C evil config core.fsmonitor \"touch '" +
                   (root_ / "owned").string() + "'\" && git -C evil config filter.x.clean \"touch '" +
                   (root_ / "owned").string() + "'\"");
  fs::remove_all(work_ / ".git");
  write(work_ / ".git", "gitdir: " + (root_ / "evil/.git").string() + "\n");
  write(work_ / "n.txt", "n\n");
  write(work_ / ".gitattributes", "* filter=x\n");
  const auto c = take();
  EXPECT_EQ(content_of(c, "n.txt"), "n\n");
  EXPECT_EQ(c.diff.files_changed, 2);
  EXPECT_FALSE(fs::exists(root_ / "owned"));
}

TEST_F(CaptureTest, WorkOnBranchesInStashesAndAfterAReset) {
  start();
  write(work_ / "kept.txt", "k\n");
  git(work_, {"checkout", "-q", "-b", "other"});
  git(work_, {"add", "-A"});
  git(work_, {"commit", "-qm", "on another branch"});
  write(work_ / "lost.txt", "l\n");
  git(work_, {"add", "-A"});
  git(work_, {"commit", "-qm", "lost"});
  git(work_, {"reset", "-q", "--hard", "HEAD~1"});
  write(work_ / "a.txt", "stashed\n");
  git(work_, {"stash", "-q"});
  write(work_ / ".git/index.lock", "");
  write(work_ / ".git/HEAD.lock", "");
  // The directory is the result: what is only in the agent's history is not.
  EXPECT_EQ(names_of(take()), ".gitignore\na.txt\ndir/b.txt\ndir/c.txt\nkept.txt\nlink\nrun.sh");
}

TEST_F(CaptureTest, ExecutableBitAloneIsTrivial) {
  start();
  fs::permissions(work_ / "a.txt", fs::perms(0755));
  const auto c = take();
  EXPECT_TRUE(c.changed);
  EXPECT_TRUE(c.trivial);
  EXPECT_EQ(c.diff.files_changed, 1);
  EXPECT_EQ(c.diff.lines_added, 0);
}

TEST_F(CaptureTest, WhiteSpaceAloneIsTrivial) {
  start();
  write(work_ / "a.txt", "one\n\n  two\nthree  \n");
  EXPECT_TRUE(take().trivial);
  write(work_ / "a.txt", "one\n\n  two\nthree!  \n");
  EXPECT_FALSE(take().trivial);
}

TEST_F(CaptureTest, AddedAndDeletedFilesAreNotTrivial) {
  start();
  write(work_ / "empty", "");
  EXPECT_FALSE(take().trivial);
  fs::remove(work_ / "empty");
  fs::remove(work_ / "dir/c.txt");
  EXPECT_FALSE(take().trivial);
}

TEST_F(CaptureTest, Links) {
  start();
  fs::create_symlink("/etc/passwd", work_ / "absolute");
  fs::create_symlink("../../x", work_ / "dir/up");
  fs::create_symlink("../a.txt", work_ / "dir/fine");
  fs::create_symlink("nowhere", work_ / "dangling");
  const auto c = take();
  EXPECT_EQ(content_of(c, "absolute"), "/etc/passwd");
  EXPECT_TRUE(has(c.flags, "symlink_outside:absolute"));
  EXPECT_TRUE(has(c.flags, "symlink_outside:dir/up"));
  EXPECT_EQ(c.flags.size(), 2u);
}

TEST_F(CaptureTest, DirectoryBecomesLink) {
  start();
  fs::rename(work_ / "dir", work_ / "moved");
  fs::create_symlink("moved", work_ / "dir");
  const auto c = take();
  EXPECT_EQ(names_of(c), ".gitignore\na.txt\ndir\nlink\nmoved/b.txt\nmoved/c.txt\nrun.sh");
  EXPECT_EQ(content_of(c, "dir"), "moved");
}

TEST_F(CaptureTest, DirectoryBecomesLinkToOtherFilesOfTheSameName) {
  start();
  fs::remove_all(work_ / "dir");
  write(work_ / "other/b.txt", "other\n");
  fs::create_symlink("other", work_ / "dir");
  EXPECT_EQ(names_of(take()), ".gitignore\na.txt\ndir\nlink\nother/b.txt\nrun.sh");
}

TEST_F(CaptureTest, DirectoryBecomesFileAndFileBecomesDirectory) {
  start();
  fs::remove_all(work_ / "dir");
  write(work_ / "dir", "file\n");
  fs::remove(work_ / "a.txt");
  write(work_ / "a.txt/inside", "i\n");
  EXPECT_EQ(names_of(take()), ".gitignore\na.txt/inside\ndir\nlink\nrun.sh");
}

TEST_F(CaptureTest, NestedRepositoriesAreFiles) {
  start();
  shell(work_,
        "git init -q bare && echo 1 > bare/f && echo x > bare/skip.log && mkdir bare/build && echo o > "
        "bare/build/o\n"
        "git init -q done && cd done && echo 2 > g && git add g && git -c user.name=x -c user.email=x commit "
        "-q -m x");
  const auto c = take();
  EXPECT_EQ(names_of(c), ".gitignore\na.txt\nbare/f\ndir/b.txt\ndir/c.txt\ndone/g\nlink\nrun.sh");
  EXPECT_EQ(content_of(c, "done/g"), "2\n");
}

TEST_F(CaptureTest, DeletedGitDirectoryAndAgentCommits) {
  start();
  write(work_ / "a.txt", "x\n");
  git(work_, {"commit", "-qam", "by the agent"});
  EXPECT_EQ(take().agent_commits, 1);
  fs::remove_all(work_ / ".git");
  EXPECT_TRUE(take().changed);
}

TEST_F(CaptureTest, CommittedOrUnindexedWorkCounts) {
  start();
  write(work_ / "a.txt", "x\n");
  git(work_, {"rm", "-q", "--cached", "dir/b.txt"});
  git(work_, {"commit", "-qam", "x"});
  const auto c = take();
  EXPECT_EQ(names_of(c), kBase);
  EXPECT_EQ(c.diff.files_changed, 1);
}

TEST_F(CaptureTest, AgentAttributesHaveNoEffect) {
  start();
  write(work_ / ".gitattributes",
        "* text eol=crlf filter=evil working-tree-encoding=UTF-16 diff=evil -diff\n");
  git(work_, {"config", "filter.evil.clean", "touch '" + (root_ / "pwned").string() + "'"});
  write(work_ / "a.txt", "one\r\n2\nthree\n");
  const auto c = take();
  EXPECT_EQ(content_of(c, "a.txt"), "one\r\n2\nthree\n");
  EXPECT_EQ(c.diff.lines_added, 3);
  EXPECT_TRUE(has(c.flags, "gitattributes_changed"));
  EXPECT_FALSE(fs::exists(root_ / "pwned"));
  const fs::path check = root_ / "check";
  ASSERT_TRUE(store_->checkout(check, c.commit, {}).ok());
  EXPECT_EQ(read(check / "a.txt"), "one\r\n2\nthree\n");
}

TEST_F(CaptureTest, BaseAttributesAndFiltersApply) {
  sample();
  git(user_, {"config", "--global", "filter.up.clean", "tr a-z A-Z"});
  git(user_, {"config", "--global", "filter.up.smudge", "tr A-Z a-z"});
  write(user_ / "sub dir/.gitattributes", "*.up filter=up\n");
  write(user_ / ".gitattributes", "*.crlf text eol=crlf\n");
  write(user_ / "sub dir/x.up", "hello\n");
  write(user_ / "y.crlf", "1\r\n2\r\n");
  commit_all();
  EXPECT_EQ(git(user_, {"show", "HEAD:sub dir/x.up"}), "HELLO");
  store_ = store();
  work_ = workspace(*store_);
  EXPECT_EQ(read(work_ / "sub dir/x.up"), "hello\n");
  EXPECT_EQ(git(work_, {"status", "--porcelain"}), "");
  write(work_ / "sub dir/x.up", "hello you\n");
  write(work_ / "sub dir/deep/n.up", "deep\n");
  write(work_ / "other.up", "other\n");
  write(work_ / "y.crlf", "1\r\n2\r\n3\r\n");
  const auto c = take();
  EXPECT_EQ(content_of(c, "sub dir/x.up"), "HELLO YOU\n");
  EXPECT_EQ(content_of(c, "sub dir/deep/n.up"), "DEEP\n");
  EXPECT_EQ(content_of(c, "other.up"), "other\n");
  EXPECT_EQ(content_of(c, "y.crlf"), "1\n2\n3\n");
}

TEST_F(CaptureTest, AutocrlfOneLineEditIsOneLine) {
  sample();
  git(user_, {"config", "core.autocrlf", "true"});
  store_ = store();
  work_ = workspace(*store_);
  EXPECT_EQ(read(work_ / "a.txt"), "one\r\ntwo\r\nthree\r\n");
  write(work_ / "a.txt", "one\r\n2\r\nthree\r\n");
  const auto c = take();
  EXPECT_EQ(c.diff.lines_added, 1);
  EXPECT_EQ(c.diff.lines_removed, 1);
  EXPECT_EQ(git(work_, {"diff", "--numstat"}), "1\t1\ta.txt");
}

TEST_F(CaptureTest, ForgedTimeAndSameSizeIsFound) {
  start();
  shell(work_, "touch -r a.txt ref && printf 'ONE\\ntwo\\nthree\\n' > a.txt && touch -r ref a.txt && rm ref");
  EXPECT_EQ(content_of(take(), "a.txt"), "ONE\ntwo\nthree\n");
}

// Both are edits of the same size; one of them has the very times that the saved index knows.
TEST_F(CaptureTest, EditsInTheSecondOfTheCheckoutBesideLaterOnes) {
  start();
  const auto edit = [&](const std::string& file, const std::string& when) {
    auto text = *read_file(work_ / file);
    text.front() = text.front() == 'Q' ? 'R' : 'Q';
    shell(work_, "cp -p " + file + " times");
    write(work_ / file, text);
    shell(work_, (when.empty() ? "touch -r times " : "touch -d '" + when + "' ") + file + " && rm times");
  };
  edit("a.txt", "now + 5 seconds");
  EXPECT_EQ(take().diff.files_changed, 1);
  edit("dir/b.txt", "");
  const auto both = take();
  EXPECT_EQ(both.diff.files_changed, 2);
  EXPECT_EQ(content_of(both, "dir/b.txt"), *read_file(work_ / "dir/b.txt"));
}

TEST_F(CaptureTest, UnreadableFilesAndDirectories) {
  start();
  write(work_ / "a.txt", "x\n");
  write(work_ / "closed/file", "f\n");
  fs::permissions(work_ / "a.txt", fs::perms(0));
  fs::permissions(work_ / "closed", fs::perms(0));
  fs::permissions(work_ / "dir", fs::perms(0444));
  const auto c = take();
  EXPECT_EQ(content_of(c, "closed/file"), "f\n");
  EXPECT_EQ(content_of(c, "a.txt"), "x\n");
  EXPECT_EQ(content_of(c, "dir/b.txt"), "b1\nb2\n");
}

TEST_F(CaptureTest, BinaryCountsNoLines) {
  start();
  write(work_ / "bin", std::string("a\0b\nc\n", 6));
  const auto c = take();
  EXPECT_EQ(c.diff.files_changed, 1);
  EXPECT_EQ(c.diff.lines_added, 0);
}

TEST_F(CaptureTest, RenameCountsItsEditsOnly) {
  start();
  fs::rename(work_ / "a.txt", work_ / "renamed.txt");
  const auto c = take();
  EXPECT_EQ(c.diff.files_changed, 1);
  EXPECT_EQ(c.diff.lines_added, 0);
  EXPECT_FALSE(c.trivial);
}

TEST_F(CaptureTest, RemovedDirectory) {
  start();
  fs::remove_all(work_);
  const auto c = take();
  EXPECT_TRUE(c.changed);
  EXPECT_TRUE(has(c.flags, "worktree_removed"));
  EXPECT_EQ(names_of(c), "");
  EXPECT_EQ(c.diff.files_changed, 6);
}

TEST_F(CaptureTest, DirectoryReplacedByLinkIsAnError) {
  start();
  fs::remove_all(work_);
  fs::create_symlink("/", work_);
  EXPECT_FALSE(store_->capture({work_}, "codex", {}).ok());
}

TEST_F(CaptureTest, AFailingFilterIsAFailedCapture) {
  sample();
  git(user_, {"config", "filter.bad.clean", "false"});
  git(user_, {"config", "filter.bad.smudge", "cat"});
  git(user_, {"config", "filter.bad.required", "true"});
  write(user_ / ".gitattributes", "*.bad filter=bad\n");
  commit_all();
  store_ = store();
  work_ = workspace(*store_);
  write(work_ / "x.bad", "x\n");
  EXPECT_FALSE(store_->capture({work_}, "codex", {}).ok());
}

TEST_F(CaptureTest, MissingSeedIsAFailedCapture) {
  start();
  fs::remove(store_->directory() / "seed.codex");
  EXPECT_FALSE(store_->capture({work_}, "codex", {}).ok());
}

// A daemon was killed while its git wrote: the next daemon ended that git, whose locks are there still.
TEST_F(CaptureTest, LocksOfAKilledGitAreInNobodysWay) {
  start();
  write(work_ / "new.txt", "n\n");
  for (const char* name : {"idx.codex.lock", "agent.codex.lock", "index-codex.lock"})
    write(store_->directory() / name, "");
  const auto c = take();
  EXPECT_EQ(content_of(c, "new.txt"), "n\n");
  const auto edited = store_->edited(c.commit, {}, "codex");
  EXPECT_TRUE(edited.ok()) << (edited.ok() ? "" : describe(edited.error()));
}

TEST_F(CaptureTest, ManyAtOnce) {
  start();
  write(work_ / "gitmodules", "");
  write(work_ / ".gitmodules", "[submodule \"x\"]\n");
  for (int i = 0; i < 500; ++i)
    write(work_ / ("many/" + std::to_string(i % 7) + "/" + std::to_string(i)), "x\n");
  const auto c = take();
  EXPECT_EQ(c.diff.files_changed, 502);
  EXPECT_TRUE(has(c.flags, "gitmodules_changed"));
}

}  // namespace
}  // namespace hydra::git::test
