// race: the history record of an ended race. Pure.
#pragma once

#include "model/history.hpp"
#include "race/state/state.hpp"

#include <optional>
#include <vector>

namespace hydra::race {

/// Returns nullopt for a running race. Baseline-only races and verifications are marked as forgotten.
/// Combined results are not attempts.
std::optional<model::HistoryRace> history_of(const State& state);

/// Returns every attempt so far, as in the history record; without a rank it counts as lost.
std::vector<model::HistoryAttempt> attempts_of(const State& state);

}  // namespace hydra::race
