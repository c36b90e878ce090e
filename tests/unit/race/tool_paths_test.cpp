#include "race/tool_paths.hpp"

#include "base/files.hpp"
#include "base/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace hydra::race {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> shown(const std::string& path, const char* home = "/home/u",
                               const char* repository = "/home/u/project") {
  return tool_paths(path, home, repository, {});
}

TEST(ToolPaths, ADirectoryOfProgramsWithTheRootThatItNeeds) {
  EXPECT_THAT(shown("/usr/bin:/bin"), IsEmpty()) << "nothing hides them";
  EXPECT_THAT(shown("/home/u/.nvm/versions/node/v20/bin"), ElementsAre("/home/u/.nvm/versions/node/v20"));
  EXPECT_THAT(shown("/home/u/.pyenv/shims"), ElementsAre("/home/u/.pyenv"));
  EXPECT_THAT(shown("/home/u/.local/bin"), ElementsAre("/home/u/.local/bin"));
  EXPECT_THAT(shown("/home/u/x/node_modules/.bin"), ElementsAre("/home/u/x/node_modules"));
}

// A key in ~/.ssh and another race's hidden tests were read this way.
TEST(ToolPaths, NeverTheHomeOrTheCheckoutWithThem) {
  EXPECT_THAT(shown("/home/u/.bin"), ElementsAre("/home/u/.bin"));
  EXPECT_THAT(shown("/home/u/x/.bin"), ElementsAre("/home/u/x/.bin")) << "no package directory";
  EXPECT_THAT(shown("/home/u/bin"), ElementsAre("/home/u/bin"));
  EXPECT_THAT(shown("/home/u:/home/u/"), IsEmpty());
  EXPECT_THAT(shown("/home/u/x/../.bin"), ElementsAre("/home/u/.bin"));
  EXPECT_THAT(shown("/tmp/x/bin", "/tmp/x/home"), ElementsAre("/tmp/x/bin")) << "its root holds the home";
  EXPECT_THAT(shown("/tmp/x/home/bin", "/tmp/x/home"), ElementsAre("/tmp/x/home/bin"));
  EXPECT_THAT(shown("/tmp/x/bin", "/home/u", "/tmp/x/project"), ElementsAre("/tmp/x/bin"));
  EXPECT_THAT(shown("/home/u/code/project/bin", "/home/u", "/home/u/code/project"),
              ElementsAre("/home/u/code/project/bin"))
      << "its root is the checkout, with what git does not hold";
}

/// A home with tools as installers leave these.
class ToolsOfAHome : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text = "") const {
    fs::create_directories((home_ / path).parent_path());
    ASSERT_TRUE(write_file(home_ / path, text, 0755).ok());
  }
  void link(const std::string& to, const std::string& path) const {
    fs::create_directories((home_ / path).parent_path());
    fs::create_symlink(home_ / to, home_ / path);
  }
  /// Returns the paths relative to the home.
  [[nodiscard]] std::vector<std::string> shown(const std::vector<std::string>& path,
                                               const std::vector<fs::path>& shared = {}) const {
    std::string variable;
    for (const auto& each : path) variable += (home_ / each).string() + ":";
    std::vector<std::string> names;
    for (const auto& each : tool_paths(variable, home_, home_ / "app", shared))
      names.push_back(fs::path(each).lexically_relative(home_).string());
    return names;
  }
  ScratchDirectory scratch_{"/tmp/hydra-tools-XXXXXX"};
  fs::path home_ = scratch_.path();
};

TEST_F(ToolsOfAHome, LinksLeadToAToolAndItsInterpreter) {
  write(".local/share/uv/python/cpython-3.12/bin/python3.12");
  write(".local/share/uv/tools/ruff/bin/ruff",
        "#!" + (home_ / ".local/share/uv/tools/ruff/bin/python").string() + "\n");
  link(".local/share/uv/python/cpython-3.12/bin/python3.12", ".local/share/uv/tools/ruff/bin/python");
  link(".local/share/uv/tools/ruff/bin/ruff", ".local/bin/ruff");
  EXPECT_THAT(shown({".local/bin"}),
              ElementsAre(".local/bin", ".local/share/uv/tools/ruff", ".local/share/uv/python/cpython-3.12"));
}

TEST_F(ToolsOfAHome, FirstLinesOfScriptsCount) {
  write(".local/pipx/venvs/black/bin/python");
  write(".local/bin/black", "#!" + (home_ / ".local/pipx/venvs/black/bin/python").string() + " -E\n");
  EXPECT_THAT(shown({".local/bin"}), ElementsAre(".local/bin", ".local/pipx/venvs/black"));
}

TEST_F(ToolsOfAHome, SharedEnvironmentsCount) {
  write(".local/share/uv/python/cpython-3.12/bin/python3.12");
  link(".local/share/uv/python/cpython-3.12/bin/python3.12", "app/.venv/bin/python");
  EXPECT_THAT(shown({}, {home_ / "app/.venv"}), ElementsAre(".local/share/uv/python/cpython-3.12"));
}

TEST_F(ToolsOfAHome, AKitHasItsSiblingDirectories) {
  write("kit/bin/tool", "#!/bin/sh\n. ../lib/common.sh\n");
  write("kit/lib/common.sh");
  write("kit/notes/private.txt");
  EXPECT_THAT(shown({"kit/bin"}), UnorderedElementsAre("kit/bin", "kit/lib"));
}

TEST_F(ToolsOfAHome, PackagesOfNodeComeWhole) {
  write(".npm-global/lib/node_modules/eslint/bin/eslint.js");
  write(".npm-global/lib/node_modules/left-pad/index.js");
  link(".npm-global/lib/node_modules/eslint/bin/eslint.js", ".npm-global/bin/eslint");
  EXPECT_THAT(shown({".npm-global/bin"}), ElementsAre(".npm-global/bin", ".npm-global/lib/node_modules"));
}

TEST_F(ToolsOfAHome, NoLinkShowsCredentialsOrTheCheckout) {
  write(".ssh/id_ed25519");
  write(".config/gcloud/bin/tool");
  write("app/secret/bin/tool");
  link(".ssh/id_ed25519", ".local/bin/key");
  link(".config/gcloud/bin/tool", ".local/bin/cloud");
  link("app/secret/bin/tool", ".local/bin/own");
  EXPECT_THAT(shown({".local/bin"}), ElementsAre(".local/bin"));
}

}  // namespace
}  // namespace hydra::race
