// A repository whose checkout ignores letter case (core.ignorecase): Hydra's own directories keep such names
// apart, the rules of the checkout hold all the same.
#include "base/letter_case.hpp"

#include "capture_fixture.hpp"
#include "git/letter_case.hpp"
#include "merge_fixture.hpp"

namespace hydra::git::test {
namespace {

class LetterCase : public CaptureTest {
 protected:
  void begin() {
    sample();
    git(user_, {"config", "core.ignorecase", "true"});
    store_ = store();
    work_ = workspace(*store_);
  }
};

TEST_F(LetterCase, ARenameInLetterCaseLosesNothing) {
  begin();
  git(work_, {"mv", "a.txt", "A.txt"});
  shell(work_, "mv dir/b.txt dir/B.TXT");
  const auto c = take();
  EXPECT_EQ(names_of(c), ".gitignore\nA.txt\ndir/B.TXT\ndir/c.txt\nlink\nrun.sh");
  EXPECT_EQ(content_of(c, "A.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(content_of(c, "dir/B.TXT"), "b1\nb2\n");
}

TEST_F(LetterCase, AFileBesideOneOfAnotherCaseIsCaptured) {
  begin();
  write(work_ / "A.TXT", "loud\n");
  write(work_ / "Dir/new", "n\n");
  const auto c = take();
  EXPECT_EQ(content_of(c, "A.TXT"), "loud\n");
  EXPECT_EQ(content_of(c, "a.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(content_of(c, "Dir/new"), "n\n");
  EXPECT_TRUE(c.left_out.empty()) << c.left_out[0].path;
}

// In the user's checkout ".ENV" is ".env": their rules are asked as their git asks them.
TEST_F(LetterCase, WhatTheBaseIgnoresIsIgnoredInEveryCase) {
  begin();
  write(work_ / ".ENV", "x\n");
  write(work_ / "Build/out", "x\n");
  write(work_ / "new.txt", "n\n");
  const auto c = take();
  EXPECT_EQ(c.diff.files_changed, 1);
  ASSERT_NE(row(c, ".ENV"), nullptr);
  EXPECT_EQ(row(c, ".ENV")->reason, model::LeftReason::ignored);
  EXPECT_NE(row(c, "Build/"), nullptr);
  const auto ignored = store_->ignored_by_base({".ENV", "Build/out", "new.txt"});
  ASSERT_TRUE(ignored.ok());
  EXPECT_EQ(*ignored, (std::vector<std::string>{".ENV", "Build/out"}));
}

// On other systems they are other names.
TEST_F(LetterCase, WithoutThatSettingTheyAreOrdinaryNames) {
  start();
  write(work_ / ".ENV", "x\n");
  EXPECT_EQ(content_of(take(), ".ENV"), "x\n");
  EXPECT_FALSE(ignores_case(spec_.repository));
}

TEST_F(LetterCase, GitsOwnWordsForTrueAreKnown) {
  sample();
  for (const auto& [value, expected] : std::vector<std::pair<std::string, bool>>{{"true", true},
                                                                                 {"Yes", true},
                                                                                 {"on", true},
                                                                                 {"1", true},
                                                                                 {"false", false},
                                                                                 {"0", false},
                                                                                 {"", false}}) {
    git(user_, {"config", "core.ignorecase", value});
    const auto facts = look();
    ASSERT_TRUE(facts.ok());
    EXPECT_EQ(ignores_case(*facts), expected) << value;
  }
}

TEST_F(LetterCase, TheSettingStaysOutOfHydrasOwnRepositories) {
  begin();
  for (const auto& config : {store_->directory() / "config", work_ / ".git/config"})
    EXPECT_EQ(to_lower(read(config)).find("ignorecase"), std::string::npos) << config;
}

TEST_F(LetterCase, ThisFileSystemTellsCasesApart) {
  sample();
  if (fs::exists(user_ / "A.TXT")) GTEST_SKIP() << "no file system that tells letter case";
  EXPECT_FALSE(folds_case(user_ / "a.txt"));
  write(user_ / "A.TXT", "another file\n");
  EXPECT_FALSE(folds_case(user_ / "a.txt"));
  EXPECT_FALSE(folds_case(user_ / "nothing"));
  EXPECT_EQ(spelled(user_, "dir/b.txt"), "dir/b.txt");
  EXPECT_EQ(spelled(user_, "dir/B.txt"), std::nullopt);
}

// HYDRA_TEST_CASELESS names a directory on such a file system, for the checkout: there both names are one
// file, and a way back that removes the new one would take the old one along. Elsewhere they are two.
class RenameInCase : public MergeTest, public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    MergeTest::SetUp();
    if (const char* directory = std::getenv("HYDRA_TEST_CASELESS"))
      user_ = fs::path(directory) / root_.filename();
  }
  void TearDown() override {
    (void)remove_tree(user_);
    MergeTest::TearDown();
  }
};

TEST_P(RenameInCase, CutOffItIsTakenBackOrDone) {
  sample();
  git(user_, {"config", "core.ignorecase", "true"});
  for (const bool edited : {false, true}) {
    store_ = store(edited ? "race2" : "race1");
    const auto work = workspace(*store_, edited ? "edited" : "plain");
    git(work, {"mv", "a.txt", "A.txt"});
    if (edited) write(work / "A.txt", "other\n");
    result_ = capture(*store_, edited ? "edited" : "plain").commit;
    stop_merge_after = [](std::string_view step) { return step == GetParam(); };
    EXPECT_FALSE(run(request()).ok());
    stop_merge_after = nullptr;
    const auto recovered = recover_merge(root_ / "journal", spec_.repository, path(), home_.string());
    ASSERT_TRUE(recovered.ok()) << describe(recovered.error());
    EXPECT_EQ(git(user_, {"status", "--porcelain"}), "") << edited;
    const bool merged = git(user_, {"rev-parse", "HEAD"}) != spec_.repository.base;
    EXPECT_EQ(read(user_ / (merged ? "A.txt" : "a.txt")), merged && edited ? "other\n" : "one\ntwo\nthree\n");
    git(user_, {"reset", "-q", "--hard", spec_.repository.base});
    fs::remove_all(root_ / "journal");
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, RenameInCase, ::testing::Values("check", "go", "moved", "tree", "ref"));

}  // namespace
}  // namespace hydra::git::test
