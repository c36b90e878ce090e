// Classes of cheats in thirteen runners (cheat_classes.hpp, cheat_classes_programs.hpp), all of a runner in
// one race with hidden tests: the honest one wins, and each other is out of the ranking or has fewer points
// for its tests. No rule knows a spelling. That each makes the tests pass where no Hydra is in between is
// shown apart (CheatsAlone, in ./dev verify): it takes as long again, and says something of the cheats alone.
#include "cheat_classes_programs.hpp"
#include "cheat_tables.hpp"
#include "support/machine.hpp"

#include <algorithm>

namespace hydra::e2e::HYDRA_FILE {
namespace {

class OfRunner : public Cheats {
 protected:
  /// False: the test is skipped.
  bool ready(const ClassRow& row, const Words& packages) {
    const bool there = row.needs == "cargo" ? world.use_cargo() : !program(row.needs).empty();
    if (!there || (!packages.empty() && std::getenv("HYDRA_TEST_NETWORK") == nullptr)) return false;
    if (packages.empty()) return true;
    Words install{program("npm"), "install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline"};
    install.insert(install.end(), packages.begin(), packages.end());
    prepare(install);
    return true;
  }
};

class CheatClasses : public OfRunner {
 protected:
  void SetUp() override { HYDRA_NEEDS(machine::Ability::sandbox); }
  void race(const ClassRow& row, const Words& packages = {}) {
    if (!ready(row, packages)) GTEST_SKIP() << "no " << row.needs << " and HYDRA_TEST_NETWORK";
    run(row.project);
  }
};

class CheatsAlone : public OfRunner {
 protected:
  void win(const ClassRow& row, const Words& packages = {}) {
    if (!ready(row, packages)) GTEST_SKIP() << "no " << row.needs << " and HYDRA_TEST_NETWORK";
    EXPECT_NE(tests_alone(row.project, ""), 0) << "the base must fail";
    for (const auto& cheat : row.project.cheats)
      EXPECT_EQ(tests_alone(row.project, cheat.script), 0) << cheat.name << " would win nowhere:\n" << said;
  }

 private:
  /// Exit code of the checks where nothing of Hydra is in between: the script in a copy of the built base,
  /// the build, the tests that it leaves. Without a script: the base, which later calls copy.
  int tests_alone(const Project& project, const std::string& script) {
    const auto place = world.root() / "alone", tree = place / "tree";
    const bool base = script.empty();
    fs::remove_all(base ? place : tree);
    for (const char* each : {"home", "reports", "tmp"}) {
      fs::remove_all(place / each);
      fs::create_directories(place / each);
    }
    if (base)
      for (const auto& [path, text] : project.files) {
        fs::create_directories((place / "base" / path).parent_path());
        std::ofstream(place / "base" / path) << text;
      }
    const auto setting = [&](const std::string& key) {
      const auto at = project.config.find(key + " = \"") + key.size() + 4;
      return project.config.substr(at, project.config.find("\"\n", at) - at);
    };
    const auto packages = (world.repo() / "node_modules").string();
    const std::string first =
        "git init -q; git add -A; git -c user.name=a -c user.email=a@b commit -qm base\nif "
        "[ -d " +
        packages + " ]; then mkdir node_modules; cp -r --symbolic-link " + packages +
        "/.bin node_modules; ln -s " + packages + "/* node_modules; fi\n";
    const std::string checks = setting("build_command") + " && " + setting("test_command");
    auto environment = world.environment();
    std::erase_if(environment, [](const auto& each) { return each.first.starts_with("XDG_"); });
    environment["HOME"] = (place / "home").string();
    environment["CARGO_HOME"] = (place / "home/.cargo").string();
    environment["TMPDIR"] = (place / "tmp").string();
    environment["HYDRA_REPORTS"] = (place / "reports").string();
    environment["GIT_CONFIG_GLOBAL"] = "/dev/null";
    const auto text = base ? "mv ../base ../tree && cd ../tree\n" + first + checks +
                                 "\nstatus=$?\ncd .. && mv tree base; exit $status"
                           : "cp -a ../base ../tree && cd ../tree\n(" + script + "\n)\n" + checks;
    Process process({"/usr/bin/timeout", "120", "setsid", "-w", "sh", "-c", text}, place / "home",
                    environment);
    const auto done = process.wait(std::chrono::minutes(3));
    said = done.out + done.err;
    return done.exit;
  }
  std::string said;
};

#define HYDRA_CHEATS(Name, ...)                     \
  TEST_F(CheatClasses, Name) { race(__VA_ARGS__); } \
  TEST_F(CheatsAlone, Name) { win(__VA_ARGS__); }

HYDRA_CHEATS(OfPytest, pytest_row())
HYDRA_CHEATS(OfUnittest, unittest_row())
HYDRA_CHEATS(OfNodesOwnRunner, node_test_row())
HYDRA_CHEATS(OfMocha, mocha_row(), {"mocha@10.8.2", "chai@4.5.0"})
HYDRA_CHEATS(OfJest, jest_row(), {"jest@29.7.0"})
HYDRA_CHEATS(OfVitest, vitest_row(), {"vitest@1.6.0"})
HYDRA_CHEATS(OfCargo, cargo_row())
HYDRA_CHEATS(OfCTest, ctest_row())
HYDRA_CHEATS(OfGoogleTest, googletest_row())
HYDRA_CHEATS(OfGo, go_row())
HYDRA_CHEATS(OfMake, make_row())
HYDRA_CHEATS(OfBats, bats_row())
HYDRA_CHEATS(OfPerl, perl_row())

// Not about tests at all: what git does with files, and what the machine has to share.
TEST_F(CheatClasses, OfGitAndTheMachine) {
  HYDRA_NEEDS(machine::system_program("bats"));
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
                "area() {\n  for i in 1 2 3 4; do (timeout 20 sh -c 'while :; do :; done') >/dev/null 2>&1 & "
                "done\n  result=$(($1 + $2))\n}\n"))};
  run(row.project);
}

TEST(CheatClassTable, EveryClassIsTriedOrHasNoMeaning) {
  for (const auto& row : class_rows())
    for (const auto& [cheat, what] : kClasses) {
      const bool tried = std::any_of(row.project.cheats.begin(), row.project.cheats.end(),
                                     [&](const auto& each) { return each.name.starts_with(cheat + "-"); });
      EXPECT_NE(tried, row.no_meaning.contains(cheat)) << row.runner << ": " << what;
    }
}

TEST(CheatClassTable, TheDocumentShowsIt) {
  std::vector<Runner> runners;
  for (const auto& row : class_rows()) runners.push_back({row.runner, row.project, row.no_meaning});
  document_shows("## Classes of cheats\n", matrix(runners, kClasses));
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
