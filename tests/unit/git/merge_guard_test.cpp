// Recovery of a repository that is not as the cut-off merge left it: other configuration, other hooks, other
// content, another place. And hooks and filters that are told to stop.
#include "git/place.hpp"
#include "merge_fixture.hpp"

#include <chrono>
#include <stop_token>
#include <thread>
#include <unistd.h>

namespace hydra::git::test {
namespace {

class RecoveryGuard : public MergeTest {
 protected:
  Result<std::string> recover(const Recovery& how = {}) {
    return recover_merge(root_ / "journal", spec_.repository, path(), home_.string(), how);
  }
  /// A merge of race()'s result that ends behind `step` as if it were killed.
  void cut_off_after(const std::string& step) {
    stop_merge_after = [step](std::string_view now) { return now == step; };
    ASSERT_FALSE(run(request()).ok());
    stop_merge_after = nullptr;
  }
  /// A filter that leaves a mark where it runs, for all files.
  void plant_filter() {
    write(user_ / ".git/info/attributes", "* filter=evil\n");
    git(user_, {"config", "filter.evil.smudge", "touch " + mark().string() + "; cat"});
    git(user_, {"config", "filter.evil.clean", "touch " + mark().string() + "; cat"});
  }
  [[nodiscard]] fs::path mark() const { return root_ / "ran"; }
  [[nodiscard]] std::string files() const { return read(user_ / "a.txt") + read(user_ / "deep/new.txt"); }
  void make_executable(const fs::path& file, const std::string& text) {
    write(file, text);
    fs::permissions(file, fs::perms(0755));
  }
};

TEST_F(RecoveryGuard, FilesGoBackThroughNoFilterThatCameMeanwhile) {
  race();
  const auto head = git(user_, {"rev-parse", "HEAD"});
  cut_off_after("moved");
  const auto config = read(user_ / ".git/config");
  const auto moved = files();
  plant_filter();
  const auto refused = recover();
  ASSERT_FALSE(refused.ok()) << *refused;
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_NE(refused.error().message.find("filter.evil.smudge"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("info/attributes"), std::string::npos) << refused.error().message;
  EXPECT_EQ(files(), moved) << "nothing was touched";
  EXPECT_FALSE(fs::exists(mark()));
  EXPECT_FALSE(merge_settled(root_ / "journal"));
  // As it was again: then it is undone.
  write(user_ / ".git/config", config);
  fs::remove(user_ / ".git/info/attributes");
  const auto undone = recover();
  ASSERT_TRUE(undone.ok()) << describe(undone.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), head);
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_FALSE(fs::exists(mark()));
}

TEST_F(RecoveryGuard, OnTheUsersWordTheNewConfigurationIsUsed) {
  race();
  cut_off_after("moved");
  plant_filter();
  auto r = request();
  const auto before = files();
  const auto refused = run(r);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().hint.find("--accept-changes"), std::string::npos) << refused.error().hint;
  EXPECT_EQ(files(), before);
  r.accept_changes = true;
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(user_ / "deep/new.txt"), "new\n");
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), merged->new_commit);
}

TEST_F(RecoveryGuard, RepairedFirstItIsMergedAsItBegan) {
  race();
  cut_off_after("moved");
  plant_filter();
  auto r = request();
  r.repair_changes = true;
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_FALSE(fs::exists(mark()));
  EXPECT_NE(try_git(user_, {"config", "filter.evil.smudge"}).exit_code, 0);
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(RecoveryGuard, AHookThatCameMeanwhileIsNamed) {
  race();
  cut_off_after("go");
  make_executable(user_ / ".git/hooks/post-checkout", "#!/bin/sh\ntouch " + mark().string() + "\n");
  const auto refused = recover();
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("hooks/post-checkout"), std::string::npos)
      << refused.error().message;
  fs::remove(user_ / ".git/hooks/post-checkout");
  EXPECT_TRUE(recover().ok());
  EXPECT_FALSE(fs::exists(mark()));
}

// The files are in: what is left are the branch and the index, which run nothing of the user's.
TEST_F(RecoveryGuard, FinishingRunsNothingOfTheUsers) {
  race();
  cut_off_after("tree");
  plant_filter();
  make_executable(user_ / ".git/hooks/reference-transaction", "#!/bin/sh\ntouch " + mark().string() + "\n");
  const auto finished = recover();
  ASSERT_TRUE(finished.ok()) << describe(finished.error());
  EXPECT_NE(finished->find("finished"), std::string::npos) << *finished;
  EXPECT_FALSE(fs::exists(mark()));
  EXPECT_TRUE(landed(root_ / "journal"));
}

TEST_F(RecoveryGuard, WhatGitWritesEveryDayIsNoChange) {
  race();
  cut_off_after("moved");
  git(user_, {"config", "branch.main.remote", "origin"});
  git(user_, {"config", "user.nickname", "ada"});
  const auto undone = recover();
  ASSERT_TRUE(undone.ok()) << describe(undone.error());
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
}

TEST_F(RecoveryGuard, WhatTheUserChangedMeanwhileIsLeftAndNamed) {
  race();
  cut_off_after("moved");
  write(user_ / "a.txt", "mine since\n");           // changed by the merge too
  write(user_ / "dir/b.txt", "mine beside\n");      // not of the merge
  write(user_ / "deep/own.txt", "mine and new\n");  // beside a file that the merge added
  const auto undone = recover();
  ASSERT_TRUE(undone.ok()) << describe(undone.error());
  EXPECT_NE(undone->find("a.txt"), std::string::npos) << *undone;
  EXPECT_EQ(read(user_ / "a.txt"), "mine since\n");
  EXPECT_EQ(read(user_ / "dir/b.txt"), "mine beside\n");
  EXPECT_EQ(read(user_ / "deep/own.txt"), "mine and new\n");
  EXPECT_FALSE(fs::exists(user_ / "deep/new.txt"));
  EXPECT_EQ(read(user_ / "dir/c.txt"), "c1\n");
}

TEST_F(RecoveryGuard, ACommitOfTheUsersMeanwhileStays) {
  race();
  cut_off_after("tree");
  // The user took the lock for a stale one and went on.
  fs::remove(user_ / ".git/index.lock");
  write(user_ / "mine.txt", "mine\n");
  git(user_, {"add", "mine.txt"});
  git(user_, {"commit", "-q", "-m", "mine"});
  const auto head = git(user_, {"rev-parse", "HEAD"});
  const auto before = files();
  const auto refused = recover();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::conflict);
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), head);
  EXPECT_EQ(files(), before);
}

TEST_F(RecoveryGuard, AHookThatHangsIsEndedWhenTheDaemonStops) {
  race();
  make_executable(user_ / ".git/hooks/commit-msg",
                  "#!/bin/sh\necho $$ > " + mark().string() + "\nsleep 1000\n");
  const auto before = fingerprint();
  auto r = request();
  r.accept_changes = true;
  std::stop_source stop;
  r.stop = stop.get_token();
  std::thread later([&] {
    while (read_file(mark(), 64).value_or("").empty()) ::usleep(1000);
    stop.request_stop();
  });
  const auto merged = run(r);
  later.join();
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(fingerprint(), before);
  EXPECT_TRUE(merge_settled(root_ / "journal"));
  EXPECT_EQ(git(user_, {"for-each-ref", "refs/hydra/race1"}), "");
  // Gone, or dead and waiting for whoever collects the dead here.
  const auto status = read_file("/proc/" + std::string(trim(read(mark()))) + "/status", 4096);
  EXPECT_TRUE(!status.ok() || status->find("State:\tZ") != std::string::npos) << *status;
}

// A filter that worked when it was asked and hangs when the files come in: the journal has it.
TEST_F(RecoveryGuard, AFilterThatHangsInTheMoveIsEndedAndTheMergeTakenBack) {
  sample();
  make_executable(root_ / "filter", "#!/bin/sh\nif test -e " + (root_ / "hang").string() +
                                        "; then echo $$ > " + mark().string() + "; sleep 1000; fi\ncat\n");
  write(user_ / ".gitattributes", "*.dat filter=slow\n");
  commit_all("attributes");
  git(user_, {"config", "filter.slow.smudge", (root_ / "filter").string()});
  git(user_, {"config", "filter.slow.clean", "cat"});
  store_ = store();
  const auto work = workspace(*store_);
  write(work / "x.dat", "data\n");
  write(work / "a.txt", "theirs\n");
  result_ = capture(*store_).commit;
  const auto head = git(user_, {"rev-parse", "HEAD"});
  auto r = request();
  std::stop_source stop;
  r.stop = stop.get_token();
  stop_merge_after = [this](std::string_view step) {
    if (step == "go") write(root_ / "hang", "");
    return false;
  };
  std::thread later([&] {
    while (read_file(mark(), 64).value_or("").empty()) ::usleep(1000);
    stop.request_stop();
  });
  const auto merged = run(r);
  later.join();
  stop_merge_after = nullptr;
  ASSERT_FALSE(merged.ok());
  EXPECT_FALSE(merge_settled(root_ / "journal")) << "what has begun to move is for recovery";
  fs::remove(root_ / "hang");
  const auto undone = recover();
  ASSERT_TRUE(undone.ok()) << describe(undone.error());
  EXPECT_EQ(git(user_, {"rev-parse", "HEAD"}), head);
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
  EXPECT_EQ(git(user_, {"for-each-ref", "refs/hydra/race1"}), "");
  EXPECT_TRUE(merge_settled(root_ / "journal"));
  EXPECT_TRUE(run(request()).ok());
}

TEST_F(RecoveryGuard, TheMergeThatHoldsTheIndexIsNamed) {
  race();
  auto second = request();
  second.journal = root_ / "01abc.claude";
  second.message = "Another\n";
  for (const auto& [journal, command] : {std::pair{"01abc.codex", "`hydra merge 01abc/codex`"},
                                         {"01abc.codex.undo", "`hydra merge --undo 01abc/codex`"}}) {
    auto r = request();
    r.journal = root_ / journal;
    // The first merge has the lock, and no file has moved: nothing else is in the way of the second.
    stop_merge_after = [](std::string_view step) { return step == "lock"; };
    ASSERT_FALSE(run(r).ok());
    stop_merge_after = nullptr;
    const auto refused = run(second);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Errc::refused);
    EXPECT_NE(refused.error().message.find("that of 01abc/codex, which was cut off"), std::string::npos)
        << refused.error().message;
    EXPECT_NE(refused.error().hint.find(command), std::string::npos) << refused.error().hint;
    ASSERT_TRUE(recover_merge(r.journal, spec_.repository, path(), home_.string()).ok());
  }
  EXPECT_TRUE(run(second).ok());
}

class PlaceTest : public MergeTest {};

TEST_F(PlaceTest, ARepositoryThatWasMovedIsNamedWithItsOldPath) {
  race();
  EXPECT_TRUE(at_its_place(spec_).ok());
  EXPECT_TRUE(has_pin(user_ / "dir", spec_.id));
  fs::rename(user_, root_ / "moved");
  const auto gone = at_its_place(spec_);
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, Errc::not_found);
  EXPECT_NE(gone.error().message.find(user_.string()), std::string::npos) << gone.error().message;
  EXPECT_TRUE(has_pin(root_ / "moved/dir", spec_.id));
  EXPECT_FALSE(has_pin(root_ / "moved", "race2"));
  git(root_ / "moved", {"pack-refs", "--all"});
  EXPECT_TRUE(has_pin(root_ / "moved", spec_.id));
  const auto merged = run(request());
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(describe(merged.error()), describe(gone.error()));
  // The remedy in the hint works.
  fs::create_directory_symlink(root_ / "moved", user_);
  const auto through = run(request());
  ASSERT_TRUE(through.ok()) << describe(through.error());
  EXPECT_EQ(read(root_ / "moved/deep/new.txt"), "new\n");
  EXPECT_EQ(git(root_ / "moved", {"status", "--porcelain"}), "");
}

TEST_F(PlaceTest, AnotherRepositoryAtThatPathIsNotMergedInto) {
  race();
  fs::rename(user_, root_ / "moved");
  init();
  write(user_ / "other.txt", "other\n");
  commit_all("of another project");
  const auto before = fingerprint();
  const auto refused = run(request());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_NE(refused.error().message.find("another repository is at " + user_.string()), std::string::npos);
  EXPECT_EQ(fingerprint(), before);
}

TEST_F(PlaceTest, RecoveryTouchesNothingOfAnotherRepository) {
  race();
  stop_merge_after = [](std::string_view step) { return step == "moved"; };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  fs::rename(user_, root_ / "moved");
  const auto away = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  EXPECT_TRUE(away.ok()) << describe(away.error());
  EXPECT_FALSE(merge_settled(root_ / "journal")) << "it can still be finished once the repository is back";
  init();
  write(user_ / "a.txt", "another project\n");
  commit_all("of another project");
  const auto before = fingerprint();
  EXPECT_FALSE(recover_merge(root_ / "journal", spec_.repository, path(), home_.string()).ok());
  EXPECT_EQ(fingerprint(), before);
  fs::rename(user_, root_ / "other");
  fs::rename(root_ / "moved", user_);
  const auto undone = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  ASSERT_TRUE(undone.ok()) << describe(undone.error());
  EXPECT_EQ(git(user_, {"status", "--porcelain"}), "");
}

TEST_F(MergeTest, ARepositoryThatCannotBeReadIsNotCalledAnother) {
  race();
  write(user_ / ".git/config", "[core\n");
  const auto refused = run(request());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(describe(refused.error()).find("another repository"), std::string::npos)
      << describe(refused.error());
  EXPECT_NE(describe(refused.error()).find("cannot read"), std::string::npos) << describe(refused.error());
}

}  // namespace
}  // namespace hydra::git::test
