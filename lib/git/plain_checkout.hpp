// git, inside only: a checkout made in the process, which saves a program for each workspace. For trees whose
// files are what is stored; git itself makes all others.
#pragma once

#include "git/object_database.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct git_index;

namespace hydra::git {

struct IndexCloser {
  void operator()(git_index* index) const;
};
using Index = std::unique_ptr<git_index, IndexCloser>;

/// An index file, or an empty one that would be written there. Null where it can't be read.
Index open_index(const std::filesystem::path& file);

/// A path that a checkout takes without a second thought; git has the last word about all others.
bool plain_path(std::string_view path);

/// Writes the files of `commit` below `directory`, which holds nothing but a repository, and its `index`, as
/// `git reset --hard` would where nothing is converted (`holds_conversion` is false). False where it isn't
/// for this function (a submodule, an odd name, an object that is missing or larger than 4 MiB, more than
/// 2,000 files) or did not work: some files may lie there then, and git is to do all of it.
bool check_out_plain(const ObjectDatabase& objects, const std::string& commit,
                     const std::filesystem::path& directory, const std::filesystem::path& index);

}  // namespace hydra::git
