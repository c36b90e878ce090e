// trees: ways to make workspaces in a directory of this machine, found by trying: kernels, file systems,
// containers and security modules refuse in too many ways to predict (docs/workspaces.md, "File systems").
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
  bool tried = false;   ///< false: a better rung works, and this one is no alternative to it
  std::string problem;  ///< cause of the failure, for people; empty: works, or not tried
};

struct TreeFacts {
  TreeRung rung = TreeRung::copy;  ///< best rung that works
  std::vector<RungTrial> trials;   ///< every rung, best first
  std::string remedy;              ///< how to get a better rung; empty: none
  /// Rung for a job that failed with EXDEV: a snapshot if possible, otherwise a copy.
  TreeRung without_overlay = TreeRung::copy;

  /// A line: why overlays do not work; empty: they work.
  [[nodiscard]] std::string problem() const;
};

/// Mount mode of a rung; only for the two overlay rungs.
exec::OverlayAs overlay_as(TreeRung rung);

/// Tries in a new directory below `directory`, which exists and will hold the workspaces; leaves nothing
/// behind. Blocking, some 50 ms, at most a minute.
TreeFacts probe_trees(const fs::path& directory, const fs::path& shim, const fs::path& bwrap);

/// exec::probe_machine() with the rungs of `directory`. Blocking, some 70 ms.
exec::MachineFacts probe_machine(const std::string& path_variable, const fs::path& directory,
                                 const fs::path& shim);

}  // namespace hydra::trees
