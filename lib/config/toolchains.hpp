// config: what lib/toolchains/*.toml and the user's own files say, as values: the one place where Hydra knows
// build tools, their files and their messages (docs/toolchains.md). Look-ups stand in ecosystem.hpp and with
// those who ask.
#pragma once

#include "config/ecosystem.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hydra::config {

enum class AdviceKind : std::uint8_t {
  environment,  ///< the workspace lacks something that the user's checkout has
  candidate,    ///< a manifest, lock file or vendored code is not up to date
  hydra,        ///< must not occur in a check workspace: report it
  exdev,        ///< a rename that the overlay refuses: repeat in a copied workspace
  reject_run,   ///< outputs of another path were used: the run counts for nothing, whatever its exit code
  port,         ///< two checks want the same port of the host
};

struct AdviceText {
  enum When : std::uint8_t { always, preparing, testing };  ///< set-up, build and warm are preparing
  std::string_view text;
  When when = always;
  Texts tools{};  ///< names of ecosystems; empty: any
};

/// A line of a failed step, and what it tells. Patterns of one line: plain text, "…" for anything between two
/// pieces, "^" and "$" for the line's ends. A piece that begins or ends with a letter, digit or '_' must be a
/// whole word there.
struct Signature {
  std::string_view name;
  AdviceKind kind = AdviceKind::environment;
  int order = 5;  ///< 1 to 9: tried behind those with less
  Texts lines;
  std::string_view meaning;
  std::vector<AdviceText> advice;  ///< the first that fits step and tools
  std::string_view candidate;      ///< empty: nothing in particular
};

enum class ProtectedKind : std::uint8_t {
  test_file,           ///< a test, its data, its helpers
  test_configuration,  ///< what selects and configures tests: pytest.ini, jest.config.js
  runner_hook,   ///< runs inside the runner or chooses it: conftest.py, sitecustomize.py, .npmrc, a tool's
                 ///< name
  check_script,  ///< named by the commands of the checks
  ci,
  lint_configuration,
  build_file,  ///< lists sources as well as tests: CMakeLists.txt, pom.xml
  user,        ///< [evaluation] protected
};

/// What the gating run has at a path that the candidate changed.
enum class RestoreAction : std::uint8_t {
  base,    ///< the base's bytes and mode (the candidate changed or deleted it)
  remove,  ///< nothing: the candidate added it
  keys,    ///< the candidate's file with the base's value of some keys: restore_keys()
  flag,    ///< the candidate's file as it is, named in the tamper report; tests are compared by name
};

/// Patterns as names_one_of() reads them, and what a match means.
struct ProtectedRow {
  Texts patterns;
  Texts programs;  ///< counts only where a command of the checks calls one of these; empty: always
  ProtectedKind kind = ProtectedKind::test_configuration;
  RestoreAction on_change = RestoreAction::base;
  std::string_view reason;
};

/// A manager of versions that works as pyenv does: "shims" and "versions" below one directory.
struct VersionManager {
  std::string_view name, directory;                  ///< directory: below the home directory
  std::string_view root_variable, version_variable;  ///< environment: the directory, the version
  std::string_view file, prefix;  ///< the file of a project; what may stand before its version
};

/// One value of a proposal, `when` all of these conditions hold.
struct ProposedText {
  std::string_view text, why;
  Texts when;
};

/// What `hydra init` proposes where it finds one of these files.
struct ProposalRow {
  Texts found_by, when;
  std::string_view kind, reader, wrapper;
  std::vector<ProposedText> build, test, lint, setup, warm;  ///< the first whose conditions hold
  std::vector<ProposedText> share, outputs, caches;          ///< all whose conditions hold
  bool fills_gaps = false;  ///< counts only where no other tool has something
  bool alone = false;       ///< of these only the first that is found counts
};

/// How a test runner is told which files to run.
enum class FilesAs : std::uint8_t {
  words,     ///< "pytest FILE..."
  discover,  ///< unittest: words, or one discovery a file where the command discovers
  classes,   ///< "mvn -Dtest=A,B test": names of the files without extension
  go,        ///< "go test -run '^(A|B)$' ./pkg"
  cargo,     ///< "cargo test --test FILE", in the crate that the file belongs to
};

/// What one file that can't be loaded does to the others of the same run.
enum class BrokenFile : std::uint8_t {
  nothing,
  option,  ///< nothing, with the words of TestRunner::add
  apart,   ///< it ends the run: each file needs a command of its own
};

struct TestRunner {
  Texts programs;         ///< without directory; of "python -m X" the X
  std::string_view verb;  ///< a later word that must be there: "test"; empty: none
  FilesAs as = FilesAs::words;
  Texts files;                ///< names of files that it runs
  Texts drop;                 ///< words that would hide names or end the run early
  Texts valued;               ///< options whose next word is their value
  std::string_view add;       ///< so that every test is named, and one bad file stops no other
  std::string_view before{};  ///< environment
  BrokenFile broken_file = BrokenFile::nothing;
  std::string_view each{}, between{}, around{};  ///< of classes: "{}" is the name; the list
};

struct Toolchains {
  std::vector<Ecosystem> ecosystems;
  Ecosystem common;
  std::vector<NamedCache> caches;
  Texts secrets;                     ///< below the home directory: keys and tokens
  Texts test_data, foreign;          ///< directories that tell nothing of the project
  Texts locks, generated, vendored;  ///< patterns of files that nobody has written
  std::vector<ProtectedRow> protected_rows;
  Texts found_tests;  ///< names of test files of runners that find them by name
  Texts listed_tests;  ///< … that a build file has to list, or that stand beside product code of their module
  Texts test_directories;   ///< hold tests wherever they stand: "__tests__"
  Texts usual_directories;  ///< … at the root of a package, or where a file in them is named like a test
  std::vector<TestRunner> runners;
  Texts wrappers;                     ///< words that may stand before a runner: "npx", "poetry"
  std::vector<Signature> signatures;  ///< in the order in which they are tried
  std::vector<VersionManager> managers;
  std::vector<ProposalRow> proposals;  ///< in the order in which their commands run
  Texts programs;                      ///< that readers of proposals ask for
  Texts reads, looks_into, looks_for;  ///< files with texts, directories, paths that proposals ask for
};

/// Read when it is asked for first. Never changes.
const Toolchains& toolchains();

}  // namespace hydra::config
