// git, inside only: objects read and written in the process through libgit2, which saves a program for each
// question. No answer where libgit2 has none (sha256, an odd repository, an object that is missing): the
// caller then asks git.
#pragma once

#include "git/repository.hpp"
#include "git/store/libgit.hpp"
#include "model/race_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

/// A file, link or submodule of a tree.
struct TreeFile {
  std::string path;
  std::string mode;  ///< as git prints it, "100644"
  std::string id;
};

struct ChangedLines {
  std::size_t added = 0, removed = 0;
  bool binary = false;
};

/// The objects below one object directory and its alternates. One thread at a time.
class ObjectDatabase {
 public:
  explicit ObjectDatabase(const fs::path& objects);

  /// Everything of a commit's (or tree's) tree, in git's order.
  [[nodiscard]] std::optional<std::vector<TreeFile>> files(const std::string& id) const;
  /// What differs between two commits (or trees), in git's order; costs as much as differs, not as there is.
  [[nodiscard]] std::optional<std::vector<TreeChange>> changes(const std::string& from,
                                                               const std::string& to) const;
  /// Bytes of blobs as Store::blobs() gives them; a name may be an id or "COMMIT:path".
  [[nodiscard]] std::optional<std::vector<std::optional<std::string>>> blobs(
      const std::vector<std::string>& names, std::size_t max_bytes, std::int64_t max_total) const;
  [[nodiscard]] std::optional<std::string> blob(const std::string& id) const;
  [[nodiscard]] std::optional<std::size_t> blob_size(const std::string& id) const;  ///< bytes
  /// The tree of a commit; a tree's own id.
  [[nodiscard]] std::optional<std::string> tree_of(const std::string& id) const;

  /// What lies between two blobs (all zeros: none), as git counts it without attributes. Nothing where one
  /// of them has more than 32 MiB.
  [[nodiscard]] std::optional<ChangedLines> changed_lines(const std::string& from,
                                                          const std::string& to) const;
  [[nodiscard]] std::optional<std::string> write_blob(std::string_view bytes) const;
  /// Writes the tree that `id`'s is with the changes in it, and returns its id. Nothing is checked: each
  /// change is one of a comparison with that tree, and its content is there.
  [[nodiscard]] std::optional<std::string> write_tree(const std::string& id,
                                                      const std::vector<TreeChange>& changes) const;
  /// Writes a commit of `tree` on top of the race's base with one fixed time; its id.
  [[nodiscard]] std::optional<std::string> write_commit(const model::RepositoryFacts& facts,
                                                        const std::string& tree, const std::string& message,
                                                        std::int64_t unix_seconds) const;

 private:
  Held<git_odb> odb_;
};

/// A pack of what `commits` hold that `base` does not hold at the same place; deltas need nothing outside of
/// it. Nothing where libgit2 has no answer, or a commit has another parent than `base`: then git is to be
/// asked.
[[nodiscard]] std::optional<std::string> pack_of(const fs::path& objects,
                                                 const std::vector<std::string>& commits,
                                                 const std::string& base);

}  // namespace hydra::git
