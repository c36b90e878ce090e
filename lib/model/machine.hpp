// model: what a machine was found to offer a race.
#pragma once

#include "model/words.hpp"

namespace hydra::model {

/// In what agents and checks run. `undecided` is what nothing was tried for yet.
enum class Isolation { undecided, none, bwrap, podman, docker };
template <>
inline constexpr auto kWords<Isolation> = words_or(Isolation::none, "", "none", "bwrap", "podman", "docker");

/// How check workspaces share their template, best first after `unshared`.
enum class TreeRung {
  unshared,        ///< every one is a checkout and a set-up of its own
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
