// Names that the base's tests find outside of the project: the tools of this machine are asked, and what is
// installed in a checkout is listed. A language that is not here skips its rows.
#include "base/files.hpp"
#include "integrity/names/names.hpp"
#include "integrity/protect/protected_paths.hpp"
#include "support/machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace hydra::integrity {
namespace {

class ResolutionTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/hydra-resolution-XXXXXX";
    root_ = ::mkdtemp(pattern);
    for (const auto* path : {".venv/lib/python3.11/site-packages/shopkit/__init__.py",
                             ".venv/lib/python3.11/site-packages/areas.py", "node_modules/chai/index.js"}) {
      ASSERT_TRUE(make_dirs((root_ / path).parent_path()).ok());
      ASSERT_TRUE(write_file(root_ / path, "").ok());
    }
  }
  void TearDown() override { (void)remove_tree(root_); }

  [[nodiscard]] std::string taken(const std::string& path, const std::string& tests,
                                  const std::string& settings = {}) {
    auto& known = known_[tests + settings];
    if (!known)
      known = std::make_unique<Names>(NamesQuestion{&base_,
                                                    [](std::string_view) { return true; },
                                                    [tests](const auto&) { return std::vector{tests}; },
                                                    root_,
                                                    {},
                                                    settings,
                                                    path_});
    return std::string(known->taken_by(path));
  }

  fs::path root_;
  trees::BaseTree base_{{"tests/test_area.py"}};
  std::string path_ = std::getenv("PATH");
  std::map<std::string, std::unique_ptr<Names>> known_;  // a tool is asked once
};

// A race's checks run with the user's PATH, not with the daemon's: its interpreter knows other modules.
TEST_F(ResolutionTest, TheInterpreterOfTheChecksIsAsked) {
  const auto bin = root_ / "bin";
  fs::create_directories(bin);
  std::ofstream(bin / "python3") << "#!/bin/sh\necho onlyhere\n";
  fs::permissions(bin / "python3", fs::perms::owner_all);
  path_ = bin.string() + ":/usr/bin:/bin";
  EXPECT_NE(taken("onlyhere.py", "import onlyhere\n"), "");
}

TEST_F(ResolutionTest, OfPython) {
  HYDRA_NEEDS("python3");
  const std::string tests = "import area\nfrom statistics import mean\nimport shopkit\n";
  for (const auto* path : {"argparse.py", "Argparse.py", "unittest/__init__.py", "statistics.py",
                           "shopkit/__init__.py", "src/areas.py", "tests/shopkit.py"})
    EXPECT_EQ(taken(path, tests), "a module that tests load") << path;
  // Nobody loads it, or it does not stand where a run looks.
  for (const auto* path : {"area.py", "this.py", "app/statistics.py", "src/statistics.py", "statistics.txt"})
    EXPECT_EQ(taken(path, tests), "") << path;
}

TEST_F(ResolutionTest, OfHeaders) {
  HYDRA_NEEDS("cc");
  const std::string tests = "#include <cassert>\n#include \"area.hpp\"\n#include <sys/types.h>\n";
  // A header is taken when a test names it or another header reads it, in any letter case.
  for (const auto* path : {"include/cassert", "src/assert.h", "include/Assert.h", "features.h",
                           "tests/unit/sys/types.h", "area/include/cassert"})
    EXPECT_EQ(taken(path, tests), "a header of the system") << path;
  for (const auto* path : {"include/area.hpp", "include/area/assert.h", "src/regex.h", "assert.cpp"})
    EXPECT_EQ(taken(path, tests), "") << path;
  EXPECT_EQ(taken("include/cassert", "import area\n"), "") << "no test includes anything";
}

TEST_F(ResolutionTest, OfPerl) {
  HYDRA_NEEDS("perl");
  const std::string tests = "use Area;\nuse List::Util qw(sum);\nuse Test::More tests => 2;\n";
  for (const auto* path :
       {"lib/Test/More.pm", "lib/test/more.pm", "lib/strict.pm", "t/lib/Test/Builder.pm", "lib/List/Util.pm"})
    EXPECT_EQ(taken(path, tests), "an installed module of Perl") << path;
  for (const auto* path : {"lib/Area.pm", "lib/Area/More.pm", "lib/Text/Wrap.pm", "app/Test/More.pm"})
    EXPECT_EQ(taken(path, tests), "") << path;
}

TEST_F(ResolutionTest, OfNodeWhereTheProjectIsSearched) {
  HYDRA_NEEDS("node");
  const std::string tests = "const assert = require('assert');\nimport { expect } from 'chai';\n";
  for (const auto* settings : {"NODE_PATH=. node --test", "{\"moduleDirectories\": [\"src\"]}"}) {
    for (const auto* path : {"chai.js", "src/chai/index.ts", "assert.js"})
      EXPECT_EQ(taken(path, tests, settings), "an installed package") << path;
    EXPECT_EQ(taken("src/util.js", tests, settings), "") << "no test asks for it";
  }
  EXPECT_EQ(taken("src/chai.js", tests, "{\"name\": \"area\"}"), "") << "bare names are looked for elsewhere";
}

// --- by the rules of a race: the base's own texts

struct BaseOfTexts {
  std::map<std::string, std::string> files;
  BaseTree tree{[this] {
    std::vector<std::string> paths;
    for (const auto& [path, text] : files) paths.push_back(path);
    return paths;
  }()};
  ProtectedPaths rules{{&tree,
                        {"", "make test", "", ""},
                        {},
                        {},
                        {},
                        [this](const std::vector<std::string>& paths) {
                          std::vector<std::string> texts;
                          for (const auto& path : paths) texts.push_back(files.at(path));
                          return texts;
                        },
                        {}}};
};

TEST(Vendored, WhatOnlyTestsImportIsTheBases) {
  const BaseOfTexts base{{{"src/area.c", "#include \"vendor/json.h\"\n"},
                          {"tests/area_test.c", "#include \"minunit.h\"\n#include \"../src/area.h\"\n"},
                          {"vendor/json.h", ""},
                          {"vendor/unused.h", ""},
                          {"third_party/minunit.h", ""},
                          {"third_party/minunit/more.h", ""}}};
  EXPECT_TRUE(base.rules.of("third_party/minunit.h"));
  EXPECT_FALSE(base.rules.of("vendor/json.h")) << "the product needs it";
  EXPECT_FALSE(base.rules.of("vendor/unused.h"));
  EXPECT_FALSE(base.rules.of("third_party/new.h"));
}

TEST(Vendored, APackageFileBetweenTestsAndTheirPackageIsLeftOut) {
  const BaseOfTexts base{{{"package.json", "{}"}, {"src/area.test.js", ""}, {"lib/area.js", ""}}};
  EXPECT_TRUE(base.rules.of("src/package.json"));
  const auto other = base.rules.of("lib/package.json");
  EXPECT_TRUE(other && other->on_change == RestoreAction::keys);
}

}  // namespace
}  // namespace hydra::integrity
