// parsers, inside: runs that a known runner began and that have no end. A test that ends the process with
// exit code 0 leaves no summary: what is there must not pass for the output of an unknown, successful tool.
#pragma once

#include "parsers/registry.hpp"

namespace hydra::parsers {

/// Asked where no other parser found anything, and only for exit code 0: everything else is no success
/// anyway. Adds at most one unfinished run.
void find_begun(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
