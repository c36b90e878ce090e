#include "fixture.hpp"
#include "support/machine.hpp"

#include <unistd.h>

namespace hydra::git::test {
namespace {

class InspectTest : public GitTest {
 protected:
  void expect_refused(const std::string& word, const std::string& ref = {}) {
    const auto facts = look(ref);
    ASSERT_FALSE(facts.ok());
    EXPECT_EQ(facts.error().code, Errc::refused) << describe(facts.error());
    EXPECT_NE(describe(facts.error()).find(word), std::string::npos) << describe(facts.error());
    EXPECT_FALSE(facts.error().hint.empty());
  }
  /// Workspace, capture, publish and merge in whatever repository this is.
  void whole_path() {
    const Store made = store();
    const auto work = workspace(made);
    write(work / "a.txt", "one\n2\nthree\n");
    write(work / "hydra-new", "n\n");
    const auto result = capture(made);
    EXPECT_EQ(result.diff.files_changed, 2);
    ASSERT_TRUE(made.checkout(root_ / "check", result.commit, {}).ok());
    EXPECT_EQ(read(root_ / "check/hydra-new"), "n\n");
    const auto branches = made.publish({{"hydra/codex-1", result.commit}});
    ASSERT_TRUE(branches.front().ok()) << describe(branches.front().error());
    EXPECT_EQ(git(user_, {"rev-parse", "hydra/codex-1"}), result.commit);
    if (spec_.repository.head_ref.empty()) return;
    MergeRequest request;
    request.journal = root_ / "journal";
    request.commit = result.commit;
    request.message = "m\n";
    const auto merged = merge(made, spec_, request);
    ASSERT_TRUE(merged.ok()) << describe(merged.error());
    EXPECT_EQ(read(user_ / "hydra-new"), "n\n");
    EXPECT_EQ(git(user_, {"status", "--porcelain", "--untracked-files=no"}), "");
  }
};

TEST_F(InspectTest, AFreshHydraTomlIsNoUncommittedPath) {
  sample();
  write(user_ / "hydra.toml", "");
  write(user_ / "sub/hydra.toml", "");
  write(user_ / "dir/hydra.toml", "");
  EXPECT_EQ(look()->dirty, std::vector<std::string>{"sub/"}) << "a directory is told as a whole";
  fs::remove_all(user_ / "sub");
  EXPECT_TRUE(look()->dirty.empty());
  commit_all();
  write(user_ / "hydra.toml", "changed = 1\n");
  EXPECT_EQ(look()->dirty, std::vector<std::string>{"hydra.toml"})
      << "one that is in the base is not this run's";
}

TEST_F(InspectTest, TheOriginIsKnownWithoutItsPassword) {
  sample();
  EXPECT_EQ(look()->origin, "");
  git(user_, {"remote", "add", "origin", "https://me:secret@example.org/team/app.git"});
  const auto facts = look();
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->origin, "https://example.org/team/app.git");
  const auto made = workspace(store_of(spec_of(*facts)));
  EXPECT_EQ(git(made, {"remote", "get-url", "origin"}), "https://example.org/team/app.git");
  EXPECT_NE(try_git(made, {"push", "origin", "HEAD:x"}).exit_code, 0);
  EXPECT_EQ(git(made, {"remote", "get-url", "--push", "origin"}), "no-push-from-a-race");
  for (const auto& [url, shown] : {std::pair{"git@example.org:a/b.git", "git@example.org:a/b.git"},
                                   {"ssh://git@example.org/a", "ssh://git@example.org/a"},
                                   {"ssh://git:pw@example.org/a", "ssh://example.org/a"},
                                   {"ext::sh -c id", ""}}) {
    git(user_, {"config", "remote.origin.url", url});
    EXPECT_EQ(look()->origin, shown) << url;
  }
}

TEST_F(InspectTest, Facts) {
  sample();
  write(user_ / "dir/b.txt", "dirty\n");
  write(user_ / "untracked", "u\n");
  auto facts = look();
  ASSERT_TRUE(facts.ok()) << describe(facts.error());
  EXPECT_EQ(facts->root, user_.string());
  EXPECT_EQ(facts->git_dir, (user_ / ".git").string());
  EXPECT_EQ(facts->common_dir, facts->git_dir);
  EXPECT_EQ(facts->object_format, "sha1");
  EXPECT_EQ(facts->base, git(user_, {"rev-parse", "HEAD"}));
  EXPECT_EQ(facts->base_tree, git(user_, {"rev-parse", "HEAD^{tree}"}));
  EXPECT_EQ(facts->head, facts->base);
  EXPECT_EQ(facts->head_ref, "refs/heads/main");
  EXPECT_EQ(facts->user_name, "Ada Test");
  EXPECT_EQ(facts->user_email, "ada@example.org");
  EXPECT_EQ(facts->file_count, 6u);
  EXPECT_EQ(facts->dirty, (std::vector<std::string>{"dir/b.txt", "untracked"}));
  EXPECT_FALSE(facts->shallow || facts->partial || facts->sparse || facts->has_submodules ||
               facts->included_dirty);
  user_ = user_ / "dir";
  EXPECT_EQ(look()->subdirectory, "dir");
}

TEST_F(InspectTest, NotARepository) {
  fs::create_directories(user_);
  expect_refused("not a git repository");
}

TEST_F(InspectTest, BareRepository) {
  init({"--bare"});
  expect_refused("bare");
}

TEST_F(InspectTest, InsideGitDirectory) {
  sample();
  user_ = user_ / ".git";
  expect_refused("checkout");
}

TEST_F(InspectTest, NoCommit) {
  init();
  expect_refused("first commit");
}

TEST_F(InspectTest, UnknownRef) {
  sample();
  expect_refused("nope", "nope");
  EXPECT_FALSE(look("--all").ok());
  EXPECT_FALSE(look("a\nb").ok());
  EXPECT_FALSE(look("HEAD:a.txt").ok());
  EXPECT_EQ(look("v1")->base, git(user_, {"rev-parse", "HEAD"}));
}

TEST_F(InspectTest, BranchNamedHydra) {
  sample();
  git(user_, {"branch", "hydra"});
  expect_refused("hydra");
}

TEST_F(InspectTest, MissingDirectory) { expect_refused("directory"); }

TEST_F(InspectTest, IdentityFallsBack) {
  sample();
  write(home_ / ".gitconfig", "");
  auto facts = look();
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->user_name, "Hydra");
  EXPECT_EQ(facts->user_email, "hydra@localhost");
}

TEST_F(InspectTest, ConversionIsFrozenWithoutCredentials) {
  sample();
  git(user_, {"config", "filter.lfs.clean", "git-lfs clean -- %f"});
  git(user_, {"config", "lfs.url", "https://user:secret@example.org/x"});
  git(user_, {"config", "alias.x", "!echo"});
  git(user_, {"config", "core.hooksPath", "/tmp/x"});
  const auto facts = look();
  ASSERT_TRUE(facts.ok());
  ASSERT_EQ(facts->conversion.size(), 1u);
  EXPECT_EQ(facts->conversion[0].second, "git-lfs clean -- %f");
}

TEST_F(InspectTest, IncludeDirty) {
  sample();
  write(user_ / "a.txt", "dirty\n");
  write(user_ / "untracked", "u\n");
  write(user_ / "x.log", "ignored\n");
  fs::remove(user_ / "dir/b.txt");
  const std::string before = fingerprint();
  auto facts = look({}, true);
  ASSERT_TRUE(facts.ok()) << describe(facts.error());
  EXPECT_EQ(fingerprint(), before);
  EXPECT_TRUE(facts->included_dirty);
  EXPECT_EQ(git(user_, {"rev-parse", facts->base + "^"}), facts->head);
  EXPECT_EQ(git(user_, {"ls-tree", "-r", "--name-only", facts->base}),
            ".gitignore\na.txt\ndir/c.txt\nlink\nrun.sh\nuntracked");
  spec_ = spec_of(*facts);
  const auto work = workspace(store_of(spec_));
  EXPECT_EQ(read(work / "a.txt"), "dirty\n");
}

TEST_F(InspectTest, IncludeDirtyOfACleanCheckoutIsHead) {
  sample();
  auto facts = look({}, true);
  ASSERT_TRUE(facts.ok());
  EXPECT_FALSE(facts->included_dirty);
  EXPECT_EQ(facts->base, facts->head);
}

TEST_F(InspectTest, PathsWithEverything) {
  for (const char* name :
       {"with space", "quo\"te", "\xC3\xBCml\xC3\xA4ut", "\"leading", "#hash", "new\nline"}) {
    user_ = root_ / name;
    sample();
    whole_path();
    (void)remove_tree(root_ / "store-race1");
    (void)remove_tree(root_ / "work");
    (void)remove_tree(root_ / "check");
    (void)remove_tree(root_ / "journal");
  }
}

TEST_F(InspectTest, Sha256) {
  init({"--object-format=sha256"});
  write(user_ / "a.txt", "one\ntwo\nthree\n");
  commit_all();
  whole_path();
  EXPECT_EQ(spec_.repository.object_format, "sha256");
}

TEST_F(InspectTest, Shallow) {
  sample();
  write(user_ / "more", "m\n");
  commit_all();
  git(root_, {"clone", "-q", "--depth=1", "file://" + user_.string(), "shallow"});
  user_ = root_ / "shallow";
  whole_path();
  EXPECT_TRUE(spec_.repository.shallow);
}

TEST_F(InspectTest, Sparse) {
  sample();
  git(user_, {"sparse-checkout", "set", "--no-cone", "/a.txt", "/hydra-new"});
  ASSERT_FALSE(fs::exists(user_ / "dir/b.txt"));
  whole_path();
  EXPECT_TRUE(spec_.repository.sparse);
  EXPECT_TRUE(fs::exists(root_ / "check/dir/b.txt"));
  EXPECT_FALSE(fs::exists(user_ / "dir/b.txt"));
}

TEST_F(InspectTest, LinkedWorktree) {
  sample();
  git(user_, {"worktree", "add", "-q", "-b", "feature", (root_ / "wt").string()});
  user_ = root_ / "wt";
  whole_path();
  EXPECT_EQ(spec_.repository.head_ref, "refs/heads/feature");
  EXPECT_NE(spec_.repository.git_dir, spec_.repository.common_dir);
}

TEST_F(InspectTest, Detached) {
  sample();
  git(user_, {"checkout", "-q", "--detach"});
  whole_path();
  EXPECT_EQ(spec_.repository.head_ref, "");
}

TEST_F(InspectTest, OwnedBySomebodyElse) {
  HYDRA_NEEDS(machine::Ability::other_users);
  sample();
  shell(root_, "chown -R 12345 user");
  expect_refused("another user");
  git(root_, {"config", "--global", "safe.directory", user_.string()});
  whole_path();
  EXPECT_TRUE(spec_.repository.safe_directory);
}

TEST_F(InspectTest, AlternatesOfTheUser) {
  sample();
  git(root_, {"clone", "-q", "--shared", user_.string(), "borrower"});
  const auto lender = user_;
  user_ = root_ / "borrower";
  whole_path();
  EXPECT_EQ(spec_.repository.alternates, std::vector<std::string>{(lender / ".git/objects").string()});
}

TEST_F(InspectTest, PartialCloneFetchesTheBaseFirst) {
  sample();
  git(user_, {"config", "uploadpack.allowFilter", "true"});
  git(user_, {"config", "uploadpack.allowAnySHA1InWant", "true"});
  git(root_, {"clone", "-q", "--filter=blob:none", "--no-checkout", "file://" + user_.string(), "partial"});
  const auto origin = user_;
  user_ = root_ / "partial";
  git(user_, {"reset", "-q"});
  {
    fs::rename(origin, root_ / "gone");
    const auto facts = look();
    ASSERT_FALSE(facts.ok());
    EXPECT_EQ(facts.error().code, Errc::refused);
    EXPECT_NE(facts.error().message.find("partial"), std::string::npos);
    fs::rename(root_ / "gone", origin);
  }
  const Store made = store();
  EXPECT_TRUE(spec_.repository.partial);
  fs::rename(origin, root_ / "gone");
  const auto work = workspace(made);
  write(work / "a.txt", "x\n");
  const auto result = capture(made);
  EXPECT_TRUE(made.publish({{"hydra/c-1", result.commit}}).front().ok());
  git(work, {"commit", "-qam", "x"});
}

}  // namespace
}  // namespace hydra::git::test
