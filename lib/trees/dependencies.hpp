// trees: dependencies and build results of a template, shown to an agent as private writable layers
// (docs/workspaces.md, "Agents' worktrees").
#pragma once

#include "base/result.hpp"
#include "exec/job.hpp"
#include "model/race_spec.hpp"
#include "trees/template.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace hydra::trees {

/// Returns whether agents of this race start with what `share`, `setup` and `outputs` put into check
/// workspaces.
bool gives_dependencies(const model::RaceSpec& spec);

/// Paths of a template that git does not track, relative and sorted; .git is none of them.
struct Untracked {
  std::vector<std::string> directories;  ///< topmost ones without any tracked file
  std::vector<std::string> files;        ///< beside tracked files
};
/// `tracked`: paths of the base, sorted bytewise. At most 512 paths in all.
Untracked untracked_of(const TemplatePaths& base, bool warm, const std::vector<std::string>& tracked);

/// Makes the directories of a layer for each of `paths` below `directory`, which is replaced; nothing is
/// copied.
Result<void> make_dependency_layers(const TemplatePaths& base, bool warm,
                                    const std::vector<std::string>& paths, const fs::path& directory);
/// Adds the layers below `directory` to a job that sees its tree at `inside`. Layers whose template was
/// removed are left out.
void show_dependencies(const fs::path& directory, const fs::path& inside, exec::JobSpec& job);

}  // namespace hydra::trees
