// league, inside only: who beat whom in which task.
#pragma once

#include "league/bradley_terry.hpp"
#include "league/leaderboard.hpp"

namespace hydra::league {

/// One list a task that has any. In a race entries meet by their attempts' ranks there; entries that raced
/// alone meet the others that did so on the same task, by success and composite. However many attempts both
/// have: each such meeting counts one game, shared by how often an attempt of the one is above one of the
/// other. Attempts that are not eligible are equal to each other. `league.attempts` in the order of their
/// tasks.
TaskMeetings meetings_of(const League& league);

}  // namespace hydra::league
