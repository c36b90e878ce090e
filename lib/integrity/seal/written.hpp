// integrity: detects writes of a check command even when the content is restored: to protected files, and to
// installed programs and packages (node_modules, .venv, [workspace] share) that were replaced. The writable
// layer of an overlay shows writes at no cost; in a copy every entry is inspected.
#pragma once

#include "base/result.hpp"
#include "integrity/seal/seal.hpp"

#include <map>
#include <string>
#include <vector>

namespace hydra::integrity {

inline constexpr std::size_t kMostBuilt = 500;

/// Path -> file identity and change time (ctime), which no payload can set.
using Stamps = std::map<std::string, std::string>;

struct WrittenState {
  Stamps judges;     ///< protected files with executable text; of an overlay those in its writable layer
  Stamps installed;  ///< entries of dependency directories; of an overlay likewise
};

/// Question about a workspace, equal before and after.
struct WrittenQuestion {
  const ProtectedPaths* rules = nullptr;  ///< never null
  std::vector<std::string> also;          ///< further protected paths (hidden tests)
  std::vector<std::string> shared;        ///< dependency directories besides those known by name
  std::string path;                       ///< $PATH of the checks, whose programs can be shadowed
};

/// Reads a tree in which nothing runs; follows no links. `sealed`: protected_state() of this moment. Error:
/// `io`, and `protocol` for more than a million entries.
Result<WrittenState> written_state(const trees::Workspace& workspace, const WrittenQuestion& question,
                                   const SealedPaths& sealed);

/// Returns the paths that a command wrote to between both states, sorted: every protected path; of installed
/// paths those with other bytes or gone, new programs with known names, and new modules and packages that
/// would be loaded instead of others. A dependency directory with more than kMostRewritten of them is one
/// row. `base`: all written paths that existed before.
std::vector<std::string> written_paths(const trees::Workspace& workspace, const WrittenQuestion& question,
                                       const WrittenState& before, const WrittenState& after, bool base);

/// Returns the sources of the base, at most kMostBuilt, from which a build made files, by their names: "a.c"
/// for "out/a.c.o". Installed packages and hidden directories do not count.
std::vector<std::string> built_sources(const trees::Workspace& workspace, const ProtectedPaths& rules);

std::string to_bytes(const WrittenState& state);
/// Nothing: the text is damaged.
std::optional<WrittenState> written_from_bytes(std::string_view bytes);

}  // namespace hydra::integrity
