#include "race/agents/worktrees.hpp"

#include "base/files.hpp"
#include "git/pin.hpp"
#include "race/agents/agent_files.hpp"
#include "trees/clone_tree.hpp"
#include "trees/dependencies.hpp"
#include "trees/rungs.hpp"
#include "trees/shared_base.hpp"
#include "trees/workspace.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>

namespace hydra::race {
namespace {

/// With fewer files, a checkout costs less than the limits of an overlay: renaming a directory of the base
/// fails with EXDEV.
constexpr std::uint64_t kManyFiles = 5000;
constexpr std::size_t kMostName = 256;

trees::SharedBases shared_bases(const Layout& layout) { return {layout.shared_bases(), layout.trash()}; }

/// Returns whether no copied path is in the base; a layer would merge a copied directory with the base's.
Result<bool> copies_beside_base(const git::Store& store, const std::vector<std::string>& copies) {
  if (copies.empty()) return true;
  HYDRA_TRY(const auto base, store.base_paths());
  return std::none_of(copies.begin(), copies.end(), [&](const std::string& copy) {
    const auto at = std::lower_bound(base.begin(), base.end(), copy);
    return at != base.end() && (*at == copy || at->starts_with(copy + "/"));
  });
}

/// Returns whether new worktrees of this race are layers.
bool wants_layers(const model::RaceSpec& spec) {
  const auto& workspace = spec.config.workspace;
  const bool possible = model::overlays(spec.tree_rung) && workspace.checks == model::CheckPlace::fresh &&
                        !spec.repository.has_submodules &&
                        spec.config.execution.placement == model::Placement::local;
  switch (workspace.worktrees) {
    case model::Worktrees::checkout:
      return false;
    case model::Worktrees::overlay:
      return possible;
    case model::Worktrees::automatic:
      break;
  }
  return possible && spec.repository.file_count >= kManyFiles;
}

Result<git::Worktree> new_worktree(const git::Store& store, const model::RaceSpec& spec, const Layout& layout,
                                   const std::string& name) {
  git::Worktree tree{layout.work(name)};
  HYDRA_TRY(const auto moved, git::move_aside(tree.directory));
  const auto mark = layout.layer(tree.directory.filename());
  if (!moved.empty()) ::rename(mark.c_str(), layout.layer(moved.filename()).c_str());
  HYDRA_CHECK(remove_tree(mark));
  if (!wants_layers(spec)) return tree;
  HYDRA_TRY(const bool beside,
            copies_beside_base(store, trees::expand_paths(spec.repository.root, spec.config.workspace.copy)));
  if (!beside) return tree;
  const auto base = trees::shared_base_name(spec);
  HYDRA_CHECK(make_dirs(layout.layers(), 0700));
  HYDRA_CHECK(shared_bases(layout).make(base, store, mark));
  tree.base = shared_bases(layout).tree(base);
  return tree;
}

/// Without overlays, copies what `share` names, by reflink where the file system can; returns the paths.
Result<std::vector<std::string>> copy_dependencies(const model::RaceSpec& spec, const git::Worktree& tree) {
  const fs::path& checkout = spec.repository.root;
  auto paths = trees::expand_paths(checkout, spec.config.workspace.share);
  std::erase_if(paths, [&](const std::string& path) {
    std::error_code ec;
    return !fs::exists(fs::symlink_status(checkout / path, ec));
  });
  for (const auto& path : paths) HYDRA_CHECK(trees::copy_over(checkout / path, tree.written() / path));
  return paths;
}

/// Gives the base's files the times that these have in the template, so that build tools find their results
/// up to date. A layer has no files of the base.
void keep_times(const std::vector<std::string>& tracked, const fs::path& from, const fs::path& to) {
  for (const auto& path : tracked) {
    struct stat st {};
    if (::lstat((from / path).c_str(), &st) != 0) continue;
    const timespec times[2] = {st.st_mtim, st.st_mtim};
    (void)::utimensat(AT_FDCWD, (to / path).c_str(), times, AT_SYMLINK_NOFOLLOW);
  }
}

/// Shows what the template has and git does not track; returns the directories. Ignored files are copied;
/// other ones would become a part of the agent's result.
Result<std::vector<std::string>> give_dependencies(const git::Store& store, const trees::TemplatePaths& base,
                                                   bool warm, const fs::path& layers,
                                                   const git::Worktree& tree) {
  HYDRA_TRY(const auto tracked, store.base_paths());
  auto untracked = trees::untracked_of(base, warm, tracked);
  HYDRA_TRY(const auto ignored, store.ignored_by_base(untracked.files));
  for (const auto& file : ignored) {
    std::error_code ec;
    const auto from =
        warm && fs::exists(fs::symlink_status(base.warm() / file, ec)) ? base.warm() : base.cold();
    const auto to = tree.written() / file;
    if (fs::exists(fs::symlink_status(to, ec))) continue;
    HYDRA_CHECK(make_dirs(to.parent_path(), 0755));
    HYDRA_CHECK(trees::clone_tree(from / file, to));
  }
  if (warm && !tree.layered()) keep_times(tracked, base.cold(), tree.directory);
  HYDRA_CHECK(trees::make_dependency_layers(base, warm, untracked.directories, layers));
  return std::move(untracked.directories);
}

}  // namespace

git::Worktree worktree_at(const Layout& layout, const std::string& directory) {
  git::Worktree tree{layout.root() / "work" / directory};
  const auto base = read_file(layout.layer(directory), kMostName);
  // A daemon that died in make_real() leaves the layer record of a directory that is no longer a layer.
  std::error_code ec;
  if (base.ok() && !fs::exists(fs::symlink_status(tree.directory / ".git", ec)))
    tree.base = shared_bases(layout).tree(*base);
  return tree;
}

git::Worktree worktree_of(const Layout& layout, const std::string& agent) {
  return worktree_at(layout, layout.work(agent).filename());
}

Result<model::WorkspaceReady> make_worktree(const git::Store& store, const model::RaceSpec& spec,
                                            const Layout& layout, const AgentState& agent,
                                            const std::optional<trees::TemplatePaths>& base, bool warm) {
  const auto& name = agent.entry.name;
  const auto directory = layout.work(name);
  model::WorkspaceReady ready{name, directory.string(), {}};
  const auto make = [&]() -> Result<void> {
    HYDRA_CHECK(make_dirs(directory.parent_path(), 0700));
    HYDRA_TRY(const auto tree, new_worktree(store, spec, layout, name));
    HYDRA_CHECK(store.make_workspace(tree, name));
    HYDRA_CHECK(trees::copy_from_checkout(spec.repository.root, tree.written(), spec.config.workspace.copy));
    if (base) {
      HYDRA_TRY(ready.dependencies,
                give_dependencies(store, *base, warm, layout.dependencies(directory.filename()), tree));
    } else if (spec.config.workspace.checks == model::CheckPlace::fresh) {
      HYDRA_TRY(ready.dependencies, copy_dependencies(spec, tree));
    }
    auto prepared = agent;  // its prompt names the dependencies
    prepared.dependencies = ready.dependencies;
    return prepare_agent_files(spec, prepared, layout);
  };
  if (auto made = make(); !made.ok()) {
    auto error = std::move(made).error();
    // git does not report why a write failed.
    constexpr std::uintmax_t kFull = 1u << 20;
    std::error_code ec;
    const auto room = fs::space(directory, ec);
    if (!ec && room.available < kFull && error.number != ENOSPC) {
      error.message += ": No space left on device (" + directory.string() + ")";
      error.number = ENOSPC;
      error.hint = "make room there, then race again: `hydra clean` shows what can go";
    }
    // No agent has used the directory. On a disk that it filled there would be no room even for the event of
    // the failure.
    (void)drop_worktree(spec, layout, name);
    return error;
  }
  return ready;
}

Result<void> drop_worktree(const model::RaceSpec& spec, const Layout& layout, const std::string& agent) {
  const auto directory = layout.work(agent);
  auto gone = remove_tree(directory);
  (void)remove_tree(layout.dependencies(directory.filename()));
  forget_layer(layout, directory.filename());
  git::forget_worktree(spec.repository, directory);
  return gone;
}

fs::path worktree_inside(const model::RaceSpec& spec, const Layout& layout, const fs::path& directory) {
  // A partial clone's objects need the user's own .git.
  const bool own_path =
      model::sandboxed(spec) && !spec.repository.partial && directory.parent_path() == layout.root() / "work";
  return own_path ? fs::path(spec.repository.root) : directory;
}

void show_worktree(const model::RaceSpec& spec, const Layout& layout, const fs::path& directory,
                   exec::JobSpec& job) {
  const bool worktree = directory.parent_path() == layout.root() / "work";
  const auto tree = worktree ? worktree_at(layout, directory.filename()) : git::Worktree{directory};
  const auto inside = worktree_inside(spec, layout, directory);
  if (tree.layered()) {
    auto& overlay = job.sandbox.overlays.emplace_back();
    overlay.lower = {tree.base};
    overlay.upper = tree.written();
    overlay.work = tree.directory / "work";
    overlay.mount = tree.directory;
    overlay.renames = false;
  }
  job.sandbox.binds.push_back({tree.directory, inside, true, false});
  if (worktree) trees::show_dependencies(layout.dependencies(directory.filename()), inside, job);
  if (!job.sandbox.overlays.empty()) job.sandbox.overlay_as = trees::overlay_as(spec.tree_rung);
}

Result<void> make_real(const Layout& layout, const std::string& agent) {
  const auto tree = worktree_of(layout, agent);
  if (!tree.layered()) return {};
  if (has_strays(tree))
    return Error{Errc::conflict, "its directory holds files outside of its layer, which would be lost",
                 tree.directory.string(), "move it elsewhere: only `upper` and `work` are the layer's"};
  const fs::path fresh = tree.directory.string() + ".new";
  HYDRA_CHECK(remove_tree(fresh));
  HYDRA_CHECK(trees::clone_tree(tree.base, fresh));
  HYDRA_CHECK(trees::merge_layer(tree.written(), fresh));
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, tree.directory.c_str(), RENAME_EXCHANGE) != 0)
    return system_error("cannot put a directory into the place of " + tree.directory.string(), errno);
  forget_layer(layout, tree.directory.filename());
  trees::move_to_trash(fresh, layout.trash());
  return {};
}

bool has_strays(const git::Worktree& tree) {
  std::error_code ec;
  for (fs::directory_iterator entry(tree.directory, ec), end; tree.layered() && !ec && entry != end;
       entry.increment(ec))
    if (const auto name = entry->path().filename(); name != "upper" && name != "work") return true;
  return false;
}

void forget_layer(const Layout& layout, const std::string& directory) {
  (void)remove_tree(layout.layer(directory));
}

void drop_shared_bases(const fs::path& state) {
  shared_bases(Layout(state, {})).drop_unused([&] {
    std::set<std::string> used;
    for (const char* place : {"races", "removed"}) {
      std::error_code ec;
      for (fs::directory_iterator race(state / place, ec), end; !ec && race != end; race.increment(ec)) {
        std::error_code inner;
        for (fs::directory_iterator mark(race->path() / "layers", inner), last; !inner && mark != last;
             mark.increment(inner))
          if (const auto base = read_file(mark->path(), kMostName); base.ok()) used.insert(*base);
      }
    }
    return used;
  });
}

}  // namespace hydra::race
