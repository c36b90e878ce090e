// Paths that a capture leaves out, and what it says of them: ignore rules, litter, what is no file.
#include "base/fd.hpp"
#include "capture_fixture.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace hydra::git::test {
namespace {

TEST_F(CaptureTest, AgentIgnoreRulesDoNotHideFiles) {
  start();
  write(work_ / ".gitignore", "*\n");
  write(work_ / "secret.txt", "s\n");
  write(work_ / ".git/info/exclude", "*\n");
  EXPECT_EQ(content_of(take(), "secret.txt"), "s\n");
}

TEST_F(CaptureTest, GeneratedDirectoriesAreLeftOutByTheAgentsRules) {
  start();
  write(work_ / ".gitignore", "build/\n*.log\n.env\nnode_modules/\nhidden/\n");
  write(work_ / "node_modules/pkg/index.js", "12345");
  write(work_ / "node_modules/pkg/forced.js", "f");
  write(work_ / "hidden/file", "h\n");
  write(work_ / ".pytest_cache/.gitignore", "*\n");
  write(work_ / ".pytest_cache/v", "1");
  write(work_ / "vendor/lib.c", "not ignored\n");
  git(work_, {"add", "-f", "node_modules/pkg/forced.js"});
  const auto c = take();
  const auto all = "\n" + names_of(c) + "\n";
  EXPECT_EQ(all.find("index.js"), std::string::npos);
  EXPECT_EQ(all.find(".pytest_cache"), std::string::npos);
  EXPECT_NE(all.find("\nnode_modules/pkg/forced.js\n"), std::string::npos);
  EXPECT_NE(all.find("\nhidden/file\n"), std::string::npos);
  EXPECT_NE(all.find("\nvendor/lib.c\n"), std::string::npos);
  ASSERT_NE(row(c, ".pytest_cache/"), nullptr);
  ASSERT_NE(row(c, "node_modules/pkg/index.js"), nullptr);
  EXPECT_EQ(row(c, "node_modules/pkg/index.js")->bytes, 5u);
  EXPECT_EQ(row(c, ".pytest_cache/")->reason, model::LeftReason::ignored_by_own);
}

TEST_F(CaptureTest, BaseIgnoresAreListedAsDirectories) {
  start();
  write(work_ / "build/x/y.o", "123");
  write(work_ / "build/z.o", "4567");
  write(work_ / "dir/a.log", "l");
  const auto c = take();
  EXPECT_FALSE(c.changed);
  ASSERT_EQ(c.left_out.size(), 2u);
  ASSERT_NE(row(c, "build/"), nullptr);
  EXPECT_EQ(row(c, "build/")->bytes, 7u);
  EXPECT_EQ(row(c, "build/")->reason, model::LeftReason::ignored);
  EXPECT_NE(row(c, "dir/a.log"), nullptr);
}

// Copies may hold keys: none is in a result, and those that were changed are named.
TEST_F(CaptureTest, CopiedFilesThatNobodyTouchedAreNotNamed) {
  sample();
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  spec_ = spec_of(*facts);
  spec_.config.workspace.copy = {".env", "local.txt"};
  store_ = store_of(spec_);
  work_ = workspace(*store_);
  for (const auto& directory : {user_, work_}) {
    write(directory / ".env", "KEY\n");
    write(directory / "local.txt", "mine\n");
  }
  const auto same = take();
  EXPECT_FALSE(same.changed);
  EXPECT_TRUE(same.left_out.empty());
  write(work_ / ".env", "other\n");
  write(work_ / "local.txt", "theirs\n");
  const auto touched = take();
  EXPECT_FALSE(touched.changed);
  ASSERT_EQ(touched.left_out.size(), 2u);
  EXPECT_EQ(row(touched, ".env")->reason, model::LeftReason::ignored);
  EXPECT_EQ(row(touched, "local.txt")->reason, model::LeftReason::copied);
}

TEST_F(CaptureTest, LitterIsLeftOutButTrackedFilesNever) {
  start();
  write(work_ / ".aider.chat", "x");
  write(work_ / ".tool/state/a", "x");
  write(work_ / "a.txt", "changed\n");
  const auto c = take({".aider*", ".tool/state/", "a.txt"});
  EXPECT_EQ(names_of(c), kBase);
  EXPECT_TRUE(c.changed);
  EXPECT_NE(row(c, ".aider.chat"), nullptr);
}

TEST_F(CaptureTest, SpecialFilesAreListed) {
  start();
  ASSERT_EQ(::mkfifo((work_ / "fifo").c_str(), 0600), 0);
  fs::remove(work_ / "a.txt");
  ASSERT_EQ(::mkfifo((work_ / "a.txt").c_str(), 0600), 0);
  const auto c = take();
  ASSERT_NE(row(c, "fifo"), nullptr);
  EXPECT_EQ(row(c, "fifo")->reason, model::LeftReason::no_file);
  EXPECT_EQ(names_of(c), ".gitignore\ndir/b.txt\ndir/c.txt\nlink\nrun.sh");
}

// Longer than any call takes a path: what an installer that calls itself leaves.
TEST_F(CaptureTest, DirectoriesThatAreNestedTooDeeplyAreListedAndTheRestIsTaken) {
  start();
  write(work_ / "ok", "x\n");
  const std::string name(200, 'd');
  UniqueFd at(::open(work_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(::mkdirat(at.get(), name.c_str(), 0700), 0);
    at = UniqueFd(::openat(at.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(at);
  }
  ASSERT_TRUE(UniqueFd(::openat(at.get(), "x", O_CREAT | O_WRONLY | O_CLOEXEC, 0600)));
  const auto c = take();
  EXPECT_EQ(content_of(c, "ok"), "x\n");
  ASSERT_EQ(c.left_out.size(), 1U);
  EXPECT_EQ(c.left_out[0].reason, model::LeftReason::too_deep);
  EXPECT_LT(c.left_out[0].path.size(), 4096U);
}

TEST_F(CaptureTest, NamesThatGitRefusesAreReported) {
  start();
  write(work_ / ".GIT/config", "x");
  write(work_ / "ok", "x\n");
  const auto c = take();
  EXPECT_EQ(content_of(c, "ok"), "x\n");
  EXPECT_NE(row(c, ".GIT/config"), nullptr);
  EXPECT_FALSE(c.warnings.empty());
}

TEST_F(CaptureTest, NewIgnoreRulesThatHideFilesAreFlagged) {
  start();
  write(work_ / ".gitignore", "build/\n*.log\n.env\n*\n");
  write(work_ / "new.txt", "n\n");
  const auto hidden = take();
  EXPECT_TRUE(has(hidden.flags, "ignore_rules_hide_files:.gitignore")) << joined(hidden.flags);
  EXPECT_EQ(content_of(hidden, "new.txt"), "n\n");
  ASSERT_FALSE(hidden.warnings.empty());
  EXPECT_NE(hidden.warnings[0].find("hide files of the result"), std::string::npos) << hidden.warnings[0];
  // Rules of the base, and such that name nothing, hide nothing.
  write(work_ / ".gitignore", "build/\n*.log\n.env\nnever-there/\n!a.txt\n");
  const auto harmless = take();
  EXPECT_TRUE(harmless.flags.empty()) << joined(harmless.flags);
}

}  // namespace
}  // namespace hydra::git::test
