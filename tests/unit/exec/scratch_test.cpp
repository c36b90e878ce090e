// Trees on the nodes' own disks: the nodes do not have the place where the daemon keeps them.
#include "exec/scratch.hpp"

#include "base/strings.hpp"
#include "job_harness.hpp"

#include <algorithm>
#include <signal.h>
#include <sys/stat.h>

namespace hydra::exec::test {
namespace {

std::pair<ino_t, std::int64_t> stamp(const fs::path& path) {
  struct stat s {};
  EXPECT_EQ(::lstat(path.c_str(), &s), 0) << path;
  return {s.st_ino, s.st_ctim.tv_sec * 1'000'000'000 + s.st_ctim.tv_nsec};
}

class OnScratch : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    HYDRA_SKIP_LACKING(lack_for(GetParam()));
    if (IsSkipped() || HasFatalFailure()) return;
    owned = std::make_unique<Jobs>(GetParam());
    static int trees = 0;
    tree = slurm_backend().hidden() / ("tree-" + std::to_string(++trees));
    fs::create_directories(tree / "source");
    spill(tree / "source/kept", "kept\n");
    spill(tree / "edited", "one\n");
    fs::create_directory(scratch());
  }
  [[nodiscard]] fs::path scratch() const { return owned->dir.path / "scratch"; }
  [[nodiscard]] JobSpec shell(const std::string& script) const {
    auto spec = owned->shell(GetParam(), script);
    spec.sandbox.binds.back() = {tree, tree, true, false};
    // The nodes share work(): the tests exchange files with their jobs in it.
    spec.sandbox.binds.push_back({owned->work(), owned->work(), true, false});
    spec.workdir = spec.tree = tree;
    spec.cluster->scratch = scratch();
    return spec;
  }
  std::unique_ptr<Jobs> owned;
  fs::path tree;
};

TEST_P(OnScratch, C22_TheTreeTravelsAndOnlyWhatChangedComesBack) {
  fs::create_directories(tree / "removed/inner");
  spill(tree / "removed/inner/file", "");
  fs::create_directory(tree / "turns");
  spill(tree / "turns/file", "");
  fs::create_symlink("source", tree / "link");
  const auto kept = stamp(tree / "source/kept");
  const auto spec = shell(
      "set -e; grep -q kept source/kept; echo two >> edited; echo new > new; rm -r removed; rm -r turns; "
      "ln -s source turns; mkdir -p deep/er; echo x > 'deep/er/a \\ file'; chmod 755 edited; mv link "
      "renamed");
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "exited") << result.message;
  EXPECT_EQ(result.code, 0) << owned->err(spec, result);
  EXPECT_EQ(slurp(tree / "edited"), "one\ntwo\n");
  EXPECT_NE(fs::status(tree / "edited").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(slurp(tree / "new"), "new\n");
  EXPECT_EQ(slurp(tree / "deep/er/a \\ file"), "x\n");
  EXPECT_FALSE(fs::exists(tree / "removed"));
  EXPECT_TRUE(fs::is_symlink(tree / "turns"));
  EXPECT_TRUE(fs::is_symlink(tree / "renamed"));
  EXPECT_FALSE(fs::is_symlink(tree / "link"));
  EXPECT_EQ(slurp(tree / "source/kept"), "kept\n") << "nothing went through a link";
  EXPECT_EQ(stamp(tree / "source/kept"), kept) << "what did not change is not touched";
  EXPECT_TRUE(fs::is_empty(scratch())) << "nothing is left on the node";
  for (const char* file : {"tree.tar", "back.tar"}) EXPECT_FALSE(fs::exists(spec.attempt_dir / file)) << file;
}

TEST_P(OnScratch, C22_WhatALostAttemptDidIsNotInTheTreeOfTheNext) {
  auto first =
      shell("echo half > half; echo run > '" + (owned->work() / "runs").string() + "'; exec sleep 600");
  ASSERT_TRUE(owned->submit(first).ok());
  owned->until(first.key, [&] { return fs::exists(owned->work() / "runs"); });
  Started started;
  ASSERT_EQ(read_started(first.attempt_dir, first.token, started), FileState::good);
  ::kill(started.pid, SIGKILL);
  EXPECT_EQ(name(owned->wait(first.key).end), "lost");
  const auto second = shell("test ! -e half && echo whole > whole");
  const auto result = owned->run(second);
  EXPECT_EQ(result.code, 0) << result.message;
  EXPECT_EQ(slurp(tree / "whole"), "whole\n");
  EXPECT_FALSE(fs::exists(tree / "half"));
}

TEST_P(OnScratch, C9_AnotherDaemonTakesTheTreeBack) {
  const auto spec = shell("echo done > done; echo run >> '" + (owned->work() / "runs").string() +
                          "'; while [ ! -e '" + (owned->work() / "go").string() + "' ]; do sleep 0.05; done");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return fs::exists(owned->work() / "runs"); });
  owned->executor.reset();
  spill(owned->work() / "go", "");
  auto waits = shell("true");  // only for the loop
  owned->until(waits.key, [&] { return fs::exists(spec.attempt_dir / "result.json"); });
  EXPECT_FALSE(fs::exists(tree / "done"));
  owned->executor = owned->another(GetParam());
  ASSERT_TRUE(owned->submit(spec).ok());
  EXPECT_EQ(name(owned->wait(spec.key).end), "exited");
  EXPECT_EQ(slurp(tree / "done"), "done\n");
  EXPECT_EQ(slurp(owned->work() / "runs"), "run\n");
}

TEST_P(OnScratch, C18_AFullScratchIsNamedWithItsRemedy) {
  spill(tree / "large", std::string(2u << 20, 'x'));
  auto spec = shell("true");
  spec.cluster->scratch = slurm_backend().hidden();  // of one MiB there
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find("is full; free it, or set [execution] scratch"), std::string::npos)
      << result.message;
  EXPECT_NE(result.message.find("on node n"), std::string::npos) << result.message;
}

TEST_P(OnScratch, C18_AScratchThatIsNotThereIsNamedWithItsRemedy) {
  auto spec = shell("true");
  spec.cluster->scratch = scratch() / "none";
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find("make it writable on every node"), std::string::npos) << result.message;
}

TEST_P(OnScratch, WhatAKilledSupervisorLeftThereIsRemovedByTheNext) {
  const auto left = scratch() / "hydra-of-a-dead-one";
  fs::create_directories(left / "tree");
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(1));
  const auto result = owned->run(shell("true"));
  EXPECT_EQ(name(result.end), "exited") << result.message;
  EXPECT_FALSE(fs::exists(left));
}

INSTANTIATE_TEST_SUITE_P(Isolations, OnScratch,
                         testing::Values(Variant::on_slurm(Isolation::bwrap),
                                         Variant::on_slurm(Isolation::podman),
                                         Variant::on_slurm(Isolation::docker)),
                         variant_name);

TEST(Scratch, WithoutASandboxTheTreeStaysWhereItIs) {
  JobSpec spec;
  spec.cluster = ClusterRequest{};
  spec.cluster->scratch = "/scratch";
  spec.tree = "/tree";
  EXPECT_FALSE(travels(spec));
  spec.sandbox.isolation = Isolation::bwrap;
  EXPECT_TRUE(travels(spec));
}

// A job of before made a link where the list of this one has a directory: as after a cut-off take-over.
TEST(Scratch, NothingIsRemovedThroughALink) {
  const TempDir dir;
  fs::create_directories(dir.path / "outside");
  spill(dir.path / "outside/file", "");
  JobSpec spec;
  spec.tree = dir.path / "tree";
  spec.attempt_dir = dir.path / "attempt";
  fs::create_directories(spec.tree);
  fs::create_directories(spec.attempt_dir);
  fs::create_symlink(dir.path / "outside", spec.tree / "was");
  spill(spec.attempt_dir / "removed", std::string("was/file\0../outside/file\0", 25));
  ASSERT_TRUE(run_backend({"tar", "-C", spec.tree.string(), "-cf", (spec.attempt_dir / "back.tar").string(),
                           "-T", "/dev/null"})
                  .ok());
  ASSERT_TRUE(take_tree_back(spec).ok());
  EXPECT_TRUE(fs::exists(dir.path / "outside/file"));
}

}  // namespace
}  // namespace hydra::exec::test
