// integrity: what a candidate's new names mean where the user's checkout takes both letter cases for one:
// there "Node_Modules/x" lies in node_modules, and "Conftest.py" is read as conftest.py. Check workspaces
// keep them apart, so these are questions of names alone. Pure.
#pragma once

#include "integrity/protect/protected_paths.hpp"
#include "trees/rebuild.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::integrity {

/// Adds a `remove` for each added path that the checkout would take for a protected one: of the base, or one
/// that a tool opens by its name. Names by which tests are found have their letter case there too. Steps stay
/// in the order of RestorePlan.
void protect_other_cases(RestorePlan& plan, std::span<const trees::Change> changes,
                         const ProtectedPaths& rules);

}  // namespace hydra::integrity
