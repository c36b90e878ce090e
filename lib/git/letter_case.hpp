// git: checkouts on file systems that ignore letter case. Hydra's own directories (store, workspaces,
// check-outs) always keep names apart that differ in case only.
#pragma once

#include "model/race_spec.hpp"

#include <string_view>

namespace hydra::git {

/// A conversion setting that describes the user's file system: valid for the user's checkout only.
inline constexpr std::string_view kIgnoreCase = "core.ignorecase";

/// Returns whether the user's checkout ignores letter case (by the setting, or by the file system at the
/// race's start).
bool ignores_case(const model::RepositoryFacts& facts);

}  // namespace hydra::git
