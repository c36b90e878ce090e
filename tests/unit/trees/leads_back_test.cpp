#include "trees/leads_back.hpp"

#include "base/files.hpp"
#include "base/scratch_directory.hpp"

#include <gtest/gtest.h>

namespace hydra::trees {
namespace {

class LeadsBack : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((checkout_ / path).parent_path());
    ASSERT_TRUE(write_file(checkout_ / path, text, 0644).ok());
  }
  [[nodiscard]] std::string found() const { return leads_back(checkout_, {".venv", "node_modules"}); }

  ScratchDirectory scratch_{"/tmp/hydra-leads-back-XXXXXX"};
  fs::path checkout_ = scratch_.path() / "app";
};

TEST_F(LeadsBack, OrdinaryDependenciesDoNot) {
  write(".venv/lib/site.pth", "/usr/lib/other\n");
  write(".venv/bin/tool", "#!/usr/bin/python3\nprint('" + checkout_.string() + "')\n");
  write(".venv/lib/data.txt", checkout_.string());
  write(".venv/lib/near.pth", checkout_.string() + "-other/src\n");
  write("node_modules/x/index.js", "");
  fs::create_symlink("../x", checkout_ / "node_modules/y");
  EXPECT_EQ(found(), "");
}

TEST_F(LeadsBack, PathFilesOfEditableInstalls) {
  write(".venv/lib/python3.11/site-packages/app.pth", checkout_.string() + "/src\n");
  EXPECT_EQ(found(), ".venv/lib/python3.11/site-packages/app.pth");
}

TEST_F(LeadsBack, AddressesOfEditableInstalls) {
  write(".venv/lib/app.dist-info/direct_url.json", "{\"url\": \"file://" + checkout_.string() + "\"}");
  EXPECT_EQ(found(), ".venv/lib/app.dist-info/direct_url.json");
}

TEST_F(LeadsBack, FirstLinesOfPrograms) {
  write(".venv/bin/pytest", "#!" + checkout_.string() + "/.venv/bin/python\n");
  EXPECT_EQ(found(), ".venv/bin/pytest");
}

TEST_F(LeadsBack, Links) {
  write("node_modules/x/index.js", "");
  fs::create_symlink(checkout_ / "packages/y", checkout_ / "node_modules/y");
  EXPECT_EQ(found(), "node_modules/y");
}

}  // namespace
}  // namespace hydra::trees
