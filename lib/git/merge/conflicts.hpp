// git, inside only: what a merge that conflicts leaves between its marks, for people to read.
#pragma once

#include "git/environment.hpp"
#include "git/repository.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hydra::git {

/// The names that stand in the marks: git writes the commits' ids, people know the branches.
struct Sides {
  std::string ours, theirs;            ///< as they were given to git
  std::string ours_name, theirs_name;  ///< as they are shown
};

/// The regions of a text between conflict marks, each after a line "@@ line N @@" and with three lines around
/// it; empty where there is none. At most 64 KiB, whole lines.
std::string conflict_regions(std::string_view text, const Sides& sides);

/// Of the tree that `git merge-tree` wrote: one entry for each path that has marks, of the first 20 paths.
/// Binary files, links, and conflicts that are none of content (a file that one side removed) have none.
std::vector<ConflictText> conflict_texts(const Command& git, const std::string& tree,
                                         const std::vector<std::string>& paths, const Sides& sides);

}  // namespace hydra::git
