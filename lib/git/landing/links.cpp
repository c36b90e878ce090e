#include "git/landing/links.hpp"

#include "base/strings.hpp"
#include "git/capture/scan.hpp"

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

/// Also by the names that other file systems have for it.
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
  /// Whether one of the links on the way is of the merge.
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
  HYDRA_TRY(const auto text, git.output({"ls-tree", "-r", "-z", "--full-tree", commit}));
  std::vector<std::string> paths;
  std::string asked;
  for (const auto record : records(text)) {
    const auto tab = record.find('\t');
    if (!record.starts_with("120000 blob ") || tab == std::string_view::npos) continue;
    paths.emplace_back(record.substr(tab + 1));
    asked += std::string(record.substr(12, tab - 12)) + "\n";
  }
  if (asked.empty()) return links;
  HYDRA_TRY(const auto blobs, git.output({"cat-file", "--batch=%(objectsize)"}, asked));
  std::string_view rest = blobs;
  for (auto& path : paths) {
    const auto end = rest.find('\n');
    const auto size = end == std::string_view::npos ? std::nullopt : parse_int(rest.substr(0, end));
    if (!size) return Error{Errc::git, "git cat-file gave an unexpected answer", {}, {}};
    const auto length = static_cast<std::size_t>(*size);
    links[std::move(path)].target = std::string(rest.substr(end + 1, length));
    rest.remove_prefix(std::min(rest.size(), end + 1 + length + 1));
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
