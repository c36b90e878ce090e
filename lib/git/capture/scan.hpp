// git, inside only: a walk over a directory that an agent wrote. Follows no link and enters no `.git`.
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
  std::vector<std::string> too_deep;  ///< what is not looked into, or has too long a name
  // Of a layer only:
  std::vector<std::string> directories;  ///< every one but the root
  std::vector<std::string> whiteouts;    ///< what stands for "removed here"
  std::vector<std::string> opaque;       ///< directories that hide what is below them; the root as ""
};

/// Lists what is below `root`/`below`; paths are relative to `root`. Directories get the owner's rights back
/// first, because git takes a file that it can't look at for a deleted one.
Result<Scan> scan(const fs::path& root, const std::string& below = {});
/// Lists the upper directory of an overlay. `in_use`: one that may be mounted: nothing is changed there, and
/// a directory that can't be read is left out.
Result<Scan> scan_layer(const fs::path& upper, bool in_use = false);

/// Whether it is a file of ignore rules.
inline bool is_rules(const std::string& path) {
  return path == ".gitignore" || path.ends_with("/.gitignore");
}

/// True where a link at `link_path` with this target leads out of the tree.
bool leads_outside(std::string_view link_path, std::string_view target);

/// True where a directory on the way to `path` is a link or no directory.
class LeadingLinks {
 public:
  explicit LeadingLinks(fs::path root) : root_(std::move(root)) {}
  bool operator()(const std::string& path);

 private:
  fs::path root_;
  std::unordered_set<std::string> plain_, links_;
};

/// Rows of what is not in `kept`, whole directories as one row.
std::vector<model::LeftOut> left_out_rows(const fs::path& root, const std::vector<std::string>& files,
                                          const std::unordered_set<std::string_view>& kept,
                                          const std::string& reason);

}  // namespace hydra::git
