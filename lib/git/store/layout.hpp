// git, inside only: the files that make a directory a repository, written by hand.
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
  std::string head;               ///< content of HEAD without newline
  bool main_branch = false;       ///< writes refs/heads/main at the base
  std::vector<fs::path> objects;  ///< alternates, in order
  std::string packed_refs;        ///< whole file; may be empty
  std::string attributes;         ///< info/attributes; may be empty
};

/// Writes a repository into `git_dir` that borrows the objects of others.
Result<void> write_repository(const fs::path& git_dir, const RepositoryFiles& files,
                              const model::RepositoryFacts& facts);

/// A name or value in quotes, as git reads them in configuration, lists of paths and variables.
std::string in_quotes(std::string_view value);
/// One line of objects/info/alternates, quoted where git needs it.
std::string alternates_line(const fs::path& path);
/// Object directories that `objects`/info/alternates names, with those that they name themselves.
std::vector<std::string> alternates_of(const fs::path& objects);
/// The remote that a partial clone fetches from; nothing when it is none.
std::optional<std::string> promisor_remote(const model::RepositoryFacts& facts);

/// Where the file `.git` of a checkout leads; empty: it is no such file.
fs::path linked_git_dir(const fs::path& checkout);

/// Removes the lock that a git which was killed left beside this index or ref of Hydra's own: a daemon ends
/// the tools of the one that died before it (exec/orphans.hpp), and their locks would refuse every git that
/// follows. Nobody else may be at work on `file`.
void drop_lock(const fs::path& file);

/// An index of Hydra's own for a few steps: nothing is there at the begin, and nothing is left.
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

/// Copies a file with its times: git compares an index with the time of the index file itself. A lock that
/// was left beside `to` goes (drop_lock).
Result<void> copy_index(const fs::path& from, const fs::path& to);

}  // namespace hydra::git
