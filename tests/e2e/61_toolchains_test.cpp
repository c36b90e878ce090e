// Build tools that a user describes in files of their own.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void write_toolchain(const World& world, const std::string& name, const std::string& text) {
  fs::create_directories(world.config_home() / "hydra/toolchains");
  std::ofstream(world.config_home() / "hydra/toolchains" / name) << text;
}

constexpr const char* kZz = R"(
[[ecosystems]]
name = 'zz'
markers = ['zz.build']

[[caches]]
name = 'zz'
directory = '.cache/zz'

[[protected]]
kind = 'tests'
patterns = ['zz.rules']

[[signatures]]
name = 'zz-not-fetched'
lines = ['zz: no parcel called']
meaning = 'zz has not fetched its parcels'
advice = '[workspace] setup = "zz fetch"'

[[proposals]]
found_by = ['zz.build']
test = [{ run = 'sh zz-tests.sh --rules', when = ['zz.rules'] }, 'sh zz-tests.sh']
outputs = [{ path = 'zz-out', why = 'what zz builds' }]
)";

TEST(UserToolchains, InitProposesForAToolThatHydraDoesNotKnow) {
  World world;
  world.init();
  world.write("zz.build", "parcels\n");
  world.write("zz.rules", "strict\n");
  world.commit();
  write_toolchain(world, "zz.toml", kZz);
  const auto init = world.hydra({"init", "--no-check"});
  ASSERT_EQ(init.exit, 0) << init.out << init.err;
  const auto proposed = world.read("hydra.toml");
  EXPECT_THAT(proposed, HasSubstr("test_command = \"sh zz-tests.sh --rules\"   # from zz.rules"));
  EXPECT_THAT(proposed, HasSubstr("outputs = [\"zz-out\"]"));
  world.write("hydra.toml", proposed + "\n");
  const auto checked = world.hydra({"config", "check"});
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("toolchains/zz.toml"));
}

TEST(UserToolchains, ItsCacheIsKnownByName) {
  World world;
  world.project("[workspace]\ncaches = [\"zz\"]\n");
  EXPECT_EQ(world.hydra({"config", "check"}).exit, 2);
  write_toolchain(world, "zz.toml", kZz);
  const auto checked = world.hydra({"config", "check"});
  EXPECT_EQ(checked.exit, 0) << checked.err;
}

TEST(UserToolchains, TheDaemonProtectsItsFilesAndGivesItsAdvice) {
  World world;
  world.init();
  world.write("zz.build", "parcels\n");
  world.write("zz.rules", "strict\n");
  world.write("run.sh", "grep -q strict zz.rules || exit 0\necho 'zz: no parcel called demo'\nexit 1\n");
  world.write("hydra.toml", "[scoring]\ntest_command = \"sh run.sh\"\n[race]\npreflight = \"never\"\n" +
                                script_agent("loose", "echo loose >zz.rules; echo x >new.txt"));
  world.commit();
  write_toolchain(world, "zz.toml", kZz);
  const auto run = world.race({"--agents", "loose", "task"});
  const auto results = world.results().dump();
  // With its own rules the candidate would pass.
  EXPECT_THAT(results, HasSubstr("zz-not-fetched")) << run.out << run.err;
  EXPECT_THAT(results, HasSubstr("zz.rules"));
}

TEST(UserToolchains, AMistakeIsToldWithFileLineAndKeyAndARepositoryHasNone) {
  World world;
  world.project("");
  // A toolchain in the repository is not trusted, and not read.
  fs::create_directories(world.repo() / "toolchains");
  std::ofstream(world.repo() / "toolchains/evil.toml") << "[[protected]\n";
  EXPECT_EQ(world.hydra({"config", "check"}).exit, 0);
  write_toolchain(world, "mine.toml", "[[caches]]\nname = 'a'\ndirectory = '.a'\nhiden = ['key']\n");
  const auto run = world.hydra({"config", "check"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("toolchains/mine.toml:4:1"));
  EXPECT_THAT(run.err, HasSubstr("'hiden'"));
  EXPECT_THAT(run.err, Not(HasSubstr("evil")));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
