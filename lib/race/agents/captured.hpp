// race: a captured diff's counted size, without lock, generated and vendored files (config/file_class.hpp;
// docs/scoring.md, H26), and its files that contain a secret's value. Blocking: runs git.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/agent_run.hpp"
#include "race/agents/secrets.hpp"

#include <string>

namespace hydra::race {

/// Sets `weighed` and `set_apart` by the base's attributes (both stay empty if everything counts), `tests`,
/// and `trivial` if only comments and documentation differ.
Result<void> weigh(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                   model::Capture& capture);

/// Adds a flag for each file that gains a secret's value in content or
/// name (at most 20; files above 8 MiB are skipped). Returns a message for the user; empty: none.
Result<std::string> flag_secrets(const git::Store& store, model::Capture& capture, const Secrets& secrets);

}  // namespace hydra::race
