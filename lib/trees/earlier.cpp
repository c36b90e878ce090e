#include "trees/earlier.hpp"

#include "base/files.hpp"
#include "base/glob.hpp"
#include "trees/changes.hpp"
#include "trees/clone_tree.hpp"
#include "trees/walk.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace hydra::trees {
namespace {

bool is_there(const fs::path& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0;
}

/// Turns the change of a path from `new` to `old` around.
git::TreeChange reversed(git::TreeChange change) {
  std::swap(change.mode, change.old_mode);
  std::swap(change.id, change.old_id);
  if (change.status == 'A' || change.status == 'D') change.status = change.status == 'A' ? 'D' : 'A';
  return change;
}

/// Returns whether a layer's entry removes or replaces entries of the layer below: a whiteout, or an opaque
/// directory. The kernel marks new directories as opaque, too.
bool hides(const fs::path& path, const fs::path& below) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0 || S_ISCHR(st.st_mode)) return true;
  char mark = 0;
  return is_there(below) && (::lgetxattr(path.c_str(), "trusted.overlay.opaque", &mark, 1) > 0 ||
                             ::lgetxattr(path.c_str(), "user.overlay.opaque", &mark, 1) > 0);
}

}  // namespace

Result<BetweenBases> between_bases(const git::Store& store, const model::RaceSpec& spec,
                                   const std::string& base) {
  if (spec.repository.has_submodules) return Error{Errc::conflict, "submodules are not compared", base, {}};
  HYDRA_TRY(auto changes, store.changes(base));
  HYDRA_TRY(const auto paths, store.base_paths());
  BetweenBases between;
  between.tracked.insert(paths.begin(), paths.end());
  between.unchanged = between.tracked;
  auto old = between.tracked;
  for (auto& change : changes) {
    change = reversed(std::move(change));
    between.tracked.insert(change.path);
    between.unchanged.erase(change.path);
    if (change.status == 'D') old.insert(change.path);
    if (change.status == 'A') old.erase(change.path);
  }
  const BaseTree tree(std::vector<std::string>(old.begin(), old.end()));
  HYDRA_TRY(const auto plan, plan_changes(store, spec, std::move(changes), tree));
  if (plan.setup || plan.cold)
    return Error{Errc::conflict, plan.reasons.empty() ? base : plan.reasons.front(), base, {}};
  return between;
}

Result<void> take_untracked(const fs::path& from, const fs::path& to, const fs::path& spare,
                            const BetweenBases& bases, const model::WorkspaceConfig& workspace) {
  HYDRA_CHECK(remove_tree(spare));
  std::vector<std::string> missing;
  walk_below(from, [&](auto& at) {
    const auto relative = at->path().lexically_relative(from).string();
    if (relative == ".git" || covered_by(workspace.share, relative) || covered_by(workspace.copy, relative))
      return at.disable_recursion_pending();
    if (is_there(to / relative) || bases.tracked.contains(relative)) return;
    const auto below = bases.tracked.lower_bound(relative + "/");
    if (below != bases.tracked.end() && below->starts_with(relative + "/")) return;
    at.disable_recursion_pending();
    missing.push_back(relative);
  });
  for (const auto& path : missing) {
    // Only the earlier base has this directory.
    if (!is_there((to / path).parent_path())) continue;
    HYDRA_CHECK(clone_tree(from / path, spare));
    if (is_there(spare) && ::rename(spare.c_str(), (to / path).c_str()) != 0)
      return system_error("cannot rename " + spare.string(), errno);
  }
  return {};
}

Result<void> take_mtimes(const fs::path& from, const fs::path& to, const BetweenBases& bases) {
  for (const auto& path : bases.unchanged) {
    struct stat st {};
    if (::lstat((from / path).c_str(), &st) != 0 || !S_ISREG(st.st_mode)) continue;
    const std::array times{st.st_atim, st.st_mtim};
    if (::utimensat(AT_FDCWD, (to / path).c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0)
      return system_error("cannot set the time of " + (to / path).string(), errno);
  }
  return {};
}

Result<void> take_layer(const fs::path& from, const fs::path& below, const fs::path& to,
                        const BetweenBases& bases) {
  bool whole = true;
  walk_below(from, [&](auto& at) {
    whole = whole && !hides(at->path(), below / at->path().lexically_relative(from));
  });
  if (!whole) return Error{Errc::conflict, "the layer hides files of the layer below", from.string(), {}};
  HYDRA_CHECK(clone_tree(from, to));
  std::vector<fs::path> tracked;
  walk_below(to, [&](auto& at) {
    if (bases.tracked.contains(at->path().lexically_relative(to).string())) tracked.push_back(at->path());
  });
  for (const auto& path : tracked) HYDRA_CHECK(remove_tree(path));
  return {};
}

}  // namespace hydra::trees
