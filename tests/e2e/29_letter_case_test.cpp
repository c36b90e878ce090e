// File systems that take names of both letter cases for one (exfat, NTFS), below the user's checkout and
// below Hydra's state: nothing of the user's is lost, and a protected path has no second name.
#include "disk.hpp"
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

void commit_project(const World& world) {
  world.init();
  world.write(".gitignore", "node_modules/\n.env\n");
  world.write("readme.md", "hi\n");
  world.write("src/a", "one\n");
  world.write("tests/test.sh", "sh node_modules/tool/run.sh && echo 'ok 1 - first' && echo 1..1\n");
  world.write("hydra.toml",
              "[scoring]\ntest_command = \"sh tests/test.sh\"\n[workspace]\nshare = [\"node_modules\"]\n"
              "copy = [\".env\"]\n" +
                  script_agent("rename", "git mv readme.md README.md; echo two > src/a") +
                  script_agent("edit", "echo two > src/a") +
                  script_agent("twin", "echo loud > README.MD; echo two > src/a") +
                  script_agent("sly",
                               "mkdir -p .GIT/hooks Node_Modules/tool Tests; echo x > .GIT/hooks/pre-commit; "
                               "echo 'echo false' > Node_Modules/tool/run.sh; echo SECRET=theirs > .ENV; "
                               "echo 'echo ok 1 - first' > Tests/test.sh; echo two > src/a"));
  world.commit();
  world.write("node_modules/tool/run.sh", "echo the tool\n");
  world.write(".env", "SECRET=mine\n");
}

/// `renames`: a name can be given another letter case there (git goes by inodes, which exfat lacks).
void race_and_merge(Disk& disk, bool renames) {
  HYDRA_SKIP_LACKING(disk.lack);
  World world;
  world.set_repo(disk.path() / "app");
  fs::create_directories(world.repo());
  commit_project(world);
  ASSERT_EQ(world.git({"config", "core.ignorecase"}), "true");

  const auto run = world.race({"--agents", "rename,edit,twin,sly", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  const auto branch = [&](const std::string& agent) {
    return agent_of(results, agent)["branch"].get<std::string>();
  };
  EXPECT_EQ(world.show(branch("rename"), "README.md"), "hi\n");
  EXPECT_EQ(world.show(branch("rename"), "readme.md"), "");
  EXPECT_EQ(world.show(branch("twin"), "README.MD"), "loud\n");
  // No second name for git's directory, for what is shared, copied or ignored, or for a protected path.
  const auto sly = world.git({"ls-tree", "-r", "--name-only", branch("sly")});
  EXPECT_THAT(sly, AllOf(Not(HasSubstr(".GIT")), Not(HasSubstr("Node_Modules")), Not(HasSubstr(".ENV"))));
  EXPECT_THAT(run.out, HasSubstr("Tests/test.sh"));

  // Both names can't be in this checkout.
  for (const auto& [agent, words] : {std::pair{"twin", "README.MD"}, std::pair{"sly", "Tests/test.sh"}}) {
    const auto before = world.fingerprint();
    const auto refused = world.hydra({"merge", agent});
    EXPECT_EQ(refused.exit, 1) << refused.out << refused.err;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("would overwrite"), HasSubstr(words)));
    EXPECT_EQ(world.fingerprint(), before) << world.fingerprint().differs_from(before);
  }

  const auto before = world.fingerprint();
  if (!renames) {
    const auto refused = world.hydra({"merge", "rename"});
    EXPECT_EQ(refused.exit, 1) << refused.out << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("README.md"));
    EXPECT_EQ(world.fingerprint(), before) << world.fingerprint().differs_from(before);
  }
  const auto merged = world.hydra({"merge", renames ? "rename" : "edit"});
  EXPECT_EQ(merged.exit, 0) << merged.out << merged.err;
  EXPECT_EQ(world.read("README.md"), "hi\n");
  EXPECT_EQ(world.read("src/a"), "two\n");
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  EXPECT_THAT(world.git({"ls-files"}), HasSubstr(renames ? "README.md" : "readme.md"));
  EXPECT_FALSE(fs::exists(world.repo() / ".git/index.lock"));
  const auto undone = world.hydra({"merge", "--undo"});
  EXPECT_EQ(undone.exit, 0) << undone.out << undone.err;
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  EXPECT_EQ(world.fingerprint().head, before.head);
  EXPECT_EQ(world.read("readme.md"), "hi\n");
  EXPECT_EQ(world.read("node_modules/tool/run.sh"), "echo the tool\n");
  EXPECT_EQ(world.read(".env"), "SECRET=mine\n");
  world.finish();
}

TEST(LetterCase, ACheckoutWithoutLinksAndRights) {
  Disk disk;
  disk.exfat();
  race_and_merge(disk, false);
}

TEST(LetterCase, ACheckoutWithLinksAndRights) {
  Disk disk;
  disk.ntfs();
  race_and_merge(disk, true);
}

// A candidate's file could take another one's place in every check: said before an agent is paid for.
TEST(LetterCase, AStateDirectoryOnSuchADiskIsRefused) {
  Disk disk;
  disk.exfat();
  HYDRA_SKIP_LACKING(disk.lack);
  World world;
  world.set_environment("XDG_STATE_HOME", disk.path());
  commit_project(world);
  for (const Words& words : {Words{"race", "--agents", "twin", "task"}, Words{"check"},
                             Words{"race", "--sandbox", "off", "--agents", "twin", "task"}}) {
    const auto run = world.hydra(words);
    EXPECT_EQ(run.exit, 3) << run.out << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("letter case"), HasSubstr("XDG_STATE_HOME")));
  }
  const auto doctor = world.hydra({"doctor"});
  EXPECT_THAT(doctor.out, HasSubstr("takes names that differ in letter case only for one"));
  world.hydra({"daemon", "stop"});
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
