#include "checks/cross_recipes.hpp"

#include <gtest/gtest.h>

#include <map>

namespace hydra::checks {
namespace {

struct CrossCase {
  std::string configured;
  std::vector<std::string> files;
  std::string command;  ///< empty: no recipe
};

const std::map<std::string, std::string, std::less<>> kBaseTexts{
    {"package.json",
     R"({"scripts": {"test": "node --test", "lint": "eslint .", "jest": "jest --coverage src"}})"},
    {"web/package.json", R"({"scripts": {"test": "vitest"}})"},
    {"Makefile",
     "all:\n\tcc -o a $(SRC)\n\ncheck: src \\\n  tests\n\t@python3 -m unittest discover -s tests\n\n"
     "clean:\n\trm a\n"},
};

const trees::BaseTree& base_tree() {
  static const trees::BaseTree base({"Cargo.toml", "Makefile", "crates/a/Cargo.toml", "go.mod",
                                     "package.json", "src/app.py", "test/old.test.js", "tests/__init__.py",
                                     "tests/test_old.py", "web/package.json"});
  return base;
}

std::optional<std::string> base_text(std::string_view path) {
  const auto found = kBaseTexts.find(path);
  return found == kBaseTexts.end() ? std::nullopt : std::optional(found->second);
}

CrossCommand cross_of(const std::string& configured, const std::vector<std::string>& files,
                      Naming naming = Naming::by_runner) {
  const auto text_of = [](std::string_view path) -> std::optional<std::string> {
    if (path == "pkg/a_test.go")
      return "package pkg\nfunc TestA(t *testing.T) {}\nfunc helper() {}\nfunc (s *S) TestNo() {}\nfunc "
             "FuzzB(f *testing.F) {}\n";
    return std::nullopt;
  };
  return cross_command({configured, base_tree(), base_text, naming}, files, text_of);
}

std::string repeated(const std::string& configured, const std::vector<std::string>& names) {
  return repeat_command({configured, base_tree(), base_text, Naming::by_runner}, names);
}

TEST(RepeatCommand, RunsTheFilesOfTheFailingTests) {
  const auto command =
      repeated("pytest -q tests", {"tests/test_old.py::test_a", "tests/test_old.py::T::test_b[x: y]"});
  EXPECT_TRUE(command.ends_with(" tests/test_old.py")) << command;
}

TEST(RepeatCommand, IsTheConfiguredOneWhereAFileIsNotKnown) {
  EXPECT_EQ(repeated("pytest -q", {"tests/test_old.py::test_a", "tests/test_new.py::test_a"}), "pytest -q");
  EXPECT_EQ(repeated("go test ./...", {"pkg/TestA"}), "go test ./...");
  EXPECT_EQ(repeated("pytest || true", {"tests/test_old.py::test_a"}), "pytest || true");
}

TEST(NamingAdvice, NamesTheOptionOfTheRunner) {
  EXPECT_EQ(naming_advice("go vet ./... && go test ./..."), "`go` names its tests with `-v`");
  EXPECT_EQ(naming_advice("/usr/bin/python3 -m unittest"), "`unittest` names its tests with `-v`");
  EXPECT_EQ(naming_advice("pytest -q tests"), "`pytest` names its tests with `-vv -rfE`");
  EXPECT_EQ(naming_advice("go test -v ./..."), "");
  EXPECT_EQ(naming_advice("make test"), "");
}

TEST(CrossRecipes, GoRunsEachTestByItselfToo) {
  EXPECT_EQ(cross_of("cd . && go test ./...", {"pkg/a_test.go"}).apart,
            "cd . && (r=0; go test -v -run '^(FuzzB)$' ./pkg || r=1; go test -v -run '^(TestA)$' ./pkg || "
            "r=1; exit "
            "$r)");
  EXPECT_EQ(cross_of("pytest", {"tests/test_new.py"}).apart, "") << "the next test runs in any case";
}

TEST(CrossRecipes, KeepTheConfiguredReportersWhereReportsNameTheTests) {
  const auto found = cross_of("pytest -q -x --junitxml=$HYDRA_REPORTS/a.xml tests", {"tests/test_new.py"},
                              Naming::by_reports);
  EXPECT_EQ(found.command,
            "pytest --junitxml=$HYDRA_REPORTS/a.xml --continue-on-collection-errors -p no:cacheprovider "
            "tests/test_new.py");
  EXPECT_EQ(cross_of("jest", {"src/a.test.js"}, Naming::by_reports).command,
            "jest --runTestsByPath src/a.test.js");
}

TEST(CrossRecipes, NameOnlyTheAuthorsFiles) {
  const std::string pytest = "-vv -rfE --continue-on-collection-errors -p no:cacheprovider";
  const std::vector<CrossCase> cases{
      {"pytest", {"tests/test_new.py"}, "COLUMNS=400 pytest " + pytest + " tests/test_new.py"},
      {"pytest -q -x tests -m 'not slow'",
       {"tests/data.json", "tests/test_new.py"},
       "COLUMNS=400 pytest -m 'not slow' " + pytest + " tests/test_new.py"},
      {"FOO=1 python3 -m pytest --maxfail=1 tests/test_old.py::test_a",
       {"tests/test_new.py"},
       "COLUMNS=400 FOO=1 python3 -m pytest " + pytest + " tests/test_new.py"},
      {"python3 -m unittest", {"tests/test_new.py"}, "python3 -m unittest -v tests/test_new.py"},
      {"python3 -m unittest discover -s tests -q",
       {"tests/test_new.py", "tests/test_b.py"},
       "(r=0; python3 -m unittest discover -v -s tests -p test_new.py || r=1; python3 -m unittest discover "
       "-v -s "
       "tests -p test_b.py || r=1; exit $r)"},
      {"make check", {"tests/test_new.py"}, "python3 -m unittest discover -v -s tests -p test_new.py"},
      {"node --test --test-reporter spec", {"test/a.test.js"}, "node --test test/a.test.js"},
      {"npm test",
       {"test/a.test.mjs"},
       "export PATH=\"$PWD/node_modules/.bin:$PATH\" && node --test test/a.test.mjs"},
      {"npm run jest",
       {"src/a.spec.ts"},
       "export PATH=\"$PWD/node_modules/.bin:$PATH\" && jest --verbose --runTestsByPath src/a.spec.ts"},
      {"cd web && npm test",
       {"web/src/a.test.ts"},
       "cd web && export PATH=\"$PWD/node_modules/.bin:$PATH\" && vitest --reporter=verbose --run "
       "src/a.test.ts"},
      {"npx mocha --require x.js test", {"test/a.spec.js"}, "npx mocha --require x.js test/a.spec.js"},
      {"go test -race ./...", {"pkg/a_test.go"}, "go test -race -v -run '^(FuzzB|TestA)$' ./pkg"},
      {"cargo test --workspace --offline",
       {"crates/a/tests/deep/main.rs", "crates/a/tests/deep/util.rs", "crates/a/tests/one.rs"},
       "cargo test --offline --no-fail-fast --manifest-path crates/a/Cargo.toml --test deep --test one"},
      {"cargo test -- --nocapture", {"tests/one.rs"}, "cargo test --no-fail-fast --test one -- --nocapture"},
      {"cargo test --no-fail-fast", {"tests/one.rs"}, "cargo test --no-fail-fast --test one"},
      {"mvn -q test",
       {"src/test/java/AppTest.java", "src/test/java/BTest.java"},
       "mvn -q test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=AppTest,BTest"},
      {"make build && pytest",
       {"tests/test_new.py"},
       "make build && COLUMNS=400 pytest " + pytest + " tests/test_new.py"},
      // No recipe.
      {"sh run.sh", {"tests/test_new.py"}, ""},
      {"pytest | tee log", {"tests/test_new.py"}, ""},
      {"pytest; true", {"tests/test_new.py"}, ""},
      {"pytest $(cat list)", {"tests/test_new.py"}, ""},
      {"tox -e pytest", {"tests/test_new.py"}, ""},
      {"make all", {"tests/test_new.py"}, ""},
      {"pytest", {"tests/helper.py", "tests/data.json"}, ""},
      {"pytest", {"tests/test_$(id).py"}, ""},
      {"pytest", {"-test_a.py"}, ""},
      {"cd web && npm test", {"src/a.test.ts"}, ""},
      {"cargo test", {"src/tests.rs"}, ""},
      {"ctest --test-dir build", {"tests/a_test.c"}, ""},
      {"bun run test",
       {"test/a.test.js"},
       "export PATH=\"$PWD/node_modules/.bin:$PATH\" && node --test test/a.test.js"},
  };
  for (const auto& c : cases) {
    const auto found = cross_of(c.configured, c.files);
    EXPECT_EQ(found.whole, c.command.empty()) << c.configured << " gave " << found.command;
    EXPECT_EQ(found.command, c.command.empty() ? c.configured : c.command);
  }
}

TEST(CrossRecipes, RunTheBasesFilesOneByOne) {
  static const trees::BaseTree base(
      {"Cargo.toml", "src/lib.rs", "tests/a.rs", "tests/b.rs", "tests/test_a.py", "test/a.test.js"});
  const auto none = [](std::string_view) { return std::optional<std::string>(); };
  EXPECT_EQ(one_by_one({"pytest -x", base, none}, {"tests/test_a.py", "tests/test_b.py"}),
            "COLUMNS=400 pytest -vv -rfE --continue-on-collection-errors -p no:cacheprovider tests/test_a.py "
            "tests/test_b.py");
  EXPECT_EQ(
      one_by_one({"cargo test --offline", base, none}, {"tests/a.rs", "tests/b.rs"}),
      "(r=0; cargo test --offline --no-fail-fast --lib || r=1; cargo test --offline --no-fail-fast --bins || "
      "r=1; cargo test --offline --no-fail-fast --doc || r=1; cargo test --offline --no-fail-fast --test a "
      "|| "
      "r=1; cargo test --offline --no-fail-fast --test b || r=1; exit $r)");
  EXPECT_EQ(one_by_one({"npx mocha", base, none}, {"test/a.test.js", "test/b.test.js"}),
            "(r=0; npx mocha test/a.test.js || r=1; npx mocha test/b.test.js || r=1; exit $r)");
  EXPECT_EQ(one_by_one({"node --test", base, none}, {"test/a.test.js"}), "") << "it does so by itself";
  EXPECT_EQ(one_by_one({"./check.sh", base, none}, {"tests/test_a.py"}), "");
  EXPECT_EQ(one_by_one({"pytest", base, none}, std::vector<std::string>(5000, "tests/test_some_name.py")),
            "");
}

}  // namespace
}  // namespace hydra::checks
