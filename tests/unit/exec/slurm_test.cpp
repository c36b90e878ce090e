// Jobs on Slurm: what Slurm does to them and what becomes of them; a real controller and real nodes, killed.
#include "base/strings.hpp"
#include "exec/slurm_calls.hpp"
#include "exec/window.hpp"
#include "job_harness.hpp"

#include <algorithm>
#include <signal.h>

namespace hydra::exec::test {
namespace {

class OnSlurm : public testing::Test {
 protected:
  void SetUp() override {
    HYDRA_SKIP_LACKING(lack_for(variant));
    if (!IsSkipped() && !HasFatalFailure()) owned = std::make_unique<Jobs>(variant);
  }
  [[nodiscard]] JobSpec shell(const std::string& script) { return owned->shell(variant, script); }
  static pid_t pid_in(const std::string& file) { return std::stoi(slurp(slurm_backend().place() / file)); }
  static void start(const std::string& what, const std::string& name = "") {
    std::vector<std::string> argv{SlurmBackend::script(), what, slurm_backend().place().string()};
    if (!name.empty()) argv.push_back(name);
    EXPECT_TRUE(run_backend(argv).ok());
  }
  static bool gone(pid_t pid) { return !fs::exists("/proc/" + std::to_string(pid) + "/exe"); }
  Variant variant = Variant::on_slurm(Isolation::bwrap);
  std::unique_ptr<Jobs> owned;
};

TEST_F(OnSlurm, TheClusterSaysWhatItHas) {
  const auto facts = probe_cluster({}, {});
  EXPECT_EQ(facts.problem, "");
  EXPECT_EQ(facts.nodes.size(), 3u);
  EXPECT_EQ(facts.default_partition, "main");
  EXPECT_EQ(facts.cpus, 24);
  EXPECT_TRUE(facts.version.starts_with("slurm")) << facts.version;
}

TEST_F(OnSlurm, WhatCannotRunIsNamedBeforeItIsTried) {
  ClusterRequest request;
  request.options = {"--partition=nowhere"};
  EXPECT_EQ(probe_cluster(request, {}).problem, "the partition nowhere does not exist");
  request.options = {"--cpus-per-task=64"};
  EXPECT_NE(probe_cluster(request, {}).problem.find("no node of the partition has so much"),
            std::string::npos)
      << probe_cluster(request, {}).problem;
  request.options = {"--gres=gpu:1"};
  EXPECT_NE(probe_cluster(request, {}).problem.find("generic resource"), std::string::npos)
      << probe_cluster(request, {}).problem;
}

TEST_F(OnSlurm, ADrainedNodeIsShownWithItsReason) {
  ASSERT_TRUE(run_backend({"scontrol", "update", "nodename=n2", "state=drain", "reason=bad disk"}).ok());
  auto facts = probe_cluster({}, {});
  EXPECT_EQ(facts.problem, "");
  EXPECT_EQ(facts.cpus, 16);
  bool shown = false;
  for (const auto& node : facts.nodes) shown = shown || (!node.usable() && node.reason == "bad disk");
  EXPECT_TRUE(shown);
  for (const char* node : {"nodename=n1", "nodename=n3"})
    ASSERT_TRUE(run_backend({"scontrol", "update", node, "state=drain", "reason=bad disk"}).ok());
  facts = probe_cluster({}, {});
  EXPECT_NE(facts.problem.find("no node of the partition main takes jobs"), std::string::npos)
      << facts.problem;
  EXPECT_NE(facts.problem.find("bad disk"), std::string::npos) << facts.problem;
  for (const char* node : {"nodename=n1", "nodename=n2", "nodename=n3"})
    ASSERT_TRUE(run_backend({"scontrol", "update", node, "state=resume"}).ok());
}

TEST_F(OnSlurm, AJobThatIsRefusedSaysWhy) {
  auto spec = shell("true");
  spec.cluster->options = {"--partition=nowhere"};
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find("the partition does not exist"), std::string::npos) << result.message;
}

TEST_F(OnSlurm, C6_AJobThatWaitsIsCancelledAndNeverStarts) {
  auto wide = shell("exec sleep 600");
  wide.cluster->options = {"--cpus-per-task=8"};
  std::vector<JobSpec> all;
  for (int i = 0; i < 3; ++i) {
    auto spec = shell("echo $$ > running-" + std::to_string(i) + "; exec sleep 600");
    spec.cluster->options = {"--cpus-per-task=8"};
    all.push_back(spec);
    ASSERT_TRUE(owned->submit(spec).ok());
  }
  for (int i = 0; i < 3; ++i)
    owned->until(all[static_cast<std::size_t>(i)].key,
                 [&] { return fs::exists(owned->work() / ("running-" + std::to_string(i))); });
  auto waits = shell("echo ran > ran");
  ASSERT_TRUE(owned->submit(waits).ok());
  owned->until(waits.key, [&] { return fs::exists(waits.attempt_dir / "queued"); });
  owned->executor->cancel(waits.key);
  EXPECT_EQ(name(owned->wait(waits.key).end), "cancelled");
  for (const auto& spec : all) owned->executor->cancel(spec.key);
  for (const auto& spec : all) EXPECT_EQ(name(owned->wait(spec.key).end), "cancelled");
  EXPECT_FALSE(fs::exists(owned->work() / "ran"));
}

TEST_F(OnSlurm, AJobThatIsHeldIsGivenUpAndSaysSo) {
  auto spec = shell("echo ran > ran");
  spec.cluster->options = {"--cpus-per-task=8"};
  std::vector<JobSpec> all;
  for (int i = 0; i < 3; ++i) {
    auto busy = shell("exec sleep 600");
    busy.cluster->options = {"--cpus-per-task=8"};
    all.push_back(busy);
    ASSERT_TRUE(owned->submit(busy).ok());
    owned->until(busy.key, [&] { return fs::exists(busy.attempt_dir / "started.json"); });
  }
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return fs::exists(spec.attempt_dir / "queued"); });
  ASSERT_TRUE(run_backend({"scontrol", "hold", "jobname=" + slurm_name(spec.key)}).ok());
  const auto result = owned->wait(spec.key);
  EXPECT_EQ(name(result.end), "lost");
  EXPECT_NE(result.message.find("Slurm holds it"), std::string::npos) << result.message;
  for (const auto& busy : all) owned->executor->cancel(busy.key);
  for (const auto& busy : all) owned->wait(busy.key);
  EXPECT_FALSE(fs::exists(owned->work() / "ran"));
}

TEST_F(OnSlurm, ASupervisorThatVanishesIsALoss) {
  auto spec = shell("echo run >> runs; exec sleep 600");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return fs::exists(owned->work() / "runs"); });
  Started started;
  ASSERT_EQ(read_started(spec.attempt_dir, spec.token, started), FileState::good);
  ::kill(started.pid, SIGKILL);
  const auto result = owned->wait(spec.key);
  EXPECT_EQ(name(result.end), "lost");
  EXPECT_NE(result.message.find("vanished"), std::string::npos) << result.message;
  EXPECT_TRUE(fs::exists(spec.attempt_dir / "cancel")) << "what of it is still somewhere ends itself";
}

TEST_F(OnSlurm, C9_AnotherDaemonAdoptsWhatRunsAndWhatHasEnded) {
  auto runs = shell("echo run >> runs; while [ ! -e go ]; do sleep 0.05; done; exit 5");
  auto ended = shell("echo run >> ended; exit 6");
  ASSERT_TRUE(owned->submit(runs).ok());
  ASSERT_TRUE(owned->submit(ended).ok());
  owned->until(runs.key, [&] {
    return fs::exists(owned->work() / "runs") && fs::exists(ended.attempt_dir / "result.json");
  });
  owned->executor = owned->another(variant);
  owned->results.clear();
  ASSERT_TRUE(owned->submit(runs).ok());
  ASSERT_TRUE(owned->submit(ended).ok());
  EXPECT_EQ(owned->wait(ended.key).code, 6);
  spill(owned->work() / "go", "");
  EXPECT_EQ(owned->wait(runs.key).code, 5);
  EXPECT_EQ(slurp(owned->work() / "runs"), "run\n");
  EXPECT_EQ(slurp(owned->work() / "ended"), "run\n");
}

TEST_F(OnSlurm, SecretsAreInNoFileOnceTheJobRuns) {
  auto spec = shell("test ${#KEY} = 8 && echo run > runs; while [ ! -e go ]; do sleep 0.05; done");
  spec.env.emplace_back("KEY", "a secret");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return fs::exists(owned->work() / "runs"); });
  for (const auto& place : {spec.attempt_dir, slurm_backend().place()})
    for (const auto& entry : fs::recursive_directory_iterator(place))
      if (entry.is_regular_file()) {
        EXPECT_EQ(slurp(entry.path()).find("a secret"), std::string::npos) << entry.path();
      }
  spill(owned->work() / "go", "");
  EXPECT_EQ(name(owned->wait(spec.key).end), "exited");
}

TEST_F(OnSlurm, C19_WhileTheControllerIsAwayJobsWaitAndRunWhenItIsBack) {
  // Orderly: with kill -9 Slurm may lose its newest jobs and give their numbers out again.
  const auto controller = pid_in("slurmctld.pid");
  ::kill(controller, SIGTERM);
  auto waits = shell("true");  // only for the loop
  owned->until(waits.key, [&] { return gone(controller); });
  auto spec = shell("exit 3");
  ASSERT_TRUE(owned->submit(spec).ok());
  EXPECT_EQ(owned->executor->running(), std::vector<std::string>{spec.key});
  const auto facts = probe_cluster({}, {std::chrono::seconds(3)});
  EXPECT_NE(facts.problem, "");
  EXPECT_NE(facts.remedy, "");
  start("ctld");
  const auto result = owned->wait(spec.key);
  EXPECT_EQ(name(result.end), "exited") << result.message;
  EXPECT_EQ(result.code, 3);
}

TEST_F(OnSlurm, C20_JobsThatAreReadyTogetherGoAsOneArray) {
  const auto controller = pid_in("slurmctld.pid");
  ::kill(controller, SIGTERM);
  owned->until("", [&] { return gone(controller); });
  constexpr std::size_t kJobs = 30;
  std::vector<JobSpec> all;
  for (std::size_t i = 0; i < kJobs; ++i) {
    all.push_back(shell("echo run >> runs-" + std::to_string(i) + "; exit " + std::to_string(i)));
    ASSERT_TRUE(owned->submit(all.back()).ok());
  }
  const auto ready = [](const JobSpec& spec) { return fs::exists(spec.attempt_dir / "environment"); };
  owned->until("", [&] { return std::all_of(all.begin(), all.end(), ready); });
  start("ctld");
  std::set<std::string> ids, places;
  for (std::size_t i = 0; i < kJobs; ++i) {
    const auto result = owned->wait(all[i].key);
    EXPECT_EQ(name(result.end), "exited") << result.message;
    EXPECT_EQ(result.code, static_cast<int>(i)) << "each has its own place in the array";
    EXPECT_EQ(slurp(owned->work() / ("runs-" + std::to_string(i))), "run\n");
    EXPECT_EQ(owned->ends[all[i].key], 1);
    std::istringstream queued(slurp(all[i].attempt_dir / "queued"));
    std::string id, name, index;
    queued >> id >> name >> index;
    ids.insert(id);
    places.insert(index);
  }
  // A submission may have begun before the last job was ready.
  EXPECT_LE(ids.size(), 2u);
  EXPECT_GE(places.size(), kJobs / 2);
}

TEST_F(OnSlurm, C6_OneOfAnArrayIsCancelledAndTheOthersRun) {
  const auto controller = pid_in("slurmctld.pid");
  ::kill(controller, SIGTERM);
  owned->until("", [&] { return gone(controller); });
  std::vector<JobSpec> all;
  for (int i = 0; i < 5; ++i) {
    all.push_back(shell("echo run > runs-" + std::to_string(i) + "; while [ ! -e go ]; do sleep 0.05; done"));
    all.back().cluster->options = {"--cpus-per-task=8"};  // a node each, and there are three
    ASSERT_TRUE(owned->submit(all.back()).ok());
  }
  const auto ready = [](const JobSpec& spec) { return fs::exists(spec.attempt_dir / "environment"); };
  owned->until("", [&] { return std::all_of(all.begin(), all.end(), ready); });
  start("ctld");
  const auto runs = [&](int i) { return fs::exists(owned->work() / ("runs-" + std::to_string(i))); };
  owned->until("", [&] { return runs(0) && runs(1) && runs(2); });
  owned->executor->cancel(all[4].key);  // it waits
  owned->executor->cancel(all[0].key);  // it runs
  EXPECT_EQ(name(owned->wait(all[4].key).end), "cancelled");
  EXPECT_EQ(name(owned->wait(all[0].key).end), "cancelled");
  spill(owned->work() / "go", "");
  for (const std::size_t i : {1u, 2u, 3u}) EXPECT_EQ(name(owned->wait(all[i].key).end), "exited") << i;
  EXPECT_FALSE(runs(4));
}

TEST_F(OnSlurm, WhereArraysAreNotAllowedJobsGoOneByOne) {
  const auto conf = slurm_backend().place() / "slurm.conf";
  const auto whole = slurp(conf);
  const auto restarted = [&](const std::string& text) {
    const auto controller = pid_in("slurmctld.pid");
    ::kill(controller, SIGTERM);
    owned->until("", [&] { return gone(controller); });
    spill(conf, text);
  };
  restarted(whole + "MaxArraySize=0\n");
  std::vector<JobSpec> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(shell("exit 4"));
    ASSERT_TRUE(owned->submit(all.back()).ok());
  }
  const auto ready = [](const JobSpec& spec) { return fs::exists(spec.attempt_dir / "environment"); };
  owned->until("", [&] { return std::all_of(all.begin(), all.end(), ready); });
  start("ctld");
  for (const auto& spec : all) EXPECT_EQ(owned->wait(spec.key).code, 4);
  restarted(whole);
  start("ctld");
  EXPECT_EQ(owned->run(shell("exit 5")).code, 5) << "for the next test the controller is there";
}

// The controller hangs, and nobody knows whether it took what it was sent.
TEST_F(OnSlurm, C19_AControllerThatHangsGetsEachJobOnceAndTheLoopGoesOn) {
  const auto controller = pid_in("slurmctld.pid");
  ::kill(controller, SIGSTOP);
  std::vector<JobSpec> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(shell("echo run >> runs-" + std::to_string(i)));
    ASSERT_TRUE(owned->submit(all.back()).ok());
  }
  owned->executor->cancel(all.back().key);
  // The loop turns while a command of Slurm hangs: the one that is cancelled comes to its end.
  EXPECT_EQ(name(owned->wait(all.back().key).end), "cancelled");
  EXPECT_EQ(owned->results.size(), 1u);
  ::kill(controller, SIGCONT);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(name(owned->wait(all[static_cast<std::size_t>(i)].key).end), "exited");
    EXPECT_EQ(slurp(owned->work() / ("runs-" + std::to_string(i))), "run\n");
  }
  EXPECT_FALSE(fs::exists(owned->work() / "runs-2"));
}

// As with clocks that differ by minutes: munge calls the signature wrong, and Slurm says "Zero Bytes".
TEST_F(OnSlurm, AMungeThatIsAwayOrNotBelievedIsNamed) {
  const auto whole = slurp(slurm_backend().place() / "slurm.conf");
  const auto at = whole.find("AuthInfo=");
  const auto asked_at = [&](const fs::path& socket) {
    spill(owned->dir.path / "slurm.conf",
          whole.substr(0, at) + "AuthInfo=socket=" + socket.string() + whole.substr(whole.find('\n', at)));
    const std::string before = std::getenv("SLURM_CONF");
    ::setenv("SLURM_CONF", (owned->dir.path / "slurm.conf").c_str(), 1);
    const auto facts = probe_cluster({}, {});
    ::setenv("SLURM_CONF", before.c_str(), 1);
    return facts.problem;
  };
  EXPECT_NE(asked_at("/nowhere/munge").find("munge, which Slurm signs with, does not run"), std::string::npos)
      << asked_at("/nowhere/munge");
  const auto other = owned->dir.path / "munge";
  fs::permissions(owned->dir.path, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  fs::create_directory(other);
  const auto daemon = run_backend(
      {"sh", "-c",
       "cd '" + other.string() +
           "' && head -c 1024 /dev/urandom > key && chmod 600 key && exec setsid munged --key-file=$PWD/key "
           "--socket=$PWD/sock --pid-file=$PWD/pid --log-file=$PWD/log --seed-file=$PWD/seed"});
  ASSERT_TRUE(daemon.ok()) << daemon.err;
  const auto said = asked_at(other / "sock");
  ::kill(std::stoi(slurp(other / "pid")), SIGTERM);
  EXPECT_NE(said.find("does not take what this machine signs"), std::string::npos) << said;
}

TEST_F(OnSlurm, C18_AFullDiskIsNamed) {
  HYDRA_NEEDS(machine::Ability::mounts);
  const auto small = owned->dir.path / "small";
  fs::create_directory(small);
  ASSERT_TRUE(run_backend({"mount", "-t", "tmpfs", "-o", "size=64k", "none", small.string()}).ok());
  (void)run_backend({"sh", "-c", "cat /dev/zero > '" + small.string() + "/filler'"});
  auto spec = shell("echo ran > ran");
  spec.attempt_dir = small / "attempt";
  const auto result = owned->run(spec);
  EXPECT_TRUE(run_backend({"umount", small.string()}).ok());
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find("No space left on device"), std::string::npos) << result.message;
  EXPECT_FALSE(fs::exists(owned->work() / "ran"));
}

// The engine calls the job lost, or does not know; its step goes on, and what it writes counts.
TEST_F(OnSlurm, C10_AStepThatOutlivesItsSlurmdIsBelievedAndNotRepeated) {
  auto spec = shell("echo run >> runs; while [ ! -e go ]; do sleep 0.05; done; exit 5");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return fs::exists(owned->work() / "runs"); });
  for (const char* node : {"n1", "n2", "n3"}) ::kill(pid_in("slurmd." + std::string(node) + ".pid"), SIGKILL);
  // Slurm forgets the job, or calls its node dead: it is asked for longer than twice in a row.
  ASSERT_TRUE(run_backend({"scancel", "--state=PENDING", "--name=" + slurm_name(spec.key)}).ok());
  spill(owned->work() / "go", "");
  const auto result = owned->wait(spec.key);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(slurp(owned->work() / "runs"), "run\n");
  for (const char* node : {"n1", "n2", "n3"}) start("node", node);
}

TEST(Slurm, WithoutItsCommandsTheRemedyIsNamed) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const auto facts = probe_cluster({}, {});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(facts.problem, "Slurm's commands are not installed");
  EXPECT_EQ(facts.remedy, "apt install slurm-client");
}

TEST(Slurm, HeldIsWhatDoesNotStartByItself) {
  EXPECT_TRUE((SlurmJob{"PENDING", "JobHeldUser"}.held()));
  EXPECT_TRUE((SlurmJob{"PENDING", "launch_failed_requeued_held"}.held()));
  EXPECT_FALSE((SlurmJob{"PENDING", "Resources"}.held()));
  EXPECT_FALSE((SlurmJob{"RUNNING", "None"}.held()));
}

}  // namespace
}  // namespace hydra::exec::test
