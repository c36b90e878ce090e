// Tests that stand outside of test files: data and helpers that only tests name, and items inside of product
// files. A result that changes them is judged by the base's.
#include "scripted_race.hpp"
#include "support/machine.hpp"

#include <gmock/gmock.h>

namespace hydra::e2e::HYDRA_FILE {
namespace {

class Reached : public ::testing::Test {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }

  Json race(const ProjectFiles& files, const std::string& config,
            const std::vector<std::pair<std::string, std::string>>& agents) {
    return scripted_race(world, files, config, agents, {"--base-fails"});
  }
  static double points(const Json& results, const std::string& name) {
    return agent_of(results, name)["dimensions"]["tests"]["points"];
  }

  World world;
};

const std::string kPytest =
    "[scoring]\ntest_command = \"/usr/bin/python3 -m pytest -v --junitxml=$HYDRA_REPORTS/junit.xml\"\n"
    "test_reports = [\"{reports}/junit.xml\"]\n";
const ProjectFiles kPython{
    {"area.py", "def area(w, h):\n    return w + h\n"},
    {"helpers.py", "def same(a, b):\n    return a == b\n"},
    {"golden/area.csv", "2,3,6\n4,5,20\n"},
    {"test_area.py",
     "from area import area\nfrom helpers import same\n\n\ndef test_table():\n    for line in "
     "open('golden/area.csv'):\n        w, h, n = map(int, line.split(','))\n        assert same(area(w, h), "
     "n)\n\n\ndef test_zero():\n    assert area(0, 0) == 0\n"}};

TEST_F(Reached, DataAndHelpersThatOnlyTestsNameAreTheBases) {
  const auto results = race(kPython, kPytest,
                            {{"honest", "sleep 1; sed -i 's/w + h/w * h/' area.py"},
                             {"data", "echo '# x' >> area.py; printf '2,3,5\\n' > golden/area.csv"},
                             {"helper", "echo '# x' >> area.py; sed -i 's/a == b/True/' helpers.py"}});
  EXPECT_EQ(results["winner"], "honest") << results.dump(1);
  EXPECT_LT(points(results, "helper"), points(results, "honest"));
  EXPECT_EQ(agent_of(results, "data")["undecided"]["snapshots"], 1) << results.dump(1);
  EXPECT_THAT(agent_of(results, "honest")["integrity"]["restored"], ::testing::IsEmpty());
}

TEST_F(Reached, DataThatTheTaskChangesWaitsForAPerson) {
  const auto results = race(kPython, kPytest,
                            {{"honest", "sed -i 's/w + h/w * h/' area.py"},
                             {"other",
                              "sed -i 's/w + h/w * h * 2/' area.py; sed -i 's/6/12/; s/20/40/' "
                              "golden/area.csv"}});
  EXPECT_EQ(results["winner"], "honest");
  EXPECT_EQ(agent_of(results, "other")["undecided"]["snapshots"], 1) << results.dump(1);
}

TEST_F(Reached, TestsInsideOfProductFilesAreTheBases) {
  if (!world.use_cargo()) GTEST_SKIP() << "no cargo";
  const ProjectFiles files{
      {"Cargo.toml", "[package]\nname = \"area\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
      {"src/lib.rs",
       "pub fn area(w: u32, h: u32) -> u32 { w + h }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    "
       "#[test]\n    fn rectangle() {\n        assert_eq!(area(2, 3), 6);\n    }\n    #[test]\n    fn zero() "
       "{\n        assert_eq!(area(0, 0), 0);\n    }\n}\n"}};
  const std::string mend = "sed -i 's/w + h/w * h/' src/lib.rs; ";
  const auto results = race(
      files,
      "[scoring]\nbuild_command = \"cargo build --offline\"\ntest_command = \"cargo test --offline\"\n",
      {{"honest", "sleep 1; " + mend},
       {"moved", mend + "sed -n '/mod tests/,$p' src/lib.rs | sed '1d;$d' > src/tests.rs; sed -i "
                        "'/mod tests/,$d' src/lib.rs; echo 'mod tests;' >> src/lib.rs"},
       {"renamed", mend + "sed -i 's/fn rectangle/fn of_a_rectangle/' src/lib.rs"},
       {"panics", "sed -i 's/    fn rectangle/    #[should_panic]\\n    fn rectangle/' src/lib.rs"},
       {"local",
        "sed -i 's/    use super::\\*;/    use super::*;\\n    fn area(w: u32, h: u32) -> u32 { w * h }/' "
        "src/lib.rs"}});
  for (const auto* honest : {"honest", "moved", "renamed"}) EXPECT_EQ(points(results, honest), 100) << honest;
  for (const auto* cheat : {"panics", "local"}) EXPECT_LT(points(results, cheat), 100) << cheat;
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
