// parsers, inside: go test -json.
#pragma once

#include "parsers/registry.hpp"

#include <vector>

namespace hydra::parsers {

/// False: the log has no such events.
bool find_go_json(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
