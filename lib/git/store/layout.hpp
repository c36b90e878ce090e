// git, inside only: the files that make a directory a repository, written by hand.
#pragma once

#include "base/result.hpp"
#include "model/race_spec.hpp"

#include <filesystem>
#include <optional>
#include <string>
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

/// One line of objects/info/alternates, quoted where git needs it.
std::string alternates_line(const fs::path& path);
/// Object directories that `objects`/info/alternates names, with those that they name themselves.
std::vector<std::string> alternates_of(const fs::path& objects);
/// The remote that a partial clone fetches from; nothing when it is none.
std::optional<std::string> promisor_remote(const model::RepositoryFacts& facts);

/// Removes the lock that a git which was killed left beside this index or ref of Hydra's own: a daemon ends
/// the tools of the one that died before it (exec/orphans.hpp), and their locks would refuse every git that
/// follows. Nobody else may be at work on `file`.
void drop_lock(const fs::path& file);

/// Copies a file with its times: git compares an index with the time of the index file itself. A lock that
/// was left beside `to` goes (drop_lock).
Result<void> copy_index(const fs::path& from, const fs::path& to);

}  // namespace hydra::git
