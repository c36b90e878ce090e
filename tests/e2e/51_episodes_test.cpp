// Episodes of suites: what a verifier reports is figured as the arena does, kept, and shown.
#include "support/machine.hpp"
#include "support/places.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Episodes : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }

  void put(const fs::path& path, const std::string& text) const {
    fs::create_directories((suite / path).parent_path());
    std::ofstream(suite / path) << text;
  }
  Json json(Words args, int exit = 0) const {
    args.emplace_back("--json");
    HydraOptions options;
    options.deadline = std::chrono::minutes(4);
    const auto run = world.hydra(args, options);
    EXPECT_EQ(run.exit, exit) << run.out << run.err;
    auto parsed = Json::parse(run.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << run.out << run.err;
    return parsed.is_discarded() ? Json::object() : parsed;
  }
  static Json row(const Json& table, const std::string& entry) {
    for (const auto& candidate : table["rows"])
      if (candidate["entry"] == entry) return candidate;
    ADD_FAILURE() << "no row of " << entry << ": " << table.dump();
    return Json::object();
  }

  World world{"app", "/var/tmp"};
  fs::path suite = world.root() / "mine";
};

// The first two examples of the specification: 1,018,181.8 and 13,066.8.
constexpr const char* kCompleted =
    R"({"world":1,"stage":1,"max_x":3266,"total_steps":342,"coins":15,"time_remaining":245,"completed":true})";
constexpr const char* kDied =
    R"({"world":1,"stage":1,"max_x":1456,"total_steps":892,"coins":7,"time_remaining":0,"completed":false})";

TEST_F(Episodes, AreFiguredKeptAndShown) {
  world.project(script_agent("able", "echo able > policy") + script_agent("weak", "echo weak > policy"));
  put("level/task.toml", "");
  put("level/instruction.md", "play");
  put("level/environment/Dockerfile", "FROM ubuntu:24.04\nWORKDIR /app\nCOPY policy /app/policy\n");
  put("level/environment/policy", "none\n");
  put("level/tests/test.sh",
      "cp /tests/$(cat /app/policy) /logs/verifier/episodes.jsonl\ngrep -q able /app/policy\n");
  put("level/tests/able", std::string(kCompleted) + "\n" + kDied + "\n");
  put("level/tests/weak", std::string(kDied) + "\n" + R"({"world": 9})" + "\n");
  const auto result = json({"bench", suite.string(), "--agents", "weak,able", "--attempts", "2"});
  const auto able = row(result, "able")["arena"], weak = row(result, "weak")["arena"];
  EXPECT_EQ(able["episodes"], 4) << "of both attempts";
  EXPECT_NEAR(able["best_score"].get<double>(), 1'018'181.8, 1e-6);
  EXPECT_EQ(able["success_rate"], 0.5);
  EXPECT_EQ(able["avg_steps"], 617.0);
  EXPECT_NEAR(able["avg_score"].get<double>(), (1'018'181.8 + 13'066.8) / 2, 1e-6);
  EXPECT_NEAR(able["std_score_population"].get<double>(), (1'018'181.8 - 13'066.8) / 2, 1e-6);
  EXPECT_EQ(weak["episodes"], 2);
  EXPECT_EQ(weak["success_rate"], 0.0);
  EXPECT_EQ(row(result, "weak")["passed"], 0) << "an episode solves no task";
  const auto& one = result["tasks"][0]["results"][0];
  EXPECT_EQ(one["arena"]["episodes"], 1);
  EXPECT_THAT(world.hydra({"results", one["race"]}).out,
              HasSubstr("1 of 2 lines of verifier/episodes.jsonl do not count: line 2"));
  // The table of all races has the same figures, also when the history is made again.
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(row(json({"leaderboard", "--suite", "mine"}), "able")["arena"], able);
    EXPECT_EQ(world.hydra({"doctor", "--repair"}).exit, 0);
  }
  EXPECT_THAT(
      world.hydra({"leaderboard", "--suite", "mine"}).out,
      HasSubstr("able: best of 4 episodes 1,018,182, 50 % completed, mean 515,624 +/- 502,558, 617 steps"));
  EXPECT_THAT(world.hydra({"leaderboard", "--suite", "mine", "--arena"}).out,
              AllOf(HasSubstr("Rank  Model Name                   Score  Success  Avg Steps"),
                    HasSubstr("1     able                     1,018,182      50%        617"),
                    HasSubstr("2     weak                        13,067       0%        892")));
}

TEST_F(Episodes, TheSampleSuiteIsPlayed) {
  HYDRA_NEEDS(machine::system_program("python3"));
  const fs::path sample = places::source("/examples/arena");
  suite = world.root() / "arena";
  fs::copy(sample, suite, fs::copy_options::recursive);
  const auto solution = slurp(suite / "level-1-1/solution/solve.sh");
  world.project(script_agent("able", solution) + script_agent("slow", "echo '# slow' >> policy.py"));
  const auto sound = json({"bench", "validate", suite.string()});
  EXPECT_EQ(sound["tasks"][0]["state"], "good") << sound.dump();
  const auto result = json({"bench", suite.string(), "--agents", "slow,able"});
  EXPECT_EQ(row(result, "able")["passed"], 1);
  EXPECT_EQ(row(result, "slow")["passed"], 0);
  EXPECT_EQ(row(result, "able")["arena"]["episodes"], 10);
  EXPECT_EQ(row(result, "able")["arena"]["success_rate"], 1.0);
  EXPECT_EQ(row(result, "able")["arena"]["avg_max_x"], 200.0);
  EXPECT_EQ(row(result, "slow")["arena"]["success_rate"], 0.0);
  EXPECT_EQ(row(result, "slow")["arena"]["avg_max_x"], 12.0) << "the first pit";
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
