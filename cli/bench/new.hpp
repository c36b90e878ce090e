// cli: `hydra bench new`: makes a task of a native suite from a commit of the user's history.
#pragma once

#include "cli/context.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

struct NewTaskArgs {
  std::string commit, suite, name, task, task_file, test_command, build_command, setup;
  std::vector<std::string> tests;  ///< globs of test files
};

/// Returns the exit code.
Result<int> new_task(const NewTaskArgs& args, Context& context);

}  // namespace hydra::cli
