// git: which checkout a directory belongs to, read off the files of repositories without starting git: cheap
// enough for every call.
#pragma once

#include "base/result.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <string>

namespace hydra::git {

enum class Relation {
  same,       ///< the same checkout
  sibling,    ///< another work tree of the same repository
  elsewhere,  ///< another repository, or none
};

/// How the checkout that `directory` stands in is related to the one with top level `root`. Where no
/// repository is found above `directory` (it is gone, or named by variables only) its path decides.
Relation relation(const std::filesystem::path& directory, const std::filesystem::path& root);

/// What to say where a race of `root` is wanted from another checkout; `refused`.
Error another_checkout(const std::string& root);

/// Whether a checkout has its top level at `root`.
bool is_checkout(const std::filesystem::path& root);

/// Whether the repository that `directory` stands in holds the pin of this race's base: then it is the
/// race's, wherever it lies now.
bool has_pin(const std::filesystem::path& directory, const std::string& race);

/// Whether what the race's captures are made of can be read: `not_found` where the repository is gone,
/// `refused` where another one is at its path (the race's base is not in it). Starts git.
Result<void> holds_base(const model::RaceSpec& spec);
/// The same, and the checkout that the race began in is there.
Result<void> at_its_place(const model::RaceSpec& spec);

}  // namespace hydra::git
