// cli: `hydra bench new`: a task of a native suite out of a commit of one's own history.
#pragma once

#include "cli/context.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

struct NewTaskArgs {
  std::string commit, suite, name, task, task_file, test_command, build_command, setup;
  std::vector<std::string> tests;  ///< globs
};

/// The exit code.
Result<int> new_task(const NewTaskArgs& args, Context& context);

}  // namespace hydra::cli
