// race: what a failed check of the base did not find although this machine has it: the sandbox hides it.
#pragma once

#include "model/check.hpp"
#include "model/race_spec.hpp"

#include <optional>
#include <string_view>

namespace hydra::race {

/// Returns the line of hydra.toml that shows a variable, a path or a program which the last lines of the log
/// name, and which the user's shell has. Nullopt: no such name. Looks at the machine's files. Blocking.
std::optional<model::Advice> found_outside(const model::RaceSpec& spec, std::string_view log_tail);

}  // namespace hydra::race
