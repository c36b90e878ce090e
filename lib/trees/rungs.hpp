// trees: in which way workspaces can be made in a directory of this machine. Found by doing it there:
// kernels, file systems, containers and security modules refuse in too many ways to know it beforehand
// (performance reference, section 1, "Strategy ladder").
#pragma once

#include "exec/job.hpp"
#include "exec/machine.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::trees {

namespace fs = std::filesystem;

using model::TreeRung;

struct RungTrial {
  TreeRung rung = TreeRung::copy;
  bool tried = false;   ///< false: a better one works, and this one would not be another way out
  std::string problem;  ///< why it is not to be had, for people; empty: it works, or was not tried
};

struct TreeFacts {
  TreeRung rung = TreeRung::copy;  ///< the best that works
  std::vector<RungTrial> trials;   ///< every rung, best first
  std::string remedy;              ///< how to get a better one; empty where there is none to get
  /// The rung for a job that failed with EXDEV: a snapshot where that works, else a copy.
  TreeRung without_overlay = TreeRung::copy;

  /// Why overlays are not to be had, or nothing: one line.
  [[nodiscard]] std::string problem() const;
};

/// How jobs mount on that rung; only for the two overlay rungs.
exec::OverlayAs overlay_as(TreeRung rung);

/// Tries in a directory of its own below `directory`, which exists and is where workspaces will be; leaves
/// nothing behind. Blocking, some 50 ms, at most a minute.
TreeFacts probe_trees(const fs::path& directory, const fs::path& shim, const fs::path& bwrap);

/// exec::probe_machine(), and how workspaces can be made in `directory`. Blocking, some 70 ms.
exec::MachineFacts probe_machine(const std::string& path_variable, const fs::path& directory,
                                 const fs::path& shim);

}  // namespace hydra::trees
