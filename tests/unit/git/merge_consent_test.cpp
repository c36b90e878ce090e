// Consent: what a merge brings in or decides only on the user's word, and what it says when it refuses.
#include "git/guard/guard.hpp"
#include "git/merge/consent.hpp"
#include "git/place.hpp"
#include "merge_states.hpp"
#include "model/consent.hpp"

#include <gtest/gtest.h>

namespace hydra::git::test {
namespace {

using MergeConsent = MergeStates;

TEST_F(MergeConsent, LinksAreFollowedThroughEachOther) {
  sample();
  write(user_ / "d1/d2/keep", "k\n");
  fs::create_symlink("keep", user_ / "d1/d2/old");
  commit_all();
  race_with([&](const fs::path& work) {
    fs::create_symlink("../..", work / "d1/d2/s");     // the top level itself
    fs::create_symlink("d1/d2/s/../etc", work / "t");  // one above it
    fs::create_symlink(".git/hooks", work / "g");      // runs what is written there
    fs::create_symlink("../../.GIT/config", work / "d1/d2/h");
    fs::create_symlink("loop", work / "loop");
    fs::create_symlink("d1/d2/../d2/keep", work / "fine");
    fs::create_symlink("d1/d2/s/a.txt", work / "also-fine");
  });
  EXPECT_EQ(kinds(), Words{"symlinks:d1/d2/h,g,loop,t"});
}

TEST_F(MergeConsent, AnOldLinkThatANewOneBendsOutIsNamed) {
  sample();
  write(user_ / "d/s/x", "x\n");
  fs::create_symlink("d/s/../../a.txt", user_ / "t");
  commit_all();
  race_with([&](const fs::path& work) {
    fs::remove_all(work / "d/s");
    fs::create_symlink("..", work / "d/s");
  });
  EXPECT_EQ(kinds(), Words{"symlinks:t"});
}

TEST_F(MergeConsent, LinksThatMultiplyAreBounded) {
  sample();
  race_with([&](const fs::path& work) {
    fs::create_directories(work / "d");
    write(work / "d/x", "x\n");
    for (int i = 0; i < 30; ++i) {
      const auto next = i == 29 ? std::string(".") : "l" + std::to_string(i + 1);
      fs::create_symlink(next + "/" + next + "/" + next + "/" + next, work / ("l" + std::to_string(i)));
    }
  });
  const auto found = kinds();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("symlinks:l0,")) << found[0];
}

TEST_F(MergeConsent, FilesThatRunSomewhereElse) {
  sample();
  const std::pair<const char*, const char*> cases[] = {{"lefthook-local.yml", "hooks"},
                                                       {".lefthook-local.yml", "hooks"},
                                                       {".lintstagedrc", "hooks"},
                                                       {"web/.lintstagedrc.json", "hooks"},
                                                       {".vscode/tasks.json", "hooks"},
                                                       {"bitrise.yml", "ci"},
                                                       {".claude/settings.json", "agents"},
                                                       {"web/.cursor/rules/a.mdc", "agents"},
                                                       {".mcp.json", "agents"},
                                                       {"docs/AGENTS.md", "agents"},
                                                       {"hydra.toml", "agents"},
                                                       {".npmrc", "agents"},
                                                       {"buildspec.yml", "ci"},
                                                       {".github/dependabot.yml", "ci"},
                                                       {"ci/Jenkinsfile", "ci"},
                                                       {"deploy.Jenkinsfile", "ci"},
                                                       {"Jenkinsfile.release", "ci"},
                                                       {".lfsconfig", "lfs"}};
  race_with([&](const fs::path& work) {
    for (const auto& [path, kind] : cases) write(work / path, "x\n");
  });
  std::map<std::string, std::string> paths;
  for (const auto& kind : kinds())
    paths[kind.substr(0, kind.find(':'))] = "," + kind.substr(kind.find(':') + 1) + ",";
  for (const auto& [path, kind] : cases)
    EXPECT_NE(paths[kind].find("," + std::string(path) + ","), std::string::npos) << path;
}

// Consent that only the caller knows to be needed is asked for like the rest, in one refusal.
TEST_F(MergeConsent, WhatTheCallerAddsIsAskedForToo) {
  race();
  auto request = allowing({});
  request.consent.push_back({"unchecked", {"nobody looked at it"}});
  const auto refused = run(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("unchecked (nobody looked at it)"), std::string::npos);
  EXPECT_NE(refused.error().hint.find("--allow unchecked"), std::string::npos);
  request.allow = {"unchecked"};
  EXPECT_TRUE(run(request).ok());
}

TEST_F(MergeConsent, EveryKindOfTheListIsKnown) {
  for (const auto& kind : model::kConsentKinds)
    EXPECT_TRUE(check_kinds({std::string(kind.name)}).ok()) << kind.name;
}

TEST_F(MergeConsent, AnUnknownKindIsAUsageError) {
  race();
  const auto result = run(allowing({"hooks", "bogus"}));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Errc::usage);
  for (const char* word : {"bogus", "attributes", "branch", "ci", "lfs", "submodules", "symlinks"})
    EXPECT_NE(describe(result.error()).find(word), std::string::npos) << word;
}

TEST_F(MergeConsent, FilesInsideSubmodulesAreNamed) {
  race();
  auto r = request();
  r.submodules = {"sub"};
  expect_refused(r, "submodules (sub)");
  r.allow = {"submodules"};
  const auto merged = run(r);
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_NE(merged->note.find("sub"), std::string::npos);
}

TEST_F(MergeConsent, AResultInsideSubmodulesOnlyIsNotMergedAlready) {
  race();
  auto r = request();
  r.submodules = {"sub"};
  r.commit = git(user_, {"commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "result"});
  expect_refused(r, "inside submodules");
}

TEST_F(MergeConsent, ABaseThatTheBranchDoesNotHaveNeedsAWord) {
  sample();
  git(user_, {"checkout", "-q", "-b", "other"});
  write(user_ / "theirs.txt", "t\n");
  commit_all();
  git(user_, {"checkout", "-q", "main"});
  auto facts = look("other");
  ASSERT_TRUE(facts.ok()) << describe(facts.error());
  spec_ = spec_of(*facts);
  store_ = store_of(spec_);
  write(workspace(*store_) / "n.txt", "n\n");
  result_ = capture(*store_).commit;
  expect_refused(request(), "--allow branch");
  EXPECT_TRUE(run(allowing({"branch"})).ok());
  EXPECT_TRUE(fs::exists(user_ / "theirs.txt"));
}

// --- what is said ---

TEST_F(MergeConsent, ABareCloneWithWorkTreesIsNobodysCheckout) {
  sample();
  const auto project = root_ / "project";
  git(root_, {"clone", "-q", "--bare", user_.string(), (project / ".git").string()});
  git(project / ".git", {"worktree", "add", "-q", (project / "main").string(), "main"});
  user_ = project / "main";
  race_with([&](const fs::path& work) { write(work / "n.txt", "n\n"); });
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_EQ(read(user_ / "n.txt"), "n\n");
}

TEST_F(MergeConsent, ARebaseIsNamedBeforeItsDetachedHead) {
  race();
  git(user_, {"checkout", "-q", "--detach"});
  fs::create_directory(user_ / ".git/rebase-merge");
  expect_refused(request(), "a rebase is in progress");
}

TEST_F(MergeConsent, ALockOfABranchIsNamed) {
  race();
  write(user_ / ".git/refs/heads/main.lock", "somebody else's");
  expect_refused(request(), "refs/heads/main.lock");
}

// --- the repository's configuration ---

TEST(HarmlessKeys, Table) {
  const struct {
    const char* key;
    const char* value;
    bool harmless;
  } cases[] = {{"alias.co", "checkout", true},
               {"alias.co", "!sh -c id", false},
               {"alias.co", " !sh -c id", false},
               {"remote.origin.url", "git@example.org:x.git", true},
               {"remote.origin.url", "ext::sh -c id", false},
               {"remote.origin.url", "--upload-pack=id", false},
               {"remote.origin.pushurl", "https://example.org/x", true},
               {"remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*", true},
               {"remote.origin.uploadpack", "id", false},
               {"remote.origin.receivepack", "id", false},
               {"remote.origin.proxy", "http://example.org", false},
               {"remote.origin.vcs", "evil", false},
               {"remote.origin.promisor", "true", false},
               {"branch.main.remote", "origin", true},
               {"branch.main.mergeoptions", "-s evil", false},
               {"user.name", "Ada", true},
               {"gc.auto", "0", true},
               {"gc.recentobjectshook", "id", false},
               {"maintenance.auto", "false", true},
               {"core.sparsecheckout", "true", true},
               {"core.sparsecheckoutcone", "true", true},
               {"extensions.worktreeconfig", "true", true},
               {"extensions.partialclone", "origin", false},
               {"core.sshcommand", "id", false},
               {"core.hookspath", "x", false},
               {"core.fsmonitor", "id", false},
               {"core.editor", "vi", false},
               {"core.worktree", "/", false},
               {"filter.x.smudge", "id", false},
               {"include.path", "x", false},
               {"includeif.gitdir:/.path", "x", false},
               {"url.x.insteadof", "y", false},
               {"credential.helper", "id", false},
               {"protocol.ext.allow", "always", false},
               {"gpg.program", "id", false},
               // Runs nothing, whoever wrote the key.
               {"remote.origin.gh-resolved", "base", true},
               {"core.untrackedcache", "true", true},
               {"core.quotepath", "false", true},
               {"submodule.lib.active", "true", true},
               {"submodule.lib.url", "https://example.org/lib", true},
               {"lfs.https://example.org/x.access", "basic", true},
               {"lfs.repositoryformatversion", "0", true},
               {"pull.rebase", "true", true},
               {"branch.ssl-proxy.description", "std::string in the proxy", true},
               {"http.postbuffer", "1", true},
               {"http.useragent", "me", true},
               {"advice.addignoredfile", "false", true},
               {"color.pager", "never", true},
               {"pager.log", "false", true},
               {"core.fsmonitor", "true", true},
               {"somebodys.tool-of.tomorrow", "x", true},
               // Programs.
               {"pager.log", "id", false},
               {"alias.co", "-c core.editor=id checkout", false},
               {"branch.main.remote", "evil::x", false},
               {"submodule.lib.update", "!id", false},
               {"merge.tool", "evil", false},
               {"merge.x.driver", "id", false},
               {"mergetool.x.cmd", "id", false},
               {"difftool.x.path", "/tmp/id", false},
               {"diff.x.textconv", "id", false},
               {"diff.external", "id", false},
               {"sequence.editor", "id", false},
               {"trailer.x.command", "id", false},
               {"pull.twohead", "evil", false},
               {"lfs.customtransfer.x.path", "id", false},
               {"credential.https://x.helper", "id", false},
               // Paths and filters.
               {"core.attributesfile", "x", false},
               {"core.excludesfile", "x", false},
               {"init.templatedir", "x", false},
               {"filter.x.required", "true", false},
               {"core.autocrlf", "true", false},
               // Checks.
               {"http.https://x.sslverify", "false", false},
               {"transfer.fsckobjects", "false", false},
               {"receive.fsck.baddate", "ignore", false},
               {"receive.denycurrentbranch", "updateInstead", false},
               {"gpg.mintrustlevel", "never", false},
               {"core.protectntfs", "false", false},
               {"core.ignorestat", "true", false}};
  for (const auto& row : cases) EXPECT_EQ(is_harmless(row.key, row.value), row.harmless) << row.key;
}

TEST_F(MergeConsent, EverydayConfigurationIsNotedAndBlocksNothing) {
  race();
  git(user_, {"config", "alias.co", "checkout"});
  git(user_, {"remote", "add", "origin", "git@example.org:x.git"});
  git(user_, {"config", "remote.origin.gh-resolved", "base"});
  const auto merged = run(request());
  ASSERT_TRUE(merged.ok()) << describe(merged.error());
  EXPECT_NE(merged->note.find("config alias.co, config remote.origin.fetch"), std::string::npos)
      << merged->note;
  EXPECT_TRUE(merged->changed.empty());
}

TEST_F(MergeConsent, ADangerousValueBehindAHarmlessOneBlocks) {
  race();
  git(user_, {"config", "alias.co", "checkout"});
  git(user_, {"config", "--add", "alias.co", "!id"});
  expect_refused(request(), "alias.co");
}

// --- which checkout ---

TEST_F(MergeConsent, ACheckoutIsTellsApartByItsRepository) {
  sample();
  git(user_, {"worktree", "add", "-q", (user_ / "wt/inner").string(), "-b", "inner"});
  git(user_, {"worktree", "add", "-q", (root_ / "beside").string(), "-b", "beside"});
  fs::create_directories(user_ / "vendor/lib/src");
  git(user_ / "vendor/lib", {"init", "-q"});
  fs::create_directories(user_ / "dir/.git");  // no repository
  EXPECT_EQ(relation(user_, user_), Relation::same);
  EXPECT_EQ(relation(user_ / "dir", user_), Relation::same);
  EXPECT_EQ(relation(user_ / "dir/gone", user_), Relation::same);
  EXPECT_EQ(relation(user_ / "wt/inner", user_), Relation::sibling);
  EXPECT_EQ(relation(user_, user_ / "wt/inner"), Relation::sibling);
  EXPECT_EQ(relation(root_ / "beside", user_ / "wt/inner"), Relation::sibling);
  EXPECT_EQ(relation(user_ / "vendor/lib/src", user_), Relation::elsewhere);
  EXPECT_EQ(relation(root_, user_), Relation::elsewhere);
  fs::create_directory_symlink(user_, root_ / "link");
  EXPECT_EQ(relation(root_ / "link/dir", user_), Relation::same);
}

}  // namespace
}  // namespace hydra::git::test
