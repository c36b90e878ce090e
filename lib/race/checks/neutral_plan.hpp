// race: the neutral copy of an author's result (docs/selection.md, "Tests that read text"). Blocking.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"

#include <string>
#include <vector>

namespace hydra::race {

/// Returns the edits that turn the product of a gating commit into one that behaves the same: sources of its
/// diff without text for people, and files that tests alone read as the base has them. Empty: only blanks
/// would differ, in files that no test of `captured`, the commit with the author's tests, names.
Result<std::vector<git::TreeEdit>> neutral_edits(const integrity::RaceRules& rules, const git::Store& store,
                                                 const std::string& gating, const std::string& captured);

}  // namespace hydra::race
