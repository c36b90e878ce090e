// parsers, inside: test names that mean the same test in two runs.
#pragma once

#include "model/check.hpp"

#include <string_view>
#include <vector>

namespace hydra::parsers {

/// Takes the workspace's path off the names (`root` absolute, may be empty) and numbers equal names: "a",
/// "a #2", "a #3", passed ones first, so that the order of a parallel run does not matter. n log n at most.
void make_stable(std::vector<model::TestCase>& tests, std::string_view root);

}  // namespace hydra::parsers
