// The verbs beside race: reading, merging and its refusals.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <signal.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTwo =
    "[scoring]\nbuild_command = \"echo built\"\ntest_command = \"grep -q fine src/app.txt\"\n" +
    script_agent("good", "echo said; echo complained >&2; echo fine >> src/app.txt") +
    script_agent("bad", "echo other >> src/app.txt; echo notes > notes.txt");

class Verbs : public ::testing::Test {
 protected:
  void race() {
    world.project(kTwo);
    const auto run = world.race({"--agents", "good,bad", "task"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
  }
  Json json(const Words& args, int exit = 0) const {
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, exit) << run.err;
    auto parsed = Json::parse(run.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << run.out;
    return parsed;
  }
  World world;
};

TEST_F(Verbs, HelpOfEachOne) {
  const auto general = world.hydra({"--help"});
  EXPECT_EQ(general.exit, 0);
  for (const char* verb : {"race", "status", "list", "watch", "results", "logs", "diff", "merge", "cancel",
                           "agents", "doctor", "init", "config", "parse", "demo", "daemon", "completion"}) {
    EXPECT_THAT(general.out, HasSubstr(verb));
    const auto help = world.hydra({verb, "--help"});
    EXPECT_EQ(help.exit, 0) << verb;
    EXPECT_THAT(help.out, HasSubstr("Usage")) << verb;
    EXPECT_EQ(help.err, "") << verb;
  }
  EXPECT_EQ(world.hydra({"--version"}).exit, 0);
  EXPECT_TRUE(world.daemons().empty());
}

TEST_F(Verbs, EveryJsonAnswerHasItsSchema) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  race();
  for (const Words& args :
       {Words{"status", "--json"}, Words{"list", "--json"}, Words{"agents", "--json"},
        Words{"doctor", "--json"}, Words{"merge", "good", "--dry-run", "--json"},
        Words{"clean", "--dry-run", "--json"}, Words{"daemon", "status", "--json"},
        Words{"config", "path", "--json"}, Words{"config", "show"}, Words{"config", "check", "--json"},
        Words{"results", "--json"}, Words{"explain", "good", "--json"}, Words{"rescore", "--json"},
        Words{"diff", "good", "--json"}, Words{"parse", "--list", "--json"}})
    EXPECT_EQ(json(args).value("schema", 0), 1) << args.front();
  EXPECT_THAT(json({"diff", "good", "--json"})["diff"].get<std::string>(), HasSubstr("+fine"));
  EXPECT_EQ(json({"diff", "good", "--json"})["exact"], true);
  EXPECT_THAT(json({"parse", "--list", "--json"})["agent"].dump(), HasSubstr("\"claude\""));
  const auto log = json({"logs", "good", "--json"});
  EXPECT_EQ(log["schema"], 1);
  EXPECT_EQ(log["subject"], "good");
  EXPECT_THAT(log["line"].get<std::string>(), HasSubstr("said"));
  const auto followed = world.hydra({"watch", "--json"});
  std::istringstream events(followed.out);
  int count = 0;
  for (std::string line; std::getline(events, line); ++count)
    EXPECT_EQ(Json::parse(line, nullptr, false).value("schema", 0), 1) << line;
  EXPECT_GT(count, 5) << "events, and the results";
  world.write("hydra.toml", "[scoring]\nwrong = 1\n");
  const auto wrong = json({"config", "check", "--json"}, 2);
  EXPECT_EQ(wrong["ok"], false);
  EXPECT_EQ(wrong["errors"][0]["where"], "hydra.toml:2:1");
}

TEST_F(Verbs, AListThatIsCutSaysHowManyThereAre) {
  race();
  const auto whole = world.hydra({"list"});
  EXPECT_THAT(whole.out, Not(HasSubstr("of 1 races")));
  world.race({"--agents", "good", "second"});
  const auto cut = world.hydra({"list", "--limit", "1"});
  EXPECT_THAT(cut.out, HasSubstr("second\n1 of 2 races; --limit 2 shows all\n"));
  const auto list = json({"list", "--limit", "1", "--json"});
  EXPECT_EQ(list["races"].size(), 1u);
  EXPECT_EQ(list["total"], 2);
}

TEST_F(Verbs, LogsOfAnAgentThatWroteToStandardErrorOnlyShowIt) {
  world.project(script_agent("quiet", "echo complained >&2; echo fine >> src/app.txt"));
  world.race({"--agents", "quiet", "task"});
  EXPECT_EQ(world.hydra({"logs", "quiet"}).out,
            "(nothing on standard output; this is standard error)\ncomplained\n");
  EXPECT_EQ(world.hydra({"logs", "quiet", "--stderr"}).out, "complained\n");
  const auto line = json({"logs", "quiet", "--json"});
  EXPECT_EQ(line["stream"], "err");
  EXPECT_EQ(line["line"], "complained");
  EXPECT_EQ(world.hydra({"logs", "quiet", "--raw"}).out, "");
}

TEST_F(Verbs, OutputThatCannotBeWrittenIsAFailure) {
  race();
  for (const char* words :
       {"diff good", "results", "results --json", "agents --json", "logs good", "config show", "config path",
        "completion bash", "--help", "--version", "race --help", "parse --list"}) {
    for (const char* where : {"> /dev/full", ">&-"}) {
      const std::string line = word_of_binary("hydra") + " " + words + " " + where;
      const auto run = Process({"/bin/sh", "-c", line}, world.repo(), world.environment()).wait();
      EXPECT_EQ(run.exit, 3) << line << run.err;
      EXPECT_THAT(run.err, HasSubstr("cannot write the output: ")) << line;
    }
    // A reader who goes away is no error to speak of.
    const auto line = "trap '' PIPE; " + word_of_binary("hydra") + " " + words + " | true";
    EXPECT_EQ(Process({"/bin/sh", "-c", line}, world.repo(), world.environment()).wait().err, "") << line;
  }
}

TEST_F(Verbs, WrongWordsAreUsageErrors) {
  for (const Words& args :
       {Words{"rase"}, Words{"race", "--no-such-option", "x"}, Words{"config", "--nothing"}, Words{"diff"},
        Words{"race", "--timeout", "soon", "x"}, Words{"race", "--sandbox", "maybe", "x"}}) {
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, 2) << args.front();
    EXPECT_THAT(run.err, HasSubstr("error: "));
    EXPECT_EQ(run.out, "");
  }
  EXPECT_THAT(world.hydra({"statsu"}).err, HasSubstr("hydra status"));
}

TEST_F(Verbs, NothingThereYet) {
  world.project(kTwo);
  for (const Words& args : {Words{"results"}, Words{"status"}, Words{"merge", "--yes"}, Words{"cancel"},
                            Words{"diff", "good"}, Words{"logs"}, Words{"results", "zzzz"}}) {
    const auto run = world.hydra(args);
    EXPECT_NE(run.exit, 0) << args.front();
    EXPECT_NE(run.exit, 3) << args.front() << run.err;
    EXPECT_THAT(run.err, HasSubstr("error: ")) << args.front();
  }
  EXPECT_EQ(world.hydra({"list"}).exit, 0);
}

TEST_F(Verbs, StatusListAndResultsAsJson) {
  race();
  const auto status = json({"status", "--json"});
  EXPECT_EQ(status["state"], "done");
  EXPECT_EQ(status["winner"], "good");
  EXPECT_EQ(status["agents"].size(), 2u);
  EXPECT_EQ(status["agents"][0]["checks"], Json({{"build", "passed"}, {"tests", "passed"}}));
  EXPECT_EQ(status["agents"][1]["checks"], Json({{"build", "passed"}, {"tests", "failed"}}));
  const auto list = json({"list", "--json"});
  ASSERT_EQ(list["races"].size(), 1u);
  const std::string id = status["race"];
  EXPECT_EQ(list["races"][0]["race"], id);
  EXPECT_EQ(list["races"][0]["winner"], "good");
  EXPECT_EQ(list["races"][0]["agents"], Json::array({"good", "bad"}));
  EXPECT_EQ(json({"results", "--json", id})["race"], id);
  EXPECT_EQ(json({"results", "--json", id.substr(0, id.size() - 2)})["race"], id);
  EXPECT_EQ(world.hydra({"status"}).exit, 0);
  EXPECT_THAT(world.hydra({"results"}).out, HasSubstr("#1"));
  EXPECT_THAT(world.hydra({"watch"}).out, HasSubstr("#1"));
}

TEST_F(Verbs, LogsAndDiff) {
  race();
  EXPECT_THAT(world.hydra({"logs", "good"}).out, HasSubstr("said"));
  EXPECT_THAT(world.hydra({"logs", "good", "--stderr"}).out, HasSubstr("complained"));
  EXPECT_THAT(world.hydra({"logs", "good", "--kind", "build"}).out, HasSubstr("built"));
  EXPECT_THAT(world.hydra({"logs", "baseline", "--kind", "build"}).out, HasSubstr("built"));
  EXPECT_EQ(world.hydra({"logs", "nobody"}).exit, 2);
  const auto diff = world.hydra({"diff", "good"});
  EXPECT_EQ(diff.exit, 0);
  EXPECT_THAT(diff.out, HasSubstr("--- a/src/app.txt\n+++ b/src/app.txt\n"));
  EXPECT_THAT(diff.out, HasSubstr("\n+fine\n"));
  // The output of `hydra diff` is a patch that git takes.
  world.git({"apply", "--check", "-"}, diff.out);
  const std::string branch = agent_of(world.results(), "bad")["branch"];
  EXPECT_THAT(world.hydra({"diff", branch}).out, HasSubstr("notes.txt"));
}

TEST_F(Verbs, AgentsAndDoctor) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  world.project(kTwo + "[agents.absent]\ncommand = [\"no-such-program\"]\ninstall_hint = \"get it\"\n");
  const auto agents = json({"agents", "--json"})["agents"];
  const auto find = [&](const std::string& id) {
    for (const auto& agent : agents)
      if (agent["id"] == id) return agent;
    return Json();
  };
  EXPECT_EQ(find("good")["installed"], true);
  EXPECT_EQ(find("good")["builtin"], false);
  EXPECT_EQ(find("absent")["installed"], false);
  for (const char* id : {"claude", "codex", "gemini", "cursor-agent", "opencode"})
    EXPECT_EQ(find(id)["builtin"], true) << id;
  EXPECT_EQ(world.hydra({"agents"}).exit, 0);
  const auto doctor = json({"doctor", "--json"});
  EXPECT_EQ(doctor["ok"], true) << doctor.dump(1);
  for (const auto& check : doctor["checks"]) {
    EXPECT_FALSE(check["name"].get<std::string>().empty());
    EXPECT_TRUE(check["status"] == "ok" || check["remedy"] != "") << check;
  }
  world.set_environment("PATH", world.path_without("bwrap").string());
  const auto lacking = world.hydra({"doctor", "--json"});
  EXPECT_THAT(lacking.out, HasSubstr("bubblewrap is not installed"));
}

TEST_F(Verbs, DoctorFailsWhereNoRaceCouldStart) {
  world.project("");
  const auto none = world.hydra({"doctor"});
  EXPECT_EQ(none.exit, 3) << none.out;
  EXPECT_THAT(none.out, HasSubstr("no agent is installed and signed in"));
  EXPECT_THAT(none.out, Not(HasSubstr("This machine can race")));
  const auto listed = json({"doctor", "--json"}, 3);
  EXPECT_EQ(listed["ok"], false);
  EXPECT_THAT(listed.dump(), HasSubstr("agent claude")) << "also those that are not installed";
  world.write("hydra.toml", "[scoring\n");
  EXPECT_EQ(json({"doctor", "--json"}, 3)["ok"], false);
  EXPECT_THAT(world.hydra({"doctor"}).out, HasSubstr("hydra config check"));
}

TEST_F(Verbs, AProgramThatCannotBeRunIsNotCalledNotInstalled) {
  world.project("");
  const auto bin = world.root() / "bin";
  fs::create_directories(bin / "claude");
  std::ofstream(bin / "codex") << "#!/nowhere/node --x\n";
  std::ofstream(bin / "gemini") << "#!/usr/bin/env no-such-node\n";
  for (const char* name : {"codex", "gemini"}) fs::permissions(bin / name, fs::perms(0755));
  world.set_environment("PATH", bin.string() + ":" + world.environment().at("PATH"));
  const auto shown = world.hydra({"agents"});
  EXPECT_THAT(shown.out, HasSubstr("is a directory, not a program"));
  EXPECT_THAT(shown.out, HasSubstr("'/nowhere/node' does not exist"));
  EXPECT_THAT(shown.out, HasSubstr("'no-such-node' is not in PATH"));
  const auto doctor = world.hydra({"doctor"});
  EXPECT_THAT(doctor.out, HasSubstr("is a directory, not a program"));
  EXPECT_THAT(doctor.out, HasSubstr("its interpreter is missing: '/nowhere/node' does not exist"));
  EXPECT_THAT(doctor.out, HasSubstr("install the interpreter"));
}

TEST_F(Verbs, InitProposesWhatConfigCheckTakes) {
  world.init();
  world.write("package.json", R"({"name": "x", "scripts": {"test": "node test.js", "lint": "eslint ."}})");
  world.commit();
  const auto shown = world.hydra({"init", "--stdout"});
  EXPECT_EQ(shown.exit, 0);
  EXPECT_FALSE(fs::exists(world.repo() / "hydra.toml"));
  EXPECT_EQ(world.hydra({"init"}).exit, 0);
  EXPECT_EQ(world.read("hydra.toml"), shown.out);
  EXPECT_THAT(shown.out, HasSubstr("test"));
  EXPECT_EQ(world.hydra({"config", "check"}).exit, 0);
  EXPECT_EQ(world.hydra({"init"}).exit, 2);
  EXPECT_EQ(world.hydra({"init", "--force"}).exit, 0);
}

TEST_F(Verbs, CompletionIsShell) {
  const auto bash = world.hydra({"completion", "bash"});
  EXPECT_EQ(bash.exit, 0);
  EXPECT_EQ(Process({"/bin/bash", "-n"}, world.repo(), world.environment(), bash.out).wait().exit, 0);
  for (const char* shell : {"zsh", "fish"}) EXPECT_EQ(world.hydra({"completion", shell}).exit, 0);
  EXPECT_EQ(world.hydra({"completion", "cobol"}).exit, 2);
}

TEST_F(Verbs, CompletionKnowsRacesAndStartsNoDaemon) {
  EXPECT_EQ(world.hydra({"__complete", "diff", ""}).out, "");
  EXPECT_TRUE(world.daemons().empty());
  race();
  EXPECT_EQ(world.hydra({"__complete", "diff", "g"}).out, "good\n");
  const auto typed = [&](const std::string& words) {
    const auto script = world.hydra({"completion", "bash"}).out + "\nCOMP_WORDS=(" + words +
                        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _hydra " + word_of_binary("hydra") +
                        "; printf '%s,' \"${COMPREPLY[@]}\"";
    return Process({"/bin/bash"}, world.repo(), world.environment(), script).wait().out;
  };
  EXPECT_EQ(typed("hydra merge ''"), "good,bad,");
  EXPECT_EQ(typed("hydra config check --j"), "--json,");
  EXPECT_EQ(typed("hydra race --color = al"), "always,");
}

TEST_F(Verbs, ClosedOutputIsNoCrash) {
  race();
  // 141: ended by SIGPIPE, as any program whose reader has gone; 0: it was faster than the reader's end.
  const auto script = "{ " + word_of_binary("hydra") + " results; echo $? > status; } | true";
  const auto run = Process({"/bin/sh", "-c", script}, world.repo(), world.environment()).wait();
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(world.read("status"), AnyOf("141\n", "0\n"));
}

// Every refusal: exit 1, a reason, and nothing changed.
class Refusals : public Verbs {
 protected:
  void SetUp() override { race(); }
  void expect_refused(const std::string& words, const Words& more = {}) const {
    const auto before = world.fingerprint();
    Words args{"merge", "bad"};
    args.insert(args.end(), more.begin(), more.end());
    const auto run = world.hydra(args);
    EXPECT_EQ(run.exit, 1) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr("error: "));
    EXPECT_THAT(run.err, HasSubstr(words));
    const auto after = world.fingerprint();
    EXPECT_TRUE(after == before) << after.differs_from(before);
  }
};

TEST_F(Refusals, DirtyFileThatTheMergeWouldTouch) {
  world.write("src/app.txt", "one\ntwo\nthree\nmine\n");
  expect_refused("src/app.txt");
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\nmine\n");
}

TEST_F(Refusals, UntrackedFileInTheWay) {
  world.write("notes.txt", "mine\n");
  expect_refused("notes.txt");
  EXPECT_EQ(world.read("notes.txt"), "mine\n");
}

TEST_F(Refusals, IgnoredFileInTheWay) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  std::ofstream(world.repo() / ".git/info/exclude") << "notes.txt\n";
  world.write("notes.txt", "mine\n");
  expect_refused("notes.txt");
  EXPECT_EQ(world.read("notes.txt"), "mine\n");
}

TEST_F(Refusals, Conflict) {
  world.write("src/app.txt", "one\ntwo\nthree\nanother end\n");
  world.commit("meanwhile");
  expect_refused("src/app.txt");
}

TEST_F(Refusals, FastForwardOnlyOnAMovedBranch) {
  world.write("else.txt", "else\n");
  world.commit("meanwhile");
  expect_refused("", {"--ff-only"});
}

TEST_F(Refusals, OperationInProgress) {
  world.git({"checkout", "-q", "-b", "side", "HEAD"});
  world.write("src/app.txt", "side\n");
  world.commit("side");
  world.git({"checkout", "-q", "main"});
  world.write("src/app.txt", "main\n");
  world.commit("main");
  EXPECT_NE(world.try_git({"merge", "side"}).exit, 0);
  expect_refused("merge");
}

TEST_F(Refusals, IndexLockOfSomebodyElse) {
  std::ofstream(world.repo() / ".git/index.lock") << "";
  expect_refused("index.lock");
  EXPECT_TRUE(fs::exists(world.repo() / ".git/index.lock"));
  fs::remove(world.repo() / ".git/index.lock");
}

TEST_F(Refusals, UnknownBranch) {
  const auto before = world.fingerprint();
  EXPECT_EQ(world.hydra({"merge", "nobody"}).exit, 2);
  EXPECT_TRUE(world.fingerprint() == before);
}

TEST_F(Refusals, DryRunSaysWhatStandsInTheWay) {
  world.write("notes.txt", "mine\n");
  const auto before = world.fingerprint();
  const auto run = world.hydra({"merge", "bad", "--dry-run"});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.out + run.err, HasSubstr("notes.txt"));
  EXPECT_TRUE(world.fingerprint() == before);
}

// Larger than what is kept in memory, and with escapes: read through two temporary files.
TEST_F(Verbs, ParsesALargeLogInColours) {
  constexpr int kTests = 120'000;
  std::string log = "1.." + std::to_string(kTests) + "\r\n";
  for (int i = 1; i <= kTests; ++i)
    log += "\x1b[32mok\x1b[0m " + std::to_string(i) +
           " - a test with a name that is long enough to fill several megabytes\x1b[K\r\n";
  ASSERT_GT(log.size(), std::size_t{9} << 20);
  const auto run =
      world.hydra({"parse", "--exit-code", "0"}, {.input = log, .directory = {}, .environment = {}});
  EXPECT_EQ(run.exit, 0) << run.err;
  const auto r = Json::parse(run.out, nullptr, false);
  ASSERT_FALSE(r.is_discarded());
  EXPECT_EQ(r["format"], "tap");
  EXPECT_EQ(r["passed"], kTests);
  EXPECT_EQ(r["tests"].size(), static_cast<std::size_t>(kTests));
  EXPECT_EQ(r["tests"][0]["name"], "a test with a name that is long enough to fill several megabytes");
  EXPECT_EQ(r["suspicious"], Json::array());
}

TEST_F(Verbs, MergeWhenTheBranchMovedIsARealMerge) {
  race();
  world.write("else.txt", "else\n");
  const auto moved = world.commit("meanwhile");
  const auto run = world.hydra({"merge", "good", "-m", "Take it"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(world.git({"rev-parse", "HEAD^1"}), moved);
  EXPECT_EQ(agent_of(world.results(), "good")["commit"], world.git({"rev-parse", "HEAD^2"}));
  EXPECT_EQ(world.git({"log", "-1", "--format=%s"}), "Take it");
  EXPECT_EQ(world.git({"status", "--porcelain"}), "");
  // Once more changes nothing.
  const auto before = world.fingerprint();
  EXPECT_EQ(world.hydra({"merge", "good"}).exit, 0);
  EXPECT_TRUE(world.fingerprint() == before);
}

TEST_F(Verbs, MergeSquashed) {
  race();
  const auto head = world.git({"rev-parse", "HEAD"});
  const auto merged = world.hydra({"merge", "good", "--squash"});
  EXPECT_EQ(merged.exit, 0);
  EXPECT_THAT(merged.out, HasSubstr("Clean up: git branch -D hydra/good-")) << "-d would refuse";
  EXPECT_EQ(world.git({"rev-list", "--parents", "-1", "HEAD"}),
            world.git({"rev-parse", "HEAD"}) + " " + head);
  EXPECT_EQ(world.read("src/app.txt"), "one\ntwo\nthree\nfine\n");
}

}  // namespace
// The demo is what everybody tries first. Its tests are a script that runs the product, another script.
TEST_F(Verbs, TheDemoEndsAsItsTextSays) {
  const auto run = world.hydra({"demo"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("Neat Agent: tests: 1 fixed"));
  EXPECT_THAT(run.out, HasSubstr("Hasty Agent: tests: 1 fixed"));
  EXPECT_THAT(run.out, Not(HasSubstr("of the base instead")));
  EXPECT_THAT(run.out, HasSubstr("Winner: Neat Agent"));
}

}  // namespace hydra::e2e::HYDRA_FILE
