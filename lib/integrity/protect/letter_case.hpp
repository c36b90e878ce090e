// integrity: meaning of a candidate's new names on a checkout that ignores letter case: "Node_Modules/x" is
// in node_modules there, and "Conftest.py" is read as conftest.py. Check workspaces are case-sensitive, so
// only names matter here. Pure.
#pragma once

#include "integrity/protect/protected_paths.hpp"
#include "trees/rebuild.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

/// Adds a `remove` for each added path that the checkout would take for a protected one: a path of the base,
/// or one that a tool opens by name. Names by which tests are found are case-sensitive there too. Steps stay
/// in the order of RestorePlan.
void protect_other_cases(RestorePlan& plan, std::span<const trees::Change> changes,
                         const ProtectedPaths& rules);

}  // namespace hydra::integrity
