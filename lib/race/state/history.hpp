// race: what is remembered of an ended race. Pure.
#pragma once

#include "model/history.hpp"
#include "race/state/state.hpp"

#include <optional>
#include <vector>

namespace hydra::race {

/// Nothing for a race that runs. A check of the baseline and a verification are no races: they are marked as
/// forgotten. Parts of results that were combined are nobody's attempt.
std::optional<model::HistoryRace> history_of(const State& state);

/// Its part of that: every attempt so far; one without a rank counts as lost.
std::vector<model::HistoryAttempt> attempts_of(const State& state);

}  // namespace hydra::race
