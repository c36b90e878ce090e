// integrity: detects check commands that rewrite what the candidate is judged by. The state of a workspace's
// protected paths is recorded before its first command and compared after each command (docs/integrity.md): a
// build step is the candidate's own code and can write anywhere in the tree.
#pragma once

#include "base/result.hpp"
#include "git/repository.hpp"
#include "integrity/protect/known_rules.hpp"
#include "integrity/protect/protected_paths.hpp"
#include "model/race_spec.hpp"
#include "trees/workspace.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace hydra::integrity {

namespace fs = std::filesystem;

inline constexpr std::size_t kMostRewritten = 50;

/// Protected path -> its state as one text; for an overlay only the state in its writable layer.
using SealedPaths = std::map<std::string, std::string>;

/// Reads a tree in which nothing runs; follows no links. `also`: further protected paths (hidden tests). Only
/// directories in which the base (or `also`) has files are read: a new test in a build directory judges
/// nothing. Reads whole protected files in the writable layer; in a tree without layers, all of them. Error:
/// `io`, and `protocol` for more than a million entries.
Result<SealedPaths> protected_state(const trees::Workspace& workspace, const ProtectedPaths& rules,
                                    const std::vector<std::string>& also);

/// Returns the paths that differ, sorted: changed, deleted, or new ones that would take part in the
/// judgement. Parts of a manifest that select no checks may differ.
std::vector<std::string> rewritten_paths(const trees::Workspace& workspace, const ProtectedPaths& rules,
                                         const SealedPaths& before, const SealedPaths& after);

/// Writes protected_state() of a workspace of this race to `file`, and beside it the stamps that later writes
/// are detected by (seal/written).
Result<void> seal_workspace(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                            const trees::Workspace& workspace, const fs::path& file);
/// Updates the seal after the set-up: packages that it installed, and files that it touched, are accepted.
/// Its changes of protected paths still count. Does nothing without a seal.
Result<void> seal_after_set_up(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                               const trees::Workspace& workspace, const fs::path& file);
/// Differences from the seal and files written since, at most kMostRewritten; empty: no seal. `base`: a
/// workspace of the base, where rewrites by the template's build count. An unreadable tree is one row.
std::vector<std::string> broken_seal(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                                     const trees::Workspace& workspace, const fs::path& file, bool base);

}  // namespace hydra::integrity
