// Each program that the tests start comes with a package of ./dev, or a test that lacks it is skipped by
// name.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

namespace hydra {
namespace {

std::string text_of(const std::string& path) { return read_file(path, 8u << 20).value_or(""); }

/// All tests, for the names in HYDRA_NEEDS and of skips.
std::string texts_of_tests() {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(places::source("/tests")))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      all += text_of(entry.path());
  return all;
}

TEST(Programs, AreInstalledOrAskedFor) {
  const auto dev = text_of(places::source("/dev"));
  const auto lists =
      dev.substr(dev.find("build_packages=("), dev.find("lint_packages=(") - dev.find("build_packages=("));
  const auto tests = texts_of_tests();
  int programs = 0;
  const auto recorded = text_of(places::golden("/programs.txt"));
  for (const auto line : lines(recorded)) {
    const auto words = split(line, ' ');
    ASSERT_EQ(words.size(), 3U) << line;
    const std::string program(words[0]), package(words[1]), brought_by(words[2]);
    const auto name = program.substr(program.rfind('/') + 1);
    ++programs;
    if (brought_by == "base") continue;
    const auto asked_for = [&](const std::string& what) {
      return tests.find("\"" + what + "\"") != std::string::npos ||
             tests.find("no " + what) != std::string::npos;
    };
    if (brought_by == "optional")
      EXPECT_TRUE(asked_for(name) || asked_for(package))
          << program << ": no test is skipped where it is missing; name it in HYDRA_NEEDS, or in ./dev";
    else
      EXPECT_NE(lists.find(brought_by), std::string::npos)
          << program << ": ./dev does not install " << brought_by;
  }
  EXPECT_GT(programs, 50);
}

}  // namespace
}  // namespace hydra
