// Sandboxed payload: what it can and can't do, and how its command is built.
#include "base/fd.hpp"
#include "exec/bwrap.hpp"
#include "exec/identity.hpp"
#include "job_harness.hpp"

#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace hydra::exec::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::size_t at(const std::vector<std::string>& argv, const std::vector<std::string>& words) {
  const auto found = std::search(argv.begin(), argv.end(), words.begin(), words.end());
  EXPECT_NE(found, argv.end()) << words.front() << " " << words.back();
  return static_cast<std::size_t>(found - argv.begin());
}

JobSpec sandboxed() {
  JobSpec spec;
  spec.argv = {"make", "-j2"};
  spec.workdir = "/home/u/work";
  spec.sandbox.isolation = Isolation::bwrap;
  spec.sandbox.home = "/home/u";
  spec.sandbox.binds = {{"/home/u/work", "/home/u/work", true, false},
                        {"/home/u/.cargo", "/home/u/.cargo", false, true}};
  spec.env = {{"API_KEY", "secret-value"}};
  return spec;
}
const BwrapHost kUser{"/usr/bin/bwrap", "/opt/hydra-shim", 1234, 1235};
const BwrapHost kRoot{"/usr/bin/bwrap", "/opt/hydra-shim", 0, 0};

TEST(JobArgv, NoneIsTheProgramItself) {
  auto spec = sandboxed();
  spec.sandbox.isolation = Isolation::none;
  EXPECT_THAT(job_argv(spec, kUser), ElementsAre("make", "-j2"));
}

TEST(JobArgv, BindsComeAfterThePrivateDirectories) {
  const auto argv = job_argv(sandboxed(), kUser);
  EXPECT_EQ(argv.front(), "/usr/bin/bwrap");
  const auto root = at(argv, {"--ro-bind", "/", "/"});
  const auto tmp = at(argv, {"--tmpfs", "/tmp"});
  const auto home = at(argv, {"--tmpfs", "/home/u"});
  const auto work = at(argv, {"--bind", "/home/u/work", "/home/u/work"});
  const auto cargo = at(argv, {"--ro-bind-try", "/home/u/.cargo", "/home/u/.cargo"});
  const auto shim = at(argv, {"--ro-bind", "/opt/hydra-shim"});
  EXPECT_TRUE(root < tmp && tmp < home && home < work && work < cargo && cargo < shim);
  EXPECT_EQ(std::vector<std::string>(argv.end() - 3, argv.end()),
            (std::vector<std::string>{"--", "make", "-j2"}));
}

TEST(JobArgv, APlaceThatTheHostHasNotStandsInARootOfItsOwn) {
  auto spec = sandboxed();
  spec.sandbox.binds.push_back({"/srv/tree", "/no-such-place-anywhere", true, false});
  spec.sandbox = resolve_targets(spec.sandbox);
  const auto argv = job_argv(spec, kUser);
  const auto root = at(argv, {"--tmpfs", "/"});
  const auto usr = at(argv, {"--ro-bind-try", "/usr", "/usr"});
  const auto dev = at(argv, {"--dev", "/dev"});
  const auto place = at(argv, {"--bind", "/srv/tree", "/no-such-place-anywhere"});
  const auto sealed = at(argv, {"--remount-ro", "/"});
  EXPECT_TRUE(root < usr && usr < dev && dev < place && place < sealed);
  EXPECT_TRUE(resolve_targets(sandboxed().sandbox).root_entries.empty()) << "the host's root will do";
}

TEST(JobArgv, PrivateHomeNetworkAndIdentity) {
  auto spec = sandboxed();
  spec.sandbox.private_home = "/var/private";
  spec.sandbox.network = false;
  const auto argv = job_argv(spec, kRoot);
  at(argv, {"--bind", "/var/private", "/home/u"});
  at(argv, {"--uid", "1000", "--gid", "1000"});
  EXPECT_THAT(argv, Contains("--unshare-net"));
  const auto user = job_argv(sandboxed(), kUser);
  at(user, {"--uid", "1234", "--gid", "1235"});
  EXPECT_THAT(user, Not(Contains("--unshare-net")));
}

// bwrap covers these by itself (SandboxRun below shows it), and each bind costs it a look at all mounts.
TEST(JobArgv, NothingIsBoundTwice) {
  const auto argv = job_argv(sandboxed(), kRoot);
  for (const char* path : {"/proc/irq", "/proc/bus", "/proc/sysrq-trigger"})
    EXPECT_THAT(argv, Not(Contains(path)));
  EXPECT_THAT(argv, Contains("/proc/sys"));
}

TEST(JobArgv, NoEnvironmentOnTheCommandLine) {
  for (const auto& word : job_argv(sandboxed(), kUser)) {
    EXPECT_EQ(word.find("secret-value"), std::string::npos);
    EXPECT_NE(word, "--setenv");
    EXPECT_NE(word, "--clearenv");
  }
}

TEST(Identity, TheListOfUsersNamesTheHomeOfTheJob) {
  const std::string passwd = "root:x:0:0:root:/root:/bin/bash\ndebian:x:1000:1000::/home/debian:/bin/sh\n";
  EXPECT_EQ(passwd_with(passwd, {1000, 1000, "/root", "root"}),
            "root:x:0:0:root:/root:/bin/bash\ndebian:x:1000:1000::/root:/bin/sh\n");
  EXPECT_EQ(passwd_with(passwd, {1000, 1000, "/home/debian", "x"}), passwd);
  EXPECT_EQ(passwd_with("root:x:0:0:root:/root:/bin/bash\n", {1000, 1000, "/root", "root"}),
            "root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000::/root:/bin/sh\n")
      << "a name of its own, not root's";
  EXPECT_EQ(passwd_with("", {7, 8, "/h", "ada"}), "ada:x:7:8::/h:/bin/sh\n");
  EXPECT_EQ(passwd_with(passwd, {1000, 1000, "/a:b", ""}), passwd) << "no line could say it";
  EXPECT_EQ(group_with("root:x:0:\n", {1000, 1000, "/root", "root"}), "root:x:0:\nuser:x:1000:\n");
  EXPECT_EQ(group_with("users:x:1000:\n", {1000, 1000, "/root", "x"}), "users:x:1000:\n");
}

class SandboxRun : public testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
  std::string say(const JobSpec& spec) {
    const auto result = jobs.run(spec);
    return jobs.out(spec, result) + jobs.err(spec, result) + result.message;
  }
  Jobs jobs;
};

TEST_F(SandboxRun, TheKernelsSettingsCannotBeWritten) {
  const auto spec =
      jobs.program(Isolation::bwrap, {"sh", "-c",
                                      "for s in sys/kernel/core_pattern sys irq bus sysrq-trigger acpi; do "
                                      "[ ! -w /proc/$s ] || echo $s; done"});
  EXPECT_EQ(say(spec), "");
}

TEST_F(SandboxRun, C15_WithoutNetworkALoopbackListenerIsOutOfReach) {
  const UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.get(), 8), 0);
  ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  auto spec =
      jobs.program(Isolation::bwrap, {"bash", "-c",
                                      "(: > /dev/tcp/127.0.0.1/" + std::to_string(ntohs(address.sin_port)) +
                                          ") 2>/dev/null && echo reached || echo blocked"});
  EXPECT_EQ(say(spec), "reached\n");
  auto off = spec;
  off.key += "/off";
  off.attempt_dir += "-off";
  off.sandbox.network = false;
  EXPECT_EQ(say(off), "blocked\n");
}

// Calls after which a file holds something else, or can't be written to, and has its old ctime: the seal
// tells changes by it. Elsewhere the answer is about the descriptor or the file system.
TEST_F(SandboxRun, ChangesThatLeaveNoTraceAreRefused) {
  HYDRA_NEEDS("perl");
  const auto asked = [](const std::string& request) {
    return "perl -e 'open(my $f, \"+>\", \"made\"); my $b = \"\\0\" x 256; ioctl($f, " + request +
           ", $b); print $!{EOPNOTSUPP} ? \"refused\" : \"asked\", \"\\n\"'";
  };
  // EXT4_IOC_MOVE_EXT, FS_IOC_ENABLE_VERITY, FS_IOC_SET_ENCRYPTION_POLICY, with bits above that nobody reads;
  // and FS_IOC_GETFLAGS, which is everybody's.
  auto spec = jobs.shell(Isolation::bwrap, asked("0xc028660f") + "; " + asked("0x40806685") + "; " +
                                               asked("0x800c6613") + "; " + asked("0x80086601"));
  EXPECT_EQ(say(spec), "refused\nrefused\nrefused\nasked\n");
}

TEST_F(SandboxRun, C16_ReadOnlyHoldsAndWritableWrites) {
  fs::create_directories(jobs.dir.path / "ro");
  spill(jobs.dir.path / "ro" / "file", "kept");
  auto spec = jobs.shell(
      Isolation::bwrap,
      "echo x > made; (echo x > ../ro/file) 2>/dev/null && echo wrote; rm -f ../ro/file 2>/dev/null "
      "&& echo removed; (: > /usr/x) 2>/dev/null && echo usr; cat ../ro/file");
  spec.sandbox.binds.push_back({jobs.dir.path / "ro", jobs.dir.path / "ro", false, false});
  EXPECT_EQ(say(spec), "kept");
  EXPECT_EQ(slurp(jobs.work() / "made"), "x\n");
}

TEST_F(SandboxRun, HomeIsPrivateAndTheAttemptIsOutOfSight) {
  fs::create_directories(jobs.dir.path / "home" / ".ssh");
  fs::create_directories(jobs.dir.path / "private");
  spill(jobs.dir.path / "home" / ".ssh" / "id", "key");
  auto spec = jobs.shell(Isolation::bwrap,
                         "ls -A " + (jobs.dir.path / "home").string() + "; ls -A /tmp | wc -l; id -u");
  spec.sandbox.home = jobs.dir.path / "home";
  const std::string id = std::to_string(::geteuid() == 0 ? 1000 : ::geteuid()) + "\n";
  EXPECT_EQ(say(spec), "1\n" + id);  // /tmp holds the path of the workspace only

  auto with = jobs.shell(Isolation::bwrap, "echo new > " + (jobs.dir.path / "home" / "file").string());
  with.sandbox.home = jobs.dir.path / "home";
  with.sandbox.private_home = jobs.dir.path / "private";
  EXPECT_EQ(say(with), "");
  EXPECT_EQ(slurp(jobs.dir.path / "private" / "file"), "new\n");
  EXPECT_FALSE(fs::exists(jobs.dir.path / "home" / "file"));
}

// Java, ssh and others take the home from the list of users and not from $HOME.
TEST_F(SandboxRun, TheListsKnowTheUserAndTheHome) {
  fs::create_directories(jobs.dir.path / "home");
  auto spec =
      jobs.shell(Isolation::bwrap,
                 "getent passwd \"$(id -u)\" | cut -d: -f6; id -un >/dev/null && id -gn >/dev/null && "
                 "echo named; (echo x >> /etc/passwd) 2>/dev/null && echo written");
  spec.sandbox.home = jobs.dir.path / "home";
  EXPECT_EQ(say(spec), (jobs.dir.path / "home").string() + "\nnamed\n");
}

TEST_F(SandboxRun, AHomeBehindASymlinkWorks) {
  fs::create_directories(jobs.dir.path / "real");
  fs::create_directory_symlink(jobs.dir.path / "real", jobs.dir.path / "link");
  auto spec = jobs.shell(Isolation::bwrap, "echo fine");
  spec.sandbox.home = jobs.dir.path / "link";
  EXPECT_EQ(say(spec), "fine\n");
}

TEST_F(SandboxRun, AMissingBindIsAStartFailureWithBwrapsWords) {
  auto spec = jobs.shell(Isolation::bwrap, "echo ran");
  spec.sandbox.binds.push_back({"/no/such/dir", "/no/such/dir", false, false});
  const auto result = jobs.run(spec);
  EXPECT_EQ(name(result.end), "start_failed");
  EXPECT_NE(result.message.find("/no/such/dir"), std::string::npos) << result.message;
  spec.key += "/optional";
  spec.attempt_dir += "-optional";
  spec.sandbox.binds.back().optional = true;
  EXPECT_EQ(say(spec), "ran\n");
}

TEST_F(SandboxRun, ThePayloadCantReachItsSupervisor) {
  const auto spec =
      jobs.shell(Isolation::bwrap,
                 "kill -9 1 2>/dev/null; for fd in 0 1 2 3; do (: > /proc/1/fd/$fd) 2>/dev/null && "
                 "echo open; done; echo alive");
  EXPECT_EQ(say(spec), "alive\n");
  const auto group = jobs.shell(Isolation::bwrap, "kill -TERM 0; sleep 600");
  const auto result = jobs.run(group);
  EXPECT_EQ(name(result.end), "signaled");
  EXPECT_EQ(result.signal, SIGTERM);
}

TEST_F(SandboxRun, NestedSandboxesWork) {
  const auto spec = jobs.program(
      Isolation::bwrap, {"bwrap", "--ro-bind", "/", "/", "--dev-bind", "/proc", "/proc", "--unshare-user",
                         "--unshare-pid", "--unshare-net", "--", "echo", "nested"});
  EXPECT_EQ(say(spec), "nested\n");
}

TEST(Machine, TheProbeSeesARealSandbox) {
  const auto facts = probe_machine(search_path());
  EXPECT_GE(facts.cores, 1);
  EXPECT_EQ(facts.root, ::geteuid() == 0);
  EXPECT_FALSE(facts.kill_rung.empty());
  EXPECT_FALSE(facts.limit_rung.empty());
  HYDRA_NEEDS("bwrap");
  EXPECT_FALSE(facts.bwrap_version.empty());
  EXPECT_NE(facts.bwrap_works, facts.bwrap_remedy.size() > 0);
  EXPECT_EQ(facts.bwrap_works, facts.bwrap_problem.empty());
}

TEST(Machine, WithoutBwrapItSaysWhatToInstall) {
  const auto facts = probe_machine("/nowhere");
  EXPECT_FALSE(facts.bwrap_works);
  EXPECT_EQ(facts.bwrap_problem, "bubblewrap is not installed");
  EXPECT_EQ(facts.bwrap_remedy, "apt install bubblewrap");
  const auto cgroups = find_cgroups();
  EXPECT_EQ(facts.kill_rung, cgroups.empty()           ? "subreaper-sweep"
                             : cgroups[0].kind == "v2" ? "cgroup-v2"
                                                       : "cgroup-v1");
}

TEST(Machine, AnExitCodeOfZeroProvesNothing) {
  // A "bwrap" that runs the command without any sandbox.
  TempDir dir;
  spill(dir.path / "bwrap",
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo bubblewrap 9; exit; }\n"
        "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n");
  fs::permissions(dir.path / "bwrap", fs::perms::owner_all);
  const auto facts = probe_machine(dir.path.string() + ":/usr/bin:/bin");
  EXPECT_FALSE(facts.bwrap_works);
  EXPECT_NE(facts.bwrap_problem.find("user"), std::string::npos) << facts.bwrap_problem;
  EXPECT_FALSE(facts.bwrap_remedy.empty());
}

}  // namespace
}  // namespace hydra::exec::test
