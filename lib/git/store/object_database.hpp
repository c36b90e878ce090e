// git, inside only: reads and writes objects in the process through libgit2, which saves a program for each
// question. Functions return nothing when libgit2 has no answer (sha256, an odd repository, a missing
// object): the caller then asks git.
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

/// The objects below one object directory and its alternates. Not thread-safe.
class ObjectDatabase {
 public:
  explicit ObjectDatabase(const fs::path& objects);

  /// All files of a commit's (or tree's) tree, in git's order.
  [[nodiscard]] std::optional<std::vector<TreeFile>> files(const std::string& id) const;
  /// Differences of two commits (or trees), in git's order; the cost is that of the differences, not of the
  /// trees.
  [[nodiscard]] std::optional<std::vector<TreeChange>> changes(const std::string& from,
                                                               const std::string& to) const;
  /// Bytes of blobs, as Store::blobs() returns them; a name may be an id or "COMMIT:path".
  [[nodiscard]] std::optional<std::vector<std::optional<std::string>>> blobs(
      const std::vector<std::string>& names, std::size_t max_bytes, std::int64_t max_total) const;
  [[nodiscard]] std::optional<std::string> blob(const std::string& id) const;
  [[nodiscard]] std::optional<std::size_t> blob_size(const std::string& id) const;  ///< bytes
  /// Tree of a commit; for a tree its own id.
  [[nodiscard]] std::optional<std::string> tree_of(const std::string& id) const;

  /// Lines that differ between two blobs (all zeros: none), as git counts them without attributes. Nothing
  /// when a blob has more than 32 MiB.
  [[nodiscard]] std::optional<ChangedLines> changed_lines(const std::string& from,
                                                          const std::string& to) const;
  [[nodiscard]] std::optional<std::string> write_blob(std::string_view bytes) const;
  /// Writes the tree of `id` with the changes applied, and returns its id. The caller guarantees that each
  /// change comes from a comparison with that tree, and that its content exists.
  [[nodiscard]] std::optional<std::string> write_tree(const std::string& id,
                                                      const std::vector<TreeChange>& changes) const;
  /// Writes a commit of `tree` on top of the race's base with one fixed time; returns its id.
  [[nodiscard]] std::optional<std::string> write_commit(const model::RepositoryFacts& facts,
                                                        const std::string& tree, const std::string& message,
                                                        std::int64_t unix_seconds) const;

 private:
  Held<git_odb> odb_;
};

/// Packs the objects of `commits` that `base` lacks at the same path; deltas stay inside the pack. Nothing
/// when libgit2 can't, or a commit has another parent than `base`: the caller asks git then.
[[nodiscard]] std::optional<std::string> pack_of(const fs::path& objects,
                                                 const std::vector<std::string>& commits,
                                                 const std::string& base);

}  // namespace hydra::git
