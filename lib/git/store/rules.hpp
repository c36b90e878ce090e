// git, inside only: the base's attributes and ignores as one file each, so that an agent's own files can't
// change them.
#pragma once

#include "model/race_spec.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::git {

/// A rule file of the base: its directory ("" for the root, no trailing slash) and its text.
using RuleFile = std::pair<std::string, std::string>;

/// info/attributes: everything unspecified first, then the base's files, root first.
std::string flatten_attributes(std::vector<RuleFile> files);
/// An exclude file: `first` (the user's own ignores), then the base's files, root first. Later lines win.
std::string flatten_ignores(std::string_view first, std::vector<RuleFile> files);

/// Returns whether a file of a checkout may differ from its blob (line endings, filters). `store` has the
/// base's attributes.
bool holds_conversion(const std::filesystem::path& store, const model::RepositoryFacts& facts);

}  // namespace hydra::git
