// git, inside only: the conflict regions that a merge leaves between its marks, for people to read.
#pragma once

#include "git/environment.hpp"
#include "git/repository.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

/// Names in the conflict marks: git writes commit ids, people know the branches.
struct Sides {
  std::string ours, theirs;            ///< as given to git
  std::string ours_name, theirs_name;  ///< as shown to people
};

/// Returns the regions of a text between conflict marks, each after a line "@@ line N @@" and with three
/// lines of context; empty: no marks. At most 64 KiB, whole lines.
std::string conflict_regions(std::string_view text, const Sides& sides);

/// Reads the tree that `git merge-tree` wrote: one entry for each of the first 20 paths that have marks.
/// Binary files, links, and conflicts without content (a file that one side removed) have no entry.
std::vector<ConflictText> conflict_texts(const Command& git, const std::string& tree,
                                         const std::vector<std::string>& paths, const Sides& sides);

}  // namespace hydra::git
