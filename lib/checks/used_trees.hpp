// checks: copies of a template that a check set has used, put back and kept beside it until the next
// workspace takes them. A copy that is put back costs a look at each of its files, a new one the making of
// each.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace hydra::checks {

namespace fs = std::filesystem;

/// One of the whole trees of a template.
struct CopySource {
  fs::path tree;
  bool warm = false;
  std::int64_t finished_ns = 0;  ///< of the template: one that was made again is another one
};

/// Whether a used tree can be told from a copy here: the file system stamps every change (base/used_tree),
/// and the machine lets the shim refuse the call that goes round it.
bool can_use_again(const fs::path& directory);

/// The used trees of one template. Any thread; two never take the same tree. Trees of an earlier daemon are
/// never taken.
class UsedTrees {
 public:
  /// At most `limit` are kept; 0: none, and nothing is taken.
  UsedTrees(fs::path template_root, fs::path trash, int limit)
      : root_(std::move(template_root)), trash_(std::move(trash)), limit_(limit) {}

  /// Makes `directory`/tree: a used one, or a copy. True: a used one. Where the disk is full the used trees
  /// of all templates make room first.
  [[nodiscard]] Result<bool> make(const CopySource& source, const fs::path& directory) const;

  /// Takes the tree that make() made out of `directory`, at once; what it returns puts it back and keeps it,
  /// and is blocking. To be called when no process has a file of it open any more. Nothing where this process
  /// did not make it; a tree that can't be put back goes to the trash.
  [[nodiscard]] std::function<void()> give_back(const CopySource& source, const fs::path& directory) const;

 private:
  [[nodiscard]] bool take(const CopySource& source, const fs::path& directory) const;
  fs::path root_, trash_;
  int limit_;
};

/// Bytes of the used trees that lie beside a template, about.
std::uint64_t used_bytes(const fs::path& template_root);
/// Moves them to the trash.
void drop_used(const fs::path& template_root, const fs::path& trash);

}  // namespace hydra::checks
