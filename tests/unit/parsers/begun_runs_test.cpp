// A known runner that was ended from within leaves exit code 0 and no summary: never a clean pass, and never
// the fallback to the exit code.
#include "parsers/parsers.hpp"
#include "score.hpp"

#include <gtest/gtest.h>

namespace hydra::parsers {
namespace {

struct Begun {
  std::string name, format, command, text;
};
[[maybe_unused]] void PrintTo(const Begun& b, std::ostream* out) { *out << b.name; }

const Begun kBegun[] = {
    {"mocha_exit_in_a_test", "mocha", "", "\n> demo@1.0.0 test\n> mocha\n\n\n\n  math\n"},
    {"mocha_by_its_command", "mocha", "npx mocha --exit", "\n\n  math\n    adds\n"},
    {"mocha_one_mark", "mocha", "mocha", "\n\n  math\n    ✔ adds\n"},
    {"mocha_dots", "mocha", "mocha -R dot", "\n\n  .."},
    {"mocha_with_a_printed_total", "mocha", "mocha", "\n\n  math\n9 passed, 0 failed\n"},
    {"pytest_quiet_cut", "pytest", "",
     "........................................................... [ 12%]\n....."},
    {"pytest_file_marks", "pytest", "", "tests/test_a.py .."},
    {"pytest_quiet_marks", "pytest", "pytest -q", ".."},
    {"pytest_silent", "pytest", "python3 -m pytest -q tests", ""},
    {"pytest_told_by_make", "pytest", "make test", "python3 -m pytest -q\n.."},
    {"pytest_names", "pytest", "", "test_a.py::test_a PASSED\n"},
    {"unittest_marks", "unittest", "python3 -m unittest", "..F"},
    {"unittest_silent", "unittest", "cd app && python3 -m unittest discover", ""},
    {"go_silent", "go-test", "go test ./...", ""},
    {"go_other_words", "go-test", "go test ./...", "listening on :8080\n"},
    {"cargo_silent", "cargo-test", "cargo test --workspace 2>&1", "   Compiling demo v0.1.0 (/repo)\n"},
    {"nextest", "nextest", "",
     "    Starting 3 tests across 2 binaries\n        PASS [   0.004s] demo tests::adds\n"},
    {"minitest", "minitest", "",
     "Run options: --seed 705\n\n# Running:\n\n..9 runs, 9 assertions, 0 failures, 0 errors, 0 skips\n"},
    {"test_unit", "test-unit", "", "Loaded suite t\nStarted\n"},
    {"rspec_documentation", "rspec", "", "\nMath\n  adds\n  bad (FAILED - 1)\n9 examples, 0 failures\n"},
    {"rspec_marks", "rspec", "bundle exec rspec", "..F\n9 examples, 0 failures\n"},
    {"jasmine", "jasmine", "", "Randomized with seed 89025\nStarted\n.."},
    {"exunit_trace", "exunit", "", "\nDTest [test/d_test.exs]\n  * test adds [L#4]\n9 tests, 0 failures\n"},
    {"cucumber", "cucumber", "", "Feature: math\n\n  Scenario: adds # features/a.feature:2\n    Given one\n"},
    {"eunit", "eunit", "", "===> Compiling d\n===> Performing EUnit tests...\n.."},
    {"dotnet", "dotnet", "", "Starting test execution, please wait...\n"},
};

class BegunRuns : public testing::TestWithParam<Begun> {};

TEST_P(BegunRuns, AreNoPass) {
  const auto& b = GetParam();
  const auto r = parse_tests(b.text, {0, {}}, b.command);
  EXPECT_EQ(r.format, b.format);
  EXPECT_FALSE(r.complete);
  EXPECT_EQ(r.outcome, model::TestOutcome::partial);
  EXPECT_FALSE(r.suspicious.empty());
  EXPECT_FALSE(r.counts.passed || r.counts.total);
  EXPECT_FALSE(golden::looks_clean(r));
}

INSTANTIATE_TEST_SUITE_P(Known, BegunRuns, testing::ValuesIn(kBegun),
                         [](const auto& parameter) { return parameter.param.name; });

// A command that may keep a runner silent, or is none, stays with the exit code.
TEST(BegunRunsNot, OtherCommands) {
  for (const std::string_view command :
       {"make test", "./run_pytest.sh", "pytest --collect-only", "pytest -p no:terminal", "pytest > log.txt",
        "if [ -d tests ]; then pytest; fi", "go test -c ./...", "cargo test --no-run", "pip install pytest",
        "go vet ./...", "echo pytest", "npx mocha", "bundle exec rspec", "phpunit", "cargo test | tail -3",
        "pytest || true", ""})
    for (const std::string_view text : {"", "all good\n", "done.\n"})
      EXPECT_EQ(parse_tests(text, {0, {}}, command).format, "exit_code_only") << command << ": " << text;
}

TEST(BegunRunsNot, OtherTexts) {
  for (const std::string_view text :
       {"Running unit tests:\nall good\n", "..........\n", "  indented\n",
        "collected 5 items from the feed\n", "Installing mocha\n  done\n", "running 5 integration tests\n",
        "a.py ok\n", "[ 42%] Building C object a.o\n"})
    EXPECT_EQ(parse_tests(text, {0, {}}).format, "exit_code_only") << text;
}

TEST(BegunRunsNot, AnotherExitCodeOrFinishedRuns) {
  EXPECT_EQ(parse_tests("", {1, {}}, std::string_view("pytest")).format, "exit_code_only");
  const auto r = parse_tests("..\n2 passed in 0.01s\n", {0, {}}, std::string_view("pytest -q"));
  EXPECT_TRUE(r.complete && r.suspicious.empty());
}

}  // namespace
}  // namespace hydra::parsers
