// Reports are written by code that is being scored: nothing but regular files below the directory is read.
#include "checks/report_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::checks {
namespace {

namespace fs = std::filesystem;

class Reports : public testing::Test {
 protected:
  Reports() {
    std::string name = (fs::temp_directory_path() / "hydra-reports-XXXXXX").string();
    dir = ::mkdtemp(name.data());
  }
  ~Reports() override { fs::remove_all(dir); }
  void write(const fs::path& relative, const std::string& text) const {
    fs::create_directories((dir / relative).parent_path());
    std::ofstream(dir / relative) << text;
  }
  [[nodiscard]] std::string problem(const std::string& pattern) const {
    const auto found = read_reports(dir, {pattern});
    EXPECT_EQ(found.size(), 1U);
    EXPECT_TRUE(found.empty() || found[0].text.empty());
    return found.empty() ? "" : found[0].problem;
  }
  fs::path dir;
};

TEST_F(Reports, RegularFilesInTheOrderOfNames) {
  write("sub/TEST-b.xml", "b");
  write("sub/TEST-a.xml", "a");
  write("sub/other.txt", "x");
  write("junit.xml", "j");
  const auto found = read_reports(dir, {"{reports}/sub/TEST-*.xml", "{reports}/junit.xml"});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name + found[1].name + found[2].name, "sub/TEST-a.xmlsub/TEST-b.xmljunit.xml");
  EXPECT_EQ(found[0].text + found[1].text + found[2].text, "abj");
}

TEST_F(Reports, NothingElseIsReadOrWaitedFor) {
  write("real/secret.xml", "s");
  fs::create_symlink(dir / "real/secret.xml", dir / "link.xml");
  fs::create_directory_symlink(dir / "real", dir / "linked");
  ASSERT_EQ(::mkfifo((dir / "fifo.xml").c_str(), 0600), 0);
  fs::create_directory(dir / "directory.xml");
  EXPECT_EQ(problem("{reports}/link.xml"), "is a symbolic link");
  EXPECT_EQ(problem("{reports}/linked/secret.xml"), "is a symbolic link");
  EXPECT_EQ(problem("{reports}/linked/*.xml"), "no such file");
  EXPECT_EQ(problem("{reports}/fifo.xml"), "is a FIFO");
  EXPECT_EQ(problem("{reports}/directory.xml"), "is a directory");
  EXPECT_EQ(problem("{reports}/absent.xml"), "does not exist");
  EXPECT_EQ(problem("{reports}/../" + dir.filename().string() + "/real/secret.xml"),
            "is no plain relative path");
  EXPECT_EQ(problem("{reports}/*.none"), "no such file");
}

TEST_F(Reports, SizesAreBounded) {
  write("big.xml", "");
  fs::resize_file(dir / "big.xml", kMaxReportBytes + 1);
  EXPECT_TRUE(problem("{reports}/big.xml").starts_with("is larger than"));
  EXPECT_TRUE(read_reports(dir, {}).empty());
  EXPECT_EQ(read_reports(dir / "gone", {"{reports}/a"})[0].problem, "the directory of the reports is gone");
}

}  // namespace
}  // namespace hydra::checks
