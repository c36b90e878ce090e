// Submodules, and commits that an agent made.
#include "capture_fixture.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace hydra::git::test {
namespace {

TEST_F(CaptureTest, ChangesInSubmodules) {
  sample();
  const fs::path sub = root_ / "sub";
  shell(root_,
        "git init -q sub && cd sub && echo s > s && git add s && git -c user.name=x -c user.email=x commit "
        "-q -m s");
  git(user_, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.string(), "mod"});
  commit_all();
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  EXPECT_TRUE(facts->has_submodules);
  store_ = store();
  work_ = workspace(*store_);
  EXPECT_EQ(read(work_ / "mod/s"), "s\n") << "filled from the clone in .git/modules";
  EXPECT_FALSE(take().changed);
  write(work_ / "mod/new", "n\n");
  fs::create_directories(store_->directory() / "refs/hydra/race1/codex/sub");
  for (const char* name : {"sub.codex.1.lock", "refs/hydra/race1/codex/sub/1.lock"})
    write(store_->directory() / name, "");  // of a git that was killed
  const auto c = take();
  EXPECT_FALSE(c.changed) << "no tree of the result has them";
  EXPECT_TRUE(has(c.flags, "submodule_changed:mod"));
  EXPECT_EQ(
      git(store_->directory(), {"--git-dir=.", "ls-tree", "--name-only", "refs/hydra/race1/codex/sub/1"}),
      "new\ns");
}

// Two levels, a name that is not the path, a tracked file that the submodule's own rules ignore.
TEST_F(CaptureTest, SubmodulesAreFilledFromTheUsersClones) {
  sample();
  const std::string commit = " && git add -A -f && git -c user.name=x -c user.email=x commit -q -m s";
  shell(root_, "git init -q inner && cd inner && echo deep > deep" + commit);
  shell(root_,
        "git init -q outer && cd outer && echo kept.log > .gitignore && echo k > kept.log && "
        "git -c protocol.file.allow=always submodule --quiet add ../inner in" +
            commit);
  git(user_, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", "other",
              (root_ / "outer").string(), "libs/mod"});
  git(user_, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive"});
  commit_all();
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  EXPECT_TRUE(facts->empty_submodules.empty()) << join(facts->empty_submodules, " ");
  store_ = store();
  work_ = workspace(*store_);
  EXPECT_EQ(read(work_ / "libs/mod/kept.log"), "k\n");
  EXPECT_EQ(read(work_ / "libs/mod/in/deep"), "deep\n");
  EXPECT_EQ(git(work_, {"status", "--porcelain"}), "") << "and the agent's git sees nothing of it";
  EXPECT_FALSE(take().changed) << joined(take().flags);
  const fs::path checks = root_ / "checks/fresh";
  ASSERT_TRUE(store_->checkout(checks, facts->base, {}).ok());
  EXPECT_EQ(read(checks / "libs/mod/in/deep"), "deep\n");
  write(work_ / "libs/mod/kept.log", "other\n");
  EXPECT_TRUE(has(take().flags, "submodule_changed:libs/mod"));
}

TEST_F(CaptureTest, SubmodulesThatNobodyFetchedAreNamedBefore) {
  sample();
  shell(root_,
        "git init -q sub && cd sub && echo s > s && git add -A && git -c user.name=x -c user.email=x "
        "commit -q -m s");
  git(user_,
      {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", (root_ / "sub").string(), "mod"});
  commit_all();
  git(user_, {"submodule", "--quiet", "deinit", "-f", "--all"});
  fs::remove_all(user_ / ".git/modules");
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->empty_submodules, std::vector<std::string>{"mod"});
  store_ = store();
  work_ = workspace(*store_);
  EXPECT_TRUE(fs::is_empty(work_ / "mod"));
  EXPECT_FALSE(take().changed);
}

TEST_F(CaptureTest, CommitsOfAnAgentAreCountedByWhatItsRefsReach) {
  start();
  EXPECT_EQ(take().agent_commits, 0);
  // Without a word in any reflog.
  const auto tree = git(work_, {"rev-parse", "HEAD^{tree}"});
  const auto base = git(work_, {"rev-parse", "HEAD"});
  const auto first = git(work_, {"commit-tree", tree, "-p", base, "-m", "one"});
  const auto second = git(work_, {"commit-tree", tree, "-p", first, "-m", "two"});
  write(work_ / ".git/refs/heads/side", second + "\n");
  EXPECT_EQ(take().agent_commits, 2);
  // And words without a commit.
  start_again();
  write(work_ / ".git/logs/HEAD", base + " " + base + " A <a@b> 1 +0000\tcommit: never\n");
  EXPECT_EQ(take().agent_commits, 0);
}

TEST_F(CaptureTest, CommitsOnABranchThatIsNotCheckedOutAreNamed) {
  const std::string flag = "commits_beside:side/x";
  start();
  const auto on = git(work_, {"rev-parse", "--abbrev-ref", "HEAD"});
  git(work_, {"checkout", "-q", "-b", "side/x"});
  write(work_ / "kept.txt", "k\n");
  git(work_, {"add", "-A"});
  git(work_, {"commit", "-qm", "on a branch"});
  EXPECT_FALSE(has(take().flags, flag)) << "it is checked out";
  const auto made = git(work_, {"rev-parse", "HEAD"});
  git(work_, on == "HEAD" ? std::vector<std::string>{"checkout", "-q", "--detach", "HEAD^"}
                          : std::vector<std::string>{"checkout", "-q", on});
  const auto away = take();
  EXPECT_FALSE(away.changed);
  EXPECT_TRUE(has(away.flags, flag));
  git(work_, {"pack-refs", "--all"});
  EXPECT_TRUE(has(take().flags, flag)) << "packed";
  // Brought in as files, as one commit, and as a merge.
  write(work_ / "kept.txt", "k\n");
  EXPECT_FALSE(has(take().flags, flag)) << "its content is the result";
  git(work_, {"add", "-A"});
  git(work_, {"commit", "-qm", "as one"});
  write(work_ / "more.txt", "m\n");
  EXPECT_FALSE(has(take().flags, flag)) << "its content is in the history of the result";
  git(work_, {"reset", "-q", "--hard", "HEAD^"});
  git(work_, {"merge", "-q", "--no-ff", "-m", "merge", made});
  write(work_ / "more.txt", "m\n");
  EXPECT_FALSE(has(take().flags, flag)) << "merged";
}

TEST_F(CaptureTest, WorkInAStashIsNamedAsABranchIs) {
  const std::string flag = "commits_beside:refs/stash";
  start();
  write(work_ / "a.txt", "stashed\n");
  git(work_, {"stash", "-q"});
  const auto away = take();
  EXPECT_FALSE(away.changed);
  EXPECT_EQ(away.agent_commits, 0) << "nobody committed it";
  EXPECT_TRUE(has(away.flags, flag));
  git(work_, {"pack-refs", "--all"});
  EXPECT_TRUE(has(take().flags, flag)) << "packed";
  git(work_, {"stash", "apply", "-q"});
  EXPECT_FALSE(has(take().flags, flag)) << "its content is the result";
}

TEST_F(CaptureTest, WorktreesThatAnAgentMakesAreNoPartOfItsResult) {
  start();
  git(work_, {"worktree", "add", "-q", "-b", "side/w", ".tool/worktrees/w"});
  const auto inside = work_ / ".tool/worktrees/w";
  write(inside / "new.txt", "n\n");
  git(inside, {"add", "-A"});
  git(inside, {"commit", "-qm", "in a worktree"});
  write(work_ / "own.txt", "o\n");
  const auto made = take();
  EXPECT_EQ("\n" + names_of(made), "\n.gitignore\na.txt\ndir/b.txt\ndir/c.txt\nlink\nown.txt\nrun.sh");
  EXPECT_TRUE(has(made.flags, "commits_beside:side/w"));
  ASSERT_NE(row(made, ".tool/worktrees/w/"), nullptr);
  EXPECT_EQ(row(made, ".tool/worktrees/w/")->reason, model::LeftReason::worktree);
  git(inside, {"checkout", "-q", "--detach"});
  git(work_, {"branch", "-q", "-D", "side/w"});
  EXPECT_TRUE(has(take().flags, "commits_beside:worktrees/w/HEAD"));
  // Nothing is hidden by a file that only looks like the link of a worktree.
  write(work_ / "fake/.git", "gitdir: " + (work_ / ".git/worktrees/w").string() + "\n");
  write(work_ / "fake/x", "x\n");
  EXPECT_EQ(content_of(take(), "fake/x"), "x\n");
}

TEST_F(CaptureTest, WhatGitRefusesInCommitsOfAnAgentIsNamed) {
  start();
  const auto blob = git(work_, {"hash-object", "-w", "--stdin"}, "evil\n");
  const auto tree = git(work_, {"mktree"}, "100644 blob " + blob + "\t.git\n");
  const auto top = git(work_, {"mktree"}, "040000 tree " + tree + "\tdeep\n");
  write(work_ / ".git/refs/heads/side", git(work_, {"commit-tree", top, "-m", "x"}) + "\n");
  const auto found = take();
  EXPECT_FALSE(found.changed);
  EXPECT_EQ(found.agent_commits, 1);
  ASSERT_EQ(found.flags.size(), 2u) << joined(found.flags);
  const auto& flag = found.flags.back();
  EXPECT_EQ(flag.kind, model::FlagKind::commits_refused);
  EXPECT_NE(flag.path.find("deep: hasDotgit"), std::string::npos) << flag.path;
  for (const auto& entry : fs::directory_iterator(store_->directory() / "objects"))
    EXPECT_FALSE(entry.path().filename().string().starts_with("tmp_")) << entry.path();
}

TEST_F(CaptureTest, AnObjectStoreThatGitWouldWaitForIsNotRead) {
  start();
  git(work_, {"commit", "-q", "--allow-empty", "-m", "x"});
  ASSERT_EQ(::mkfifo((work_ / ".git/objects/pack/pack-1.idx").c_str(), 0600), 0);
  const auto found = take();
  EXPECT_EQ(found.agent_commits, 0);
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_NE(found.warnings[0].find("were not read"), std::string::npos) << found.warnings[0];
}

}  // namespace
}  // namespace hydra::git::test
