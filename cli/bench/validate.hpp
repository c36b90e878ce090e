// cli: `hydra bench validate`: checks which tasks of a suite are sound.
#pragma once

#include "cli/context.hpp"
#include "suite/suite.hpp"

#include <string>
#include <vector>

namespace hydra::cli {

struct ValidateArgs {
  std::string suite, timeout;
  suite::ReadOptions read;
  std::vector<std::string> filter;
  int jobs = 1;
  bool json = false;
};

/// Returns the exit code; kNoWinner if a task is broken.
Result<int> validate_suite(const ValidateArgs& args, Context& context);

}  // namespace hydra::cli
