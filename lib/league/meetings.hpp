// league, inside only: the pairwise results of each task.
#pragma once

#include "league/bradley_terry.hpp"
#include "league/leaderboard.hpp"

namespace hydra::league {

/// Returns one list per task with meetings. Within a race, entries meet by their attempts' ranks; entries of
/// single-entry races meet others on the same task by success and composite. A meeting counts as one game,
/// split by how often each side's attempt is above the other's. Ineligible attempts are equal to each other.
/// `league.attempts` must be sorted by task.
TaskMeetings meetings_of(const League& league);

}  // namespace hydra::league
