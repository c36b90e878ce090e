// hydra merge as people use it: undo, parts, parts of several results, words that are asked for, dirty
// checkouts, changed configuration, a daemon that is killed.
#include "storage/sum.hpp"
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <chrono>
#include <signal.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

class MergeVerb : public ::testing::Test {
 protected:
  /// a.txt is right when it says "right"; b.txt is a file of its own.
  void race(const std::string& left, const std::string& right, const Words& more = {}) {
    world.project("[scoring]\ntest_command = \"grep -q right src/a.txt && test -f src/b.txt\"\n" +
                  script_agent("left", left) + script_agent("right", right));
    start(more);
  }
  void start(const Words& more = {}) {
    Words args{"--agents", "left,right"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    const auto run = world.race(args);
    EXPECT_TRUE(run.exit == 0 || run.exit == 1) << run.out << run.err;
  }
  hydra::e2e::Run merge(Words args) const {
    args.insert(args.begin(), "merge");
    return world.hydra(args);
  }
  World world;
};

TEST_F(MergeVerb, UndoPutsTheBranchBackAndKeepsDirtyFiles) {
  race("echo right > src/a.txt", "echo other > src/c.txt");
  const auto before = world.git({"rev-parse", "HEAD"});
  const auto merged = merge({"left"});
  ASSERT_EQ(merged.exit, 0);
  EXPECT_THAT(merged.out, HasSubstr("Clean up: git branch -d hydra/left-"));
  EXPECT_EQ(merge({"left"}).exit, 0) << "again: nothing to do";
  world.write("README.md", "mine\n");
  const auto undone = merge({"--undo"});
  EXPECT_EQ(undone.exit, 0) << undone.out << undone.err;
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
  EXPECT_EQ(world.git({"status", "--porcelain"}), " M README.md");
  EXPECT_FALSE(fs::exists(world.repo() / "src/a.txt"));
  EXPECT_EQ(merge({"--undo"}).exit, 2) << "there is none any more";
  ASSERT_EQ(merge({"left"}).exit, 0);
  world.commit("built on it");
  const auto refused = merge({"--undo"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("git revert -m 1"));
}

TEST_F(MergeVerb, BeforeTheRaceEndsSaysThatItGoesOn) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  Gate gate(world.outside() / "gate");
  const auto out = world.outside().string();
  world.project("[race]\npreflight = \"never\"\n[sandbox]\nwrite = [\"" + out + "\"]\nread = [\"" + out +
                "\"]\n[scoring]\ntest_command = \"\"\"" + gate.script() + "\"\"\"\n" +
                script_agent("left", "echo right > src/a.txt"));
  const auto race = world.start({"race", "--agents", "left", "task"});
  ASSERT_TRUE(gate.arrived()) << race->out() << race->err();
  ASSERT_TRUE(machine::wait_until("the branch of the result", [&] {
    return !world.git({"branch", "--list", "hydra/*"}).empty();
  }));
  const auto merged = merge({"left", "--allow", "unchecked", "--yes"});
  EXPECT_EQ(merged.exit, 0) << merged.out << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("is still running: checks and verification may still change its order"));
  gate.open(8);
  EXPECT_EQ(race->wait().exit, 0);
}

// Alone in its race, a result that breaks what worked is first all the same.
TEST_F(MergeVerb, AWinnerThatOnlyBreaksTestsIsMergedByItsNameAlone) {
  world.project("[scoring]\ntest_command = \"grep -q two src/app.txt\"\n" +
                script_agent("left", "echo one > src/app.txt"));
  const auto run = world.race({"--agents", "left", "task"});
  EXPECT_THAT(run.out, HasSubstr("no evidence, and 1 test of the base broken"));
  const auto refused = merge({"--yes"});
  EXPECT_EQ(refused.exit, 1) << refused.out << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("left, breaks tests of the base, and none says that it is right"));
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\n");
  EXPECT_EQ(merge({"left", "--yes"}).exit, 0);
  EXPECT_EQ(world.read("src/app.txt"), "one\n");
}

// A store of many repositories: what is meant may be older than the newest thousand races of others.
TEST_F(MergeVerb, AThousandRacesOfAnotherRepositoryHideNothing) {
  race("echo right > src/a.txt", "true");
  world.kill_daemon();
  const auto other = (world.outside() / "other").string();
  world.git({"init", "-q", other});
  storage::know_sums();
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((world.state() / "hydra.db").c_str(), &db), SQLITE_OK);
  for (const auto& repository : {other, std::string("/gone")}) {
    const auto sql =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO races "
        "SELECT printf('" +
        repository.substr(1, 1) + "%d', i), 1, '" + repository +
        "', 't', '[\"left\"]', 'done', 'left' FROM n";
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  }
  sqlite3_close(db);
  const auto run = merge({"left"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_EQ(merge({"--undo"}).exit, 0);
}

TEST_F(MergeVerb, SingleFilesOfAResult) {
  race("echo right > src/a.txt; echo l > src/l.txt", "true");
  const auto run = merge({"left", "--parts", "src/l.txt"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(world.read("src/l.txt"), "l\n");
  EXPECT_FALSE(fs::exists(world.repo() / "src/a.txt"));
  const auto none = merge({"left", "--parts", "src/app.txt"});
  EXPECT_EQ(none.exit, 2);
  EXPECT_THAT(none.err, HasSubstr("src/app.txt"));
}

TEST_F(MergeVerb, PartsOfSeveralAreCheckedAndScoredBeforeTheyLand) {
  race("echo right > src/a.txt", "echo b > src/b.txt; echo junk > src/junk.txt");
  const auto before = world.git({"rev-parse", "HEAD"});
  const auto run = merge({"left:src/a.txt", "right:src/b.txt"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_EQ(world.read("src/b.txt"), "b\n");
  EXPECT_FALSE(fs::exists(world.repo() / "src/junk.txt"));
  const auto results = world.results();
  const auto combined = agent_of(results, "combined");
  EXPECT_EQ(results["winner"], "combined");
  EXPECT_EQ(combined["state"], "completed");
  EXPECT_EQ(combined["dimensions"]["tests"]["points"], 100.0);
  EXPECT_EQ(world.git({"rev-parse", "HEAD^1"}), before);
  EXPECT_EQ(world.show(combined["branch"], "src/b.txt"), "b\n");
  // A combined result that does not pass lands only by its name.
  const auto wrong = merge({"right:src/junk.txt", "left:src/a.txt"});
  const auto second = agent_of(world.results(), "combined-2");
  EXPECT_NE(second["dimensions"]["tests"]["points"], 100.0);
  EXPECT_EQ(merge({"left:nothing.txt"}).exit, 2);
  EXPECT_EQ(merge({"left:src/a.txt", "right"}).exit, 2);
}

TEST_F(MergeVerb, PartsThatTwoResultsChangeAreNamed) {
  race("echo right > src/a.txt; echo l > src/b.txt", "echo other > src/a.txt; rm src/app.txt");
  const auto before = world.fingerprint();
  const auto run = merge({"left:src", "right:src/a.txt"});
  EXPECT_NE(run.exit, 0);
  for (const char* word : {"left", "right", "src/a.txt"}) EXPECT_THAT(run.err, HasSubstr(word));
  EXPECT_EQ(world.results()["agents"].size(), 2u) << "no result is made of it";
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
  // A deletion is a part like any other.
  EXPECT_EQ(merge({"left:src", "right:src/app.txt"}).exit, 0);
  EXPECT_FALSE(fs::exists(world.repo() / "src/app.txt"));
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
}

// Between its capture and its checks: the next daemon checks it, and only then it lands.
TEST_F(MergeVerb, ADaemonThatIsKilledBeforeTheChecksOfACombinationLosesNothing) {
  Gate gate(world.outside() / "gate");
  const auto out = world.outside().string();
  world.project("[sandbox]\nread = [\"" + out +
                "\"]\n[scoring]\ntest_command = \"\"\"test ! -f src/b.txt || test ! -f src/a.txt || { " +
                gate.script() + "; }\"\"\"\n" + script_agent("left", "echo right > src/a.txt") +
                script_agent("right", "echo b > src/b.txt"));
  start();
  const std::string id = world.results()["race"];
  const auto before = world.git({"rev-parse", "HEAD"});
  auto merging = world.start({"merge", "left:src/a.txt", "right:src/b.txt"});
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon();
  merging->signal(SIGINT);
  merging->wait();
  gate.open(8);
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
  const auto watched = world.hydra({"watch", id});
  EXPECT_EQ(watched.exit, 0) << watched.out << watched.err;
  const auto combined = agent_of(world.results(id), "combined");
  EXPECT_EQ(combined["dimensions"]["tests"]["points"], 100.0) << combined.dump(1);
  EXPECT_EQ(merge({id + "/combined"}).exit, 0);
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_EQ(world.read("src/b.txt"), "b\n");
}

TEST_F(MergeVerb, FromAnotherWorkTreeOfTheRepositoryTheCheckoutIsNamed) {
  race("echo right > src/a.txt", "true");
  const auto beside = world.home() / "beside";
  world.git({"worktree", "add", "-q", "-b", "beside", beside.string()});
  HydraOptions there;
  there.directory = beside;
  const auto before = world.fingerprint();
  for (const Words& words : {Words{"merge", "left"}, Words{"merge", "--yes"}, Words{"merge", "--undo"},
                             Words{"merge", "left:src/a.txt"}}) {
    const auto run = world.hydra(words, there);
    EXPECT_NE(run.exit, 0) << words.back();
    EXPECT_THAT(run.err, HasSubstr(words.back() == "--undo" ? "nothing to undo" : world.repo().string()))
        << words.back();
  }
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
  EXPECT_EQ(merge({"left"}).exit, 0);
  const auto undo = world.hydra({"merge", "--undo"}, there);
  EXPECT_NE(undo.exit, 0);
  EXPECT_THAT(undo.err, HasSubstr(world.repo().string()));
  EXPECT_EQ(merge({"--undo"}).exit, 0);
  world.git({"worktree", "remove", "--force", beside.string()});
}

TEST_F(MergeVerb, PartsThatWereCombinedBeforeAreNotMadeAgain) {
  race("echo right > src/a.txt", "echo b > src/b.txt");
  const Words parts{"left:src/a.txt", "right:src/b.txt"};
  EXPECT_EQ(merge({parts[0], parts[1], "--dry-run"}).exit, 0);
  const auto again = merge({parts[0], parts[1], "--dry-run"});
  EXPECT_EQ(again.exit, 0) << again.err;
  // Nothing of the race before is told again.
  EXPECT_EQ(again.out.find("race done"), std::string::npos) << again.out;
  HydraOptions below;
  below.directory = world.repo() / "src";
  EXPECT_EQ(world.hydra({"merge", "left:a.txt", "right:b.txt"}, below).exit, 0);
  EXPECT_EQ(world.results()["agents"].size(), 3u);
  EXPECT_EQ(world.read("src/b.txt"), "b\n");
}

TEST_F(MergeVerb, PartsWhoseTestsFailNeedAWord) {
  race("echo right > src/a.txt; echo b > src/b.txt", "echo junk > src/junk.txt");
  const auto before = world.git({"rev-parse", "HEAD"});
  const auto refused = merge({"right:src/junk.txt", "left:src/a.txt"});
  EXPECT_EQ(refused.exit, 1) << refused.out;
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
  EXPECT_EQ(merge({"right:src/junk.txt", "left:src/a.txt", "--yes"}).exit, 0);
  EXPECT_NE(world.git({"rev-parse", "HEAD"}), before);
}

TEST_F(MergeVerb, WhatNeedsAWordIsRefusedWithThatWord) {
  race("mkdir -p .github/workflows; echo x > .github/workflows/ci.yml; ln -s /etc/passwd out", "true");
  const auto before = world.fingerprint();
  const auto run = merge({"left"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("--allow ci,symlinks"));
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
  const auto json = Json::parse(merge({"left", "--dry-run", "--json"}).out, nullptr, false);
  EXPECT_EQ(json["consent"][0]["kind"], "ci");
  EXPECT_EQ(json["consent"][1]["paths"], Json::array({"out"}));
  EXPECT_EQ(merge({"left", "--allow", "ci,symlinks"}).exit, 0);
}

TEST_F(MergeVerb, ConfigurationThatChangedSinceIsNamedAndAcceptedOrRepaired) {
  race("echo right > src/a.txt", "echo b > src/b.txt");
  world.git({"config", "core.sshCommand", "evil"});
  const auto run = merge({"left"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("core.sshcommand"));
  EXPECT_EQ(merge({"left", "--repair-changes"}).exit, 0);
  EXPECT_NE(world.try_git({"config", "core.sshCommand"}).exit, 0);
  world.git({"config", "core.sshCommand", "ssh -4"});
  EXPECT_EQ(merge({"right", "--accept-changes"}).exit, 0);
  EXPECT_EQ(world.git({"config", "core.sshCommand"}), "ssh -4");
}

TEST_F(MergeVerb, AResultOfADirtyCheckoutIntoThatCheckout) {
  world.project("[scoring]\ntest_command = \"grep -q wip src/app.txt\"\n" +
                script_agent("left", "echo done >> src/app.txt") + script_agent("right", "true"));
  world.write("src/app.txt", "wip\n");
  world.write("src/new.txt", "untracked\n");
  start({"--include-dirty"});
  const auto head = world.git({"rev-parse", "HEAD"});
  const auto run = merge({"left"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(world.read("src/app.txt"), "wip\ndone\n");
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  EXPECT_EQ(merge({"--undo"}).exit, 0);
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), head);
  EXPECT_EQ(world.read("src/app.txt"), "wip\n");
  EXPECT_EQ(world.git({"status", "--porcelain"}), " M src/app.txt\n?? src/new.txt");
}

TEST_F(MergeVerb, KilledInAHookOfTheUserNothingHasChangedAndTheNextOneLands) {
  race("echo right > src/a.txt", "true");
  Gate gate(world.root() / "gate");
  world.write(".git/hooks/commit-msg", "#!/bin/sh\n" + gate.script() + "\n", true);
  const auto before = world.fingerprint();
  auto started = world.start({"merge", "left", "--accept-changes"});
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon();
  gate.open();
  const auto told = started->wait();
  EXPECT_NE(told.exit, 0);
  EXPECT_THAT(told.err, HasSubstr("the daemon ended before it had answered"));
  EXPECT_THAT(told.err, HasSubstr("nothing is lost: run the same command again"));
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
  fs::remove(world.repo() / ".git/hooks/commit-msg");
  EXPECT_EQ(merge({"left", "--accept-changes"}).exit, 0);
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_FALSE(fs::exists(world.repo() / ".git/index.lock"));
}

// The branch has moved, the user's own hook still runs, and the daemon is told to stop: the merge is on
// record all the same.
TEST_F(MergeVerb, StoppedInTheLastHookTheMergeCanBeUndone) {
  race("echo right > src/a.txt", "true");
  Gate gate(world.root() / "gate");
  const auto before = world.git({"rev-parse", "HEAD"});
  world.write(".git/hooks/post-merge", "#!/bin/sh\n" + gate.script() + "\n", true);
  auto started = world.start({"merge", "left", "--accept-changes"});
  ASSERT_TRUE(gate.arrived());
  const auto daemons = world.daemons();
  ASSERT_EQ(daemons.size(), 1u);
  const auto socket = world.socket();
  ::kill(daemons.front(), SIGTERM);
  // Its loop is over once the socket is gone; it waits for the hook then.
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  while (fs::exists(socket) && std::chrono::steady_clock::now() < until) {
  }
  gate.open();
  started->wait();
  while (!world.daemons().empty() && std::chrono::steady_clock::now() < until) {
  }
  EXPECT_NE(world.git({"rev-parse", "HEAD"}), before);
  const auto undone = merge({"--undo", "--accept-changes"});
  EXPECT_EQ(undone.exit, 0) << undone.out << undone.err;
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
}

TEST_F(MergeVerb, OneThatIsFinishedByAskingAgainCanBeUndone) {
  race("echo right > src/a.txt", "true");
  const auto before = world.git({"rev-parse", "HEAD"});
  // The place of the new index is taken: the branch moves, the index can't.
  fs::create_directories(world.repo() / ".git/hydra-index.tmp/full");
  EXPECT_NE(merge({"left"}).exit, 0);
  EXPECT_NE(world.git({"rev-parse", "HEAD"}), before);
  fs::remove_all(world.repo() / ".git/hydra-index.tmp");
  const auto again = merge({"left"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  const auto undone = merge({"--undo"});
  EXPECT_EQ(undone.exit, 0) << undone.out << undone.err;
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), before);
}

TEST_F(MergeVerb, UndoTakesTheNewestMergeWhicheverRaceItIsOf) {
  race("echo right > src/a.txt", "echo b > src/b.txt");
  const std::string older = world.results()["race"];
  start();
  const std::string newer = world.results()["race"];
  ASSERT_NE(older, newer);
  ASSERT_EQ(merge({newer + "/left"}).exit, 0);
  const auto between = world.git({"rev-parse", "HEAD"});
  ASSERT_EQ(merge({older + "/right"}).exit, 0);
  const auto undone = merge({"--undo"});
  EXPECT_EQ(undone.exit, 0) << undone.err;
  EXPECT_EQ(world.git({"rev-parse", "HEAD"}), between);
  EXPECT_TRUE(fs::exists(world.repo() / "src/a.txt"));
  EXPECT_EQ(merge({"--undo"}).exit, 0);
  EXPECT_FALSE(fs::exists(world.repo() / "src/a.txt"));
}

TEST_F(MergeVerb, PartsAreNamedFromWhereOneStands) {
  race("echo right > src/a.txt; echo l > src/l.txt", "true");
  HydraOptions options;
  options.directory = world.repo() / "src";
  const auto run = world.hydra({"merge", "left", "--parts", "l.txt"}, options);
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(world.read("src/l.txt"), "l\n");
  EXPECT_FALSE(fs::exists(world.repo() / "src/a.txt"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
