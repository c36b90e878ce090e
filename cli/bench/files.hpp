// cli: the files of a task of a suite as a race needs them: a repository that ends at its base, hidden tests,
// and the reference solution (docs/suites.md).
#pragma once

#include "base/result.hpp"
#include "model/config.hpp"
#include "suite/suite.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::cli {

struct TaskFiles {
  std::filesystem::path repository;  ///< holds the base and what it came from, and nothing else
  std::filesystem::path hidden;      ///< tests, for [evaluation] hidden
  std::filesystem::path solution;    ///< directory that stands at /solution for the reference
  /// Of the user's: the suite, and the repository that holds the fix.
  std::vector<std::string> hide;
};

/// Below the tree, where the hidden tests of a Harbor task lie.
inline constexpr const char* kSuiteFolder = ".hydra-suite";
/// In the directory of a solution: what runs it.
inline constexpr const char* kReferenceScript = ".hydra-reference.sh";

/// Makes them in `to`, or finds them there; half-made ones of an earlier try are made anew. Blocking.
Result<TaskFiles> prepare_files(const suite::Suite& suite, const suite::Task& task,
                                const std::filesystem::path& to);

/// Tasks of a Harbor suite whose images have packages that this machine has not need their image.
void check_packages(suite::Suite& suite, const model::Config& config);
/// Its jobs run in containers: each task of a suite in the image of its own Dockerfile.
bool in_images(const model::Config& config);

/// git in `directory` without anything of the user's configuration; `input` on its standard input. Its
/// output.
Result<std::string> plain_git(const std::filesystem::path& directory, const std::vector<std::string>& args,
                              const std::string& input = {},
                              const std::vector<std::pair<std::string, std::string>>& more_env = {});

}  // namespace hydra::cli
