// The user's repository compared with the race's start: what an agent could have done to it blocks a merge,
// what people do in it every day is told and blocks nothing.
#include "merge_states.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hydra::git::test {
namespace {

class RepositoryGuard : public MergeStates {
 protected:
  /// main with two commits, `other` and `gone` on the first of them, tag v1; a result to merge.
  void start(model::Isolation isolation) {
    sample();
    git(user_, {"branch", "other"});
    git(user_, {"branch", "gone"});
    write(user_ / "dir/more.txt", "more\n");
    commit_all("second");
    auto facts = look();
    ASSERT_TRUE(facts.ok());
    spec_ = spec_of(*facts);
    spec_.isolation = isolation;
    store_ = store_of(spec_);
    write(workspace(*store_) / "n.txt", "n\n");
    result_ = capture(*store_).commit;
  }
  void again() {
    (void)remove_tree(root_);
    fs::create_directories(root_);
    SetUp();
  }
  RepositoryChanges compare() {
    auto changes = store_->compare_repository();
    EXPECT_TRUE(changes.ok()) << (changes.ok() ? "" : describe(changes.error()));
    return changes.ok() ? *changes : RepositoryChanges{{"?"}, {}, {}};
  }
  std::string was(const std::string& ref, const char* word = "was ") {
    return " (" + std::string(word) + git(user_, {"rev-parse", ref}).substr(0, 12) + ")";
  }
};

// Each of these could be done from outside a sandbox only; today's answer to all of them is a refused merge.
TEST_F(RepositoryGuard, WhatAnUnsandboxedAgentDidBlocks) {
  struct Row {
    std::function<void()> change;
    std::function<std::string()> expected;  ///< asked before the change
    bool repaired;
  };
  const auto name = [](std::string text) { return [text] { return text; }; };
  const Row rows[] = {
      {[&] {
         git(user_, {"config", "core.sshCommand", "evil"});
       },
       name("config core.sshcommand"), true},
      {[&] {
         git(user_, {"config", "--worktree", "core.editor", "evil"});
       },
       name("config core.editor"), true},
      {[&] { write(user_ / ".git/hooks/pre-push", "#!/bin/sh\n"); }, name("hooks/pre-push"), true},
      {[&] { write(user_ / ".git/info/exclude", "backdoor*\n"); }, name("info/exclude"), true},
      {[&] { write(user_ / ".git/info/attributes", "* filter=x\n"); }, name("info/attributes"), true},
      {[&] { write(user_ / ".git/info/sparse-checkout", "/dir\n"); }, name("info/sparse-checkout"), true},
      {[&] { write(user_ / ".git/info/grafts", "x\n"); }, name("info/grafts"), true},
      {[&] { write(user_ / ".git/objects/info/alternates", "/tmp\n"); }, name("objects/info/alternates"),
       true},
      {[&] {
         git(user_, {"update-index", "--assume-unchanged", "a.txt"});
       },
       name("assume-unchanged a.txt"), true},
      {[&] {
         git(user_, {"update-index", "--skip-worktree", "dir/b.txt"});
       },
       name("skip-worktree dir/b.txt"), true},
      {[&] {
         git(user_, {"update-ref", "refs/heads/main", "HEAD~1"});
       },
       [&] { return "refs/heads/main" + was("main"); }, false},
      {[&] {
         git(user_, {"branch", "-D", "gone"});
       },
       [&] { return "refs/heads/gone" + was("gone", "gone, was "); }, false},
      {[&] {
         git(user_, {"tag", "-f", "v1", "HEAD"});
       },
       [&] { return "refs/tags/v1" + was("v1"); }, false},
      {[&] {
         git(user_, {"replace", "HEAD", "HEAD~1"});
       },
       [&] {
         return "refs/replace/" + git(user_, {"rev-parse", "HEAD"});
       },
       false},
      {[&] { fs::remove(store_->directory() / "guard"); },
       name("what was remembered of the repository is gone"), false},
  };
  for (const auto& row : rows) {
    start(model::Isolation::none);
    ASSERT_EQ(compare().blocking, Words{});
    const auto expected = row.expected();
    row.change();
    EXPECT_EQ(compare().blocking, Words{expected});
    expect_refused(request(), expected);
    if (row.repaired) {
      const auto left = store_->repair_repository();
      ASSERT_TRUE(left.ok()) << describe(left.error());
      EXPECT_EQ(left->blocking, Words{}) << expected;
      EXPECT_TRUE(run(request()).ok()) << expected;
    } else {
      auto r = request();
      r.accept_changes = true;
      const auto taken = run(r);
      // A branch that was moved under a checkout leaves changes in it: another reason, and the next question.
      const auto said = taken.ok() ? std::string() : describe(taken.error());
      EXPECT_EQ(said.find("since the race started"), std::string::npos) << expected;
      EXPECT_EQ(compare().blocking, Words{});
    }
    again();
  }
}

TEST_F(RepositoryGuard, WhatPeopleDoMeanwhileBlocksNothing) {
  struct Row {
    std::function<void()> change;
    Words meanwhile, behind_walls;  ///< no sandbox; with one nobody asks for index and checkout
  };
  const auto commit = [&] {
    write(user_ / "mine.txt", "mine\n");
    commit_all("mine");
  };
  const Row rows[] = {
      {commit, {"index", "refs/heads/main"}, {"refs/heads/main"}},
      {[&] { write(user_ / "a.txt", "edited\n"); }, {"a.txt"}, {}},
      {[&] {
         git(user_, {"branch", "topic"});
       },
       {"refs/heads/topic (new)"},
       {"refs/heads/topic (new)"}},
      {[&] {
         git(user_, {"tag", "v2"});
       },
       {"refs/tags/v2 (new)"},
       {"refs/tags/v2 (new)"}},
      {[&] {
         git(user_, {"checkout", "-q", "-b", "next"});
       },
       {"HEAD", "refs/heads/next (new)"},
       {"HEAD", "refs/heads/next (new)"}},
      {[&] {
         git(user_, {"update-ref", "refs/remotes/origin/main", "HEAD"});
       },
       {"refs/remotes"},
       {"refs/remotes"}},
      {[&] {
         write(user_ / "a.txt", "edited\n");
         git(user_, {"stash", "-q"});
       },
       {"refs/stash"},
       {"refs/stash"}},
      {[&] {
         git(user_, {"config", "alias.co", "checkout"});
       },
       {},
       {}},
      {[&] {
         git(user_, {"branch", "hydra/other-1"});
       },
       {},
       {}},
  };
  for (const auto isolation : {model::Isolation::none, model::Isolation::bwrap})
    for (const auto& row : rows) {
      start(isolation);
      row.change();
      const auto changes = compare();
      EXPECT_EQ(changes.blocking, Words{});
      EXPECT_EQ(changes.meanwhile, isolation == model::Isolation::none ? row.meanwhile : row.behind_walls)
          << model::name(isolation);
      auto r = request();
      r.expected_ref.clear();
      r.allow = {"branch"};
      const auto merged = run(r);
      EXPECT_TRUE(merged.ok()) << model::name(isolation) << ": "
                               << (merged.ok() ? "" : describe(merged.error()));
      again();
    }
}

// Behind walls only the user can have amended or ignored: it is told, and a merge goes on.
TEST_F(RepositoryGuard, BehindWallsHistoryAndIgnoreRulesAreTheUsersOwn) {
  start(model::Isolation::bwrap);
  git(user_, {"commit", "-q", "--amend", "-m", "better"});
  write(user_ / ".git/info/exclude", "mine\n");
  const auto changes = compare();
  EXPECT_EQ(changes.blocking, Words{});
  EXPECT_EQ(changes.meanwhile, (Words{"info/exclude", "refs/heads/main"}));
  // Configuration that git obeys blocks all the same.
  git(user_, {"config", "core.fsmonitor", "evil"});
  EXPECT_EQ(compare().blocking, Words{"config core.fsmonitor"});
  const auto left = store_->repair_repository();
  ASSERT_TRUE(left.ok());
  EXPECT_EQ(left->blocking, Words{});
  EXPECT_EQ(read(user_ / ".git/info/exclude"), "mine\n") << "the user's own";
}

// Programs that a changed configuration names would run in the daemon.
TEST_F(RepositoryGuard, NothingOfWhatWasWrittenRunsWhileItIsCompared) {
  start(model::Isolation::none);
  const auto owned = root_ / "owned";
  const auto evil = "touch " + owned.string() + "; cat";
  git(user_, {"config", "filter.x.clean", evil});
  git(user_, {"config", "core.fsmonitor", evil});
  git(user_, {"config", "core.hooksPath", ".hooks"});
  write(user_ / ".git/info/attributes", "* filter=x\n");
  write(user_ / "a.txt", "one\nTWO\nthree\n");
  EXPECT_EQ(compare().blocking, (Words{"config core.fsmonitor", "config core.hookspath",
                                       "config filter.x.clean", "info/attributes"}));
  ASSERT_TRUE(store_->repair_repository().ok());
  EXPECT_FALSE(fs::exists(owned));
}

TEST_F(RepositoryGuard, HooksThatLieElsewhere) {
  sample();
  git(user_, {"config", "core.hooksPath", ".husky"});
  ASSERT_TRUE(make_dirs(user_ / ".husky").ok());
  ASSERT_TRUE(write_file(user_ / ".husky/pre-commit", "#!/bin/sh\n", 0755).ok());
  commit_all();
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  spec_ = spec_of(*facts);
  spec_.isolation = model::Isolation::none;
  store_ = store_of(spec_);
  EXPECT_EQ(compare().blocking, Words{});
  ASSERT_TRUE(write_file(user_ / ".husky/pre-commit", "#!/bin/sh\nevil\n", 0755).ok());
  const auto changes = compare();
  EXPECT_EQ(changes.blocking, Words{(user_ / ".husky/pre-commit").string()});
  EXPECT_EQ(changes.meanwhile, Words{".husky/pre-commit"});
}

TEST_F(RepositoryGuard, AFileThatWasEditedBeforeAndIsEditedAgain) {
  sample();
  write(user_ / "a.txt", "mine\n");
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  spec_ = spec_of(*facts);
  spec_.isolation = model::Isolation::none;
  store_ = store_of(spec_);
  EXPECT_EQ(compare().meanwhile, Words{});
  write(user_ / "a.txt", "theirs, and longer\n");
  EXPECT_EQ(compare().meanwhile, Words{"a.txt"});
}

TEST_F(RepositoryGuard, WhatGitHangsOnIsNamedAndPutBack) {
  struct Row {
    const char *script, *word;
  };
  for (const Row& row :
       {Row{"mv .git ../elsewhere; echo 'gitdir: /nowhere' > .git", ".git (it leads to /nowhere now)"},
        Row{"mv .git .git.bak; echo nonsense > .git", ".git (no directory any more)"},
        Row{"mv .git .git.bak; git init -q .", ".git (another directory)"},
        Row{"git pack-refs --all; printf 'torn' >> .git/packed-refs", "packed-refs"}}) {
    SCOPED_TRACE(row.script);
    start(model::Isolation::none);
    const auto heads = git(user_, {"rev-parse", "main", "other", "gone", "v1"});
    git(user_, {"pack-refs", "--all"});
    ASSERT_TRUE(store_->compare_repository().ok());
    spec_ = spec_of(*look());
    spec_.isolation = model::Isolation::none;
    spec_.id = "race2";
    store_ = store_of(spec_);
    shell(user_, row.script);
    const auto changed = compare();
    ASSERT_EQ(changed.blocking.size(), 1u) << join(changed.blocking, "; ");
    EXPECT_TRUE(changed.blocking.front().starts_with(row.word)) << changed.blocking.front();
    const auto repaired = store_->repair_repository();
    ASSERT_TRUE(repaired.ok()) << describe(repaired.error());
    EXPECT_TRUE(repaired->blocking.empty()) << join(repaired->blocking, "; ");
    EXPECT_EQ(git(user_, {"rev-parse", "main", "other", "gone", "v1"}), heads);
    EXPECT_TRUE(fs::exists(store_->directory() / "replaced"));
    again();
  }
}

}  // namespace
}  // namespace hydra::git::test
