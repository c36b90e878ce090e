// race, inside only: describes how a command of the checks ended; names the key of the limit that ended it.
#pragma once

#include "exec/job.hpp"
#include "model/config.hpp"

#include <string>
#include <string_view>

namespace hydra::race {

/// Returns "longer than 120 s ([scoring] timeout_per_check_seconds)" for a job that exceeded its wall limit;
/// else empty. `kind`: "setup", "template", "warm" of a workspace; "build", "tests", "lint".
std::string over_time(const model::Config& config, std::string_view kind, const exec::JobResult& result);

/// Returns the wall clock of the set-up, of `warm` and of the template's build, in seconds.
double set_up_seconds(const model::Config& config);

/// Returns "the set-up ended with exit code 1", or "the set-up took longer than 600 s, five times [scoring]
/// timeout_per_check_seconds"; with the supervisor's message, if any.
std::string how_it_ended(const model::Config& config, const std::string& what, std::string_view kind,
                         const exec::JobResult& result);

/// Returns the result of a job that never ran. `key`: of its attempt.
exec::JobResult not_started(const std::string& key, const std::string& why);

}  // namespace hydra::race
