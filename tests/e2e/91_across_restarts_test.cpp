// Death of a daemon: streams that are taken up again, tools that it left behind.
#include "support/world.hpp"

#include <fstream>
#include <signal.h>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

std::vector<std::int64_t> ids_of(const std::string& out) {
  std::vector<std::int64_t> ids;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    const auto event = Json::parse(line, nullptr, false);
    if (!event.is_object() || !event.contains("id")) continue;
    const auto& id = event["id"];
    ids.push_back(id.is_string() ? std::stoll(id.get<std::string>()) : id.get<std::int64_t>());
  }
  return ids;
}

TEST(Watch, SinceGivesExactlyWhatCameAfter) {
  World world;
  world.project("[scoring]\nbuild_command = \"true\"\n" + script_agent("a", "echo fine >> src/app.txt"));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  const std::string race = world.results()["race"];
  const auto all = ids_of(world.hydra({"watch", race, "--json"}).out);
  ASSERT_GE(all.size(), 6u);
  // A new daemon knows the same events under the same numbers.
  world.kill_daemon(SIGKILL);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto rest = ids_of(world.hydra({"watch", race, "--json", "--since", std::to_string(all[i])}).out);
    EXPECT_EQ(rest, std::vector<std::int64_t>(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end()));
  }
}

// A watcher that leaves and comes back with the last number it saw, before and after a restart.
TEST(Watch, LeftAndTakenUpAcrossARestart) {
  World world;
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nread = [\"" + world.outside().string() + "\"]\n" +
                script_agent("a", gate.script() + "; echo fine >> src/app.txt"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  ASSERT_TRUE(gate.arrived());
  auto first = world.start({"watch", race, "--json"});
  ASSERT_TRUE(first->wait_line("\"agent_starting\""));
  first->signal(SIGINT);
  auto seen = ids_of(first->wait().out);
  ASSERT_FALSE(seen.empty());
  world.kill_daemon(SIGKILL);
  gate.open();
  const auto rest =
      ids_of(world.hydra({"watch", race, "--json", "--since", std::to_string(seen.back())}).out);
  seen.insert(seen.end(), rest.begin(), rest.end());
  EXPECT_EQ(seen, ids_of(world.hydra({"watch", race, "--json"}).out));
}

// A checkout that goes on after its daemon has died would write into the workspace that the next one makes.
TEST(Orphans, AToolOfADeadDaemonEndsBeforeItsWorkIsDoneAgain) {
  World world;
  Gate gate(world.outside() / "gate");
  const auto tools = world.root() / "tools";
  fs::create_directories(tools);
  std::ofstream(tools / "git") << "#!/bin/sh\ncase \" $* \" in *' reset '*) [ -e '"
                               << (tools / "once").string() << "' ] || { touch '" << (tools / "once").string()
                               << "'; " << gate.script() << "; };; esac\nexec /usr/bin/git \"$@\"\n";
  fs::permissions(tools / "git", fs::perms::owner_all);
  world.init();
  world.write(".gitattributes", "*.txt eol=lf\n");  // files as they are stored are written without a tool
  world.project(script_agent("a", "echo fine >> src/app.txt"));
  world.set_environment("PATH", tools.string() + ":/usr/local/bin:/usr/bin:/bin");
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "task"}));
  ASSERT_TRUE(gate.arrived());
  std::vector<pid_t> stuck;
  for (const auto pid : processes_with("HYDRA_TOOL_OF=" + world.state().string())) stuck.push_back(pid);
  ASSERT_FALSE(stuck.empty());
  world.kill_daemon(SIGKILL);
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  for (const auto pid : stuck) EXPECT_TRUE(wait_gone(pid)) << describe_process(pid);
  EXPECT_EQ(agent_of(world.results(race), "a")["state"], "completed");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
