// base: removes host names, addresses and secrets from text of foreign programs before Hydra shows it. Pure;
// linear time.
#pragma once

#include <string>
#include <string_view>

namespace hydra {

/// Replaces private hosts and addresses by "[host]", and user names, passwords and tokens by "[hidden]".
/// Loopback, public registries, file names, dotted identifiers and control characters stay.
std::string redact(std::string_view text);

}  // namespace hydra
