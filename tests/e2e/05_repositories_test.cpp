// Kinds of repositories: each one is raced as it is, or refused with a reason before anything starts.
#include "support/world.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

const std::string kAgent =
    "[scoring]\ntest_command = \"cat src/app.txt\"\n" +
    script_agent("good", "git rev-parse HEAD > src/base.txt; echo fine >> src/app.txt");

Json race_ok(const World& world, Words more = {}) {
  Words args{"--agents", "good"};
  args.insert(args.end(), more.begin(), more.end());
  args.emplace_back("task");
  const auto run = world.race(args);
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(results["winner"], "good");
  const auto good = agent_of(results, "good");
  EXPECT_EQ(good["state"], "completed");
  EXPECT_EQ(good["dimensions"]["tests"]["points"], 100.0);
  const std::string branch = good["branch"];
  EXPECT_EQ(world.show(branch, "src/base.txt"), results["base"].get<std::string>() + "\n");
  EXPECT_EQ(results["base"], world.git({"rev-parse", branch + "^"}));
  EXPECT_EQ(world.try_git({"fsck", "--no-dangling"}).exit, 0);
  return results;
}

// Refused: exit 1 or 2, a message with these words, and no race of any kind.
void expect_refused(const World& world, const std::string& words, const fs::path& directory = {}) {
  const auto run = world.hydra({"race", "--agents", "good", "task"},
                               {.input = {}, .directory = directory, .environment = {}});
  EXPECT_TRUE(run.exit == 1 || run.exit == 2) << run.exit << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr(words));
  EXPECT_EQ(world.list()["races"], Json::array());
}

TEST(Repository, PathWithSpacesQuotesAndUmlauts) {
  World world("my äpp's \"best\" $(project) [1]");
  world.project(kAgent);
  race_ok(world);
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\nfine\n");
}

TEST(Repository, FromASubdirectory) {
  World world;
  world.project(script_agent("good", "echo fine >> app.txt"));
  const auto run = world.race({"--agents", "good", "task"},
                              {.input = {}, .directory = world.repo() / "src", .environment = {}});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(world.show(agent_of(world.results(), "good")["branch"], "src/app.txt"),
            "one\ntwo\nthree\nfine\n");
}

TEST(Repository, WithoutACommitIsRefused) {
  World world;
  world.init();
  world.write("hydra.toml", kAgent);
  expect_refused(world, "commit");
}

TEST(Repository, NoneIsRefused) {
  World world;
  world.write("hydra.toml", kAgent);
  expect_refused(world, "git");
}

TEST(Repository, BareIsRefused) {
  World world;
  world.project(kAgent);
  const auto bare = world.root() / "bare.git";
  world.git({"clone", "-q", "--bare", ".", bare.string()});
  fs::create_directories(world.config_home() / "hydra");
  std::ofstream(world.config_home() / "hydra" / "config.toml", std::ios::app) << world.read("hydra.toml");
  expect_refused(world, "", bare);
}

TEST(Repository, BranchNamedHydraIsRefused) {
  World world;
  world.project(kAgent);
  world.git({"branch", "hydra"});
  expect_refused(world, "hydra");
}

TEST(Repository, DetachedHead) {
  World world;
  world.project(kAgent);
  world.write("later.txt", "later\n");
  world.commit("second");
  world.git({"checkout", "-q", "--detach", "HEAD~1"});
  EXPECT_EQ(race_ok(world)["base"], world.git({"rev-parse", "HEAD"}));
}

TEST(Repository, ShallowClone) {
  World world;
  world.project(kAgent);
  for (int i = 0; i < 3; ++i) world.commit("more");
  const auto clone = world.home() / "shallow";
  world.git({"clone", "-q", "--depth", "1", "file://" + world.repo().string(), clone.string()});
  world.set_repo(clone);
  race_ok(world);
  EXPECT_EQ(world.git({"rev-parse", "--is-shallow-repository"}), "true");
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
}

TEST(Repository, SparseCheckoutKeepsWhatIsNotThere) {
  World world;
  world.init();
  world.write("docs/guide.txt", "guide\n");
  world.project(kAgent);
  world.git({"sparse-checkout", "set", "src"});
  ASSERT_FALSE(fs::exists(world.repo() / "docs"));
  const auto results = race_ok(world);
  EXPECT_EQ(world.show(agent_of(results, "good")["branch"], "docs/guide.txt"), "guide\n");
  EXPECT_EQ(agent_of(results, "good")["diff"]["files_changed"], 2);
}

TEST(Repository, Sha256) {
  World world;
  world.init("sha256");
  world.project(kAgent);
  EXPECT_EQ(race_ok(world)["base"].get<std::string>().size(), 64u);
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
}

TEST(Repository, LinkedWorktreeOfTheUser) {
  World world;
  world.project(kAgent);
  const auto linked = world.home() / "linked";
  world.git({"worktree", "add", "-q", "-b", "feature", linked.string()});
  world.set_repo(linked);
  race_ok(world);
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\nfine\n");
  EXPECT_EQ(slurp(world.home() / "app/src/app.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(world.git({"symbolic-ref", "HEAD"}), "refs/heads/feature");
}

TEST(Repository, Submodule) {
  World world;
  const auto library = world.home() / "library";
  fs::create_directories(library);
  const auto app = world.repo();
  world.set_repo(library);
  world.init();
  world.write("lib.txt", "library\n");
  world.commit();
  world.set_repo(app);
  world.init();
  world.git({"submodule", "-q", "add", library.string(), "vendor-lib"});
  world.project(kAgent);
  const auto results = race_ok(world);
  EXPECT_EQ(agent_of(results, "good")["diff"]["files_changed"], 2);
  EXPECT_EQ(world.git({"ls-tree", agent_of(results, "good")["branch"], "vendor-lib"}),
            world.git({"ls-tree", "HEAD", "vendor-lib"}));
}

TEST(Repository, AutocrlfDoesNotMakeChanges) {
  World world;
  world.init();
  world.git({"config", "core.autocrlf", "true"});
  world.project(kAgent);
  world.git({"rm", "-q", "--cached", "src/app.txt"});
  fs::remove(world.repo() / "src/app.txt");
  world.write("src/app.txt", "one\r\ntwo\r\n");
  world.git({"add", "-A"});
  world.git({"commit", "-q", "-m", "line ends"});
  const auto results = race_ok(world);
  const auto good = agent_of(results, "good");
  EXPECT_EQ(good["diff"]["files_changed"], 2);
  EXPECT_EQ(good["diff"]["lines_removed"], 0);
  EXPECT_EQ(world.show(good["branch"], "src/app.txt"), "one\ntwo\nfine\n");
}

TEST(Repository, LinksAreFilesWhereTheCheckoutHasNone) {
  World world;
  world.init();
  world.git({"config", "core.symlinks", "false"});
  world.project("[scoring]\ntest_command = \"cat new.txt src/app.txt\"\n" +
                script_agent("good", "git rev-parse HEAD > src/base.txt; ln -s src/app.txt new.txt"));
  const auto results = race_ok(world);
  const auto good = agent_of(results, "good");
  EXPECT_THAT(world.git({"ls-tree", good["branch"], "new.txt"}), HasSubstr("120000"));
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
  EXPECT_EQ(world.git({"status", "--porcelain", "--", "new.txt"}), "");
}

TEST(Repository, HooksAndFiltersOfTheUserDoNotRunForResults) {
  World world;
  world.project(kAgent);
  for (const char* hook :
       {"post-checkout", "pre-commit", "post-commit", "reference-transaction", "post-index-change"})
    world.write(fs::path(".git/hooks") / hook,
                "#!/bin/sh\necho ran >> '" + (world.root() / "hooks-ran").string() + "'\n", true);
  race_ok(world);
  EXPECT_EQ(slurp(world.root() / "hooks-ran"), "");
}

TEST(Repository, DirtyFilesAreLeftOutAndSaidSo) {
  World world;
  world.project(kAgent);
  world.write("src/app.txt", "changed\n");
  world.write("new.txt", "new\n");
  const auto run = world.race({"--agents", "good", "task"});
  EXPECT_THAT(run.err, HasSubstr("--include-dirty"));
  const auto results = world.results();
  EXPECT_EQ(world.show(agent_of(results, "good")["branch"], "src/app.txt"), "one\ntwo\nthree\nfine\n");
  EXPECT_EQ(world.show(agent_of(results, "good")["branch"], "new.txt"), "");
}

TEST(Repository, IncludeDirtyStartsFromTheCheckoutAsItIs) {
  World world;
  const auto head = world.project(kAgent);
  world.write("src/app.txt", "changed\n");
  world.write("new.txt", "new\n");
  world.write("ignored/secret.txt", "ignored\n");
  const auto results = race_ok(world, {"--include-dirty"});
  EXPECT_NE(results["base"], head);
  EXPECT_EQ(world.git({"rev-parse", results["base"].get<std::string>() + "^"}), head);
  const std::string branch = agent_of(results, "good")["branch"];
  EXPECT_EQ(world.show(branch, "src/app.txt"), "changed\nfine\n");
  EXPECT_EQ(world.show(branch, "new.txt"), "new\n");
  EXPECT_EQ(world.show(branch, "ignored/secret.txt"), "");
  EXPECT_EQ(agent_of(results, "good")["diff"]["files_changed"], 2);
}

TEST(Repository, BaseIsAnyCommit) {
  World world;
  const auto first = world.project(kAgent);
  world.write("src/app.txt", "rewritten\n");
  world.commit("second");
  const auto results = race_ok(world, {"--base", "HEAD~1"});
  EXPECT_EQ(results["base"], first);
  EXPECT_EQ(world.show(agent_of(results, "good")["branch"], "src/app.txt"), "one\ntwo\nthree\nfine\n");
  for (const char* bad : {"no-such-ref", "--output=x", "HEAD\nx", ""}) {
    if (*bad == 0) continue;
    const auto run = world.hydra({"race", "--agents", "good", "--base=" + std::string(bad), "task"});
    EXPECT_TRUE(run.exit == 1 || run.exit == 2) << bad << run.out << run.err;
  }
}

TEST(Repository, TwoRacesAtOnceInOne) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("good", gate.script() + "; echo \"$1\" > src/task.txt"));
  const auto before = world.fingerprint();
  auto one = world.start({"race", "--agents", "good", "first"});
  auto two = world.start({"race", "--agents", "good", "second"});
  ASSERT_TRUE(gate.arrived(2));
  gate.open(2);
  EXPECT_EQ(one->wait().exit, 0) << one->err();
  EXPECT_EQ(two->wait().exit, 0) << two->err();
  EXPECT_TRUE(world.fingerprint() == before);
  for (auto* run : {one.get(), two.get()}) {
    const auto results = world.results(race_id({0, run->out(), {}}));
    EXPECT_EQ(world.show(agent_of(results, "good")["branch"], "src/task.txt"),
              results["task"].get<std::string>() + "\n");
  }
  EXPECT_EQ(world.git({"for-each-ref", "--format=x", "refs/heads/hydra"}), "x\nx");
}

TEST(Repository, GarbageCollectionOfTheUserDuringARace) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() +
                "\"]\n[scoring]\ntest_command = \"true\"\n" +
                script_agent("good", gate.script() +
                                         "; git log --oneline > src/log.txt; git add -A; git commit -qm x"));
  auto run = world.start({"race", "--agents", "good", "task"});
  ASSERT_TRUE(gate.arrived());
  world.git({"gc", "-q", "--prune=now"});
  gate.open();
  EXPECT_EQ(run->wait().exit, 0) << run->err();
  EXPECT_EQ(agent_of(world.results(), "good")["state"], "completed");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
