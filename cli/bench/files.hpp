// cli: the files of a suite's task for a race: a repository that ends at the base, hidden tests, and the
// reference solution (docs/suites.md).
#pragma once

#include "base/result.hpp"
#include "model/config.hpp"
#include "suite/suite.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

struct TaskFiles {
  std::filesystem::path repository;  ///< repository with the base and its ancestors only
  std::filesystem::path hidden;      ///< tests for [evaluation] hidden
  std::filesystem::path solution;    ///< directory mounted at /solution for the reference
  /// The user's paths to hide: the suite, and the repository that holds the fix.
  std::vector<std::string> hide;
};

/// Directory in the tree for the hidden tests of a Harbor task.
inline constexpr const char* kSuiteFolder = ".hydra-suite";
/// Script in the solution's directory that applies the solution.
inline constexpr const char* kReferenceScript = ".hydra-reference.sh";

/// Makes the files in `to`, or finds them there; incomplete ones of an earlier try are made again. Blocking.
Result<TaskFiles> prepare_files(const suite::Suite& suite, const suite::Task& task,
                                const std::filesystem::path& to);

/// Marks tasks of a Harbor suite as needing their image if the machine lacks a package of that image.
void check_packages(suite::Suite& suite, const model::Config& config);
/// Whether jobs run in containers: each task runs in the image of its own Dockerfile.
bool in_images(const model::Config& config);

/// Runs git in `directory` without the user's configuration, with `input` on standard input; returns its
/// output.
Result<std::string> plain_git(const std::filesystem::path& directory, const std::vector<std::string>& args,
                              const std::string& input = {},
                              const std::vector<std::pair<std::string, std::string>>& more_env = {});

}  // namespace hydra::cli
