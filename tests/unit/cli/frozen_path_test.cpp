#include "cli/frozen_path.hpp"

#include "base/files.hpp"

#include <gtest/gtest.h>

#include <map>
#include <unistd.h>

namespace {

using namespace hydra;

class FrozenPathTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-path-XXXXXX";
    root_ = ::mkdtemp(pattern);
    env_["HOME"] = home().string();
    dir("repo/sub");
  }
  void TearDown() override { (void)remove_tree(root_); }
  [[nodiscard]] fs::path home() const { return root_ / "home"; }
  void dir(const std::string& path) const { ASSERT_TRUE(make_dirs(root_ / path).ok()); }
  void file(const std::string& path, const std::string& text = "") const {
    ASSERT_TRUE(make_dirs((root_ / path).parent_path()).ok());
    ASSERT_TRUE(write_file(root_ / path, text).ok());
  }
  /// Entries below the test's root are relative to it.
  cli::FrozenPath freeze(const std::string& path) {
    env_["PATH"] = path;
    return cli::freeze_path(
        [&](const std::string& name) -> std::optional<std::string> {
          const auto at = env_.find(name);
          return at == env_.end() ? std::nullopt : std::optional(at->second);
        },
        root_ / "repo/sub");
  }
  [[nodiscard]] std::string at(const std::string& path) const { return (root_ / path).string(); }

  fs::path root_;
  std::map<std::string, std::string> env_;
};

TEST_F(FrozenPathTest, APathWithoutShimsStaysButForEmptyAndDoubledEntries) {
  const auto frozen = freeze("/usr/bin::/bin:/usr/bin");
  EXPECT_EQ(frozen.path, "/usr/bin:/bin");
  EXPECT_TRUE(frozen.notes.empty());
}

TEST_F(FrozenPathTest, PyenvByTheProjectsFile) {
  dir("home/.pyenv/versions/3.11.7/bin");
  dir("home/.pyenv/versions/3.11.10/bin");
  dir("home/.pyenv/versions/3.12.1/bin");
  file("home/.pyenv/version", "3.12.1\n");
  const auto shims = at("home/.pyenv/shims");
  EXPECT_EQ(freeze(shims + ":/bin").path, at("home/.pyenv/versions/3.12.1/bin") + ":" + shims + ":/bin");
  file("repo/.python-version", "# ours\n3.11\n");
  EXPECT_EQ(freeze(shims + ":/bin").path, at("home/.pyenv/versions/3.11.10/bin") + ":" + shims + ":/bin");
  file("repo/sub/.python-version", "3.11.7 3.12.1\n");
  EXPECT_EQ(freeze(shims).path, at("home/.pyenv/versions/3.11.7/bin") + ":" +
                                    at("home/.pyenv/versions/3.12.1/bin") + ":" + shims);
  env_["PYENV_VERSION"] = "system";
  EXPECT_EQ(freeze(shims + ":/bin").path, shims + ":/bin");
}

TEST_F(FrozenPathTest, AVersionThatIsMissingIsANote) {
  file("repo/.python-version", "3.13.0\n");
  const auto frozen = freeze(at("home/.pyenv/shims"));
  EXPECT_EQ(frozen.path, at("home/.pyenv/shims"));
  ASSERT_EQ(frozen.notes.size(), 1u);
  EXPECT_EQ(frozen.notes[0],
            "pyenv: version '3.13.0' is not installed (set by " + at("repo/.python-version") + ")");
}

TEST_F(FrozenPathTest, AVersionFileNeverLeadsOutOfTheManager) {
  dir("repo/evil/bin");
  for (const auto* version : {"../../../repo/evil", "/repo/evil", "..", ".", "-x"}) {
    file("repo/.python-version", version);
    EXPECT_EQ(freeze(at("home/.pyenv/shims")).path, at("home/.pyenv/shims")) << version;
    file("repo/.tool-versions", std::string("nodejs ") + version + "\n" + version + " 1.0\n");
    EXPECT_EQ(freeze(at("home/.asdf/shims")).path, at("home/.asdf/shims")) << version;
    file("repo/rust-toolchain", version);
    file("home/.cargo/bin/rustup");
    file("home/.cargo/bin/cargo");
    EXPECT_EQ(freeze(at("home/.cargo/bin")).path, at("home/.cargo/bin")) << version;
  }
}

TEST_F(FrozenPathTest, RbenvByItsOwnRoot) {
  env_["RBENV_ROOT"] = at("opt/rbenv");
  dir("opt/rbenv/versions/3.2.2/bin");
  file("repo/.ruby-version", "ruby-3.2.2\n");
  EXPECT_EQ(freeze(at("opt/rbenv/shims")).path,
            at("opt/rbenv/versions/3.2.2/bin") + ":" + at("opt/rbenv/shims"));
}

TEST_F(FrozenPathTest, AsdfTheNearestFileThatNamesATool) {
  dir("home/.asdf/installs/nodejs/20.1.0/bin");
  dir("home/.asdf/installs/ruby/3.2.2/bin");
  dir("home/.asdf/installs/ruby/3.0.0/bin");
  file("home/.tool-versions", "ruby 3.0.0\nnodejs 20.1.0\n");
  file("repo/.tool-versions", "ruby 3.2.2 # ours\n");
  EXPECT_EQ(freeze(at("home/.asdf/shims")).path, at("home/.asdf/installs/ruby/3.2.2/bin") + ":" +
                                                     at("home/.asdf/installs/nodejs/20.1.0/bin") + ":" +
                                                     at("home/.asdf/shims"));
}

TEST_F(FrozenPathTest, MiseByItsTable) {
  dir("home/.local/share/mise/installs/node/20.1.0/bin");
  file("repo/mise.toml", "[env]\nnode = \"18\"\n[tools]\nnode = \"20\" # ours\n");
  const auto shims = at("home/.local/share/mise/shims");
  EXPECT_EQ(freeze(shims).path, at("home/.local/share/mise/installs/node/20.1.0/bin") + ":" + shims);
}

TEST_F(FrozenPathTest, VoltaByTheManifest) {
  dir("home/.volta/tools/image/node/20.1.0/bin");
  file("repo/package.json", R"({"volta": {"node": "20.1.0"}})");
  const auto bin = at("home/.volta/bin");
  EXPECT_EQ(freeze(bin).path, at("home/.volta/tools/image/node/20.1.0/bin") + ":" + bin);
  file("repo/package.json", "{broken");
  EXPECT_EQ(freeze(bin).path, bin);
}

TEST_F(FrozenPathTest, RustupPutsTheToolchainItselfIntoPath) {
  file("home/.cargo/bin/rustup");
  file("home/.cargo/bin/cargo");
  dir("home/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/bin");
  dir("home/.rustup/toolchains/1.70.0-x86_64-unknown-linux-gnu/bin");
  file("home/.rustup/settings.toml",
       "version = \"12\"\ndefault_toolchain = \"stable-x86_64-unknown-linux-gnu\"\n");
  const auto bin = at("home/.cargo/bin");
  const auto stable = at("home/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/bin");
  const auto old = at("home/.rustup/toolchains/1.70.0-x86_64-unknown-linux-gnu/bin");
  EXPECT_EQ(freeze(bin).path, stable + ":" + bin);
  file("repo/rust-toolchain.toml", "[toolchain]\nchannel = \"1.70.0\"\n");
  EXPECT_EQ(freeze(bin).path, old + ":" + bin);
  file("repo/sub/rust-toolchain", "stable\n");
  EXPECT_EQ(freeze(bin).path, stable + ":" + bin);
  env_["RUSTUP_TOOLCHAIN"] = "nightly";
  const auto frozen = freeze(bin);
  EXPECT_EQ(frozen.path, bin);
  EXPECT_EQ(
      frozen.notes,
      (std::vector<std::string>{"rustup: version 'nightly' is not installed (set by RUSTUP_TOOLCHAIN)"}));
}

}  // namespace
