// git: checkouts that take names that differ in letter case only for one. Hydra's own directories never do:
// the store, workspaces and check-outs keep both.
#pragma once

#include "model/race_spec.hpp"

#include <string_view>

namespace hydra::git {

/// A conversion setting that speaks of the user's file system: it holds for their checkout alone.
inline constexpr std::string_view kIgnoreCase = "core.ignorecase";

/// Is the user's checkout of that kind (the setting, or the file system itself at the race's start)?
bool ignores_case(const model::RepositoryFacts& facts);

}  // namespace hydra::git
