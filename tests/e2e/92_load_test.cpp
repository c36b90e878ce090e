// Many agents at once, and neighbours that take all there is.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

TEST(Load, TwoHundredAgentsRunInOrder) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  const auto counter = world.outside() / "counter";
  std::string config = "[sandbox]\nmode = \"off\"\n[limits]\nagents = 2\n";
  for (const char* name : {"a", "b", "c", "d"})
    config += script_agent(name, "echo + >> '" + counter.string() +
                                     "'; echo fine >> src/app.txt; echo - >> '" + counter.string() + "'");
  world.project(config);
  Words args{"race", "--json", "--agents", "a:50,b:50,c:50,d:50", "task"};
  HydraOptions patient;
  patient.deadline = std::chrono::seconds(110);
  const auto run = world.hydra(args, patient);
  EXPECT_EQ(run.exit, 0) << run.err << run.out.substr(run.out.size() > 500 ? run.out.size() - 500 : 0);
  const auto results = world.results();
  int completed = 0;
  for (const auto& agent : results["agents"]) completed += agent["state"] == "completed" ? 1 : 0;
  EXPECT_EQ(completed, 200);
  // Each has come and gone, and at no time there were more than two.
  int alive = 0, most = 0, came = 0;
  for (const char c : slurp(counter)) {
    if (c == '+') {
      ++came;
      most = std::max(most, ++alive);
    }
    if (c == '-') --alive;
  }
  EXPECT_EQ(came, 200);
  EXPECT_LE(most, 2);
  EXPECT_EQ(alive, 0);
}

TEST(Load, BadNeighboursHurtNobody) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world;
  Gate gate(world.outside() / "gate");
  // Small limits: the machine belongs to others too. "honest" waits for the others' end, the bomb's 60 s at
  // most where its processes are not counted, so its own time is longer.
  world.project(
      "[sandbox]\nread = [\"" + world.outside().string() +
      "\"]\n[limits]\nprocesses = 40\nmemory_bytes = 50000000\ndisk_bytes = 30000000\nagent_timeout_seconds "
      "= 150\n" +
      script_agent("bomb", "f() { f | f & }; f; sleep 60") +
      script_agent("hog", "exec tail -c 400M /dev/zero") +
      script_agent("flood", "head -c 200000000 /dev/zero | tr '\\0' 'y'; echo fine >> src/app.txt") +
      script_agent("filler", "head -c 400000000 /dev/zero > big.bin; exec sleep 600") +
      script_agent("honest", gate.script() + "; echo fine >> src/app.txt"));
  const auto race = race_id(
      world.hydra({"race", "--detach", "--json", "--agents", "bomb,hog,flood,filler,honest", "task"}));
  ASSERT_TRUE(gate.arrived());
  // The daemon answers while they rage; how fast is for the benchmark to say.
  for (;;) {
    const auto status = world.status(race);
    int raging = 0;
    for (const auto& agent : status["agents"])
      raging += agent["agent"] != "honest" && agent["state"] == "running" ? 1 : 0;
    if (raging == 0) break;
  }
  gate.open();
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  const auto results = world.results(race);
  EXPECT_EQ(agent_of(results, "honest")["state"], "completed");
  EXPECT_EQ(results["winner"],
            agent_of(results, "flood")["state"] == "completed" ? results["winner"] : "honest");
  EXPECT_NE(agent_of(results, "bomb")["state"], "completed");
  EXPECT_NE(agent_of(results, "hog")["state"], "completed");
  const auto filler = agent_of(results, "filler");
  EXPECT_NE(filler["state"], "completed");
  EXPECT_THAT(filler["message"].dump(), HasSubstr("more than 30000000 bytes of disk"));
  EXPECT_LT(fs::file_size(world.attempt(race, "flood", "agent") / "stdout.log"), 400'000'000u);
  for (const auto pid : processes_with(world.root().string())) EXPECT_NE(process_name(pid), "sleep");
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
