// trees: an earlier base's template as the start of a new base's: results of its set-up and build are taken
// over where the commits in between ask for no more than an incremental build (docs/workspaces.md).
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "model/race_spec.hpp"
#include "trees/template.hpp"

#include <set>
#include <string>

namespace hydra::trees {

/// Paths of two bases. Tracked files are never taken over.
struct BetweenBases {
  std::set<std::string> tracked;    ///< by either of the two
  std::set<std::string> unchanged;  ///< equal in both: their mtimes are taken over
};

/// Compares the race's base with the earlier commit `base`. `conflict`: a change in between needs the set-up
/// or a build from nothing. Blocking: runs git.
Result<BetweenBases> between_bases(const git::Store& store, const model::RaceSpec& spec,
                                   const std::string& base);

/// Copies untracked files and directories of the tree `from` that `to` lacks, but for shared and copied ones
/// of the checkout. `spare`: a path beside `to`, for copies under way.
Result<void> take_untracked(const fs::path& from, const fs::path& to, const fs::path& spare,
                            const BetweenBases& bases, const model::WorkspaceConfig& workspace);

/// Gives unchanged files of `to` the mtimes that they have in `from`, so that build results count as newer.
Result<void> take_mtimes(const fs::path& from, const fs::path& to, const BetweenBases& bases);

/// Copies the overlay layer `from` without tracked files. `conflict`: the layer hides files of `below`.
Result<void> take_layer(const fs::path& from, const fs::path& below, const fs::path& to,
                        const BetweenBases& bases);

}  // namespace hydra::trees
