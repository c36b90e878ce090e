#include "checks/advice.hpp"

#include "config/config.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace hydra;
using checks::AdviceKind;
using checks::Step;

config::EcosystemSet tools(const std::vector<std::string>& names) {
  config::EcosystemSet set;
  for (const auto& name : names) set.push_back(config::find_ecosystem(name));
  return set;
}

struct AdviceRow {
  const char* signature;
  AdviceKind kind;
  const char* tool;
  Step step;
  const char* line;
  const char* advice;  ///< part of it
};

void PrintTo(const AdviceRow& row, std::ostream* out) { *out << row.line; }

class Signature : public testing::TestWithParam<AdviceRow> {};

TEST_P(Signature, IsRecognised) {
  const auto& row = GetParam();
  const auto log = std::string("> build\n\n") + row.line + "\nand so on\n";
  const auto advice = checks::advise(log, row.step, tools({row.tool}));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->signature, row.signature);
  EXPECT_EQ(advice->kind, row.kind);
  EXPECT_NE(advice->advice.find(row.advice), std::string::npos) << advice->advice;
  EXPECT_FALSE(advice->meaning.empty());
  EXPECT_FALSE(advice->line.empty());
}

constexpr auto kEnv = AdviceKind::environment;
constexpr auto kCandidate = AdviceKind::candidate;
constexpr auto kOurs = AdviceKind::hydra;

// Lines as the tools print them.
const AdviceRow kAdviceRows[] = {
    {"name-lookup", kEnv, "npm", Step::setup,
     "npm error request to https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz failed, reason: "
     "getaddrinfo EAI_AGAIN "
     "registry.npmjs.org",
     "setup = \"npm ci\""},
    {"name-lookup", kEnv, "npm", Step::tests, "    Error: getaddrinfo ENOTFOUND api.example.org",
     "check_network = true"},
    {"npm-not-cached", kEnv, "npm", Step::setup, "npm error code ENOTCACHED", "share = [\"node_modules\"]"},
    {"npm-not-cached", kEnv, "npm", Step::setup,
     "npm error request to https://registry.npmjs.org/left-pad failed: cache mode is 'only-if-cached' but no "
     "cached "
     "response is available.",
     "resolved"},
    {"pnpm-not-stored", kEnv, "pnpm", Step::setup,
     " ERR_PNPM_NO_OFFLINE_TARBALL  A package is missing from the store but cannot download it in offline "
     "mode.",
     "pnpm install --frozen-lockfile"},
    {"node-lock-outdated", kCandidate, "pnpm", Step::setup,
     " ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with \"frozen-lockfile\" because pnpm-lock.yaml is not up "
     "to date with "
     "package.json",
     "commit"},
    {"node-lock-outdated", kCandidate, "npm", Step::setup,
     "npm error `npm ci` can only install packages when your package.json and package-lock.json or "
     "npm-shrinkwrap.json "
     "are in sync.",
     "commit"},
    {"no-network", kEnv, "make", Step::build, "curl: (6) Could not resolve host: nope.invalid",
     "setup_network = true"},
    {"no-network", kEnv, "make", Step::build,
     "fatal: unable to access 'https://github.com/x/y/': Could not resolve host: github.com",
     "setup_network = true"},
    {"no-network", kEnv, "cmake", Step::setup,
     "fatal: unable to access 'https://github.com/x/y/': Could not resolve host: github.com", "build/_deps"},
    {"no-network", kEnv, "pip", Step::tests,
     "E   urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
     "check_network"},
    {"no-network", kEnv, "go", Step::build,
     "a.go:2:8: module rsc.io/zzz: Get \"https://proxy.golang.org/rsc.io/zzz/@v/list\": dial tcp: lookup "
     "proxy.golang.org on 10.255.255.53:53: dial udp 10.255.255.53:53: connect: network is unreachable",
     "go mod download"},
    {"no-network", kEnv, "make", Step::build, "connect: Network is unreachable", "setup_network"},
    {"cargo-registry", kEnv, "cargo", Step::build,
     "  failed to download from `https://index.crates.io/config.json`", "cargo fetch --locked"},
    {"cargo-registry", kEnv, "cargo", Step::build, "error: no matching package named `zzqqxx` found",
     "cargo fetch"},
    {"cargo-registry", kEnv, "cargo", Step::build,
     "As a reminder, you're using offline mode (--offline) which can sometimes cause surprising resolution "
     "failures, if "
     "this error is too confusing you may wish to retry without `--offline`.",
     "cargo fetch"},
    {"cargo-lock-outdated", kCandidate, "cargo", Step::setup,
     "error: cannot update the lock file /w/Cargo.lock because --locked was passed to prevent this",
     "Cargo.lock"},
    {"pip-not-found", kEnv, "pip", Step::setup,
     "ERROR: Could not find a version that satisfies the requirement setuptools>=40.8.0 (from versions: "
     "none)",
     "--no-build-isolation"},
    {"pip-not-found", kEnv, "pip", Step::setup,
     "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after "
     "connection broken by "
     "'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f668a2be650>: Failed "
     "to "
     "establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/zzz/",
     ".venv"},
    {"python-module", kEnv, "pip", Step::tests, "E   ModuleNotFoundError: No module named 'zzz'", ".venv"},
    {"python-module", kEnv, "pip", Step::tests, "/w/v/bin/python: No module named pytest",
     ".venv/bin/python"},
    {"program-not-found", kEnv, "npm", Step::tests, "sh: 1: jest: not found", "share = [\"node_modules\"]"},
    {"program-not-found", kEnv, "pnpm", Step::tests, "sh: 1: vitest: not found", "**/node_modules"},
    {"program-not-found", kEnv, "npm", Step::tests, "Error: Cannot find module 'zzz'", "**/node_modules"},
    {"program-not-found", kEnv, "npm", Step::tests,
     "    Cannot find module '@w/lib' from 'packages/app/test/app.test.js'", "**/node_modules"},
    {"program-not-found", kEnv, "npm", Step::tests,
     "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zzz' imported from /w/a.mjs", "node_modules"},
    {"program-not-found", kEnv, "make", Step::build, "/bin/sh: 1: protoc: not found", "PATH"},
    {"program-not-found", kEnv, "make", Step::build, "bash: line 1: protoc: command not found", "PATH"},
    {"go-modules", kEnv, "go", Step::build, "go: inconsistent vendoring in /w:", "go mod download"},
    {"go-modules", kEnv, "go", Step::build, "a.go:3:8: cannot find package \".\" in: /w/vendor/rsc.io/quote",
     "go mod"},
    {"go-modules", kEnv, "go", Step::build,
     "a.go:2:8: cannot find module providing package rsc.io/zzz: module lookup disabled by GOPROXY=off",
     "go mod"},
    {"go-modules", kEnv, "go", Step::build, "a.go:2:8: module lookup disabled by GOPROXY=off", "caches"},
    {"go-modules", kEnv, "go", Step::build,
     "a.go:2:8: missing go.sum entry for module providing package rsc.io/quote (imported by x); to add:",
     "go mod"},
    {"git-in-workspace", kOurs, "go", Step::build, "error obtaining VCS status: exit status 128", "report"},
    {"git-in-workspace", kOurs, "make", Step::build,
     "fatal: not a git repository (or any of the parent directories): .git", "report"},
    {"git-in-workspace", kOurs, "make", Step::build, "fatal: bad object HEAD", "report"},
    {"owner", kOurs, "make", Step::build, "fatal: detected dubious ownership in repository at '/w'",
     "report"},
    {"maven-offline", kEnv, "maven", Step::build,
     "[ERROR] Plugin org.apache.maven.plugins:maven-resources-plugin:2.6 or one of its dependencies could "
     "not be "
     "resolved: Cannot access central (https://repo.maven.apache.org/maven2) in offline mode and the "
     "artifact "
     "org.apache.maven.plugins:maven-resources-plugin:jar:2.6 has not been downloaded from it before. -> "
     "[Help 1]",
     "dependency:go-offline"},
    {"maven-offline", kEnv, "maven", Step::build,
     "[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/PluginResolutionException",
     "caches = [\"m2\"]"},
    {"bundler-gem", kEnv, "bundler", Step::tests,
     "/usr/lib/ruby/3.1.0/bundler/resolver.rb:269:in `block in verify_gemfile_dependencies_are_found!': "
     "Could not find "
     "gem 'zzqq' in locally installed gems. (Bundler::GemNotFound)",
     "bundle install"},
    {"bundler-gem", kEnv, "bundler", Step::setup,
     "Could not reach host rubygems.org. Check your network connection and try again.", "bundle install"},
    {"bundler-gem", kEnv, "bundler", Step::tests, "Could not find rake-13.0.6 in locally installed gems",
     "bundle install"},
    {"composer-autoload", kEnv, "composer", Step::tests, "Cannot open file \"vendor/autoload.php\".",
     "vendor"},
    {"composer-autoload", kEnv, "composer", Step::tests,
     "PHP Warning:  require(vendor/autoload.php): Failed to open stream: No such file or directory in "
     "Command line code "
     "on line 1",
     "composer install"},
    {"read-only", kEnv, "npm", Step::tests,
     "Error: EROFS: read-only file system, open '/w/node_modules/.vite/vitest/results.json'", "caches"},
    {"read-only", kEnv, "cargo", Step::build,
     "error: could not create temp file /home/u/.rustup/tmp/x: Read-only file system (os error 30)",
     "rustup"},
    {"cross-device-rename", AdviceKind::exdev, "npm", Step::tests,
     "Error: EXDEV: cross-device link not permitted, rename '/w/dist' -> '/w/old'", "copied workspace"},
    {"cross-device-rename", AdviceKind::exdev, "pip", Step::tests,
     "OSError: [Errno 18] Invalid cross-device link: '/w/build' -> '/w/old'", "copied workspace"},
    {"cross-device-rename", AdviceKind::exdev, "cargo", Step::tests,
     "Error: Os { code: 18 }: link (os error 18)", "copied"},
    {"busy", kOurs, "cmake", Step::build, "rm: cannot remove 'build': Device or resource busy", "report"},
    {"busy", kOurs, "npm", Step::build, "Error: EBUSY: resource busy or locked, rmdir '/w/dist'", "report"},
    {"cmake-cache-mismatch", AdviceKind::reject_run, "cmake", Step::build,
     "CMake Error: The current CMakeCache.txt directory /b/build/CMakeCache.txt is different than the "
     "directory /a/build "
     "where CMakeCache.txt was created. This may result in binaries being created in the wrong place. If you "
     "are not "
     "sure, reedit the CMakeCache.txt",
     "outputs"},
    {"cmake-cache-mismatch", AdviceKind::reject_run, "cmake", Step::setup,
     "CMake Error: The source \"/b/CMakeLists.txt\" does not match the source \"/a/CMakeLists.txt\" used to "
     "generate "
     "cache.  Re-run cmake with a different source directory.",
     "outputs"},
    {"tool-version", kEnv, "pip", Step::tests,
     "pyenv: version `3.13.0' is not installed (set by /w/.python-version)", "install it"},
    {"tool-version", kEnv, "cargo", Step::build,
     "info: syncing channel updates for '1.70.0-x86_64-unknown-linux-gnu'", "install it"},
    {"host-service", kEnv, "npm", Step::tests, "Error: connect ECONNREFUSED 127.0.0.1:5432", "check_network"},
    {"host-service", kEnv, "bundler", Step::tests, "could not connect to server: Connection refused",
     "test command"},
    {"host-service", kEnv, "npm", Step::tests,
     "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
     "in_place"},
    {"port-in-use", AdviceKind::port, "npm", Step::tests,
     "Error: listen EADDRINUSE: address already in use :::3000", "$HYDRA_PORT_0"},
    {"port-in-use", AdviceKind::port, "pip", Step::tests, "OSError: [Errno 98] Address already in use",
     "checks = 1"},
    {"no-space", kOurs, "npm", Step::tests, "Error: ENOENT: no such file or directory, mkdir '/tmp/x/y'",
     "limits"},
    {"no-space", kOurs, "make", Step::build, "/tmp/cc1.s: No space left on device", "limits"},
    {"user-id", kOurs, "npm", Step::tests,
     "SystemError [ERR_SYSTEM_ERROR]: A system error occurred: uv_os_get_passwd returned ENOENT (no such "
     "file or "
     "directory)",
     "report"},
    {"user-id", kOurs, "pip", Step::tests, "KeyError: 'getpwuid(): uid not found: 1000'", "report"},
};

INSTANTIATE_TEST_SUITE_P(Table, Signature, testing::ValuesIn(kAdviceRows));

class NearMiss : public testing::TestWithParam<const char*> {};

TEST_P(NearMiss, SaysNothing) {
  const auto advice = checks::advise(GetParam(), Step::tests, tools({"npm", "pip", "cargo", "go"}));
  EXPECT_FALSE(advice) << advice->signature;
}

const char* const kNearMisses[] = {
    "",
    "\n\n\n",
    "Tests: 3 passed, 3 total",
    "AssertionError: expected 3 to be 4",
    // Tests that are about these errors, and passed.
    "  ✓ retries on ENOTFOUND (3 ms)",
    "ok 12 - maps EAI_AGAIN to a retry",
    "tests/test_net.py::test_getaddrinfo PASSED",
    "test net::refuses_exdev ... ok",
    "--- PASS: TestEADDRINUSE (0.00s)",
    "[       OK ] Rename.EXDEV (0 ms)",
    // Longer words.
    "MY_ENOTFOUND_PAGE is shown",
    "ENOTCACHEDX",
    "x_getpwuid_r",
    "EROFS2",
    "os error 180",
    "os error 162",
    // The other half is missing, or stands in the wrong order.
    "CMakeCache.txt directory is here",
    "is different from CMakeCache.txt directory",
    "Could not find a version that satisfies the requirement x==2 (from versions: 1.0, 1.1)",
    "sh: 1: fine",
    "the page was not found",
    "404: not found",
    "error: command not found in table",
    "ENOENT: no such file or directory, mkdir '/w/x'",
    "ENOENT: no such file or directory, open '/tmp/x'",
    "connect ECONNREFUSED 10.0.0.1:5432",
    "the module named x was found",
    "is not installed",
    "unlocked --locked",
};

INSTANTIATE_TEST_SUITE_P(Table, NearMiss, testing::ValuesIn(kNearMisses));

TEST(Advise, OneToolsOwnWordsBeforeGeneralOnes) {
  const auto all = tools({"cargo"});
  const auto cargo = checks::advise(
      "  failed to download from `https://index.crates.io/config.json`\n"
      "  [6] Could not resolve hostname (Could not resolve host: index.crates.io)\n",
      Step::build, all);
  ASSERT_TRUE(cargo);
  EXPECT_EQ(cargo->signature, "cargo-registry");
  // A run that counts for nothing is that whatever else is in the log.
  const auto mismatch = checks::advise(
      "EXDEV\nCMakeCache.txt directory /a/CMakeCache.txt is different than the directory /b\nENOTCACHED\n",
      Step::build, all);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->kind, AdviceKind::reject_run);
}

TEST(Advise, OnlyTheLastTwoHundredLines) {
  std::string log = "npm error code ENOTCACHED\n";
  for (int i = 0; i < 199; ++i) log += "line\n";
  EXPECT_TRUE(checks::advise(log, Step::setup, {}));
  log += "line\n";
  EXPECT_FALSE(checks::advise(log, Step::setup, {}));
}

TEST(Advise, ColoursAndCarriageReturnsDoNotHide) {
  EXPECT_TRUE(checks::advise("\x1b[31mnpm error\x1b[0m code \x1b[1mENOTCACHED\x1b[0m\r\n", Step::setup, {}));
}

TEST(Advise, TheLineIsFitToShow) {
  const auto advice = checks::advise(
      "\x1b]0;x\a getaddrinfo ENOTFOUND db.corp.example https://me:word@a.example/ " + std::string(4000, 'x'),
      Step::tests, {});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->line.find("corp"), std::string::npos);
  EXPECT_EQ(advice->line.find("word"), std::string::npos);
  EXPECT_EQ(advice->line.find('\x1b'), std::string::npos);
  EXPECT_LE(advice->line.size(), 310u);
}

// "It comes from the change" is said only where the change holds the missing name.
TEST(Advise, AMissingNameOfTheChange) {
  const auto adds = [](const char* line, const char* patch) {
    const auto advice = checks::advise(line, Step::tests, {});
    return advice && checks::adds_missing_name(*advice, patch);
  };
  const char* patch = "--- a/app.py\n+++ b/app.py\n@@ -1 +1,2 @@\n import os\n+from requests import get\n";
  EXPECT_TRUE(adds("ModuleNotFoundError: No module named 'requests'", patch));
  EXPECT_TRUE(adds("ModuleNotFoundError: No module named 'requests.adapters'", patch));
  EXPECT_FALSE(adds("ModuleNotFoundError: No module named 'numpy'", patch));
  EXPECT_FALSE(adds("ModuleNotFoundError: No module named 'os'", patch)) << "the base has the line";
  EXPECT_FALSE(adds("ModuleNotFoundError: No module named 'request'", patch)) << "another word";
}

TEST(Advise, NothingRanByTheLastLine) {
  EXPECT_TRUE(checks::ran_nothing("make: Nothing to be done for 'test'.\n\n"));
  EXPECT_TRUE(checks::ran_nothing("fatal: Not a valid object name origin/main\nNo projects affected\n"));
  EXPECT_FALSE(checks::ran_nothing("ninja: no work to do.\nall tests passed\n"));
  EXPECT_FALSE(checks::ran_nothing(""));
}

TEST(Advise, HostileLogsEnd) {
  std::string log;
  for (int i = 0; i < 300; ++i) log += std::string(100'000, "\xff\x1b[E"[i % 4]) + "\n";
  EXPECT_FALSE(checks::advise(log, Step::tests, tools({"npm"})));
  EXPECT_FALSE(checks::must_reject(log));
  EXPECT_FALSE(checks::advise(std::string(3'000'000, '\n'), Step::tests, {}));
}

TEST(Advise, EveryKeyThatIsNamedExists) {
  const auto known = config::all_keys();
  std::set<std::string> seen;
  for (const auto& row : kAdviceRows)
    for (const auto& text : {checks::advise(row.line, row.step, tools({row.tool}))->advice,
                             checks::advise(row.line, row.step, tools({row.tool}))->candidate_advice})
      for (auto at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
        const auto end = text.find(']', at);
        ASSERT_NE(end, std::string::npos) << text;
        const auto section = text.substr(at, end - at + 1);
        if (section.size() < 3 || section[1] < 'a' || section[1] > 'z') continue;
        EXPECT_NE(known.find("\n" + section + "\n"), std::string::npos) << text;
        seen.insert(section);
      }
  EXPECT_GE(seen.size(), 3u);
  for (const auto* key : {"setup", "setup_network", "share", "outputs", "caches", "checks", "check_network"})
    EXPECT_NE(known.find(std::string("\n#") + key + " = "), std::string::npos) << key;
}

TEST(MustReject, InTheWholeLog) {
  std::string log =
      "CMake Error: The current CMakeCache.txt directory /b/CMakeCache.txt is different than the directory "
      "/a where "
      "CMakeCache.txt was created.\n";
  for (int i = 0; i < 1000; ++i) log += "ninja: no work to do.\n";
  EXPECT_TRUE(checks::must_reject(log));
  EXPECT_FALSE(checks::must_reject(log.substr(log.find('\n'))));
  EXPECT_FALSE(checks::must_reject("-- Build files have been written to: /w/build/CMakeCache.txt\n"));
}

TEST(NeedsCopy, ByItsSignature) {
  EXPECT_TRUE(checks::needs_copy("OSError: [Errno 18] Invalid cross-device link: '/w/a' -> '/w/b'\n"));
  EXPECT_FALSE(checks::needs_copy("  ✓ handles EXDEV\n"));
  EXPECT_FALSE(checks::needs_copy("nothing\n"));
}

model::CheckEvidence failed(model::Dimension dimension) {
  model::CheckEvidence evidence;
  evidence.dimension = dimension;
  evidence.status = model::CheckStatus::failed;
  return evidence;
}

TEST(StopsRace, WhenNothingWorked) {
  const auto env = *checks::advise("sh: 1: jest: not found", Step::tests, {});
  auto tests = failed(model::Dimension::tests);
  EXPECT_TRUE(checks::stops_race(env, tests));
  tests.tests.emplace();
  tests.tests->counts.passed = 0;
  EXPECT_TRUE(checks::stops_race(env, tests));
  tests.tests->counts.passed = 40;  // one test of forty-one misses something: the race can go on
  EXPECT_FALSE(checks::stops_race(env, tests));
  tests.tests->counts.passed = 0;
  tests.status = model::CheckStatus::passed;
  EXPECT_FALSE(checks::stops_race(env, tests));
  EXPECT_TRUE(checks::stops_race(env, failed(model::Dimension::build)));
  auto lint = failed(model::Dimension::lint);
  EXPECT_TRUE(checks::stops_race(env, lint));
  lint.lint = model::LintReport{"eslint", 3, 0, {}};
  EXPECT_FALSE(checks::stops_race(env, lint));
}

TEST(StopsRace, NotForARefusedRenameAlwaysForAForeignBuildDirectory) {
  EXPECT_FALSE(
      checks::stops_race(*checks::advise("EXDEV", Step::tests, {}), failed(model::Dimension::tests)));
  auto passed = failed(model::Dimension::build);
  passed.status = model::CheckStatus::passed;
  EXPECT_TRUE(checks::stops_race(
      *checks::advise("CMakeCache.txt directory /a is different than the directory /b", Step::build, {}),
      passed));
}

TEST(Advice, ASetUpThatHasTheNetworkIsNotToldToTakeIt) {
  const std::string log =
      "npm error code EAI_AGAIN\nnpm error request to https://registry.npmjs.org failed\n";
  const auto without = checks::advise(log, Step::setup, tools({"npm"}));
  ASSERT_TRUE(without);
  EXPECT_NE(without->advice.find("setup_network = true"), std::string::npos);
  const auto with = checks::advise(log, Step::setup, tools({"npm"}), true);
  ASSERT_TRUE(with);
  EXPECT_EQ(with->advice.find("setup_network"), std::string::npos) << with->advice;
  EXPECT_NE(with->advice.find("by name"), std::string::npos) << with->advice;
}

TEST(Advice, WhatTheMachineLacksIsTold) {
  const std::pair<const char*, const char*> rows[] = {
      {"make: cc1plusplus: No such file or directory", "tool-missing"},
      {"configure: error: no acceptable C compiler found in $PATH", "tool-missing"},
      {"error: package `clap v4.5.1` cannot be built because it requires rustc 1.74 or newer",
       "toolchain-too-old"},
      {"go: errors parsing go.mod: go.mod requires go >= 1.24 (running go 1.19.8)", "toolchain-too-old"},
      {"npm error code EBADENGINE", "toolchain-too-old"},
      {"/usr/bin/ld: cannot find -lcurl", "library-missing"},
      {"No package 'libxml-2.0' found", "library-missing"},
      {"Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module)", "library-missing"},
  };
  for (const auto& [line, signature] : rows) {
    const auto advice = checks::advise(std::string(line) + "\n", Step::build, {});
    ASSERT_TRUE(advice) << line;
    EXPECT_EQ(advice->signature, signature) << line;
    EXPECT_FALSE(advice->advice.empty()) << line;
  }
}

struct Complaint {
  const char *log, *line;
};
class Complaints : public ::testing::TestWithParam<Complaint> {};

TEST_P(Complaints, AreTheLineOfTheCommandItself) {
  EXPECT_EQ(checks::complaint_of(GetParam().log), GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Tools, Complaints,
    ::testing::Values(
        Complaint{"a.py .. [100%]\nTOTAL  10  3  70%\nFAIL Required test coverage of 80% not reached. Total "
                  "coverage: 70.00%\n2 passed in 0.10s\n",
                  "FAIL Required test coverage of 80% not reached. Total coverage: 70.00%"},
        Complaint{"PASS ./a.test.js\nJest: \"global\" coverage threshold for lines (90%) not met: 80%\n"
                  "Tests: 2 passed, 2 total\nnpm ERR! Test failed.  See above for more details.\n",
                  "Jest: \"global\" coverage threshold for lines (90%) not met: 80%"},
        Complaint{"1 snapshot obsolete.\nTests: 2 passed, 2 total\n ELIFECYCLE  Test failed.\n",
                  "1 snapshot obsolete."},
        Complaint{
            "3 tests passed\nlicence of left-pad is not allowed\nmake: *** [Makefile:2: test] Error 1\n",
            "licence of left-pad is not allowed"},
        Complaint{"ok 1 - a\n1..1\n", ""}));

}  // namespace
