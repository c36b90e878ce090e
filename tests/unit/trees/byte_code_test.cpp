// Byte code: what is kept of it, and what never is.
#include "trees/byte_code.hpp"

#include "base/files.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hydra::trees {
namespace {

class ByteCode : public ::testing::Test {
 protected:
  void compiled(const std::string& source) {
    const auto path = layer / kByteCode / source;
    ASSERT_TRUE(make_dirs(path.parent_path(), 0700).ok());
    ASSERT_TRUE(write_file(path, "code").ok());
  }
  [[nodiscard]] bool kept_of(const std::string& kind, const std::string& source) const {
    return fs::exists(kept / kind / kByteCode / source);
  }

  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hydra-byte-code-XXXXXX").string();
    directory = ::mkdtemp(pattern.data());
    layer = directory / "upper-tests-1";
    kept = directory / "template/bytecode";
  }
  void TearDown() override { (void)remove_tree(directory); }

  fs::path directory, layer, kept;
};

TEST_F(ByteCode, OfTheTreeIsDroppedAndOfWhatIsInstalledInItKept) {
  compiled("usr/lib/python3.11/json.pyc");
  compiled("home/me/work/area.pyc");
  compiled("home/me/work/site/area.pyc");
  compiled("home/me/work/.venv/lib/python3.11/site-packages/a/b.pyc");
  ASSERT_TRUE(keep_byte_code(layer, kept, "tests", "/home/me/work").ok());
  EXPECT_TRUE(kept_of("tests", "usr/lib/python3.11/json.pyc"));
  EXPECT_TRUE(kept_of("tests", "home/me/work/.venv/lib/python3.11/site-packages/a/b.pyc"));
  EXPECT_FALSE(kept_of("tests", "home/me/work/area.pyc"));
  EXPECT_FALSE(kept_of("tests", "home/me/work/site/area.pyc"));
}

TEST_F(ByteCode, WhatIsThereIsNeverWrittenAgain) {
  compiled("usr/one.pyc");
  ASSERT_TRUE(keep_byte_code(layer, kept, "tests", "/work").ok());
  compiled("usr/two.pyc");
  ASSERT_TRUE(keep_byte_code(layer, kept, "tests", "/work").ok());
  EXPECT_TRUE(kept_of("tests", "usr/one.pyc"));
  EXPECT_FALSE(kept_of("tests", "usr/two.pyc"));
}

TEST_F(ByteCode, AKindWithoutAnyHasThatOfTheTests) {
  EXPECT_EQ(byte_code_layer(kept, "tests"), "");
  EXPECT_EQ(byte_code_layer("", "tests"), "");
  compiled("usr/one.pyc");
  ASSERT_TRUE(keep_byte_code(layer, kept, "tests", "/work").ok());
  EXPECT_EQ(byte_code_layer(kept, "judge"), kept / "tests");
  compiled("usr/two.pyc");
  ASSERT_TRUE(keep_byte_code(layer, kept, "lint", "/work").ok());
  EXPECT_EQ(byte_code_layer(kept, "lint"), kept / "lint");
}

}  // namespace
}  // namespace hydra::trees
