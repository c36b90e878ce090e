// daemon/api: listening for this machine alone.
#pragma once

#include "base/fd.hpp"
#include "base/result.hpp"

#include <string>

namespace hydra::api {

/// Never any other address than 127.0.0.1: what listens there can be reached from this machine alone. `port`
/// 0: a free one, which it is then. `hint`: what helps where another program has the port.
Result<UniqueFd> bind_loopback(int& port, const std::string& hint);

}  // namespace hydra::api
