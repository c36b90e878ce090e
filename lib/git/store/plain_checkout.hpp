// git, inside only: a checkout made in the process, which saves a program for each workspace. For trees whose
// files are what is stored; git itself makes all others.
#pragma once

#include "git/store/object_database.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

/// An index file, or an empty one that would be written there. Null where it can't be read.
Held<git_index> open_index(const std::filesystem::path& file);

/// A path that a checkout takes without a second thought; git has the last word about all others.
bool plain_path(std::string_view path);

/// All files of a commit whose files are what is stored (`holds_conversion` is false), in memory.
class PlainFiles {
 public:
  /// Null where git has to make the checkout: a submodule, an odd name, an object that is missing, more than
  /// 2,000 files or 16 MiB.
  static std::shared_ptr<const PlainFiles> read(const ObjectDatabase& objects, const std::string& commit);
  /// Writes them below `directory`, which holds nothing but a repository, and its `index`, as `git reset
  /// --hard` would. False: it did not work, some files may lie there, and git is to do all of it.
  [[nodiscard]] bool check_out(const std::filesystem::path& directory,
                               const std::filesystem::path& index) const;
  [[nodiscard]] std::size_t size() const;  ///< bytes of all files

 private:
  std::vector<TreeFile> files_;
  std::vector<std::string> bytes_;  ///< in the order of the files
};

/// The files of one commit, read once for all checkouts of a race; more than 4 MiB only while one is made.
/// Any thread.
class SharedFiles {
 public:
  std::shared_ptr<const PlainFiles> get(const ObjectDatabase& objects, const std::string& commit);

 private:
  std::mutex mutex_;
  std::weak_ptr<const PlainFiles> files_;
  std::shared_ptr<const PlainFiles> kept_;
};

}  // namespace hydra::git
