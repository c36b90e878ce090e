// race: tokens and keys out of sign-in files, as values to be taken out of what is shown and stored.
// docs/adapters.md, 'Signing in'.
#pragma once

#include "model/race_spec.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// adapters::secret_values_of() of the user's sign-in files of all agents of a race, as they are now; at most
/// 64. Files of more than 256 KiB are
/// passed over. Blocking, a few small reads.
std::vector<std::string> sign_in_values(const model::RaceSpec& spec);

}  // namespace hydra::race
