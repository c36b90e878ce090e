// suite: a directory of tasks as values (docs/suites.md). Only the suite's files are read; each broken task
// carries its error, so that valid tasks stay usable.
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
  swe,     ///< JSON Lines in the format of SWE-bench
};

/// Contents of a simple Dockerfile: the layout of a task's tree and the image's packages.
struct Image {
  std::string workdir;  ///< absolute path of the tree in the image
  struct Copy {
    std::string from;   ///< path relative to the build context; ".": all of it
    std::string to;     ///< path relative to the tree; ".": the tree
    bool into = false;  ///< whether `to` is a directory that receives `from`
  };
  std::vector<Copy> copies;
  std::vector<std::string> directories;  ///< directories to make, relative to the tree
  std::vector<std::string> apt, pip;     ///< package names without versions
  std::string needs;  ///< first line that a host cannot do, so that the image is needed; empty: none
};

struct Task {
  std::string name;                            ///< unique in the suite; [A-Za-z0-9._-], at most 120 bytes
  std::string text;                            ///< prompt
  double agent_seconds = 0, test_seconds = 0;  ///< wall time; 0: the user's setting
  /// Harbor: directory with test.sh, mounted at /tests. Other formats: files copied over the tree; empty:
  /// only the test patch.
  fs::path tests;
  fs::path solution;        ///< Harbor: directory with solve.sh. Other formats: a patch. Empty: none
  std::string needs_image;  ///< reason why the task needs its image; empty: none

  // Members for Harbor only.
  fs::path environment;  ///< build context
  bool builds = false;   ///< whether building the Dockerfile gives all that the task needs
  Image image;
  Variables test_env, solution_env;

  // Members for native and SWE-bench: a commit of a repository.
  fs::path repository;
  std::string base;         ///< revision in `repository`
  std::string build, test;  ///< commands for sh -c; `build` may be empty
  std::string setup;        ///< command for sh -c, run in the template; may be empty
  bool setup_network = false;
  std::string test_patch, solution_patch;  ///< patch texts; may be empty
};

/// An unusable task and the reason: incomplete, without tests, malformed.
struct Broken {
  std::string name, reason;
};

struct Suite {
  std::string name;
  Format format = Format::harbor;
  fs::path root;            ///< absolute path of the directory or JSON Lines file
  std::vector<Task> tasks;  ///< sorted by name; for JSON Lines in file order
  std::vector<Broken> broken;
};

struct ReadOptions {
  std::string name;          ///< name of the suite; empty: the suite's own, else the base name of the path
  fs::path repositories;     ///< directory of clones, for JSON Lines
  std::string test_command;  ///< command for JSON Lines without one; {tests}: the tests to run
};

/// Reads a directory or a .jsonl file. Error: no suite at all.
Result<Suite> read_suite(const fs::path& path, const ReadOptions& options = {});

/// Keeps the tasks whose names match a glob; '!' in front excludes; an empty list keeps all. Error if no task
/// is left.
Result<void> filter_suite(Suite& suite, const std::vector<std::string>& globs);

/// Returns the lines of a Dockerfile that a host can do without the image, else the reason for the image
/// (`needs`).
Image read_dockerfile(std::string_view text);

/// Whether the path is a test by the conventions of its language; `hydra bench new` hides such files.
bool is_test_path(std::string_view path);

/// Returns the digest of all that decides on the task: its test files and its commands.
std::string digest_of(const Task& task);

bool valid_task_name(std::string_view name);

}  // namespace hydra::suite
