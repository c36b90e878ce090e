// model: capabilities of a machine for a race.
#pragma once

#include "model/words.hpp"

namespace hydra::model {

/// The isolation of agents and checks. `undecided`: not probed yet.
enum class Isolation { undecided, none, bwrap, podman, docker };
template <>
inline constexpr auto kWords<Isolation> = words_or(Isolation::none, "", "none", "bwrap", "podman", "docker");

/// How check workspaces share their template, best first after `unshared`.
enum class TreeRung {
  unshared,        ///< each workspace is a separate checkout with its own set-up
  overlay_root,    ///< overlays, mounted as root
  overlay_userns,  ///< overlays, mounted in a user namespace: directories of the template can't be renamed
  btrfs_snapshot,  ///< a snapshot of a template that is a subvolume
  copy,            ///< trees::clone_tree() of the template: works everywhere
};
template <>
inline constexpr auto kWords<TreeRung> = words_or(TreeRung::copy, "", "overlay_root", "overlay_userns",
                                                  "btrfs_snapshot", "copy");

constexpr bool overlays(TreeRung rung) {
  return rung == TreeRung::overlay_root || rung == TreeRung::overlay_userns;
}

}  // namespace hydra::model
