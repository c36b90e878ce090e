// `hydra ci` in a pipeline: reports that its programs read, and nothing that stays behind. `hydra pr` with a
// forge's program that writes down what it was told.
#include "support/places.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <signal.h>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Two tests by name, of which the second fails unless the file says so; a linter that always has something to
// say.
const char* const kProject = R"([scoring]
test_command = "echo 1..2; echo ok 1 - first; if grep -q good src/app.txt; then echo ok 2 - second; else echo 'not ok 2 - second'; exit 1; fi"
lint_command = "echo 'src/app.txt:1:1: warning: a line of <x> & more [some-rule]'; grep -c bad src/app.txt | grep -q 0 || echo 'src/app.txt:2:1: error: new [other-rule]'"
)";

std::string attribute(const std::string& xml, const std::string& name) {
  const auto at = xml.find(" " + name + "=\"");
  if (at == std::string::npos) return {};
  const auto begin = at + name.size() + 3;
  return xml.substr(begin, xml.find('"', begin) - begin);
}

class Ci : public ::testing::Test {
 protected:
  void project() {
    world.project(kProject + script_agent("good", "echo good >> src/app.txt") +
                  script_agent("bad", "echo bad >> src/app.txt") + script_agent("idle", "true"));
  }
  e2e::Run ci(Words args, const Environment& environment = {}) {
    args.insert(args.begin(), "ci");
    HydraOptions options;
    options.environment = environment;
    const auto run = world.hydra(args, options);
    EXPECT_TRUE(world.daemons().empty()) << "no daemon stays";
    return run;
  }
  fs::path file(const std::string& name) { return world.outside() / name; }
  World world;
};

TEST_F(Ci, OfACheckThatFails) {
  project();
  fs::create_directories(world.outside());
  const auto run = ci({"--junit", file("j.xml"), "--sarif", file("s.sarif"), "--summary", file("s.md")});
  EXPECT_EQ(run.exit, 1) << run.err;
  const auto junit = slurp(file("j.xml"));
  EXPECT_THAT(junit, AllOf(HasSubstr("name=\"second\""), HasSubstr("<failure")));
  EXPECT_EQ(attribute(junit, "failures"), "2") << "the check and its test: " << junit;
  const auto sarif = Json::parse(slurp(file("s.sarif")));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto result = sarif["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/app.txt");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 1);
  EXPECT_EQ(sarif["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].get<int>()]["id"],
            result["ruleId"]);
  EXPECT_THAT(slurp(file("s.md")), AllOf(HasSubstr("## Hydra: check failed"), HasSubstr("```")));
  EXPECT_FALSE(fs::exists(world.state())) << "the user's own state is not touched";
}

TEST_F(Ci, OfARaceHasAWinnerAndNothingStaysBehind) {
  project();
  fs::create_directories(world.outside());
  const auto before = world.fingerprint();
  const auto run = ci({"--junit", file("j.xml"), "--sarif", file("s.sarif"), "--summary", file("s.md"),
                       "--report", file("r.html"), "race", "--agents", "good,bad", "a task"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(before.differs_from(world.fingerprint()), "");
  EXPECT_THAT(slurp(file("j.xml")), HasSubstr("name=\"good\""));
  EXPECT_EQ(attribute(slurp(file("j.xml")), "tests"), "2");
  EXPECT_THAT(slurp(file("s.md")), AllOf(HasSubstr("## Hydra: a winner"), HasSubstr("a task")));
  EXPECT_THAT(slurp(file("r.html")), HasSubstr("<html"));
  EXPECT_THAT(world.git({"branch", "--list", "hydra/*"}), HasSubstr("hydra/good"));
  EXPECT_THAT(run.err, HasSubstr("`git merge hydra/good-")) << "`hydra merge` finds no race any more";
  EXPECT_TRUE(Json::parse(slurp(file("s.sarif")))["runs"][0]["results"].is_array());
}

TEST_F(Ci, WithoutAWinnerIsOne) {
  project();
  EXPECT_EQ(ci({"race", "--agents", "idle", "t"}).exit, 1) << "nobody changed anything";
}

TEST_F(Ci, WrongWordsAreTwoAndWriteNothing) {
  project();
  fs::create_directories(world.outside());
  EXPECT_EQ(ci({"merge"}).exit, 2);
  EXPECT_EQ(ci({"race", "--detach", "t"}).exit, 2);
  EXPECT_EQ(ci({"--junit", file("j.xml"), "race", "--agents", "nobody", "t"}).exit, 2);
  EXPECT_FALSE(fs::exists(file("j.xml")));
}

TEST_F(Ci, OnGitHubFindingsAreAnnotationsAndForeignTextIsNoCommand) {
  world.project(
      std::string(kProject) +
      script_agent("good", "echo good >> src/app.txt; echo '::set-output name=x::y'; echo '::error::fake'"));
  fs::create_directories(world.outside());
  const auto run = ci({}, {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", file("page.md").string()}});
  const auto stop = run.out.find("::stop-commands::");
  ASSERT_NE(stop, std::string::npos);
  const auto word = run.out.substr(stop + 17, 32);
  const auto resume = run.out.find("::" + word + "::");
  ASSERT_NE(resume, std::string::npos);
  const auto annotation = run.out.find("::warning file=src/app.txt,line=1");
  ASSERT_NE(annotation, std::string::npos) << run.out;
  EXPECT_GT(annotation, resume);
  EXPECT_THAT(slurp(file("page.md")), HasSubstr("## Hydra"));
}

TEST_F(Ci, AStateThatIsKeptIsUsedAgain) {
  project();
  fs::create_directories(world.outside());
  EXPECT_EQ(ci({"--state", file("state")}).exit, 1);
  EXPECT_THAT(ci({"--state", file("state")}).out, HasSubstr("cached"));
}

TEST_F(Ci, ASignalCancelsTheRaceAndLeavesNothing) {
  Gate gate(world.outside() / "gate");
  world.project("[sandbox]\nwrite = [\"" + world.outside().string() + "\"]\n" +
                script_agent("slow", gate.script()));
  const auto run = world.start({"ci", "race", "--agents", "slow", "t"});
  ASSERT_TRUE(gate.arrived());
  run->signal(SIGTERM);
  EXPECT_EQ(run->wait().exit, 130);
  EXPECT_TRUE(world.daemons().empty());
}

// The lines below the last `KEY: |` or list `KEY:` of a file of YAML, without their indentation.
std::string lines_below(const std::string& file, const std::string& key) {
  const auto text = slurp(places::source(file));
  const auto begin = text.rfind("\n" + key);
  if (begin == std::string::npos) return {};
  std::string out, line;
  std::istringstream rest(text.substr(text.find('\n', begin + 1) + 1));
  const auto indent = key.find_first_not_of(' ') + 1;
  while (std::getline(rest, line) && (line.empty() || line.find_first_not_of(' ') >= indent))
    out += line + "\n";
  return out;
}

TEST_F(Ci, TheStepsOfItsTemplatesAreScriptsThatWork) {
  project();
  fs::create_directories(world.outside());
  world.set_environment("PATH", places::binaries() + ":" + world.environment()["PATH"]);
  const auto run_script = [&](const std::string& script, Environment more) {
    auto environment = world.environment();
    environment.merge(more);
    return Process({"/bin/bash", "-c", script}, world.repo(), environment).wait();
  };
  const auto step = lines_below("/contrib/github-action/action.yml", "      run: |");
  ASSERT_FALSE(step.empty());
  const auto github = run_script(step, {{"COMMAND", "race --agents good \"two words\""},
                                        {"JUNIT", file("g.xml")},
                                        {"SARIF", ""},
                                        {"REPORT", ""},
                                        {"GITHUB_OUTPUT", file("out")}});
  EXPECT_EQ(github.exit, 0) << github.out << github.err;
  EXPECT_EQ(slurp(file("out")), "exit-code=0\n");
  EXPECT_THAT(slurp(file("g.xml")), HasSubstr("two words"));

  auto job = lines_below("/contrib/gitlab/hydra.yml", "  script:");
  ASSERT_FALSE(job.empty());
  for (std::size_t at = 0; (at = job.find("    - ", at)) != std::string::npos;) job.replace(at, 6, "");
  const auto gitlab = run_script("set -e\ncd \"$(mktemp -d -p '" + world.outside().string() +
                                     "')\"\ngit clone -q '" + world.repo().string() + "' .\n" + job,
                                 {{"HYDRA_COMMAND", "check"}});
  EXPECT_EQ(gitlab.exit, 1) << gitlab.out << gitlab.err;
  EXPECT_THAT(gitlab.out, HasSubstr("1 passed, 1 failed"));
}

class Pr : public ::testing::Test {
 protected:
  void SetUp() override {
    world.project("[scoring]\ntest_command = \"grep -q good src/app.txt\"\n" +
                  script_agent("good", "echo good >> src/app.txt"));
    EXPECT_EQ(world.race({"--agents", "good", "Make it good ```` `x`\n@nobody"}).exit, 0);
    forge = world.root() / "forge.git";
    EXPECT_EQ(world.try_git({"init", "-q", "--bare", forge.string()}).exit, 0);
    tools = world.root() / "tools";
    fs::create_directories(tools);
    for (const auto* name : {"gh", "glab"}) {
      std::ofstream(tools / name) << "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\" >'"
                                  << (world.root() / "said").string() << "'\ncat >'"
                                  << (world.root() / "body").string()
                                  << "'\necho https://forge.example/pull/1\n";
      fs::permissions(tools / name, fs::perms::owner_all);
    }
    world.set_environment("PATH", tools.string() + ":" + world.environment()["PATH"]);
  }
  void remote(const std::string& name) const { world.git({"remote", "add", name, forge.string()}); }
  std::string pushed() const { return world.try_git({"branch", "--list"}, forge).out; }

  World world;
  fs::path forge, tools;
};

TEST_F(Pr, PushesNothingWithoutBeingAsked) {
  remote("origin");
  const auto dry = world.hydra({"pr", "--dry-run"});
  EXPECT_EQ(dry.exit, 0) << dry.err;
  EXPECT_THAT(dry.out, AllOf(HasSubstr("git push origin refs/heads/hydra/good"), HasSubstr("gh pr create"),
                             HasSubstr("Nothing was pushed"), HasSubstr("Make it good")));
  const auto refused = world.hydra({"pr"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("--yes"));
  EXPECT_EQ(pushed(), "");
  EXPECT_FALSE(fs::exists(world.root() / "said"));
}

TEST_F(Pr, OpensOneThroughGh) {
  remote("origin");
  const auto run = world.hydra({"pr", "good", "--base", "main", "--draft", "--yes"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("https://forge.example/pull/1"));
  EXPECT_THAT(pushed(), HasSubstr("hydra/good"));
  EXPECT_THAT(slurp(world.root() / "said"),
              AllOf(HasSubstr("pr\ncreate\n--head\nhydra/good"), HasSubstr("--draft"),
                    HasSubstr("--base\nmain"), HasSubstr("Make it good")));
  const auto body = slurp(world.root() / "body");
  EXPECT_THAT(body, AllOf(HasSubstr("good"), HasSubstr("`````text\nMake it good")))
      << "a fence that it cannot end";
}

TEST_F(Pr, OnATerminalItAsks) {
  remote("origin");
  const auto no = world.start_on_terminal({"pr"});
  ASSERT_TRUE(no->wait_text("[y/N]"));
  no->type("\r");
  EXPECT_EQ(no->wait().exit, 1);
  EXPECT_EQ(pushed(), "");
}

TEST_F(Pr, OpensOneThroughGlab) {
  remote("lab");
  const auto run = world.hydra({"pr", "--remote", "lab", "--with", "glab", "--yes"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(slurp(world.root() / "said"),
              AllOf(HasSubstr("mr\ncreate\n--source-branch\nhydra/good"), HasSubstr("--yes")));
}

TEST_F(Pr, SaysWhatIsMissing) {
  EXPECT_THAT(world.hydra({"pr", "--dry-run"}).err, HasSubstr("no remote `origin`"));
  remote("origin");
  fs::remove(tools / "gh");
  world.set_environment("PATH", world.path_without("gh").string());
  const auto run = world.hydra({"pr", "--yes"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, AllOf(HasSubstr("gh"), HasSubstr("the branch is pushed")));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
