// The files of lib/toolchains, and those of a user.
#include "config/toolchains.hpp"

#include "base/read_files.hpp"
#include "config/config.hpp"
#include "support/places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hydra {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Toolchains, EveryBuiltInFileReadsWithoutAComplaint) {
  const auto files = toml_files(fs::path(places::golden()) / "../../lib/toolchains");
  ASSERT_GT(files.size(), 20U);
  for (const auto& error : config::check_toolchains(files)) ADD_FAILURE() << describe(error);
}

TEST(Toolchains, AMistakeNamesFileLineAndKey) {
  const struct {
    const char *text, *where, *what;
  } cases[] = {
      {"[[ecosystems]]\nname = 'zz'\nmarker = ['zz.lock']\nmarkers = ['zz.lock']", "mine.toml:3:1",
       "'marker'"},
      {"[[ecosystems]]\nname = 'zz'", "mine.toml:1:", "name and markers"},
      {"[[ecosystems]]\nname = 'zz'\nmarkers = 'zz.lock'", "mine.toml:3:11", "list"},
      {"[[caches]]\nname = 'zz'", "mine.toml:1:", "directory"},
      {"[[caches]]\nname = 'zz'\ndirectory = '.zz'\nread_only = 'yes'", "mine.toml:4:13", "true or false"},
      {"[[protected]]\nkind = 'test'\npatterns = ['zz.cfg']", "mine.toml:2:8", "\"tests\""},
      {"[[protected]]\non_change = 'keep'\npatterns = ['zz.cfg']", "mine.toml:2:13", "\"flag\""},
      {"[[signatures]]\nname = 'zz'", "mine.toml:1:", "lines or advice"},
      {"[[signatures]]\nname = 'zz'\nlines = ['x']\nadvice = [{ txt = 'y' }]", "mine.toml:4:", "'txt'"},
      {"[[proposals]]\ntest = 'zz'", "mine.toml:1:", "found_by"},
      {"[[proposals]]\nfound_by = ['zz']\ntest = { rn = 'zz' }", "mine.toml:3:", "'rn'"},
      {"[[proposals]]\nfound_by = ['zz']\nreader = 'zz'", "mine.toml:1:", "no reader 'zz'"},
      {"[[runners]]\nprograms = ['zz']", "mine.toml:1:", "programs and files"},
      {"[[runners]]\nprograms = ['zz']\nfiles = ['*.zz']\nbroken_file = 'no'", "mine.toml:4:15", "\"apart\""},
      {"order = 0", "mine.toml:1:9", "1 to 99"},
      {"protect = []", "mine.toml:1:1", "'protect'"},
      {"[[managers]]\nname = 'zzenv'", "mine.toml:1:", "version_variable"},
      {"[init\n", "mine.toml:1:", ""},
  };
  for (const auto& c : cases) {
    const auto all = config::check_toolchains({{"mine.toml", c.text}});
    ASSERT_THAT(all, testing::Not(IsEmpty())) << c.text;
    EXPECT_THAT(all[0].where, HasSubstr(c.where)) << c.text << "\n" << describe(all[0]);
    EXPECT_THAT(all[0].message, HasSubstr(c.what)) << c.text;
  }
}

TEST(Toolchains, ARunnerTakesOverFilesAndOptionsOfTheRowBeforeIt) {
  const auto& rows = config::toolchains().runners;
  const auto named = [&](std::string_view name) {
    return std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
      return std::find(row.programs.begin(), row.programs.end(), name) != row.programs.end();
    });
  };
  const auto node = named("node"), mocha = named("mocha"), rspec = named("rspec");
  ASSERT_TRUE(node != rows.end() && mocha != rows.end() && rspec != rows.end());
  EXPECT_EQ(mocha->files, node->files);
  EXPECT_EQ(mocha->valued, node->valued);
  EXPECT_EQ(mocha->add, "") << "what a row says of itself is its own";
  EXPECT_EQ(mocha->verb, "");
  EXPECT_NE(rspec->files, node->files) << "and of another file are its rows";
}

/// Lines or advice of one tool under a name that nothing explains would be shown without a sentence.
TEST(Toolchains, EverySignatureIsExplained) {
  std::set<std::string_view> names;
  for (const auto& row : config::toolchains().signatures) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.lines.empty()) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    ASSERT_FALSE(row.advice.empty()) << row.name;
    for (const auto& advice : row.advice)
      for (const auto tool : advice.tools) EXPECT_NE(config::find_ecosystem(tool), nullptr) << tool;
  }
}

TEST(Toolchains, RowsThatTakeBackComeBeforeRowsThatOnlyName) {
  const auto& rows = config::toolchains().protected_rows;
  const auto flagged = std::find_if(
      rows.begin(), rows.end(), [](const auto& row) { return row.on_change == config::RestoreAction::flag; });
  EXPECT_NE(flagged, rows.end());
  for (auto row = flagged; row != rows.end(); ++row)
    EXPECT_EQ(row->on_change, config::RestoreAction::flag) << row->patterns.front();
}

}  // namespace
}  // namespace hydra
