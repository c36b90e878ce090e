// race: how much of a captured diff counts as its size: lock, generated and vendored files are set apart by
// the rules of config/file_class.hpp (reliability reference, row E22). Blocking: asks git.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/agent_run.hpp"

namespace hydra::race {

/// Fills in `weighed` and `set_apart`, by the base's attributes (both stay empty where everything counts),
/// `tests`, and `trivial` where nothing but comments and documentation differs.
Result<void> weigh(integrity::KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                   model::Capture& capture);

}  // namespace hydra::race
