// integrity: whether a command of the checks rewrites what the candidate is judged by. A workspace's
// protected paths are taken down before its first command, and compared after each one (docs/integrity.md): a
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

/// Protected path -> what stands there, as one text; of an overlay only what its writable layer says.
using SealedPaths = std::map<std::string, std::string>;

/// Reads a tree in which nothing runs; follows no links. `also`: further protected paths (hidden tests). Only
/// directories in which the base (or `also`) has files are looked into: a new test in a build directory is
/// nobody's judge. Reads whole files of the protected paths that the writable layer holds; of a tree without
/// layers, all of them. Error: `io`, and `protocol` for more than a million entries.
Result<SealedPaths> protected_state(const trees::Workspace& workspace, const ProtectedPaths& rules,
                                    const std::vector<std::string>& also);

/// Paths that differ, sorted: changed, deleted, or new ones that would take part in the judgement. Parts of a
/// manifest that select no checks may differ.
std::vector<std::string> rewritten_paths(const trees::Workspace& workspace, const ProtectedPaths& rules,
                                         const SealedPaths& before, const SealedPaths& after);

/// protected_state() of a workspace of this race, into `file`; beside it, what is written to later is known
/// by (seal/written).
Result<void> seal_workspace(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                            const trees::Workspace& workspace, const fs::path& file);
/// The set-up ran in the workspace: packages that it installed, and files that it touched, are as it left
/// them. What it made of protected paths still counts. Nothing where there is no seal.
Result<void> seal_after_set_up(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                               const trees::Workspace& workspace, const fs::path& file);
/// What differs from the seal or was written to since, at most kMostRewritten; nothing where there is no
/// seal. `base`: a workspace of the base; what its template's build rewrote counts too. A tree that can't be
/// read any more is one row that says so.
std::vector<std::string> broken_seal(KnownRules& known, const git::Store& store, const model::RaceSpec& spec,
                                     const trees::Workspace& workspace, const fs::path& file, bool base);

}  // namespace hydra::integrity
