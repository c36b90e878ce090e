// Targets of the symbolic links of a merged tree, resolved through other links as the kernel resolves them.

#include "base/strings.hpp"
#include "git/capture/scan.hpp"
#include "git/merge/consent.hpp"
#include "git/store/objects.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::git {
namespace {

constexpr int kMaxHops = 40;              // the kernel's own limit
constexpr std::size_t kMaxTarget = 4096;  // PATH_MAX: no file system takes a longer one

struct Link {
  std::string target;
  bool changed = false;
};
using Links = std::map<std::string, Link, std::less<>>;

/// Includes the names that other file systems use for `.git`.
bool is_git_directory(std::string_view part) {
  const auto name = to_lower(part);
  return name == ".git" || name == "git~1";
}

/// Follows one link.
class LinkWalk {
 public:
  explicit LinkWalk(const Links& links) : links_(links) {}
  bool leaves(const std::string& path, const Link& link) {
    changed_ = link.changed;
    at_ = path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    return follow(link.target);
  }
  /// Returns whether a link on the way belongs to the merge.
  [[nodiscard]] bool through_changed() const { return changed_; }

 private:
  bool follow(std::string_view target) {
    if (target.starts_with('/') || target.size() > kMaxTarget || ++hops_ > kMaxHops) return true;
    bool through_link = false;
    for (const auto part : split(target, '/')) {
      if (part.empty() || part == ".") continue;
      if (is_git_directory(part)) return true;
      if (part == "..") {
        if (at_.empty() || through_link) return true;
        const auto slash = at_.rfind('/');
        at_.resize(slash == std::string::npos ? 0 : slash);
        continue;
      }
      const auto parent = at_;
      at_ += (at_.empty() ? "" : "/") + std::string(part);
      const auto link = links_.find(at_);
      if (link == links_.end()) continue;
      changed_ = changed_ || link->second.changed;
      at_ = parent;
      if (follow(link->second.target)) return true;
      through_link = true;
    }
    return false;
  }

  const Links& links_;
  std::string at_;
  int hops_ = 0;
  bool changed_ = false;
};

Result<Links> links_of(const Command& git, const std::string& commit) {
  Links links;
  HYDRA_TRY(auto files, ask_for_files(git, commit));
  std::erase_if(files, [](const TreeFile& file) { return file.mode != "120000"; });
  std::vector<std::string> ids;
  for (const auto& file : files) ids.push_back(file.id);
  HYDRA_TRY(const auto targets, ask_for_blobs(git, ids));
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!targets[i]) return Error{Errc::git, "git cat-file gave an unexpected answer", {}, {}};
    links[files[i].path].target = *targets[i];
  }
  return links;
}

}  // namespace

Result<std::vector<std::string>> outside_links(const Command& git, const std::string& commit,
                                               const std::vector<RawEntry>& changes) {
  std::vector<std::string> found;
  const auto is_new = [](const RawEntry& change) {
    return change.new_mode == "120000" && (change.old_mode != "120000" || change.old_id != change.new_id);
  };
  if (std::none_of(changes.begin(), changes.end(), is_new)) return found;
  HYDRA_TRY(auto links, links_of(git, commit));
  for (const auto& change : changes)
    if (const auto link = links.find(change.path); is_new(change) && link != links.end())
      link->second.changed = true;
  for (const auto& [path, link] : links) {
    LinkWalk walk(links);
    const bool leaves = walk.leaves(path, link) || leads_outside(path, link.target);
    if (leaves && walk.through_changed()) found.push_back(path);
  }
  return found;
}

}  // namespace hydra::git
