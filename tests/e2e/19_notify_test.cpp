// The end of a race is told, once, and whoever does not listen harms nothing.
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAgent = "echo done >> src/app.txt";

void own_config(const World& world, const std::string& text) {
  fs::create_directories(world.config_home() / "hydra");
  std::ofstream(world.config_home() / "hydra" / "config.toml", std::ios::app) << text;
}

TEST(Notifications, TheCommandOfTheUsersOwnFileIsRunAtTheEnd) {
  World world;
  world.set_environment("ACME_API_KEY", "s3cret-value");
  Gate gate(world.root() / "gate");
  const auto out = world.root() / "told";
  own_config(world, "[notify]\ncommand = [\"sh\", \"-c\", \"\"\"cat >> '" + out.string() + "'; env > '" +
                        out.string() + ".env'; " + gate.script() + "\"\"\"]\n");
  world.project(script_agent("a", kAgent));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  ASSERT_TRUE(gate.arrived());
  gate.open();
  const auto told = Json::parse(slurp(out));
  const auto results = world.results();
  EXPECT_EQ(told["event"], "race_ended");
  EXPECT_EQ(told["race"], results["race"]);
  EXPECT_EQ(told["state"], "done");
  EXPECT_EQ(told["winner"], "a");
  EXPECT_EQ(told["task"], "task");
  EXPECT_THAT(slurp(out.string() + ".env"), Not(HasSubstr("s3cret-value")));
}

TEST(Notifications, ACommandThatFailsIsANoteAndNothingElse) {
  World world;
  own_config(world, "[notify]\ncommand = [\"no-such-program-here\"]\n");
  world.project(script_agent("a", kAgent));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  std::string notes;
  for (const auto until = std::chrono::steady_clock::now() + kDeadline;
       notes.find("notification") == std::string::npos && std::chrono::steady_clock::now() < until;)
    notes = world.results()["notes"].dump();
  EXPECT_THAT(notes, HasSubstr("notification by command failed: program not found: no-such-program-here"));
  EXPECT_EQ(world.results()["state"], "done");
}

TEST(Notifications, AProjectsFileCantNameACommand) {
  World world;
  world.project("[notify]\ncommand = [\"touch\", \"" + (world.root() / "touched").string() + "\"]\n" +
                script_agent("a", kAgent));
  const auto run = world.hydra({"race", "--agents", "a", "task"});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("'notify.command' is read from your own file only"));
  EXPECT_FALSE(fs::exists(world.root() / "touched"));
}

TEST(Notifications, ADaemonThatStopsDoesNotWaitForThem) {
  World world;
  Gate gate(world.outside() / "gate");
  own_config(world, "[notify]\ncommand = [\"sh\", \"-c\", \"\"\"" + gate.script() + "\"\"\"]\n");
  world.project(script_agent("a", kAgent));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  ASSERT_TRUE(gate.arrived());
  const auto pid = world.daemons().at(0);
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  EXPECT_TRUE(wait_gone(pid));
  EXPECT_THAT(slurp(world.state() / "hydrad.log"), HasSubstr("notifications are dropped"));
}

TEST(TotalSlots, AgentsOfTwoRacesKeepToOneNumber) {
  World world;
  Gate gate(world.outside() / "gate");
  own_config(world, "[limits]\nagents = 1\n");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("a", std::string(kAgent) + "; " + gate.script()));
  const auto first = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "one"}));
  ASSERT_TRUE(gate.arrived());
  const auto second = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a", "two"}));
  std::string waiting;
  for (const auto until = std::chrono::steady_clock::now() + kDeadline;
       waiting.find("[limits] agents") == std::string::npos && std::chrono::steady_clock::now() < until;) {
    const auto status = world.status(second);
    if (status.contains("agents") && !status["agents"].empty())
      waiting = status["agents"][0].value("message", "");
  }
  EXPECT_EQ(waiting, "waits: 1 agents run at once in all races ([limits] agents)");
  gate.open();
  ASSERT_TRUE(gate.arrived()) << "the second one's turn";
  gate.open();
  EXPECT_EQ(world.hydra({"watch", first}).exit, 0);
  EXPECT_EQ(world.hydra({"watch", second}).exit, 0);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
