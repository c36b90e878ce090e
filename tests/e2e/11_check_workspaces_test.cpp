// Check workspaces with real tools: warm build results never decide for a candidate that is broken. The
// candidates are those that fooled naive set-ups: old mtimes, deleted files, forced files in ignored
// directories.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <unistd.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

class Workspaces : public ::testing::Test {
 protected:
  World world;

  void commit_project(const std::map<std::string, std::string>& files, const std::string& config,
                      const std::string& agents) const {
    world.init();
    for (const auto& [path, text] : files) world.write(path, text);
    world.write("hydra.toml", config + agents);
    world.commit();
  }
  [[nodiscard]] Json race(const std::string& names) const {
    const auto run = world.race({"--agents", names, "task"});
    auto results = world.results();
    EXPECT_EQ(results["state"], "done") << run.out << run.err;
    return results;
  }
  void expect_passed(const Json& results, const std::string& name) const {
    const auto agent = agent_of(results, name);
    EXPECT_EQ(agent["dimensions"]["build"]["points"], 100.0) << agent.dump(1);
    EXPECT_EQ(agent["dimensions"]["tests"]["detail"]["exit_code"], 0)
        << slurp(world.attempt(results["race"], name, "tests") / "stdout.log");
    EXPECT_TRUE(agent["eligible"]) << agent.dump(1);
  }
  // The build or the tests show it.
  static void expect_failed(const Json& results, const std::string& name) {
    const auto agent = agent_of(results, name);
    const auto& build = agent["dimensions"]["build"]["detail"]["exit_code"];
    const auto& tests = agent["dimensions"]["tests"]["detail"];
    EXPECT_TRUE(build != 0 || (tests.contains("exit_code") && tests["exit_code"] != 0)) << agent.dump(1);
  }
  static Json workspace(const Json& results, const std::string& name) {
    return agent_of(results, name)["workspace"];
  }
};

const std::map<std::string, std::string> kMake{
    {".gitignore", "out/\n"},
    {"Makefile",
     "out/test: out/test.o out/lib.a\n\tg++ -o $@ out/test.o out/lib.a\n"
     "out/lib.a: out/f.o out/g.o\n\tar rc $@ $^\n"
     "out/%.o: %.cpp\n\t@mkdir -p out\n\tg++ -c -o $@ $<\n"
     "check: out/test\n\tout/test\n"},
    {"test.cpp", "int f();\nint g();\nint main() { return f() == 1 && g() == 2 ? 0 : 1; }\n"},
    {"f.cpp", "int f() { return 1; }\n"},
    {"g.cpp", "int g() { return 2; }\n"}};

constexpr const char* kMakeConfig =
    "[scoring]\nbuild_command = \"make out/test\"\ntest_command = \"make check\"\n[workspace]\noutputs = "
    "[\"out\"]\n";

TEST_F(Workspaces, MakeSeesWhatACandidateChanges) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  ASSERT_TRUE(machine::has_program("make"));
  commit_project(kMake, kMakeConfig,
                 script_agent("honest", "echo 'int more() { return 1; }' >> f.cpp") +
                     script_agent("broken", "echo 'int f() { return 7; }' > f.cpp") +
                     // As old as nothing that was built: a build that believes it has nothing to do.
                     script_agent("old", "echo 'int f() { return 7; }' > f.cpp; touch -d 2001-01-01 f.cpp") +
                     // The archive of the base still has its member.
                     script_agent("deleted", "rm g.cpp; sed -i 's, out/g.o,,' Makefile"));
  const auto results = race("honest,broken,old,deleted");
  expect_passed(results, "honest");
  for (const char* name : {"broken", "old", "deleted"}) expect_failed(results, name);
  EXPECT_EQ(workspace(results, "honest")["warm"], true);
  EXPECT_EQ(workspace(results, "deleted")["warm"], false);
}

TEST_F(Workspaces, CMakeCandidatesEachGetTheirOwnVerdict) {
  ASSERT_TRUE(machine::has_program("cmake") && machine::has_program("ninja"));
  commit_project(
      {{".gitignore", "build/\n"},
       {"CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(p CXX)\nenable_testing()\n"
        "file(GLOB units CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/*.cpp)\nadd_executable(t ${units})\n"
        "add_test(NAME t COMMAND t)\n"},
       {"t.cpp", "int f();\nint main() { return f() == 1 ? 0 : 1; }\n"},
       {"f.cpp", "#include \"f.h\"\nint f() { return kF; }\n"},
       {"f.h", "constexpr int kF = 1;\n"}},
      "[scoring]\nbuild_command = \"cmake --build build\"\n"
      "test_command = \"ctest --test-dir build --output-on-failure\"\n"
      "[workspace]\nsetup = \"cmake -S . -B build -G Ninja\"\noutputs = [\"build\"]\n"
      "[limits]\nchecks = 4\n",  // all of them at once, whatever the machine has
      script_agent("honest", "echo 'int more() { return 1; }' >> f.cpp") +
          script_agent("header", "echo 'constexpr int kF = 3;' > f.h") +
          script_agent("old", "echo 'constexpr int kF = 4;' > f.h; touch -d 2001-01-01 f.h") +
          script_agent("added", "echo 'int unused() { return 1; }' > new.cpp"));
  const auto results = race("honest,header,old,added");
  expect_passed(results, "honest");
  expect_passed(results, "added");
  expect_failed(results, "header");
  expect_failed(results, "old");
}

// On a file from the future ninja builds for ever, and make warns; also right after the template was made.
TEST_F(Workspaces, NoChangeIsFromTheFuture) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  commit_project({{".gitignore", "out/\n"}, {"src/a", "one\n"}},
                 "[scoring]\nbuild_command = \"mkdir -p out && touch out/now && find src -newer out/now\"\n"
                 "[workspace]\noutputs = [\"out\"]\n[race]\npreflight = \"never\"\n",
                 script_agent("quick", "echo two > src/a"));
  const auto results = race("quick");
  EXPECT_TRUE(workspace(results, "quick")["warm"]) << results.dump(1);
  EXPECT_EQ(slurp(world.attempt(results["race"], "quick", "build") / "stdout.log"), "");
}

// A compiler's cache in the home is warm for every result; what lies in the tree and no `outputs` name is
// not.
TEST_F(Workspaces, WarmNeedsNoOutputs) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  commit_project({{"a", "one\n"}},
                 "[scoring]\nbuild_command = \"true\"\ntest_command = \"cat ~/warmed && test ! -e left\"\n"
                 "[workspace]\nwarm = \"echo yes > ~/warmed; echo no > left\"\n",
                 script_agent("quick", "echo two > a"));
  const auto results = race("quick");
  expect_passed(results, "quick");
  EXPECT_FALSE(workspace(results, "quick")["warm"]);
}

// Byte code of the base, a second old and of the same size, is not taken for the candidate's source.
TEST_F(Workspaces, PythonNeverRunsTheBasesByteCode) {
  commit_project(
      {{".gitignore", "__pycache__/\n*.pyc\n"},
       {"app/__init__.py", ""},
       {"app/value.py", "VALUE = 1\n"},
       {"tests/__init__.py", ""},
       {"tests/test_value.py",
        "import unittest\nfrom app.value import VALUE\n\n\nclass T(unittest.TestCase):\n"
        "    def test_value(self):\n        self.assertEqual(VALUE, 1)\n"}},
      "[scoring]\nbuild_command = \"python3 -m compileall -q app\"\n"
      "test_command = \"python3 -m unittest discover -s tests -t . -v\"\n"
      "[workspace]\noutputs = [\"dist\"]\nwarm = \"python3 -c 'import app.value'\"\n",
      script_agent("honest", "echo 'NOTHING = 0' >> app/value.py") +
          script_agent("same-size",
                       "echo 'VALUE = 7' > app/value.py; touch -r app/__init__.py app/value.py") +
          // Unchecked byte code, forced into git past the ignore rules, beside a source that is broken.
          script_agent("forced",
                       "echo 'VALUE = 1' > v.py; mkdir app/__pycache__; python3 -c \"import py_compile; "
                       "py_compile.compile('v.py', cfile=__import__('importlib.util').util."
                       "cache_from_source('app/value.py'), "
                       "invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)\"; rm v.py; "
                       "echo 'VALUE = 9' > app/value.py; git add -f app/__pycache__ app"));
  const auto results = race("honest,same-size,forced");
  expect_passed(results, "honest");
  expect_failed(results, "same-size");
  expect_failed(results, "forced");
}

// Byte code that the base's tests made of installed modules is kept for later tests, none of the tree itself
// is, and a result's own reaches no other result; whatever PYTHONDONTWRITEBYTECODE the user has.
TEST_F(Workspaces, PythonCompilesWhatIsInstalledOnce) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  commit_project(
      {{"value.py", "VALUE = 1\n"},
       {"t.py",
        "import importlib.util as u, os, sys\n\n\ndef known(name):\n"
        "    return os.path.exists(u.cache_from_source(u.find_spec(name).origin))\n\n\n"
        "print(known('colorsys'), known('calendar'), known('value'))\n"
        "import colorsys, value\n"}},
      "[scoring]\nbuild_command = \"true\"\ntest_command = \"/usr/bin/python3 t.py\"\n[limits]\nchecks = 1\n",
      script_agent("first", "echo 'import calendar' >> value.py") +
          script_agent("second", "echo 'OTHER = 2' >> value.py"));
  const auto results = race("first,second");
  for (const auto* name : {"first", "second"})
    EXPECT_EQ(slurp(world.attempt(results["race"], name, "tests") / "stdout.log"), "True False False\n");
}

TEST_F(Workspaces, SharedDirectoriesAreTheUsersAndNobodyElses) {
  commit_project(
      {{".gitignore", "deps/\n"}, {"src/a", "one\n"}},
      "[scoring]\nbuild_command = \"cat deps/tool\"\n"
      "test_command = \"grep -qx right deps/tool && echo changed > deps/tool\"\n"
      "[workspace]\nshare = [\"deps\"]\n",
      script_agent("honest", "echo two > src/a") +
          script_agent("forger",
                       "mkdir -p deps; echo forged > deps/tool; git add -f deps/tool; echo x > src/a"));
  world.write("deps/tool", "right\n");
  const auto results = race("honest,forger");
  expect_passed(results, "honest");
  // The forger changed a layer that is a part of no result.
  expect_passed(results, "forger");
  const auto branch = agent_of(results, "forger")["branch"].get<std::string>();
  EXPECT_EQ(world.show(branch, "deps/tool"), "");
  EXPECT_EQ(slurp(world.repo() / "deps/tool"), "right\n");
}

TEST_F(Workspaces, SharedPathsThatCantBeSharedStopTheRace) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  struct Case {
    const char* share;
    const char* words;
  };
  world.init();
  world.write("src/a", "one\n");
  world.write("elsewhere/x", "x");
  fs::create_directory_symlink("elsewhere", world.repo() / "link");
  for (const auto& [share, words] : {Case{"absent", "does not exist"}, Case{"link", "symbolic link"}}) {
    world.write("hydra.toml", "[scoring]\nbuild_command = \"true\"\n[workspace]\nshare = [\"" +
                                  std::string(share) + "\"]\n" + script_agent("good", "echo two > src/a"));
    world.commit();
    const auto run = world.race({"--agents", "good", "task"});
    EXPECT_EQ(run.exit, 1) << run.out;
    EXPECT_THAT(run.out, HasSubstr(words));
    EXPECT_FALSE(fs::exists(world.attempt(world.results()["race"], "good", "agent")));
  }
}

// A second race on the same base starts from the template of the first.
TEST_F(Workspaces, TemplatesOutliveTheirRace) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  ASSERT_TRUE(machine::has_program("make"));
  commit_project(kMake, kMakeConfig, script_agent("honest", "echo 'int more() { return 1; }' >> f.cpp"));
  EXPECT_EQ(race("honest")["baseline"]["template"]["cached"], false);
  const auto run = world.race({"--agents", "honest", "--fresh-baseline", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto second = world.results();
  EXPECT_EQ(second["baseline"]["template"]["cached"], true);
  EXPECT_EQ(second["baseline"]["cached"], false);
  expect_passed(second, "honest");

  // Shown first, gone on demand, made again.
  const auto templates = [&] { return Json::parse(world.hydra({"clean", "--json"}).out)["templates"]; };
  EXPECT_EQ(templates().size(), 1u);
  EXPECT_EQ(world.hydra({"clean", "--yes"}).exit, 0);
  EXPECT_EQ(templates().size(), 0u);
  const auto again = world.race({"--agents", "honest", "--fresh-baseline", "task"});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
  EXPECT_EQ(world.results()["baseline"]["template"]["cached"], false);
}

// The commits between two bases decide whether set-up and build of the first serve the second.
class NextBase : public Workspaces {
 protected:
  const std::string config = std::string(kMakeConfig) + "setup = \"mkdir deps && cp version deps\"\n" +
                             script_agent("honest", "echo 'int more() { return 1; }' >> g.cpp") +
                             script_agent("broken", "echo 'int g() { return 7; }' > g.cpp");

  void SetUp() override {
    auto files = kMake;
    files[".gitignore"] = "out/\ndeps/\n";
    files["version"] = "1\n";
    files["package.json"] = "{}\n";
    files["notes/one.md"] = "one\n";
    commit_project(files, config, "");
    expect_passed(race("honest"), "honest");
  }
  struct Begun {
    bool set_up = false;
    std::string built;  ///< output of the template's build
  };
  [[nodiscard]] Begun begun(const Json& results) const {
    const auto of = [&](const char* step) { return world.attempt(results["race"], "baseline", step); };
    return {fs::exists(of("setup")), slurp(of("template") / "stdout.log")};
  }
};

TEST_F(NextBase, OfChangedSourcesTakesOverSetUpAndBuild) {
  HYDRA_NEEDS("make", machine::Ability::sandbox, machine::Ability::overlays);
  world.write("f.cpp", "int f() { return 1; }\nint other() { return 2; }\n");
  world.write("notes/one.md", "two\n");
  world.commit();
  const auto results = race("honest,broken");
  EXPECT_EQ(results["baseline"]["template"]["cached"], false);
  expect_passed(results, "honest");
  expect_failed(results, "broken");
  const auto [set_up, built] = begun(results);
  EXPECT_FALSE(set_up);
  EXPECT_THAT(built, HasSubstr("f.cpp"));
  EXPECT_THAT(built, ::testing::Not(HasSubstr("g.cpp")));
}

TEST_F(NextBase, OfAManifestOrADeletedSourceBeginsFromNothing) {
  HYDRA_NEEDS("make", machine::Ability::sandbox);
  world.write("package.json", "{ }\n");
  world.commit();
  auto [set_up, built] = begun(race("honest"));
  EXPECT_TRUE(set_up);
  EXPECT_THAT(built, HasSubstr("g.cpp"));
  world.write("h.cpp", "int h();\n");
  world.commit();
  EXPECT_FALSE(begun(race("honest")).set_up);
  fs::remove(world.repo() / "h.cpp");
  world.write("notes/one.md", "two\n");
  world.commit();
  EXPECT_TRUE(begun(race("honest")).set_up);
}

TEST_F(NextBase, WhoseBuildFailsOverTheLastBeginsFromNothing) {
  HYDRA_NEEDS("make", machine::Ability::sandbox);
  world.write("build.sh",
              "mkdir -p out\ntest ! -e out/version || cmp version out/version || exit\ncp version out\n");
  world.write("test.sh", "cmp version out/version\n");
  world.write("hydra.toml",
              "[scoring]\nbuild_command = \"sh build.sh\"\ntest_command = \"sh test.sh\"\n"
              "[workspace]\noutputs = [\"out\"]\n" +
                  script_agent("honest", "echo 'int more() { return 1; }' >> g.cpp"));
  world.commit();
  expect_passed(race("honest"), "honest");
  world.write("version", "2\n");
  world.commit();
  const auto results = race("honest");
  expect_passed(results, "honest");
  EXPECT_EQ(results["baseline"]["build"]["status"], "passed");
  EXPECT_TRUE(fs::exists(world.attempt(results["race"], "baseline", "template", 2)));
}

// A test that the winner's incremental build still passes and one from nothing does not: never merged unseen.
TEST_F(Workspaces, AWinnerIsConfirmedColdBeforeAnAutomaticMerge) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  ASSERT_TRUE(machine::has_program("make"));
  commit_project(kMake, std::string(kMakeConfig) + "[merge]\nauto = true\nauto_merge_evidence = \"any\"\n",
                 script_agent("honest", "echo 'int more() { return 1; }' >> f.cpp"));
  world.tolerate(".cpp");
  const auto run = world.hydra({"race", "--agents", "honest", "task"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  const auto results = world.results();
  EXPECT_TRUE(results["auto_merged"]) << run.out;
  EXPECT_TRUE(fs::exists(world.attempt(results["race"], "honest@cold", "tests")));
}

// Build results of the base that a candidate's own build would not give: the incremental run passes, the cold
// one does not, and nothing is merged.
TEST_F(Workspaces, AWinnerThatOnlyWarmResultsCarryIsNotMerged) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  ASSERT_TRUE(machine::has_program("make"));
  commit_project({{".gitignore", "out/\n"},
                  {"wanted", "yes\n"},
                  {"Makefile",
                   "out/once:\n\t@mkdir -p out\n\t@grep -q yes wanted\n\t@touch out/once\n"
                   "check:\n\ttest -e out/once\n"}},
                 "[scoring]\nbuild_command = \"make out/once\"\ntest_command = \"make check\"\n"
                 "[workspace]\noutputs = [\"out\"]\n[merge]\nauto = true\nauto_merge_evidence = \"any\"\n",
                 script_agent("stale", "echo no > wanted"));
  const auto run = world.race({"--agents", "stale", "task"});
  const auto results = world.results();
  EXPECT_FALSE(results["auto_merged"]) << run.out;
  EXPECT_THAT(results["auto_merge_refused"].get<std::string>(), HasSubstr("from nothing"));
}

// A check to which the kernel refuses something in an overlay of a user namespace is run again in a copy, for
// everybody and for later races.
TEST_F(Workspaces, RenamesThatOverlaysRefuseRunInACopy) {
  HYDRA_NEEDS("make", machine::Ability::sandbox, machine::Ability::overlays);
  commit_project(
      kMake,
      "[scoring]\nbuild_command = \"make out/test\"\ntest_command = \"case $(stat -f -c %T .) in overlay*) "
      "echo 'rename: Invalid cross-device link'; exit 1;; esac; make check\"\n"
      "[workspace]\noutputs = [\"out\"]\n",
      script_agent("honest", "echo 'int more() { return 1; }' >> f.cpp") +
          script_agent("broken", "echo 'int f() { return 7; }' > f.cpp"));
  const auto results = race("honest,broken");
  expect_passed(results, "honest");
  expect_failed(results, "broken");
  EXPECT_EQ(workspace(results, "honest")["tree"], "copy");
  EXPECT_EQ(results["baseline"]["tests"]["status"], "passed");
}

// Beside another check even a good one may take too long; also where the other one began later.
TEST_F(Workspaces, ACheckThatTimedOutBesideOthersIsRunOnceMoreAlone) {
  Gate gate(world.outside() / "gate");
  commit_project(
      {{"src/a", "quick\n"}},
      "[scoring]\nbuild_command = \"true\"\ntest_command = \"grep -q quick src/a || test -e tried || { "
      "touch tried; sleep 1000; }\"\ntimeout_per_check_seconds = 15\n[limits]\nchecks = 2\n"
      "[sandbox]\nwrite = [\"" +
          world.outside().string() + "\"]\n",
      script_agent("slow", "echo slow > src/a") +
          script_agent("other", gate.script() + "\necho 'quick too' > src/a"));
  const auto started = world.hydra({"race", "--agents", "slow,other", "--detach", "--json", "task"});
  ASSERT_EQ(started.exit, 0) << started.err;
  const auto race = race_id(started);
  ASSERT_TRUE(gate.arrived());
  const auto until = std::chrono::steady_clock::now() + kDeadline;
  const auto runs = [&] { return fs::exists(world.attempt(race, "slow", "tests") / "started.json"); };
  while (!runs() && std::chrono::steady_clock::now() < until) ::usleep(10'000);
  ASSERT_TRUE(runs());
  gate.open();
  const auto watched = world.hydra({"watch", race});
  EXPECT_EQ(watched.exit, 0) << watched.out << watched.err;
  const auto results = world.results(race);
  expect_passed(results, "slow");
  expect_passed(results, "other");
  EXPECT_TRUE(fs::exists(world.attempt(race, "slow", "tests", 2)));
  EXPECT_FALSE(fs::exists(world.attempt(race, "other", "tests", 2)));
}

TEST_F(Workspaces, CheckShowsTheBaselineWithoutAgents) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  ASSERT_TRUE(machine::has_program("make"));
  commit_project(kMake, kMakeConfig, "");
  const auto run = world.hydra({"check"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("Ready"));
  EXPECT_THAT(run.out, HasSubstr("from nothing"));
  EXPECT_TRUE(world.list()["races"].empty());

  world.write("test.cpp", "int main() { return 1; }\n");
  world.commit();
  const auto failing = world.hydra({"check"});
  EXPECT_EQ(failing.exit, 1) << failing.out;
  EXPECT_THAT(failing.out, HasSubstr("/baseline --kind tests"));
}

TEST_F(Workspaces, TheLogOfABaselineThatWasTakenFromTheCacheIsThere) {
  commit_project({}, "[scoring]\nbuild_command = \"echo built\"\n", "[agents.idle]\ncommand = [\"true\"]\n");
  (void)race("idle");
  EXPECT_EQ(race("idle")["baseline"]["cached"], true);
  EXPECT_THAT(world.hydra({"logs", "baseline", "--kind", "build"}).out, HasSubstr("built"));
  // The agent left the base unchanged: its checks are the baseline's.
  EXPECT_THAT(world.hydra({"logs", "idle", "--kind", "build"}).out, HasSubstr("built"));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
