#include "checks/cross_runners.hpp"

#include <algorithm>
#include <array>

namespace hydra::checks {
namespace {

using Text = std::string_view;

constexpr Text kPython[] = {"test_*.py", "*_test.py", "*_tests.py", "tests.py", "test.py"};
constexpr Text kUnittest[] = {"test*.py", "*_test.py", "*_tests.py"};
constexpr Text kScripts[] = {"*.test.*",  "*.spec.*", "*-test.*s", "*_test.*s",
                             "test-*.*s", "test.*s",  "test_*.*s"};
constexpr Text kGo[] = {"*_test.go"};
constexpr Text kRust[] = {"*.rs"};
constexpr Text kRuby[] = {"*_spec.rb"};
constexpr Text kElixir[] = {"*_test.exs"};
constexpr Text kBats[] = {"*.bats"};
constexpr Text kPerl[] = {"*.t"};
constexpr Text kDart[] = {"*_test.dart"};
constexpr Text kLua[] = {"*_spec.lua"};
constexpr Text kJvm[] = {"*Test.java", "*Tests.java", "*TestCase.java", "*IT.java",   "*Test.kt",
                         "*Tests.kt",  "*Spec.kt",    "*Test.scala",    "*Spec.scala"};
constexpr Text kDotnet[] = {"*Tests.cs", "*Test.cs"};

constexpr Text kPytestDrop[] = {"-q",          "-qq",  "--quiet",       "-x",   "--exitfirst",
                                "--lf",        "--ff", "--last-failed", "--sw", "--failed-first",
                                "--no-summary"};
constexpr Text kPytestValued[] = {"-c", "-p",        "-o",       "-W", "-k",    "-m",
                                  "-n", "--rootdir", "--ignore", "-r", "--cov", "--dist"};
constexpr Text kUnittestDrop[] = {"-q", "--quiet", "-f", "--failfast"};
constexpr Text kUnittestValued[] = {
    "-s", "-p", "-t", "-k", "--start-directory", "--pattern", "--top-level-directory"};
constexpr Text kScriptsDrop[] = {"--bail",     "-b",       "--watch",    "--watchAll",
                                 "--coverage", "--silent", "--runInBand"};
constexpr Text kScriptsValued[] = {"-c",
                                   "--config",
                                   "-r",
                                   "--require",
                                   "--import",
                                   "--loader",
                                   "-R",
                                   "--reporter",
                                   "--timeout",
                                   "-t",
                                   "--project",
                                   "--environment",
                                   "--ui",
                                   "--conditions",
                                   "--test-reporter",
                                   "--test-reporter-destination"};
constexpr Text kGoValued[] = {"-run", "-tags", "-timeout", "-count", "-parallel", "-p",
                              "-cpu", "-mod",  "-ldflags", "-exec",  "-skip",     "-bench"};
constexpr Text kCargoDrop[] = {"--workspace", "--all",     "--lib",         "--bins",   "--bin", "--tests",
                               "--examples",  "--benches", "--all-targets", "--no-run", "--doc"};
constexpr Text kCargoValued[] = {"-p",       "--package",    "--test", "--manifest-path", "--features",
                                 "--target", "--target-dir", "-j",     "--jobs",          "--profile"};
constexpr Text kOtherValued[] = {"-r", "-I", "--require", "-f", "--format", "-j", "-c", "--project"};

constexpr Runner kRunners[] = {
    {"pytest", "", FilesAs::words, kPython, kPytestDrop, kPytestValued,
     "-vv -rfE --continue-on-collection-errors -p no:cacheprovider", "COLUMNS=400", OneByOne::by_option},
    {"py.test", "", FilesAs::words, kPython, kPytestDrop, kPytestValued,
     "-vv -rfE --continue-on-collection-errors -p no:cacheprovider", "COLUMNS=400", OneByOne::by_option},
    {"unittest", "", FilesAs::discover, kUnittest, kUnittestDrop, kUnittestValued, "-v"},
    {"node", "--test", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, "--test-reporter=tap"},
    {"tsx", "--test", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, "--test-reporter=tap"},
    {"jest", "", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, "--verbose --runTestsByPath"},
    {"vitest", "", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, "--run --reporter=verbose"},
    {"mocha", "", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, "", "", OneByOne::apart},
    {"ava", "", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, ""},
    {"tape", "", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, ""},
    {"bun", "test", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, ""},
    {"deno", "test", FilesAs::words, kScripts, kScriptsDrop, kScriptsValued, ""},
    {"go", "test", FilesAs::go, kGo, {}, kGoValued, "-v"},
    {"cargo", "test", FilesAs::cargo, kRust, kCargoDrop, kCargoValued, "--no-fail-fast", "", OneByOne::apart},
    {"rspec", "", FilesAs::words, kRuby, {}, kOtherValued, "--format documentation", "", OneByOne::apart},
    {"mix", "test", FilesAs::words, kElixir, {}, kOtherValued, "--trace"},
    {"bats", "", FilesAs::words, kBats, {}, kOtherValued, ""},
    {"prove", "", FilesAs::words, kPerl, {}, kOtherValued, "-v"},
    {"dart", "test", FilesAs::words, kDart, {}, kOtherValued, "-r expanded"},
    {"flutter", "test", FilesAs::words, kDart, {}, kOtherValued, "-r expanded"},
    {"busted", "", FilesAs::words, kLua, {}, kOtherValued, ""},
    {"mvn",
     "test",
     FilesAs::classes,
     kJvm,
     {},
     kOtherValued,
     "-Dsurefire.failIfNoSpecifiedTests=false",
     "",
     OneByOne::already,
     "{}",
     ",",
     "-Dtest={}"},
    {"mvnw",
     "test",
     FilesAs::classes,
     kJvm,
     {},
     kOtherValued,
     "-Dsurefire.failIfNoSpecifiedTests=false",
     "",
     OneByOne::already,
     "{}",
     ",",
     "-Dtest={}"},
    {"gradle",
     "test",
     FilesAs::classes,
     kJvm,
     {},
     kOtherValued,
     "",
     "",
     OneByOne::already,
     "--tests '*{}'",
     " ",
     "{}"},
    {"gradlew",
     "test",
     FilesAs::classes,
     kJvm,
     {},
     kOtherValued,
     "",
     "",
     OneByOne::already,
     "--tests '*{}'",
     " ",
     "{}"},
    {"dotnet",
     "test",
     FilesAs::classes,
     kDotnet,
     {},
     kOtherValued,
     "",
     "",
     OneByOne::already,
     "FullyQualifiedName~{}",
     "|",
     "--filter '{}'"},
};

}  // namespace

std::span<const Runner> runners() { return kRunners; }

bool stands_before_runner(Text word) {
  constexpr std::array<Text, 27> kWords{
      "env",      "exec",  "time", "nice",     "npx",    "timeout", "poetry", "uv",      "pipenv",
      "rye",      "hatch", "pdm",  "run",      "bundle", "bunx",    "yarn",   "pnpm",    "dotenv",
      "coverage", "c8",    "nyc",  "xvfb-run", "npm",    "x",       "dlx",    "command", "bun"};
  if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
  const bool number = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == 's' || c == 'm';
  });
  const auto own = word.substr(word.rfind('/') + 1);
  return number || word.starts_with('-') || own.starts_with("python") || own == "pypy3";
}

}  // namespace hydra::checks
