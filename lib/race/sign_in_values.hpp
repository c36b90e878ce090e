// race: tokens and keys out of sign-in files, as values to be taken out of what is shown and stored. Pure but
// for the reading. docs/adapters.md, 'Signing in'.
#pragma once

#include "model/race_spec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::race {

/// Values of at least 16 bytes without blanks that a text (JSON, or lines NAME = "value") holds under names
/// that say token, secret, password or key; at most 64. Linear.
std::vector<std::string> secret_values_of(std::string_view text);

/// Those of the user's sign-in files of all agents of a race, as they are now. Files of more than 256 KiB are
/// passed over. Blocking, a few small reads.
std::vector<std::string> sign_in_values(const model::RaceSpec& spec);

}  // namespace hydra::race
