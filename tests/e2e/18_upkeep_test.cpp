// Upkeep after a race: what is kept, what may go and comes back.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Json clean_items(const World& world, const Words& more) {
  Words args{"clean", "--json"};
  args.insert(args.end(), more.begin(), more.end());
  return Json::parse(world.hydra(args).out)["items"];
}

// Items of one kind, by agent or race.
std::set<std::string> going(const Json& items, const std::string& kind) {
  std::set<std::string> names;
  for (const auto& item : items)
    if (item["kind"] == kind && item["kept"] == "")
      names.insert(kind == "race" ? item["race"] : item["agent"]);
  return names;
}

class Clean : public ::testing::Test {
 protected:
  std::string finished_race(const std::string& script = "echo fine >> src/app.txt; echo secret > x.log",
                            const Words& more = {}) {
    world.project(script_agent("a", script));
    Words args{"--agents", "a", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    EXPECT_NE(world.race(args).exit, -1);
    return world.results()["race"];
  }
  [[nodiscard]] fs::path dir(const std::string& race) const { return world.state() / "races" / race; }
  World world;
};

TEST_F(Clean, ShowsFirstAndRemovesOnlyWhenAsked) {
  const auto race = finished_race();
  for (const Words& words : {Words{"clean"}, Words{"clean", "--dry-run", "--yes"}}) {
    const auto run = world.hydra(words);
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("workspace of a"));
    EXPECT_TRUE(fs::exists(dir(race) / "work/a"));
  }
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(dir(race) / "work/a"));
  // The capture is within its keep time.
  EXPECT_TRUE(fs::exists(dir(race) / "store"));
  EXPECT_EQ(world.hydra({"diff", "a"}).exit, 0);
}

TEST_F(Clean, UndoMakesTheWorkspaceAgain) {
  const auto race = finished_race();
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  const auto run = world.hydra({"clean", "--undo", race});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(slurp(dir(race) / "work/a/src/app.txt"), "one\ntwo\nthree\nfine\n");
}

TEST_F(Clean, AgesDecide) {
  const auto race = finished_race();
  EXPECT_TRUE(going(clean_items(world, {"--older-than", "7d", "--keep", "0"}), "workspace").empty());
  EXPECT_TRUE(going(clean_items(world, {"--older-than", "7d", "--keep", "0"}), "race").empty());
  EXPECT_TRUE(going(clean_items(world, {"--keep", "1h"}), "race").empty());
  EXPECT_EQ(going(clean_items(world, {"--keep", "0"}), "race"), std::set<std::string>{race});
  EXPECT_EQ(going(clean_items(world, {}), "workspace"), std::set<std::string>{"a"});
}

TEST_F(Clean, AfterTheKeepTimeEverythingOfItGoesButTheBranch) {
  const auto race = finished_race();
  const std::string branch = agent_of(world.results(), "a")["branch"];
  EXPECT_EQ(world.hydra({"clean", race, "--yes", "--keep", "0"}).exit, 0);
  EXPECT_FALSE(fs::exists(dir(race)));
  EXPECT_EQ(world.git({"for-each-ref", "refs/hydra"}), "");
  EXPECT_EQ(world.show(branch, "src/app.txt"), "one\ntwo\nthree\nfine\n");
  EXPECT_EQ(world.results(race)["race"], race);  // what was measured stays
  EXPECT_NE(world.hydra({"clean", "--undo", race}).exit, 0);
}

TEST_F(Clean, WhatIsNotCapturedStays) {
  const auto race = finished_race();
  std::ofstream(dir(race) / "work/a/later.txt") << "typed after the race\n";
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  EXPECT_EQ(slurp(dir(race) / "work/a/later.txt"), "typed after the race\n");
  EXPECT_TRUE(fs::exists(dir(race) / "store"));
}

TEST_F(Clean, CommitsOnAnotherBranchOfTheAgentStay) {
  world.project(script_agent("a",
                             "git checkout -q -b side; echo more > src/more.txt; git add -A; "
                             "git -c user.name=a -c user.email=a@example.org commit -qm more; "
                             "git checkout -q -; echo fine >> src/app.txt"));
  const auto run = world.race({"--agents", "a", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("commits on its own branch side are in no result"));
  const std::string race = world.results()["race"];
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  EXPECT_TRUE(fs::exists(dir(race) / "work/a")) << "with its commits";
  const auto gone = world.hydra({"clean", race, "--yes", "--keep", "0", "--uncaptured"});
  EXPECT_EQ(gone.exit, 0) << gone.err;
  EXPECT_THAT(gone.out, HasSubstr("the commits of the agent's own branch side"));
}

TEST_F(Clean, WhatIsNotCapturedGoesByTheRacesNameAndAWordAndIsShownFirst) {
  const auto race = finished_race();
  std::ofstream(dir(race) / "work/a/later.txt") << "typed after the race\n";
  EXPECT_EQ(world.hydra({"clean", race, "--yes", "--keep", "0"}).exit, 0);
  EXPECT_TRUE(fs::exists(dir(race) / "work/a/later.txt"));
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0", "--uncaptured"}).exit, 2);
  EXPECT_TRUE(fs::exists(dir(race) / "work/a/later.txt"));
  const auto gone = world.hydra({"clean", race, "--yes", "--keep", "0", "--uncaptured"});
  EXPECT_EQ(gone.exit, 0) << gone.err;
  EXPECT_THAT(gone.out, HasSubstr("lost with it: it was changed after its capture"));
  EXPECT_FALSE(fs::exists(dir(race)));
}

TEST_F(Clean, ARunningRaceIsNotTouched) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nread = [\"" + world.outside().string() + "\"]\n" +
                script_agent("a", gate.script() + "; echo fine >> src/app.txt"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  ASSERT_TRUE(gate.arrived());
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  EXPECT_TRUE(fs::exists(dir(race) / "work/a"));
  gate.open();
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  EXPECT_EQ(agent_of(world.results(race), "a")["state"], "completed");
}

TEST_F(Clean, NothingBehindALinkIsTouched) {
  const auto target = world.outside() / "precious";
  fs::create_directories(target);
  std::ofstream(target / "file") << "mine\n";
  const auto race = finished_race("echo fine >> src/app.txt");
  // As an agent without a sandbox could: the directory of workspaces leads elsewhere.
  fs::rename(dir(race) / "work", dir(race) / "work.old");
  fs::create_directories(target / "a");
  fs::create_directory_symlink(target, dir(race) / "work");
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  EXPECT_EQ(slurp(target / "file"), "mine\n");
  EXPECT_TRUE(fs::exists(target / "a"));
}

TEST_F(Clean, DirectoriesThatNoRecordNamesAreShownOnly) {
  finished_race();
  fs::create_directories(world.state() / "races" / "zzzzzzzzzz");
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  EXPECT_TRUE(fs::exists(world.state() / "races" / "zzzzzzzzzz"));
  fs::remove(world.state() / "races" / "zzzzzzzzzz");
}

TEST_F(Clean, DiskUseIsShownAndLimited) {
  const auto race = finished_race();
  Json listed;
  do listed = world.list()["races"][0];
  while (!listed.contains("disk_bytes"));  // measured in the background
  EXPECT_GT(listed["disk_bytes"], 4096);
  EXPECT_GT(world.status(race)["disk_bytes"], 4096);
  world.write("hydra.toml", "[limits]\ndisk_gib = 0.00001\n" + script_agent("a", "true"));
  const auto refused = world.hydra({"race", "--agents", "a", "task"});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_THAT(refused.err, HasSubstr("disk_gib"));
  EXPECT_THAT(refused.err, HasSubstr("hydra clean"));
}

TEST_F(Clean, WhatTheCaptureLeftOutAsTooLargeStays) {
  world.project(script_agent("a", "echo fine >> src/app.txt; truncate -s 513M model.bin"));
  EXPECT_NE(world.race({"--agents", "a", "task"}).exit, -1);
  const std::string race = world.results()["race"];
  const auto run = world.hydra({"clean", "--yes", "--keep", "0"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(fs::exists(dir(race) / "work/a/model.bin"));
  EXPECT_THAT(run.out, HasSubstr("model.bin"));
}

TEST_F(Clean, AnEarlierWorkspaceWithWorkInItStays) {
  const auto race = finished_race();
  fs::copy(dir(race) / "work/a", dir(race) / "work/a.old-1-0", fs::copy_options::recursive);
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  EXPECT_EQ(slurp(dir(race) / "work/a.old-1-0/src/app.txt"), "one\ntwo\nthree\nfine\n");
  EXPECT_FALSE(fs::exists(dir(race) / "work/a"));
}

TEST_F(Clean, AWholeRaceComesBackWithinItsKeepTime) {
  const auto race = finished_race();
  const auto run = world.hydra({"clean", race, "--yes", "--keep", "0.001"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_FALSE(fs::exists(dir(race)));
  EXPECT_EQ(world.hydra({"diff", "a"}).exit == 0, false);
  EXPECT_NE(world.hydra({"retry", race + "/a"}).exit, 0);
  const auto back = world.hydra({"clean", "--undo", race});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_EQ(slurp(dir(race) / "work/a/src/app.txt"), "one\ntwo\nthree\nfine\n");
  EXPECT_EQ(world.hydra({"diff", "a"}).exit, 0);
  EXPECT_EQ(world.hydra({"merge", "a"}).exit, 0);
  // For good, from there too.
  EXPECT_EQ(world.hydra({"clean", race, "--yes", "--keep", "0.001"}).exit, 0);
  EXPECT_EQ(world.hydra({"clean", race, "--yes", "--keep", "0"}).exit, 0);
  EXPECT_FALSE(fs::exists(world.state() / "removed" / race));
  EXPECT_EQ(world.git({"for-each-ref", "refs/hydra"}), "");
  EXPECT_NE(world.hydra({"clean", "--undo", race}).exit, 0);
}

TEST_F(Clean, SizesDecide) {
  finished_race("echo fine >> src/app.txt; head -c 3000000 /dev/urandom > big.bin");
  EXPECT_TRUE(going(clean_items(world, {"--larger-than", "1G"}), "workspace").empty());
  EXPECT_EQ(going(clean_items(world, {"--larger-than", "2M"}), "workspace"), std::set<std::string>{"a"});
  EXPECT_EQ(world.hydra({"clean", "--larger-than", "much"}).exit, 2);
}

TEST_F(Clean, AgesAndSizesHoldForTemplatesAndTrashToo) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project("[scoring]\nbuild_command = \"true\"\ntest_command = \"true\"\n" +
                script_agent("a", "echo fine >> src/app.txt"));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  const auto plan = [&](const Words& more) {
    Words args{"clean", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return Json::parse(world.hydra(args).out);
  };
  ASSERT_EQ(plan({})["templates"].size(), 1u);
  EXPECT_EQ(plan({"--older-than", "7d"})["templates"], Json::array());
  EXPECT_EQ(plan({"--larger-than", "1G"})["templates"], Json::array());
  // The trash is emptied when no race runs: the name is looked at in whichever plan still has it.
  fs::create_directories(world.state() / "trash" / "old");
  for (auto all = plan({"--older-than", "7d"}); const auto& item : all["items"])
    if (item["kind"] == "trash") {
      EXPECT_EQ(item["kept"], "too young");
    }
  EXPECT_EQ(world.hydra({"clean", "--yes", "--older-than", "7d"}).exit, 0);
  EXPECT_EQ(plan({})["templates"].size(), 1u);
}

TEST_F(Clean, UndoSaysWhenThereIsNothingToBringBack) {
  const auto race = finished_race();
  const auto none = world.hydra({"clean", "--undo", race});
  EXPECT_EQ(none.exit, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("nothing to bring back"));
  HydraOptions outside;
  outside.directory = world.home();
  EXPECT_EQ(world.hydra({"clean", "--undo"}, outside).exit, 2);
}

// A race that is gone for good can't be restored: no message names `--undo`.
TEST_F(Clean, WhatIsGoneForGoodIsNoCaseForUndo) {
  const auto race = finished_race();
  fs::create_directories(world.state() / "trash" / "old");
  EXPECT_THAT(world.hydra({"clean"}).out, ::testing::ContainsRegex("MB +0 h +trash: "));
  EXPECT_EQ(world.hydra({"clean", "--yes", "--keep", "0"}).exit, 0);
  ASSERT_FALSE(fs::exists(dir(race)));
  for (const auto& words :
       {Words{"retry", "a"}, Words{"merge", "a"}, Words{"diff", "a"}, Words{"merge", "--repair-only"}}) {
    const auto run = world.hydra(words);
    EXPECT_NE(run.exit, 0) << words[0];
    EXPECT_THAT(run.err, Not(HasSubstr("--undo"))) << words[0];
  }
}

TEST_F(Clean, WhatCanComeBackIsSaid) {
  const auto race = finished_race();
  EXPECT_EQ(world.hydra({"clean", "--yes", race}).exit, 0);
  EXPECT_THAT(world.hydra({"retry", "a"}).err, HasSubstr("hydra clean --undo " + race));
}

// No undo brings back what no capture has: whoever agrees to the plan is told of it first.
TEST_F(Clean, NamesWhatWasNeverCaptured) {
  world.project(script_agent("a", "echo fine >> src/app.txt; echo data > result.log; mkfifo pipe") +
                script_agent("same", "echo data > result.log"));
  const auto run = world.race({"--agents", "a,same", "task"});
  EXPECT_THAT(run.out,
              HasSubstr("same: changed nothing but what is left out: result.log (ignored by the base)"));
  EXPECT_THAT(run.out, HasSubstr("a: left out: pipe (not a file), result.log 5 B (ignored by the base)"));
  EXPECT_THAT(run.out, HasSubstr("same: changed only what is left out: result.log 5 B"));
  EXPECT_THAT(world.hydra({"status"}).out, HasSubstr("left out of a: pipe (not a file), result.log 5 B"));
  const auto plan = world.hydra({"clean", "--dry-run"});
  EXPECT_THAT(plan.out, HasSubstr("never captured: pipe (not a file), result.log 5 B (ignored by the base)"));
  const auto all = Json::parse(world.hydra({"clean", "--json"}).out);
  const auto same = std::find_if(all["items"].begin(), all["items"].end(),
                                 [](const Json& item) { return item["agent"] == "same"; });
  ASSERT_NE(same, all["items"].end()) << all.dump(1);
  EXPECT_EQ((*same)["left_out"][0]["path"], "result.log");
}

// A race that comes up between the question and the answer was not agreed to.
TEST_F(Clean, OnlyWhatWasShownGoes) {
  const auto shown = finished_race();
  auto asked = world.start_on_terminal({"clean"});
  ASSERT_TRUE(asked->wait_text("Remove them?"));
  EXPECT_NE(world.race({"--agents", "a", "another"}).exit, -1);
  const std::string later = world.results()["race"];
  ASSERT_NE(shown, later);
  asked->type("y\n");
  EXPECT_EQ(asked->wait().exit, 0);
  EXPECT_FALSE(fs::exists(dir(shown) / "work/a"));
  EXPECT_TRUE(fs::exists(dir(later) / "work/a"));
}

// The comparison with the capture takes its time in a filter of the user's: nothing else begins meanwhile.
TEST_F(Clean, NothingBeginsInARaceThatIsBeingCleaned) {
  Gate gate(world.outside() / "gate");
  const auto flag = world.outside() / "wait";
  world.init();
  world.git({"config", "filter.slow.clean",
             "if test -e '" + flag.string() + "'; then " + gate.script() + "; fi; cat"});
  world.write(".gitattributes", "*.txt filter=slow\n");
  const auto race = finished_race();
  std::ofstream(flag) << "now\n";
  auto cleaning = world.start({"clean", race, "--yes"});
  ASSERT_TRUE(gate.arrived());
  for (const Words& words :
       {Words{"retry", race + "/a"}, Words{"clean", "--undo", race}, Words{"verify", race}}) {
    const auto run = world.hydra(words);
    EXPECT_NE(run.exit, 0) << words.front();
    EXPECT_THAT(run.err, HasSubstr("is being cleaned")) << words.front();
  }
  fs::remove(flag);
  gate.open();
  EXPECT_EQ(cleaning->wait().exit, 0);
  EXPECT_FALSE(fs::exists(dir(race) / "work/a"));
}

TEST_F(Clean, ARaceThatIsVerifiedStays) {
  Gate gate(world.outside() / "gate");
  const auto flag = world.outside() / "wait";
  world.project("[sandbox]\nread = [\"" + world.outside().string() +
                "\"]\n[scoring]\nbuild_command = \"test ! -e " + flag.string() + " || { " + gate.script() +
                "; }\"\n" + script_agent("a", "echo fine >> src/app.txt"));
  EXPECT_NE(world.race({"--agents", "a", "task"}).exit, -1);
  const std::string race = world.results()["race"];
  std::ofstream(flag) << "now\n";
  auto verifying = world.start({"verify", race});
  ASSERT_TRUE(gate.arrived());
  const auto run = world.hydra({"clean", race, "--yes", "--keep", "0"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("a verification reads it"));
  EXPECT_TRUE(fs::exists(dir(race) / "store"));
  fs::remove(flag);
  gate.open(4);
  verifying->wait();
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
