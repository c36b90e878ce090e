// `hydra score`: every kind of bad input has its label and names its field; the program end to end.
#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/score/lines.hpp"
#include "score_fixture.hpp"

#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hydra::cli::score {
namespace {

using fixture::expect_error;

TEST(ScoreErrors, Lines) {
  for (const char* line :
       {"", " ", "\r", "x", "{", "{}}", "{\"fn\":}", "{\"fn\":\"rank\"} 1", "{'fn':1}", "nul",
        "{\"fn\":\"rank\",}", "{\"fn\":NaN}", "{\"fn\":Infinity}", "\"\xff\"", "{\"fn\":\"\xc3\x28\"}",
        "{\"fn\":\"\\ud800\"}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}"})
    expect_error("hydra", line, "malformed_json", "line");
  expect_error("hydra", std::string_view("{\"fn\":\"rank\"}\0x", 15), "malformed_json", "zero byte");
  expect_error("hydra", R"({"fn":"format_score","score":nope})", "malformed_json", "score");
  for (const char* line : {"1", "null", "[]", "\"fn\"", "[{\"fn\":\"rank\"}]"})
    expect_error("hydra", line, "not_an_object", "object");
}

TEST(ScoreErrors, Functions) {
  expect_error("hydra", "{}", "missing_argument", "fn");
  expect_error("hydra", R"({"fn":null})", "wrong_type", "fn");
  expect_error("hydra", R"({"fn":3})", "wrong_type", "fn");
  expect_error("hydra", R"({"fn":"score_buld"})", "unknown_function", "score_build");
  expect_error("arena", R"({"fn":"score_build"})", "unknown_function", "arena");
  expect_error("term", R"({"fn":""})", "unknown_function", "fn");
}

TEST(ScoreErrors, KeysGivenTwice) {
  expect_error("hydra", R"({"fn":"format_score","score":1,"score":1})", "duplicate_key", "score");
  expect_error("hydra", R"({"fn":"score_speed","durations_seconds":{"a":1,"b":2,"a":1}})", "duplicate_key",
               "a");
  expect_error("reward", R"({"fn":"reward","result":{"is_alive":true,"is_alive":false}})", "duplicate_key",
               "is_alive");
}

TEST(ScoreErrors, Numbers) {
  const auto tests = [](const char* agent_pass) {
    return std::string(
               R"({"fn":"score_tests","baseline_pass":1,"baseline_total":1,"agent_total":9,"agent_pass":)") +
           agent_pass + "}";
  };
  for (const char* bad : {"\"5\"", "true", "null", "[]", "{}", "1.5", "-0.5", "\"five\"", "\"nan\""})
    expect_error("hydra", tests(bad), "wrong_type", "agent_pass");
  for (const char* bad : {"-1", "10", "9223372036854775808", "99999999999999999999999", "1e30", "-1e30",
                          "\"NaN\"", "\"Infinity\"", "1e999"})
    expect_error("hydra", tests(bad), "out_of_range", "agent_pass");
  EXPECT_FALSE(fixture::ask("hydra", tests("9.0")).contains("error"));

  for (const char* bad : {"-0.1", "100.1", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "1e400"}) {
    expect_error("hydra", std::string(R"({"fn":"format_score","score":)") + bad + "}", "out_of_range",
                 "score");
    expect_error("hydra", std::string(R"({"fn":"score_colour","score":)") + bad + "}", "out_of_range",
                 "score");
  }
}

struct Bad {
  const char *system, *line, *label, *field;
};

TEST(ScoreErrors, Arguments) {
  const Bad cases[] = {
      {"hydra", R"({"fn":"score_build"})", "missing_argument", "exit_code"},
      {"hydra", R"({"fn":"score_build","timed_out":false})", "missing_argument", "exit_code"},
      {"hydra", R"({"fn":"score_build","exit_code":"0"})", "wrong_type", "exit_code"},
      {"hydra", R"({"fn":"score_build","exit_code":0,"timed_out":1})", "wrong_type", "timed_out"},
      {"hydra", R"({"fn":"score_build","signal":0})", "out_of_range", "signal"},
      {"hydra", R"({"fn":"score_tests","baseline_total":1,"agent_pass":1,"agent_total":1})",
       "missing_argument", "baseline_pass"},
      {"hydra", R"({"fn":"score_tests","baseline_pass":2,"baseline_total":1,"agent_pass":1,"agent_total":1})",
       "out_of_range", "baseline_pass"},
      {"hydra",
       R"({"fn":"score_lint","baseline_errors":0,"baseline_warnings":0,"agent_errors":-1,"agent_warnings":0})",
       "out_of_range", "agent_errors"},
      {"hydra", R"({"fn":"score_diff_size","lines_added":1,"lines_removed":1})", "missing_argument",
       "files_changed"},
      {"hydra", R"({"fn":"score_speed"})", "missing_argument", "durations_seconds"},
      {"hydra", R"({"fn":"score_speed","durations_seconds":[1]})", "wrong_type", "durations_seconds"},
      {"hydra", R"({"fn":"score_speed","durations_seconds":{"a":"x"}})", "wrong_type", "durations_seconds.a"},
      {"hydra", R"({"fn":"score_speed","durations_seconds":{"a":"Infinity"}})", "out_of_range",
       "durations_seconds.a"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1}})", "missing_argument", "weights"},
      {"hydra", R"({"fn":"composite","breakdown":{"bild":1},"weights":{"build":1}})", "unknown_name",
       "breakdown.bild"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1},"weights":{"bild":1}})", "unknown_name",
       "weights.bild"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":101},"weights":{"build":1}})", "out_of_range",
       "breakdown.build"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":"NaN"},"weights":{"build":1}})", "out_of_range",
       "breakdown.build"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1,"lint":1},"weights":{"build":1}})",
       "missing_argument", "weights.lint"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1},"weights":{"build":-1}})", "out_of_range",
       "weights.build"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1},"weights":{"build":"NaN"}})", "out_of_range",
       "weights.build"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1},"weights":{"build":"Infinity"}})",
       "out_of_range", "weights.build"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1},"weights":{"build":0}})", "invalid_weights",
       "weights"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":null},"weights":{"build":1}})", "nothing_to_weigh",
       "weights"},
      {"hydra", R"({"fn":"composite","breakdown":{"build":1},"weights":{"build":0,"lint":1}})",
       "nothing_to_weigh", "weights"},
      {"hydra", R"({"fn":"rank","agents":{}})", "wrong_type", "agents"},
      {"hydra", R"({"fn":"rank","agents":[1]})", "wrong_type", "agents[0]"},
      {"hydra", R"({"fn":"rank","agents":[{"id":"a","composite":1},{"composite":1}]})", "missing_argument",
       "agents[1].id"},
      {"hydra", R"({"fn":"rank","agents":[{"id":[],"composite":1}]})", "wrong_type", "agents[0].id"},
      {"hydra", R"({"fn":"rank","agents":[{"id":"a","composite":"NaN"}]})", "out_of_range",
       "agents[0].composite"},
      {"hydra", R"({"fn":"thresholds","composites":[1,"x"],"auto_merge_minimum":85,"fail_maximum":30})",
       "wrong_type", "composites[1]"},
      {"hydra", R"({"fn":"thresholds","composites":[1],"fail_maximum":30})", "missing_argument",
       "auto_merge_minimum"},
      {"hydra", R"({"fn":"evaluate","build_exit_code":null})", "wrong_type", "build_exit_code"},
      {"hydra", R"({"fn":"parse_test_output","runner":"jest","exit_code":0})", "missing_argument", "output"},
      {"hydra", R"({"fn":"parse_test_output","output":"","exit_code":0})", "missing_argument", "runner"},
      {"hydra",
       R"({"fn":"score_tests_output","output":"","exit_code":0,"baseline_pass":2,"baseline_total":1})",
       "out_of_range", "baseline_pass"},
      {"arena", R"({"fn":"episode_score","completed":1})", "wrong_type", "completed"},
      {"arena",
       R"({"fn":"episode_score","completed":true,"world":9,"stage":1,"max_x":1,"total_steps":1,"coins":1,"time_remaining":1})",
       "out_of_range", "world"},
      {"arena",
       R"({"fn":"episode_score","completed":true,"world":1,"stage":1,"max_x":"NaN","total_steps":1,"coins":1,"time_remaining":1})",
       "out_of_range", "max_x"},
      {"arena",
       R"({"fn":"episode_score","completed":true,"world":1,"stage":1,"max_x":"Infinity","total_steps":1,"coins":1,"time_remaining":1})",
       "out_of_range", "max_x"},
      {"arena",
       R"({"fn":"episode_score","completed":true,"world":1,"stage":1,"max_x":1,"total_steps":1,"coins":1,"time_remaining":-1})",
       "out_of_range", "time_remaining"},
      {"arena", R"({"fn":"aggregate","episodes":[]})", "empty_list", "episodes"},
      {"arena",
       R"({"fn":"aggregate","episodes":[{"completed":true,"world":1,"stage":9,"max_x":1,"total_steps":1,"coins":1,"time_remaining":1}]})",
       "out_of_range", "episodes[0].stage"},
      {"arena",
       R"({"fn":"full_game_score","mode":"best","full_game_completed":false,"levels_reached":[],"total_steps":1})",
       "unknown_name", "mode"},
      {"arena", R"({"fn":"full_game_score","full_game_completed":false,"levels_reached":[],"total_steps":1})",
       "empty_list", "levels_reached"},
      {"arena",
       R"({"fn":"leaderboard","models":[{"id":"a","score":1,"success_rate":-0.1,"avg_score":1,"avg_steps":1}]})",
       "out_of_range", "models[0].success_rate"},
      {"arena", R"({"fn":"parse_level_id","level_id":"SuperMarioBros-9-1-v0"})", "malformed_level_id",
       "level_id"},
      {"arena", R"({"fn":"parse_level_id","level_id":11})", "wrong_type", "level_id"},
      {"reward", R"({"fn":"reward"})", "missing_argument", "result"},
      {"reward", R"({"fn":"reward","result":{},"weights":{"death_penalty":-0.5}})", "invalid_weights",
       "weights.death_penalty"},
      {"reward", R"({"fn":"validate_weights"})", "missing_argument", "weights"},
      {"reward", R"({"fn":"validate_weights","weights":{"damage_dealt":-1}})", "invalid_weights",
       "weights.damage_dealt"},
      {"reward", R"({"fn":"validate_weights","weights":{"survival":"NaN"}})", "out_of_range",
       "weights.survival"},
      {"reward", R"({"fn":"validate_weights","weights":{"death":-1}})", "unknown_name", "weights.death"},
      {"term", R"({"fn":"task_score","timed_out":true})", "missing_argument", "exit_code"},
      {"term", R"({"fn":"task_score","exit_code":0})", "missing_argument", "timed_out"},
      {"term", R"({"fn":"benchmark_score","passed":3,"total":2})", "out_of_range", "passed"},
      {"term", R"({"fn":"rank","agents":[{"id":"a","score":-1,"submitted_at":1}]})", "out_of_range",
       "agents[0].score"},
      {"term", R"({"fn":"rank","agents":[{"id":"a","score":1}]})", "missing_argument",
       "agents[0].submitted_at"},
      {"term",
       R"({"fn":"admit","validators":3,"stake":300,"network_stake":100,"min_validators":3,"min_stake_fraction":0.3})",
       "out_of_range", "stake"},
      {"term",
       R"({"fn":"admit","validators":3,"stake":30,"network_stake":100,"min_validators":3,"min_stake_fraction":30})",
       "out_of_range", "min_stake_fraction"},
      {"term", R"({"fn":"stake_weighted_average","evaluations":[{"stake":-1,"score":1}]})", "out_of_range",
       "evaluations[0].stake"},
      {"term", R"({"fn":"outliers","scores":[1],"threshold":-1})", "out_of_range", "threshold"},
      {"term", R"({"fn":"normalise","scores":[1,-1]})", "out_of_range", "scores[1]"},
      {"term", R"({"fn":"cap","weights":[1],"cap":1.5})", "out_of_range", "cap"},
      {"term", R"({"fn":"cap","weights":[1e308,1e308],"cap":1})", "not_representable", "range"},
      {"term", R"({"fn":"cap_redistribute","shares":[0.9,0.9],"cap":0.5})", "out_of_range", "shares"},
      {"term", R"({"fn":"strategy","kind":"cubic","scores":[1]})", "unknown_name", "kind"},
      {"term", R"({"fn":"strategy","kind":"winner_takes_all","scores":[1]})", "missing_argument", "top_n"},
      {"term", R"({"fn":"strategy","kind":"winner_takes_all","scores":[1],"top_n":0})", "out_of_range",
       "top_n"},
      {"term", R"({"fn":"strategy","kind":"ranked","scores":[1],"submitted_at":[1,2]})", "length_mismatch",
       "submitted_at"},
      {"term", R"({"fn":"emission","total":1,"alphas":{"a":0.6,"b":0.6}})", "out_of_range", "alphas"},
      {"term", R"({"fn":"emission","total":1,"alphas":{"a":-0.6}})", "out_of_range", "alphas.a"},
      {"term", R"({"fn":"epochs_stale","current_epoch":-1,"last_improvement_epoch":0,"grace":0})",
       "out_of_range", "current_epoch"},
      {"term", R"({"fn":"burn_percent","curve":"cubic","rate":0.1,"tau":1,"max_burn":80})", "unknown_name",
       "curve"},
      {"term", R"({"fn":"burn_percent","curve":"linear","rate":1.1,"tau":1,"max_burn":80})", "out_of_range",
       "rate"},
      {"term", R"({"fn":"burn_percent","curve":"linear","rate":0.1,"tau":-1,"max_burn":80})", "out_of_range",
       "tau"},
      {"term", R"({"fn":"burn_weight","burn_percent":101})", "out_of_range", "burn_percent"},
      {"term", R"({"fn":"apply_burn","weights":{"x":1},"burn_percent":1})", "wrong_type", "weights.x"},
      {"term", R"({"fn":"apply_burn","weights":{"01":1},"burn_percent":1})", "wrong_type", "weights.01"},
      {"term", R"({"fn":"is_improvement","new_score":1,"threshold":0.02})", "missing_argument", "top_score"},
      {"term", R"({"fn":"is_improvement","top_score":-1,"new_score":1,"threshold":0.02})", "out_of_range",
       "top_score"},
  };
  for (const auto& c : cases) expect_error(c.system, c.line, c.label, c.field);
}

TEST(ScoreErrors, AWholeNumberOfAnySizeHasNoBoundToName) {
  EXPECT_EQ(fixture::ask("term", R"({"fn":"task_score","exit_code":0.5,"timed_out":false})")["message"],
            "exit_code: must be a whole number");
}

TEST(ScoreErrors, DeepNestingIsJustAnotherValue) {
  const std::size_t depth = 400'000;
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    for (std::size_t i = 0; i < depth; ++i) deep += open;
    deep += "1" + std::string(depth, open[0] == '[' ? ']' : '}');
    EXPECT_EQ(fixture::ask("reward", "{\"fn\":\"reward\",\"result\":" + deep + "}")["violation"], "CRITICAL");
    expect_error("reward", "{\"fn\":\"reward\",\"result\":" + deep.substr(0, depth), "malformed_json",
                 "line");
  }
  std::string many = "{\"fn\":\"normalise\",\"scores\":[0";
  for (std::size_t i = 0; i < kMostValues; ++i) many += ",0";
  expect_error("term", many + "]}", "too_many_values", "values");
}

TEST(ScoreErrors, ForeignNamesStayShortAndPrintable) {
  const std::string name(100'000, 'x');
  const auto answer =
      fixture::ask("hydra", R"({"fn":"composite","breakdown":{")" + name + R"(":1},"weights":{"build":1}})");
  EXPECT_LT(answer["message"].get<std::string>().size(), 400U);
  const auto hostile =
      fixture::ask("hydra", R"({"fn":"composite","breakdown":{"\u001b[31m":1},"weights":{"build":1}})");
  EXPECT_EQ(hostile["message"].get<std::string>().find('\x1b'), std::string::npos);
}

// --- the program, in a process of its own ---

struct Run {
  int exit = -1;
  std::string out;
};

/// `hydra score ARGUMENTS` with `input` open for reading.
Run run_with(std::vector<const char*> arguments, int input) {
  int out[2];
  EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
  std::fflush(nullptr);  // or the child writes what is held here, too
  const auto child = ::fork();
  if (child == 0) {
    ::dup2(input, 0);
    ::dup2(out[1], 1);
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, 2);
    arguments.insert(arguments.begin(), {"hydra", "score"});
    ::_exit(cli::run(static_cast<int>(arguments.size()), arguments.data()));
  }
  ::close(out[1]);
  Run run;
  char buffer[4096];
  for (ssize_t n; (n = ::read(out[0], buffer, sizeof buffer)) > 0;)
    run.out.append(buffer, static_cast<std::size_t>(n));
  ::close(out[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  run.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return run;
}

Run run_lines(const char* system, const std::string& text) {
  const int file = ::open("/tmp", O_TMPFILE | O_RDWR, 0600);
  EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::lseek(file, 0, SEEK_SET);
  auto run = run_with({system}, file);
  ::close(file);
  return run;
}

constexpr const char* kGood = R"({"fn":"benchmark_score","passed":1,"total":2})";

TEST(ScoreProgram, ExitCodes) {
  EXPECT_EQ(run_lines("term", "").exit, 0);
  EXPECT_EQ(run_lines("term", "").out, "");
  EXPECT_EQ(run_lines("term", std::string(kGood) + "\n").exit, 0);
  const auto bad = run_lines("term", "nonsense\n" + std::string(kGood) + "\n");
  EXPECT_EQ(bad.exit, 1);
  EXPECT_EQ(lines(bad.out).size(), 2U);
  EXPECT_EQ(lines(bad.out)[1], R"({"score":0.5})");
  const int null = ::open("/dev/null", O_RDONLY);
  EXPECT_EQ(run_with({"mario"}, null).exit, 2);
  EXPECT_EQ(run_with({}, null).exit, 2);
  EXPECT_EQ(run_with({"term", "hydra"}, null).exit, 2);
  ::close(null);
  const int directory = ::open("/", O_RDONLY);
  EXPECT_EQ(run_with({"term"}, directory).exit, 2);
  ::close(directory);
}

TEST(ScoreProgram, OneAnswerForEveryLine) {
  // Blank lines, CRLF, and a last line without an end.
  const auto run = run_lines("term", std::string(kGood) + "\r\n\n  \n" + kGood);
  const auto answers = lines(run.out);
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(answers[0], R"({"score":0.5})");
  EXPECT_NE(answers[1].find("malformed_json"), std::string::npos);
  EXPECT_NE(answers[2].find("malformed_json"), std::string::npos);
  EXPECT_EQ(answers[3], R"({"score":0.5})");
  EXPECT_EQ(run.exit, 1);
}

TEST(ScoreProgram, AnEndlessLineIsAnsweredOnceAndTheNextOneToo) {
  std::string text(kLongestLine + 1, 'x');
  const auto run = run_lines("term", text + "\n" + kGood + "\n");
  ASSERT_EQ(lines(run.out).size(), 2U);
  EXPECT_NE(lines(run.out)[0].find("line_too_long"), std::string::npos);
  EXPECT_EQ(lines(run.out)[1], R"({"score":0.5})");
  // Just short of it: read as a line, and as such malformed.
  text.resize(kLongestLine);
  EXPECT_NE(run_lines("term", text).out.find("malformed_json"), std::string::npos);
}

// A peer that sends one line and waits for its answer before it sends the next gets it. The line may come in
// pieces.
TEST(ScoreProgram, AnswersAtOnceWhenNothingMoreHasArrived) {
  int in[2], out[2];
  ASSERT_EQ(::pipe(in), 0);
  ASSERT_EQ(::pipe(out), 0);
  std::thread program([&] {
    const LineHandler handler{
        [](std::string_view line, std::string& answer) { answer += std::string(line) + "!\n"; },
        [](std::string&) {}};
    EXPECT_TRUE(answer_lines(in[0], out[1], handler));
    ::close(out[1]);
  });
  char buffer[64];
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(::write(in[1], "ab", 2), 2);
    ASSERT_EQ(::write(in[1], "c\n", 2), 2);
    std::string answer;
    while (answer.size() < 5) {
      const auto n = ::read(out[0], buffer, sizeof buffer);
      ASSERT_GT(n, 0);
      answer.append(buffer, static_cast<std::size_t>(n));
    }
    ASSERT_EQ(answer, "abc!\n");
  }
  ::close(in[1]);
  program.join();
  EXPECT_EQ(::read(out[0], buffer, sizeof buffer), 0);
  ::close(in[0]);
  ::close(out[0]);
}

// 300 MB of input, most of it in overlong lines, within an address space that could not hold it.
TEST(ScoreProgram, MemoryStaysTheSameOnEndlessInput) {
#ifdef HYDRA_SANITIZED
  GTEST_SKIP() << "sanitizers need an address space of their own";
#endif
  int in[2];
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  const auto writer = ::fork();
  if (writer == 0) {
    ::close(in[0]);  // who doesn't read it ends the writer
    std::string piece(1 << 20, '[');
    for (int i = 0; i < 300; ++i) {
      if (i % 40 == 39) piece.back() = '\n';
      if (::write(in[1], piece.data(), piece.size()) < 0) ::_exit(1);
      piece.back() = '[';
    }
    ::_exit(0);
  }
  ::close(in[1]);
  rlimit before{}, tight{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  tight = before;
  tight.rlim_cur = 256U << 20U;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &tight), 0);
  const auto run = run_with({"hydra"}, in[0]);
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  ::close(in[0]);
  int status = 0;
  ::waitpid(writer, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(run.exit, 1);
  EXPECT_EQ(lines(run.out).size(), 8U);
}

}  // namespace
}  // namespace hydra::cli::score
