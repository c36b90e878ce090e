#include "trees/dependencies.hpp"

#include "base/files.hpp"
#include "base/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <sys/xattr.h>

namespace hydra::trees {
namespace {

using ::testing::ElementsAre;

class Dependencies : public testing::Test {
 protected:
  void write(const fs::path& path) const {
    fs::create_directories((base_.root / path).parent_path());
    ASSERT_TRUE(write_file(base_.root / path, "x", 0644).ok());
  }
  /// Returns the lower directories of the layer at `path`, relative to the template.
  [[nodiscard]] std::vector<std::string> lower(const std::string& path, bool warm) const {
    const auto layers = scratch_.path() / "layers";
    EXPECT_TRUE(make_dependency_layers(base_, warm, {path}, layers).ok());
    exec::JobSpec job;
    show_dependencies(layers, "/app", job);
    std::vector<std::string> found;
    for (const auto& overlay : job.sandbox.overlays) {
      EXPECT_EQ(job.sandbox.binds.back().inside, fs::path("/app") / path);
      EXPECT_EQ(job.sandbox.binds.back().host, overlay.mount);
      for (const auto& each : overlay.lower) found.push_back(each.lexically_relative(base_.root).string());
    }
    return found;
  }
  ScratchDirectory scratch_{"/tmp/hydra-dependencies-XXXXXX"};
  TemplatePaths base_{scratch_.path() / "template"};
};

TEST_F(Dependencies, AreTheTopmostDirectoriesWithoutTrackedFiles) {
  for (const auto* path :
       {"cold/.git/HEAD", "cold/node_modules/x/node_modules/y/a.js", "cold/src/app.c", "cold/src/made.c",
        "cold/packages/a/node_modules/z/a.js", "cold/packages/a/a.js", "warm/build/app", "warm/src/app.c"})
    write(path);
  const std::vector<std::string> tracked{"packages/a/a.js", "src/app.c"};
  const auto cold = untracked_of(base_, false, tracked);
  EXPECT_THAT(cold.directories, ElementsAre("node_modules", "packages/a/node_modules"));
  EXPECT_THAT(cold.files, ElementsAre("src/made.c"));
  EXPECT_THAT(untracked_of(base_, true, tracked).directories,
              ElementsAre("build", "node_modules", "packages/a/node_modules"));
}

TEST_F(Dependencies, ALayerLiesOverTheBuildAndTheSetUp) {
  write("cold/a/deps/x");
  EXPECT_THAT(lower("a/deps", true), ElementsAre("cold/a/deps"));
  write("warm/a/deps/y");
  EXPECT_THAT(lower("a/deps", true), ElementsAre("warm/a/deps", "cold/a/deps"));
  EXPECT_THAT(lower("a/deps", false), ElementsAre("cold/a/deps"));
  // The build replaced the directory.
  ASSERT_EQ(::setxattr((base_.warm() / "a/deps").c_str(), "user.overlay.opaque", "y", 1, 0), 0);
  EXPECT_THAT(lower("a/deps", true), ElementsAre("warm/a/deps"));
}

TEST_F(Dependencies, ARemovedTemplateLeavesNoLayer) {
  write("cold/deps/x");
  const auto layers = scratch_.path() / "kept";
  ASSERT_TRUE(make_dependency_layers(base_, false, {"deps"}, layers).ok());
  fs::remove_all(base_.root);
  exec::JobSpec job;
  show_dependencies(layers, "/app", job);
  EXPECT_TRUE(job.sandbox.overlays.empty());
  EXPECT_TRUE(job.sandbox.binds.empty());
}

}  // namespace
}  // namespace hydra::trees
