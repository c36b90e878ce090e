// A daemon that dies with SIGKILL loses nothing: its jobs go on, and the next one hears of their ends.
#include "base/strings.hpp"
#include "exec/attempt.hpp"
#include "job_harness.hpp"

#include <cstdlib>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hydra::exec::test {
namespace {

/// 0: it is gone.
pid_t parent_of(int pid) {
  const auto stat = slurp("/proc/" + std::to_string(pid) + "/stat");
  const auto behind = stat.rfind(')');
  return behind == std::string::npos ? 0 : std::atoi(stat.c_str() + behind + 4);
}

class Adoption : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    if (GetParam().slurm || GetParam().contained())
      FAIL() << "slurm_test.cpp and container_test.cpp adopt those jobs";
    HYDRA_SKIP_LACKING(lack_for(GetParam()));
  }
  /// Submits from a child process, which ends by SIGKILL once `ready`.
  void submit_from_a_daemon_that_dies(const JobSpec& spec, const std::function<bool()>& ready) {
    const pid_t daemon = ::fork();
    if (daemon == 0) {
      boost::asio::io_context loop;
      auto executor = make_local_executor(loop, options_for(GetParam()));
      if (!executor->submit(spec, [](const JobResult&) {}).ok()) ::_exit(1);
      const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      while (!ready() && std::chrono::steady_clock::now() < until) loop.run_for(std::chrono::milliseconds(3));
      if (ready()) ::kill(::getpid(), SIGKILL);
      ::_exit(2);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(daemon, &status, 0), daemon);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        << (WEXITSTATUS(status) == 1 ? "the job was not submitted"
                                     : "waited a minute for the job's first word");
  }
  static pid_t shim_of(const JobSpec& spec) {
    Started started;
    return read_started(spec.attempt_dir, spec.token, started) == FileState::good ? started.pid : 0;
  }
  Jobs jobs{GetParam()};
};

TEST_P(Adoption, ARunningJobIsAdoptedAndItsResultIsReal) {
  // Nobody may change the layers of an overlay while it is mounted, so the word comes through another
  // directory.
  const fs::path other = jobs.dir.path / "other";
  fs::create_directory(other);
  auto spec = jobs.shell(
      GetParam(), "echo run >> runs; while [ ! -e " + other.string() + "/go ]; do sleep 0.01; done; exit 23");
  spec.sandbox.binds.push_back({other, other, false, false});
  submit_from_a_daemon_that_dies(spec, [&] { return fs::exists(jobs.made(spec, "runs")); });
  ASSERT_TRUE(jobs.submit(spec).ok());
  EXPECT_EQ(jobs.executor->running().size(), 1U);
  spill(other / "go", "");
  const auto result = jobs.wait(spec.key);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.code, 23);
  EXPECT_EQ(slurp(jobs.made(spec, "runs")), "run\n");
}

TEST_P(Adoption, AnAdoptedJobCanBeCancelled) {
  const auto spec = jobs.shell(GetParam(), "touch up; sleep 600");
  submit_from_a_daemon_that_dies(spec, [&] { return fs::exists(jobs.made(spec, "up")); });
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.executor->cancel(spec.key);
  EXPECT_EQ(name(jobs.wait(spec.key).end), "cancelled");
  EXPECT_TRUE(marked("HYDRA_ATTEMPT=" + spec.token).empty());
}

TEST_P(Adoption, AJobThatEndedMeanwhileReportsItsResult) {
  const auto spec = jobs.shell(GetParam(), "echo run >> runs; exit 4");
  submit_from_a_daemon_that_dies(spec, [&] { return fs::exists(spec.attempt_dir / "result.json"); });
  const auto result = jobs.run(spec);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(slurp(jobs.made(spec, "runs")), "run\n");
}

TEST_P(Adoption, AKilledShimIsLostAndLeavesNobody) {
  const auto spec = jobs.shell(GetParam(), "sleep 621 & setsid sleep 622 & touch up; sleep 623");
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(jobs.made(spec, "up")); });
  ASSERT_EQ(::kill(shim_of(spec), SIGKILL), 0);
  const auto result = jobs.wait(spec.key);
  EXPECT_EQ(name(result.end), "lost");
  EXPECT_EQ(result.survivors_possible, GetParam().isolation == Isolation::none);
  // The processes have been sent SIGKILL; the kernel may take a moment to carry it out.
  machine::wait_until("the end of the job\'s processes",
                      [&] { return marked("HYDRA_ATTEMPT=" + spec.token).empty(); });
}

TEST_P(Adoption, AShimThatDiedUnwatchedIsLostToo) {
  const auto spec = jobs.shell(GetParam(), "sleep 631 & setsid sleep 632 & touch up; sleep 633");
  submit_from_a_daemon_that_dies(spec, [&] { return fs::exists(jobs.made(spec, "up")); });
  ASSERT_EQ(::kill(shim_of(spec), SIGKILL), 0);
  const auto result = jobs.run(spec);
  EXPECT_EQ(name(result.end), "lost");
  machine::wait_until("the end of the job\'s processes",
                      [&] { return marked("HYDRA_ATTEMPT=" + spec.token).empty(); });
}

TEST_P(Adoption, AStrangerWithTheSamePidIsNotAdopted) {
  const auto spec = jobs.shell(GetParam(), "exit 0");
  ASSERT_EQ(name(jobs.run(spec).end), "exited");
  fs::remove(spec.attempt_dir / "result.json");
  // The pid lives, and is not the supervisor's. Pid 1, because a process of ours may have started in the same
  // clock tick.
  auto text = slurp(spec.attempt_dir / "started.json");
  const auto at = text.find("\"pid\": ") + 7;
  text.replace(at, text.find_first_of(",\n", at) - at, "1");
  spill(spec.attempt_dir / "started.json", text);
  Jobs next;
  EXPECT_EQ(name(next.run(spec).end), "lost");
}

TEST_P(Adoption, ADaemonThatReapsEverythingGetsTheSameResults) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto spec = jobs.shell(GetParam(), "exit 6");
  ASSERT_TRUE(jobs.submit(spec).ok());
  int status = 0;
  ASSERT_GT(::waitpid(-1, &status, 0), 0);  // the daemon's own reaper was faster
  const auto result = jobs.wait(spec.key);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.code, 6);
}

TEST_P(Adoption, CancelBeforeTheShimListensIsNotLost) {
  for (int i = 0; i < 20; ++i) {
    const auto spec = jobs.shell(GetParam(), "sleep 600");
    ASSERT_TRUE(jobs.submit(spec).ok());
    jobs.executor->cancel(spec.key);
    EXPECT_EQ(name(jobs.wait(spec.key).end), "cancelled");
    EXPECT_TRUE(marked("HYDRA_ATTEMPT=" + spec.token).empty());
  }
}

TEST_P(Adoption, C9_ADaemonKilledAtAnyMomentOfSubmitRunsTheJobOnce) {
  for (int i = 0; i < 40; ++i) {
    const auto spec = jobs.shell(GetParam(), "echo run >> runs-" + std::to_string(i) + "; exit 23");
    const pid_t daemon = ::fork();
    if (daemon == 0) {
      boost::asio::io_context loop;
      auto executor = make_local_executor(loop, options_for(GetParam()));
      (void)executor->submit(spec, [](const JobResult&) {});
      for (;;) ::pause();
    }
    // The kill moves through directory, spec, fork, exec, claim and run, a little later each time.
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(i * 150);
    while (std::chrono::steady_clock::now() < until) {
    }
    ::kill(daemon, SIGKILL);
    ::waitpid(daemon, nullptr, 0);
    const auto result = jobs.run(spec);
    EXPECT_EQ(name(result.end), "exited") << i << ": " << result.message;
    EXPECT_EQ(result.code, 23);
    EXPECT_EQ(slurp(jobs.made(spec, "runs-" + std::to_string(i))), "run\n") << i;
  }
}

TEST_P(Adoption, AShimKilledAtAnyMomentIsNeverASuccess) {
  for (int i = 0; i < 40; ++i) {
    const auto spec = jobs.shell(GetParam(), "echo run >> killed-" + std::to_string(i) + "; sleep 600");
    ASSERT_TRUE(jobs.submit(spec).ok());
    // Numbers of processes begin anew: the least is not the first. The supervisor's parent is this program.
    int child = 0;
    for (const auto pid : marked("HYDRA_ATTEMPT=" + spec.token))
      if (parent_of(pid) == ::getpid()) child = pid;
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(i * 100);
    while (std::chrono::steady_clock::now() < until) {
    }
    if (child > 0) ::kill(child, SIGKILL);
    if (child == 0) jobs.executor->cancel(spec.key);
    const auto result = jobs.wait(spec.key);
    EXPECT_NE(name(result.end), "exited") << i;
    machine::wait_until("the end of the job\'s processes",
                        [&] { return marked("HYDRA_ATTEMPT=" + spec.token).empty(); });
  }
}

INSTANTIATE_TEST_SUITE_P(Isolations, Adoption, testing::ValuesIn(variants()), variant_name);

TEST(Shim, ASecondOneOfTheSameAttemptRunsNothing) {
  Jobs jobs;
  const auto spec = jobs.shell(Isolation::none, "echo run >> runs; while [ ! -e go ]; do sleep 0.01; done");
  ASSERT_TRUE(jobs.submit(spec).ok());
  jobs.until(spec.key, [&] { return fs::exists(jobs.work() / "runs"); });
  ToolCall second;
  second.argv = {shim_path().string(), "--attempt", spec.attempt_dir.string()};
  EXPECT_EQ(run_tool(second)->exit_code, 75);
  spill(jobs.work() / "go", "");
  EXPECT_EQ(name(jobs.wait(spec.key).end), "exited");
  EXPECT_EQ(run_tool(second)->exit_code, 75);
  EXPECT_EQ(slurp(jobs.work() / "runs"), "run\n");
}

TEST(Shim, ACancelFileIsAsGoodAsASignal) {
  Jobs jobs;
  const auto spec = jobs.shell(Isolation::none, "touch up; sleep 600");
  ASSERT_TRUE(jobs.submit(spec).ok());
  spill(spec.attempt_dir / "cancel", "");
  EXPECT_EQ(name(jobs.wait(spec.key).end), "cancelled");
}

TEST(Executor, ADirectoryThatCantBeWrittenIsAnErrorOrAStartFailure) {
  Jobs jobs;
  auto spec = jobs.shell(Isolation::none, "true");
  spill(jobs.dir.path / "file", "");
  spec.attempt_dir = jobs.dir.path / "file" / "attempt";
  EXPECT_FALSE(jobs.submit(spec).ok());
  EXPECT_TRUE(jobs.executor->running().empty());
}

TEST(Executor, AMissingShimIsAnErrorAndLeavesNoZombie) {
  Jobs jobs;
  auto broken = make_local_executor(jobs.loop, {"/no/such/shim", {}});
  const auto spec = jobs.shell(Isolation::none, "true");
  EXPECT_FALSE(broken->submit(spec, [](const JobResult&) {}).ok());
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Executor, BadSpecsAreRefused) {
  Jobs jobs(LocalOptions{shim_path(), {}});
  const auto refused = [&](const std::function<void(JobSpec&)>& harm) {
    auto spec = jobs.shell(Isolation::none, "true");
    harm(spec);
    return !jobs.submit(spec).ok();
  };
  EXPECT_TRUE(refused([](JobSpec& s) { s.key = "race/../x y"; }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.token.clear(); }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.argv.clear(); }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.argv.push_back(std::string("a\0b", 3)); }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.env.emplace_back("A=B", "c"); }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.attempt_dir = "relative"; }));
  EXPECT_TRUE(refused([](JobSpec& s) { s.sandbox.isolation = Isolation::bwrap; }));  // no bwrap given
}

TEST(Executor, AnotherTokenWaitsForTheEndOfTheFirst) {
  Jobs jobs;
  auto first = jobs.shell(Isolation::none, "sleep 600");
  ASSERT_TRUE(jobs.submit(first).ok());
  auto second = first;
  second.token = "second";
  second.attempt_dir = jobs.dir.path / "second";
  second.argv = {"true"};
  const auto refused = jobs.submit(second);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::conflict);
  jobs.executor->cancel(first.key);
  jobs.wait(first.key);
  jobs.results.clear();
  EXPECT_EQ(name(jobs.run(second).end), "exited");
}

TEST(JobNames, RoundTrip) {
  for (int i = 0; i <= static_cast<int>(End::lost); ++i)
    EXPECT_EQ(model::from_name<End>(name(static_cast<End>(i))), static_cast<End>(i));
  EXPECT_EQ(model::from_name<End>("nonsense"), std::nullopt);
}

}  // namespace
}  // namespace hydra::exec::test
