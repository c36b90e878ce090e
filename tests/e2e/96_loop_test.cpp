// The daemon's loop answers beside everything: its watchdog notes a handler of more than 50 ms of CPU time,
// and here it notes none.
#include "storage/sum.hpp"
#include "support/http.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <cstdlib>
#include <string_view>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Loop : public ::testing::Test {
 protected:
  void expect_never_busy() const {
    EXPECT_THAT(slurp(world.state() / "hydrad.log"), Not(HasSubstr("the loop was busy")));
  }
  World world;
};

TEST_F(Loop, IsNotHeldByReportsOfManyTestsAndLongDiffs) {
  // Each result fixes one test of 100,000 and breaks another.
  world.write("suite.sh",
              "read -r me < src/app.txt\n"
              "awk -v me=\"$me\" 'BEGIN { bad = me == \"a\" ? 1 : me == \"b\" ? 2 : 0\n"
              "print \"<testsuite>\"\n"
              "for (i = 0; i < 100000; ++i) printf \"<testcase classname=\\\"m%d.C\\\" "
              "name=\\\"test_something_%d\\\"%s\","
              " i / 100, i, i == bad ? \"><failure/></testcase>\\n\" : \"/>\\n\"\n"
              "print \"</testsuite>\" }' > \"$HYDRA_REPORTS/junit.xml\"\n");
  world.project("[scoring]\ntest_command = \"sh suite.sh; exit 1\"\ntest_reports = [\"{reports}/*.xml\"]\n" +
                script_agent("a", "echo a > src/app.txt; seq 20000 > many.txt") +
                script_agent("b", "echo b > src/app.txt; seq 20000 > many.txt"));
  const auto race = race_id(world.hydra({"race", "--detach", "--json", "--agents", "a,b", "task"}));
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  const auto results = world.results(race);
  ASSERT_EQ(agent_of(results, "a")["tests_by_name"]["fixed"].size(), 1u);
  const auto at = "/v1/races/" + race + "/";
  for (const auto* what :
       {"results", "tests?show=all", "tests?show=changed", "tests/a?name=m5.C.test_something_500", "attempts",
        "explain/a", "lint/a", "diff/a", "diff/a?format=json", "report"}) {
    EXPECT_EQ(ask(world, "GET", at + what).status, 200) << what;
    world.kill_daemon();  // the next one remembers nothing of the race
    EXPECT_EQ(world.hydra({"status", race}).exit, 0);
  }
  EXPECT_EQ(world.hydra({"watch", race}).exit, 0);
  EXPECT_EQ(world.race({"--agents", "a", "the base's evidence comes from the cache"}).exit, 0);
  EXPECT_EQ(world.hydra({"clean", "--dry-run"}).exit, 0);
  expect_never_busy();
}

TEST_F(Loop, IsNotHeldByManyRaces) {
  world.project(script_agent("a", "echo fine >> src/app.txt"));
  EXPECT_EQ(world.race({"--agents", "a", "task"}).exit, 0);
  EXPECT_EQ(world.hydra({"daemon", "stop"}).exit, 0);
  storage::know_sums();
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((world.state() / "hydra.db").c_str(), &db), SQLITE_OK);
  char* error = nullptr;
  ASSERT_EQ(
      sqlite3_exec(db,
                   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
                   "INSERT INTO races SELECT printf('zz%08d', i), created_ms, repository, task, agents, "
                   "state, winner FROM n, (SELECT * FROM races LIMIT 1); "
                   "WITH RECURSIVE n(i) AS (SELECT 9501 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
                   "INSERT INTO events (race, at_ms, kind, body) SELECT printf('zz%08d', i), at_ms, kind, "
                   "body FROM n, (SELECT * FROM events WHERE kind = 'race_created')",
                   nullptr, nullptr, &error),
      SQLITE_OK)
      << error;
  sqlite3_close(db);
  EXPECT_EQ(world.hydra({"status"}).exit, 0);
  EXPECT_EQ(ask(world, "GET", "/v1/races?limit=500").json()["total"], 10'001);
  EXPECT_EQ(ask(world, "GET", "/v1/races?limit=500&q=nothing").json()["total"], 0);
  EXPECT_THAT(world.hydra({"list"}).out, HasSubstr("30 of 10001 races; --limit 10001 shows all"));
  EXPECT_EQ(world.hydra({"clean", "--dry-run"}).exit, 0);
  EXPECT_EQ(world.hydra({"leaderboard"}).exit, 0);
  expect_never_busy();
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
