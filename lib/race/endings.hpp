// race, inside only: how a command of the checks ended, in words; a limit that ended it is named by its key.
#pragma once

#include "exec/job.hpp"
#include "model/config.hpp"

#include <string>
#include <string_view>

namespace hydra::race {

/// "longer than 120 s ([scoring] timeout_per_check_seconds)": of a job of that kind ("setup", "template",
/// "warm": those of a workspace; "build", "tests", "lint") whose time was up; empty: it was not.
std::string over_time(const model::Config& config, std::string_view kind, const exec::JobResult& result);

/// "the set-up ended with exit code 1", "the set-up took longer than 600 s ([workspace]
/// setup_timeout_seconds)"; with the supervisor's message, where there is one.
std::string how_it_ended(const model::Config& config, const std::string& what, std::string_view kind,
                         const exec::JobResult& result);

/// Of a job that never ran. `key`: of its attempt.
exec::JobResult not_started(const std::string& key, const std::string& why);

}  // namespace hydra::race
