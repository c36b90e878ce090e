// git, inside only: a walk over a directory that an agent wrote. The walk follows no link and enters no
// `.git`.
#pragma once

#include "base/result.hpp"
#include "model/agent_run.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hydra::git {

namespace fs = std::filesystem;

struct Scan {
  std::vector<std::string> files;     ///< regular files and links, relative
  std::vector<std::string> special;   ///< FIFOs, sockets, devices
  std::vector<std::string> too_deep;  ///< directories that are not entered, and paths whose name is too long
  // Only layers have these:
  std::vector<std::string> directories;  ///< all but the root
  std::vector<std::string> whiteouts;    ///< overlayfs marks of removed files
  std::vector<std::string> opaque;  ///< directories that hide the base's content below them; the root is ""
};

/// Lists the content of `root`/`below`; paths are relative to `root`. Gives directories the owner's rights
/// back first, because git takes an unreadable file for a deleted one.
Result<Scan> scan(const fs::path& root, const std::string& below = {});
/// Lists the upper directory of an overlay. `in_use`: the overlay may be mounted, so nothing is changed and
/// an unreadable directory is left out.
Result<Scan> scan_layer(const fs::path& upper, bool in_use = false);

/// Returns whether `path` is a file of ignore rules.
inline bool is_rules(const std::string& path) {
  return path == ".gitignore" || path.ends_with("/.gitignore");
}

/// Returns whether a link at `link_path` with this target leads out of the tree.
bool leads_outside(std::string_view link_path, std::string_view target);

/// Tells whether a directory on the way to a path is a link or no directory.
class LeadingLinks {
 public:
  explicit LeadingLinks(fs::path root) : root_(std::move(root)) {}
  bool operator()(const std::string& path);

 private:
  fs::path root_;
  std::unordered_set<std::string> plain_, links_;
};

/// Rows of the files that are not in `kept`; a directory left out as a whole is one row.
std::vector<model::LeftOut> left_out_rows(const fs::path& root, const std::vector<std::string>& files,
                                          const std::unordered_set<std::string_view>& kept,
                                          model::LeftReason reason);

/// Whether two paths are files of the same content or links to the same place. Of files above 64 MiB only
/// sizes and times are compared.
bool same_content(const fs::path& one, const fs::path& other);

}  // namespace hydra::git
