// The user unit under a real user manager, in namespaces of its own: needs systemd, unshare and root, else it
// is skipped.
#include "support/machine.hpp"
#include "support/places.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

constexpr const char* kManager = "/lib/systemd/systemd";
constexpr int kSkipped = 77;

/// $1: directory of the world; $2: hydra's directory; $3: the directory of the units. Says NAME=VALUE a line.
constexpr const char* kScript = R"sh(
set -u
w=$1; bin=$2
until_true() {
  i=0
  while ! eval "$1"; do i=$((i+1)); [ $i -gt 400 ] && { echo "timeout=$1"; exit 1; }; sleep 0.1; done
}
mount -t tmpfs tmpfs /run && mkdir -p -m 700 /run/systemd/system /run/user/0 || exit 77
export XDG_RUNTIME_DIR=/run/user/0
unset DBUS_SESSION_BUS_ADDRESS
mkdir -p "$XDG_CONFIG_HOME/systemd/user"
cp "$3"/hydra.service "$3"/hydra.socket "$XDG_CONFIG_HOME/systemd/user/"
mkdir "$XDG_CONFIG_HOME/systemd/user/hydra.service.d"  # more starts than five in ten seconds
printf '[Unit]\nStartLimitIntervalSec=0\n' > "$XDG_CONFIG_HOME/systemd/user/hydra.service.d/limit.conf"
/lib/systemd/systemd --user --log-target=console > "$w/manager.log" 2>&1 &
manager=$!
until_true '[ -S /run/user/0/systemd/private ] || ! kill -0 $manager 2>/dev/null'
kill -0 $manager 2>/dev/null || exit 77
unit() { systemctl --user show hydra -P "$1"; }
cd "$w/home/app"
"$bin/hydra" daemon start > /dev/null
systemctl --user start hydra; echo "beside=$?"
"$bin/hydra" daemon stop > /dev/null
systemctl --user start hydra; echo "start=$?"
race=$("$bin/hydra" race --detach --json --agents a task | sed 's/.*"race":"\([^"]*\)".*/\1/;q')
until_true '[ -e "$w/outside/begun" ]'
daemons() { pgrep -cx hydrad; }  # its child has its name, too, until it is another program
until_true '[ "$(daemons)" = 1 ]'; echo "daemons=1"
systemctl --user stop hydra
echo "stopped=$(unit ActiveState)"
echo "supervisors=$(pgrep -cx hydra-shim)"
systemctl --user start hydra
kill -9 "$(unit MainPID)"
until_true '[ "$(unit NRestarts)" = 1 ] && [ "$(unit SubState)" = running ]'
"$bin/hydrad" --foreground 2>/dev/null; echo "second=$?"
touch "$w/outside/go"
"$bin/hydra" watch "$race" > "$w/watch" 2>&1; echo "watch=$?"
echo "ran=$(wc -l < "$w/outside/ran")"
echo "work=$(git show "$(git for-each-ref --format='%(refname)' refs/heads/hydra):src/app.txt" | tail -1)"
systemctl --user stop hydra
echo "result=$(unit Result)"
systemctl --user start hydra.socket
"$bin/hydra" results > "$w/results" 2>&1; echo "knocked=$?"
until_true '[ "$(daemons)" = 1 ]'; echo "socket=$(unit SubState) daemons=1"
"$bin/hydra" daemon stop > "$w/stopped" 2>&1; echo "stop=$?"
until_true '[ "$(unit ActiveState)" = inactive ]'
"$bin/hydra" results > "$w/results" 2>&1
echo "again=$(unit SubState)"
systemctl --user stop hydra.socket hydra
echo "left=$(pgrep -cx 'hydra-shim|hydrad')"
kill $manager; wait $manager
)sh";

class Service : public ::testing::Test {
 protected:
  void SetUp() override {
    HYDRA_NEEDS("systemd-analyze", "unshare");
    if (::access(kManager, X_OK) != 0) GTEST_SKIP() << "no systemd";
    for (const char* unit : {"hydra.service", "hydra.socket"}) {
      auto text = slurp(places::source("/cmake/" + std::string(unit) + ".in"));
      const auto put = [&](const std::string& name, const std::string& value) {
        for (auto at = text.find(name); at != std::string::npos; at = text.find(name))
          text.replace(at, name.size(), value);
      };
      put("@CMAKE_INSTALL_FULL_BINDIR@", fs::path(path_of_binary("hydrad")).parent_path().string());
      put("@CMAKE_INSTALL_FULL_DOCDIR@", "/usr/share/doc/hydra");
      std::ofstream(world.root() / unit) << text;
    }
  }
  [[nodiscard]] fs::path unit() const { return world.root() / "hydra.service"; }
  World world;
};

TEST_F(Service, TheUnitHoldsNothingThatSystemdDoesNotKnow) {
  auto environment = world.environment();
  environment["XDG_RUNTIME_DIR"] = world.root().string();
  const auto socket = world.root() / "hydra.socket";
  const auto run = Process({"/usr/bin/systemd-analyze", "verify", "--user", unit().string(), socket.string()},
                           world.root(), environment)
                       .wait();
  EXPECT_EQ(run.exit, 0) << run.err;
  std::istringstream lines(run.out + run.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("hydra.s") == std::string::npos) continue;  // of another unit of this machine
    // Of version 254; older ones pass it over.
    EXPECT_THAT(line, HasSubstr("DelegateSubgroup"));
  }
}

// Stopping or killing the daemon ends no agent, the manager starts it again, and a daemon on demand beside it
// is no failure.
TEST_F(Service, AgentsGoOnWhenTheManagerStopsOrRestartsTheDaemon) {
  HYDRA_NEEDS(machine::Ability::other_users, machine::Ability::mounts);
  const auto outside = world.outside().string();
  world.project("[sandbox]\nmode = \"auto\"\nwrite = [\"" + outside + "\"]\n" +
                script_agent("a", "echo + >> " + outside + "/ran; touch " + outside +
                                      "/begun; while [ ! -e " + outside +
                                      "/go ]; do sleep 0.05; done; echo done >> src/app.txt"));
  const auto script = world.root() / "service.sh";
  std::ofstream(script) << kScript;
  const auto run = Process({"/usr/bin/unshare", "--mount", "--pid", "--fork", "--mount-proc", "--cgroup",
                            "--kill-child", "sh", script.string(), world.root().string(),
                            fs::path(path_of_binary("hydra")).parent_path().string(), world.root().string()},
                           world.root(), world.environment())
                       .wait(std::chrono::seconds(100));
  if (run.exit == kSkipped) GTEST_SKIP() << "no user manager of systemd";
  EXPECT_EQ(run.out,
            "beside=0\nstart=0\ndaemons=1\nstopped=inactive\nsupervisors=1\nsecond=75\nwatch=0\nran=1\n"
            "work=done\nresult=success\nknocked=0\nsocket=running daemons=1\nstop=0\nagain=running\nleft=0\n")
      << run.err << slurp(world.root() / "manager.log") << slurp(world.root() / "watch");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
