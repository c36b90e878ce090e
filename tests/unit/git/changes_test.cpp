#include "fixture.hpp"

#include <algorithm>
#include <map>

namespace hydra::git::test {
namespace {

class ChangesTest : public GitTest {
 protected:
  std::map<std::string, char> statuses(const Store& made, const std::string& commit) const {
    const auto found = made.changes(commit);
    EXPECT_TRUE(found.ok());
    std::map<std::string, char> by_path;
    for (const auto& change : *found) by_path[change.path] = change.status;
    return by_path;
  }
};

TEST_F(ChangesTest, ARenameIsADeletionAndAnAddition) {
  sample();
  const Store made = store();
  const auto work = workspace(made);
  fs::rename(work / "a.txt", work / "renamed.txt");
  write(work / "new.txt", "n\n");
  const auto result = capture(made);
  EXPECT_EQ(statuses(made, result.commit),
            (std::map<std::string, char>{{"a.txt", 'D'}, {"renamed.txt", 'A'}, {"new.txt", 'A'}}));
  EXPECT_TRUE(statuses(made, spec_.repository.base).empty());
}

// The changed paths have what a whole checkout of the commit has, and the index agrees with them.
TEST_F(ChangesTest, ContentIsWhatACheckoutGives) {
  sample();
  write(user_ / ".gitattributes", "*.win text eol=crlf\n");
  commit_all();
  const Store made = store();
  const auto work = workspace(made);
  write(work / "f.win", "one\r\ntwo\r\n");
  write(work / "dir/deep/x", "x\n");
  fs::remove(work / "run.sh");
  fs::create_directories(work / "run.sh");
  write(work / "run.sh/inside", "a file became a directory\n");
  fs::create_symlink("a.txt", work / "to a");
  const auto result = capture(made);
  const fs::path base = root_ / "base", whole = root_ / "whole";
  ASSERT_TRUE(made.checkout(base, spec_.repository.base, {}).ok());
  ASSERT_TRUE(made.checkout(whole, result.commit, {}).ok());
  const auto changes = made.changes(result.commit);
  ASSERT_TRUE(changes.ok());
  const auto done = made.materialise(*changes, root_ / "files", base / ".git/index", root_ / "index");
  ASSERT_TRUE(done.ok()) << describe(done.error());
  for (const auto& change : *changes) {
    if (change.status == 'D') continue;
    if (fs::is_symlink(whole / change.path)) {
      EXPECT_EQ(fs::read_symlink(root_ / "files" / change.path), fs::read_symlink(whole / change.path));
      continue;
    }
    EXPECT_EQ(read(root_ / "files" / change.path), read(whole / change.path)) << change.path;
  }
  EXPECT_EQ(read(root_ / "files/f.win"), "one\r\ntwo\r\n");
  fs::copy_file(root_ / "index", whole / ".git/index", fs::copy_options::overwrite_existing);
  EXPECT_EQ(git(whole, {"status", "--porcelain"}), "");
}

// Without attributes a file is what is stored: then it is written in the process, but for odd names.
class StoredTest : public ChangesTest, public ::testing::WithParamInterface<bool> {};

TEST_P(StoredTest, ContentWithoutConversionIsWhatACheckoutGives) {
  const bool odd = GetParam();
  sample();
  write(user_ / "kept/one", "1\n");
  write(user_ / "gone/one", "1\n");
  commit_all();
  const Store made = store();
  const auto work = workspace(made);
  write(work / ".gitattributes", "*.txt text eol=crlf\n");  // an agent's own decides nothing
  write(work / "a.txt", "one\ntwo\r\n");
  write(work / "kept/two/three", "x\n");
  write(work / (odd ? "na\xc3\xafve \n name" : "plain name"), "x\n");
  fs::remove(work / "run.sh");
  write(work / "run.sh/inside", "a file became a directory\n");
  fs::remove_all(work / "gone");
  fs::create_symlink("a.txt", work / "gone");
  write(work / "program", "#!/bin/sh\n");
  fs::permissions(work / "program", fs::perms(0755));
  const auto result = capture(made);
  const auto at = root_ / "compared";
  ASSERT_TRUE(made.checkout(at / "base", spec_.repository.base, {}).ok());
  ASSERT_TRUE(made.checkout(at / "whole", result.commit, {}).ok());
  const auto changes = made.changes(result.commit);
  ASSERT_TRUE(changes.ok());
  ASSERT_TRUE(made.materialise(*changes, at / "files", at / "base/.git/index", at / "index").ok());
  for (const auto& change : *changes) {
    const auto file = at / "files" / change.path, truth = at / "whole" / change.path;
    if (change.status == 'D') continue;
    ASSERT_EQ(fs::is_symlink(file), fs::is_symlink(truth)) << change.path;
    if (fs::is_symlink(truth))
      EXPECT_EQ(fs::read_symlink(file), fs::read_symlink(truth));
    else
      EXPECT_EQ(read(file), read(truth)) << change.path;
  }
  const auto entries = [&] { return git(at / "whole", {"ls-files", "-s", "-z"}); };
  const auto truth = entries();
  fs::copy_file(at / "index", at / "whole/.git/index", fs::copy_options::overwrite_existing);
  EXPECT_EQ(entries(), truth);
  EXPECT_EQ(git(at / "whole", {"status", "--porcelain"}), "");
}
INSTANTIATE_TEST_SUITE_P(Names, StoredTest, ::testing::Bool());

TEST_F(ChangesTest, IgnoredMeansByTheBasesRules) {
  sample();
  write(user_ / ".gitignore", "node_modules/\n*.pyc\n");
  commit_all();
  const Store made = store();
  const auto ignored = made.ignored_by_base({"node_modules/jest/x.js", "src/x.pyc", "src/x.py", "a\nb.pyc"});
  ASSERT_TRUE(ignored.ok()) << describe(ignored.error());
  EXPECT_EQ(*ignored, (std::vector<std::string>{"node_modules/jest/x.js", "src/x.pyc", "a\nb.pyc"}));
  const auto paths = made.base_paths();
  ASSERT_TRUE(paths.ok());
  EXPECT_TRUE(std::binary_search(paths->begin(), paths->end(), ".gitignore"));
}

}  // namespace
}  // namespace hydra::git::test
