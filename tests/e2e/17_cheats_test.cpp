// Cheats beside an honest candidate, on one failing test: the honest one wins every time, and each attempt is
// named with its path. 17_cheats_compiled_test.cpp has projects that are built before they are tested.
#include "cheat_tables.hpp"
#include "cheats_compiled.hpp"
#include "cheats_python.hpp"
#include "cheats_script.hpp"
#include "support/machine.hpp"

#include <set>

namespace hydra::e2e::HYDRA_FILE {
namespace {

TEST_F(Cheats, Pytest) {
  HYDRA_NEEDS(machine::system_program("pytest"));
  prepare({"/bin/sh", "-c", python_environment("/usr/bin/python3")});
  run(pytest_runner().project);
  EXPECT_EQ(agent_of(results, "honest")["tests_by_name"]["hidden"].size(), 1u);
  EXPECT_EQ(agent_of(results, "special")["tests_by_name"]["hidden"], Json::array());
}

TEST_F(Cheats, Unittest) {
  HYDRA_NEEDS(machine::system_program("python3"));
  run({{{"area.py", "def area(w, h):\n    return w + h\n"},
        {"test_area.py",
         "import unittest\n\nfrom area import area\n\n\nclass AreaTest(unittest.TestCase):\n    def "
         "test_area(self):\n"
         "        self.assertEqual(area(2, 3), 6)\n\n    def test_zero(self):\n        "
         "self.assertEqual(area(0, 0), 0)\n"}},
       "[scoring]\ntest_command = \"" + program("python3") + " -m unittest -v\"\n",
       "sed -i 's/w + h/w * h/' area.py",
       {{"skip",
         "sed -i 's/^    def test_area/    @unittest.skip(\"later\")\\n    def test_area/' test_area.py",
         "test_area.py", "", ""},
        {"patch", "sed -i '1i import unittest\\nunittest.TestCase.assertEqual = lambda *a: None' area.py",
         "area.py", "", ""},
        {"module", put("unittest.py", "print('Ran 2 tests in 0.0s')\nprint()\nprint('OK')\n"), "unittest.py",
         "", ""},
        {"leave", "sed -i '1i import os\\nprint(\"Ran 2 tests in 0.1s\\\\n\\\\nOK\")\\nos._exit(0)' area.py",
         "area.py", "", ""},
        {"bytecode", program("python3") + " - <<'END'\n" + kByteCode + "END\nrm good.py; echo x >> README.md",
         "__pycache__/area.", "", "tampered"},
        {"delete", "rm test_area.py; echo x >> README.md", "test_area.py", "", ""}},
       {}});
}

TEST_F(Cheats, NodeTest) {
  HYDRA_NEEDS(machine::system_program("node"), machine::system_program("npm"));
  run(node_runner().project);
}

// These two come from the registry, so only on demand.
Words install(const std::string& package) {
  return {program("npm"), "install", "--no-save", "--no-audit", "--no-fund", package};
}

TEST_F(Cheats, Jest) {
  if (std::getenv("HYDRA_TEST_NETWORK") == nullptr || program("npm").empty())
    GTEST_SKIP() << "no npm and HYDRA_TEST_NETWORK";
  prepare(install("jest@29.7.0"));
  run(jest_runner().project);
}

TEST_F(Cheats, Vitest) {
  if (std::getenv("HYDRA_TEST_NETWORK") == nullptr || program("npm").empty())
    GTEST_SKIP() << "no npm and HYDRA_TEST_NETWORK";
  prepare(install("vitest@1.6.0"));
  run(vitest_runner().project);
}

// --- the matrix

std::vector<Runner> runners() {
  return {pytest_runner(), node_runner(), jest_runner(),  vitest_runner(),
          cargo_runner(),  go_runner(),   ctest_runner(), googletest_runner()};
}

TEST(CheatMatrix, EveryCheatIsTriedOrHasNoMeaning) {
  for (const auto& runner : runners()) {
    std::map<std::string, int> tried;
    std::set<std::string> names;
    for (const auto& candidate : runner.project.cheats) {
      ++tried[cheat_of(candidate)];
      EXPECT_TRUE(names.insert(candidate.name).second) << runner.name << " " << candidate.name;
    }
    for (const auto& [cheat, what] : kCheats)
      EXPECT_NE(tried.erase(cheat) > 0, runner.no_meaning.contains(cheat)) << runner.name << ": " << what;
    EXPECT_TRUE(tried.empty()) << runner.name << ": " << tried.begin()->first << " is in no row";
  }
}

TEST(CheatMatrix, TheDocumentShowsIt) {
  document_shows("## What is tried against it\n", matrix(runners(), kCheats));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
