// Honest but unusual work in unittest, make and where tests compare with snapshots (docs/integrity.md,
// "Honest work keeps its points"): never blocked, never 0 points without a word.
#include "honest.hpp"
#include "scripted_race.hpp"
#include "support/machine.hpp"

namespace hydra::e2e::HYDRA_FILE {
namespace {

using ::testing::HasSubstr;

TEST_F(HonestWork, InUnittest) {
  HYDRA_NEEDS("python3");
  const std::string fix = "sed -i 's/w + h/w * h/' shop/area.py; ";
  const auto test = [](const std::string& module, const std::string& name, const std::string& call,
                       const std::string& want) {
    return "import unittest\n\nfrom shop." + module + " import " + call.substr(0, call.find('(')) +
           "\n\n\nclass " + name + "(unittest.TestCase):\n    def test_" + module +
           "(self):\n        self.assertEqual(" + call + ", " + want + ")\n";
  };
  const std::vector<Honest> changes{
      {"fix", fix, 0},
      {"moves-sources", fix + "git mv shop store; sed -i 's/from shop/from store/' tests/*.py", 2},
      {"moves-one", fix + "git mv shop/legacy.py shop/past.py; sed -i 's/shop.legacy/shop.past/' tests/*.py",
       2},
      {"removes-feature", fix + "git rm -q shop/legacy.py tests/test_legacy.py", 1},
      {"renames-test", fix + "git mv tests/test_legacy.py tests/test_past.py", 0},
      {"package", fix + "mkdir shop/area; git mv shop/area.py shop/area/__init__.py", 0},
      {"adds-test", fix + "sed 's/test_area/test_more/' tests/test_area.py > tests/test_more.py", 0}};
  make({{".gitignore", "__pycache__/\n"},
        {"shop/__init__.py", ""},
        {"shop/area.py", "def area(w, h):\n    return w + h\n"},
        {"shop/legacy.py", "def old():\n    return 1\n"},
        {"tests/__init__.py", ""},
        {"tests/test_area.py", test("area", "AreaTest", "area(3, 4)", "12")},
        {"tests/test_legacy.py", test("legacy", "LegacyTest", "old()", "1")}},
       "[scoring]\ntest_command = \"/usr/bin/python3 -m unittest discover -v -s tests -t .\"\n", changes);
  race();
  keeps_its_points(changes);
}

TEST_F(HonestWork, InMake) {
  HYDRA_NEEDS("make");
  const std::string fix = "sed -i 's/\\$1 + \\$2/$1 * $2/' src/area.sh; ";
  const std::vector<Honest> changes{
      {"fix", fix, 0},
      {"moves-sources", fix + "git mv src lib; sed -i 's,src/,lib/,' tests/run.sh Makefile", 2},
      {"adds-target", fix + "printf 'install: all\\n\\tcp src/area.sh out.sh\\n' >> Makefile", 0},
      {"spliced", fix + "printf 'SOURCES = \\\\\\n  src/area.sh\\n' >> Makefile", 0}};
  make({{"Makefile", "all: src/area.sh\n\ntest: all\n\tsh tests/run.sh\n"},
        {"src/area.sh", "area() { echo $(($1 + $2)); }\n"},
        {"tests/run.sh",
         ". ./src/area.sh\necho 1..2\n[ \"$(area 3 4)\" = 12 ] && echo 'ok 1 - area' || { echo 'not ok 1 - "
         "area'; bad=1; }\n[ \"$(area 0 0)\" = 0 ] && echo 'ok 2 - zero' || { echo 'not ok 2 - zero'; bad=1; "
         "}\nexit $bad\n"}},
       "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n", changes);
  race();
  keeps_its_points(changes);
}

// The base's whole Makefile would build without the new source: its rules of the checks alone are put back.
TEST_F(HonestWork, ANewSourceInAMakefile) {
  HYDRA_NEEDS("make");
  const std::vector<Honest> changes{{"adds-source",
                                     "echo 'product() { echo $(($1 * $2)); }' > src/product.sh; sed -i "
                                     "'s/echo.*;/product $1 $2;/' src/area.sh; "
                                     "sed -i 's,^SOURCES = ,&src/product.sh ,' Makefile",
                                     0}};
  make(
      {{".gitignore", "/area.sh\n"},
       {"Makefile",
        "SOURCES = src/area.sh\n\nall: area.sh\n\narea.sh: $(SOURCES)\n\tcat $(SOURCES) > area.sh\n\n"
        "test: all\n\tsh tests/run.sh\n"},
       {"src/area.sh", "area() { echo $(($1 + $2)); }\n"},
       {"tests/run.sh",
        ". ./area.sh\necho 1..1\n[ \"$(area 3 4)\" = 12 ] && echo 'ok 1 - area' || { echo 'not ok 1 - area'; "
        "exit 1; }\n"}},
      "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n", changes);
  race();
  keeps_its_points(changes);
}

// The base never came to make these files: a program that its tests run, and a test that its rules ignore.
TEST_F(HonestWork, TheRepairOfABaseThatDoesNotCompile) {
  HYDRA_NEEDS("make");
  results = scripted_race(
      world,
      {{".gitignore", "test_made.py\n"},
       {"Makefile",
        "all: area_test test_made.py\n\narea_test: src/area.sh tests/cases\n\tsh -n src/area.sh\n"
        "\tcat src/area.sh tests/cases > area_test\n\tchmod +x area_test\n\n"
        "test_made.py: area_test\n\techo pass > test_made.py\n\ntest:\n\t./area_test\n"},
       {"src/area.sh", "area() { echo $(($1 * $2; }\n"},
       {"tests/cases", "echo 1..1\n[ \"$(area 3 4)\" = 12 ] && echo 'ok 1 - area'\n"}},
      "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n",
      {{"fix", "sed -i 's/ \\* $2;/ * $2));/' src/area.sh"}}, {"--base-fails"});
  const auto fix = agent_of(results, "fix");
  EXPECT_EQ(fix["eligible"], true) << fix.dump(1);
  EXPECT_EQ(fix["integrity"]["blocking"], 0) << fix.dump(1);
  EXPECT_EQ(fix["dimensions"]["tests"]["points"], 100.0) << fix.dump(1);
}

// Two builds pass where the base's fails, and only one of them builds what the base's came to.
TEST_F(HonestWork, ABuildThatBuildsLessIsNamed) {
  HYDRA_NEEDS("make");
  results = scripted_race(
      world,
      {{".gitignore", "*.o\n"},
       {"Makefile", "all: area.o size.o\n\n%.o: %.sh\n\tsh -n $<\n\tcp $< $@\n\ntest:\n\tsh tests/run.sh\n"},
       {"area.sh", "area() { echo $(($1 * $2)); }\n"},
       {"size.sh", "size() { echo $(($1 + 1; }\n"},
       {"tests/run.sh", ". ./area.sh\necho 1..1\n[ \"$(area 3 4)\" = 12 ] && echo 'ok 1 - area'\n"}},
      "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n",
      {{"repair", "sed -i 's/ + 1;/ + 1));/' size.sh"},
       {"stub", "sed -i 's/^all:.*/all:/' Makefile; sed -i 's/ + 1;/ + 2;/' size.sh"}},
      {"--base-fails"});
  const auto rules = [&](const char* name) {
    std::vector<std::string> found;
    const auto agent = agent_of(results, name);
    for (const auto& finding : agent["integrity"]["findings"])
      if (finding["severity"] == "warning")
        found.push_back(finding["rule"].get<std::string>() + " " + finding["path"].get<std::string>());
    return found;
  };
  EXPECT_THAT(rules("repair"), ::testing::IsEmpty());
  EXPECT_THAT(rules("stub"), ::testing::ElementsAre("unbuilt_source area.sh"));
}

// Right or wrong is for a person to say: behind who passes with the base's snapshot, before who passes
// nothing.
TEST_F(HonestWork, ASnapshotThatTheTaskChanges) {
  HYDRA_NEEDS("bats");
  const std::string test =
      "@test \"area\" {\n  run sh area.sh 2 3\n  [ \"$output\" = \"$(cat test/__snapshots__/area.snap)\" "
      "]\n}\n\n@test \"usage\" {\n  run sh area.sh\n  [ \"$status\" -eq 2 ]\n}\n";
  make({{"area.sh", "[ $# = 2 ] || exit 2\necho \"$(($1 * $2)) m\"\n"},
        {"test/area.bats", test},
        {"test/__snapshots__/area.snap", "6 m\n"}},
       "[scoring]\ntest_command = \"bats --tap test\"\n",
       {{"snapshot", "sed -i 's/ m\"/ sq m\"/' area.sh; echo '6 sq m' > test/__snapshots__/area.snap", 2},
        {"edits", "sed -i 's/ m\"/ cm\"/' area.sh; sed -i 's/\\[ \"$output\".*/true/' test/area.bats", 0},
        {"breaks", "sed -i 's/ m\"/ km\"/; s/exit 2/exit 3/' area.sh", 0}});
  race();
  const auto snapshot = agent_of(results, "snapshot");
  ASSERT_TRUE(snapshot["undecided"].is_object()) << snapshot.dump(1);
  EXPECT_EQ(snapshot["undecided"]["snapshots"], 1) << snapshot["undecided"].dump();
  EXPECT_EQ(snapshot["undecided"]["not_loaded"], 0);
  EXPECT_EQ(snapshot["integrity"]["blocking"], 0) << snapshot["integrity"].dump(1);
  EXPECT_EQ(snapshot["dimensions"]["tests"]["points"], 100.0) << snapshot.dump(1);
  EXPECT_TRUE(agent_of(results, "edits")["undecided"].is_null()) << "a test that was edited is the base's";
  EXPECT_LT(rank_of("snapshot"), rank_of("breaks"));
  EXPECT_THAT(
      text, HasSubstr("1 of the base's compare with a snapshot that it changes (area): needs your decision"));
  const auto race_name = results["race"].get<std::string>();
  EXPECT_EQ(world.hydra({"verify", race_name, "--unprotected", "test/__snapshots__"}).exit, 0);
  results = world.results(race_name);
  EXPECT_TRUE(agent_of(results, "snapshot")["undecided"].is_null());
  EXPECT_EQ(agent_of(results, "snapshot")["rank"], 1);
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
