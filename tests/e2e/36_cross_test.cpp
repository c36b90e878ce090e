// Cross tests: each author's tests on every other result. Real runners, scripted agents, known cells; hostile
// tests, and a daemon that dies in the middle.
#include "support/machine.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Cells by author, result and test: "right half test_low (...)" is looked up by the begin of the test's
/// name.
class CrossMatrix {
 public:
  explicit CrossMatrix(const std::string& stream) {
    std::istringstream lines(stream);
    for (std::string line; std::getline(lines, line);) {
      const auto event = Json::parse(line, nullptr, false);
      if (!event.is_object()) continue;
      if (event.value("event", "") == "cross_tested") matrix = event["matrix"];
      if (event.value("event", "") == "cross_planned") plan = event["plan"];
    }
  }
  [[nodiscard]] std::string cell(const std::string& author, const std::string& result,
                                 const std::string& test) const {
    for (const auto& writer : matrix.value("authors", Json::array())) {
      if (writer["name"] != author) continue;
      for (std::size_t i = 0; i < writer["tests"].size(); ++i) {
        if (writer["tests"][i]["name"].get<std::string>().find(test) == std::string::npos) continue;
        for (const auto& row : matrix["rows"])
          if (row["author"] == author && row["result"] == result) return row["cells"][i];
        return "no row";
      }
      return "no test";
    }
    return "no author";
  }
  [[nodiscard]] std::string cells(const std::string& author, const std::string& test,
                                  const std::vector<std::string>& results) const {
    std::string text;
    for (const auto& result : results) text += (text.empty() ? "" : " ") + cell(author, result, test);
    return text;
  }
  [[nodiscard]] Json author(const std::string& name) const {
    for (const auto& writer : matrix.value("authors", Json::array()))
      if (writer["name"] == name) return writer;
    return Json::object();
  }
  Json matrix = Json::object(), plan = Json::object();
};

const std::string kRight =
    "printf 'def clamp(x, low, high):\\n    return max(low, min(x, high))\\n' > calc.py\n";
const std::string kHalf = "printf 'def clamp(x, low, high):\\n    return min(x, high)\\n' > calc.py\n";
const std::string kWrong = "printf 'def clamp(x, low, high):\\n    return x if x else low\\n' > calc.py\n";

// A test file of unittest: one method a line, "high:assertEqual(calc.clamp(9, 1, 3), 3)".
std::string unittest_file(const std::string& path, const std::vector<std::string>& methods,
                          const std::string& head = {}) {
  std::string text = "cat > " + path + " <<'EOF'\nimport unittest\nimport calc\n" + head +
                     "\nclass Test(unittest.TestCase):\n";
  for (const auto& method : methods) {
    const auto colon = method.find(':');
    text += "    def test_" + method.substr(0, colon) + "(self):\n        " + method.substr(colon + 1) + "\n";
  }
  return text + "EOF\n";
}
const std::string kHigh = "high:self.assertEqual(calc.clamp(9, 1, 3), 3)";
const std::string kLow = "low:self.assertEqual(calc.clamp(0, 1, 3), 1)";
const std::string kInside = "inside:self.assertEqual(calc.clamp(2, 1, 3), 2)";

class CrossTests : public ::testing::Test {
 protected:
  // calc.clamp of the base forgets both limits.
  void make(const std::string& agents, const std::string& more = {},
            const std::string& command = "python3 -m unittest discover -v -s tests -t .") {
    world.init();
    world.write("calc.py", "def clamp(x, low, high):\n    return x\n");
    world.write("tests/__init__.py", "");
    world.write("tests/test_calc.py",
                "import unittest\nimport calc\n\nclass Test(unittest.TestCase):\n    def test_inside(self):\n"
                "        self.assertEqual(calc.clamp(2, 1, 3), 2)\n");
    world.write(".gitignore", "__pycache__/\n");
    world.write("hydra.toml", "[scoring]\ntest_command = \"" + command + "\"\n" + more + agents);
    world.commit();
  }
  CrossMatrix race(const std::string& agents, const Words& more = {}) {
    Words args{"--json", "--agents", agents};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("task");
    HydraOptions options;
    options.deadline = std::chrono::minutes(3);
    const auto ran = world.race(args, options);
    stream = ran.out;
    text = ran.out + ran.err;
    return CrossMatrix(ran.out);
  }
  World world;
  std::string stream, text;
};

TEST_F(CrossTests, EachAuthorsTestsAreRunOnEveryOtherResult) {
  make(script_agent("right", kRight + unittest_file("tests/test_right.py", {kHigh, kLow, kInside})) +
       script_agent("half", kHalf + unittest_file("tests/test_half.py",
                                                  {"upper:self.assertEqual(calc.clamp(7, 0, 5), 5)"})) +
       script_agent("wrong", kWrong));
  const auto found = race("right,half,wrong");
  EXPECT_EQ(found.matrix["state"], "measured") << text;
  EXPECT_THAT(stream, HasSubstr("\"final\":false")) << "the first ranking";
  EXPECT_EQ(found.cells("right", "test_high", {"@baseline", "right", "half", "wrong"}), "fail pass pass fail")
      << text;
  EXPECT_EQ(found.cells("right", "test_low", {"@baseline", "right", "half", "wrong"}), "fail pass fail pass");
  EXPECT_EQ(found.cells("right", "test_inside", {"@baseline", "right", "half", "wrong"}),
            "pass pass pass pass");
  EXPECT_EQ(found.cells("half", "test_upper", {"@baseline", "right", "half", "wrong"}),
            "fail pass pass fail");
  EXPECT_EQ(world.results()["state"], "done");
}

TEST_F(CrossTests, ACollidingFileIsRunApartAndOldNamesAreNobodys) {
  make(script_agent("right", kRight + unittest_file("tests/test_calc.py", {kInside, kLow})) +
       script_agent("half", kHalf + unittest_file("tests/test_calc.py", {kInside, kHigh})));
  const auto found = race("right,half");
  EXPECT_EQ(found.cells("right", "test_low", {"@baseline", "right", "half"}), "fail pass fail") << text;
  EXPECT_EQ(found.cells("half", "test_high", {"@baseline", "right", "half"}), "fail pass pass");
  EXPECT_EQ(found.cell("right", "half", "test_inside"), "no test");
}

TEST_F(CrossTests, AResultWithoutTheInterfaceHasNoContact) {
  const std::string wide = "printf 'def wide(x):\\n    return x * 2\\n' >> calc.py\n";
  make(
      script_agent("right", kRight + wide +
                                unittest_file("tests/test_wide.py",
                                              {"wide:self.assertEqual(calc.wide(2), 4)", kLow})) +
      script_agent("half", kHalf) +
      script_agent("imports", kRight + wide +
                                  unittest_file("tests/test_named.py", {"named:self.assertEqual(wide(3), 6)"},
                                                "from calc import wide")));
  const auto found = race("right,half,imports");
  EXPECT_EQ(found.cells("right", "Test.test_wide", {"@baseline", "right", "half", "imports"}),
            "no_contact pass no_contact pass")
      << text;
  EXPECT_EQ(found.cells("right", "test_low", {"@baseline", "right", "half"}), "fail pass fail");
  EXPECT_EQ(found.cells("imports", "Test.test_named", {"@baseline", "imports", "half", "right"}),
            "no_contact pass no_contact pass");
}

TEST_F(CrossTests, HelpersAndDataTravelProductAndHooksDoNot) {
  const auto tests =
      "printf 'LIMIT = 3\\n' > tests/limits.py; echo 9 > tests/number.txt\n" +
      unittest_file(
          "tests/test_data.py",
          {"data:self.assertEqual(calc.clamp(int(open(\"tests/number.txt\").read()), 1, LIMIT), 3)"},
          "from tests.limits import LIMIT");
  make(script_agent("right", kRight + tests + "echo 'X = 1' > extra.py\n") + script_agent("wrong", kWrong));
  const auto found = race("right,wrong");
  EXPECT_EQ(found.cells("right", "test_data", {"@baseline", "right", "wrong"}), "fail pass fail") << text;
  const auto files = found.plan["authors"][0]["files"].dump();
  EXPECT_THAT(files, HasSubstr("tests/number.txt"));
  EXPECT_THAT(files, Not(HasSubstr("extra.py")));
}

// Everything that a test can see, printed: nothing of it names another agent, and on code of others not its
// author.
TEST_F(CrossTests, ATestDoesNotLearnWhoseCodeItRunsOn) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  const auto spy = unittest_file(
      "tests/test_spy.py",
      {kHigh,
       "spy:\n        import os, subprocess\n        print(dict(os.environ), os.getcwd(), flush=True)\n"
       "        for name in [\"mountinfo\", \"cgroup\", \"cmdline\"]:\n"
       "            print(open(\"/proc/self/\" + name).read(), flush=True)\n"
       "        print(open(\"/proc/1/cmdline\").read(), flush=True)\n"
       "        subprocess.run([\"sh\", \"-c\", \"git log --all --format=%an%s; git cat-file "
       "--batch-all-objects "
       "--batch; git status; cat .git/HEAD\"])\n"
       "        print(\"SPIED\", flush=True)"});
  make(script_agent("zebra", kRight + spy) + script_agent("walrus", kHalf));
  const auto found = race("zebra,walrus");
  EXPECT_EQ(found.cells("zebra", "test_high", {"@baseline", "zebra", "walrus"}), "fail pass pass") << text;
  int spied = 0;
  std::string all;
  for (const auto& row : found.matrix["rows"]) {
    const auto log = row["log"].get<std::string>();
    const auto begin = log.find('/') + 1;
    const auto subject = log.substr(begin, log.find("/tests/") - begin);
    const auto said = slurp(world.attempt(log.substr(0, log.find('/')), subject, "tests") / "stdout.log");
    all += said;
    if (said.find("SPIED") != std::string::npos) ++spied;
    if (subject != "zebra@own") {
      EXPECT_THAT(said, Not(HasSubstr("zebra")));
    }
    EXPECT_THAT(said, Not(HasSubstr("walrus")));
  }
  EXPECT_EQ(spied, 3);
  EXPECT_THAT(all, HasSubstr("work")) << "and git shows the history of the base";
}

// Acts of hostile tests stay in their own runs: the cells of others are as without them.
TEST_F(CrossTests, HostileTestsSpeakForNobodyElse) {
  const auto marked = [](const std::string& act) {
    return "mine:\n        if \"mine\" not in open(\"calc.py\").read():\n            " + act +
           "\n        self.assertEqual(calc.clamp(9, 1, 3), 3)";
  };
  const std::string mine = "printf '# mine\\n' >> calc.py\n";
  make(
      script_agent("right", kRight + unittest_file("tests/test_right.py", {kHigh, kLow})) +
          script_agent("hangs",
                       kRight + mine +
                           unittest_file("tests/test_hangs.py", {marked("import time; time.sleep(1000)")})) +
          script_agent("writes", kRight + mine + "printf '# two\\n' >> calc.py\n" +
                                     unittest_file("tests/test_writes.py",
                                                   {marked("open(\"calc.py\", \"w\").write(\"broken(\")")})) +
          script_agent(
              "forks",
              kRight + mine + "printf '# three\\n' >> calc.py\n" +
                  unittest_file("tests/test_forks.py",
                                {marked("import os; os.fork() or __import__(\"time\").sleep(1000)")})) +
          script_agent(
              "ends",
              kRight + mine + "printf '# four\\n' >> calc.py\n" +
                  unittest_file("tests/test_ends.py",
                                {marked("import os; print(\"Ran 1 test in 0.0s\\n\\nOK\", flush=True); "
                                        "os._exit(0)")})) +
          script_agent("wrong", kWrong),
      // A hostile test may use up the time of a loaded machine: the budget is not what this test is about.
      "timeout_per_check_seconds = 10\n[evaluation]\nbudget = 100\n");
  const auto found = race("right,hangs,writes,forks,ends,wrong");
  EXPECT_EQ(
      found.cells("right", "test_high", {"@baseline", "right", "hangs", "writes", "forks", "ends", "wrong"}),
      "fail pass pass pass pass pass fail")
      << text;
  EXPECT_EQ(found.cells("right", "test_low", {"hangs", "writes", "forks", "ends", "wrong"}),
            "pass pass pass pass pass");
  // As an assertion about the text would: the word of one author, whose test nobody else passes.
  for (const auto* name : {"hangs", "ends"})
    EXPECT_EQ(found.cell(name, "right", "test_mine"), "fail") << name;
  EXPECT_EQ(world.results()["state"], "done");
}

TEST_F(CrossTests, IdenticalTreesAndIdenticalTestsAreOne) {
  const auto same = kRight + unittest_file("tests/test_right.py", {kHigh});
  make(script_agent("one", same) + script_agent("two", same) +
       script_agent("three", kRight + "printf '# other\\n' >> calc.py\n" +
                                 unittest_file("tests/test_right.py", {kHigh})) +
       script_agent("wrong", kWrong));
  const auto found = race("one,two,three,wrong");
  ASSERT_EQ(found.matrix["authors"].size(), 1u) << text;
  EXPECT_EQ(found.matrix["authors"][0]["members"].size(), 2u);
  EXPECT_EQ(found.matrix["rows"].size(), 4u) << "the base, two trees of authors, one other";
}

TEST_F(CrossTests, WithoutNewTestsNothingIsMeasured) {
  make(script_agent("right", kRight) + script_agent("wrong", kWrong));
  const auto found = race("right,wrong");
  EXPECT_EQ(found.matrix.value("state", "not_measured"), "not_measured");
  EXPECT_EQ(world.results()["state"], "done") << text;
}

// --first ends where the checks have ended, and says no "first" beside the only ranking.
TEST_F(CrossTests, FirstMeansTheChecksAlone) {
  make(script_agent("right", kRight + unittest_file("tests/test_right.py", {kHigh})) +
       script_agent("wrong", kWrong));
  (void)race("right,wrong", {"--first"});
  EXPECT_THAT(stream, Not(HasSubstr("cross_planned")));
  EXPECT_THAT(stream, Not(HasSubstr("\"final\":false")));
  EXPECT_EQ(world.results()["final"], true) << text;
}

TEST_F(CrossTests, OffIsOff) {
  make(script_agent("right", kRight + unittest_file("tests/test_right.py", {kHigh})) +
           script_agent("wrong", kWrong),
       "[evaluation]\nbudget = 0\n");
  (void)race("right,wrong");
  EXPECT_THAT(stream, HasSubstr("race_ended"));
  EXPECT_THAT(stream, Not(HasSubstr("cross_planned")));
  EXPECT_THAT(stream, Not(HasSubstr("cross_tested")));
}

TEST_F(CrossTests, AreTakenFromTheCacheAnotherTime) {
  make(script_agent("right", kRight + unittest_file("tests/test_right.py", {kHigh})) +
       script_agent("wrong", kWrong));
  const auto first = race("right,wrong");
  const auto again = race("right,wrong");
  EXPECT_EQ(again.cells("right", "test_high", {"@baseline", "right", "wrong"}), "fail pass fail") << text;
  std::set<std::string> cached;
  std::istringstream lines(stream);
  for (std::string line; std::getline(lines, line);) {
    const auto event = Json::parse(line, nullptr, false);
    if (event.value("event", "") == "check_ended" && event["evidence"]["cached"].get<bool>())
      cached.insert(event["subject"].get<std::string>());
  }
  for (const auto& run : again.plan["runs"]) {
    const auto subject = run["subject"].get<std::string>();
    EXPECT_TRUE(subject == "right@own" || cached.contains(subject)) << run.dump();
  }
  EXPECT_EQ(again.plan["runs"].size(), 3U) << "on the base, its author's code and the other's";
}

TEST_F(CrossTests, GoOnAfterTheDaemonDied) {
  make(script_agent("right", kRight + unittest_file("tests/test_right.py", {kHigh, kLow})) +
       script_agent("half", kHalf + unittest_file("tests/test_half.py", {kHigh})) +
       script_agent("wrong", kWrong));
  const auto begun = world.hydra({"race", "--json", "--detach", "--agents", "right,half,wrong", "task"});
  const auto id = race_id(begun);
  auto watch = world.start({"watch", "--json", id});
  ASSERT_TRUE(watch->wait_line("\"event\":\"cross_planned\"")) << watch->out() << watch->err();
  world.kill_daemon();
  (void)watch->wait();
  const auto ended = world.hydra({"watch", "--json", id});
  const CrossMatrix found(ended.out);
  EXPECT_EQ(found.cells("right", "test_low", {"@baseline", "right", "half", "wrong"}), "fail pass fail pass")
      << ended.out << ended.err;
  EXPECT_EQ(found.cells("half", "test_high", {"@baseline", "right", "half", "wrong"}), "fail pass pass fail");
  EXPECT_EQ(world.results(id)["state"], "done");
}

TEST_F(CrossTests, ATesterWritesTestsThatAllResultsAreRunAgainst) {
  make(script_agent("right", kRight) + script_agent("half", kHalf) +
       script_agent("writer", "printf '%s' \"$1\" > asked.txt\nprintf 'broken(' > calc.py\n" +
                                  unittest_file("tests/test_task.py", {kHigh, kLow})));
  const auto found = race("right,half", {"--testers", "writer"});
  EXPECT_EQ(found.author("writer-tests").value("kind", ""), "tester") << text;
  EXPECT_EQ(found.cells("writer-tests", "test_low", {"@baseline", "right", "half"}), "fail pass fail");
  const auto results = world.results();
  EXPECT_EQ(results["agents"].size(), 2u) << "a tester is no candidate";
  ASSERT_EQ(results["testers"].size(), 1u);
  EXPECT_THAT(world.show(results["testers"][0]["branch"], "asked.txt"),
              HasSubstr("Write tests for the task"));
  EXPECT_THAT(world.show(results["testers"][0]["branch"], "asked.txt"), HasSubstr("task"));
}

TEST_F(CrossTests, AFurtherRoundTellsAgentsWhatTheirResultsFail) {
  make(script_agent("right", kRight + unittest_file("tests/test_right.py", {kHigh, kLow})) +
       script_agent("half", "case \"$1\" in *falls\\ short*) printf \"%s\" \"$1\" > told.txt\n" + kRight +
                                ";; *)\n" + kHalf + ";; esac\n"));
  (void)race("right,half", {"--rounds", "2"});
  const auto results = world.results();
  const auto half = agent_of(results, "half");
  EXPECT_EQ(half["attempt"], 2) << text;
  EXPECT_EQ(agent_of(results, "right")["attempt"], 1) << "it fell short of nothing";
  const auto told = world.show(half["branch"], "told.txt");
  EXPECT_THAT(told, HasSubstr("test_low"));
  EXPECT_THAT(told, Not(HasSubstr("test_high")));
  EXPECT_THAT(told, Not(HasSubstr("assertEqual"))) << "names, not tests";
  EXPECT_NE(half["earlier_attempts"][0]["branch"], "") << "all work is kept";
}

TEST_F(CrossTests, NodeTestsAreRunByFile) {
  HYDRA_NEEDS("node");
  world.init();
  world.write("calc.mjs", "export const clamp = (x, low, high) => x;\n");
  world.write("test/calc.test.mjs",
              "import test from 'node:test';\nimport assert from 'node:assert';\nimport { clamp } from "
              "'../calc.mjs';\ntest('inside', () => assert.equal(clamp(2, 1, 3), 2));\n");
  const auto file = [](const std::string& name, const std::string& import, const std::string& tests) {
    return "cat > test/" + name +
           ".test.mjs <<\"EOF\"\nimport test from \"node:test\";\nimport assert from "
           "\"node:assert\";\nimport " +
           import + " from \"../calc.mjs\";\n" + tests + "\nEOF\n";
  };
  const std::string right =
      "echo \"export const clamp = (x, low, high) => Math.max(low, Math.min(x, high));\" > calc.mjs\n";
  world.write(
      "hydra.toml",
      "[scoring]\ntest_command = \"npm test\"\n" +
          script_agent("right", right + file("right", "{ clamp }",
                                             "test(\"low\", () => assert.equal(clamp(0, 1, 3), 1));\n"
                                             "test(\"high\", () => assert.equal(clamp(9, 1, 3), 3));")) +
          script_agent("half",
                       "echo \"export const clamp = (x, low, high) => Math.min(x, high);\" > calc.mjs\n") +
          script_agent("wide",
                       right + "echo \"export const wide = (x) => x * 2;\" >> calc.mjs\n" +
                           file("wide", "{ wide }", "test(\"wide\", () => assert.equal(wide(2), 4));") +
                           file("all", "* as calc", "test(\"all\", () => assert.equal(calc.wide(2), 4));")));
  world.write("package.json", "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --test\"}}\n");
  world.commit();
  const auto found = race("right,half,wide");
  EXPECT_EQ(found.cells("right", "low", {"@baseline", "right", "half", "wide"}), "fail pass fail pass")
      << text;
  EXPECT_EQ(found.cells("right", "high", {"@baseline", "right", "half", "wide"}), "fail pass pass pass");
  EXPECT_EQ(found.cells("wide", "wide", {"@baseline", "wide", "half", "right"}),
            "no_contact pass no_contact no_contact");
  EXPECT_EQ(found.cells("wide", "all", {"@baseline", "wide", "half", "right"}),
            "no_contact pass no_contact no_contact");
}

// Compiled languages: an author's file that does not compile is no failure of anybody's.
TEST_F(CrossTests, CargoBuildsEachAuthorsFilesApart) {
  HYDRA_NEEDS("cargo", "cc");
  const fs::path home = std::getenv("HOME");
  world.set_environment("PATH", std::getenv("PATH"));
  if (fs::exists(home / ".rustup")) world.set_environment("RUSTUP_HOME", (home / ".rustup").string());
  world.init();
  world.write("Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
  world.write("Cargo.lock", "version = 3\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n");
  world.write(".gitignore", "target/\n");
  world.write("src/lib.rs", "pub fn clamp(x: i32, _low: i32, _high: i32) -> i32 { x }\n");
  world.write("tests/base.rs", "#[test]\nfn inside() { assert_eq!(calc::clamp(2, 1, 3), 2); }\n");
  const std::string right =
      "echo \"pub fn clamp(x: i32, low: i32, high: i32) -> i32 { x.max(low).min(high) }\" > src/lib.rs\n";
  world.write(
      "hydra.toml",
      "[scoring]\ntest_command = \"cargo test --offline\"\n" +
          script_agent(
              "right",
              right +
                  "echo \"#[test] fn low() { assert_eq!(calc::clamp(0, 1, 3), 1); }\" > tests/right.rs\n") +
          script_agent("wide",
                       right + "echo \"pub fn wide(x: i32) -> i32 { x * 2 }\" >> src/lib.rs\n" +
                           "echo \"#[test] fn wide() { assert_eq!(calc::wide(2), 4); }\" > tests/wide.rs\n") +
          script_agent(
              "half",
              "echo \"pub fn clamp(x: i32, _low: i32, high: i32) -> i32 { x.min(high) }\" > src/lib.rs\n"));
  world.commit();
  const auto found = race("right,wide,half");
  EXPECT_EQ(found.cells("right", "low", {"@baseline", "right", "wide", "half"}), "fail pass pass fail")
      << text;
  EXPECT_EQ(found.cells("wide", "wide", {"@baseline", "wide", "right", "half"}),
            "no_contact pass no_contact no_contact");
}

// CTest knows no files: the whole command runs, and only names that are the author's count.
TEST_F(CrossTests, CTestRunsAsAWholeAndTellsNames) {
  HYDRA_NEEDS("cmake", "ctest", "cc");
  world.set_environment("PATH", std::getenv("PATH"));
  world.init();
  world.write(
      "CMakeLists.txt",
      "cmake_minimum_required(VERSION 3.10)\nproject(calc C)\nenable_testing()\nadd_library(calc calc.c)\n"
      "file(GLOB tests CONFIGURE_DEPENDS tests/*_test.c)\nforeach(source ${tests})\n"
      "  get_filename_component(name ${source} NAME_WE)\n  add_executable(${name} ${source})\n"
      "  target_link_libraries(${name} calc)\n  add_test(NAME ${name} COMMAND ${name})\nendforeach()\n");
  world.write("calc.c", "int clamp(int x, int low, int high) { (void)low; (void)high; return x; }\n");
  world.write("tests/base_test.c",
              "int clamp(int, int, int);\nint main(void) { return clamp(2, 1, 3) != 2; }\n");
  world.write(".gitignore", "build/\n");
  const auto tests = [](const std::string& name, const std::string& what) {
    return "echo \"int clamp(int, int, int); int main(void) { return " + what + "; }\" > tests/" + name +
           "_test.c\n";
  };
  world.write(
      "hydra.toml",
      "[scoring]\nbuild_command = \"cmake -S . -B build && cmake --build build\"\n"
      "test_command = \"ctest --test-dir build\"\n" +
          script_agent("right",
                       "echo \"int clamp(int x, int low, int high) { return x < low ? low : x > high ? "
                       "high : x; }\" > calc.c\n" +
                           tests("low", "clamp(0, 1, 3) != 1")) +
          script_agent("half",
                       "echo \"int clamp(int x, int low, int high) { (void)low; return x > high ? high : "
                       "x; }\" > calc.c\n" +
                           tests("high", "clamp(9, 1, 3) != 3")));
  world.commit();
  const auto found = race("right,half");
  EXPECT_EQ(found.cells("right", "low_test", {"@baseline", "right", "half"}), "fail pass fail") << text;
  EXPECT_EQ(found.cells("half", "high_test", {"@baseline", "half", "right"}), "fail pass pass");
  EXPECT_EQ(found.cell("right", "half", "base_test"), "no test");
  EXPECT_EQ(found.cell("right", "half", "high_test"), "no test")
      << "what the other result brought is its own";
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
