// checks: what a candidate's new names mean where the user's checkout takes both letter cases for one: there
// "Node_Modules/x" lies in node_modules, and "Conftest.py" is read as conftest.py. Check workspaces keep them
// apart, so these are questions of names alone. Pure.
#pragma once

#include "checks/protected_paths.hpp"
#include "checks/rebuild.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Does one of the patterns (base/glob.hpp) cover the path in some letter case, or would the path stand in
/// the place of a directory above one?
bool covered_in_any_case(const std::vector<std::string>& patterns, std::string_view path);

/// Adds a `remove` for each added path that the checkout would take for a protected one: of the base, or one
/// that a tool opens by its name. Names by which tests are found have their letter case there too. Steps stay
/// in the order of RestorePlan.
void protect_other_cases(RestorePlan& plan, std::span<const Change> changes, const ProtectedPaths& rules);

}  // namespace hydra::checks
