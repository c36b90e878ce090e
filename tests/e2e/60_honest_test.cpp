// Honest work keeps its points, a person decides once and cheaply, and an agent finds no answers
// (docs/integrity.md). Real runners; one that is not on this machine skips its tests.
#include "honest.hpp"
#include "support/machine.hpp"

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPytest =
    "[scoring]\ntest_command = \"/usr/bin/python3 -m pytest -v -p no:cacheprovider "
    "--junitxml=$HYDRA_REPORTS/junit.xml\"\ntest_reports = [\"{reports}/junit.xml\"]\n";
constexpr const char* kFixPython = "sed -i 's/w + h/w * h/' shop/area.py; ";

Sources python_shop() {
  return {
      {"pytest.ini", "[pytest]\npythonpath = .\n"},
      {".gitignore", "__pycache__/\n"},
      {"shop/__init__.py", ""},
      {"shop/area.py", "def area(w, h):\n    return w + h\n"},
      {"shop/legacy.py", "def old():\n    return 1\n"},
      {"tests/test_area.py",
       "from shop.area import area\n\n\ndef test_area():\n    assert area(3, 4) == 12\n\n\ndef "
       "test_zero():\n    assert area(0, 0) == 0\n"},
      {"tests/test_legacy.py", "from shop.legacy import old\n\n\ndef test_old():\n    assert old() == 1\n"}};
}

const std::vector<Honest>& python_changes() {
  static const std::vector<Honest> changes{
      {"fix", kFixPython, 0},
      {"moves-sources",
       std::string(kFixPython) + "git mv shop store; sed -i 's/from shop/from store/' tests/*.py", 3},
      {"moves-one",
       std::string(kFixPython) + "git mv shop/legacy.py shop/past.py; sed -i 's/shop.legacy/shop.past/' "
                                 "tests/test_legacy.py",
       3},
      {"removes-feature", std::string(kFixPython) + "git rm -q shop/legacy.py tests/test_legacy.py", 2},
      {"renames-test", std::string(kFixPython) + "git mv tests/test_legacy.py tests/test_past.py", 0},
      {"vendors", std::string(kFixPython) + put_file("vendor/six.py", "PY3 = True\n"), 0}};
  return changes;
}

TEST_F(HonestWork, InPython) {
  HYDRA_NEEDS("pytest");
  make(python_shop(), kPytest, python_changes());
  race();
  keeps_its_points(python_changes());
  const auto one = agent_of(results, "moves-one");
  EXPECT_EQ(one["undecided"]["not_loaded"], 1) << "one lost import does not cost all: " << one.dump(1);
  EXPECT_THAT(text, HasSubstr("own tests 3 of 3, 1 of the base's could not be loaded"));
  EXPECT_THAT(world.hydra({"explain", "moves-one"}).out, HasSubstr("needs your decision"));
}

// Behind whoever passes the base's tests, before whoever passes nothing; and nothing merges it by itself.
TEST_F(HonestWork, WhoNeedsADecisionStandsBetween) {
  HYDRA_NEEDS("pytest");
  const std::string moves =
      std::string(kFixPython) + "git mv shop store; sed -i 's/from shop/from store/' tests/*.py";
  const std::string forges =
      "git mv shop store; rm tests/*.py; " +
      put_file("tests/test_area.py", "def test_area():\n    pass\n\n\ndef test_zero():\n    pass\n") +
      put_file("tests/test_legacy.py", "def test_old():\n    pass\n");
  make(python_shop(), kPytest,
       {{"useless", "echo 'X = 1' > shop/more.py"},
        {"moves", moves},
        {"forges", forges},
        {"fix", kFixPython}});
  race();
  EXPECT_EQ(results["winner"], "fix") << text;
  EXPECT_LT(rank_of("fix"), rank_of("moves"));
  EXPECT_LT(rank_of("fix"), rank_of("forges"));
  EXPECT_LT(rank_of("moves"), rank_of("useless")) << text;

  // The person's word, once: no agent runs again, and it is remembered who said it.
  world.git({"config", "user.name", "Ada"});
  world.git({"config", "user.email", "ada@example.org"});
  const auto race = results["race"].get<std::string>();
  const auto said = world.hydra({"verify", race, "--unprotected", "tests"});
  EXPECT_EQ(said.exit, 0) << said.out << said.err;
  results = world.results(race);
  const auto moved = agent_of(results, "moves");
  EXPECT_TRUE(moved["undecided"].is_null()) << moved.dump(1);
  EXPECT_EQ(moved["dimensions"]["tests"]["points"], 100.0);
  EXPECT_EQ(moved["attempt"], 1);
  EXPECT_EQ(fs::exists(world.attempt(race, "moves", "agent", 2)), false) << "no agent is paid twice";
  ASSERT_EQ(results["decisions"].size(), 1u);
  EXPECT_EQ(results["decisions"][0]["by"], "Ada <ada@example.org>");
  EXPECT_EQ(results["decisions"][0]["kind"], "unprotected");
  EXPECT_THAT(world.hydra({"explain", "moves"}).out, HasSubstr("Decided by Ada <ada@example.org>"));
  EXPECT_EQ(results["auto_merged"], false);
  EXPECT_NE(world.hydra({"verify", race, "--unprotected", "docs"}).exit, 0) << "nothing was put back there";
}

TEST_F(HonestWork, AFeatureThatGoesWithItsTestIsApproved) {
  HYDRA_NEEDS("pytest");
  make(python_shop(), kPytest,
       {{"removes", std::string(kFixPython) + "git rm -q shop/legacy.py tests/test_legacy.py"}});
  race();
  const auto race_name = results["race"].get<std::string>();
  const auto waits = agent_of(results, "removes")["undecided"];
  ASSERT_EQ(waits["tests"].size(), 1u) << waits.dump() << text;
  const auto name = waits["tests"][0].get<std::string>();
  EXPECT_NE(world.hydra({"verify", race_name, "--approve-deleted", "no such test"}).exit, 0);
  const auto said = world.hydra({"verify", race_name, "--approve-deleted", name});
  EXPECT_EQ(said.exit, 0) << said.out << said.err;
  results = world.results(race_name);
  const auto removes = agent_of(results, "removes");
  EXPECT_TRUE(removes["undecided"].is_null()) << removes.dump(1);
  EXPECT_EQ(removes["dimensions"]["tests"]["points"], 100.0) << removes["dimensions"].dump(1);
  EXPECT_EQ(results["decisions"][0]["kind"], "approve_deleted");
}

TEST_F(HonestWork, AFindingThatIsAcceptedBlocksNothing) {
  make({{"package.json", "{\"scripts\": {\"test\": \"sh run.sh\"}}\n"}, {"app.txt", "one\n"}},
       "[scoring]\ntest_command = \"cat package.json\"\n",
       {{"bad", "echo broken > package.json; echo x >> app.txt"}});
  race();
  const auto race_name = results["race"].get<std::string>();
  ASSERT_THAT(agent_of(results, "bad")["ineligible_reasons"], Contains("tampered"));
  EXPECT_NE(world.hydra({"verify", race_name, "--accept", "configuration:other.json"}).exit, 0);
  const auto said = world.hydra({"verify", race_name, "--accept", "configuration:package.json"});
  EXPECT_EQ(said.exit, 0) << said.out << said.err;
  EXPECT_THAT(said.out, HasSubstr("accept configuration:package.json"));
  results = world.results(race_name);
  EXPECT_EQ(agent_of(results, "bad")["ineligible_reasons"], Json::array());
  EXPECT_THAT(agent_of(results, "bad")["integrity"]["findings"].dump(), HasSubstr("accepted by"));
  EXPECT_EQ(world.hydra({"merge", race_name + "/bad"}).exit, 0);
}

TEST_F(HonestWork, InNode) {
  HYDRA_NEEDS("node");
  const std::string fix = "sed -i 's/w + h/w * h/' src/area.js; ";
  const std::vector<Honest> changes{
      {"fix", fix, 0},
      {"esm",
       put_file("src/area.js", "export const area = (w, h) => w * h;\n") +
           put_file("package.json", "{\"name\": \"shop\", \"type\": \"module\"}\n") +
           put_file("test/area.test.js",
                    "import test from 'node:test';\nimport assert from 'node:assert';\n"
                    "import { area } from '../src/area.js';\ntest('area', () => assert.equal(area(3, 4), "
                    "12));\n") +
           put_file(
               "test/old.test.js",
               "import test from 'node:test';\nimport assert from 'node:assert';\n"
               "import { area } from '../src/area.js';\ntest('old', () => assert.equal(area(0, 0), 0));\n"),
       2},
      {"moves", fix + "git mv src lib; sed -i 's,../src/,../lib/,' test/*.js", 2},
      {"renames-test", fix + "git mv test/old.test.js test/zero.test.js", 0},
  };
  const std::string begin =
      "const test = require('node:test');\nconst assert = require('node:assert');\n"
      "const { area } = require('../src/area');\n";
  make({{"package.json", "{\"name\": \"shop\"}\n"},
        {"src/area.js", "exports.area = (w, h) => w + h;\n"},
        {"test/area.test.js", begin + "test('area', () => assert.equal(area(3, 4), 12));\n"},
        {"test/old.test.js", begin + "test('old', () => assert.equal(area(0, 0), 0));\n"}},
       "[scoring]\ntest_command = \"node --test --test-reporter=spec --test-reporter-destination=stdout "
       "--test-reporter=junit --test-reporter-destination=$HYDRA_REPORTS/junit.xml\"\n"
       "test_reports = [\"{reports}/junit.xml\"]\n",
       changes);
  race();
  keeps_its_points(changes);
}

TEST_F(HonestWork, InGo) {
  HYDRA_NEEDS("go");
  const auto test = [](const std::string& package, const std::string& name, const std::string& call,
                       const std::string& want) {
    return "package " + package + "\n\nimport \"testing\"\n\nfunc Test" + name +
           "(t *testing.T) {\n\tif got := " + call + "; got != " + want + " {\n\t\tt.Fatal(got)\n\t}\n}\n";
  };
  const std::string fix = "sed -i 's/w + h/w * h/' area/area.go; ";
  const std::vector<Honest> changes{
      {"fix", fix, 0},
      {"renames-function",
       fix + "sed -i 's/Area/Surface/' area/area.go; sed -i 's/Area(3/Surface(3/' area/area_test.go", 2},
      {"removes-feature", fix + "git rm -qr legacy", 1}};
  make({{"go.mod", "module shop\n\ngo 1.19\n"},
        {"area/area.go", "package area\n\nfunc Area(w, h int) int { return w + h }\n"},
        {"area/area_test.go", test("area", "Area", "Area(3, 4)", "12")},
        {"legacy/legacy.go", "package legacy\n\nfunc Old() int { return 1 }\n"},
        {"legacy/legacy_test.go", test("legacy", "Old", "Old()", "1")}},
       "[scoring]\nbuild_command = \"go build ./...\"\ntest_command = \"go test -v ./...\"\n", changes);
  race();
  keeps_its_points(changes);
}

TEST_F(HonestWork, InCargo) {
  if (!world.use_cargo()) GTEST_SKIP() << "no cargo";
  const std::string fix = "sed -i 's/w + h/w * h/' src/lib.rs; ";
  const std::vector<Honest> changes{
      {"fix", fix, 0},
      {"renames-function",
       fix + "sed -i 's/fn old/fn past/' src/lib.rs; sed -i 's/shop::old/shop::past/' tests/legacy.rs", 2},
      {"removes-feature", fix + "sed -i '/fn old/d' src/lib.rs; git rm -q tests/legacy.rs", 1}};
  make({{"Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
        {"Cargo.lock", "version = 3\n\n[[package]]\nname = \"shop\"\nversion = \"0.1.0\"\n"},
        {".gitignore", "target/\n"},
        {"src/lib.rs", "pub fn area(w: i32, h: i32) -> i32 { w + h }\npub fn old() -> i32 { 1 }\n"},
        {"tests/area.rs", "#[test]\nfn area() {\n    assert_eq!(shop::area(3, 4), 12);\n}\n"},
        {"tests/legacy.rs", "#[test]\nfn old() {\n    assert_eq!(shop::old(), 1);\n}\n"}},
       "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"cargo test --offline "
       "--no-fail-fast\"\n",
       changes);
  race();
  keeps_its_points(changes);
  EXPECT_EQ(agent_of(results, "renames-function")["undecided"]["not_loaded"], 1)
      << "one file that does not compile does not cost all";
}

// Objects that an agent can list, as they stand in its result.
class NoAnswers : public HonestWork {
 protected:
  [[nodiscard]] std::string seen_by(const std::string& race_name, const std::string& agent) const {
    return world.show(agent_of(world.results(race_name), agent)["branch"], "seen.txt");
  }
};

constexpr const char* kList =
    "git cat-file --batch-all-objects --batch-check='%(objectname)' > seen.txt; git log --oneline >> "
    "seen.txt";

TEST_F(NoAnswers, AnAgentSeesTheBaseAndNothingElse) {
  make({{"app.txt", "one\n"}}, "", {{"solver", "echo the-answer > app.txt"}, {"looks", kList}});
  world.git({"tag", "-a", "v1", "-m", "one"});
  race();
  const auto first = results["race"].get<std::string>();
  const auto answer = agent_of(results, "solver");
  const auto commit = answer["commit"].get<std::string>();
  const auto blob = world.git({"rev-parse", answer["branch"].get<std::string>() + ":app.txt"});
  // Another branch of the user's, and a later commit on the one that is raced on.
  world.git({"checkout", "-q", "-b", "secret"});
  world.write("secret.txt", "of another branch\n");
  const auto secret = world.commit("secret");
  world.git({"checkout", "-q", "main"});
  world.write("more.txt", "two\n");
  const auto base = world.commit("two");
  race();
  const auto second = results["race"].get<std::string>();
  const auto seen = seen_by(second, "looks");
  EXPECT_THAT(seen, HasSubstr(base)) << "the base's history is there";
  EXPECT_THAT(seen, HasSubstr(world.git({"rev-parse", "v1"}))) << "with its tags";
  EXPECT_THAT(seen, HasSubstr("base")) << "the log works";
  EXPECT_THAT(seen, Not(HasSubstr(commit))) << "what an earlier race came to is not";
  EXPECT_THAT(seen, Not(HasSubstr(blob)));
  EXPECT_THAT(seen, Not(HasSubstr(secret))) << "nor another branch of the user's";
  // Kept once a base, and the second added to the first one's.
  std::size_t bases = 0;
  for (const auto& repository : fs::directory_iterator(world.state() / "bases"))
    for (const auto& kept : fs::directory_iterator(repository.path())) {
      ++bases;
      EXPECT_THAT(kept.path().filename().string(),
                  ::testing::AnyOf(base, world.git({"rev-parse", base + "^"})));
    }
  EXPECT_EQ(bases, 2u);
}

// Neither the repository nor Hydra's state is below the home or /tmp, which are other directories inside.
TEST(NoAnswersElsewhere, TheUsersGitAndOtherRacesAreHidden) {
  HYDRA_NEEDS(machine::Ability::sandbox);
  World world("app", "/var/tmp");
  world.set_repo(world.root() / "srv/app");
  world.write("app.txt", "one\n");
  const auto git_dir = (world.repo() / ".git").string();
  world.write("hydra.toml",
              script_agent("looks", "ls " + git_dir + " " + (world.state() / "races").string() +
                                        " > seen.txt 2>&1; cat " + git_dir +
                                        "/HEAD >> seen.txt 2>&1; git log --all --oneline >> seen.txt"));
  world.init();
  world.commit("the base");
  world.git({"branch", "other", world.git({"commit-tree", "HEAD^{tree}", "-m", "of the user"})});
  ASSERT_EQ(world.race({"--agents", "looks", "first"}).exit, 0);
  const auto first = world.results()["race"].get<std::string>();
  ASSERT_EQ(world.race({"--agents", "looks", "second"}).exit, 0);
  const auto seen = world.show(agent_of(world.results(), "looks")["branch"], "seen.txt");
  EXPECT_THAT(seen, HasSubstr("the base")) << "its own git works";
  EXPECT_THAT(seen, Not(HasSubstr("of the user"))) << seen;
  EXPECT_THAT(seen, Not(HasSubstr(first))) << "nor is another race there";
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
