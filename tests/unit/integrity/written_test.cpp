// Writes of a command of the checks: to protected files that have their bytes again, and to installed
// programs. The layers are directories here, with what the kernel writes into them.
#include "integrity/seal/written.hpp"

#include "base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace hydra::integrity {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> kWrittenBase{"package.json", "packages/a/package.json", "scripts/test.sh",
                                            "src/area.js",  "tests/area.test.js",      "tests/want.db"};
const std::vector<std::string> kInstalled{"node_modules/.bin/jest", "node_modules/jest/index.js",
                                          "packages/a/node_modules/chai/index.js",
                                          ".venv/lib/python3/site-packages/pluggy.py", ".venv/bin/python3"};

class WrittenTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-written-XXXXXX";
    root_ = ::mkdtemp(pattern);
    for (const auto* layer : {"upper", "warm", "cold", "mount", "tree", "path"})
      ASSERT_TRUE(make_dirs(root_ / layer).ok());
    for (const auto* paths : {&kWrittenBase, &kInstalled})
      for (const auto& path : *paths) {
        file("cold/" + path, "base of " + path);
        file("tree/" + path, "base of " + path);
      }
    file("path/node");
    overlay_.host = overlay_.inside = root_ / "mount";
    overlay_.overlays.push_back(
        {{root_ / "warm", root_ / "cold"}, root_ / "upper", root_ / "work", root_ / "mount"});
    tree_.host = tree_.inside = root_ / "tree";
    question_ = {&rules_, {}, {"vendor/tools"}, "/nowhere:" + (root_ / "path").string()};
  }
  void TearDown() override { (void)remove_tree(root_); }

  void file(const std::string& path, const std::string& text = "other") const {
    ASSERT_TRUE(make_dirs((root_ / path).parent_path()).ok());
    ASSERT_TRUE(write_file(root_ / path, text).ok());
  }
  [[nodiscard]] WrittenState look(const trees::Workspace& workspace) const {
    const auto sealed = protected_state(workspace, rules_, {});
    EXPECT_TRUE(sealed.ok());
    auto state = written_state(workspace, question_, *sealed);
    EXPECT_TRUE(state.ok()) << describe(state.error());
    const auto again = written_from_bytes(to_bytes(*state));
    EXPECT_TRUE(again && again->judges == state->judges && again->installed == state->installed);
    return *state;
  }
  /// Returns the paths that `change` wrote to; `change` gets the writable directory's name.
  template <class Each>
  std::vector<std::string> written(const std::string& where, Each change, bool base = false) {
    const auto& workspace = where == "upper" ? overlay_ : tree_;
    const auto before = look(workspace);
    change(where + "/");
    return written_paths(workspace, question_, before, look(workspace), base);
  }

  fs::path root_;
  trees::BaseTree base_{kWrittenBase};
  ProtectedPaths rules_{{&base_,
                         {.build = "npm run build", .test = "sh scripts/test.sh", .lint = {}, .setup = {}},
                         {},
                         {},
                         {}}};
  WrittenQuestion question_;
  trees::Workspace overlay_, tree_;
};

TEST_F(WrittenTest, SourcesThatABuildMadeFilesFrom) {
  EXPECT_THAT(built_sources(overlay_, rules_), IsEmpty());
  for (const std::string where : {"upper", "tree"}) {
    file(where + "/out/dir/area.js.map");
    file(where + "/src/area.js");
    file(where + "/node_modules/x/test.js");
    EXPECT_THAT(built_sources(where == "upper" ? overlay_ : tree_, rules_),
                ElementsAre("src/area.js", "tests/area.test.js"));
  }
}

TEST_F(WrittenTest, AnOrdinaryRunIsNothing) {
  EXPECT_THAT(written("upper",
                      [&](const std::string& at) {
                        file(at + "src/area.js");
                        file(at + "node_modules/.cache/babel/a.json");
                        file(at + "node_modules/.vite/results.json");
                        file(at + "node_modules/jest/__pycache__/a.pyc");
                        file(at + ".venv/bin/shop");
                        file(at + "node_modules/jest/build/new.js");
                        file(at + "packages/a/dist/node_modules.txt");
                      }),
              IsEmpty());
}

TEST_F(WrittenTest, AJudgeThatHasItsBytesAgainIsNamed) {
  const auto change = [&](const std::string& at) {
    for (const std::string path : {"tests/area.test.js", "scripts/test.sh"}) {
      fs::remove(root_ / (at + path));
      file(at + path, "base of " + path);
    }
  };
  for (const auto* where : {"upper", "tree"})
    EXPECT_THAT(written(where, change), ElementsAre("scripts/test.sh", "tests/area.test.js")) << where;
}

// A test that reads a data base opens it for writing too: the layer then has its copy.
TEST_F(WrittenTest, DataThatIsOpenedForWritingIsNot) {
  EXPECT_THAT(
      written("upper", [&](const std::string& at) { file(at + "tests/want.db", "base of tests/want.db"); }),
      IsEmpty());
}

TEST_F(WrittenTest, OtherBytesOfAnInstalledProgramAreNamed) {
  const auto change = [&](const std::string& at) {
    file(at + "node_modules/.bin/jest", "#!/bin/sh\n");
    file(at + "node_modules/jest/index.js", "process.exit(0)\n");
    file(at + "packages/a/node_modules/chai/index.js", "exports.x = 1\n");
  };
  for (const auto* where : {"upper", "tree"})
    EXPECT_THAT(written(where, change), ElementsAre("node_modules/.bin/jest", "node_modules/jest/index.js",
                                                    "packages/a/node_modules/chai/index.js"))
        << where;
}

TEST_F(WrittenTest, TheSameBytesAreNamedForTheBaseOnly) {
  const auto change = [&](const std::string& at) {
    file(at + "node_modules/jest/index.js", "base of node_modules/jest/index.js");
  };
  EXPECT_THAT(written("upper", change), IsEmpty());
  fs::remove(root_ / "upper/node_modules/jest/index.js");
  EXPECT_THAT(written("upper", change, true), ElementsAre("node_modules/jest/index.js"));
}

TEST_F(WrittenTest, ALinkIsNotFollowed) {
  EXPECT_THAT(written("upper",
                      [&](const std::string& at) {
                        ASSERT_TRUE(make_dirs(root_ / (at + "node_modules/.bin")).ok());
                        fs::create_symlink("/bin/true", root_ / (at + "node_modules/.bin/jest"));
                      }),
              ElementsAre("node_modules/.bin/jest"));
}

TEST_F(WrittenTest, NewFilesThatAreLoadedInsteadOfOthersAreNamed) {
  const std::string site = ".venv/lib/python3/site-packages";
  EXPECT_THAT(written("upper",
                      [&](const std::string& at) {
                        file(at + "node_modules/.bin/node");  // of the path
                        file(at + "node_modules/jest.js");
                        file(at + "node_modules/jest/node_modules/chai/index.js");
                        file(at + site + "/more.pth");
                        file(at + site + "/sitecustomize.py");
                        file(at + site + "/pytest/__init__.py");
                        file(at + site + "/shop/__init__.py");
                        file(at + site + "/__pycache__/pluggy.pyc", std::string("abcd\1\0\0\0", 8));
                      }),
              ElementsAre(site + "/*.pth", site + "/__pycache__/pluggy.pyc", site + "/pytest/__init__.py",
                          site + "/sitecustomize.py", "node_modules/.bin/node", "node_modules/jest.js",
                          "node_modules/jest/node_modules/chai"));
}

TEST_F(WrittenTest, WhatIsGoneIsNamed) {
  EXPECT_THAT(
      written("tree", [&](const std::string& at) { fs::remove(root_ / (at + "node_modules/.bin/jest")); }),
      ElementsAre("node_modules/.bin/jest"));
  const auto before = look(overlay_);
  ASSERT_TRUE(make_dirs(root_ / "upper/node_modules/.bin").ok());
  if (::mknod((root_ / "upper/node_modules/.bin/jest").c_str(), S_IFCHR | 0600, makedev(0, 0)) != 0)
    GTEST_SKIP() << "no right to make whiteouts";
  EXPECT_THAT(written_paths(overlay_, question_, before, look(overlay_), false),
              ElementsAre("node_modules/.bin/jest"));
}

TEST_F(WrittenTest, AnInstallationAnewIsNamedAsAWhole) {
  for (int i = 0; i < 60; ++i) file("cold/vendor/tools/" + std::to_string(i), "old");
  EXPECT_THAT(written("upper",
                      [&](const std::string& at) {
                        for (int i = 0; i < 60; ++i) file(at + "vendor/tools/" + std::to_string(i), "new");
                      }),
              ElementsAre("vendor/tools"));
}

TEST(WrittenBytes, DamagedOnesAreRefused) {
  for (const auto* text : {"", "x\n", "1\n", "0\n", "-1\n0\n", "0\n0\nmore"})
    EXPECT_FALSE(written_from_bytes(text).has_value()) << text;
  EXPECT_TRUE(written_from_bytes("0\n0\n").has_value());
}

}  // namespace
}  // namespace hydra::integrity
