// git, inside only: writes the files of a repository without git.
#pragma once

#include "base/result.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::git {

namespace fs = std::filesystem;

struct RepositoryFiles {
  std::string commit;             ///< checked out
  std::string branch;             ///< full name of the branch at the commit; empty: a detached HEAD
  std::vector<fs::path> objects;  ///< alternates, in order
  std::string packed_refs;        ///< whole file; may be empty
  std::string attributes;         ///< info/attributes; may be empty
};

/// Writes a repository that borrows objects of others into `git_dir`.
Result<void> write_repository(const fs::path& git_dir, const RepositoryFiles& files,
                              const model::RepositoryFacts& facts);

/// Quotes a name or value as git reads it in configuration, path lists and variables.
std::string in_quotes(std::string_view value);
/// A line of objects/info/alternates, quoted where git needs it.
std::string alternates_line(const fs::path& path);
/// Object directories that `objects`/info/alternates names, and recursively their alternates.
std::vector<std::string> alternates_of(const fs::path& objects);
/// Remote that a partial clone fetches from; nothing: no partial clone.
std::optional<std::string> promisor_remote(const model::RepositoryFacts& facts);

/// Target of a checkout's `.git` file; empty: `.git` is no such file.
fs::path linked_git_dir(const fs::path& checkout);

/// Removes a killed git's lock beside an index or ref of Hydra: a daemon ends its predecessor's tools
/// (exec/orphans.hpp), whose locks would fail every later git. No other thread may use `file`.
void drop_lock(const fs::path& file);

/// A temporary index of Hydra for a few steps: removed at construction and destruction.
class ScratchIndex {
 public:
  explicit ScratchIndex(fs::path file) : file_(std::move(file)) { clear(); }
  ~ScratchIndex() { clear(); }
  ScratchIndex(const ScratchIndex&) = delete;
  ScratchIndex& operator=(const ScratchIndex&) = delete;
  [[nodiscard]] const fs::path& path() const { return file_; }

 private:
  void clear() const;
  fs::path file_;
};

/// Copies an index with its times, which git compares with those of the files. Removes a lock left beside
/// `to` (drop_lock).
Result<void> copy_index(const fs::path& from, const fs::path& to);

}  // namespace hydra::git
