#include "exec/tool.hpp"

#include "base/fd.hpp"
#include "job_harness.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>

namespace hydra::exec::test {
namespace {

ToolCall call(std::vector<std::string> argv) {
  ToolCall c;
  c.argv = std::move(argv);
  c.env = {{"PATH", search_path()}};
  return c;
}
ToolCall sh(const std::string& script) { return call({"sh", "-c", script}); }

TEST(RunTool, OutputErrorAndExitCode) {
  const auto got = run_tool(sh("echo out; echo err >&2; exit 7"));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->exit_code, 7);
  EXPECT_FALSE(got->ok());
  EXPECT_EQ(got->out, "out\n");
  EXPECT_EQ(got->err, "err\n");
}

/// Starts a program when it goes, as a private Slurm that is stopped at the end does.
struct StartsAtTheEnd {
  ~StartsAtTheEnd() { (void)run_tool(sh("true")); }
};

TEST(RunTool, WorksWhileTheProcessEnds) {
  EXPECT_EXIT(
      {
        (void)run_tool(sh("true"));
        static const StartsAtTheEnd last;
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(RunTool, ASignalIs128PlusItsNumber) { EXPECT_EQ(run_tool(sh("kill -9 $$"))->exit_code, 137); }

TEST(RunTool, BigInputAndOutputDoNotBlockEachOther) {
  auto c = sh("tee /dev/stderr");
  for (int i = 0; i < 3'000'000; ++i) c.input += static_cast<char>(i * 31 + i / 251);
  const auto got = run_tool(c);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->out, c.input);
  EXPECT_EQ(got->err, c.input);
}

TEST(RunTool, AToolThatDoesNotReadItsInputIsNoTrouble) {
  auto c = call({"true"});
  c.input.assign(5'000'000, 'x');
  EXPECT_TRUE(run_tool(c)->ok());
}

TEST(RunTool, WithoutInputThereIsNothingToRead) { EXPECT_EQ(run_tool(call({"cat"}))->out, ""); }

TEST(RunTool, MissingProgramIsNotFound) {
  for (const char* program : {"no-such-program-here", "/no/such/program"}) {
    const auto got = run_tool(call({program}));
    ASSERT_FALSE(got.ok());
    EXPECT_EQ(got.error().code, Errc::not_found);
    EXPECT_NE(got.error().message.find(program), std::string::npos);
  }
}

TEST(RunTool, MissingDirectoryIsNamed) {
  auto c = call({"true"});
  c.cwd = "/no/such/directory";
  const auto got = run_tool(c);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message, "working directory not found: /no/such/directory");
}

TEST(RunTool, ProgramsAreSearchedInThePathOfTheCall) {
  TempDir dir;
  spill(dir.path / "only-here", "#!/bin/sh\necho found\n");
  fs::permissions(dir.path / "only-here", fs::perms::owner_all);
  EXPECT_FALSE(run_tool(call({"only-here"})).ok());
  auto c = call({"only-here"});
  c.env = {{"PATH", dir.path.string() + ":/usr/bin:/bin"}};
  EXPECT_EQ(run_tool(c)->out, "found\n");
}

TEST(RunTool, DirectoryAndEnvironmentAreTheCalls) {
  TempDir dir;
  ::setenv("HYDRA_TEST_SECRET", "daemon-secret", 1);
  auto c = call({"env"});
  c.env.emplace_back("WORD", "a b");
  EXPECT_EQ(run_tool(c)->out, "PATH=" + search_path() + "\nWORD=a b\n");
  auto where = call({"pwd"});
  where.cwd = dir.path;
  EXPECT_EQ(run_tool(where)->out, dir.path.string() + "\n");
}

TEST(RunTool, DeadlineKillsTheWholeGroup) {
  auto c = sh("sleep 611 & sleep 612");
  c.env.emplace_back("MARK", "run-tool-deadline");
  c.deadline = std::chrono::milliseconds(150);
  const auto got = run_tool(c);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, Errc::timeout);
  // The leader is reaped; its child may still be on its way out.
  machine::wait_until("the end of the job\'s processes",
                      [&] { return marked("MARK=run-tool-deadline").empty(); });
}

TEST(RunTool, ABackgroundProcessThatHoldsThePipeDoesNotHoldUs) {
  auto c = sh("sleep 613 & echo done");
  c.env.emplace_back("MARK", "run-tool-background");
  const auto got = run_tool(c);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->out, "done\n");
  machine::wait_until("the end of the job\'s processes",
                      [&] { return marked("MARK=run-tool-background").empty(); });
}

TEST(RunTool, TooMuchOutputIsAnError) {
  auto c = sh("yes");
  c.max_output = 1u << 20;
  const auto got = run_tool(c);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, Errc::io);
}

TEST(RunTool, OnlyTheNamedDescriptorIsInherited) {
  const UniqueFd leak(::open("/dev/null", O_RDONLY));
  EXPECT_EQ(run_tool(sh("ls /proc/$$/fd"))->out, "0\n1\n2\n");
  TempDir dir;
  UniqueFd lock(::open((dir.path / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  auto c = sh("ls /proc/$$/fd; readlink /proc/$$/fd/3");
  c.inherit_fd = lock.get();
  EXPECT_EQ(run_tool(c)->out, "0\n1\n2\n3\n" + (dir.path / "lock").string() + "\n");
}

TEST(RunTool, SignalsAreFresh) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto got = run_tool(call({"grep", "SigIgn\\|SigBlk", "/proc/self/status"}));
  ::signal(SIGPIPE, SIG_DFL);
  // The C library keeps two signals above 31 for itself.
  const auto ignored = std::stoull(got->out.substr(got->out.find("SigIgn:") + 7), nullptr, 16);
  EXPECT_EQ(ignored & 0x7fffffffU, 0U) << got->out;
  EXPECT_NE(got->out.find("SigBlk:\t0000000000000000\n"), std::string::npos) << got->out;
}

TEST(RunTool, LeavesNoDescriptorAndNoChild) {
  const auto count = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = count();
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(run_tool(call({"true"})).ok());
    EXPECT_FALSE(run_tool(call({"no-such-program-here"})).ok());
  }
  EXPECT_EQ(count(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(FindProgram, SearchesAbsoluteDirectoriesOnly) {
  EXPECT_EQ(find_program("sh", "/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(find_program("sh", "/nowhere"), "");
  EXPECT_EQ(find_program("/bin/sh", ""), "/bin/sh");
  EXPECT_EQ(find_program("", "/bin"), "");
  EXPECT_EQ(find_program("tmp", "/"), "");  // a directory is no program
  const auto old = fs::current_path();
  fs::current_path("/bin");
  EXPECT_EQ(find_program("sh", ".:"), "");
  fs::current_path(old);
}

TEST(FindProgram, SaysWhyThereIsNone) {
  const auto dir = fs::temp_directory_path() / ("hydra-why-" + std::to_string(::getpid()));
  fs::create_directories(dir / "folder");
  { std::ofstream(dir / "plain") << "echo\n"; }
  fs::create_symlink(dir / "nothing", dir / "dangling");
  const auto why = [&](const std::string& name) { return why_no_program(name, "/nowhere:" + dir.string()); };
  for (const auto& prefix : {std::string(), dir.string() + "/"}) {
    EXPECT_NE(why(prefix + "folder").find("is a directory"), std::string::npos) << prefix;
    EXPECT_NE(why(prefix + "plain").find("not executable"), std::string::npos) << prefix;
    EXPECT_NE(why(prefix + "dangling").find("is a broken link"), std::string::npos);
  }
  EXPECT_EQ(why("absent"), "'absent' is not in PATH");
  EXPECT_EQ(why("/absent/x"), "'/absent/x' does not exist");
  fs::remove_all(dir);
}

// With deadlines far away: who is not stopped hangs here.
TEST(RunTool, IsEndedWhenItIsToStop) {
  std::stop_source source;
  auto c = call({"sh", "-c", "sleep 600 & echo begun; wait"});
  c.deadline = std::chrono::minutes(10);
  c.stop = source.get_token();
  std::thread stopper([&] { source.request_stop(); });
  const auto stopped = run_tool(c);
  stopper.join();
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, Errc::timeout);
  EXPECT_NE(stopped.error().message.find("was stopped"), std::string::npos);
  c.argv = {"sh", "-c", "touch /nonexistent/started; echo started"};
  EXPECT_FALSE(run_tool(c).ok()) << "asked for before the start";
}

TEST(RunTool, ThatNobodyStopsRunsToItsEnd) {
  std::stop_source source;
  auto c = call({"sh", "-c", "echo done; exit 3"});
  c.stop = source.get_token();
  const auto output = run_tool(c);
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output->exit_code, 3);
  EXPECT_EQ(output->out, "done\n");
}

}  // namespace
}  // namespace hydra::exec::test
