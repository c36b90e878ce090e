// git: finds the checkout of a directory by reading files of repositories, without starting git: cheap enough
// for every call.
#pragma once

#include "base/result.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <string>

namespace hydra::git {

enum class Relation {
  same,       ///< same checkout
  sibling,    ///< another work tree of the repository
  elsewhere,  ///< another repository, or none
};

/// Returns the relation of the checkout around `directory` to the checkout at `root`. When no repository is
/// found above `directory` (gone, or named by variables only), its path decides.
Relation relation(const std::filesystem::path& directory, const std::filesystem::path& root);

/// Error `refused` for a race of `root` that is wanted from another checkout.
Error another_checkout(const std::string& root);

/// Returns whether `root` is the top level of a checkout.
bool is_checkout(const std::filesystem::path& root);

/// Returns whether the repository around `directory` has the pin of this race's base: then the race belongs
/// to it, even after the repository was moved.
bool has_pin(const std::filesystem::path& directory, const std::string& race);

/// Checks that the base of the race's captures can be read: `not_found` when the repository is gone,
/// `refused` when another repository is at its path (without the race's base). Starts git.
Result<void> holds_base(const model::RaceSpec& spec);
/// holds_base(), and the checkout in which the race began exists.
Result<void> at_its_place(const model::RaceSpec& spec);

}  // namespace hydra::git
