// Kinds of files at a path where a configuration file is looked for.
#include "cli/project.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>

namespace {

using namespace hydra;
namespace fs = std::filesystem;

class ConfigFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hydra-cli-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
    fs::create_directories(root / "repo/.git");
    fs::create_directories(root / "config");
    paths = Paths{root / "state", root / "run", root / "config"};
  }
  void TearDown() override { fs::remove_all(root); }

  auto read() const { return cli::read_layers(cli::find_config(paths, root / "repo"), root / "repo"); }
  void refused(const fs::path& file, const char* what) const {
    const auto layers = read();
    ASSERT_FALSE(layers.ok()) << what << " at " << file;
    EXPECT_EQ(layers.error().code, Errc::config) << what;
    EXPECT_EQ(layers.error().where, file.string()) << what;
    fs::remove(file);
  }

  fs::path root;
  Paths paths;
};

TEST_F(ConfigFilesTest, WhatIsNoPlainFileIsAnErrorAndNeverOpened) {
  for (const auto& file : {root / "repo/hydra.toml", paths.user_config()}) {
    fs::create_directory(file);
    refused(file, "a directory");
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    refused(file, "a named pipe");
    fs::create_symlink("/dev/zero", file);
    refused(file, "a link to a device");
    fs::create_symlink("nowhere", file);
    refused(file, "a link to nothing");
    if (HasFatalFailure()) return;
  }
}

TEST_F(ConfigFilesTest, ALinkToAPlainFileIsRead) {
  std::ofstream(root / "real.toml") << "linked";
  for (const auto& file : {root / "repo/hydra.toml", paths.user_config()}) {
    EXPECT_TRUE(read()->empty());
    fs::create_symlink(root / "real.toml", file);
    const auto layers = read();
    ASSERT_TRUE(layers.ok());
    ASSERT_EQ(layers->size(), 1u);
    EXPECT_EQ(layers->front().text, "linked");
    fs::remove(file);
  }
}

}  // namespace
