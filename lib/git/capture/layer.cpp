// Captures and live diffs of layers: the cost is that of the agent's writes, not of the whole tree.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/store/layout.hpp"

#include <algorithm>
#include <sys/stat.h>

namespace hydra::git {
namespace {

constexpr std::size_t kMostRules = 1u << 20;  ///< bytes of one ignore file
constexpr std::size_t kMostAskedFor = 1000;   ///< paths that one git is asked about in a live diff

/// Marks the base's files that a layer hides.
class Hidden {
 public:
  explicit Hidden(const std::vector<std::string>& base) : base_(base), gone_(base.size()) {}

  void path(const std::string& path) {
    const auto at = std::lower_bound(base_.begin(), base_.end(), path);
    if (at != base_.end() && *at == path) gone_[index(at)] = true;
  }
  /// Marks everything below `path`; empty: all files.
  void below(const std::string& path) {
    const auto prefix = path.empty() ? path : path + "/";
    for (auto at = std::lower_bound(base_.begin(), base_.end(), prefix);
         at != base_.end() && at->starts_with(prefix); ++at)
      gone_[index(at)] = true;
  }
  void back(std::size_t i) { gone_[i] = false; }
  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < base_.size(); ++i)
      if (gone_[i]) paths.push_back(base_[i]);
    return paths;
  }

 private:
  [[nodiscard]] std::size_t index(std::vector<std::string>::const_iterator at) const {
    return static_cast<std::size_t>(at - base_.begin());
  }
  const std::vector<std::string>& base_;
  std::vector<bool> gone_;
};

}  // namespace

LayerChanges layer_changes(const Scan& layer, const std::vector<std::string>& base) {
  LayerChanges changes;
  Hidden hidden(base);
  for (const auto* paths : {&layer.whiteouts, &layer.special, &layer.files})
    for (const auto& path : *paths) {
      hidden.path(path);
      hidden.below(path);
    }
  for (const auto& path : layer.directories) hidden.path(path);
  for (const auto& path : layer.opaque) hidden.below(path);
  for (const auto& path : layer.files) {
    const auto at = std::lower_bound(base.begin(), base.end(), path);
    if (at != base.end() && *at == path) {
      changes.written.push_back(path);
      hidden.back(static_cast<std::size_t>(at - base.begin()));
    } else {
      changes.added.push_back(path);
    }
  }
  changes.removed = hidden.paths();
  return changes;
}

Result<void> Capturing::list_layer(const std::vector<std::string>& base) {
  HYDRA_CHECK(copy_index(store_ / ("seed." + name_), index_));
  HYDRA_TRY(scan_, scan_layer(work_));
  ::clock_gettime(CLOCK_REALTIME, &listed_at_);
  auto changes = layer_changes(scan_, base);
  tracked_.insert(base.begin(), base.end());
  removed_ = std::move(changes.removed);
  changed_ = std::move(changes.written);
  untracked_ = std::move(changes.added);
  return {};
}

void Capturing::drop(const std::vector<std::string>& untracked) {
  const std::unordered_set<std::string_view> gone(untracked.begin(), untracked.end());
  std::erase_if(untracked_, [&](const std::string& path) { return gone.contains(path); });
}

Result<Command> Capturing::rules_of_agent() const {
  Command rules = git_;
  if (base_.empty()) return rules;
  const auto tree = store_ / ("rules." + name_);
  HYDRA_CHECK(remove_tree(tree));
  HYDRA_CHECK(make_dirs(tree));
  const auto copy = [&](const fs::path& from, const std::string& path) -> Result<void> {
    struct stat st {};
    if (::lstat((from / path).c_str(), &st) != 0 || !S_ISREG(st.st_mode))
      return {};  // git does not follow a link there
    HYDRA_TRY(const auto text, read_file(from / path, kMostRules));
    HYDRA_CHECK(make_dirs((tree / path).parent_path()));
    return write_file(tree / path, text);
  };
  const std::unordered_set<std::string_view> gone(removed_.begin(), removed_.end());
  for (const auto& path : tracked_)
    if (is_rules(path) && !gone.contains(path)) HYDRA_CHECK(copy(base_, path));
  for (const auto& path : scan_.files)
    if (is_rules(path)) HYDRA_CHECK(copy(work_, path));
  rules.work_tree(tree).cwd(tree);
  return rules;
}

Result<model::DiffStat> Store::live_layer(const Worktree& tree, const std::string& name) const {
  HYDRA_TRY(const auto base, paths_of_base());
  HYDRA_TRY(const auto layer, scan_layer(tree.written(), true));
  auto changes = layer_changes(layer, *base);
  HYDRA_TRY(const auto ignored, ignored_by_base(changes.added));
  const std::unordered_set<std::string_view> dropped(ignored.begin(), ignored.end());
  std::erase_if(changes.added, [&](const auto& path) { return dropped.contains(path); });
  model::DiffStat stat;
  if (!changes.written.empty()) {
    std::vector<std::string> args{"--literal-pathspecs", "diff-files",    "--numstat",     "-z",
                                  "--no-renames",        "--no-ext-diff", "--no-textconv", "--"};
    const auto most = std::min(changes.written.size(), kMostAskedFor);
    args.insert(args.end(), changes.written.begin(),
                changes.written.begin() + static_cast<std::ptrdiff_t>(most));
    Command git = command();
    git.work_tree(tree.written()).cwd(tree.written()).index(directory_ / ("seed." + name));
    HYDRA_TRY(const auto changed, git.step("looking at the diff", args));
    add_numbers(changed, stat);
  }
  for (const auto& path : changes.removed) {
    std::error_code ec;
    const bool link = fs::is_symlink(fs::symlink_status(tree.base / path, ec));
    stat.lines_removed += link ? 1 : count_lines(tree.base / path);
  }
  for (const auto& path : changes.added) stat.lines_added += count_lines(tree.written() / path);
  stat.files_changed += static_cast<std::int64_t>(changes.removed.size() + changes.added.size());
  return stat;
}

}  // namespace hydra::git
