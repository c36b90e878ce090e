// git, inside only: a pack made in the process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hydra::git {

/// A pack of what `commits` hold that `base` does not hold at the same place; deltas need nothing outside of
/// it. Nothing where libgit2 has no answer, or a commit has another parent than `base`: then git is to be
/// asked.
[[nodiscard]] std::optional<std::string> pack_of(const std::filesystem::path& objects,
                                                 const std::vector<std::string>& commits,
                                                 const std::string& base);

}  // namespace hydra::git
