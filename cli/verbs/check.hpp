// cli: `hydra check`, which `hydra init` ends in too.
#pragma once

#include "cli/context.hpp"
#include "model/config.hpp"

#include <string>

namespace hydra::cli {

struct CheckOptions {
  std::string base;
  bool include_dirty = false, fresh = false, json = false;
};

/// Checks the baseline of the repository that the user stands in and prints what came out. The exit code: 1
/// where a check failed.
int run_check(Context& context, const model::Config& config, const CheckOptions& options);

}  // namespace hydra::cli
