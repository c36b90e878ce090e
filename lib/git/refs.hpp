// git, inside only: the refs of the user's repository.
#pragma once

#include "git/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hydra::git {

struct Ref {
  std::string name;  ///< whole, "refs/heads/main"
  std::string id;    ///< what it leads to in the end
};

/// All refs in the process, sorted by name, without those of single linked worktrees. Nothing where libgit2
/// has no answer. Only where no agent could write: git itself decides what such refs are.
[[nodiscard]] std::optional<std::vector<Ref>> read_refs(const fs::path& common_dir);
/// Whether there is one of that name; nothing where libgit2 has no answer.
[[nodiscard]] std::optional<bool> has_ref(const fs::path& common_dir, const std::string& name);
/// The same list by the git program.
[[nodiscard]] Result<std::vector<Ref>> ask_for_refs(const Command& git);

}  // namespace hydra::git
