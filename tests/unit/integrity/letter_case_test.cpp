// A user's checkout that takes names of both letter cases for one: what a candidate adds under another case.
#include "base/glob.hpp"
#include "integrity/protect/protected_paths.hpp"
#include "step_words.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;
using namespace hydra::integrity;
using namespace hydra::trees;
using Paths = std::vector<std::string>;

constexpr auto kAdded = ChangeKind::added;
constexpr auto kDeleted = ChangeKind::deleted;

/// "remove a/b", in the plan's order, for a project with pytest.
Paths plan(const std::vector<Change>& changes) {
  const BaseTree base({"pyproject.toml", "src/app/core.py", "tests/test_core.py", "tests/conftest.py",
                       "tests/data/in.json", "README.md", "secret/Rules.txt"});
  const ProtectedPaths rules({&base, {"", "python -m pytest", "", ""}, {"secret"}, {}, {}});
  auto plan = plan_restore(changes, rules);
  protect_other_cases(plan, changes, rules);
  Paths out;
  for (const auto& step : plan.steps) {
    EXPECT_FALSE(step.reason.empty()) << step.path;
    out.push_back(testing_support::words_of(step));
  }
  return out;
}

TEST(LetterCase, ANewFileThatTheCheckoutTakesForAProtectedOneGoes) {
  for (const char* path : {"tests/Conftest.py", "src/ConfTest.py", "PyTest.INI", "TOX.ini",
                           "tests/Test_Core.py", "tests/data/IN.json", "Secret/rules.txt"})
    EXPECT_EQ(plan({{path, kAdded}}), Paths{"remove " + std::string(path)}) << path;
}

TEST(LetterCase, OrdinaryFilesAreNoConcernOfIt) {
  // A name by which tests are found has its case everywhere: JUnit's pattern is *Test.java.
  for (const char* path : {"readme.MD", "Src/app/core.py", "src/Latest.java", "Docs/a.md", "src/App/New.py"})
    EXPECT_EQ(plan({{path, kAdded}}), Paths{}) << path;
}

TEST(LetterCase, ATestRenamedInCaseStandsAtItsOldPlaceOnly) {
  EXPECT_EQ(plan({{"tests/conftest.py", kDeleted, {}, 0}, {"tests/Conftest.py", kAdded}}),
            (Paths{"remove tests/Conftest.py", "base tests/conftest.py"}));
}

TEST(LetterCase, WarmDirectoriesCoverEverySpelling) {
  const Paths warm{"node_modules", "packages/*/Node_modules", ".env", "config/local.toml", "**/dist"};
  for (const char* path : {"Node_Modules/jest/bin/jest.js", "NODE_MODULES", "packages/a/NODE_MODULES/x",
                           ".ENV", "Dist/a.js", "a/DIST/b", "Config", "CONFIG/Local.TOML"})
    EXPECT_TRUE(covered_in_any_case(warm, path)) << path;
  for (const char* path : {"src/B.js", "Node_Modules2/x", "Config/Other.toml", "Conf"})
    EXPECT_FALSE(covered_in_any_case(warm, path)) << path;
}

}  // namespace
