// integrity: what a command of the checks wrote to, whatever stands there afterwards: protected files that
// have their bytes again, and installed programs and packages (node_modules, .venv, [workspace] share) that
// others took the place of. The writable layer of an overlay tells it at no cost; of a copy, every entry is
// looked at.
#pragma once

#include "base/result.hpp"
#include "integrity/seal/seal.hpp"

#include <map>
#include <string>
#include <vector>

namespace hydra::integrity {

/// Path -> which file stands there and when it was changed last (its change time, which no payload can set).
using Stamps = std::map<std::string, std::string>;

struct WrittenState {
  Stamps judges;     ///< protected files with text that runs; of an overlay those that its writable layer has
  Stamps installed;  ///< entries of dependency directories, likewise
};

/// What is asked of a workspace, the same before and after.
struct WrittenQuestion {
  const ProtectedPaths* rules = nullptr;  ///< never null
  std::vector<std::string> also;          ///< further protected paths (hidden tests)
  std::vector<std::string> shared;        ///< directories of dependencies besides those known by their names
  std::string path;                       ///< $PATH of the checks: whose programs can be shadowed
};

/// Reads a tree in which nothing runs; follows no links. `sealed`: protected_state() of the same moment.
/// Error: `io`, and `protocol` for more than a million entries.
Result<WrittenState> written_state(const trees::Workspace& workspace, const WrittenQuestion& question,
                                   const SealedPaths& sealed);

/// Paths that a command wrote to between the two, sorted: every protected one; of installed ones those that
/// have other bytes than before or are gone, new programs of known names, and new modules and packages that
/// would be loaded instead of others. Where a directory of dependencies has more than kMostRewritten of them,
/// the directory itself. `base`: all that was written to at all, as far as it was there before.
std::vector<std::string> written_paths(const trees::Workspace& workspace, const WrittenQuestion& question,
                                       const WrittenState& before, const WrittenState& after, bool base);

std::string to_bytes(const WrittenState& state);
/// Nothing where the text is damaged.
std::optional<WrittenState> written_from_bytes(std::string_view bytes);

}  // namespace hydra::integrity
