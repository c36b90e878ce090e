// cli: what `hydra check` prints: the baseline's checks, what they took cold and warm, and what is missing.
#pragma once

#include "cli/render/style.hpp"
#include "cli/render/views.hpp"

#include <cstdint>
#include <string>

namespace hydra::cli {

/// The time limit that its checks should have, seconds; 0: the one that they have is enough.
std::int64_t wanted_limit(const wire::Baseline& baseline);

/// `race` is the id that `hydra logs` wants.
std::string check_block(const std::string& race, const wire::Baseline& baseline, const Style& style);
/// "`hydra logs RACE/baseline --kind setup`": the log of that attempt ("RACE/@baseline/setup/1").
std::string log_command(const std::string& race, const std::string& attempt, const Style& style);
/// 0 where every check passed, else 1.
int check_exit(const wire::Baseline& baseline);

}  // namespace hydra::cli
