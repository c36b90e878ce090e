// league, inside only: the pairwise results of each task.
#pragma once

#include "league/bradley_terry.hpp"
#include "league/leaderboard.hpp"

namespace hydra::league {

/// Returns one list per task: entries meet by ranks within a race, single-entry races by success and
/// composite. A meeting is one game, split by pairs of attempts. Needs `league.attempts` sorted by task.
TaskMeetings meetings_of(const League& league);

}  // namespace hydra::league
