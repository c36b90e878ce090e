#include "race/jobs.hpp"

#include "base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace hydra::race {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class HideOwn : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hydra-jobs-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }
  std::vector<std::string> places(exec::JobSpec job, const std::vector<fs::path>& own) {
    EXPECT_TRUE(hide_own(job, own, root / "hidden").ok());
    std::vector<std::string> inside;
    for (const auto& bind : job.sandbox.binds)
      inside.push_back((bind.host.string().starts_with(root.string()) ? "cover " : "") +
                       bind.inside.string());
    return inside;
  }
  static exec::JobSpec job(std::vector<std::string> binds) {
    exec::JobSpec spec;
    spec.sandbox.isolation = exec::Isolation::bwrap;
    spec.sandbox.home = "/home/u";
    for (auto& path : binds) spec.sandbox.binds.push_back({path, path, false, true});
    return spec;
  }
  fs::path root;
};

TEST(OwnDirectories, TheWholeDirectoryOfTheSession) {
  const auto own = [](const char* runtime) {
    Paths paths;
    paths.state = "/data/state/hydra";
    paths.runtime = runtime;
    return hidden_places(paths, {});
  };
  EXPECT_THAT(own("/data/run/hydra"), ElementsAre("/data/state/hydra", "/data/run"));
  EXPECT_THAT(own("/data/state/hydra/run"), ElementsAre("/data/state/hydra", "/data/state/hydra/run"));
  EXPECT_THAT(own("/tmp/hydra-0-12ab"), ElementsAre("/data/state/hydra", "/tmp/hydra-0-12ab"));
  EXPECT_THAT(own("/hydra"), ElementsAre("/data/state/hydra", "/hydra")) << "never all there is";
}

TEST_F(HideOwn, WhatTheSandboxHidesAnyhowNeedsNoCover) {
  EXPECT_THAT(places(job({"/home/u/.state/hydra/races/r/work"}), {"/home/u/.state/hydra"}),
              ElementsAre("/home/u/.state/hydra/races/r/work"));
  EXPECT_THAT(places(job({"/srv/state/races/r/work"}), {"/srv/state"}),
              ElementsAre("cover /srv/state", "/srv/state/races/r/work"));
}

TEST_F(HideOwn, WhatIsBoundFromAboveIsCoveredAgain) {
  EXPECT_THAT(places(job({"/tmp/x/state/races/r/work", "/tmp/x"}), {"/tmp/x/state"}),
              ElementsAre("/tmp/x", "cover /tmp/x/state", "/tmp/x/state/races/r/work"));
  EXPECT_THAT(places(job({"/home/u", "/home/u/.state/hydra/races/r/work"}), {"/home/u/.state/hydra"}),
              ElementsAre("/home/u", "cover /home/u/.state/hydra", "/home/u/.state/hydra/races/r/work"));
}

TEST_F(HideOwn, OneWithinAnotherNeedsNoCoverOfItsOwn) {
  EXPECT_THAT(places(job({"/srv/app/work"}), {"/srv/app", "/srv/app/.git"}),
              ElementsAre("cover /srv/app", "/srv/app/work"));
  EXPECT_THAT(places(job({"/srv/app/work"}), {"/srv/app/.git", "/srv/app"}),
              ElementsAre("cover /srv/app", "/srv/app/work"));
  EXPECT_THAT(places(job({"/home/u/.state"}), {"/home/u", "/home/u/.state/hydra"}),
              ElementsAre("/home/u/.state", "cover /home/u/.state/hydra"))
      << "the home needs no cover, so that it has none";
}

TEST_F(HideOwn, AFileIsCoveredByAnEmptyOne) {
  const auto file = root / "suite.jsonl";
  std::ofstream(file) << "secret";
  auto shown = job({root.string()});
  ASSERT_TRUE(hide_own(shown, {file}, root / "hidden").ok());
  ASSERT_EQ(shown.sandbox.binds.size(), 2u);
  EXPECT_EQ(shown.sandbox.binds[1].host, "/dev/null");
  EXPECT_EQ(shown.sandbox.binds[1].inside, file);
}

TEST(Mounts, ACheckRunsWhereTheTreeStandsInside) {
  model::RaceSpec spec;
  spec.id = "r";
  spec.isolation = model::Isolation::bwrap;
  spec.repository.root = "/srv/app";
  spec.environment = {{"HOME", "/home/u"}, {"PATH", "/usr/bin"}};
  spec.config.workspace.mounts = {"/app=.", "/tests=.suite/tests", "/solution=/srv/s", "/logs={reports}"};
  trees::Workspace workspace;
  workspace.host = "/state/tree";
  workspace.inside = "/srv/app";
  workspace.binds.push_back({"/state/mount", "/srv/app", true, false});
  const Layout layout("/state", "r");
  const auto job =
      check_job(spec, model::Subject::of("codex"), "tests", "true", 1, workspace, layout, false, {});
  EXPECT_EQ(job.workdir.lexically_normal(), fs::path("/app/").lexically_normal());
  std::map<std::string, exec::Bind> at;
  for (const auto& bind : job.sandbox.binds) at[bind.inside.string()] = bind;
  EXPECT_EQ(at["/app"].host, "/state/mount");
  EXPECT_TRUE(at["/app"].writable);
  EXPECT_EQ(at["/tests"].host, "/state/mount/.suite/tests");
  EXPECT_EQ(at["/solution"].host, "/srv/s");
  EXPECT_FALSE(at["/solution"].writable);
  EXPECT_EQ(at["/logs"].host, job.attempt_dir / "reports");
}

}  // namespace
}  // namespace hydra::race
