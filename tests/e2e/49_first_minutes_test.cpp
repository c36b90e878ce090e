// First ten minutes of a new user: where they are, and every error with its cause and its remedy.
#include "support/machine.hpp"
#include "support/places.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>
#include <re2/re2.h>

#include <functional>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kChecks = "[scoring]\ntest_command = \"true\"\n";

struct FirstError {
  const char* name;
  std::function<void(World&)> given;
  Words words;
  int exit;
  const char* cause;   ///< in the first line
  const char* remedy;  ///< in the hint, or in what stands instead of one
};

void plain_project(World& world) { world.project(kChecks + script_agent("a", "echo a >> src/app.txt")); }
void nothing(World&) {}
void raced(World& w) {
  plain_project(w);
  EXPECT_EQ(w.race({"--agents", "a", "t"}).exit, 0);
}

const std::vector<FirstError>& first_errors() {
  static const std::vector<FirstError> kAll{
      {"no repository",
       [](World& w) { w.set_repo(w.home()); },
       {"race", "t"},
       2,
       "not in a git repository",
       "git init"},
      {"no repository to check",
       [](World& w) { w.set_repo(w.home()); },
       {"check"},
       2,
       "not in a git repository",
       "git init"},
      {"no commit",
       [](World& w) {
         w.init();
         w.write("hydra.toml", std::string(kChecks) + script_agent("a", "true"));
       },
       {"race", "--agents", "a", "t"},
       1,
       "no commit",
       "git commit"},
      {"no agent",
       [](World& w) { w.project(kChecks); },
       {"race", "t"},
       2,
       "no agent is installed and signed in",
       "hydra agents"},
      {"an agent with a slip in its name",
       plain_project,
       {"race", "--agents", "cluade", "t"},
       2,
       "cluade",
       "claude"},
      {"an agent that nobody knows",
       plain_project,
       {"race", "--agents", "xyzzy", "t"},
       2,
       "xyzzy",
       "known: "},
      {"an agent that is not installed",
       plain_project,
       {"race", "--agents", "codex", "t"},
       2,
       "codex is not installed",
       "npm install"},
      {"one agent of two that is not installed",
       plain_project,
       {"race", "--agents", "a,gemini", "t"},
       2,
       "gemini is not installed",
       "npm install"},
      {"a task without quotes", plain_project, {"race", "fix", "the", "bug"}, 2, "not expected", "quotes"},
      {"an empty task", plain_project, {"race", " "}, 2, "task is empty", "hydra race"},
      {"a task file that is not there",
       plain_project,
       {"race", "--task-file", "task.md"},
       2,
       "task.md",
       "No such file"},
      {"a verb with a slip", nothing, {"rase"}, 2, "rase", "hydra race"},
      {"an option with a slip", plain_project, {"race", "--agent", "a", "t"}, 2, "--agent", "--help"},
      {"a key with a slip",
       [](World& w) { w.project("[scoring]\ntest_comand = \"true\"\n"); },
       {"race", "t"},
       2,
       "test_comand",
       "test_command"},
      {"a value of another type",
       [](World& w) { w.project("[scoring]\ntest_command = 7\n"); },
       {"config", "check"},
       2,
       "test_command",
       "string"},
      {"no TOML", [](World& w) { w.project("[scoring\n"); }, {"race", "t"}, 2, "hydra.toml:1", "]"},
      {"a time that is none",
       plain_project,
       {"race", "--agents", "a", "--timeout", "soon", "t"},
       2,
       "--timeout",
       "30m"},
      {"a base that is not there",
       plain_project,
       {"race", "--agents", "a", "--base", "mian", "t"},
       1,
       "mian",
       "git"},
      {"results without a race", plain_project, {"results"}, 2, "no race", "hydra race"},
      {"a merge without a race", plain_project, {"merge", "--yes"}, 2, "no race", "hydra race"},
      {"a diff without a race", plain_project, {"diff", "a"}, 2, "no race", "hydra race"},
      {"a race that is not there", plain_project, {"results", "01zzzz"}, 2, "01zzzz", "hydra list"},
      {"a second init", plain_project, {"init"}, 2, "exists already", "--force"},
      {"a sandbox that can't be had",
       [](World& w) {
         plain_project(w);
         w.set_environment("PATH", w.path_without("bwrap").string());
       },
       {"race", "--agents", "a", "--sandbox", "required", "t"},
       3,
       "bubblewrap",
       "install"},
      {"no git",
       [](World& w) {
         plain_project(w);
         w.set_environment("PATH", w.path_without("git").string());
       },
       {"race", "--agents", "a", "t"},
       3,
       "git is not installed",
       "install git"},
      {"a state that can't be written",
       [](World& w) {
         plain_project(w);
         w.set_environment("XDG_STATE_HOME", "/dev/null/state");
       },
       {"race", "--agents", "a", "t"},
       3,
       "/dev/null/state",
       "set XDG_STATE_HOME"},
      {"an agent to be tried that is not installed",
       plain_project,
       {"agents", "test", "codex"},
       1,
       "not in PATH",
       "npm install"},
      {"a budget that is none",
       plain_project,
       {"race", "--budget-usd", "much", "t"},
       2,
       "much",
       "like 5, 0.50"},
      {"attempts that are none",
       plain_project,
       {"race", "--attempts", "0", "t"},
       2,
       "--attempts",
       "1 to 100"},
      {"a count that is none", plain_project, {"race", "--agents", "a:0", "t"}, 2, "a:0", "NAME:2"},
      {"a check without a commit",
       [](World& w) {
         w.init();
         w.write("hydra.toml", kChecks);
       },
       {"check"},
       1,
       "no commit",
       "git commit"},
      {"a test command that is not there",
       [](World& w) {
         w.stop_at_a_bad_base();
         w.project("[scoring]\ntest_command = \"no-such-runner\"\n" +
                   script_agent("a", "echo a >> src/app.txt"));
       },
       {"race", "--agents", "a", "t"},
       1,
       "the base's tests (no-such-runner) failed: ",
       "not in PATH"},
      {"an agent that ends at once",
       [](World& w) { w.project(kChecks + script_agent("a", "exit 3")); },
       {"race", "--agents", "a", "t"},
       1,
       "exited with code 3 before it said anything",
       "hydra logs"},
      {"a diff of nobody", raced, {"diff", "nobody"}, 2, "no agent \"nobody\"", "its agents are: a"},
      {"logs of nobody", raced, {"logs", "nobody"}, 2, "nobody", "its agents are: a"},
      {"a merge of nobody", raced, {"merge", "nobody", "--yes"}, 2, "no result 'nobody'", "hydra list"},
      {"a merge over files that changed",
       [](World& w) {
         raced(w);
         w.write("src/app.txt", "mine\n");
       },
       {"merge", "--yes"},
       1,
       "src/app.txt",
       "commit, stash"},
      {"a merge that conflicts",
       [](World& w) {
         raced(w);
         w.write("src/app.txt", "mine\n");
         w.git({"commit", "-qam", "mine"});
       },
       {"merge", "--yes"},
       1,
       "conflicts with refs/heads/main in: src/app.txt",
       "git merge"},
      {"a merge into no branch",
       [](World& w) {
         raced(w);
         w.git({"checkout", "-q", "--detach"});
       },
       {"merge", "--yes"},
       1,
       "HEAD is detached",
       "switch to a branch"},
      {"a merge without a winner",
       [](World& w) {
         w.project(kChecks + script_agent("a", "true"));
         w.race({"--agents", "a", "t"});
       },
       {"merge", "--yes"},
       1,
       "no winner",
       "name a branch"},
      {"no home",
       [](World& w) {
         plain_project(w);
         for (const auto* name : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"}) w.set_environment(name, "");
       },
       {"list"},
       3,
       "HOME",
       "set HOME"},
  };
  return kAll;
}

class FirstMinutes : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FirstMinutes, SaysCauseAndRemedy) {
  const auto& row = first_errors()[GetParam()];
  SCOPED_TRACE(row.name);
  World world;
  row.given(world);
  HydraOptions options;
  options.directory = world.repo();
  const auto run = world.hydra(row.words, options);
  EXPECT_EQ(run.exit, row.exit) << run.out << run.err;
  // A race that began tells it among its results.
  EXPECT_THAT(run.err + run.out, AllOf(HasSubstr(row.cause), HasSubstr(row.remedy)));
  EXPECT_TRUE(run.err.starts_with("error: ") || !run.out.empty()) << run.err;
}

INSTANTIATE_TEST_SUITE_P(All, FirstMinutes, ::testing::Range(std::size_t{0}, first_errors().size()));

class WhereYouStand : public ::testing::Test {
 protected:
  std::string say() {
    const auto run = world.hydra({});
    EXPECT_EQ(run.exit, 0) << run.err;
    return run.out;
  }
  World world;
};

TEST_F(WhereYouStand, OutsideARepositoryIsTheHelp) {
  HydraOptions options;
  options.directory = world.home();
  const auto run = world.hydra({}, options);
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.out, HasSubstr("Racing"));
}

TEST_F(WhereYouStand, LeadsFromTheConfigurationToTheMerge) {
  world.init();
  world.write("src/app.txt", "one\n");
  world.commit();
  EXPECT_THAT(say(), AllOf(HasSubstr("no hydra.toml"), HasSubstr("hydra init"), HasSubstr("none yet")));
  world.write("hydra.toml", kChecks);
  EXPECT_THAT(say(), AllOf(HasSubstr("hydra.toml: tests"), HasSubstr("hydra agents")));
  world.write("hydra.toml", kChecks + script_agent("a", "echo a >> src/app.txt"));
  world.commit();
  EXPECT_THAT(say(), AllOf(HasSubstr("Agents         a"), HasSubstr("hydra race \"")));
  EXPECT_EQ(world.race({"--agents", "a", "a task"}).exit, 0);
  EXPECT_THAT(say(), AllOf(HasSubstr("\"a task\", a won"), HasSubstr("hydra merge")));
  EXPECT_EQ(world.hydra({"merge", "--yes"}).exit, 0);
  EXPECT_THAT(say(), AllOf(HasSubstr("a is merged"), HasSubstr("hydra race \"")));
  world.write("hydra.toml", "[scoring]\nno_such = 1\n");
  EXPECT_THAT(say(), AllOf(HasSubstr("no_such"), HasSubstr("hydra config check")));
}

class Init : public ::testing::Test {
 protected:
  Init() {
    world.init();
    world.write("Makefile", "test:\n\tgrep -q good src/app.txt\n");
    world.write("src/app.txt", "good\n");
    world.commit();
  }
  bool written() const { return fs::exists(world.repo() / "hydra.toml"); }
  World world;
};

TEST_F(Init, ShowsWhatItFoundAndWhyAndAsks) {
  const auto no = world.start_on_terminal({"init"});
  ASSERT_TRUE(no->wait_text("[Y/n]"));
  no->type("n\r");
  const auto left = no->wait();
  EXPECT_EQ(left.exit, 0);
  EXPECT_THAT(left.out,
              AllOf(HasSubstr("test_command = \"make test\"   # from "), HasSubstr("Nothing was written")));
  EXPECT_FALSE(written());

  const auto yes = world.start_on_terminal({"init"});
  ASSERT_TRUE(yes->wait_text("[Y/n]"));
  yes->type("\r");
  const auto done = yes->wait();
  EXPECT_EQ(done.exit, 0);
  EXPECT_TRUE(written());
  EXPECT_THAT(done.out, AllOf(HasSubstr("tests  passed"), HasSubstr("Next: ")));
  const auto last = done.out.substr(done.out.rfind("Next: "));
  EXPECT_THAT(last, HasSubstr("hydra agents"));  // there is none yet
  EXPECT_EQ(std::count(last.begin(), last.end(), '\n'), 1) << last;
}

TEST_F(Init, AsksNobodyWhereNobodyIs) {
  EXPECT_THAT(world.hydra({"init", "--no-check"}).out, HasSubstr("Next: hydra check"));
  EXPECT_TRUE(written());
}

TEST_F(Init, SaysToCorrectWhatFails) {
  world.write("src/app.txt", "bad\n");
  world.commit();
  const auto asked = world.start_on_terminal({"init", "--yes"});
  const auto run = asked->wait();
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("Not ready: no test of the base passes here"),
                             HasSubstr("Correct hydra.toml or the project, then run `hydra check`.")));
  EXPECT_THAT(run.out, ::testing::Not(HasSubstr("Next: ")));
}

// Tests that fail already are named, and results stay comparable.
TEST_F(Init, EndsInTheTestsOfTheBase) {
  world.write("Makefile", "test:\n\tpython3 -m unittest discover -v\n");
  world.write("test_x.py",
              "import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n  def test_b(self): "
              "self.fail()\n");
  world.commit();
  const auto run = world.hydra({"init"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(run.out.ends_with("\nReady: 2 tests, 1 fails already.\n")) << run.out;
}

// Progress of a race depends on the machine's load; times, ids and points of speed differ in each run.
std::string steady(std::string text, const World& world) {
  const std::pair<const char*, const char*> kPlaceholders[] = {
      {R"((^|\n)race [a-z0-9]{10} created\n(?s:.*?)\nrace (?:done|failed)\n)", "\\1(progress)\n"},
      {R"((^|\n)Race [a-z0-9]{10}: )", "\\1Race RACE: "},
      {R"(\bt[a-z]*[0-9][a-z0-9]*\b)", "RACE"},
      {R"(-[0-9]{10}\b)", "-TIME"},
      {R"(\b([0-9a-f]{40}|[0-9a-f]{12})\b)", "COMMIT"},
      {R"(hydra [0-9]+\.[0-9]+\.[0-9]+)", "hydra VERSION"},
      {R"([0-9.]+ s\b)", "N s"},
      {R"( *\b[0-9]+\.[0-9] / 100)", " N / 100"},
      {R"(SPEED: [0-9]+\] *)", "SPEED: N]  "},
      {R"(speed: [0-9.]+ points, (.*), adds [0-9.]+)", "speed: N points, \\1, adds N"},
      {R"(duration_ms [0-9]+, fastest_ms [0-9]+)", "duration_ms N, fastest_ms N"},
      {R"(Makefile:[0-9]+: test\])", "Makefile: test]"},
  };
  for (const auto* path : {&world.repo(), &world.root()})
    for (std::size_t at = 0; (at = text.find(path->string(), at)) != std::string::npos;)
      text.replace(at, path->string().size(), path == &world.repo() ? "REPOSITORY" : "ROOT");
  for (const auto& [pattern, placeholder] : kPlaceholders) RE2::GlobalReplace(&text, pattern, placeholder);
  return text;
}

// A person reads the golden file at each change of it: every word of a newcomer's way is in it.
TEST(FirstTenMinutes, ReadAsInTheGoldenTranscript) {
  HYDRA_NEEDS(machine::Ability::sandbox, "make");
  World world;
  std::string transcript;
  const auto type = [&](const Words& words) {
    HydraOptions options;
    options.directory = world.repo();
    const auto run = world.hydra(words, options);
    transcript += "$ hydra";
    for (const auto& word : words)
      transcript += word.find(' ') == std::string::npos ? " " + word : " \"" + word + "\"";
    transcript += "\n" + steady(run.out + run.err, world) + "[exit " + std::to_string(run.exit) + "]\n\n";
  };
  type({"race", "make it better"});
  world.init();
  type({"race", "make it better"});
  world.write("app.txt", "good\n");
  world.write("Makefile", "test:\n\t@sh checks/words\n");
  world.write(
      "checks/words",
      "echo 1..2\n"
      "grep -q good app.txt && echo 'ok 1 - is good' || { echo 'not ok 1 - is good'; failed=1; }\n"
      "grep -q better app.txt && echo 'ok 2 - is better' || { echo 'not ok 2 - is better'; failed=1; }\n"
      "exit ${failed:-0}\n");
  world.commit();
  type({});
  type({"race", "make it better"});
  type({"init"});
  type({"rase", "make it better"});
  const auto proposed = world.read("hydra.toml");
  world.write("hydra.toml", proposed + "\n[limits]\nagent_timeout = 60\n");
  type({"race", "make it better"});
  world.write("hydra.toml", proposed + script_agent("fix", "echo better >> app.txt") +
                                script_agent("spoil", "echo bad > app.txt") + script_agent("idle", "true"));
  world.commit();
  type({"check"});
  type({"race", "--agents", "fix,spoil,idle", "make it better"});
  type({"results"});
  type({"diff", "fix"});
  type({"explain", "fix"});
  type({"merge", "--yes"});
  type({"merge", "--undo", "--yes"});
  EXPECT_EQ(transcript, slurp(places::golden("/first_ten_minutes.txt")));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
