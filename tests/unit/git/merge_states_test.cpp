// Merging in the states that a user's repository can be in: rows G18 to G31 of the matrix.
#include "merge_states.hpp"

#include "support/machine.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hydra::git::test {
namespace {

TEST_F(MergeStates, FfMovesForwardOrMerges) {
  race();
  auto r = request();
  r.ff = true;
  const auto forward = run(r);
  ASSERT_TRUE(forward.ok()) << describe(forward.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), result_);
  git(user_, {"reset", "-q", "--hard", spec_.repository.base});
  write(user_ / "mine.txt", "mine\n");
  commit_all();
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD^2"}), result_);
}

// --- G27 to G29: hooks are in merge_test; signatures ---

TEST_F(MergeStates, SignsWithTheUsersKey) {
  race();
  shell(root_,
        "ssh-keygen -q -t ed25519 -N '' -C ada -f key && printf 'ada@example.org %s' \"$(cat key.pub)\" > "
        "allowed");
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"gpg.format", "ssh"},
           {"user.signingkey", (root_ / "key.pub").string()},
           {"gpg.ssh.allowedSignersFile", (root_ / "allowed").string()},
           {"commit.gpgsign", "true"}})
    git(user_, {"config", "--global", key, value});
  for (const bool squash : {false, true}) {
    auto r = request();
    r.squash = squash;
    const auto merged = run(r);
    ASSERT_TRUE(merged.ok()) << describe(merged.error());
    EXPECT_TRUE(merged->signed_);
    EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), merged->new_commit);
    EXPECT_EQ(try_git(user_, {"verify-commit", "HEAD"}).exit_code, 0);
    EXPECT_EQ(git(user_, {"log", "-1", "--format=%G?"}), "G");
    git(user_, {"reset", "-q", "--hard", spec_.repository.base});
  }
}

TEST_F(MergeStates, ASignatureThatCannotBeMadeRefuses) {
  race();
  git(user_, {"config", "--global", "gpg.format", "ssh"});
  git(user_, {"config", "--global", "user.signingkey", (root_ / "absent.pub").string()});
  git(user_, {"config", "--global", "commit.gpgsign", "true"});
  expect_refused(request(), "signed");
  EXPECT_EQ(git(user_, {"for-each-ref", "refs/hydra/race1/merge"}), "");
}

// --- what needs a word ---

TEST_F(MergeStates, KindsThatNeedAWord) {
  sample();
  write(user_ / ".gitattributes", "*.txt text\n");
  commit_all();
  race_with([&](const fs::path& work) {
    write(work / ".gitattributes", "*.txt filter=evil\n");
    write(work / "dir/.gitattributes", "* -text\n");
    write(work / ".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c id\n");
    write(work / ".github/workflows/ci.yml", "on: push\n");
    write(work / ".gitlab-ci.yml", "a: b\n");
    write(work / ".husky/pre-commit", "id\n");
    write(work / ".pre-commit-config.yaml", "repos: []\n");
    write(work / "big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') +
                                "\nsize 12345\n");
    fs::create_symlink("/etc/passwd", work / "out");
    fs::create_symlink("../../x", work / "dir/up");
    fs::create_symlink("dir/b.txt", work / "inside");
  });
  EXPECT_EQ(kinds(), (Words{"attributes:.gitattributes,dir/.gitattributes",
                            "ci:.github/workflows/ci.yml,.gitlab-ci.yml",
                            "hooks:.husky/pre-commit,.pre-commit-config.yaml", "lfs:big.bin",
                            "submodules:.gitmodules", "symlinks:dir/up,out"}));
  expect_refused(request(), "--allow attributes,ci,hooks,lfs,submodules,symlinks");
  expect_refused(allowing({"attributes", "ci", "hooks", "lfs", "submodules"}), "--allow symlinks");
  const auto merged = run(allowing({"attributes", "ci", "hooks", "lfs", "submodules", "symlinks"}));
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_TRUE(fs::is_symlink(user_ / "out"));
}

TEST_F(MergeStates, AnOrdinaryChangeNeedsNoWord) {
  race();
  EXPECT_EQ(kinds(), Words{});
}

TEST_F(MergeStates, APointerThatBecomesContentNeedsAWord) {
  sample();
  write(user_ / "big.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'b') + "\nsize 9\n");
  commit_all();
  race_with([&](const fs::path& work) { write(work / "big.bin", "real bytes\n"); });
  EXPECT_EQ(kinds(), Words{"lfs:big.bin"});
}

TEST_F(MergeStates, AnotherBranchThanAtTheStartNeedsAWord) {
  race();
  git(user_, {"checkout", "-q", "-b", "feature"});
  auto r = request();
  r.expected_ref.clear();
  expect_refused(r, "--allow branch");
  r.allow = {"branch"};
  EXPECT_TRUE(run(r).ok());
  EXPECT_EQ(git(user_, {"rev-parse", "main"}), spec_.repository.base);
}

// --- parts ---

TEST_F(MergeStates, SingleFilesOfAResult) {
  race();
  auto r = request();
  r.parts = {"deep/"};
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n");
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
  EXPECT_TRUE(fs::exists(user_ / "dir/c.txt"));
  r.parts = {"dir/c.txt", "./a.txt"};
  ASSERT_TRUE(run(r).ok());
  EXPECT_EQ(read(user_ / "a.txt"), "one\n2\nthree\n");
  EXPECT_FALSE(fs::exists(user_ / "dir/c.txt"));
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(MergeStates, APartThatTheResultDoesNotChangeIsNamed) {
  race();
  auto r = request();
  r.parts = {"dir/b.txt"};
  const auto before = fingerprint();
  const auto result = run(r);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Errc::not_found);
  EXPECT_NE(describe(result.error()).find("dir/b.txt"), std::string::npos);
  EXPECT_EQ(fingerprint(), before);
}

TEST_F(MergeStates, PartsOfSeveralResults) {
  race();
  const auto first = result_;
  const auto work = workspace(*store_, "other");
  write(work / "tests/t.txt", "t\n");
  write(work / "a.txt", "one\nzwei\nthree\n");
  const auto second = capture(*store_, "other").commit;
  const auto both =
      store_->combine({{"codex", first, {"deep"}}, {"other", second, {"tests/", "a.txt"}}}, "combined");
  ASSERT_TRUE(both.ok()) << describe(both.error());
  EXPECT_EQ(content(*store_, both->commit, "deep/new.txt"), "new\n");
  EXPECT_EQ(content(*store_, both->commit, "tests/t.txt"), "t\n");
  EXPECT_EQ(content(*store_, both->commit, "a.txt"), "one\nzwei\nthree\n");
  EXPECT_EQ(content(*store_, both->commit, "dir/c.txt"), "c1\n");
  EXPECT_EQ(both->diff.files_changed, 3);
  EXPECT_TRUE(both->changed);
  const auto quarrel = store_->combine({{"codex", first, {"a.txt"}}, {"other", second, {"."}}}, "combined");
  ASSERT_FALSE(quarrel.ok());
  EXPECT_EQ(quarrel.error().code, Errc::refused);
  EXPECT_NE(describe(quarrel.error()).find("a.txt"), std::string::npos);
}

// --- the repository's own configuration ---

class GuardTest : public MergeStates {
 protected:
  Words changed() {
    auto r = request();
    r.dry_run = true;
    const auto preview = run(r);
    EXPECT_TRUE(preview.ok()) << (preview.ok() ? "" : describe(preview.error()));
    return preview.ok() ? preview->changed : Words{"?"};
  }
};

TEST_F(GuardTest, WhatDecidesWhatGitRunsIsComparedByName) {
  race();
  const auto config = read(user_ / ".git/config");
  EXPECT_EQ(changed(), Words{});
  git(user_, {"config", "branch.main.remote", "origin"});
  EXPECT_EQ(changed(), Words{}) << "git push -u is everyday work";
  git(user_, {"config", "core.fsmonitor", "/tmp/evil"});
  write(user_ / ".git/info/attributes", "* filter=x\n");
  ASSERT_TRUE(write_file(user_ / ".git/hooks/post-commit", "#!/bin/sh\n", 0755).ok());
  EXPECT_EQ(changed(), (Words{"config core.fsmonitor", "hooks/post-commit", "info/attributes"}));
  expect_refused(request(), "core.fsmonitor");
  auto r = request();
  r.repair_changes = true;
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(user_ / ".git/config"), config);
  EXPECT_FALSE(fs::exists(user_ / ".git/hooks/post-commit"));
  EXPECT_FALSE(fs::exists(user_ / ".git/info/attributes"));
  EXPECT_EQ(read(store_->directory() / "replaced/info/attributes"), "* filter=x\n");
}

TEST_F(GuardTest, AcceptedChangesAreTheUsersOwn) {
  race();
  git(user_, {"config", "core.editor", "vi"});
  auto r = request();
  r.accept_changes = true;
  ASSERT_TRUE(run(r).ok());
  EXPECT_EQ(git(user_, {"config", "core.editor"}), "vi");
  EXPECT_EQ(changed(), Words{});
}

TEST_F(GuardTest, WithoutASandboxRefsAreComparedToo) {
  sample();
  git(user_, {"branch", "other"});
  const auto was = "refs/heads/other (was " + git(user_, {"rev-parse", "other"}).substr(0, 12) + ")";
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  spec_ = spec_of(*facts);
  spec_.isolation = model::Isolation::none;
  store_ = store_of(spec_);
  const auto work = workspace(*store_);
  write(work / "n", "n\n");
  git(user_, {"update-ref", "refs/heads/other", git(user_, {"commit-tree", "HEAD^{tree}", "-m", "stolen"})});
  result_ = capture(*store_).commit;
  EXPECT_EQ(changed(), Words{was});
  expect_refused(request(), "refs/heads/other");
  auto r = request();
  r.accept_changes = true;
  ASSERT_TRUE(run(r).ok());
  EXPECT_EQ(changed(), Words{}) << "what Hydra merged itself is no difference";
}

// --- the machine ---

/// Runs `body` in a process with mounts of its own; a failure in there is one here.
void in_own_mounts(const std::function<void()>& body) {
  HYDRA_NEEDS(machine::Ability::mounts);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      ::_exit(77);
    body();
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

std::string noise(std::size_t bytes) {
  std::string text;
  std::uint64_t state = 42;
  while (text.size() < bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += static_cast<char>(state >> 56);
  }
  return text;
}

TEST_F(MergeStates, FullDisk) {
  in_own_mounts([&] {
    const auto small = root_ / "small";
    fs::create_directories(small);
    ASSERT_EQ(::mount("none", small.c_str(), "tmpfs", 0, "size=4m"), 0);
    user_ = small / "user";
    sample();
    race_with([&](const fs::path& work) {
      write(work / "a.txt", "one\n2\nthree\n");
      write(work / "big.bin", noise(600 << 10));
      write(work / "z.txt", "z\n");
    });
    const auto before = fingerprint();
    for (const std::size_t left :
         {std::size_t{4}, std::size_t{200}, std::size_t{500}, std::size_t{700}, std::size_t{900}}) {
      struct statvfs fs_state {};
      ASSERT_EQ(::statvfs(small.c_str(), &fs_state), 0);
      const auto free = fs_state.f_bavail * fs_state.f_frsize;
      ASSERT_GT(free, left << 10);
      write(small / "filler", std::string(free - (left << 10), 'x'));
      const auto result = run(request());
      if (result.ok()) {  // the objects of the attempt before are there already: this one fits
        EXPECT_GT(left, 500u);
        break;
      }
      fs::remove(small / "filler");
      const auto recovered = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
      EXPECT_TRUE(recovered.ok()) << left << describe(recovered.error());
      EXPECT_EQ(fingerprint(), before) << left << " KiB left: " << describe(result.error());
      EXPECT_FALSE(fs::exists(user_ / "big.bin")) << left;
    }
    const auto merged = run(request());
    EXPECT_TRUE(merged.ok()) << describe(merged.error());
    EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
    ::umount2(small.c_str(), MNT_DETACH);
  });
}

TEST_F(MergeStates, ReadOnlyRepository) {
  in_own_mounts([&] {
    const auto small = root_ / "small";
    fs::create_directories(small);
    ASSERT_EQ(::mount("none", small.c_str(), "tmpfs", 0, "size=8m"), 0);
    user_ = small / "user";
    race();
    const auto before = fingerprint();
    ASSERT_EQ(::mount("none", small.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=8m"), 0);
    const auto result = run(request());
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(fingerprint(), before);
    if (!result.ok()) {
      EXPECT_NE(describe(result.error()).find("Read-only"), std::string::npos) << describe(result.error());
    }
    ASSERT_EQ(::mount("none", small.c_str(), "tmpfs", MS_REMOUNT, "size=8m"), 0);
    EXPECT_TRUE(run(request()).ok());
    ::umount2(small.c_str(), MNT_DETACH);
  });
}

TEST_F(MergeStates, TwoRacesMergeAtOnce) {
  sample();
  race_with([](const fs::path& work) { write(work / "first.txt", "1\n"); }, "race1");
  const auto first_store = *store_;
  const auto first_spec = spec_;
  const auto first = request();
  race_with([](const fs::path& work) { write(work / "second.txt", "2\n"); }, "race2");
  auto second = request();
  second.journal = root_ / "journal2";
  std::optional<Result<MergePreview>> a, b;
  std::thread other([&] { a = merge(first_store, first_spec, first); });
  b = merge(*store_, spec_, second);
  other.join();
  // A merge may have been told to try again; none is lost and none is half done.
  EXPECT_TRUE(a->ok() || b->ok());
  for (const auto* result : {&*a, &*b})
    if (!result->ok()) {
      EXPECT_EQ(result->error().code, Errc::refused) << describe(result->error());
    }
  if (!a->ok()) {
    EXPECT_TRUE(merge(first_store, first_spec, first).ok());
  }
  if (!b->ok()) {
    EXPECT_TRUE(merge(*store_, spec_, second).ok());
  }
  EXPECT_EQ(read(user_ / "first.txt"), "1\n");
  EXPECT_EQ(read(user_ / "second.txt"), "2\n");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_EQ(git(user_, {"rev-list", "--count", "--merges", "HEAD"}), "2");
}

TEST_F(MergeStates, SplitIndexAndSparseIndexOfTheUser) {
  race();
  git(user_, {"update-index", "--split-index"});
  write(user_ / "dir/b.txt", "dirty\n");
  ASSERT_TRUE(run(request()).ok());
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "M dir/b.txt");
  git(user_, {"fsck", "--no-dangling"});
}

TEST_F(MergeStates, SparseCheckoutStaysSparse) {
  sample();
  git(user_, {"sparse-checkout", "set", "--cone", "--sparse-index", "deep"});
  ASSERT_FALSE(fs::exists(user_ / "dir"));
  race_with([](const fs::path& work) {
    write(work / "dir/b.txt", "other\n");
    write(work / "deep/new.txt", "new\n");
  });
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_FALSE(fs::exists(user_ / "dir"));
  EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_EQ(git(user_, {"show", "HEAD:dir/b.txt"}), "other");
}

TEST_F(MergeStates, AmendedAndPrunedWhileTheRaceRan) {
  sample();
  write(user_ / "second.txt", "2\n");
  commit_all("second");
  race_with([](const fs::path& work) { write(work / "new.txt", "n\n"); });
  git(user_, {"commit", "-q", "--amend", "-m", "other words"});
  git(user_, {"reflog", "expire", "--expire=now", "--all"});
  git(user_, {"gc", "-q", "--prune=now"});
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(user_ / "new.txt"), "n\n");
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  git(user_, {"fsck", "--no-dangling"});
}

TEST_F(MergeStates, AResultOfARewrittenHistoryBringsItsChangesAndNotThatHistory) {
  struct Way {
    const char* name;
    std::vector<std::vector<std::string>> commands;
  };
  const std::vector<Way> ways{
      {"the only commit amended", {{"rm", "-q", "secret"}, {"commit", "-q", "--amend", "-m", "first"}}},
      {"begun anew",
       {{"checkout", "-q", "--orphan", "fresh"},
        {"rm", "-q", "-f", "secret"},
        {"commit", "-q", "-m", "anew"},
        {"branch", "-M", "main"}}},
  };
  for (const auto& way : ways)
    for (const bool squash : {false, true}) {
      SCOPED_TRACE(std::string(way.name) + (squash ? ", squashed" : ""));
      init();
      write(user_ / "a.txt", "one\ntwo\nthree\n");
      write(user_ / "secret", "s\n");
      commit_all("first");
      race_with([](const fs::path& work) {
        write(work / "a.txt", "one\n2\nthree\n");
        write(work / "new.txt", "n\n");
      });
      for (const auto& command : way.commands) git(user_, command);
      const auto before = git(user_, {"rev-parse", "HEAD"});
      auto asked = request();
      asked.squash = squash;
      const auto merged = run(asked);
      ASSERT_TRUE(merged.ok()) << describe(merged.error());
      EXPECT_EQ(read(user_ / "a.txt"), "one\n2\nthree\n");
      EXPECT_EQ(read(user_ / "new.txt"), "n\n");
      EXPECT_FALSE(fs::exists(user_ / "secret"));
      EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
      EXPECT_EQ(git(user_, {"rev-parse", "HEAD^"}), before);
      EXPECT_EQ(git(user_, {"log", "--format=%H", "--", "secret"}), "");
      asked.journal = root_ / "journal2";
      const auto again = run(asked);
      ASSERT_TRUE(again.ok()) << describe(again.error());
      EXPECT_TRUE(again->already_merged);
      TearDown();
      SetUp();
    }
}

TEST_F(MergeStates, ConflictsWithARewrittenHistoryAreRefused) {
  init();
  write(user_ / "a.txt", "one\ntwo\nthree\n");
  commit_all("first");
  race_with([](const fs::path& work) { write(work / "a.txt", "one\n2\nthree\n"); });
  write(user_ / "a.txt", "one\nzwei\nthree\n");
  git(user_, {"commit", "-q", "-a", "--amend", "-m", "other words"});
  expect_refused(request(), "a.txt");
}

}  // namespace
}  // namespace hydra::git::test
