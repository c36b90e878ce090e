// Test runners and linters that a user describes in files of their own.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void write_format(const World& world, const std::string& name, const std::string& text) {
  fs::create_directories(world.config_home() / "hydra/formats");
  std::ofstream(world.config_home() / "hydra/formats" / name) << text;
}

Json parsed(const World& world, Words args, const std::string& log) {
  args.insert(args.begin(), "parse");
  const auto run = world.hydra(args, {.input = log, .directory = {}, .environment = {}});
  EXPECT_EQ(run.exit, 0) << run.err;
  return Json::parse(run.out);
}

TEST(UserFormats, DescribeALinterAndARunnerThatHydraDoesNotKnow) {
  World world;
  world.project("");
  const Words lint{"--kind", "lint", "--exit-code", "1"}, test{"--exit-code", "1"};
  const std::string findings = "!! src/a.zz @7 ~E12~ no such thing\n", summary = "zz: 3 green, 1 red\n";
  EXPECT_NE(parsed(world, lint, findings)["format"], "zzlint");
  EXPECT_NE(parsed(world, test, summary)["format"], "zztest");
  write_format(
      world, "zz.toml",
      "[lint.zzlint]\nfindings = [{ finding = '!! {file} @{line} ~{rule}~ {message}', by_code = true }]\n"
      "[tests.zztest]\nsummaries = [{ last = 'zz: {passed} green, {failed} red' }]\n");
  const auto checked = world.hydra({"config", "check"});
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("formats/zz.toml"));
  const auto found = parsed(world, lint, findings);
  EXPECT_EQ(found["format"], "zzlint");
  EXPECT_EQ(found["errors"], 1);
  EXPECT_THAT(found.dump(), HasSubstr("src/a.zz"));
  const auto counted = parsed(world, test, summary);
  EXPECT_EQ(counted["format"], "zztest");
  EXPECT_THAT(counted.dump(), HasSubstr("\"failed\":1"));
  EXPECT_THAT(world.hydra({"parse", "--list"}).out, HasSubstr("zztest"));
}

TEST(UserFormats, TakeThePlaceOfABuiltInFileOfTheirName) {
  World world;
  world.project("");
  const std::string log = " Total: 4\n Passed: 3\n Skipped: 0\n Duration: 5ms\n";
  EXPECT_EQ(parsed(world, {"--format", "uvu"}, log)["format"], "uvu");
  write_format(world, "uvu.toml", "[tests.uvu]\nsummaries = [{ last = 'uvu says {passed} of {ran}' }]\n");
  EXPECT_NE(parsed(world, {"--format", "uvu"}, log)["format"], "uvu");
  EXPECT_EQ(parsed(world, {"--format", "uvu"}, "uvu says 3 of 4\n")["format"], "uvu");
}

TEST(UserFormats, AMistakeIsToldWithFileLineAndKeyAndARepositoryHasNone) {
  World world;
  world.project("");
  // A format in the repository is not trusted, and not read.
  fs::create_directories(world.repo() / "formats");
  std::ofstream(world.repo() / "formats/evil.toml") << "[lint.evil\n";
  EXPECT_EQ(world.hydra({"config", "check"}).exit, 0);
  write_format(world, "mine.toml", "[lint.mine]\nfindings = [{ finding = '{file}' },\n  { fnding = 'x' }]\n");
  const auto run = world.hydra({"config", "check"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("formats/mine.toml:3:5"));
  EXPECT_THAT(run.err, HasSubstr("'fnding'"));
  EXPECT_THAT(run.err, Not(HasSubstr("evil")));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
