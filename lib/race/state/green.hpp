// race: when one result is good enough (`hydra race --until green`): docs/selection.md, "Until green". Pure;
// the effects are in agents_watch.cpp.
#pragma once

#include "race/state/state.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace hydra::race {

/// Returns whether any agent of the race runs, is queued, or is about to run again.
bool agents_under_way(const State& state);

/// Returns the agent whose result is good enough: eligible, all checks green, with evidence that it does the
/// task (unless nothing in the race can give evidence). Empty: none yet, or not requested.
std::string green_result(const State& state);

/// Returns the milliseconds that the others still have: as many as `first` took, at most a minute, from the
/// stored event on, which an earlier daemon may have written.
std::int64_t green_grace_ms(const State& state, const std::string& first, std::int64_t now_ms);

/// Returns whether a stop of `--until green` was issued: no automatic retries then.
bool rest_stopped(const State& state);

/// While agents still run: adds checks that may prove a result good enough, or the stop of the others.
void want_green(const State& state, std::set<Command>& commands);

}  // namespace hydra::race
