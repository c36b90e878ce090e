// race: when one result is enough (`hydra race --until green`), and which agent can't win any more ([limits]
// stop_dominated): docs/selection.md, "Until green". Pure; the effects are in agents_watch.cpp.
#pragma once

#include "race/state/state.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace hydra::race {

/// Whether any agent of the race works, waits for its turn, or is about to run again.
bool agents_under_way(const State& state);

/// The agent whose result is enough: eligible, all configured checks green, and something shows that it does
/// what was asked (where nothing in the race could show that, eligible). Empty: none yet, or nobody asked for
/// it.
std::string green_result(const State& state);

/// Whether a stop of `--until green` was sent: nobody begins again by itself then.
bool rest_stopped(const State& state);

/// While not all have ended: runs that may show that a result is enough, or the stop of the others.
void want_green(const State& state, std::set<Command>& commands);

/// The result that this running agent can't come before any more, whatever it still does: an agent's name;
/// empty: it can, or nobody asked. `worked_ms`: what it has worked so far.
std::string dominated_by(const State& state, const AgentState& agent, std::int64_t worked_ms);

}  // namespace hydra::race
