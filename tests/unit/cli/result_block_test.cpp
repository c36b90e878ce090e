#include "cli/render/result_block.hpp"

#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/render/check_block.hpp"
#include "cli/render/failed_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hydra::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json dimension(const char* status, double points) {
  return {{"status", status}, {"points", points}, {"reason", ""}, {"detail", json::object()}};
}

json agent(const char* name, const char* display, int rank, double composite, std::array<json, 5> d) {
  return {{"agent", name},
          {"display", display},
          {"branch", std::string("hydra/") + name + "-1708646400"},
          {"state", "completed"},
          {"outcome", "completed"},
          {"message", ""},
          {"eligible", true},
          {"ineligible_reasons", json::array()},
          {"rank", rank},
          {"tied", false},
          {"composite", composite},
          {"dimensions",
           {{"build", d[0]}, {"tests", d[1]}, {"lint", d[2]}, {"diff_size", d[3]}, {"speed", d[4]}}},
          {"sandbox", "bwrap"}};
}

json scored(double points) { return dimension("scored", points); }

// The worked example of the specification; the second agent with 91.25 (ruling H1).
json example() {
  auto cursor = agent("cursor", "Cursor CLI", 3, 16.0,
                      {scored(0), dimension("skipped", 0), dimension("skipped", 0), scored(60), scored(70)});
  cursor["eligible"] = false;
  cursor["ineligible_reasons"] = {"build_failed"};
  return {{"schema", 1},
          {"race", "0123456789"},
          {"task", "implement JWT auth"},
          {"state", "done"},
          {"winner", "codex"},
          {"final", true},
          {"all_failed", false},
          {"auto_merged", false},
          {"merged", nullptr},
          {"notes", json::array()},
          {"agents",
           {agent("codex", "Codex CLI", 1, 93.25,
                  {scored(100), scored(80), scored(100), scored(95), scored(100)}),
            agent("claude", "Claude Code", 2, 91.25,
                  {scored(100), scored(95), scored(90), scored(75), scored(80)}),
            cursor}}};
}

std::string block(const json& results, Style style = {}) {
  const auto view = wire::from_json<wire::Results>(results.dump());
  EXPECT_TRUE(view.ok());
  return result_block(*view, style);
}

TEST(ResultBlock, is_the_one_of_the_specification) {
  EXPECT_EQ(block(example()), R"(Race Results — Task: "implement JWT auth"
============================================

  #1  Codex CLI      93.3 / 100    [BUILD: ✓] [TESTS: 80] [LINT: 100] [DIFF: 95] [SPEED: 100]
  #2  Claude Code    91.3 / 100    [BUILD: ✓] [TESTS: 95] [LINT: 90]  [DIFF: 75] [SPEED: 80]
  #3  Cursor CLI     16.0 / 100    [BUILD: ✗] [TESTS: --] [LINT: --]  [DIFF: 60] [SPEED: 70]

Winner: Codex CLI (branch: hydra/codex-1708646400)
Run `hydra merge codex-1708646400` to merge into your branch.
)");
}

TEST(ResultBlock, is_plain_ascii_where_it_must) {
  const auto text = block(example(), {.colour = false, .utf8 = false, .width = 0});
  for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
  EXPECT_THAT(text, HasSubstr("[BUILD: ok]"));
  EXPECT_THAT(text, HasSubstr("[BUILD: FAIL]"));
}

TEST(ResultBlock, colours_follow_the_points) {
  const auto text = block(example(), {.colour = true, .utf8 = true, .width = 0});
  EXPECT_THAT(text, HasSubstr("\x1b[32m 93.3\x1b[0m"));
  EXPECT_THAT(text, HasSubstr("\x1b[33m[TESTS: 80]\x1b[0m"));  // 80 is not above 80 (H15)
  EXPECT_THAT(text, HasSubstr("\x1b[31m 16.0\x1b[0m"));
}

TEST(ResultBlock, no_line_is_wider_than_the_terminal) {
  auto results = example();
  results["task"] = std::string(300, 'x');
  results["agents"][0]["display"] = "An agent with quite a long name";
  for (const std::size_t width : {40u, 60u, 80u}) {
    const auto text = block(results, {.colour = false, .utf8 = true, .width = width});
    for (const auto line : lines(text))
      if (!line.starts_with("Winner") && !line.starts_with("Run")) {
        EXPECT_LE(display_width(line), width) << line;
      }
  }
}

TEST(ResultBlock, hostile_text_is_disarmed) {
  auto results = example();
  results["task"] = "evil\x1b[2J\x1b]0;title\x07\nsecond line";
  results["agents"][0]["display"] = "Co\x1b[31mdex\xE2\x80\xAE";
  const auto text = block(results);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_THAT(text, HasSubstr("evil second line"));
}

TEST(ResultBlock, wide_names_keep_the_columns) {
  auto results = example();
  results["agents"][0]["display"] = "漢字エージェント";
  results["agents"][1]["display"] = "Größe";
  const auto text = block(results);
  const auto all = lines(text);
  EXPECT_EQ(display_width(all[3].substr(0, all[3].find("93.3"))),
            display_width(all[4].substr(0, all[4].find("91.3"))));
}

TEST(ResultBlock, tells_why_an_agent_can_not_win) {
  auto results = example();
  results["agents"][1]["eligible"] = false;
  results["agents"][1]["ineligible_reasons"] = {"no_changes"};
  EXPECT_THAT(block(results), HasSubstr("[SPEED: 80]   no changes\n"));
}

// A cross says enough where the points are low, too.
TEST(ResultBlock, a_failed_build_with_more_points_than_others_is_said_to_be_out) {
  auto results = example();
  EXPECT_THAT(block(results), Not(HasSubstr("build failed")));
  results["agents"][2]["eligible"] = false;
  results["agents"][2]["ineligible_reasons"] = {"build_failed"};
  EXPECT_THAT(block(results), Not(HasSubstr("not eligible")));
  results["agents"][2]["composite"] = 95.0;  // the build has no weight
  EXPECT_THAT(block(results), HasSubstr("not eligible: build failed\n"));
}

// Points say nothing of how a run ended: below less points it stands with the reason, and without a place.
TEST(ResultBlock, a_run_without_an_end_has_no_place) {
  auto results = example();
  auto& lost = results["agents"][1];
  lost["composite"] = 95.0;
  lost["eligible"] = false;
  lost["outcome"] = "lost";
  lost["ineligible_reasons"] = {"lost"};
  const auto text = block(results);
  EXPECT_THAT(text, HasSubstr("  --  Claude Code    95.0 / 100"));
  EXPECT_THAT(text, HasSubstr("[SPEED: 80]   not eligible: lost\n"));
  EXPECT_THAT(text, HasSubstr("  #3  Cursor CLI"));
  lost["composite"] = 90.0;
  EXPECT_THAT(block(results), HasSubstr("[SPEED: 80]   lost\n"));
}

TEST(ResultBlock, what_was_never_built_is_not_called_a_failed_build) {
  auto results = example();
  results["agents"][2]["dimensions"]["build"] = dimension("failed", 0);
  results["agents"][2]["dimensions"]["build"]["reason"] = "not_started";
  EXPECT_THAT(block(results), HasSubstr("not built\n"));
  EXPECT_THAT(block(results), Not(HasSubstr("build failed")));
}

// The step of a result that failed where the base's did not: once for the same tree, and of four at most.
TEST(FailedSteps, are_those_that_the_change_broke) {
  auto results = example();
  results["baseline"] = {{"build", {{"status", "passed"}}}, {"tests", {{"status", "failed"}}}};
  const auto runs = [&](std::size_t i, const char* build, const char* tests, const char* attempt) {
    auto& row = results["agents"][i];
    row["runs"] = {{"build", {{"status", build}}}, {"tests", {{"status", tests}}}};
    for (const char* name : {"build", "tests"})
      row["dimensions"][name]["detail"] = {{"attempt", std::string(attempt) + name}, {"command", "make"}};
  };
  runs(0, "passed", "failed", "r/codex/");
  runs(1, "failed", "skipped", "r/claude/");
  runs(2, "failed", "skipped", "r/claude/");
  const auto found = [&] { return failed_steps(*wire::from_json<wire::Results>(results.dump())); };
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found()[0].who, "Claude Code");
  EXPECT_EQ(found()[0].check.attempt, "r/claude/build");
  results["baseline"]["tests"]["status"] = "passed";
  ASSERT_EQ(found().size(), 2u);
  EXPECT_EQ(found()[0].check.name, "tests");
  results["agents"] = json::array();
  for (int i = 0; i < 9; ++i) {
    results["agents"].push_back(example()["agents"][0]);
    runs(static_cast<std::size_t>(i), "timed_out", "skipped", ("r/" + std::to_string(i) + "/").c_str());
  }
  EXPECT_EQ(found().size(), 4u);
  results["state"] = "cancelled";
  EXPECT_TRUE(found().empty());
}

TEST(FailedSteps, findings_that_a_linter_counted_are_none) {
  auto results = example();
  results["baseline"] = {{"lint", {{"status", "passed"}}}};
  auto& row = results["agents"][0];
  row["runs"] = {{"lint", {{"status", "failed"}}}};
  row["dimensions"]["lint"]["detail"] = {{"attempt", "r/codex/lint/1"}};
  EXPECT_TRUE(failed_steps(*wire::from_json<wire::Results>(results.dump())).empty());
  row["dimensions"]["lint"]["status"] = "failed";
  EXPECT_EQ(failed_steps(*wire::from_json<wire::Results>(results.dump())).size(), 1u);
}

// No check of it ran: the attempt that it names is that of the set-up.
TEST(FailedSteps, a_set_up_that_failed_is_one) {
  auto results = example();
  results["baseline"] = {{"tests", {{"status", "passed"}}}};
  auto& row = results["agents"][0];
  row["runs"] = json::object();
  auto& tests = row["dimensions"]["tests"];
  tests["status"] = "failed";
  tests["reason"] = "not_started";
  tests["detail"] = {{"attempt", "r/codex/setup/1"}, {"message", "set-up ended with exit code 1"}};
  const auto steps = failed_steps(*wire::from_json<wire::Results>(results.dump()));
  ASSERT_EQ(steps.size(), 1u);
  const auto step = step_of_attempt(steps[0].check.attempt);
  EXPECT_THAT(failed_step_block(steps[0], {step, true, {"npm error code EUSAGE"}}, Style{}),
              HasSubstr(": its set-up failed: set-up ended with exit code 1\n  npm error code EUSAGE\n"));
}

TEST(FailedSteps, stand_before_the_winner) {
  const auto view = wire::from_json<wire::Results>(example().dump());
  ASSERT_TRUE(view.ok());
  EXPECT_THAT(result_block(*view, {}, "\nwhat failed\n"), HasSubstr("\nwhat failed\n\nWinner: Codex CLI"));
}

TEST(FailedSteps, their_text_is_disarmed_and_advice_follows_it) {
  FailedStep step{"Cursor\x1b[2J CLI", {}};
  step.check.name = "build";
  step.check.status = model::CheckStatus::timed_out;
  step.check.command = "make\x1b[31m all";
  step.check.advice = {"", "turn the network on"};
  const FailedLog log{{"r", "build"}, true, {"one", "two\x1b]0;title\x07"}};
  EXPECT_EQ(failed_step_block(step, log, {}),
            "\nCursor CLI: its build timed out: make all\n  one\n  two\n  turn the network on\n");
  step.check.message = "npm ci ended with exit code 1";
  EXPECT_THAT(failed_step_block(step, {{"r", "setup"}, true, {"x"}}, {}),
              HasSubstr("its set-up failed: npm ci ended with exit code 1\n"));
}

TEST(ResultBlock, shows_a_tie) {
  auto results = example();
  for (const std::size_t i : {0u, 1u}) results["agents"][i]["tied"] = true, results["agents"][i]["rank"] = 1;
  results["decision"] = "tie";
  results["decision_with"] = {"claude"};
  results["verdict"] = "codex wins, tied with claude (picked by size) with 12 lines.";
  const auto text = block(results);
  EXPECT_THAT(text, HasSubstr("[SPEED: 100]  tie\n"));
  EXPECT_THAT(text, HasSubstr(")\ncodex wins, tied with claude (picked by size) with 12 lines.\n"));
}

TEST(ResultBlock, a_first_ranking_names_no_winner) {
  auto results = example();
  results["final"] = false;
  const auto text = block(results);
  EXPECT_THAT(text, HasSubstr("First so far: Codex CLI"));
  EXPECT_THAT(text, HasSubstr("verification continues"));
  EXPECT_THAT(text, testing::Not(HasSubstr("Winner:")));
  EXPECT_THAT(text, testing::Not(HasSubstr("hydra merge")));
}

TEST(ResultBlock, a_final_ranking_says_who_led_before) {
  auto results = example();
  results["led_before"] = "claude";
  EXPECT_THAT(block(results), HasSubstr("Before verification claude stood first.\n"));
}

TEST(ResultBlock, the_last_line_says_what_the_checks_took) {
  auto results = example();
  results["check_times"] = {
      {"checks_seconds", 38.04}, {"verification_seconds", 12.5}, {"cross_runs", 1}, {"twin_runs", 4}};
  EXPECT_TRUE(block(results).ends_with(
      "\nChecks took 38.0 s, verification 12.5 s (1 cross run, 4 runs with changed tests).\n"));
  results["check_times"]["twin_tests"] = 20;
  results["check_times"]["base_tests"] = 862;
  EXPECT_THAT(block(results), HasSubstr("(1 cross run, 4 runs with 20 of 862 tests changed).\n"));
}

TEST(ResultBlock, a_dispute_names_what_would_tell) {
  auto results = example();
  results["winner"] = "";
  results["decision"] = "undecided";
  results["decision_with"] = {"codex", "claude"};
  results["verdict"] = "No winner: undecided between codex and claude: each fails a valid test of the other.";
  const auto text = block(results);
  EXPECT_THAT(
      text,
      HasSubstr("\nNo winner: undecided between codex and claude: each fails a valid test of the other.\n"));
  EXPECT_THAT(text, HasSubstr("`hydra race --testers AGENT`"));
  EXPECT_THAT(text, HasSubstr("`hydra diff codex claude --behaviour`"));
  EXPECT_THAT(text, testing::Not(HasSubstr("no result is eligible")));
}

TEST(ResultBlock, not_configured_is_two_dashes) {
  auto results = example();
  results["agents"][0]["dimensions"]["lint"] = dimension("not_configured", 0);
  EXPECT_THAT(block(results), HasSubstr("[LINT: --]"));
}

TEST(ResultBlock, all_failed_and_no_winner_end_with_1) {
  auto results = example();
  results["winner"] = "";
  results["all_failed"] = true;
  const auto text = block(results);
  EXPECT_THAT(text, HasSubstr("All agents failed"));
  EXPECT_THAT(text, Not(HasSubstr("Winner:")));
  EXPECT_EQ(result_exit(*wire::from_json<wire::Results>(results.dump())), 1);
  EXPECT_EQ(result_exit(*wire::from_json<wire::Results>(example().dump())), 0);
}

TEST(ResultBlock, what_no_result_has_is_named) {
  auto results = example();
  results["agents"][1]["left_out"] = {
      {{"path", "result.dat"}, {"bytes", 5}, {"reason", "ignored by the base"}},
      {{"path", "pipe"}, {"bytes", 0}, {"reason", "not a file"}},
      {{"path", ".cache/x"}, {"bytes", 9}, {"reason", "left behind by the agent's own program"}},
      {{"path", "big.bin"}, {"bytes", 2'500'000}, {"reason", "larger than 512 MiB"}},
      {{"path", "more"}, {"bytes", 1}, {"reason", "ignored by the base"}}};
  results["agents"][0]["flags"] = {"submodule_changed:lib/sub", "commits_beside:side/x", "something_else"};
  const auto text = block(results);
  EXPECT_THAT(text,
              HasSubstr("Claude Code: left out: result.dat 5 B (ignored by the base), pipe (not a file), "
                        "big.bin 2.5 MB (larger than 512 MiB) and 1 more\n"));
  EXPECT_THAT(text, Not(HasSubstr(".cache")));
  EXPECT_THAT(text, HasSubstr("Codex CLI: changes inside the submodule lib/sub are in no result\n"));
  EXPECT_THAT(text, HasSubstr("Codex CLI: commits on its own branch side/x are in no result: they are in "
                              "its worktree (`hydra worktree codex`)\n"));
  EXPECT_THAT(block(example()), Not(HasSubstr("left out")));
  results["agents"][1]["state"] = "no_changes";
  EXPECT_THAT(block(results), HasSubstr("Claude Code: changed only what is left out: result.dat"));
}

TEST(ResultBlock, who_changed_nothing_has_the_last_word) {
  auto results = example();
  results["race"] = "01jx4k";
  results["agents"][1]["state"] = "no_changes";
  results["agents"][1]["final_text"] = "Should it go to lib/ or to src/?\n- lib\n- src\n";
  results["agents"][1]["question"] = "Should it go to lib/ or to src/?";
  EXPECT_THAT(block(results), HasSubstr("  Claude Code asks: \"Should it go to lib/ or to src/?\"\n"
                                        "    answer: hydra retry 01jx4k/claude -m \"...\"\n"));
  results["agents"][1]["final_text"] = "I looked around.\n\nNothing needs to change.";
  results["agents"][1]["question"] = "";
  EXPECT_THAT(block(results), AllOf(HasSubstr("Claude Code said: \"Nothing needs to change.\"\n"),
                                    Not(HasSubstr("hydra retry"))));
}

TEST(ResultBlock, a_cancelled_race_says_how_far_each_result_came) {
  auto results = example();
  results["state"] = "cancelled";
  results["race"] = "01jx4k";
  results["winner"] = "";
  const char* states[] = {"not_checked", "not_ranked", "cancelled"};
  ASSERT_GE(results["agents"].size(), 3U);
  for (std::size_t i = 0; i < results["agents"].size(); ++i) {
    auto& agent = results["agents"][i];
    agent["rank"] = 0;
    agent["composite"] = nullptr;
    agent["eligible"] = false;
    agent["ineligible_reasons"] = nlohmann::json::array();
    agent["state"] = states[i % 3];
    agent["unchecked"] = i % 3 != 1;
  }
  const auto text = block(results);
  EXPECT_THAT(text, HasSubstr("captured, not checked (cancelled)"));
  EXPECT_THAT(text, HasSubstr("checked, not ranked (cancelled)"));
  EXPECT_THAT(text, HasSubstr("The race was cancelled.\n"));
  const auto name = [&](std::size_t i) { return results["agents"][i]["agent"].get<std::string>(); };
  EXPECT_THAT(text,
              HasSubstr("Not checked: " + name(0) + ". `hydra verify 01jx4k` checks what was captured.\n"));
  EXPECT_THAT(text, HasSubstr("Stopped before the end: " + name(2) + ". `hydra retry 01jx4k/" + name(2) +
                              "` resumes it.\n"));
  EXPECT_THAT(text, Not(HasSubstr("not eligible")));
}

TEST(CheckBlock, a_log_is_named_where_there_is_one) {
  wire::Baseline baseline;
  baseline.reason = "the set-up ended with exit code 1";
  EXPECT_THAT(check_block("r1", baseline, {}), Not(HasSubstr("hydra logs"))) << "nothing ran";
  baseline.attempt = "r1/@baseline/setup/1";
  EXPECT_THAT(check_block("r1", baseline, {}), HasSubstr("`hydra logs r1/baseline --kind setup` shows"));
  baseline = {};
  auto& check = baseline.tests.emplace();
  check.status = model::CheckStatus::not_started;
  EXPECT_THAT(check_block("r1", baseline, {}), Not(HasSubstr("hydra logs")));
  check.status = model::CheckStatus::failed;
  check.attempt = "r1/@baseline/tests/2";
  EXPECT_THAT(check_block("r1", baseline, {}), HasSubstr("`hydra logs r1/baseline --kind tests` shows"));
}

TEST(CheckBlock, a_base_that_can_judge_no_result_is_told) {
  wire::Baseline baseline;
  baseline.tests.emplace().status = model::CheckStatus::passed;
  EXPECT_EQ(check_exit(baseline), 0);
  baseline.problem = model::BaseProblem::no_tests;
  baseline.problem_text = "no test ran in the base";
  EXPECT_EQ(check_exit(baseline), 1);
  EXPECT_THAT(check_block("r1", baseline, {}),
              HasSubstr("No result could be judged: no test ran in the base"));
}

TEST(CheckBlock, a_base_ends_in_its_tests_or_in_the_one_thing_to_correct) {
  const std::string then = ". Correct hydra.toml or the project, then run `hydra check`.";
  wire::Baseline baseline;
  EXPECT_EQ(base_verdict(baseline), "Ready to race.");
  auto& tests = baseline.tests.emplace();
  tests.status = model::CheckStatus::failed;
  EXPECT_EQ(base_verdict(baseline), "Not ready: tests failed" + then);
  tests.tests = model::TestCounts{};
  tests.tests->total = 41;
  tests.tests->failed = 1;
  EXPECT_EQ(base_verdict(baseline), "Ready: 41 tests, 1 fails already.");
  baseline.lint.emplace().status = model::CheckStatus::failed;
  EXPECT_EQ(base_verdict(baseline), "Ready: 41 tests, 1 fails already.") << "findings can be compared";
  tests.status = model::CheckStatus::passed;
  tests.tests->failed = 0;
  EXPECT_EQ(base_verdict(baseline), "Ready: 41 tests, none fails.");
  baseline.build.emplace().status = model::CheckStatus::failed;
  EXPECT_EQ(base_verdict(baseline), "Not ready: build failed" + then);
  baseline.reason = "the set-up ended with exit code 1";
  EXPECT_EQ(base_verdict(baseline), "Not ready: the set-up ended with exit code 1" + then);
}

TEST(CheckBlock, a_baseline_out_of_the_cache_names_the_race_that_has_its_log) {
  wire::Baseline baseline;
  auto& check = baseline.tests.emplace();
  check.status = model::CheckStatus::failed;
  check.attempt = "older/@baseline/tests/2";
  EXPECT_THAT(check_block("r1", baseline, {}), HasSubstr("`hydra logs older/baseline --kind tests` shows"));
  EXPECT_EQ(failed_attempt(baseline), "older/@baseline/tests/2");
  EXPECT_EQ(step_of_attempt(failed_attempt(baseline)).race, "older");
  FailedLog log{step_of_attempt(failed_attempt(baseline)), true, {"line 1", "2 failed\x1b[2J"}};
  EXPECT_THAT(failed_log_block(log, {}), HasSubstr("The last lines of its tests:\n  line 1\n  2 failed"));
  EXPECT_THAT(failed_log_block(log, {}), Not(HasSubstr("\x1b")));
  log.there = false;
  EXPECT_THAT(failed_log_block(log, {}), HasSubstr("race older"));
  EXPECT_THAT(failed_log_block(log, {}), HasSubstr("hydra check --fresh"));
}

TEST(CheckBlock, a_time_limit_that_is_nearly_too_short_is_told) {
  wire::Baseline baseline;
  baseline.limit_seconds = 120;
  auto& check = baseline.tests.emplace();
  check.status = model::CheckStatus::passed;
  check.wall_seconds = 30;
  EXPECT_EQ(wanted_limit(baseline), 0);
  check.wall_seconds = 95;
  EXPECT_EQ(wanted_limit(baseline), 300);
  EXPECT_THAT(check_block("r1", baseline, {}), HasSubstr("timeout_per_check_seconds = 300"));
  baseline.limit_seconds = 0;
  EXPECT_EQ(wanted_limit(baseline), 0) << "an older daemon does not say it";
}

TEST(ResultBlock, names_of_an_unverified_run_are_not_counted) {
  auto results = example();
  results["agents"][1]["tests_by_name"] = {{"fixed", {"a", "b"}}};
  EXPECT_THAT(block(results), HasSubstr("Claude Code: tests: 2 fixed"));
  results["agents"][1]["ineligible_reasons"] = {"unverified"};
  EXPECT_THAT(block(results), Not(HasSubstr("fixed")));
  EXPECT_THAT(block(results), HasSubstr("Claude Code: tests: unverified"));
}

TEST(ResultBlock, runs_without_a_sandbox_are_named) {
  auto results = example();
  results["agents"][1]["sandbox"] = "none";
  EXPECT_THAT(block(results), HasSubstr("Not sandboxed: Claude Code ran without isolation."));
}

TEST(ResultBlock, unknown_figures_and_other_types_do_no_harm) {
  auto results = example();
  results["agents"][0]["composite"] = nullptr;
  results["agents"][1]["dimensions"] = 7;
  results["agents"].push_back("not an object");
  EXPECT_THAT(block(results), HasSubstr("-- / 100"));
  EXPECT_FALSE(wire::from_json<wire::Results>("[]").ok());
  EXPECT_FALSE(wire::from_json<wire::Results>("{").ok());
}

}  // namespace
}  // namespace hydra::cli
