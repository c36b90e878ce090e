// base: what overlayfs writes into the upper directory of an overlay. Nobody who works in the overlay can
// forge it: the kernel refuses these marks there.
#pragma once

#include <array>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

namespace hydra {

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

}  // namespace hydra
