// The sandbox as it really is, tried from inside: by an agent (which has the network) and by the tests of its
// result (which have none). Each row prints what it got; nothing is the right answer.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

/// A socket that accepts connections and says nothing; a name that begins with '@' is an abstract one.
class Listener {
 public:
  explicit Listener(const std::string& name) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    if (name.front() == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size), 0) << name;
    EXPECT_EQ(::listen(fd_, 8), 0);
  }
  ~Listener() { ::close(fd_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  int fd_;
};

struct Row {
  std::string name, script;                 ///< of a shell; what it prints is what it reached
  bool by_agents = true, by_checks = true;  ///< who is kept from it
};

std::string connect(const std::string& path) {
  const std::string address = path.front() == '@' ? "\"\\0" + path.substr(1) + "\"" : "\"" + path + "\"";
  return "/usr/bin/perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0); print \"connected\" if "
         "connect($s, "
         "sockaddr_un(" +
         address + "))'";
}

TEST(Walls, NothingBeyondThemIsReached) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  // Below /var/tmp: nothing of it is hidden merely because /tmp is.
  World world("app", "/var/tmp");
  const auto home = world.home().string();
  const auto state = world.state().string();
  fs::create_directories(world.home() / ".ssh");
  std::ofstream(world.home() / ".ssh/id_rsa") << "private\n";
  std::ofstream(world.outside() / "plain") << "plain\n";
  // Sessions keep their sockets below /tmp or /run.
  const auto runtime = fs::path("/tmp/hydra-walls-" + std::to_string(::getpid()));
  fs::create_directories(runtime);
  const Listener bus((runtime / "bus").string()), agent((runtime / "ssh-agent").string()),
      abstract("@hydra-walls-" + std::to_string(::getpid()));
  // Or where XDG_RUNTIME_DIR says, wherever that is.
  const auto session = world.runtime().parent_path();
  fs::create_directories(session);
  const Listener elsewhere((session / "bus").string());
  world.set_environment("SSH_AUTH_SOCK", (runtime / "ssh-agent").string());
  world.set_environment("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + (runtime / "bus").string());
  world.set_environment("DOCKER_HOST", "unix:///run/docker.sock");
  world.set_environment("OTHER_API_KEY", "sk-0123456789abcdef");
  const auto hidden = world.outside() / "hidden";
  fs::create_directories(hidden / "tests");
  std::ofstream(hidden / "tests/test_hidden.sh") << "true\n";
  const Row rows[] = {
      {"a file of the home", "cat '" + home + "/.ssh/id_rsa' 2>/dev/null"},
      {"the home's entries", "ls -A '" + home + "/.ssh' '" + home + "/.gitconfig' 2>/dev/null"},
      {"through another process", "cat /proc/[0-9]*/root'" + home + "/.ssh/id_rsa' 2>/dev/null"},
      {"other processes",
       "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'hydra[d] --[^ ]*\\|e2e_2[8][^ ]*'"},
      {"environments of others",
       "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep OTHER_API_KEY="},
      {"sockets of the session",
       connect((runtime / "bus").string()) + "; " + connect((runtime / "ssh-agent").string())},
      {"sockets of a session elsewhere", connect((session / "bus").string())},
      {"names of the session",
       "env | grep -E '^(SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|OTHER_API_KEY)='"},
      {"docker", "ls /run/docker.sock /var/run/docker.sock 2>/dev/null"},
      {"abstract sockets", connect("@hydra-walls-" + std::to_string(::getpid())), false},
      {"the network",
       "/usr/bin/perl -MSocket -e 'socket(my $s, PF_INET, SOCK_DGRAM, 0); print \"route\" if "
       "connect($s, sockaddr_in(53, inet_aton(\"192.0.2.1\")))'",
       false},
      {"the daemon's socket", connect(world.runtime() / "hydrad.sock") + "; find '" +
                                  world.runtime().string() + "' -type s 2>/dev/null"},
      {"Hydra's state", "find '" + state +
                            "' '(' -name 'hydra.db*' -o -name spec.json -o -name guard -o -name result.json "
                            "-o -path '" +
                            (fs::path(state) / "races" / "*" / "work" / "other*").string() +
                            "' ')' 2>/dev/null"},
      {"hidden tests",
       "find '" + state + "' '" + hidden.string() + "' -name 'test_hidden*' 2>/dev/null | grep -v '/checks/'",
       true, false},
      {"writing beyond", "for d in / /usr /etc /var /var/tmp /opt '" + world.root().string() + "' '" + state +
                             "' /sys /proc/sys/kernel; do "
                             "( : > \"$d/.hydra-wall\" ) 2>/dev/null && echo \"$d\"; done"},
      {"kernel settings",
       "v=$(cat /proc/sys/kernel/core_pattern); (echo \"$v\" > /proc/sys/kernel/core_pattern) "
       "2>/dev/null && echo written"},
      {"mounting it writable",
       "unshare -Urm sh -c 'mount -o remount,rw,bind / && touch /.hydra-wall && echo written' "
       "2>/dev/null; mount -o remount,rw / 2>/dev/null && echo mounted"},
      {"more rights", "grep -E 'Cap(Prm|Eff|Bnd)' /proc/self/status | grep -v '0000000000000000'"},
      {"devices", "ls /dev | grep -E '^(mem|kmem|kmsg|sd|vd|nvme|loop|dm-|fuse|net|mapper)' "},
      // Any user may set the times of a device that any user may write: only root's walls keep them.
      {"modes and times of devices",
       "for d in null zero full random urandom tty; do chmod 666 /dev/$d 2>/dev/null && echo mode of $d; " +
           std::string(::geteuid() == 0 ? "touch /dev/$d 2>/dev/null && echo time of $d; " : "") +
           "echo x 2>/dev/null > /dev/null || echo no $d; done"},
      {"the terminal", "(: < /dev/tty) 2>/dev/null && echo tty"},
  };
  std::string script;
  int n = 0;
  for (const auto& row : rows)
    script += "printf '[%s]' " + std::to_string(n++) + "; { " + row.script + "; } | tr '\\n' ' '; echo; ";
  world.write("walls.sh", script + "true\n");
  world.project("[scoring]\ntest_command = \"sh walls.sh\"\n" +
                script_agent("bad", "sh walls.sh; echo fine >> src/app.txt") +
                script_agent("other", "echo other >> src/app.txt"));
  const auto run = world.race({"--agents", "bad,other", "--hidden-tests", hidden.string(), "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  EXPECT_EQ(agent_of(results, "bad")["sandbox"], "bwrap");
  const std::string id = results["race"];
  const auto by_agent = slurp(world.attempt(id, "bad", "agent") / "stdout.log");
  const auto by_checks = slurp(world.attempt(id, "bad", "tests") / "stdout.log");
  fs::remove_all(runtime);
  n = 0;
  for (const auto& row : rows) {
    const auto nothing = "[" + std::to_string(n++) + "]\n";
    if (row.by_agents) {
      EXPECT_THAT(by_agent, HasSubstr(nothing)) << row.name;
    }
    if (row.by_checks) {
      EXPECT_THAT(by_checks, HasSubstr(nothing)) << row.name;
    }
  }
}

// The rows would say "nothing" too if they were wrong: without walls most of them reach what they look for.
TEST(Walls, TheRowsReachItWithoutWalls) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world("app", "/var/tmp");
  fs::create_directories(world.home() / ".ssh");
  std::ofstream(world.home() / ".ssh/id_rsa") << "private\n";
  const Listener bus((world.root() / "run/bus").string()),
      abstract("@hydra-walls-2-" + std::to_string(::getpid()));
  world.project(script_agent("bad", "cat '" + world.home().string() + "/.ssh/id_rsa'; " +
                                        connect((world.root() / "run/bus").string()) + "; echo; " +
                                        connect("@hydra-walls-2-" + std::to_string(::getpid())) +
                                        "; echo; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -o 'hydra[d] "
                                        "--[^ ]*'; echo x >> src/app.txt"));
  world.hydra({"race", "--agents", "bad", "--sandbox", "off", "task"});
  const std::string id = world.results()["race"];
  const auto out = slurp(world.attempt(id, "bad", "agent") / "stdout.log");
  EXPECT_THAT(out, HasSubstr("private\nconnected\nconnected\nhydrad --"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
