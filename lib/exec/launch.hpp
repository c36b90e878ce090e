// exec: starting hydra-shim.
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace hydra::exec {

/// Starts `shim --attempt dir` in a session of its own, without any of our descriptors, with `env` and
/// nothing else as environment, TERM and CHLD blocked until it asks for them. The caller waits for the child.
Result<pid_t> launch_shim(const fs::path& shim, const fs::path& dir, const Env& env);

}  // namespace hydra::exec
