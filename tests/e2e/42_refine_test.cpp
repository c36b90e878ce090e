// `hydra race --until green`: whoever need not go on is stopped, with its work
// kept. The agents that are stopped wait at a gate that nobody opens: a race that ends has stopped them.
#include "storage/sum.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <chrono>
#include <thread>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

class UntilGreen : public ::testing::Test {
 protected:
  UntilGreen() : gate(world.outside() / "gate"), second(world.outside() / "second") {
    sandbox = "[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n";
  }
  // calc.clamp of the base forgets both limits.
  void make(const std::string& config, const std::string& agents) {
    world.init();
    world.write("calc.py", "def clamp(x, low, high):\n    return x\n");
    world.write("tests/__init__.py", "");
    world.write("tests/test_calc.py", test("inside", "2, 1, 3", "2"));
    world.write(".gitignore", "__pycache__/\n");
    world.write("hydra.toml",
                sandbox + "[scoring]\ntest_command = \"python3 -m unittest discover -v -s tests -t .\"\n" +
                    config + agents);
    world.commit();
  }
  static std::string test(const std::string& name, const std::string& call, const std::string& want) {
    return "import unittest\nimport calc\n\n\nclass Test(unittest.TestCase):\n    def test_" + name +
           "(self):\n        self.assertEqual(calc.clamp(" + call + "), " + want + ")\n";
  }
  static std::string fix() {
    return "printf 'def clamp(x, low, high):\\n    return max(low, min(x, high))\\n' > calc.py\n";
  }
  static std::string new_test(const std::string& name) {
    return "cat > tests/test_" + name + ".py <<'EOF'\n" + test(name, "9, 1, 3", "3") + "EOF\n";
  }
  void start(const std::string& agents, const Words& more = {"--until", "green"}) {
    Words args{"race", "--agents", agents};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("clamp");
    run = world.start(args);
  }
  void end() {
    const auto ran = run->wait(std::chrono::minutes(3));
    text = ran.out + ran.err;
    results = world.results();
    ASSERT_EQ(results["state"], "done") << text;
  }
  [[nodiscard]] Json agent(const std::string& name) const { return agent_of(results, name); }
  void expect_stopped(const std::string& name, const std::string& why) const {
    EXPECT_EQ(agent(name)["outcome"], "stopped") << text;
    EXPECT_EQ(agent(name)["state"], "stopped");
    EXPECT_THAT(agent(name)["message"].get<std::string>(), HasSubstr(why));
    EXPECT_THAT(agent(name)["ineligible_reasons"].dump(), HasSubstr("stopped"));
    EXPECT_EQ(world.show(agent(name)["branch"], "half.txt"), "half\n") << "its work is kept";
  }

  World world;
  Gate gate, second;
  std::string sandbox, text;
  std::unique_ptr<Process> run;
  Json results;
};

const std::string kHalfWay = "echo half > half.txt\n";

TEST_F(UntilGreen, AResultWhoseTestsFailBeforeStopsTheOthers) {
  make("", script_agent("right", second.script() + "\n" + fix() + new_test("high")) +
               script_agent("slow", kHalfWay + gate.script()));
  start("right,slow");
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(second.arrived());
  second.open();
  end();
  EXPECT_EQ(results["winner"], "right") << text;
  expect_stopped("slow", "the result of right is green (--until green)");
  EXPECT_THAT(agent("slow")["message"].get<std::string>(), HasSubstr("hydra retry"));
}

// A green result without a test that says anything stops nobody while such a test could still come.
TEST_F(UntilGreen, WithoutEvidenceTheRaceGoesOn) {
  make("", script_agent("silent", fix() + "echo '# done' >> calc.py\n") +
               script_agent("right", second.script() + "\n" + fix() + new_test("high")) +
               script_agent("slow", kHalfWay + gate.script()));
  start("silent,right,slow");
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(second.arrived());
  const auto silent_is_checked = [&] {
    const auto now = world.status();
    for (const auto& row : now["agents"])
      if (row["agent"] == "silent") return row["state"] == "ranked";
    return false;
  };
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  while (!silent_is_checked() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(silent_is_checked()) << world.status().dump(1);
  second.open();
  end();
  EXPECT_EQ(agent("right")["outcome"], "completed") << text;
  expect_stopped("slow", "is green (--until green)");
  EXPECT_EQ(results["evidence"]["state"], "measured") << "and what all brought is measured at the end";
  EXPECT_EQ(agent("silent")["confidence"]["word"], "some") << text;
}

TEST_F(UntilGreen, WhereNoTestCanTellAnythingAGreenResultIsEnough) {
  make("[evaluation]\nbudget = 0\n", script_agent("right", second.script() + "\n" + fix()) +
                                         script_agent("slow", kHalfWay + gate.script()));
  start("right,slow");
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(second.arrived());
  second.open();
  end();
  EXPECT_EQ(results["winner"], "right") << text;
  expect_stopped("slow", "the result of right is green");
}

// Hydra stops it, so a retry may let it go on, and is not stopped again.
TEST_F(UntilGreen, WhoWasStoppedCanGoOn) {
  make("[evaluation]\nbudget = 0\n",
       script_agent("right", second.script() + "\n" + fix()) +
           script_agent("slow", kHalfWay + "test -e again && exit 0\ntouch again\n" + gate.script()));
  start("right,slow");
  ASSERT_TRUE(gate.arrived());
  ASSERT_TRUE(second.arrived());
  second.open();
  end();
  expect_stopped("slow", "is green");
  const auto again = world.hydra({"retry", "slow"});
  results = world.results();
  EXPECT_EQ(agent("slow")["outcome"], "completed") << again.out << again.err;
}

// The others' time runs on while the daemon is away.
TEST_F(UntilGreen, TheirTimeGoesOnAfterTheDaemonsDeath) {
  make("[evaluation]\nbudget = 0\n",
       script_agent("right", fix()) + script_agent("slow", kHalfWay + gate.script()));
  start("right,slow");
  ASSERT_TRUE(gate.arrived());
  const auto query = [&](const std::string& sql) {
    storage::know_sums();
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open((world.state() / "hydra.db").c_str(), &db), SQLITE_OK);
    int rows = 0;
    const auto count = [](void* to, int, char**, char**) { return ++*static_cast<int*>(to), 0; };
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), count, &rows, nullptr), SQLITE_OK) << sql;
    sqlite3_close(db);
    return rows;
  };
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  while (query("SELECT 1 FROM events WHERE kind = 'green_reached'") == 0 &&
         std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_EQ(query("SELECT 1 FROM events WHERE kind = 'green_reached'"), 1);
  world.kill_daemon();
  query("UPDATE events SET at_ms = at_ms - 3000000 WHERE kind = 'green_reached'");
  // The copy of the events would bring the first time back.
  for (const auto& race : fs::directory_iterator(world.state() / "races"))
    fs::remove(race.path() / "events.jsonl");
  EXPECT_EQ(world.hydra({"daemon", "start"}).exit, 0);
  end();
  EXPECT_EQ(results["winner"], "right") << text;
  expect_stopped("slow", "the result of right is green (--until green)");
}

TEST_F(UntilGreen, OtherWordsAreRefused) {
  make("", script_agent("right", fix()));
  const auto ran = world.hydra({"race", "--until", "noon", "--agents", "right", "task"});
  EXPECT_EQ(ran.exit, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("green"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
