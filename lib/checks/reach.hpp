// checks: finds new files that no build and no test reaches, as far as names tell: no other file of the tree
// names them, and nothing collects them by kind or place. A hint for people; decides nothing.
#pragma once

#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "model/agent_run.hpp"
#include "model/race_spec.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::checks {

/// Adds a warning to the capture for each such file, at most three. Blocking: asks git twice; does nothing
/// for large changes or bases.
Result<void> find_unreached(integrity::KnownRules& known, const git::Store& store,
                            const model::RaceSpec& spec, model::Capture& capture);

/// Returns whether files of this name are collected unnamed: sources that compilers take by directory,
/// leading dots, files beside others of their kind (`neighbours`: paths of the base). Pure.
bool collected_by_kind(std::string_view path, const std::vector<std::string>& neighbours);

/// Returns whether one of the texts has the file's name, its name without extension as a word, or its whole
/// extension ("*.txt"). Pure.
bool named_in(std::string_view path, const std::vector<std::string_view>& texts);

}  // namespace hydra::checks
