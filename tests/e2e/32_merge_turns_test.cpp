// Merges that hang, and repositories that are not where they were: other repositories never wait, nothing is
// lost, and what to do is said.
#include "support/world.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class TwoRepositories : public ::testing::Test {
 protected:
  /// Runs the same race in the repositories `first` and `second`; ends in `first`.
  void races(const std::string& left = "echo right > src/a.txt") {
    first = world.repo();
    second = world.home() / "other";
    fs::create_directories(second);
    for (const auto& repo : {second, first}) {
      world.set_repo(repo);
      world.project(script_agent("left", left) + script_agent("right", "echo r > src/r.txt"));
      if (repo == first) before_race();
      const auto run = world.race({"--agents", "left,right", "task"});
      EXPECT_TRUE(run.exit == 0 || run.exit == 1) << run.out << run.err;
    }
  }
  virtual void before_race() {}
  hydra::e2e::Run in(const fs::path& repo, const Words& args) {
    HydraOptions options;
    options.directory = repo;
    return world.hydra(args, options);
  }
  std::string head(const fs::path& repo) {
    const auto run = world.try_git({"rev-parse", "HEAD"}, repo);
    EXPECT_EQ(run.exit, 0);
    return run.out;
  }
  /// A merge of `left` in `first` that stands at the gate in one of the user's hooks.
  auto hanging_merge(const std::string& hook) {
    world.write(".git/hooks/" + hook, "#!/bin/sh\n" + gate.script() + "\n", true);
    return world.start({"merge", "left", "--accept-changes"});
  }
  /// Sends a whole request to the daemon, and closes without waiting for the answer.
  void call_and_leave(const std::string& path, const std::string& body) {
    const int fd = world.connect();
    const auto request = "POST " + path + " HTTP/1.1\r\nHost: hydra\r\nContent-Type: application/json\r\n" +
                         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    EXPECT_EQ(::send(fd, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
    ::close(fd);
  }
  World world;
  Gate gate{world.root() / "gate"};
  fs::path first, second;
};

TEST_F(TwoRepositories, AHookThatHangsHoldsUpItsOwnRepositoryOnly) {
  races();
  const auto before = head(first);
  auto hanging = hanging_merge("commit-msg");
  ASSERT_TRUE(gate.arrived());
  // Commands that only look answer in both repositories.
  EXPECT_EQ(in(first, {"merge", "right", "--dry-run", "--accept-changes"}).exit, 0);
  EXPECT_EQ(in(first, {"clean", "-n"}).exit, 0);
  EXPECT_EQ(in(first, {"merge", "--undo", "--dry-run"}).exit, 2) << "there is none yet";
  // The other one goes on.
  const auto other = in(second, {"merge", "left"});
  EXPECT_EQ(other.exit, 0) << other.err;
  EXPECT_EQ(slurp(second / "src/a.txt"), "right\n");
  EXPECT_EQ(in(second, {"merge", "--undo"}).exit, 0);
  const auto cleaned = in(second, {"clean", "--yes"});
  EXPECT_EQ(cleaned.exit, 0) << cleaned.err;
  EXPECT_THAT(cleaned.out, HasSubstr("stays: the merge of "));
  EXPECT_THAT(cleaned.out, HasSubstr("workspace of left"));
  // A second one there waits, and says for what.
  auto waiting = world.start_on_terminal({"merge", "right", "--accept-changes"});
  EXPECT_TRUE(waiting->wait_text("waits for the merge of ")) << waiting->out();
  // The end of the daemon does not wait for the hook, and the hook does not outlive it.
  const auto stopped = in(second, {"daemon", "stop"});
  EXPECT_EQ(stopped.exit, 0) << stopped.err;
  EXPECT_NE(hanging->wait().exit, 0);
  EXPECT_NE(waiting->wait().exit, 0);
  for (const auto pid : processes_with((world.root() / "gate").string()))
    ADD_FAILURE() << "left: " << describe_process(pid);
  EXPECT_EQ(head(first), before);
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  // And after it.
  fs::remove(first / ".git/hooks/commit-msg");
  const auto again = in(first, {"merge", "left", "--accept-changes"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_EQ(in(first, {"merge", "--undo"}).exit, 0);
  EXPECT_EQ(head(first), before);
}

TEST_F(TwoRepositories, WhoWaitedGoesOnWhenTheHookEnds) {
  races();
  auto first_one = hanging_merge("commit-msg");
  ASSERT_TRUE(gate.arrived());
  auto second_one = world.start_on_terminal({"merge", "right", "--accept-changes"});
  EXPECT_TRUE(second_one->wait_text("waits for the merge of ")) << second_one->out();
  gate.open();
  ASSERT_TRUE(gate.arrived()) << "its own turn at the hook";
  gate.open();
  EXPECT_EQ(first_one->wait().exit, 0) << first_one->err();
  EXPECT_EQ(second_one->wait().exit, 0) << second_one->out();
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  EXPECT_EQ(world.read("src/r.txt"), "r\n");
}

TEST_F(TwoRepositories, WhoGaveUpWaitingHasNothingMerged) {
  races();
  const auto before = head(first);
  auto hanging = hanging_merge("commit-msg");
  ASSERT_TRUE(gate.arrived());
  // A client sends what `hydra merge right` sends, and then ends as by Ctrl-C.
  call_and_leave("/v1/merge", json{{"target", "right"},
                                   {"directory", first.string()},
                                   {"expected_ref", world.git({"symbolic-ref", "HEAD"})},
                                   {"accept_changes", true}}
                                  .dump());
  gate.open(2);
  EXPECT_EQ(hanging->wait().exit, 0) << hanging->err();
  // Behind it in the line, so that its turn has been: what it takes back is the first one.
  const auto undone = in(first, {"merge", "--undo", "--accept-changes"});
  EXPECT_EQ(undone.exit, 0) << undone.err;
  EXPECT_EQ(head(first), before);
  EXPECT_FALSE(fs::exists(first / "src/r.txt"));
}

TEST_F(TwoRepositories, APostMergeThatHangsDoesNotKeepTheDaemonAndTheMergeIsOnRecord) {
  races();
  const auto before = head(first);
  auto hanging = hanging_merge("post-merge");
  ASSERT_TRUE(gate.arrived());
  EXPECT_EQ(in(second, {"daemon", "stop"}).exit, 0);
  hanging->wait();
  for (const auto pid : processes_with((world.root() / "gate").string()))
    ADD_FAILURE() << "left: " << describe_process(pid);
  EXPECT_NE(head(first), before);
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  const auto undone = in(first, {"merge", "--undo", "--accept-changes"});
  EXPECT_EQ(undone.exit, 0) << undone.err;
  EXPECT_EQ(head(first), before);
}

class SlowFilter : public TwoRepositories {
 protected:
  void before_race() override {
    world.write(".gitattributes", "*.dat filter=slow\n");
    world.git({"add", ".gitattributes"});
    world.git({"commit", "-q", "-m", "attributes"});
    world.git({"config", "filter.slow.smudge",
               "if test -e '" + flag().string() + "'; then " + gate.script() + "; fi; cat"});
    world.git({"config", "filter.slow.clean", "cat"});
  }
  [[nodiscard]] fs::path flag() const { return world.root() / "flag"; }
};

// The daemon is killed while a filter of the user's holds the files up, and the filter lives on: the next
// daemon serves the other repository while it waits for that, and takes the merge back when it can.
TEST_F(SlowFilter, AnUnfinishedMergeHoldsUpTheNextDaemonForItsOwnRepositoryOnly) {
  races("echo right > src/a.txt; echo data > x.dat");
  // The filter is well when it is asked before, and hangs when the files come in.
  world.write(".git/hooks/commit-msg", "#!/bin/sh\n: > '" + flag().string() + "'\n", true);
  const auto before = head(first);
  auto hanging = world.start({"merge", "left", "--accept-changes"});
  ASSERT_TRUE(gate.arrived());
  world.kill_daemon();
  hanging->wait();
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  while (in(second, {"daemon", "start"}).exit != 0 && std::chrono::steady_clock::now() < until) {
  }
  const auto other = in(second, {"merge", "left"});
  EXPECT_EQ(other.exit, 0) << other.err;
  auto waiting = world.start_on_terminal({"merge", "right", "--accept-changes"});
  EXPECT_TRUE(waiting->wait_text("waits for the recovery of a merge that was cut off")) << waiting->out();
  fs::remove(flag());
  gate.open(4);
  EXPECT_EQ(waiting->wait().exit, 0) << waiting->out();
  EXPECT_EQ(world.read("src/r.txt"), "r\n");
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  EXPECT_EQ(world.git({"rev-parse", "HEAD^1"}) + "\n", before) << "the first one was taken back";
  fs::remove(flag());
  fs::remove(first / ".git/hooks/commit-msg");
  const auto again = in(first, {"merge", "left", "--accept-changes"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(world.read("x.dat"), "data\n");
}

class Moved : public ::testing::Test {
 protected:
  void race() {
    world.project(script_agent("left", "echo right > src/a.txt") + script_agent("right", "true"));
    const auto run = world.race({"--agents", "left,right", "task"});
    EXPECT_TRUE(run.exit == 0 || run.exit == 1) << run.out << run.err;
    id = world.results()["race"];
    old = world.repo();
  }
  hydra::e2e::Run outside(const Words& args) {
    HydraOptions options;
    options.directory = world.home();
    return world.hydra(args, options);
  }
  hydra::e2e::Run merge(Words args) {
    args.insert(args.begin(), "merge");
    return world.hydra(args);
  }
  [[nodiscard]] fs::path dir() const { return world.state() / "races" / id; }
  World world;
  std::string id;
  fs::path old;
};

TEST_F(Moved, ARepositoryThatWasMovedIsToldFromOneWithoutRaces) {
  race();
  fs::rename(old, world.home() / "new");
  world.set_repo(world.home() / "new");
  for (const Words& words :
       {Words{"left"}, Words{"--yes"}, Words{id + "/left"}, Words{"left", "--dry-run"}}) {
    const auto run = merge(words);
    EXPECT_NE(run.exit, 0);
    EXPECT_THAT(run.err, HasSubstr(old.string())) << words.front();
    EXPECT_THAT(run.err, HasSubstr("ln -s ")) << words.front();
  }
  EXPECT_THAT(merge({"left"}).err, HasSubstr("git merge hydra/left-"));
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  // A link in the old place is enough, and so is moving it back.
  fs::create_directory_symlink(world.repo(), old);
  const auto merged = merge({"left"});
  EXPECT_EQ(merged.exit, 0) << merged.err;
  EXPECT_EQ(world.read("src/a.txt"), "right\n");
  fs::remove(old);
  const auto undo = merge({"--undo"});
  EXPECT_NE(undo.exit, 0);
  EXPECT_THAT(undo.err, HasSubstr(old.string()));
  fs::rename(world.repo(), old);
  world.set_repo(old);
  EXPECT_EQ(merge({"--undo"}).exit, 0);
  EXPECT_FALSE(fs::exists(old / "src/a.txt"));
}

TEST_F(Moved, AnotherRepositoryInItsPlaceIsNotMergedInto) {
  race();
  fs::rename(old, world.home() / "new");
  fs::create_directories(old);
  world.init();
  world.write("README.md", "another project\n");
  world.commit();
  const auto before = world.fingerprint();
  const auto run = merge({"left"});
  EXPECT_NE(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("another repository is at " + old.string()));
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
  const auto shown = world.hydra({"clean"});
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("another repository is at"));
  EXPECT_EQ(world.hydra({"clean", id, "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(dir()));
  EXPECT_EQ(world.fingerprint().differs_from(before), "");
}

TEST_F(Moved, TheRaceOfARepositoryThatIsGoneIsCleanedWholeAndComesBack) {
  race();
  std::ofstream(dir() / "work/left/later.txt") << "after the capture\n";
  fs::remove_all(old);
  const auto run = outside({"merge", id + "/left"});
  EXPECT_NE(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr(old.string()));
  // A daemon that starts now goes on.
  world.kill_daemon();
  EXPECT_EQ(outside({"list"}).exit, 0);
  const auto swept = outside({"clean", "--yes"});
  EXPECT_EQ(swept.exit, 0) << swept.err;
  EXPECT_TRUE(fs::exists(dir() / "work/left/later.txt")) << "nobody named it";
  EXPECT_THAT(swept.out, HasSubstr("hydra clean " + id));
  EXPECT_EQ(outside({"clean", id, "--yes"}).exit, 0);
  EXPECT_FALSE(fs::exists(dir()));
  const auto back = outside({"clean", "--undo", id});
  EXPECT_EQ(back.exit, 0) << back.err;
  EXPECT_EQ(slurp(dir() / "work/left/later.txt"), "after the capture\n");
  EXPECT_EQ(outside({"clean", id, "--yes", "--keep", "0"}).exit, 0);
  EXPECT_FALSE(fs::exists(dir()));
  EXPECT_FALSE(fs::exists(world.state() / "removed" / id));
  fs::create_directories(old);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
