// Cost of a race, in programs: a budget, so that nobody spends more without a word. bench/ measures and
// compares time; here only what is the same on every machine.
#include "support/machine.hpp"
#include "support/world.hpp"

namespace hydra::e2e::HYDRA_FILE {
namespace {

constexpr int kAgents = 3, kChecks = 3;
/// Of a race: rev-parse, config and status look at the repository; update-ref pins the base; index-pack
/// and update-ref publish; check-ignore says which new files the base ignores (these agents add the same
/// one).
constexpr int kGitsOfARace = 7;
/// Of an agent: none.
constexpr int kGitsOfAnAgent = 0;

class Cost : public ::testing::Test {
 protected:
  Json health(const char* member) {
    const auto run = world_.hydra({"daemon", "status", "--json"});
    return Json::parse(run.out).at("health").at(member);
  }
  Json started() { return health("started_programs"); }
  World world_;
};

TEST_F(Cost, AnOrdinaryRaceStartsNoMoreProgramsThanItsBudget) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world_.project(R"(
[scoring]
build_command = "true"
test_command = "true"
lint_command = "true"
[agents.a]
command = ["/bin/sh", "-c", "echo $HYDRA_RUN_ID >> src/app.txt; echo new > new.txt"]
[agents.once]
command = ["/bin/sh", "-c", "echo $HYDRA_RUN_ID >> src/app.txt; echo new > new.txt"]
)");
  // The first race pays what a daemon does once. Equal branch names of two races in one second cost, too.
  ASSERT_EQ(world_.race({"--agents", "once:3", "--fresh-baseline", "a task"}).exit, 0);
  const auto before = started();
  ASSERT_EQ(world_.race({"--agents", "a:3", "--fresh-baseline", "a task"}).exit, 0);
  const auto after = started();
  const auto more = [&](const char* name) { return after.value(name, 0) - before.value(name, 0); };
  EXPECT_EQ(more("hydra-shim"), kAgents + (kAgents + 1) * kChecks);
  EXPECT_LE(more("git"), kGitsOfARace + kAgents * kGitsOfAnAgent) << after.dump();
  for (const auto& [name, count] : after.items()) {
    if (name == "git" || name == "hydra-shim") continue;
    EXPECT_EQ(count, before.value(name, 0)) << name;
  }
}

// A sync costs milliseconds: only what somebody was told, or what must not happen twice, is worth one. That
// is the race's creation, the start of each agent (those of one turn of the loop share one), the ranking and
// the end.
TEST_F(Cost, ARaceWaitsForTheDiskOnlyForWhatMustSurvive) {
  world_.project(R"(
[scoring]
build_command = "true"
[agents.a]
command = ["/bin/sh", "-c", "pwd > new.txt"]
)");
  const Words race{"--agents", "a:3", "--fresh-baseline", "a task"};
  ASSERT_EQ(world_.race(race).exit, 0);  // what a daemon does once
  const auto before = health("written").value("synced", 0);
  ASSERT_EQ(world_.race(race).exit, 0);
  const auto after = health("written");
  EXPECT_LE(after.value("synced", 0) - before, 1 + kAgents + 1 + 1) << after.dump();
  EXPECT_GT(after.value("transactions", 0), after.value("synced", 0));
  EXPECT_LT(after.value("bytes", 0), 100'000) << "bytes of a small race's events";
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
