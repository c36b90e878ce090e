// base: marks that overlayfs writes into an overlay's upper directory. Processes inside the overlay cannot
// forge them: the kernel refuses.
#pragma once

#include <array>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

namespace hydra {

/// Whether the entry marks a removed file.
inline bool is_whiteout(const struct stat& facts) {
  return S_ISCHR(facts.st_mode) && facts.st_rdev == makedev(0, 0);
}

/// Whether the directory hides the entries of the layers below.
inline bool is_opaque(int directory) {
  for (const auto* name : {"user.overlay.opaque", "trusted.overlay.opaque"}) {
    std::array<char, 8> value{};
    if (::fgetxattr(directory, name, value.data(), value.size()) == 1 && value[0] == 'y') return true;
  }
  return false;
}

}  // namespace hydra
