#include "trees/changes.hpp"

#include "../git/fixture.hpp"

namespace hydra::trees {
namespace {

class PlanTest : public git::test::GitTest {
 protected:
  std::vector<std::string> share_;

  [[nodiscard]] Result<ChangePlan> plan_of(const git::Store& made, const std::string& commit) const {
    HYDRA_TRY(auto changes, made.changes(commit));
    HYDRA_TRY(auto paths, made.base_paths());
    return plan_changes(made, spec_, std::move(changes), BaseTree(std::move(paths)));
  }

  /// Returns what a candidate that commits the work of `script`, with force, would have applied.
  ChangePlan plan(const std::string& script) {
    const auto made = store();
    spec_.config.workspace.share = share_;
    const auto work = root_ / "candidate";
    git(user_, {"worktree", "add", "-q", "-b", "candidate", work.string()});
    shell(work, script);
    git(work, {"add", "-A", "-f"});
    git(work, {"commit", "-q", "--allow-empty", "-m", "candidate"});
    auto planned = plan_of(made, git(work, {"rev-parse", "HEAD"}));
    EXPECT_TRUE(planned.ok()) << describe(planned.error());
    return planned.ok() ? *planned : ChangePlan{};
  }
  static std::vector<std::string> applied(const ChangePlan& plan) {
    std::vector<std::string> paths;
    for (const auto& change : plan.apply) paths.push_back(std::string(1, change.status) + " " + change.path);
    return paths;
  }
};

using Paths = std::vector<std::string>;

TEST_F(PlanTest, TheBaseItselfHasNothingToApply) {
  sample();
  const auto made = store();
  const auto planned = plan_of(made, spec_.repository.base);
  ASSERT_TRUE(planned.ok());
  EXPECT_TRUE(planned->apply.empty());
  EXPECT_FALSE(planned->cold || planned->setup);
}

TEST_F(PlanTest, HonestChangesAreApplied) {
  sample();
  const auto p = plan("echo x >> a.txt; echo new > new.txt");
  EXPECT_EQ(applied(p), (Paths{"M a.txt", "A new.txt"}));
  EXPECT_FALSE(p.cold || p.setup);
  EXPECT_TRUE(p.left_out.empty());
}

TEST_F(PlanTest, ForcedPathsAreLeftOutAndNamed) {
  sample();
  const auto p = plan(
      "mkdir -p build node_modules/jest; echo 1 > build/out; echo 2 > node_modules/jest/index.js; echo 3 > "
      "x.log; "
      "echo 4 > sitecustomize.py; echo 5 > ok.py");
  EXPECT_EQ(applied(p), (Paths{"A ok.py"}));
  ASSERT_EQ(p.left_out.size(), 4u);
  for (const auto* path : {"build/out", "node_modules/jest/index.js", "x.log", "sitecustomize.py"})
    EXPECT_EQ(
        std::count_if(p.left_out.begin(), p.left_out.end(),
                      [&](const LeftOutPath& entry) { return entry.path == path && !entry.reason.empty(); }),
        1)
        << path;
}

TEST_F(PlanTest, TheCandidatesOwnIgnoreRulesDecideNothing) {
  sample();
  const auto p = plan("echo 'new.txt' > .gitignore; echo x > new.txt; mkdir build; echo x > build/f");
  EXPECT_EQ(applied(p), (Paths{"M .gitignore", "A new.txt"}));
}

TEST_F(PlanTest, WhatTheBaseTracksIsNeverCovered) {
  init();
  write(user_ / ".gitignore", "*.log\n");
  write(user_ / "kept.log", "1\n");
  git(user_, {"add", "-f", "kept.log"});
  commit_all();
  const auto p = plan("echo 2 > kept.log; echo 3 > other.log");
  EXPECT_EQ(applied(p), (Paths{"M kept.log"}));
}

TEST_F(PlanTest, ARenameIsCold) {
  sample();
  const auto p = plan("git mv dir moved");
  EXPECT_TRUE(p.cold);
  EXPECT_FALSE(p.reasons.empty());
  EXPECT_EQ(p.apply.size(), 4u);
}

TEST_F(PlanTest, AManifestMeansSetUpAgain) {
  sample();
  write(user_ / "package-lock.json", "{}\n");
  commit_all();
  const auto p = plan("echo '{ }' > package-lock.json");
  EXPECT_TRUE(p.setup);
  EXPECT_FALSE(p.cold);
}

TEST_F(PlanTest, ALinkOverTheDirectoryAboveASharedOne) {
  sample();
  write(user_ / "packages/p/index.js", "1\n");
  write(user_ / "evil/deps/x.js", "1\n");
  commit_all();
  write(user_ / "packages/p/deps/x.js", "installed\n");
  share_ = {"**/deps"};
  const auto p = plan("rm -rf packages/p; ln -s ../evil packages/p");
  EXPECT_TRUE(p.cold);
  // The link itself decides what stands at packages/p/deps: it stays out wherever that directory is known.
  const auto paths = applied(p);
  EXPECT_EQ(std::count(paths.begin(), paths.end(), "A packages/p"), 0);
}

}  // namespace
}  // namespace hydra::trees
