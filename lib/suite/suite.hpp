// suite: a directory of tasks as values (docs/suites.md). Reads the files of a suite and nothing else of the
// machine; what is wrong with a task is said with it, so that one bad task does not hide the others.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace hydra::suite {

namespace fs = std::filesystem;
using Variables = std::vector<std::pair<std::string, std::string>>;

enum class Format {
  harbor,  ///< directories with task.toml, instruction.md, environment/, tests/test.sh
  native,  ///< suite.toml
  swe,     ///< JSON Lines as SWE-bench has them
};

/// What a Dockerfile of a few plain lines says: how the tree of a task looks, and what its image has.
struct Image {
  std::string workdir;  ///< absolute: where the tree stands inside
  struct Copy {
    std::string from;   ///< relative to the build context; "." is all of it
    std::string to;     ///< relative to the tree; "." is the tree itself
    bool into = false;  ///< `to` is a directory that receives `from`
  };
  std::vector<Copy> copies;
  std::vector<std::string> directories;  ///< relative to the tree
  std::vector<std::string> apt, pip;     ///< packages, without versions
  std::string needs;  ///< the first line that takes more than this: why only the image will do; empty: none
};

struct Task {
  std::string name;                            ///< unique in the suite; [A-Za-z0-9._-], at most 120 bytes
  std::string text;                            ///< the prompt
  double agent_seconds = 0, test_seconds = 0;  ///< wall time; 0: the user's
  /// Harbor: holds test.sh, stands at /tests. Others: files laid over the tree. Empty: only the test patch.
  fs::path tests;
  fs::path solution;        ///< Harbor: directory with solve.sh. Others: a patch. Empty: there is none.
  std::string needs_image;  ///< why it can't run without its image; empty: it can

  // Harbor.
  fs::path environment;  ///< the build context
  bool builds = false;   ///< what its Dockerfile makes is all that it needs
  Image image;
  Variables test_env, solution_env;

  // Native and SWE-bench: a commit of a repository.
  fs::path repository;
  std::string base;         ///< a revision there
  std::string build, test;  ///< run by sh -c; `build` may be empty
  std::string setup;        ///< the same, in the template; may be empty
  bool setup_network = false;
  std::string test_patch, solution_patch;  ///< texts; may be empty
};

/// A task that can't be used, and why: half-written, without tests, malformed.
struct Broken {
  std::string name, reason;
};

struct Suite {
  std::string name;
  Format format = Format::harbor;
  fs::path root;            ///< absolute: the directory, or the file of JSON Lines
  std::vector<Task> tasks;  ///< in the order of their names; of a file in its order
  std::vector<Broken> broken;
};

struct ReadOptions {
  std::string name;          ///< empty: what the suite says, else its directory's or file's name
  fs::path repositories;     ///< where clones are, for JSON Lines
  std::string test_command;  ///< of JSON Lines without one of their own; {tests}: the tests to run
};

/// `path` is a directory or a file that ends in .jsonl. An Error: there is no suite at all.
Result<Suite> read_suite(const fs::path& path, const ReadOptions& options = {});

/// Keeps the tasks that a filter chooses: globs of names; one with '!' in front leaves out. None: all.
/// An Error where none is left.
Result<void> filter_suite(Suite& suite, const std::vector<std::string>& globs);

/// The lines of a Dockerfile that a host can do without its image, else what needs it.
Image read_dockerfile(std::string_view text);

/// Whether the path is one of a test by the conventions of its language: what `hydra bench new` hides.
bool is_test_path(std::string_view path);

/// Whether `name` may name a task.
bool valid_task_name(std::string_view name);

}  // namespace hydra::suite
