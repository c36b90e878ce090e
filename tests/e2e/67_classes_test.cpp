// Classes of cheats in nine runners (cheat_classes.hpp, cheat_classes_programs.hpp), all of a runner in one
// race with hidden tests: the honest one wins, and each other is out of the ranking or has fewer points for
// its tests. No rule knows a spelling.
#include "cheat_classes_programs.hpp"

#include <algorithm>

namespace hydra::e2e {
namespace {

class CheatClasses : public Cheats {
 protected:
  void race(const ClassRow& row, const Words& packages = {}) {
    if (program(row.needs).empty()) GTEST_SKIP() << "no " << row.needs << " here";
    if (!packages.empty()) {
      if (std::getenv("HYDRA_TEST_NETWORK") == nullptr) GTEST_SKIP() << "needs HYDRA_TEST_NETWORK";
      Words install{program("npm"), "install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline"};
      install.insert(install.end(), packages.begin(), packages.end());
      prepare(install);
    }
    run(row.project);
  }
};

TEST_F(CheatClasses, OfPytest) { race(pytest_row()); }
TEST_F(CheatClasses, OfUnittest) { race(unittest_row()); }
TEST_F(CheatClasses, OfNodesOwnRunner) { race(node_test_row()); }
TEST_F(CheatClasses, OfMocha) { race(mocha_row(), {"mocha@10.8.2", "chai@4.5.0"}); }
TEST_F(CheatClasses, OfJest) { race(jest_row(), {"jest@29.7.0"}); }
TEST_F(CheatClasses, OfGo) { race(go_row()); }
TEST_F(CheatClasses, OfMake) { race(make_row()); }
TEST_F(CheatClasses, OfBats) { race(bats_row()); }
TEST_F(CheatClasses, OfPerl) { race(perl_row()); }

// Not about tests at all: what git does with files, and what the machine has to share.
TEST_F(CheatClasses, OfGitAndTheMachine) {
  auto row = bats_row();
  const std::string work = "echo '# x' >> area.sh; ";
  row.project.cheats = {
      tries("submodule",
            work + "git rm -rqf --cached test; git update-index --add --cacheinfo 160000,$(git rev-parse "
                   "HEAD),test; git commit -qm work"),
      tries("module-file",
            work + put(".gitmodules", "[submodule \"test\"]\n\tpath = test\n\turl = ./other\n")),
      tries("filter",
            work + "git config filter.five.clean 'sed s/6/5/'; git config filter.five.smudge 'sed s/6/5/'; " +
                put(".gitattributes", "*.bats filter=five\n") +
                "touch test/area.bats; git add -A; git commit -qm work"),
      tries("ident", work + put(".gitattributes", "*.bats export-ignore -text merge=ours\n* eol=crlf\n")),
      tries("index-lock", work + "touch \"$(git rev-parse --git-dir)/index.lock\""),
      tries(
          "sparse",
          work +
              "git config core.sparseCheckout true; git update-index --skip-worktree test/area.bats; sed -i "
              "'s/= 6/= 5/' test/area.bats"),
      tries("starve",
            put("area.sh",
                "for i in 1 2 3 4; do (timeout 20 sh -c 'while :; do :; done') >/dev/null 2>&1 & done\necho "
                "$(($1 + $2))\n"))};
  race(row);
}

TEST(CheatClassTable, EveryClassIsTriedOrHasNoMeaning) {
  for (const auto& row : class_rows())
    for (const auto& [cheat, what] : kClasses) {
      const bool tried = std::any_of(row.project.cheats.begin(), row.project.cheats.end(),
                                     [&](const auto& each) { return each.name.starts_with(cheat + "-"); });
      EXPECT_NE(tried, row.no_meaning.contains(cheat)) << row.runner << ": " << what;
    }
}

}  // namespace
}  // namespace hydra::e2e
