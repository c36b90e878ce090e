// git, inside only: the refs of the user's repository.
#pragma once

#include "git/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hydra::git {

struct Ref {
  std::string name;  ///< full name, "refs/heads/main"
  std::string id;    ///< object id that the ref finally leads to
};

/// Reads all refs in the process, sorted, without those of single linked worktrees; nothing: libgit2 can't.
/// Only where no agent could write: otherwise git must decide what such refs are.
[[nodiscard]] std::optional<std::vector<Ref>> read_refs(const fs::path& common_dir);
/// Returns whether the ref exists; nothing: libgit2 has no answer.
[[nodiscard]] std::optional<bool> has_ref(const fs::path& common_dir, const std::string& name);
/// read_refs() by the git program.
[[nodiscard]] Result<std::vector<Ref>> ask_for_refs(const Command& git);

}  // namespace hydra::git
