// config: contents of lib/toolchains/*.toml and the user's toolchain files: everything that Hydra knows of
// build tools (docs/toolchains.md). ecosystem.hpp and other callers hold the look-ups.
#pragma once

#include "config/ecosystem.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hydra::config {

enum class AdviceKind : std::uint8_t {
  environment,  ///< the workspace lacks something that the user's checkout has
  candidate,    ///< a manifest, lock file or vendored code is outdated
  hydra,        ///< impossible in a check workspace: a bug of Hydra to report
  exdev,        ///< the overlay refuses a rename: repeat in a copied workspace
  reject_run,   ///< outputs of another path were used: the run does not count, whatever its exit code
  nothing_ran,  ///< last line of a command that ended with exit code 0 and ran no test
  port,         ///< two checks use the same port of the host
};

struct AdviceText {
  enum When : std::uint8_t { always, preparing, testing };  ///< preparing: set-up, build and warm
  std::string_view text;
  When when = always;
  Texts tools{};  ///< names of ecosystems; empty: any
};

/// A line of a failed step and its meaning. Patterns match within a line: "…" is any text, "^" and "$" are
/// the line's ends. A piece that begins or ends with a letter, digit or '_' must match a whole word.
struct Signature {
  std::string_view name;
  AdviceKind kind = AdviceKind::environment;
  int order = 5;  ///< 1 to 9: lower values are tried first
  Texts lines;
  std::string_view meaning;
  std::vector<AdviceText> advice;  ///< texts in order; the first that fits step and tools is used
  std::string_view candidate;      ///< text about the candidate; empty: none
};

enum class ProtectedKind : std::uint8_t {
  test_file,           ///< test, its data or helpers
  test_configuration,  ///< file that selects and configures tests: pytest.ini, jest.config.js
  runner_hook,   ///< code or setting loaded by the runner: conftest.py, sitecustomize.py, .npmrc, or a file
                 ///< named like a tool
  check_script,  ///< script named by the commands of the checks
  ci,
  lint_configuration,
  build_file,  ///< file that lists sources as well as tests: CMakeLists.txt, pom.xml
  user,        ///< path of [evaluation] protected
};

/// State of a path changed by the candidate, in the gating run.
enum class RestoreAction : std::uint8_t {
  base,    ///< bytes and mode of the base (the candidate changed or deleted the file)
  remove,  ///< no file: the candidate added it
  keys,    ///< the candidate's file with the base's values of some keys: restore_keys()
  flag,    ///< the candidate's file, named in the tamper report; tests are compared by name
  items,   ///< the candidate's file with the base's test items: restore_test_items()
};

/// Patterns for names_one_of(), and the meaning of a match.
struct ProtectedRow {
  Texts patterns;
  Texts programs;  ///< the row counts only if the checks call one of these; empty: always
  ProtectedKind kind = ProtectedKind::test_configuration;
  RestoreAction on_change = RestoreAction::base;
  std::string_view reason;
};

/// A version manager that works as pyenv does: "shims" and "versions" below one directory.
struct VersionManager {
  std::string_view name, directory;                  ///< directory: below the home directory
  std::string_view root_variable, version_variable;  ///< environment variables: the directory, the version
  std::string_view file, prefix;  ///< version file of a project; prefix allowed before the version
};

/// A proposed value, used if all conditions of `when` hold.
struct ProposedText {
  std::string_view text, why;
  Texts when;
};

/// The proposal of `hydra init` for a project with one of the files `found_by`.
struct ProposalRow {
  Texts found_by, when;
  std::string_view kind, reader, wrapper;
  std::vector<ProposedText> build, test, lint, setup, warm;      ///< the first whose conditions hold is used
  std::vector<ProposedText> share, outputs, caches, env, notes;  ///< all whose conditions hold are used
  bool fills_gaps = false;  ///< whether the row only fills gaps of other tools
  bool alone = false;       ///< whether only the first row found counts, among rows with this flag
};

/// The way to name files to a test runner.
enum class FilesAs : std::uint8_t {
  words,     ///< "pytest FILE..."
  discover,  ///< unittest: words, or one discovery per file if the command discovers
  classes,   ///< "mvn -Dtest=A,B test": file names without extension
  go,        ///< "go test -run '^(A|B)$' ./pkg"
  cargo,     ///< "cargo test --test FILE", in the file's crate
};

/// The effect of a file that cannot be loaded on other files of the run.
enum class BrokenFile : std::uint8_t {
  nothing,
  option,  ///< nothing, if TestRunner::add is passed
  apart,   ///< the run ends: each file needs a separate command
};

struct TestRunner {
  Texts programs;         ///< program names without directory; X for "python -m X"
  std::string_view verb;  ///< required later word: "test"; empty: none
  FilesAs as = FilesAs::words;
  Texts files;                ///< name patterns of files that the runner accepts
  Texts drop;                 ///< words that would hide test names or end the run early
  Texts valued;               ///< options whose value is the next word
  std::string_view add;       ///< words that make the runner name every test and continue after a bad file
  std::string_view select{};  ///< words without which the runner takes no files, or does not end
  std::string_view before{};  ///< environment assignments
  BrokenFile broken_file = BrokenFile::nothing;
  std::string_view each{}, between{}, around{};  ///< templates of `classes`: "{}" is a name, or the list
};

struct Toolchains {
  std::vector<Ecosystem> ecosystems;
  Ecosystem common;
  std::vector<NamedCache> caches;
  Texts secrets;                     ///< places of keys and tokens below the home directory
  Texts test_data, foreign;          ///< directories that say nothing about the project
  Texts locks, generated, vendored;  ///< patterns of files not written by hand
  Texts ignored;                     ///< patterns of files that projects ignore by convention
  std::vector<ProtectedRow> protected_rows;
  Texts found_tests;   ///< test file names of runners that find tests by name
  Texts listed_tests;  ///< test file names that a build file must list, or that lie beside product code of
                       ///< their module
  Texts test_directories;   ///< directories of tests at any place: "__tests__"
  Texts usual_directories;  ///< directories of tests at a package's root, or holding a test's name
  std::vector<TestRunner> runners;
  Texts wrappers;                     ///< words allowed before a runner: "npx", "poetry"
  std::vector<Signature> signatures;  ///< signatures in the order of trial
  std::vector<VersionManager> managers;
  std::vector<ProposalRow> proposals;  ///< proposals in the order in which their commands run
  Texts programs;                      ///< programs that readers of proposals ask for
  Texts reads, looks_into;             ///< files and directories of tests whose texts proposals ask for
  Texts looks_for;                     ///< paths that proposals share although git does not track them
  Texts testers;         ///< test programs in scripts beside those of runners, with options that name tests
  Texts linters, fixes;  ///< programs of linters, and options by which they change files
  Texts special;         ///< words of scripts that do more than unit tests, or do not end
};

/// Returns the toolchains, read at first use and constant afterwards.
const Toolchains& toolchains();

}  // namespace hydra::config
