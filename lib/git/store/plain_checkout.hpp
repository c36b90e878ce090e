// git, inside only: a checkout made in the process, which saves a program for each workspace. Only for trees
// whose files equal their blobs; git makes all others.
#pragma once

#include "git/store/object_database.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

/// Opens an index file, or a new empty one to be written to `file`. Null: unreadable.
Held<git_index> open_index(const std::filesystem::path& file);

/// Returns whether a checkout surely accepts the path; git decides about all others.
bool plain_path(std::string_view path);

/// All files of a commit in memory; its files equal their blobs (`holds_conversion` is false).
class PlainFiles {
 public:
  /// Null when git has to make the checkout: a submodule, an odd name, a missing object, more than 2,000
  /// files or 16 MiB.
  static std::shared_ptr<const PlainFiles> read(const ObjectDatabase& objects, const std::string& commit);
  /// Writes the files below `directory`, which holds only a repository, and its `index`, as `git reset
  /// --hard` would. False: failed; some files may have been written, and git must redo all of it.
  [[nodiscard]] bool check_out(const std::filesystem::path& directory,
                               const std::filesystem::path& index) const;
  [[nodiscard]] std::size_t size() const;  ///< bytes of all files

 private:
  std::vector<TreeFile> files_;
  std::vector<std::string> bytes_;  ///< in the order of the files
};

/// The files of one commit, read once for all checkouts of a race; more than 4 MiB are held only during a
/// checkout. Thread-safe.
class SharedFiles {
 public:
  std::shared_ptr<const PlainFiles> get(const ObjectDatabase& objects, const std::string& commit);

 private:
  std::mutex mutex_;
  std::weak_ptr<const PlainFiles> files_;
  std::shared_ptr<const PlainFiles> kept_;
};

}  // namespace hydra::git
