// git, inside only: what a layer over a checkout of the base changes.
#pragma once

#include "git/capture/scan.hpp"

#include <string>
#include <vector>

namespace hydra::git {

struct LayerChanges {
  std::vector<std::string> removed;  ///< of the base, in its order
  std::vector<std::string> written;  ///< of the base and in the layer: changed, or touched only
  std::vector<std::string> added;    ///< files that the base has not
};

/// `base`: paths of the base's files, sorted bytewise. Pure.
LayerChanges layer_changes(const Scan& layer, const std::vector<std::string>& base);

}  // namespace hydra::git
