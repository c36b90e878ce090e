// The user's hooks and filters during a merge: whose code runs, where, and what a failure leaves behind.
#include "merge_states.hpp"

#include <gtest/gtest.h>

namespace hydra::git::test {
namespace {

class MergeHooks : public MergeStates {
 protected:
  static void script(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(file, "#!/bin/sh\n" + text, 0755).ok());
  }
  std::string message() const { return git(user_, {"log", "-1", "--format=%B"}); }
  /// `filter` for *.big in the user's configuration, from before the race.
  void filter(const std::string& smudge) {
    git(user_, {"config", "filter.big.clean", "cat"});
    git(user_, {"config", "filter.big.smudge", smudge});
    git(user_, {"config", "filter.big.required", "true"});
  }
  Result<std::string> recover() {
    return recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
  }
};

TEST_F(MergeHooks, TheResultsHooksAreNotRunInPlaceOfTheUsers) {
  sample();
  script(user_ / "tools/hooks/commit-msg", "echo user >> '" + (root_ / "ran").string() + "'\n");
  script(user_ / "tools/hooks/post-merge", "echo user >> '" + (root_ / "ran").string() + "'\n");
  commit_all();
  git(user_, {"config", "core.hooksPath", "tools/hooks"});
  race_with([&](const fs::path& work) {
    script(work / "tools/hooks/commit-msg", "echo agent >> '" + (root_ / "ran").string() + "'\n");
    write(work / "n.txt", "n\n");
  });
  EXPECT_EQ(kinds(), Words{"hooks:tools/hooks/commit-msg"});
  expect_refused(request(), "--allow hooks");
  EXPECT_FALSE(fs::exists(root_ / "ran"));
  const auto merged = run(allowing({"hooks"}));
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(root_ / "ran"), "user\nuser\n");
}

TEST_F(MergeHooks, ADirectoryOfHooksBehindALinkIsFoundToo) {
  sample();
  script(user_ / "tools/hooks/commit-msg", "exit 0\n");
  fs::create_symlink("tools/hooks", user_ / "h");
  commit_all();
  git(user_, {"config", "core.hooksPath", "h"});
  race_with([&](const fs::path& work) { script(work / "tools/hooks/post-merge", "exit 0\n"); });
  EXPECT_EQ(kinds(), Words{"hooks:tools/hooks/post-merge"});
}

TEST_F(MergeHooks, AScriptThatAFilterNamesNeedsAWord) {
  sample();
  script(user_ / "tools/smudge.sh", "cat\n");
  commit_all();
  git(user_, {"config", "filter.x.smudge", "./tools/smudge.sh %f"});
  race_with([&](const fs::path& work) { script(work / "tools/smudge.sh", "id\n"); });
  EXPECT_EQ(kinds(), Words{"hooks:tools/smudge.sh"});
}

TEST_F(MergeHooks, HooksInAnIgnoredDirectoryAskAndMayChange) {
  sample();
  write(user_ / ".gitignore", "build/\n*.log\n.env\n.husky/_/\n");
  commit_all();
  script(user_ / ".husky/_/commit-msg", "echo 'Hook: husky' >> \"$1\"\n");
  git(user_, {"config", "core.hooksPath", ".husky/_"});
  race_with([&](const fs::path& work) { write(work / "n.txt", "n\n"); });
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(message(), "Merge the winner\nHook: husky");
}

TEST_F(MergeHooks, AMessageEndsInANewline) {
  race();
  script(user_ / ".git/hooks/commit-msg", "echo 'Change-Id: I1' >> \"$1\"\n");
  auto r = request();
  r.accept_changes = true;
  r.message = "Merge it\n\nHydra race r, codex, score 100.0.";
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(message(), "Merge it\n\nHydra race r, codex, score 100.0.\nChange-Id: I1");
}

TEST_F(MergeHooks, AMessageWithoutHooksEndsInANewlineToo) {
  race();
  auto r = request();
  r.message = "Merge it";
  ASSERT_TRUE(run(r).ok());
  EXPECT_TRUE(try_git(user_, {"cat-file", "commit", "HEAD"}).out.ends_with("\n\nMerge it\n"));
}

TEST_F(MergeHooks, AnEmptyMessageIsRefused) {
  race();
  auto r = request();
  r.message = "  \n ";
  const auto asked = run(r);
  ASSERT_FALSE(asked.ok());
  EXPECT_EQ(asked.error().code, Errc::usage);
  script(user_ / ".git/hooks/commit-msg", "echo ' ' > \"$1\"\n");
  r = request();
  r.accept_changes = true;
  expect_refused(r, "empty message");
}

TEST_F(MergeHooks, AHookThatChangesTheIndexIsRefused) {
  race();
  script(user_ / ".git/hooks/pre-merge-commit", "echo more > added.txt; git add added.txt\n");
  auto r = request();
  r.accept_changes = true;
  expect_refused(r, "changes what is committed");
}

// --- filters ---

TEST_F(MergeHooks, AFilterThatFailsRefusesBeforeAnythingMoves) {
  sample();
  write(user_ / ".gitattributes", "*.big filter=big\n");
  commit_all();
  filter("false");
  race_with([&](const fs::path& work) { write(work / "new.big", "big\n"); });
  expect_refused(request(), "new.big");
  EXPECT_FALSE(fs::exists(root_ / "journal/scratch"));
}

TEST_F(MergeHooks, AFilterThatTheResultBringsInFailsBeforeAnythingMoves) {
  sample();
  filter("false");
  race_with([&](const fs::path& work) {
    write(work / ".gitattributes", "*.big filter=big\n");
    write(work / "new.big", "big\n");
  });
  expect_refused(allowing({"attributes"}), "new.big");
}

TEST_F(MergeHooks, AFilterThatBreaksMidwayLeavesNothingLocked) {
  sample();
  write(user_ / ".gitattributes", "*.big filter=big\n");
  write(user_ / "z.big", "old\n");
  commit_all();
  // Works when it is asked beforehand, and for the old content always.
  script(root_ / "smudge", "text=$(cat)\n[ \"$text\" = old ] || [ ! -e '" + (root_ / "broken").string() +
                               "' ] || exit 1\necho \"$text\"\n");
  filter((root_ / "smudge").string());
  race_with([&](const fs::path& work) {
    write(work / "a.txt", "one\n2\nthree\n");
    write(work / "new.big", "new\n");
    write(work / "z.big", "newer\n");
  });
  const auto before = fingerprint();
  stop_merge_after = [&](std::string_view step) {
    if (step == "go") write(root_ / "broken", "");
    return false;
  };
  const auto result = run(request());
  stop_merge_after = nullptr;
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(fingerprint(), before) << describe(result.error());
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(read(user_ / "z.big"), "old\n");
  EXPECT_FALSE(fs::exists(user_ / "new.big"));
  EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
  EXPECT_TRUE(merge_settled(root_ / "journal"));
  fs::remove(root_ / "broken");
  EXPECT_TRUE(run(request()).ok());
}

TEST_F(MergeHooks, AnOldContentThatNoFilterMakesIsNamedAndTheRestGoesBack) {
  sample();
  write(user_ / ".gitattributes", "*.big filter=big\n");
  write(user_ / "gone.big", "old\n");
  write(user_ / "kept.big", "old\n");
  commit_all();
  script(root_ / "smudge", "[ ! -e '" + (root_ / "broken").string() + "' ] && cat\n");
  filter((root_ / "smudge").string());
  race_with([&](const fs::path& work) {
    write(work / "a.txt", "one\n2\nthree\n");
    write(work / "gone.big", "new\n");
    write(work / "kept.big", "new\n");
  });
  stop_merge_after = [](std::string_view step) { return step == "go"; };
  ASSERT_FALSE(run(request()).ok());
  stop_merge_after = nullptr;
  // As a git that was killed leaves it: it removes a file before it writes the new one.
  write(user_ / "a.txt", "one\n2\nthree\n");
  fs::remove(user_ / "gone.big");
  write(root_ / "broken", "");
  const auto recovered = recover();
  ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
  EXPECT_NE(recovered->find("gone.big"), std::string::npos) << *recovered;
  EXPECT_EQ(recovered->find("kept.big"), std::string::npos) << *recovered;
  EXPECT_EQ(read(user_ / "a.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(read(user_ / "kept.big"), "old\n");
  EXPECT_FALSE(fs::exists(user_ / ".git/index.lock"));
}

// --- large files ---

TEST_F(MergeHooks, LargeFilesOfAResultGoWithItsBranch) {
  race();
  const std::string fresh(64, 'a'), known = std::string(2, 'b') + std::string(62, 'c');
  const auto in = [](const fs::path& git_dir, const std::string& id) {
    return git_dir / "lfs/objects" / id.substr(0, 2) / id.substr(2, 2) / id;
  };
  write(in(store_->directory(), fresh), "content");
  write(in(store_->directory(), known), "of the store");
  write(store_->directory() / "lfs/objects/aa/aa/notes", "no content");
  write(in(user_ / ".git", known), "of the user");
  ASSERT_TRUE(store_->publish({{"hydra/codex-1", result_}}).front().ok());
  EXPECT_EQ(read(in(user_ / ".git", fresh)), "content");
  EXPECT_EQ(read(in(user_ / ".git", known)), "of the user");
  EXPECT_FALSE(fs::exists(user_ / ".git/lfs/objects/aa/aa/notes"));
  fs::remove_all(user_ / ".git/lfs");
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(in(user_ / ".git", fresh)), "content");
  for (const auto& entry : fs::recursive_directory_iterator(user_ / ".git/lfs"))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".hydra")) << entry.path();
}

TEST_F(MergeHooks, LargeFilesGoWhereTheConfigurationKeepsThem) {
  sample();
  git(user_, {"config", "lfs.storage", "big"});
  race_with([&](const fs::path& work) { write(work / "n", "n\n"); });
  const std::string id(64, 'd');
  write(store_->directory() / "big/objects/dd/dd" / id, "content");
  ASSERT_TRUE(store_->publish({{"hydra/codex-1", result_}}).front().ok());
  EXPECT_EQ(read(user_ / ".git/big/objects/dd/dd" / id), "content");
}

}  // namespace
}  // namespace hydra::git::test
