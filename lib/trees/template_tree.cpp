// Makes a template: checkout, the user's warm directories, mtimes, and the final clean-up.
#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "trees/btrfs.hpp"
#include "trees/clone_tree.hpp"
#include "trees/earlier.hpp"
#include "trees/layered.hpp"
#include "trees/walk.hpp"
#include "trees/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

namespace hydra::trees {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kEarlier =
    "earlier";  ///< file of an unfinished template: digest of the one it began with

/// Measures one step and marks it as done, so that a restarted daemon skips it.
class Steps {
 public:
  explicit Steps(fs::path marks) : marks_(std::move(marks)) {}
  Result<void> run(const std::string& name, const std::function<Result<void>()>& work) {
    struct stat st {};
    if (::stat((marks_ / name).c_str(), &st) == 0) return {};
    const auto begin = Clock::now();
    HYDRA_CHECK(work());
    HYDRA_CHECK(write_file(marks_ / name, "", 0600));
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    done_.push_back({name, took.count()});
    return {};
  }
  [[nodiscard]] std::vector<model::TemplateStep> done() && { return std::move(done_); }

 private:
  fs::path marks_;
  std::vector<model::TemplateStep> done_;
};

// Newest change below a path, in ns: a directory that changes while it is copied is not frozen.
std::int64_t newest_change(const fs::path& path) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) return 0;
  const auto ns = [](const struct stat& s) { return s.st_ctim.tv_sec * 1'000'000'000 + s.st_ctim.tv_nsec; };
  std::int64_t newest = ns(st);
  if (!S_ISDIR(st.st_mode)) return newest;
  walk_below(path, [&](auto& at) {
    if (::lstat(at->path().c_str(), &st) == 0) newest = std::max<std::int64_t>(newest, ns(st));
  });
  return newest;
}

Result<void> copy_one(const fs::path& checkout, const fs::path& tree, const std::string& relative) {
  const auto from = checkout / relative;
  constexpr int kTries = 3;
  for (int tries = 1;; ++tries) {
    const auto before = newest_change(from);
    HYDRA_CHECK(copy_over(from, tree / relative));
    if (newest_change(from) == before) return {};
    if (tries == kTries)
      return Error{Errc::conflict, "'" + relative + "' was written to while it was copied", from.string(),
                   "wait until the program that writes there is done"};
  }
}

// Refuses a path that leads elsewhere: it would share files that the user did not name.
Result<bool> can_share(const fs::path& checkout, const std::string& relative, bool required) {
  struct stat st {};
  const auto path = checkout / relative;
  if (::lstat(path.c_str(), &st) != 0) {
    if (!required) return false;
    return Error{Errc::config, "[workspace] share: '" + relative + "' does not exist in the checkout",
                 path.string(), "install the dependencies there, or let [workspace] setup do it"};
  }
  std::error_code ec;
  const auto real = fs::canonical(path.parent_path(), ec);
  const auto below = real.lexically_relative(checkout);
  if (S_ISLNK(st.st_mode))
    return Error{Errc::config, "[workspace] share: '" + relative + "' is a symbolic link", path.string(),
                 "name the directory that it leads to, or let [workspace] setup make it"};
  if (ec || below.empty() || *below.begin() == "..")
    return Error{Errc::config, "[workspace] share: '" + relative + "' leads out of the checkout",
                 path.string(), "name a directory of the checkout"};
  return true;
}

bool same_bytes(const fs::path& a, const fs::path& b) {
  const auto one = read_file(a, 64u << 20);
  const auto two = read_file(b, 64u << 20);
  return one.ok() && two.ok() && *one == *two;
}

// Build results of the user's checkout are warm only for sources with the mtimes that they have there:
// sources with equal bytes get the user's mtime, all others stay new.
Result<void> restore_mtimes(const fs::path& checkout, const fs::path& tree,
                            const std::vector<std::string>& paths) {
  for (const auto& path : paths) {
    struct stat ours {
    }, theirs{};
    if (::lstat((tree / path).c_str(), &ours) != 0 || ::lstat((checkout / path).c_str(), &theirs) != 0)
      continue;
    if (!S_ISREG(ours.st_mode) || !S_ISREG(theirs.st_mode) || ours.st_size != theirs.st_size) continue;
    if (!same_bytes(tree / path, checkout / path)) continue;
    const struct timespec times[2] = {theirs.st_atim, theirs.st_mtim};
    if (::utimensat(AT_FDCWD, (tree / path).c_str(), times, AT_SYMLINK_NOFOLLOW) != 0)
      return system_error("cannot set the time of " + (tree / path).string(), errno);
  }
  return {};
}

constexpr std::array<std::string_view, 5> kDroppings{"__pycache__", ".pytest_cache", ".coverage",
                                                     ".nyc_output", ".hypothesis"};

/// Removes files that runs leave and later runs would trust, outside shared directories. Byte code compares
/// whole seconds: a candidate's file of equal size could be taken for the base's.
void scrub(const fs::path& tree, const std::vector<std::string>& kept,
           const std::unordered_set<std::string>& tracked) {
  std::vector<fs::path> found;
  walk_below(tree, [&](auto& at) {
    const auto relative = at->path().lexically_relative(tree).string();
    const auto name = at->path().filename().string();
    if (covered_by(kept, relative) || name == ".git" || name == "node_modules" || name == ".venv" ||
        name == "venv") {
      return at.disable_recursion_pending();
    }
    if (std::find(kDroppings.begin(), kDroppings.end(), name) == kDroppings.end()) return;
    if (tracked.contains(relative)) return;
    found.push_back(at->path());
    at.disable_recursion_pending();
  });
  for (const auto& path : found) (void)remove_tree(path);
}

std::uint64_t bytes_of(const fs::path& tree) {
  std::uint64_t blocks = 0;
  walk_below(tree, [&](auto& at) {
    struct stat st {};
    if (::lstat(at->path().c_str(), &st) == 0) blocks += static_cast<std::uint64_t>(st.st_blocks);
  });
  return blocks * 512;
}

}  // namespace

Result<void> whole_copy(const fs::path& from, const fs::path& to) {
  return trees::is_subvolume(from) ? trees::snapshot_subvolume(from, to) : clone_tree(from, to);
}

Result<std::vector<model::TemplateStep>> Templates::begin(const TemplateKey& key, const git::Store& store,
                                                          const model::RaceSpec& spec,
                                                          std::vector<std::string>& notes,
                                                          bool from_nothing) const {
  const auto paths = unfinished(key.digest);
  const auto owner = read_file(paths.root / "owner", 4096);
  if (owner.ok() && *owner != spec.id) abandon(key);
  const auto marks = paths.root / "steps";
  for (const auto& directory : {paths.root, marks, paths.home(), paths.caches()})
    HYDRA_CHECK(make_dirs(directory, 0700));
  HYDRA_CHECK(write_file(paths.root / "owner", spec.id, 0600));
  const fs::path checkout = spec.repository.root;
  const auto& workspace = spec.config.workspace;
  Steps steps(marks);
  HYDRA_CHECK(steps.run("checkout", [&]() -> Result<void> {
    HYDRA_CHECK(remove_tree(paths.cold()));
    // On btrfs, copies of this tree are snapshots.
    if (trees::on_btrfs(paths.root)) HYDRA_CHECK(trees::create_subvolume(paths.cold()));
    return store.checkout(paths.cold(), spec.repository.base, objects_inside(store));
  }));
  const auto shared = steps.run("share", [&]() -> Result<void> {
    for (const auto& path : expand_paths(checkout, workspace.share)) {
      HYDRA_TRY(const bool there, can_share(checkout, path, !workspace.setup));
      if (there) HYDRA_CHECK(copy_one(checkout, paths.cold(), path));
    }
    HYDRA_CHECK(copy_from_checkout(checkout, paths.cold(), workspace.copy));
    if (!from_nothing) {
      HYDRA_TRY(const bool taken, take_set_up(key, store, spec));
      if (taken) return {};
    }
    const auto outputs = expand_paths(checkout, workspace.outputs);
    if (outputs.empty()) return {};
    // Outputs of sources that the base lacks would be taken for the base's.
    const bool dirty =
        std::any_of(spec.repository.dirty.begin(), spec.repository.dirty.end(), [&](const auto& path) {
          return !covered_by(workspace.outputs, path) && !covered_by(workspace.share, path) &&
                 !covered_by(workspace.copy, path);
        });
    if (dirty || spec.repository.head != spec.repository.base) {
      notes.emplace_back(
          "the checkout differs from the base: its build results are not used, and the base is built again");
      return {};
    }
    HYDRA_TRY(const auto tracked, store.base_paths());
    HYDRA_CHECK(restore_mtimes(checkout, paths.cold(), tracked));
    for (const auto& path : outputs) {
      struct stat st {};
      if (::lstat((checkout / path).c_str(), &st) != 0 || S_ISLNK(st.st_mode)) continue;
      if (std::binary_search(tracked.begin(), tracked.end(), path)) continue;
      HYDRA_CHECK(copy_one(checkout, paths.cold(), path));
    }
    return {};
  });
  if (shared.ok()) return std::move(steps).done();
  if (from_nothing) return shared.error();
  // The earlier template may have been removed meanwhile.
  abandon(key);
  return begin(key, store, spec, notes, true);
}

std::string Templates::earlier_of(const TemplateKey& key) const {
  return read_file(unfinished(key.digest).root / kEarlier, 4096).value_or("");
}

Result<bool> Templates::take_set_up(const TemplateKey& key, const git::Store& store,
                                    const model::RaceSpec& spec) const {
  const auto templates = list();  // the last used first
  const auto earlier = std::find_if(templates.begin(), templates.end(), [&](const auto& info) {
    return info.meta.project == key.project && info.digest != key.digest;
  });
  if (earlier == templates.end()) return false;
  const auto bases = between_bases(store, spec, earlier->meta.base);
  if (!bases.ok()) return false;
  const auto from = at(earlier->digest), to = unfinished(key.digest);
  HYDRA_CHECK(take_untracked(from.cold(), to.cold(), to.root / "spare", *bases, spec.config.workspace));
  HYDRA_CHECK(take_mtimes(from.cold(), to.cold(), *bases));
  HYDRA_CHECK(copy_over(from.home(), to.home()));
  HYDRA_CHECK(copy_over(from.caches(), to.caches()));
  HYDRA_CHECK(write_file(to.root / kEarlier, earlier->digest, 0600));
  HYDRA_CHECK(write_file(to.root / "steps" / "setup", "", 0600));
  return true;
}

Result<void> Templates::begin_warm(const TemplateKey& key, const git::Store& store,
                                   const model::RaceSpec& spec) const {
  const auto paths = unfinished(key.digest);
  struct stat st {};
  if (::lstat(paths.warm().c_str(), &st) == 0) return {};
  const bool overlays = model::overlays(spec.tree_rung);
  const auto half = paths.root / "warm.half";
  const auto begin_half = [&]() -> Result<void> {
    HYDRA_CHECK(remove_tree(half));
    return overlays ? Result<void>() : whole_copy(paths.cold(), half);
  };
  const auto take_warm = [&](const TemplateMeta& earlier) -> Result<void> {
    const auto from = at(earlier_of(key));
    HYDRA_TRY(const auto bases, between_bases(store, spec, earlier.base));
    return overlays ? take_layer(from.warm(), from.cold(), half, bases)
                    : take_untracked(from.warm(), half, paths.root / "spare", bases, spec.config.workspace);
  };
  HYDRA_CHECK(begin_half());
  // The earlier template may have been removed meanwhile: the build begins from nothing then.
  if (const auto earlier = read_meta(earlier_of(key)); earlier && earlier->warm && !take_warm(*earlier).ok())
    HYDRA_CHECK(begin_half());
  HYDRA_CHECK(make_dirs(half, 0755));
  if (overlays)
    for (const auto& directory : {paths.work(), paths.mount()}) HYDRA_CHECK(make_dirs(directory, 0755));
  if (::rename(half.c_str(), paths.warm().c_str()) != 0)
    return system_error("cannot rename " + half.string(), errno);
  return {};
}

Result<TemplateMeta> Templates::finish(const TemplateKey& key, const git::Store& store,
                                       const model::RaceSpec& spec, bool warm, std::vector<std::string> notes,
                                       std::int64_t now_ms) const {
  const auto paths = unfinished(key.digest);
  HYDRA_TRY(const auto base, store.base_paths());
  const std::unordered_set<std::string> tracked(base.begin(), base.end());
  auto kept = spec.config.workspace.share;
  kept.insert(kept.end(), spec.config.workspace.copy.begin(), spec.config.workspace.copy.end());
  scrub(paths.cold(), kept, tracked);
  if (warm)
    scrub(paths.warm(), kept, tracked);
  else
    HYDRA_CHECK(remove_tree(paths.warm()));
  HYDRA_CHECK(remove_tree(paths.work()));
  HYDRA_CHECK(remove_tree(paths.root / "steps"));
  TemplateMeta meta;
  meta.key = key.text;
  meta.project = key.project;
  meta.base = spec.repository.base;
  meta.warm = warm;
  meta.used_ms = now_ms;
  meta.notes = std::move(notes);
  meta.bytes = bytes_of(paths.root);
  // Build tools compare file times, so use the file system's clock.
  HYDRA_CHECK(write_file(paths.root / "finished", "", 0600));
  struct stat st {};
  if (::stat((paths.root / "finished").c_str(), &st) != 0) return system_error("stat", errno);
  meta.finished_ns = st.st_mtim.tv_sec * 1'000'000'000 + st.st_mtim.tv_nsec;
  HYDRA_CHECK(write_meta(paths.root, meta));
  const auto finished = at(key.digest);
  move_to_trash(finished.root, trash_);  // left by an older key text with this digest, or unreadable
  if (::rename(paths.root.c_str(), finished.root.c_str()) != 0)
    return system_error("cannot rename " + paths.root.string(), errno);
  return meta;
}

}  // namespace hydra::trees
