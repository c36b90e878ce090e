// race: the values of a race's secrets, to be taken out of what is shown and stored. In memory only, until
// the daemon ends: after its end a race is read from the store, which has the names and not the values.
// docs/adapters.md, 'Signing in'.
#pragma once

#include "model/race_spec.hpp"
#include "race/agent_files.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::race {

/// Values and the names that they have, the longest value first; none is shorter than 8 bytes.
using Secrets = std::vector<std::pair<std::string, std::string>>;

/// Those of an environment that an agent's descriptor, their name or their value calls secret.
Secrets secrets_of(const model::RaceSpec& spec, const SecretEnv& environment);

/// Those of a race, however it came into memory: what its agents were started with since this daemon began,
/// `environment`, and what the daemon's own environment has under the names that the race knows.
Secrets secrets_of_race(const model::RaceSpec& spec, const SecretEnv& environment);
/// Remembers what an agent of this race is started with; the newest 256 races are kept. Thread-safe.
void remember_secrets(const model::RaceSpec& spec, const SecretEnv& environment);

/// The text with "[redacted NAME]" in the place of each value, plain or as a JSON string has it. Linear in
/// the text for each secret.
std::string without_secrets(std::string_view text, const Secrets& secrets);

/// How many bytes at the end of the text may be the begin of a value whose rest is still to come.
std::size_t begun_secret(std::string_view text, const Secrets& secrets);

}  // namespace hydra::race
