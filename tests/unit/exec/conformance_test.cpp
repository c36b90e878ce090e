// The conformance suite of the executor contract: each isolation passes the same set.
#include "conformance.hpp"

#include "base/fd.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace hydra::exec::test {
namespace {

using std::chrono::milliseconds;

TEST_P(Conformance, C1_ExitCodesArriveAsTheyAre) {
  for (const int code : {0, 1, 7, 127, 137, 255}) {
    const auto spec = shell("exit " + std::to_string(code));
    const auto result = owned->run(spec);
    EXPECT_EQ(name(result.end), "exited") << result.message;
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.leaked, 0);
    EXPECT_EQ(result.token, spec.token);
    EXPECT_EQ(result.isolation, isolation());
    EXPECT_EQ(result.survivors_possible, isolation() == Isolation::none);
  }
}

TEST_P(Conformance, C2_SignalsArriveAsSignals) {
  for (const int signal : {SIGSEGV, SIGKILL, SIGTERM}) {
    const auto result = owned->run(shell("ulimit -c 0; kill -" + std::to_string(signal) + " $$"));
    EXPECT_EQ(name(result.end), "signaled") << result.message;
    EXPECT_EQ(result.signal, signal);
    EXPECT_EQ(result.code, 0);
  }
}

TEST_P(Conformance, C3_WallLimitEndsTheJob) {
  auto spec = shell("sleep 600");
  spec.limits.wall = milliseconds(300);
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "timed_out");
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_GE(result.wall_ms, 300);
  EXPECT_TRUE(processes(spec).empty());
}

TEST_P(Conformance, C3_SilenceEndsTheJobAndOutputDoesNot) {
  auto quiet = shell("echo begun; exec sleep 600");
  quiet.limits.idle = milliseconds(200);
  EXPECT_EQ(name(owned->run(quiet).end), "idle");

  auto talking = shell("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done");
  talking.limits.idle = milliseconds(600);
  const auto result = owned->run(talking);
  EXPECT_EQ(name(result.end), "exited");
}

TEST_P(Conformance, C4_TrappingJobGetsItsGraceAndKeepsItsCode) {
  auto spec = shell("trap 'echo bye; exit 42' TERM; echo ready; while :; do sleep 0.05; done");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return slurp(spec.attempt_dir / "stdout.log") == "ready\n"; });
  owned->executor->cancel(spec.key);
  const auto result = owned->wait(spec.key);
  EXPECT_EQ(name(result.end), "cancelled");
  EXPECT_EQ(result.code, 42);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(owned->out(spec, result), "ready\nbye\n");
}

TEST_P(Conformance, C4_DeafJobIsKilledAfterTheLadder) {
  auto spec = shell("trap '' TERM INT; echo ready; while :; do sleep 0.05; done");
  spec.limits.ladder = {{SIGINT, milliseconds(60)}, {SIGTERM, milliseconds(60)}};
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return slurp(spec.attempt_dir / "stdout.log") == "ready\n"; });
  owned->executor->cancel(spec.key);
  const auto result = owned->wait(spec.key);
  EXPECT_EQ(name(result.end), "cancelled");
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_TRUE(processes(spec).empty());
}

TEST_P(Conformance, C4_StoppedJobHearsTheTerm) {
  auto spec = shell("trap 'exit 9' TERM; echo ready; kill -STOP $$; while :; do sleep 0.05; done");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return slurp(spec.attempt_dir / "stdout.log") == "ready\n"; });
  owned->executor->cancel(spec.key);
  EXPECT_EQ(owned->wait(spec.key).code, 9);
}

TEST_P(Conformance, C5_CancelEndsForksAndDaemonsToo) {
  auto spec = shell(
      "sleep 601 & setsid sleep 602 & (setsid sh -c 'sleep 603 & sleep 604' &) ; echo ready; wait; sleep "
      "605");
  ASSERT_TRUE(owned->submit(spec).ok());
  // The shim's own, and the payload's: sh, 601, 602, sh, 603, 604.
  owned->until(spec.key, [&] {
    return slurp(spec.attempt_dir / "stdout.log") == "ready\n" && processes(spec).size() >= 7;
  });
  owned->executor->cancel(spec.key);
  EXPECT_EQ(name(owned->wait(spec.key).end), "cancelled");
  EXPECT_TRUE(processes(spec).empty());
}

TEST_P(Conformance, C5_AChildThatIsDeafOutlivesItsLeaderForTheGraceAtMost) {
  auto spec = shell("(trap '' TERM; echo ready; exec sleep 601) & exec sleep 602");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return slurp(spec.attempt_dir / "stdout.log") == "ready\n"; });
  owned->executor->cancel(spec.key);
  const auto result = owned->wait(spec.key);
  EXPECT_EQ(name(result.end), "cancelled");
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_TRUE(processes(spec).empty());
}

TEST_P(Conformance, C5_OneThatForksOnAndOnIsEnded) {
  auto spec = shell("echo ready; while :; do sleep 2 & done");
  spec.limits.ladder = {{SIGINT, milliseconds(20)}};
  spec.limits.processes = 300;  // of this machine's patience
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return slurp(spec.attempt_dir / "stdout.log") == "ready\n"; });
  owned->executor->cancel(spec.key);
  const auto result = owned->wait(spec.key);
  // On a busy machine the limit may come before the cancel: a shell that can't fork ends by itself.
  const bool refused = result.end == End::exited && result.code != 0;
  EXPECT_TRUE(result.end == End::cancelled || result.end == End::oom || refused) << name(result.end);
  EXPECT_TRUE(processes(spec).empty());
}

TEST_P(Conformance, ThereIsNoTerminal) {
  const auto spec = shell("if (: < /dev/tty) 2>/dev/null; then echo tty; else echo none; fi");
  EXPECT_EQ(owned->out(spec, owned->run(spec)), "none\n");
}

/// Isolations whose jobs see the very files of the machine, not an overlay's.
class ConformanceOnFiles : public Conformance {};

TEST_P(ConformanceOnFiles, AProgramThatIsBeingWrittenIsAStartFailure) {
  const auto program = owned->work() / "program";
  fs::copy_file("/bin/true", program);
  const UniqueFd writer(::open(program.c_str(), O_WRONLY | O_CLOEXEC));
  const auto result = owned->run(owned->program(GetParam(), {program.string()}));
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find("Text file busy"), std::string::npos) << result.message;
}

TEST_P(Conformance, LeftBehindProcessesAreCountedAndGone) {
  auto spec = shell("sleep 601 & setsid sleep 602 & exit 3");
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.leaked, 2);
  EXPECT_TRUE(processes(spec).empty());
}

TEST_P(Conformance, ClosedOutputDoesNotMeanTheEnd) {
  const auto result = owned->run(shell("exec >/dev/null 2>&1; sleep 0.1; exit 5"));
  EXPECT_EQ(result.code, 5);
}

TEST_P(Conformance, WhatABackgroundProcessStillWritesIsKept) {
  const auto spec = shell("(sleep 0.1; echo late) & echo early");
  const auto result = owned->run(spec);
  EXPECT_EQ(owned->out(spec, result), "early\nlate\n");
  EXPECT_EQ(result.leaked, 0);
}

TEST_P(Conformance, C6_CancelledAtOnceItLeavesNothing) {
  auto spec = shell("echo ran > ran; exec sleep 600");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->executor->cancel(spec.key);
  EXPECT_EQ(name(owned->wait(spec.key).end), "cancelled");
  EXPECT_TRUE(processes(spec).empty());
  EXPECT_FALSE(fs::exists(spec.attempt_dir / "environment")) << "it may hold secrets";
}

/// Isolations with walls around the job.
class ConformanceOfWalls : public Conformance {};

/// A socket of 127.0.0.1 at a port of its own, which nobody listens on.
UniqueFd bound(sockaddr_in& at) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  EXPECT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&at), size), 0);
  EXPECT_EQ(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
  return fd;
}

TEST_P(ConformanceOfWalls, C15_WithoutNetworkThereIsNoWayToAListener) {
  sockaddr_in at{};
  const auto listener = bound(at);
  ASSERT_EQ(::listen(listener.get(), 4), 0);
  const auto script =
      "import socket\nsocket.create_connection(('127.0.0.1', " + std::to_string(ntohs(at.sin_port)) + "), 5)";
  auto spec = owned->program(GetParam(), {"/usr/bin/python3", "-c", script});
  EXPECT_EQ(owned->run(spec).code, 0) << "with the network it gets there";
  spec = owned->program(GetParam(), {"/usr/bin/python3", "-c", script});
  spec.sandbox.network = false;
  EXPECT_EQ(owned->run(spec).code, 1);
}

TEST_P(ConformanceOfWalls, C15_AGateLeadsToTheSamePortInsideOnceSomebodyListens) {
  sockaddr_in at{};
  bound(at);  // free again
  const auto port = ntohs(at.sin_port);
  const auto told = owned->dir.path / "told";
  fs::create_directory(told);
  const auto begin = told / "begin";
  auto spec = owned->program(
      GetParam(),
      {"/usr/bin/python3", "-c",
       "import os, socket, time\nwhile not os.path.exists('" + begin.string() +
           "'): time.sleep(0.01)\ns = socket.create_server(('127.0.0.1', " + std::to_string(port) +
           "))\nwhile True:\n  c = s.accept()[0]\n  c.sendall(b'inside ' + c.recv(9))\n  c.close()\n"});
  spec.sandbox.network = false;
  spec.sandbox.gate = port;
  spec.sandbox.binds.push_back({told, told, false, false});
  const auto answer = [&]() -> std::string {
    const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return {};
    EXPECT_EQ(::send(fd.get(), "hello", 5, MSG_NOSIGNAL), 5);
    std::string text(64, '\0');
    const auto n = ::recv(fd.get(), text.data(), text.size(), MSG_WAITALL);
    return text.substr(0, n > 0 ? static_cast<std::size_t>(n) : 0);
  };
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->until(spec.key, [&] { return !processes(spec).empty(); });
  EXPECT_EQ(answer(), "") << "nobody listens yet";
  spill(begin, "");
  std::string said;
  owned->until(spec.key, [&] {
    said = answer();
    return !said.empty();
  });
  EXPECT_EQ(said, "inside hello");
  owned->executor->cancel(spec.key);
  EXPECT_EQ(owned->wait(spec.key).end, End::cancelled);
  EXPECT_EQ(answer(), "") << "the gate goes with its sandbox";
}

TEST_P(ConformanceOfWalls, C16_WhatIsBoundReadOnlyStays) {
  const auto kept = owned->dir.path / "kept, \"so\"";
  fs::create_directory(kept);
  spill(kept / "file", "before");
  auto spec = shell("cat '" + kept.string() + "/file'; echo after > '" + kept.string() + "/file'");
  spec.sandbox.binds.push_back({kept, kept, false, false});
  const auto result = owned->run(spec);
  EXPECT_EQ(owned->out(spec, result), "before");
  EXPECT_NE(result.code, 0);
  EXPECT_EQ(slurp(kept / "file"), "before");
}

TEST_P(Conformance, C7_CancelTwiceAndAfterTheEndIsNothing) {
  auto spec = shell("sleep 600");
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->executor->cancel(spec.key);
  owned->executor->cancel(spec.key);
  EXPECT_EQ(name(owned->wait(spec.key).end), "cancelled");
  owned->executor->cancel(spec.key);
  owned->executor->cancel("race/unknown");
  owned->loop.restart();
  owned->loop.poll();
  EXPECT_EQ(owned->ends[spec.key], 1);
  EXPECT_TRUE(owned->executor->running().empty());
}

TEST_P(Conformance, C8_SubmittedTwiceRunsOnce) {
  auto spec = shell("echo run >> runs; sleep 0.1");
  ASSERT_TRUE(owned->submit(spec).ok());
  ASSERT_TRUE(owned->submit(spec).ok());
  EXPECT_EQ(owned->executor->running(), std::vector<std::string>{spec.key});
  // A second executor over the same directory: a second daemon, or one that forgot.
  auto other = owned->another(GetParam());
  std::optional<JobResult> seen;
  ASSERT_TRUE(other->submit(spec, [&](const JobResult& r) { seen = r; }).ok());
  EXPECT_EQ(name(owned->wait(spec.key).end), "exited");
  owned->run_loop("the second executor's result", [&] { return seen.has_value(); });
  ASSERT_TRUE(seen);
  EXPECT_EQ(name(seen->end), "exited");
  EXPECT_EQ(slurp(owned->made(spec, "runs")), "run\n");
  EXPECT_EQ(owned->ends[spec.key], 2);  // both who asked
  // Once more, after the end: the stored result.
  ASSERT_TRUE(owned->submit(spec).ok());
  owned->loop.restart();
  owned->loop.poll();
  EXPECT_EQ(owned->ends[spec.key], 3);
  EXPECT_EQ(slurp(owned->made(spec, "runs")), "run\n");
}

TEST_P(Conformance, C11_BytesAreExact) {
  std::string bytes;
  for (int i = 0; i < 70000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  spill(owned->work() / "bytes", bytes);
  const auto spec = shell("cat bytes; cat bytes >&2; printf partial");
  const auto result = owned->run(spec);
  EXPECT_EQ(owned->out(spec, result), bytes + "partial");
  EXPECT_EQ(owned->err(spec, result), bytes);
  EXPECT_EQ(result.out.total, bytes.size() + 7);
  EXPECT_EQ(result.out.hole_from, result.out.hole_to);
}

TEST_P(Conformance, C11_AFloodIsBoundedOnDisk) {
  // Numbered lines of 16 bytes, 64 MiB of them.
  auto spec = shell("awk 'BEGIN { for (i = 0; i < 4194304; ++i) printf \"%015d\\n\", i }'");
  spec.limits.log_head = 10000;
  spec.limits.log_tail = 20000;
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "exited");
  EXPECT_EQ(result.out.total, 64U << 20);
  bool cut = false;
  const auto text = read_log(spec.attempt_dir / "stdout.log", result.out, &cut);
  EXPECT_TRUE(cut);
  EXPECT_GE(result.out.hole_from, 10000U);
  EXPECT_LE(result.out.hole_to, result.out.total - 20000U);
  EXPECT_EQ(text.size(), result.out.hole_from + result.out.total - result.out.hole_to);
  EXPECT_EQ(text.substr(0, 32), "000000000000000\n000000000000001\n");
  EXPECT_EQ(text.substr(text.size() - 16), "000000004194303\n");
  EXPECT_EQ(text.find('\0'), std::string::npos);
  struct stat facts {};
  ASSERT_EQ(::stat((spec.attempt_dir / "stdout.log").c_str(), &facts), 0);
  EXPECT_EQ(static_cast<std::uint64_t>(facts.st_size), result.out.total);  // offsets never change
  EXPECT_GE(result.out.hole_to, result.out.total - 20000U - 4096U);
  EXPECT_LT(facts.st_blocks * 512, 10000 + 20000 + 4 * 4096);
}

TEST_P(Conformance, MergedOutputKeepsTheOrder) {
  auto spec = shell("echo 1; echo 2 >&2; echo 3");
  spec.merge_output = true;
  const auto result = owned->run(spec);
  EXPECT_EQ(owned->out(spec, result), "1\n2\n3\n");
  EXPECT_EQ(result.err.total, 0U);
}

TEST_P(Conformance, C12_EnvironmentIsTheListAndNothingElse) {
  ::setenv("HYDRA_TEST_SECRET", "daemon-secret", 1);
  auto spec = owned->program(GetParam(), {"env"});
  spec.env.emplace_back("API_KEY", "payload secret\nwith a second line");
  const auto result = owned->run(spec);
  const auto text = owned->out(spec, result);
  EXPECT_EQ(text.find("daemon-secret"), std::string::npos);
  std::set<std::string> names;
  for (const auto line : lines(text))
    if (const auto at = line.find('='); at != std::string_view::npos)
      names.insert(std::string(line.substr(0, at)));
  EXPECT_EQ(names, (std::set<std::string>{"PATH", "API_KEY", "HYDRA_ATTEMPT", "PWD"}));
  EXPECT_NE(text.find("API_KEY=payload secret\nwith a second line\n"), std::string::npos);
  EXPECT_NE(text.find("PWD=" + owned->work().string() + "\n"), std::string::npos);
  // Secrets are never on disk.
  for (const auto& entry : fs::directory_iterator(spec.attempt_dir)) {
    if (entry.path().filename() != "stdout.log") {
      EXPECT_EQ(slurp(entry.path()).find("payload secret"), std::string::npos) << entry.path();
    }
  }
  EXPECT_EQ(fs::status(spec.attempt_dir).permissions(), fs::perms::owner_all);
}

TEST_P(Conformance, C13_PlaceUmaskAndDescriptors) {
  const UniqueFd open_file(::open("/dev/null", O_RDONLY));  // not close-on-exec on purpose
  const auto spec = shell("pwd; umask; ls /proc/$$/fd; cat; ls -l /proc/$$/fd/0 | grep -c /dev/null");
  const auto result = owned->run(spec);
  EXPECT_EQ(owned->out(spec, result), owned->work().string() + "\n0022\n0\n1\n2\n1\n")
      << owned->err(spec, result);
}

TEST_P(Conformance, StandardInputComesFromTheFile) {
  spill(owned->dir.path / "prompt", "the prompt\n");
  auto spec = owned->program(GetParam(), {"cat"});
  spec.stdin_file = owned->dir.path / "prompt";
  EXPECT_EQ(owned->out(spec, owned->run(spec)), "the prompt\n");

  auto missing = owned->program(GetParam(), {"cat"});
  missing.stdin_file = owned->dir.path / "none";
  const auto result = owned->run(missing);
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find("none"), std::string::npos);
}

TEST_P(Conformance, TheCookieIsOurs) {
  auto spec = owned->program(GetParam(), {"env"});
  spec.env.emplace_back("HYDRA_ATTEMPT", "of-an-outer-job");
  const auto text = owned->out(spec, owned->run(spec));
  EXPECT_NE(text.find("HYDRA_ATTEMPT=" + spec.token), std::string::npos);
  EXPECT_EQ(text.find("of-an-outer-job"), std::string::npos);
}

TEST_P(Conformance, C17_TornAbsentAndForeignResultsAreLost) {
  const auto done = shell("exit 0");
  ASSERT_EQ(name(owned->run(done).end), "exited");
  const auto result_text = slurp(done.attempt_dir / "result.json");

  int n = 0;
  const auto again = [&](const std::function<void(JobSpec&)>& harm) {
    auto spec = done;
    spec.attempt_dir = owned->dir.path / ("copy" + std::to_string(++n));
    fs::copy(done.attempt_dir, spec.attempt_dir);
    harm(spec);
    Jobs other(GetParam());
    const auto result = other.run(spec);
    EXPECT_FALSE(fs::exists(owned->work() / "ran-again"));
    return result;
  };
  EXPECT_EQ(name(again([](JobSpec&) {}).end), "exited");
  EXPECT_EQ(
      name(again([&](JobSpec& s) { spill(s.attempt_dir / "result.json", result_text.substr(0, 90)); }).end),
      "lost");
  EXPECT_EQ(name(again([&](JobSpec& s) { spill(s.attempt_dir / "result.json", ""); }).end), "lost");
  EXPECT_EQ(name(again([&](JobSpec& s) { spill(s.attempt_dir / "result.json", "[]"); }).end), "lost");
  EXPECT_EQ(name(again([&](JobSpec& s) { fs::remove(s.attempt_dir / "result.json"); }).end), "lost");
  // C10: a late result of an older attempt is refused.
  const auto stale = again([&](JobSpec& s) { s.token = "newer"; });
  EXPECT_EQ(name(stale.end), "lost");
  EXPECT_EQ(stale.token, "newer");
}

TEST_P(Conformance, C20_FiftyAtOnce) {
  std::vector<JobSpec> specs;
  for (int i = 0; i < 50; ++i) {
    specs.push_back(shell("echo $$ >> ran-" + std::to_string(i) + "; sleep 0.0" + std::to_string(i % 10) +
                          "; exit " + std::to_string(i)));
    ASSERT_TRUE(owned->submit(specs.back()).ok());
  }
  for (int i = 0; i < 50; ++i) {
    const auto& spec = specs[static_cast<std::size_t>(i)];
    const auto result = owned->wait(spec.key);
    EXPECT_EQ(name(result.end), "exited") << result.message;
    EXPECT_EQ(result.code, i);
    EXPECT_EQ(owned->ends[spec.key], 1);
    EXPECT_EQ(lines(slurp(owned->made(spec, "ran-" + std::to_string(i)))).size(), 1U);
    EXPECT_TRUE(processes(spec).empty());
    owned->executor->release(spec.key);
  }
  EXPECT_TRUE(owned->executor->running().empty());
}

TEST_P(Conformance, C21_ArgumentsAreIntact) {
  const std::vector<std::string> words{"a b", "'\"", "line\nline", "$(touch x)`id`", "", "\xff\xfe bytes",
                                       "--",  "ü"};
  std::vector<std::string> argv{"printf", "%s\\0"};
  argv.insert(argv.end(), words.begin(), words.end());
  const auto spec = owned->program(GetParam(), argv);
  std::string expected;
  for (const auto& w : words) expected += w + std::string(1, '\0');
  EXPECT_EQ(owned->out(spec, owned->run(spec)), expected);
}

TEST_P(Conformance, MissingProgramIsAStartFailure) {
  const auto result = owned->run(owned->program(GetParam(), {"no-such-program-here", "x"}));
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_EQ(result.message, "program not found: no-such-program-here");
}

TEST_P(Conformance, BadWorkdirIsAStartFailure) {
  auto spec = shell("echo ran");
  spec.workdir = owned->dir.path / "missing";
  const auto result = owned->run(spec);
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find((owned->dir.path / "missing").string()), std::string::npos) << result.message;
  EXPECT_EQ(result.out.total, 0U);
}

TEST_P(Conformance, DurableJobsLeaveTheWholeRecord) {
  auto spec = shell("echo hello");
  spec.durable = true;
  EXPECT_EQ(name(owned->run(spec).end), "exited");
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(spec.attempt_dir)) files.insert(entry.path().filename());
  std::set<std::string> wanted{"spec.json",  "started.json", "heartbeat",
                               "stdout.log", "stderr.log",   "result.json"};
  if (GetParam().slurm) wanted.insert({"queued", "slurm.log"});
  EXPECT_EQ(files, wanted);
}

TEST_P(Conformance, UsageIsMeasured) {
  const auto result = owned->run(shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"));
  EXPECT_GT(result.cpu_user_ms + result.cpu_system_ms, 10);
  EXPECT_GT(result.max_rss_kib, 300U);
  EXPECT_GT(result.wall_ms, 0);
}

INSTANTIATE_TEST_SUITE_P(Isolations, Conformance, testing::ValuesIn(all_variants()), variant_name);
INSTANTIATE_TEST_SUITE_P(Isolations, ConformanceOnFiles,
                         testing::ValuesIn(variants_where([](const Variant& v) { return !v.overlay; })),
                         variant_name);
INSTANTIATE_TEST_SUITE_P(Isolations, ConformanceOfWalls,
                         testing::ValuesIn(variants_where([](const Variant& v) {
                           return v.isolation != Isolation::none;
                         })),
                         variant_name);

}  // namespace
}  // namespace hydra::exec::test
