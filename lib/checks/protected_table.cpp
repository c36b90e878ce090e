#include "checks/protected_table.hpp"

#include <algorithm>
#include <array>

namespace hydra::checks {
namespace {

using Text = std::string_view;
constexpr auto kBase = RestoreAction::base;
constexpr auto kKeys = RestoreAction::keys;
constexpr auto kFlag = RestoreAction::flag;

constexpr Text kPythonHooks[] = {"conftest.py",         "sitecustomize.py",    "usercustomize.py",
                                 "site-packages/*.pth", "dist-packages/*.pth", "pytest_plugins.py"};
constexpr Text kPythonTests[] = {"pytest.ini", ".pytest.ini", "pytest.toml",  ".pytest.toml", "tox.ini",
                                 "nose.cfg",   ".noserc",     ".coveragerc",  "behave.ini",   ".behaverc",
                                 "noxfile.py", "tox.toml",    "runtests.cfg", "unittest.cfg"};
constexpr Text kNodeTests[] = {"jest.config.*",
                               "jest.*.config.*",
                               "jest-*.config.*",
                               "jest.preset.*",
                               "vitest.config.*",
                               "vitest.*.ts",
                               "vitest.workspace.*",
                               ".mocharc*",
                               "mocha.opts",
                               "ava.config.*",
                               "karma.conf.*",
                               "cypress.config.*",
                               "playwright.config.*",
                               "wdio.conf.*",
                               ".nycrc*",
                               ".c8rc*",
                               "c8.config.*",
                               "nyc.config.*",
                               ".taprc",
                               "jasmine.json",
                               "jasmine.mjs",
                               "cypress.json",
                               "protractor.conf.*",
                               "codecept.conf.*",
                               "testem.js",
                               ".testcaferc*",
                               "web-test-runner.config.*"};
constexpr Text kNodeHooks[] = {
    "jest.setup.*",   "jest-setup.*",    "setup-jest.*",    "setupJest.*",   "setupTests.*",
    "vitest.setup.*", "vitest-setup.*",  "setup-vitest.*",  "mocha.setup.*", "jest.environment.*",
    "__mocks__/**",   "jest.resolver.*", "jest.reporter.*", ".npmrc",        ".yarnrc",
    ".pnpmfile.cjs",  ".pnpmfile.mjs",   "bunfig.toml"};
constexpr Text kYarn[] = {".yarnrc.yml", "pnpm-workspace.yaml"};
constexpr Text kRustTests[] = {".cargo/config.toml", ".cargo/config", ".config/nextest.toml",
                               "tarpaulin.toml", ".tarpaulin.toml"};
constexpr Text kGoTests[] = {"go.work", "gotestsum.yaml", ".gotestsum.yml"};
constexpr Text kToolVersions[] = {
    "rust-toolchain", "rust-toolchain.toml", ".tool-versions", ".python-version", ".nvmrc",   ".node-version",
    ".ruby-version",  "mise.toml",           ".mise.toml",     ".java-version",   ".sdkmanrc"};
constexpr Text kCmakeTests[] = {"CTestConfig.cmake", "CTestCustom.cmake", "CTestCustom.ctest",
                                "CTestTestfile.cmake", "DartConfiguration.tcl"};
constexpr Text kJvmTests[] = {"testng.xml",  "testng-*.xml",        "junit-platform.properties",
                              ".mvn/**",     "gradle/init.d/**",    "gradle/wrapper/**",
                              "init.gradle", "surefire.properties", "META-INF/services/org.junit.*"};
constexpr Text kRubyTests[] = {".rspec",         ".rspec-local", "spec_helper.rb", "rails_helper.rb",
                               "test_helper.rb", ".simplecov",   "cucumber.yml",   ".minitest"};
constexpr Text kOtherTests[] = {
    "phpunit.xml",   "phpunit.xml.dist",  "phpunit.*.xml", "behat.yml",      "codeception.yml",
    "*.runsettings", "xunit.runner.json", "*.runner.json", "dart_test.yaml", ".proverc",
    "busted.lua",    ".busted",           "tests.opts",    "bats.conf",      ".luacov"};
constexpr Text kCi[] = {".github/workflows/**",
                        ".github/actions/**",
                        ".gitlab-ci.yml",
                        ".gitlab/ci/**",
                        ".circleci/**",
                        ".travis.yml",
                        "azure-pipelines.yml",
                        "Jenkinsfile",
                        ".drone.yml",
                        ".buildkite/**",
                        "bitbucket-pipelines.yml",
                        "appveyor.yml",
                        ".appveyor.yml",
                        ".cirrus.yml",
                        ".woodpecker/**",
                        ".woodpecker.yml",
                        "cloudbuild.yaml",
                        ".semaphore/**",
                        ".teamcity/**",
                        "codecov.yml",
                        ".codecov.yml"};
constexpr Text kLint[] = {".eslintrc*",
                          "eslint.config.*",
                          ".eslintignore",
                          ".prettierrc*",
                          "prettier.config.*",
                          ".prettierignore",
                          ".stylelintrc*",
                          "stylelint.config.*",
                          ".stylelintignore",
                          "biome.json",
                          "biome.jsonc",
                          ".oxlintrc.json",
                          "oxlint.json",
                          "tslint.json",
                          ".jshintrc",
                          ".jscsrc",
                          ".xo-config*",
                          ".flake8",
                          ".pylintrc",
                          "pylintrc",
                          "ruff.toml",
                          ".ruff.toml",
                          "mypy.ini",
                          ".mypy.ini",
                          "pyrightconfig.json",
                          ".isort.cfg",
                          ".bandit",
                          ".pycodestyle",
                          ".pydocstyle",
                          ".golangci.*",
                          "staticcheck.conf",
                          "revive.toml",
                          "clippy.toml",
                          ".clippy.toml",
                          "rustfmt.toml",
                          ".rustfmt.toml",
                          "deny.toml",
                          ".clang-tidy",
                          ".clang-format",
                          ".clang-format-ignore",
                          ".cppcheck",
                          "CPPLINT.cfg",
                          ".rubocop.yml",
                          ".rubocop_todo.yml",
                          ".standard.yml",
                          "phpcs.xml",
                          "phpcs.xml.dist",
                          ".phpcs.xml",
                          ".phpcs.xml.dist",
                          ".php-cs-fixer.php",
                          ".php-cs-fixer.dist.php",
                          "phpstan.neon",
                          "phpstan.neon.dist",
                          "phpstan-baseline.neon",
                          "psalm.xml",
                          "checkstyle.xml",
                          "checkstyle-*.xml",
                          "pmd.xml",
                          "spotbugs-exclude.xml",
                          "detekt.yml",
                          ".scalafmt.conf",
                          ".scalafix.conf",
                          ".swiftlint.yml",
                          ".swiftformat",
                          ".editorconfig",
                          ".shellcheckrc",
                          ".yamllint*",
                          ".markdownlint*",
                          ".hadolint.yaml",
                          ".ansible-lint",
                          ".pre-commit-config.yaml",
                          ".credo.exs",
                          ".formatter.exs",
                          "analysis_options.yaml",
                          ".luacheckrc",
                          ".luacheck*",
                          "stylua.toml",
                          ".stylua.toml",
                          ".sqlfluff",
                          ".dockerfilelint*"};
// Files in which only some keys are about checks.
constexpr Text kByKey[] = {"package.json", "pyproject.toml", "setup.cfg",     "Cargo.toml",
                           "deno.json",    "deno.jsonc",     "composer.json", "Makefile",
                           "makefile",     "GNUmakefile",    "*.mk",          "*.mak"};
// Files that configure the build or list sources too: an honest change to them must reach the run.
constexpr Text kBuildFiles[] = {"CMakeLists.txt",
                                "*.cmake",
                                "CMakePresets.json",
                                "CMakeUserPresets.json",
                                "meson.build",
                                "meson_options.txt",
                                "Makefile.am",
                                "Makefile.in",
                                "configure.ac",
                                "configure.in",
                                "BUILD",
                                "BUILD.bazel",
                                "*.bzl",
                                "MODULE.bazel",
                                ".bazelrc",
                                "pom.xml",
                                "*.gradle",
                                "*.gradle.kts",
                                "gradle.properties",
                                "build.sbt",
                                "build.xml",
                                "Rakefile",
                                "Gemfile",
                                "*.csproj",
                                "*.fsproj",
                                "*.vbproj",
                                "*.sln",
                                "Directory.Build.props",
                                "Directory.Build.targets",
                                "Package.swift",
                                "mix.exs",
                                "rebar.config",
                                "dune",
                                "dune-project",
                                "*.cabal",
                                "stack.yaml",
                                "build.zig",
                                "xmake.lua",
                                "SConstruct",
                                "SConscript",
                                "wscript",
                                "build.rs",
                                "setup.py",
                                "babel.config.*",
                                ".babelrc*",
                                ".swcrc",
                                "vite.config.*",
                                "gulpfile.*",
                                "Gruntfile.*",
                                "nx.json",
                                "turbo.json",
                                "lerna.json",
                                "project.json",
                                "angular.json",
                                "justfile",
                                "Justfile",
                                "Taskfile.yml",
                                "Taskfile.yaml",
                                "Dockerfile",
                                "docker-compose*.yml"};

constexpr ProtectedRow kProtectedRows[] = {
    {kByKey, ProtectedKind::test_configuration, kKeys, "some of its keys select or replace the checks"},
    {kPythonHooks, ProtectedKind::runner_hook, kBase, "runs inside every Python test run"},
    {kNodeHooks, ProtectedKind::runner_hook, kBase, "runs inside the test runner or chooses it"},
    {kPythonTests, ProtectedKind::test_configuration, kBase, "configures the Python test run"},
    {kNodeTests, ProtectedKind::test_configuration, kBase, "configures the test runner"},
    {kRustTests, ProtectedKind::test_configuration, kBase, "configures cargo and its test runner"},
    {kGoTests, ProtectedKind::test_configuration, kBase, "chooses what go tests"},
    {kToolVersions, ProtectedKind::test_configuration, kBase, "chooses the tools of the checks"},
    {kCmakeTests, ProtectedKind::test_configuration, kBase, "configures ctest"},
    {kJvmTests, ProtectedKind::test_configuration, kBase, "configures the test run of the JVM"},
    {kRubyTests, ProtectedKind::test_configuration, kBase, "read before any Ruby test"},
    {kOtherTests, ProtectedKind::test_configuration, kBase, "configures the test runner"},
    {kYarn, ProtectedKind::build_file, kFlag, "chooses packages as well as the runner's resolution"},
    {kCi, ProtectedKind::ci, kBase, "continuous integration"},
    {kLint, ProtectedKind::lint_configuration, kBase, "configures a linter or formatter"},
    {kBuildFiles, ProtectedKind::build_file, kFlag, "configures the build as well as tests"},
};

constexpr Text kFound[] = {"test_*.py",   "*_test.py",   "*_tests.py",  "tests.py",       "test.py",
                           "*.test.js",   "*.test.jsx",  "*.test.mjs",  "*.test.cjs",     "*.test.ts",
                           "*.test.tsx",  "*.test.mts",  "*.test.cts",  "*.spec.js",      "*.spec.jsx",
                           "*.spec.mjs",  "*.spec.cjs",  "*.spec.ts",   "*.spec.tsx",     "*.spec.mts",
                           "*.spec.cts",  "*.cy.js",     "*.cy.ts",     "*.e2e.ts",       "*.e2e.js",
                           "*-test.js",   "*_test.js",   "*-test.mjs",  "*-test.ts",      "*_test.ts",
                           "*_test.mjs",  "test-*.js",   "test-*.mjs",  "test-*.ts",      "*.test-d.ts",
                           "*_test.go",   "*Test.java",  "*Tests.java", "*TestCase.java", "*IT.java",
                           "*Test.kt",    "*Tests.kt",   "*Spec.scala", "*Test.scala",    "*Spec.groovy",
                           "*Spec.kt",    "*_spec.rb",   "*_test.rb",   "test_*.rb",      "*.feature",
                           "*Test.php",   "*Cest.php",   "*_test.exs",  "*.bats",         "*.snap",
                           "*Tests.cs",   "*Test.cs",    "*_test.dart", "*_spec.lua",     "test-*.R",
                           "*_SUITE.erl", "*_tests.erl", "*.t"};
constexpr Text kListed[] = {
    "*_test.c",      "*_test.cc",      "*_test.cpp", "*_test.cxx", "*_tests.c",  "*_tests.cc", "*_tests.cpp",
    "test_*.c",      "test_*.cc",      "test_*.cpp", "test_*.cxx", "*Test.cpp",  "*Tests.cpp", "*Test.cc",
    "*_unittest.cc", "*_unittest.cpp", "*.test.cpp", "*-test.c",   "*-test.cpp", "test-*.c",   "test-*.cpp",
    "*_gtest.cpp",   "tests.rs",       "test.rs",    "*_test.rs",  "*_tests.rs", "test_*.rs",  "*Tests.swift",
    "*Test.swift",   "*Test.hs",       "*Spec.hs",   "*_test.zig", "test_*.ml",  "*_test.ml",  "*.test.c"};

template <std::size_t N>
bool is_one_of(const std::array<Text, N>& list, Text name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::span<const ProtectedRow> protected_rows() { return kProtectedRows; }
config::Patterns found_test_names() { return kFound; }
config::Patterns listed_test_names() { return kListed; }

bool is_certain_test_directory(std::string_view name) {
  constexpr std::array<Text, 7> kNames{"__tests__",   "__snapshots__",       "testdata", "__fixtures__",
                                       "androidTest", "__image_snapshots__", "cypress"};
  return is_one_of(kNames, name);
}

bool is_usual_test_directory(std::string_view name) {
  constexpr std::array<Text, 16> kNames{"test",
                                        "tests",
                                        "spec",
                                        "specs",
                                        "t",
                                        "e2e",
                                        "unittests",
                                        "unit_tests",
                                        "test-suite",
                                        "testsuite",
                                        "integration-tests",
                                        "integration_tests",
                                        "Tests",
                                        "Test",
                                        "functional_tests",
                                        "acceptance"};
  return is_one_of(kNames, name);
}

bool is_runner_module(std::string_view name) {
  constexpr std::array<Text, 14> kNames{"pytest",     "_pytest",    "pluggy",   "unittest", "doctest",
                                        "nose",       "nose2",      "coverage", "tox",      "nox",
                                        "hypothesis", "pytest_cov", "xdist",    "iniconfig"};
  return is_one_of(kNames, name);
}

bool is_standard_module(std::string_view name) {
  // Without those that projects use for files of their own: queue, token, types, calendar, code, …
  constexpr Text kNames[] = {
      "abc",           "argparse",    "ast",          "base64",     "bdb",         "codecs",
      "codeop",        "collections", "configparser", "contextlib", "contextvars", "copy",
      "copyreg",       "dataclasses", "datetime",     "decimal",    "difflib",     "dis",
      "encodings",     "enum",        "faulthandler", "fnmatch",    "fractions",   "functools",
      "genericpath",   "getpass",     "gettext",      "glob",       "hashlib",     "importlib",
      "inspect",       "io",          "json",         "linecache",  "logging",     "ntpath",
      "opcode",        "optparse",    "os",           "pathlib",    "pdb",         "pickle",
      "pkgutil",       "posixpath",   "pprint",       "pydoc",      "re",          "reprlib",
      "runpy",         "selectors",   "shlex",        "shutil",     "socket",      "sre_compile",
      "sre_constants", "sre_parse",   "subprocess",   "symtable",   "sysconfig",   "tempfile",
      "textwrap",      "threading",   "tokenize",     "tomllib",    "traceback",   "typing",
      "uuid",          "warnings",    "weakref",      "zipfile",    "zipimport"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace hydra::checks
