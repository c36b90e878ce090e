// parsers, inside: subunit version 2, the binary stream of Python's test runners. Read before the log is
// cleaned, since that would destroy it.
#pragma once

#include "parsers/registry.hpp"

#include <optional>

namespace hydra::parsers {

/// Nothing where the first 64 KiB have no valid packet. Text between packets is passed over.
std::optional<model::TestReport> read_subunit(std::string_view output);

}  // namespace hydra::parsers
