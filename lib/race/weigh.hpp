// race: how much of a captured diff counts as its size: lock, generated and vendored files are set apart by
// the rules of checks/file_class.hpp (reliability reference, row E22). Blocking: asks git.
#pragma once

#include "git/repository.hpp"
#include "model/agent_run.hpp"

namespace hydra::race {

/// Fills in `weighed` and `set_apart`, by the base's attributes. Both stay empty where everything counts.
Result<void> weigh(const git::Store& store, model::Capture& capture);

}  // namespace hydra::race
