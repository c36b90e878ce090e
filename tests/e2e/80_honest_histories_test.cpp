// Honest but unusual changes after real ones (honest_histories.hpp), all of a runner in one race: none is
// blocked, none has wrong points for its tests, and few have to be looked at.
#include "honest_histories.hpp"
#include "support/machine.hpp"

#include <algorithm>

namespace hydra::e2e::HYDRA_FILE {
namespace {

class HonestHistories : public HonestWork {
 protected:
  void tries(const History& history) {
    if (history.needs == "cargo" ? !world.use_cargo() : !machine::has_program(history.needs))
      GTEST_SKIP() << "no " << history.needs;
    std::vector<Honest> agents;
    for (const auto& change : history.changes)
      agents.push_back({change.name, history.fix + change.script, change.own});
    make(history.files, history.config, agents);
    race();
    keeps_its_points(agents);
    for (const auto& change : history.changes) {
      const auto report = agent_of(results, change.name)["integrity"];
      const auto& findings = report["findings"];
      const bool warned = std::any_of(findings.begin(), findings.end(),
                                      [](const Json& each) { return each["severity"] == "warning"; });
      EXPECT_EQ(warned, change.warned) << change.name << report.dump(1);
    }
  }
};

TEST_F(HonestHistories, OfPytest) { tries(pytest_histories()); }
TEST_F(HonestHistories, OfUnittest) { tries(unittest_histories()); }
TEST_F(HonestHistories, OfNodesOwnRunner) { tries(node_histories()); }
TEST_F(HonestHistories, OfGo) { tries(go_histories()); }
TEST_F(HonestHistories, OfCargo) { tries(cargo_histories()); }
TEST_F(HonestHistories, OfPerl) { tries(perl_histories()); }
TEST_F(HonestHistories, OfBats) { tries(bats_histories()); }
TEST_F(HonestHistories, OfCTest) { tries(cmake_histories()); }

TEST(HonestHistoryTable, FewHaveToBeLookedAt) {
  int changes = 0, warned = 0;
  for (const auto& history : histories())
    for (const auto& change : history.changes) ++changes, warned += change.warned ? 1 : 0;
  EXPECT_GE(changes, 32) << "with those of 17_cheats_alarms_test.cpp at least 60";
  EXPECT_LE(warned, 3);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
