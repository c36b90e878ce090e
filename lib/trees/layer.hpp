// trees, inside: the writable layer of a workspace that is an overlay.
#pragma once

#include "base/overlay_marks.hpp"
#include "trees/workspace.hpp"

namespace hydra::trees {

/// Returns whether the whole workspace is one overlay.
inline bool layered(const Workspace& workspace) {
  return !workspace.overlays.empty() && workspace.overlays.front().mount == workspace.host;
}

}  // namespace hydra::trees
