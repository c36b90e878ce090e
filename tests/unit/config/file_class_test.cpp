#include "config/file_class.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra::config;
using ::testing::ElementsAre;

TEST(FileClass, ByName) {
  const FileClasses classes;
  const std::pair<const char*, FileClass> rows[] = {{"package-lock.json", FileClass::lock},
                                                    {"web/yarn.lock", FileClass::lock},
                                                    {"go.sum", FileClass::lock},
                                                    {"Cargo.lock", FileClass::lock},
                                                    {"app.min.js", FileClass::generated},
                                                    {"api/x.pb.go", FileClass::generated},
                                                    {"api/x_pb2.py", FileClass::generated},
                                                    {"src/__snapshots__/a.snap", FileClass::generated},
                                                    {"vendor/a/b.go", FileClass::vendored},
                                                    {"third_party/x/y.cc", FileClass::vendored},
                                                    {"package.json", FileClass::written},
                                                    {"go.mod", FileClass::written},
                                                    {"src/vendor.py", FileClass::written},
                                                    {"src/lock.py", FileClass::written}};
  for (const auto& [path, kind] : rows) EXPECT_EQ(classes.of(path), kind) << path;
}

TEST(FileClass, AttributesOfTheBaseWin) {
  const std::vector<FileClasses::Attributes> files{
      {"",
       "*.pb.go -linguist-generated\n/api/*.ts linguist-generated=true text\n# vendor/x linguist-vendored\n"
       "docs/** linguist-vendored\nschema.json linguist-generated\n"},
      {"web", "out.js linguist-generated\nvendor/** linguist-vendored=false\n"}};
  const FileClasses classes(files);
  EXPECT_EQ(classes.of("x.pb.go"), FileClass::written);
  EXPECT_EQ(classes.of("api/a.ts"), FileClass::generated);
  EXPECT_EQ(classes.of("web/api/a.ts"), FileClass::written);
  EXPECT_EQ(classes.of("docs/a/b.js"), FileClass::vendored);
  EXPECT_EQ(classes.of("deep/schema.json"), FileClass::generated);
  EXPECT_EQ(classes.of("web/src/out.js"), FileClass::generated);
  EXPECT_EQ(classes.of("out.js"), FileClass::written);
  EXPECT_EQ(classes.of("web/vendor/a.js"), FileClass::written);
}

TEST(WeighedDiff, SetsApartWhatNobodyWrote) {
  const std::vector<CountedLines> files{
      {"src/a.js", 10, 2}, {"package-lock.json", 100'000, 50}, {"dist/a.min.js", 1, 1}};
  const auto weighed = weigh_diff(files, FileClasses{});
  EXPECT_EQ(weighed.written.files, 1);
  EXPECT_EQ(weighed.written.added, 10);
  EXPECT_EQ(weighed.written.removed, 2);
  EXPECT_EQ(weighed.lock.added, 100'000);
  EXPECT_THAT(weighed.set_apart,
              ElementsAre("package-lock.json (lock, +100000 -50)", "dist/a.min.js (generated, +1 -1)"));
}

TEST(WeighedDiff, NothingElseCountsWhole) {
  const std::vector<CountedLines> files{{"Cargo.lock", 7, 3}, {"vendor/a.c", 1, 0}};
  const auto weighed = weigh_diff(files, FileClasses{});
  EXPECT_EQ(weighed.written.files, 2);
  EXPECT_EQ(weighed.written.added, 8);
  EXPECT_EQ(weighed.written.removed, 3);
}

}  // namespace
