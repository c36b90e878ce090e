// `hydra score`: every function of the four tables, with values out of the specification.
#include "score_fixture.hpp"

#include <set>

namespace hydra::cli::score {
namespace {

using fixture::ask;
using fixture::Case;
using fixture::expect;

TEST(Score, Hydra) {
  const Case cases[] = {
      {R"({"fn":"score_build","exit_code":0})", R"({"score":100,"passed":true})"},
      {R"({"fn":"score_build","exit_code":1})", R"({"score":0,"passed":false})"},
      {R"({"fn":"score_build","exit_code":-1})", R"({"score":0,"passed":false})"},
      {R"({"fn":"score_build","signal":9})", R"({"score":0,"passed":false})"},
      {R"({"fn":"score_build","exit_code":0,"signal":null,"timed_out":false})",
       R"({"score":100,"passed":true})"},
      {R"({"fn":"score_build","exit_code":0,"timed_out":true})", R"({"score":0,"passed":false})"},
      {R"({"fn":"score_build","exit_code":null,"timed_out":true})", R"({"score":0,"passed":false})"},
      {R"({"fn":"score_build","spawn_error":true})", R"({"score":0,"passed":false})"},
      {R"({"fn":"score_build","spawn_error":"no such file"})", R"({"score":0,"passed":false})"},

      {R"({"fn":"score_tests","baseline_pass":10,"baseline_total":10,"agent_pass":8,"agent_total":10})",
       R"({"score":70,"bonus":0,"regression_penalty":10})"},
      {R"({"fn":"score_tests","baseline_pass":8,"baseline_total":8,"agent_pass":9,"agent_total":10})",
       R"({"score":92,"bonus":2,"regression_penalty":0})"},
      {R"({"fn":"score_tests","baseline_pass":0,"baseline_total":0,"agent_pass":0,"agent_total":0})",
       R"({"score":0,"bonus":0,"regression_penalty":0})"},
      {R"({"fn":"score_tests","baseline_pass":10,"baseline_total":10,"agent_pass":0,"agent_total":0})",
       R"({"score":0,"bonus":0,"regression_penalty":50})"},
      {R"({"fn":"score_tests","baseline_pass":5.0,"baseline_total":1e1,"agent_pass":5,"agent_total":10})",
       R"({"score":50,"bonus":0,"regression_penalty":0})"},

      {R"({"fn":"score_lint","baseline_errors":1,"baseline_warnings":1,"agent_errors":3,"agent_warnings":2})",
       R"({"score":78})"},
      {R"({"fn":"score_lint","baseline_errors":0,"baseline_warnings":10,"agent_errors":1,"agent_warnings":0})",
       R"({"score":99})"},

      {R"({"fn":"score_diff_size","lines_added":200,"lines_removed":100,"files_changed":10})",
       R"({"churn_score":80,"file_score":85,"score":82})"},
      {R"({"fn":"score_diff_size","lines_added":1500,"lines_removed":0,"files_changed":35})",
       R"({"churn_score":20,"file_score":30,"score":24})"},

      {R"({"fn":"score_speed","durations_seconds":{"codex":36,"claude":45,"slow":72,"gone":null}})",
       R"({"scores":{"codex":100,"claude":80,"slow":50,"gone":0}})"},
      {R"({"fn":"score_speed","durations_seconds":{"a":0,"b":0.001,"c":0.004,"d":-3}})",
       R"({"scores":{"a":100,"b":100,"c":25,"d":100}})"},
      {R"({"fn":"score_speed","durations_seconds":{}})", R"({"scores":{}})"},
      {R"({"fn":"score_speed","durations_seconds":{"a":null}})", R"({"scores":{"a":0}})"},

      {R"({"fn":"composite","breakdown":{"build":100,"tests":95,"lint":90,"diff_size":75,"speed":80},
           "weights":{"build":30,"tests":30,"lint":15,"diff_size":15,"speed":10}})",
       R"({"composite":91.25})"},
      {R"({"fn":"composite","breakdown":{"build":100,"tests":null,"lint":80,"diff_size":60,"speed":40},
           "weights":{"build":30,"tests":30,"lint":15,"diff_size":15,"speed":10}})",
       R"({"composite":78.57142857142857})"},
      {R"({"fn":"composite","breakdown":{"build":100,"lint":80,"diff_size":60,"speed":40},
           "weights":{"build":3,"lint":1.5,"diff_size":1.5,"speed":1}})",
       R"({"composite":78.57142857142857})"},
      {R"({"fn":"composite","breakdown":{"build":0,"tests":0},"weights":{"build":30,"tests":30}})",
       R"({"composite":0})"},

      {R"({"fn":"format_score","score":93.25})", R"({"text":"93.3"})"},
      {R"({"fn":"format_score","score":91.25})", R"({"text":"91.3"})"},
      {R"({"fn":"format_score","score":100})", R"({"text":"100.0"})"},
      {R"({"fn":"score_colour","score":80.00000000000001})", R"({"colour":"green"})"},
      {R"({"fn":"score_colour","score":80})", R"({"colour":"yellow"})"},
      {R"({"fn":"score_colour","score":50})", R"({"colour":"yellow"})"},
      {R"({"fn":"score_colour","score":49.99999999999999})", R"({"colour":"red"})"},

      {R"({"fn":"rank","agents":[{"id":"a","composite":16},{"id":"b","composite":91.25},{"id":"c","composite":93.25}]})",
       R"({"order":["c","b","a"],"winner":"c"})"},
      {R"({"fn":"rank","agents":[{"id":2,"composite":50},{"id":1,"composite":50}]})",
       R"({"order":[2,1],"winner":2})"},
      {R"({"fn":"rank","agents":[]})", R"({"order":[],"winner":null})"},
      {R"({"fn":"rank","agents":[{"id":"x","composite":50,"duration_seconds":9},
           {"id":"y","composite":50,"duration_seconds":8},{"id":"z","composite":90,"eligible":false}]})",
       R"({"order":["y","x","z"],"winner":"y"})"},
      {R"({"fn":"rank","agents":[{"id":"x","composite":50,"tests":1,"build":9,"diff_size":9},
           {"id":"y","composite":50,"tests":2,"build":1,"diff_size":8},
           {"id":"z","composite":50,"tests":2,"build":1,"diff_size":9}]})",
       R"({"order":["z","y","x"],"winner":"z"})"},
      {R"({"fn":"rank","agents":[{"id":"z","composite":90,"eligible":false}]})",
       R"({"order":["z"],"winner":null})"},

      {R"({"fn":"thresholds","composites":[85,20],"auto_merge_minimum":85,"fail_maximum":30})",
       R"({"auto_merge":false,"all_failed":false})"},
      {R"({"fn":"thresholds","composites":[20,85.00000000000001],"auto_merge_minimum":85,"fail_maximum":30})",
       R"({"auto_merge":true,"all_failed":false})"},
      {R"({"fn":"thresholds","composites":[30],"auto_merge_minimum":85,"fail_maximum":30})",
       R"({"auto_merge":false,"all_failed":false})"},
      {R"({"fn":"thresholds","composites":[29.999999999999996],"auto_merge_minimum":85,"fail_maximum":30})",
       R"({"auto_merge":false,"all_failed":true})"},
      {R"({"fn":"thresholds","composites":[],"auto_merge_minimum":85,"fail_maximum":30})",
       R"({"auto_merge":false,"all_failed":true})"},
      {R"({"fn":"thresholds","composites":[100],"auto_merge_minimum":"Infinity","fail_maximum":"-Infinity"})",
       R"({"auto_merge":false,"all_failed":false})"},
      {R"({"fn":"thresholds","composites":[25],"auto_merge_minimum":20,"fail_maximum":30})",
       R"({"auto_merge":false,"all_failed":true})"},
  };
  for (const auto& c : cases) expect("hydra", c);
}

constexpr const char* kDefaults = R"("weights":{"build":30,"tests":30,"lint":15,"diff_size":15,"speed":10}})";

TEST(Score, EvaluateShortCircuits) {
  const auto failed = ask("hydra", std::string(
                                       R"({"fn":"evaluate","build_exit_code":1,"tests_configured":true,
      "lint_configured":true,"lines_added":300,"lines_removed":0,"files_changed":10,"duration_seconds":72,
      "fastest_seconds":36,)") + kDefaults);
  EXPECT_EQ(
      failed["breakdown"],
      (fixture::Json{{"build", 0.0}, {"tests", 0.0}, {"lint", 0.0}, {"diff_size", 82.0}, {"speed", 50.0}}));
  EXPECT_EQ(failed["tests_executed"], false);
  EXPECT_EQ(failed["lint_executed"], false);
  EXPECT_DOUBLE_EQ(failed["composite"], (82 * 15 + 50 * 10) / 100.0);
  EXPECT_EQ(
      failed["display"],
      (fixture::Json{{"build", "✗"}, {"tests", "--"}, {"lint", "--"}, {"diff_size", "82"}, {"speed", "50"}}));
  // H4: what is not configured stays excluded even then.
  const auto without = ask("hydra", std::string(
                                        R"({"fn":"evaluate","build_exit_code":2,"tests_configured":false,
      "lint_configured":true,"lines_added":0,"lines_removed":0,"files_changed":0,"duration_seconds":null,
      "fastest_seconds":36,)") + kDefaults);
  EXPECT_TRUE(without["breakdown"]["tests"].is_null());
  EXPECT_EQ(without["breakdown"]["speed"], 0);
  EXPECT_DOUBLE_EQ(without["composite"], 100 * 15 / 70.0);
}

TEST(Score, EvaluateWithResultsOfTestsAndLint) {
  const std::string head =
      R"({"fn":"evaluate","build_exit_code":0,"tests_configured":true,"lint_configured":true,
      "lines_added":50,"lines_removed":50,"files_changed":5,"duration_seconds":36,"fastest_seconds":36,)";
  const auto full =
      ask("hydra", head + R"("baseline_pass":10,"baseline_total":10,"agent_pass":8,"agent_total":10,
      "baseline_errors":0,"baseline_warnings":0,"agent_errors":0,"agent_warnings":2,)" +
                       kDefaults);
  EXPECT_EQ(full["breakdown"],
            (fixture::Json{
                {"build", 100.0}, {"tests", 70.0}, {"lint", 96.0}, {"diff_size", 100.0}, {"speed", 100.0}}));
  EXPECT_EQ(full["tests_executed"], true);
  EXPECT_EQ(full["lint_executed"], true);
  EXPECT_EQ(full["display"]["build"], "✓");
  EXPECT_DOUBLE_EQ(full["composite"], (3000 + 2100 + 1440 + 1500 + 1000) / 100.0);
  // No result: not run, 0 points, the weight stays (H3).
  const auto none = ask("hydra", head + kDefaults);
  EXPECT_EQ(none["tests_executed"], true);
  EXPECT_EQ(none["breakdown"]["tests"], 0);
  EXPECT_DOUBLE_EQ(none["composite"], 55);
}

TEST(Score, TestOutput) {
  const Case cases[] = {
      {R"({"fn":"parse_test_output","runner":"pytest","output":"=== 2 failed, 8 passed in 0.12s ===\n","exit_code":1})",
       R"({"passed":8,"failed":2,"total":10})"},
      {R"({"fn":"parse_test_output","runner":"go","output":"ok  \ta\t0.1s\nFAIL\tb\t0.2s\nFAIL\n","exit_code":1})",
       R"({"passed":1,"failed":1,"total":2})"},
      {R"({"fn":"parse_test_output","runner":"pytest","output":"nothing to see","exit_code":null})",
       R"({"passed":null,"failed":null,"total":null})"},
      {R"({"fn":"parse_test_output","runner":null,"output":"","exit_code":0})",
       R"({"passed":null,"failed":null,"total":null})"},
      {R"({"fn":"score_tests_output","output":"=== 2 failed, 8 passed in 0.12s ===","exit_code":1,"baseline_pass":10,"baseline_total":10})",
       R"({"parsed":true,"score":70})"},
      // H11: one of one never enters the count formula.
      {R"({"fn":"score_tests_output","output":"all good","exit_code":0,"baseline_pass":10,"baseline_total":10})",
       R"({"parsed":false,"score":100})"},
      {R"({"fn":"score_tests_output","output":"all good","exit_code":2,"baseline_pass":null,"baseline_total":null})",
       R"({"parsed":false,"score":0})"},
      // No baseline: the exit code decides.
      {R"({"fn":"score_tests_output","output":"=== 8 passed in 0.12s ===","exit_code":0,"baseline_pass":null,"baseline_total":null})",
       R"({"parsed":true,"score":100})"},
      // A contradiction proves nothing.
      {R"({"fn":"score_tests_output","output":"=== 2 failed, 8 passed in 0.12s ===","exit_code":0,"baseline_pass":10,"baseline_total":10})",
       R"({"parsed":true,"score":0})"},
  };
  for (const auto& c : cases) expect("hydra", c);
}

// The lines that the specification quotes, without the run around them.
TEST(Score, LoneSummaryLines) {
  struct Row {
    const char *runner, *output;
    int exit;
    const char* expected;
  };
  const Row rows[] = {
      {"jest", "Tests: 8 passed, 2 failed", 1, R"({"passed":8,"failed":2,"total":10})"},
      {"npm test", "Tests:       2 failed, 1 skipped, 8 passed, 11 total\n", 1,
       R"({"passed":8,"failed":2,"total":11})"},
      {"cargo", "test result: ok. 8 passed; 0 failed", 0, R"({"passed":8,"failed":0,"total":8})"},
      {"cargo test",
       "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
       "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 5 filtered out\n",
       101, R"({"passed":5,"failed":1,"total":7})"},
      {"pytest", "8 passed, 2 failed", 1, R"({"passed":8,"failed":2,"total":10})"},
      {"pytest", "=== 2 failed, 8 passed, 3 warnings in 1.20s ===", 1,
       R"({"passed":8,"failed":2,"total":10})"},
      {"jest", "2 failed, and 8 passed", 1, R"({"passed":null,"failed":null,"total":null})"},
      {"jest", "Tests: 99999999999999999999 passed", 0, R"({"passed":null,"failed":null,"total":null})"},
      {"mocha", "8 passed", 0, R"({"passed":null,"failed":null,"total":null})"},
  };
  for (const auto& row : rows) {
    const fixture::Json line{
        {"fn", "parse_test_output"}, {"runner", row.runner}, {"output", row.output}, {"exit_code", row.exit}};
    expect("hydra", {line.dump().c_str(), row.expected});
  }
  const auto score = [](const char* output, int exit) {
    return ask("hydra", fixture::Json{{"fn", "score_tests_output"},
                                      {"output", output},
                                      {"exit_code", exit},
                                      {"baseline_pass", 10},
                                      {"baseline_total", 10}}
                            .dump());
  };
  EXPECT_EQ(score("test result: FAILED. 8 passed; 2 failed", 101)["score"], 70);
  EXPECT_EQ(score("Tests: 8 passed, 2 failed", 1)["score"], 70);
  EXPECT_EQ(score("8 passed, 2 failed", 1)["parsed"], true);
  EXPECT_EQ(score("8 passed, 2 failed", 0)["score"], 0);  // a contradiction proves nothing
  EXPECT_EQ(score("10 passed", 1)["score"], 0);
}

TEST(Score, Arena) {
  const Case cases[] = {
      {R"({"fn":"episode_score","completed":true,"world":3,"stage":2,"max_x":2888,"total_steps":415,"coins":22,"time_remaining":198})",
       R"({"total":1039026.5,"completion_bonus":1000000,"progress_score":34888,"efficiency_penalty":41.5,"coin_bonus":2200,"time_bonus":1980,"display":"1,039,026"})"},
      {R"({"fn":"episode_score","completed":false,"world":1,"stage":1,"max_x":1456,"total_steps":892,"coins":7,"time_remaining":0})",
       R"({"total":13066.8,"completion_bonus":0,"progress_score":12456,"efficiency_penalty":89.2,"coin_bonus":700,"time_bonus":0,"display":"13,067"})"},
      {R"({"fn":"episode_score","completed":false,"world":1,"stage":1,"max_x":6000,"total_steps":0,"coins":0,"time_remaining":9})",
       R"({"total":17000,"completion_bonus":0,"progress_score":17000,"efficiency_penalty":0,"coin_bonus":0,"time_bonus":0,"display":"17,000","warning":"max_x is above the usual 5,000"})"},
      {R"({"fn":"aggregate","episodes":[{"completed":true,"world":1,"stage":1,"max_x":0,"total_steps":10,"coins":0,"time_remaining":0},
           {"completed":false,"world":1,"stage":1,"max_x":2,"total_steps":30,"coins":0,"time_remaining":0}]})",
       R"({"best_score":1010999,"best_index":0,"success_rate":0.5,"avg_steps":20,"avg_max_x":1,"avg_score":510999,"std_score_population":500000})"},
      {R"({"fn":"full_game_score","mode":"furthest","full_game_completed":false,"levels_reached":[
           {"world":1,"stage":4,"max_x":2000,"completed":true},{"world":2,"stage":1,"max_x":1200,"completed":false}],"total_steps":2456})",
       R"({"completion_bonus":0,"progress_score":22200,"efficiency_penalty":245.6,"total":21954.4,"display":"21,954"})"},
      {R"({"fn":"full_game_score","full_game_completed":true,"levels_reached":[{"world":8,"stage":4,"max_x":0,"completed":true}],"total_steps":0})",
       R"({"completion_bonus":10000000,"progress_score":84000,"efficiency_penalty":0,"total":10084000,"display":"10,084,000"})"},
      {R"({"fn":"full_game_score","mode":"sum","full_game_completed":false,"levels_reached":[
           {"world":1,"stage":1,"max_x":3000,"completed":true},{"world":1,"stage":2,"max_x":10,"completed":false}],"total_steps":10})",
       R"({"completion_bonus":0,"progress_score":26010,"efficiency_penalty":1,"total":26009,"display":"26,009"})"},
      {R"({"fn":"leaderboard","models":[{"id":"a","score":1,"success_rate":0.5,"avg_score":3,"avg_steps":9},
           {"id":"b","score":1,"success_rate":0.5,"avg_score":3,"avg_steps":8},{"id":"c","score":2,"success_rate":0,"avg_score":0,"avg_steps":99}]})",
       R"({"order":["c","b","a"]})"},
      {R"({"fn":"leaderboard","models":[]})", R"({"order":[]})"},
      {R"({"fn":"parse_level_id","level_id":"SuperMarioBros-3-2-v0"})", R"({"world":3,"stage":2})"},
  };
  for (const auto& c : cases) expect("arena", c);
}

std::string reward_of(const std::string& result, const std::string& more = "") {
  return R"({"fn":"reward","result":)" + result + more + "}";
}

TEST(Score, Reward) {
  const auto zero = R"("damage_received_penalty":0,"death_penalty":0,"efficiency_penalty":0)";
  expect(
      "reward",
      {reward_of(R"({"damage_dealt":2,"damage_received":0,"is_alive":true,"action_wasted":false})").c_str(),
       (std::string(R"({"reward":1.1,"components":{"damage_dealt_reward":1,"survival_reward":0.1,)") + zero +
        "}}")
           .c_str()});
  expect("reward",
         {reward_of(R"({"outcomes":{"damage_dealt":2,"is_alive":true}})").c_str(),
          (std::string(R"({"reward":1.1,"components":{"damage_dealt_reward":1,"survival_reward":0.1,)") +
           zero + "}}")
              .c_str()});
  expect("reward",
         {reward_of(R"({"is_alive":true})", R"(,"weights":{"survival":0.3})").c_str(),
          (std::string(R"({"reward":0.3,"components":{"damage_dealt_reward":0,"survival_reward":0.3,)") +
           zero + "}}")
              .c_str()});
  const auto total = [](const std::string& result) { return ask("reward", reward_of(result))["reward"]; };
  EXPECT_EQ(total(R"({"damage_dealt":100,"is_alive":false})"), -1.0);
  EXPECT_EQ(total(R"({"damage_dealt":1e10,"is_alive":true})"), 2.0);
  EXPECT_EQ(total(R"({"damage_dealt":99999999999999999999999999,"is_alive":true})"), 2.0);
  EXPECT_EQ(total(R"({"damage_dealt":-5.0,"is_alive":true})"), 0.1);
  EXPECT_EQ(total(R"({"damage_dealt":"-Infinity","damage_received":"NaN","is_alive":true})"), 0.1);
  EXPECT_TRUE(ask("reward", reward_of(R"({"damage_received":"NaN","is_alive":true})")).contains("warning"));
  EXPECT_FALSE(
      ask("reward", reward_of(R"({"damage_received":"NaN","is_alive":true})")).contains("violation"));
  EXPECT_EQ(total(R"({"is_alive":true,"outcomes":{"is_alive":true,"damage_dealt":1}})"), 0.6);
}

TEST(Score, MalformedRewardsAreCriticalAndZero) {
  for (const char* result :
       {"null", "true", "3", "\"x\"", "[]", "[{\"is_alive\":true}]", "{}", R"({"is_alive":1})",
        R"({"is_alive":null})", R"({"is_alive":"true"})", R"({"is_alive":true,"damage_dealt":"5"})",
        R"({"is_alive":true,"damage_dealt":true})", R"({"is_alive":true,"damage_dealt":null})",
        R"({"is_alive":true,"damage_received":[1]})", R"({"is_alive":true,"action_wasted":0})",
        R"({"is_alive":false,"partial_execution":"no"})", R"({"is_alive":true,"outcomes":[]})",
        R"({"is_alive":true,"outcomes":{"is_alive":false}})",
        R"({"outcomes":{"outcomes":{"is_alive":true}}})"}) {
    const auto answer = ask("reward", reward_of(result));
    EXPECT_EQ(answer["reward"], 0.0) << result;
    EXPECT_EQ(answer["violation"], "CRITICAL") << result;
    EXPECT_EQ(answer["components"].size(), 5U);
  }
}

TEST(Score, RewardWeights) {
  expect("reward", {R"({"fn":"validate_weights","weights":{}})", R"({"valid":true})"});
  expect(
      "reward",
      {R"({"fn":"validate_weights","weights":{"damage_dealt":1,"damage_received":-1,"survival":2,"wasted_action":0,"death_penalty":-2}})",
       R"({"valid":true})"});
}

TEST(Score, Term) {
  const Case cases[] = {
      {R"({"fn":"task_score","exit_code":0,"timed_out":false})", R"({"score":1})"},
      {R"({"fn":"task_score","exit_code":0,"timed_out":true})", R"({"score":0})"},
      {R"({"fn":"task_score","exit_code":null,"timed_out":false})", R"({"score":0})"},
      {R"({"fn":"benchmark_score","passed":8,"total":10})", R"({"score":0.8})"},
      {R"({"fn":"benchmark_score","passed":0,"total":0})", R"({"score":0})"},
      {R"({"fn":"rank","agents":[{"id":"a","score":0.8,"submitted_at":20},{"id":"b","score":0.8,"submitted_at":10},{"id":"c","score":0.9,"submitted_at":30}]})",
       R"({"order":["c","b","a"]})"},
      {R"({"fn":"admit","validators":3,"stake":30,"network_stake":100,"min_validators":3,"min_stake_fraction":0.3})",
       R"({"admitted":true})"},
      {R"({"fn":"admit","validators":2,"stake":30,"network_stake":100,"min_validators":3,"min_stake_fraction":0.3})",
       R"({"admitted":false})"},
      {R"({"fn":"stake_weighted_average","evaluations":[{"stake":100,"score":0.8},{"stake":300,"score":0.6}]})",
       R"({"score":0.65})"},
      {R"({"fn":"stake_weighted_average","evaluations":[{"stake":0,"score":0.8}]})", R"({"score":null})"},
      {R"({"fn":"stake_weighted_average","evaluations":[]})", R"({"score":null})"},
      {R"({"fn":"outliers","scores":[1,2,3,4,100],"threshold":3.5})",
       R"({"median":3,"mad":1,"modified_z":[-1.349,-0.6745,0,0.6745,65.4265],"outlier_indices":[4]})"},
      {R"({"fn":"outliers","scores":[1,1,5],"threshold":3.5})",
       R"({"median":1,"mad":0,"modified_z":[null,null,null],"outlier_indices":[],"undetermined":true})"},
      {R"({"fn":"outliers","scores":[],"threshold":3.5})",
       R"({"median":null,"mad":null,"modified_z":[],"outlier_indices":[],"undetermined":true})"},
      {R"({"fn":"validated_score","evaluations":[{"stake":10,"score":1},{"stake":10,"score":2},{"stake":10,"score":3},{"stake":30,"score":4},{"stake":40,"score":100}],
           "network_stake":100,"min_validators":3,"min_stake_fraction":0.3,"threshold":3.5})",
       R"({"score":3,"outlier_indices":[4]})"},
      {R"({"fn":"validated_score","evaluations":[],"network_stake":100,"min_validators":3,"min_stake_fraction":0.3,"threshold":3.5})",
       R"({"score":null,"outlier_indices":[]})"},
      {R"({"fn":"normalise","scores":[1,1,2]})",
       R"({"weights":[0.25,0.25,0.5],"scaled":[16384,16384,32768]})"},
      {R"({"fn":"normalise","scores":[0,0]})", R"({"weights":[0,0],"scaled":[0,0]})"},
      {R"({"fn":"normalise","scores":[]})", R"({"weights":[],"scaled":[]})"},
      {R"({"fn":"cap","weights":[70,20,10],"cap":0.5})", R"({"limit":50,"capped":[50,20,10]})"},
      {R"({"fn":"cap_redistribute","shares":[0.75,0.125,0.125],"cap":0.5})",
       R"({"capped":[0.5,0.25,0.25],"scaled":[32768,16384,16384]})"},
      {R"({"fn":"strategy","kind":"linear","scores":[1,3]})", R"({"weights":[0.25,0.75]})"},
      {R"({"fn":"strategy","kind":"winner_takes_all","scores":[1,3,3],"top_n":1,"submitted_at":[1,9,5]})",
       R"({"weights":[0,0,1]})"},
      {R"({"fn":"strategy","kind":"winner_takes_all","scores":[1,3],"top_n":5})", R"({"weights":[0.5,0.5]})"},
      {R"({"fn":"strategy","kind":"quadratic","scores":[1,3],"top_n":null,"submitted_at":null})",
       R"({"weights":[0.1,0.9]})"},
      {R"({"fn":"strategy","kind":"ranked","scores":[1,3,2]})",
       R"({"weights":[0.16666666666666666,0.5,0.3333333333333333]})"},
      {R"({"fn":"strategy","kind":"ranked","scores":[]})", R"({"weights":[]})"},
      {R"({"fn":"emission","total":1000,"alphas":{"code":0.6,"math":0.4}})", R"({"code":600,"math":400})"},
      {R"({"fn":"epochs_stale","current_epoch":110,"last_improvement_epoch":100,"grace":10})",
       R"({"stale":0})"},
      {R"({"fn":"epochs_stale","current_epoch":113,"last_improvement_epoch":100,"grace":10})",
       R"({"stale":3})"},
      {R"({"fn":"epochs_stale","current_epoch":1,"last_improvement_epoch":100,"grace":10})",
       R"({"stale":0})"},
      {R"({"fn":"burn_percent","curve":"linear","rate":0.05,"tau":3,"max_burn":80})",
       R"({"burn_percent":15})"},
      {R"({"fn":"burn_percent","curve":"exponential","rate":0.05,"tau":2,"max_burn":80})",
       R"({"burn_percent":9.75})"},
      {R"({"fn":"burn_weight","burn_percent":15})", R"({"raw":9830.25,"scaled":9830})"},
      {R"({"fn":"burn_weight","burn_percent":50})", R"({"raw":32767.5,"scaled":32768})"},
      {R"({"fn":"apply_burn","weights":{"2":25535,"1":40000},"burn_percent":15})",
       R"({"weights":{"0":9830,"1":34000,"2":21705}})"},
      {R"({"fn":"apply_burn","weights":{"1":0.5,"2":0.5},"burn_percent":50})",
       R"({"weights":{"0":0.5,"1":0.25,"2":0.25}})"},
      {R"({"fn":"is_improvement","top_score":0.7,"new_score":0.714,"threshold":0.02})",
       R"({"improved":true})"},
      {R"({"fn":"is_improvement","top_score":0.7,"new_score":0.7139,"threshold":0.02})",
       R"({"improved":false})"},
      {R"({"fn":"is_improvement","top_score":null,"new_score":0,"threshold":0.02})", R"({"improved":true})"},
  };
  for (const auto& c : cases) expect("term", c);
}

TEST(Score, FullPrecision) {
  const auto text = fixture::answer_text("term", R"({"fn":"benchmark_score","passed":1,"total":3})");
  EXPECT_EQ(text, "{\"score\":0.3333333333333333}\n");
}

TEST(Score, NamesAreEscapedOnTheirWayBack) {
  const auto answer =
      ask("hydra", "{\"fn\":\"rank\",\"agents\":[{\"id\":\"a\\\"\\\\\\u0001\\u00e9\",\"composite\":1}]}");
  EXPECT_EQ(answer["winner"], "a\"\\\x01\u00e9");
}

TEST(Score, EveryFunctionOfTheInterfaceIsThereOnce) {
  const std::map<std::string, std::size_t> counts{{"hydra", 13}, {"arena", 5}, {"reward", 2}, {"term", 17}};
  for (const auto& system : systems()) {
    std::set<std::string_view> names;
    for (const auto& f : system.functions) names.insert(f.name);
    EXPECT_EQ(names.size(), system.functions.size());
    EXPECT_EQ(names.size(), counts.at(std::string(system.name)));
  }
  EXPECT_FALSE(system_of("mario"));
}

// A reader of integers takes no 1e+06.
TEST(Score, WholeNumbersAreWrittenInDigits) {
  const auto text = fixture::answer_text(
      "arena",
      R"({"fn":"episode_score","completed":true,"world":1,"stage":1,"max_x":3266,"total_steps":342,"coins":15,"time_remaining":245})");
  EXPECT_NE(text.find("\"completion_bonus\":1000000,"), std::string::npos) << text;
  EXPECT_EQ(text.find("e+"), std::string::npos) << text;
}

// spec arena-scoring, "Leaderboard Display": the order of the lines is not that of the table.
TEST(Score, TheArenasTable) {
  Document document;
  std::string out;
  const auto& arena = *system_of("arena");
  EXPECT_TRUE(answer_table(
      arena,
      R"({"fn":"leaderboard","models":[{"id":"PPO-v1-100k","score":15234,"success_rate":0.1,"avg_score":1,"avg_steps":892},{"id":"PPO-v3-1M","score":1018182,"success_rate":0.9,"avg_score":2,"avg_steps":328}]})",
      document, out));
  EXPECT_NE(out.find("1     PPO-v3-1M                1,018,182      90%        328\n"
                     "2     PPO-v1-100k                 15,234      10%        892\n"),
            std::string::npos)
      << out;
  out.clear();
  EXPECT_TRUE(
      answer_table(arena, R"({"fn":"parse_level_id","level_id":"SuperMarioBros-3-2-v0"})", document, out));
  EXPECT_EQ(out, "{\"world\":3,\"stage\":2}\n") << "other lines are answered as ever";
  out.clear();
  EXPECT_FALSE(answer_table(arena, R"({"fn":"leaderboard"})", document, out));
  EXPECT_EQ(out.find("{\"error\":\"missing_argument\""), 0u) << out;
}

}  // namespace
}  // namespace hydra::cli::score
