// exec: bounds the jobs in flight, in any placement, and gives every race a fair turn.
#pragma once

#include "exec/executor.hpp"

#include <memory>

namespace hydra::exec {

/// Passes at most `limit` jobs (>= 1), or the smallest window that their requests name, to `inner`, and keeps
/// the others in memory; races take turns, each in its order of submission. The window is also the fence:
/// only the first end of each submitted token counts, even if an engine reports late or twice. `inner` must
/// outlive the result.
std::unique_ptr<Executor> make_window(boost::asio::io_context& loop, Executor& inner, int limit);

}  // namespace hydra::exec
