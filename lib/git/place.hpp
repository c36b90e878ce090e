// git: which checkout a directory belongs to, read off the files of repositories without starting git: cheap
// enough for every call.
#pragma once

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

}  // namespace hydra::git
