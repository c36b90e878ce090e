// git, inside only: a tree as its object's bytes.
#pragma once

#include <git2/oid.h>

#include <optional>
#include <string_view>
#include <vector>

namespace hydra::git {

struct RawTreeEntry {
  std::string_view name;
  std::string_view mode;  ///< canonical
  git_oid id{};
  [[nodiscard]] bool directory() const { return mode == "040000"; }
};

/// Entries of a raw tree, "MODE NAME\0ID" each; views into `bytes`. Absent: it is damaged.
std::optional<std::vector<RawTreeEntry>> entries_of(std::string_view bytes);

/// git's order: a directory's name sorts as if it ended in a slash.
bool before(const RawTreeEntry& a, const RawTreeEntry& b);

}  // namespace hydra::git
