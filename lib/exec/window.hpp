// exec: at most so many jobs in flight, of whatever placement, and a fair turn for every race.
#pragma once

#include "exec/executor.hpp"

#include <memory>

namespace hydra::exec {

/// Hands at most `limit` jobs (>= 1), or as many as the least of their own requests says, to `inner` and keeps
/// the others in memory: races take turns, each in the order of its own asking. It is also the fence: of each
/// submitted token the first end counts, whatever an engine reports twice, or late. `inner` must outlive it.
std::unique_ptr<Executor> make_window(boost::asio::io_context& loop, Executor& inner, int limit);

}  // namespace hydra::exec
