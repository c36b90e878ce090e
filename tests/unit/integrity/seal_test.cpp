// Seal: paths that a candidate is judged by and that a command of the checks rewrote. The layers are
// directories here, with what the kernel writes into them.
#include "integrity/seal/seal.hpp"

#include "base/files.hpp"
#include "base/sha256.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace hydra::integrity {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kBase{"Makefile",  "package.json",      "run_tests.sh",      "src/area.py",
                                     "src/lib.c", "tests/conftest.py", "tests/test_area.py"};

class SealTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-seal-XXXXXX";
    root_ = ::mkdtemp(pattern);
    for (const auto* layer : {"upper", "warm", "cold", "mount", "tree"})
      ASSERT_TRUE(make_dirs(root_ / layer).ok());
    for (const auto& path : kBase) {
      file("cold/" + path, "base of " + path);
      file("tree/" + path, "base of " + path);
    }
    overlay_.host = overlay_.inside = root_ / "mount";
    overlay_.overlays.push_back(
        {{root_ / "warm", root_ / "cold"}, root_ / "upper", root_ / "work", root_ / "mount"});
    tree_.host = tree_.inside = root_ / "tree";
  }
  void TearDown() override { (void)remove_tree(root_); }

  void file(const std::string& path, const std::string& text = "other") const {
    ASSERT_TRUE(make_dirs((root_ / path).parent_path()).ok());
    ASSERT_TRUE(write_file(root_ / path, text).ok());
  }
  SealedPaths look(const trees::Workspace& workspace) const {
    auto state = protected_state(workspace, rules_, hidden_);
    EXPECT_TRUE(state.ok()) << describe(state.error());
    return state.ok() ? *state : SealedPaths{};
  }
  /// Expects that `change`, which gets the writable directory's name, alters `paths` in both workspaces.
  template <class Each>
  void expect(const std::vector<std::string>& paths, Each change) {
    for (const std::string where : {"upper", "tree"}) {
      const auto& workspace = where == "upper" ? overlay_ : tree_;
      const auto before = look(workspace);
      change(where + "/");
      EXPECT_EQ(rewritten_paths(workspace, rules_, before, look(workspace)), paths) << where;
    }
  }

  fs::path root_;
  trees::BaseTree base_{kBase};
  ProtectedPaths rules_{
      {&base_,
       {.build = "make", .test = "./area_test && sh run_tests.sh && pytest", .lint = {}, .setup = {}},
       {},
       {},
       {}}};
  std::vector<std::string> hidden_;
  trees::Workspace overlay_, tree_;
};

TEST_F(SealTest, AnOrdinaryBuildBreaksNothing) {
  expect({}, [&](const std::string& at) {
    file(at + "src/area.py");
    file(at + "src/lib.o");
    file(at + "build/CTestTestfile.cmake");
    file(at + "node_modules/jest/jest.config.js");
    file(at + "tests/__pycache__/test_area.pyc");
    file(at + "tests/output/test_more.py");
    file(at + "area_test");
  });
}

TEST_F(SealTest, RewrittenTestsAndScriptsAreNamed) {
  expect({"run_tests.sh", "tests/test_area.py"}, [&](const std::string& at) {
    file(at + "run_tests.sh", "true\n");
    file(at + "tests/test_area.py", "");
  });
}

TEST_F(SealTest, TheSameBytesAreNoDifference) {
  expect({}, [&](const std::string& at) { file(at + "run_tests.sh", "base of run_tests.sh"); });
}

TEST_F(SealTest, NewFilesThatWouldTakePartAreNamed) {
  expect({".npmrc", "conftest.py", "src/test_more.py", "tests/sitecustomize.py"}, [&](const std::string& at) {
    file(at + "conftest.py");
    file(at + ".npmrc");
    file(at + "tests/sitecustomize.py");
    file(at + "src/test_more.py");
    file(at + "tests/__snapshots__/a.snap");
  });
}

TEST_F(SealTest, APackageInTheRunnersPlaceIsNamed) {
  expect({"pytest/__init__.py"}, [&](const std::string& at) { file(at + "pytest/__init__.py"); });
}

TEST_F(SealTest, LinksAreNotFollowed) {
  file("elsewhere/test_area.py", "base of tests/test_area.py");
  file("elsewhere/conftest.py", "base of tests/conftest.py");
  expect({"run_tests.sh", "tests", "tests/conftest.py", "tests/test_area.py"}, [&](const std::string& at) {
    (void)remove_tree(root_ / (at + "tests"));
    fs::create_directory_symlink(root_ / "elsewhere", root_ / (at + "tests"));
    fs::remove(root_ / (at + "run_tests.sh"));
    fs::create_symlink("/bin/true", root_ / (at + "run_tests.sh"));
  });
}

TEST_F(SealTest, ADeletedTestIsNamed) {
  const auto before = look(tree_);
  fs::remove(root_ / "tree/tests/test_area.py");
  EXPECT_THAT(rewritten_paths(tree_, rules_, before, look(tree_)), ElementsAre("tests/test_area.py"));
}

TEST_F(SealTest, AWhiteoutAndAnOpaqueDirectoryAreDeletions) {
  const auto before = look(overlay_);
  if (::mknod((root_ / "upper/run_tests.sh").c_str(), S_IFCHR | 0600, makedev(0, 0)) != 0)
    GTEST_SKIP() << "no right to make whiteouts";
  file("upper/tests/test_area.py", "base of tests/test_area.py");
  if (::setxattr((root_ / "upper/tests").c_str(), "user.overlay.opaque", "y", 1, 0) != 0)
    GTEST_SKIP() << "no extended attributes";
  EXPECT_THAT(rewritten_paths(overlay_, rules_, before, look(overlay_)),
              ElementsAre("run_tests.sh", "tests/conftest.py"));
}

TEST_F(SealTest, OfAManifestOnlyTheKeysOfTheChecksCount) {
  const std::string before = R"({"name": "a", "scripts": {"test": "jest"}})";
  file("cold/package.json", before);
  file("tree/package.json", before);
  expect({}, [&](const std::string& at) {
    file(at + "package.json", R"({"name": "a", "version": "2", "scripts": {"test": "jest"}})");
  });
  expect({"package.json"}, [&](const std::string& at) {
    file(at + "package.json", R"({"name": "a", "scripts": {"test": "true"}})");
  });
}

TEST_F(SealTest, HiddenTestsAreProtectedToo) {
  hidden_ = {"secret/check.txt"};
  file("upper/secret/check.txt", "hidden");
  const auto before = look(overlay_);
  file("upper/secret/check.txt", "seen");
  EXPECT_THAT(rewritten_paths(overlay_, rules_, before, look(overlay_)), ElementsAre("secret/check.txt"));
}

TEST_F(SealTest, WhatIsNoFileIsNotWaitedFor) {
  const auto before = look(tree_);
  fs::remove(root_ / "tree/run_tests.sh");
  ASSERT_EQ(::mkfifo((root_ / "tree/run_tests.sh").c_str(), 0600), 0);
  EXPECT_THAT(rewritten_paths(tree_, rules_, before, look(tree_)), ElementsAre("run_tests.sh"));
}

// FIPS 180-4, and the examples of its publisher.
TEST(Sha256, GivesTheStandardsExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 million;
  for (int i = 0; i < 1000; ++i) million.add(std::string(1000, 'a'));
  EXPECT_EQ(million.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace hydra::integrity
