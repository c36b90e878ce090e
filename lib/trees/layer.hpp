// trees, inside: the writable layer of a workspace that is an overlay, as overlayfs writes it.
#pragma once

#include "trees/workspace.hpp"

#include <array>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

namespace hydra::trees {

/// An entry that stands for "removed here".
inline bool is_whiteout(const struct stat& facts) {
  return S_ISCHR(facts.st_mode) && facts.st_rdev == makedev(0, 0);
}

/// A directory that hides what the layers below have of it.
inline bool is_opaque(int directory) {
  for (const auto* name : {"user.overlay.opaque", "trusted.overlay.opaque"}) {
    std::array<char, 8> value{};
    if (::fgetxattr(directory, name, value.data(), value.size()) == 1 && value[0] == 'y') return true;
  }
  return false;
}

/// Whether the whole workspace is one overlay.
inline bool layered(const Workspace& workspace) {
  return !workspace.overlays.empty() && workspace.overlays.front().mount == workspace.host;
}

}  // namespace hydra::trees
