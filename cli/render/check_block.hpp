// cli: the output of `hydra check`: checks of the baseline, their cold and warm times, and what is missing.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <cstdint>
#include <string>

namespace hydra::cli {

/// Returns the time limit in seconds that the checks should have; 0: the present limit suffices.
std::int64_t wanted_limit(const wire::Baseline& baseline);

/// `race`: id for `hydra logs`.
std::string check_block(const std::string& race, const wire::Baseline& baseline, const Style& style);
/// Returns "`hydra logs RACE/baseline --kind setup`" for the attempt "RACE/@baseline/setup/1".
std::string log_command(const std::string& race, const std::string& attempt, const Style& style);
/// Returns "Ready: 41 tests, 1 fails already.", or the one thing to correct.
std::string base_verdict(const wire::Baseline& baseline);
/// Returns 0 if every check passed, else 1.
int check_exit(const wire::Baseline& baseline);

}  // namespace hydra::cli
