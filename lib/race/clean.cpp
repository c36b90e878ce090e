#include "race/clean.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "git/pin.hpp"
#include "git/place.hpp"
#include "race/agents/worktrees.hpp"
#include "race/state/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace hydra::race {
namespace {

/// File in a removed race's directory with the machine's uptime at the removal.
constexpr const char* kRemovedUp = "removed-at";

// A link in place of a directory would lead outside Hydra's files.
bool real_directory(const fs::path& path) {
  std::error_code ec;
  return fs::symlink_status(path, ec).type() == fs::file_type::directory;
}

bool is_there(const fs::path& path) {
  std::error_code ec;
  const auto type = fs::symlink_status(path, ec).type();
  return type != fs::file_type::not_found && type != fs::file_type::none;
}

std::vector<std::string> litter_of(const State& state, const AgentState& agent) {
  const auto& known = state.spec.config.agents;
  const auto descriptor = known.find(agent.entry.id);
  return descriptor == known.end() ? std::vector<std::string>{} : descriptor->second.litter;
}

// Returns the first path, with its reason, that the capture left out of a result and that exists nowhere
// else; empty: none.
std::string work_beside(const model::Capture& capture) {
  for (const auto& row : capture.left_out)
    if (row.reason == model::LeftReason::too_large || row.reason == model::LeftReason::above_limit ||
        row.reason == model::LeftReason::refused_by_git)
      return "its capture lacks " + row.path + ": " + std::string(name(row.reason));
  for (const auto& flag : capture.flags)
    if (flag.kind == model::FlagKind::submodule_changed)
      return "what changed in the submodule " + flag.path + " is in no branch";
  for (const auto& flag : capture.flags)
    if (flag.kind == model::FlagKind::commits_beside)
      return "its capture lacks the commits of the agent's own " +
             std::string(flag.path.starts_with("refs/") ? "" : "branch ") + flag.path;
  return {};
}

// Returns why a workspace stays; empty: its content is the captured commit, or no agent worked in it.
std::string why_workspace_stays(const State& state, const AgentState& agent, const Layout& layout,
                                const fs::path& path, const git::Store& store,
                                std::vector<model::LeftOut>& left_out) {
  if (!real_directory(path)) return "it is no directory any more";
  if (agent.attempts == 0) return {};
  if (!agent.capture) return "its content could not be captured: " + agent.capture_error;
  const auto tree = worktree_at(layout, path.filename());
  if (has_strays(tree)) return "its directory holds files outside of its layer";
  const auto now = store.capture(tree, agent.entry.name, litter_of(state, agent));
  if (!now.ok()) return "it can't be compared with its capture: " + now.error().message;
  left_out = now->left_out;
  if (now->commit != agent.capture->commit) return "it was changed after its capture";
  return work_beside(*now);
}

// Returns why an earlier workspace ("codex.old-4711-0", moved aside when it was made again) stays.
std::string why_older_stays(const State& state, const Layout& layout, const fs::path& path,
                            const git::Store& store, std::vector<model::LeftOut>& left_out) {
  const auto name = path.filename().string();
  const auto* agent = state.agent(model::subject_of_directory(name.substr(0, name.find(".old-"))).agent);
  if (!agent || name.find(".old-") == std::string::npos) return "no record names it";
  if (!real_directory(path)) return "it is no directory any more";
  const auto tree = worktree_at(layout, name);
  if (has_strays(tree)) return "its directory holds files outside of its layer";
  const auto now = store.capture(tree, agent->entry.name, litter_of(state, *agent));
  if (!now.ok()) return "it can't be compared with the base: " + now.error().message;
  left_out = now->left_out;
  if (now->changed) return "an earlier workspace with work that is in no capture";
  return work_beside(*now);
}

// Opens each component separately without following links, so that a link created meanwhile is refused.
Result<UniqueFd> open_below(const fs::path& base, const fs::path& relative) {
  UniqueFd at(::open(base.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!at) return system_error("cannot open " + base.string(), errno);
  for (const auto& part : relative) {
    if (part.empty() || part == ".") continue;
    UniqueFd next(::openat(at.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next) return system_error("cannot open " + (base / relative).string(), errno);
    at = std::move(next);
  }
  return at;
}

// Moves a path below the state directory by rename only: a failed move leaves the source complete.
Result<void> move_below(const fs::path& state, const fs::path& from, const fs::path& to) {
  HYDRA_CHECK(make_dirs(to.parent_path(), 0700));
  HYDRA_TRY(const auto source, open_below(state, from.parent_path().lexically_relative(state)));
  HYDRA_TRY(const auto target, open_below(state, to.parent_path().lexically_relative(state)));
  if (::renameat2(source.get(), from.filename().c_str(), target.get(), to.filename().c_str(),
                  RENAME_NOREPLACE) != 0)
    return system_error("cannot move " + from.string(), errno);
  return {};
}

Result<void> move_to_trash(const Layout& layout, const fs::path& from) {
  static std::atomic<unsigned> counter{0};
  Result<void> moved;
  for (int tries = 0; tries < 1000; ++tries) {
    moved = move_below(layout.state(), from,
                       layout.trash() / fmt::format("{}-clean-{}-{}", from.filename().string(), ::getpid(),
                                                    counter.fetch_add(1)));
    if (moved.ok() || !is_there(from)) return moved;
  }
  return moved;
}

}  // namespace

std::uint64_t disk_bytes(const fs::path& tree) {
  struct stat st {};
  if (::lstat(tree.c_str(), &st) != 0) return 0;
  auto blocks = static_cast<std::uint64_t>(st.st_blocks);
  std::vector<fs::path> directories;
  if (S_ISDIR(st.st_mode)) directories.push_back(tree);
  // Not a recursive iterator: files that vanish meanwhile would end it early, and the rest would not be
  // counted.
  while (!directories.empty()) {
    const auto at = std::move(directories.back());
    directories.pop_back();
    const UniqueDir listed(::opendir(at.c_str()));
    while (const dirent* entry = listed ? ::readdir(listed.get()) : nullptr) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." ||
          ::fstatat(::dirfd(listed.get()), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        continue;
      blocks += static_cast<std::uint64_t>(st.st_blocks);
      if (S_ISDIR(st.st_mode)) directories.push_back(at / name);
    }
  }
  return blocks * 512;
}

std::vector<CleanItem> examine(const State& state, const Layout& layout, const git::Store& store,
                               const CleanAges& ages, const Moment& now) {
  std::vector<CleanItem> items;
  if (const auto at = removed_at(layout)) {
    CleanItem item{wire::CleanKind::removed,     state.spec.id,        {}, layout.removed().string(),
                   disk_bytes(layout.removed()), elapsed_ms(*at, now), {}};
    if (item.age_ms < ages.keep_ms) item.kept = "`hydra clean --undo " + state.spec.id + "` brings it back";
    if (item.bytes < ages.min_bytes) item.kept = "smaller";
    items.push_back(std::move(item));
  }
  if (!is_there(layout.root())) return items;
  const auto age = elapsed_ms({state.ended_ms, state.ended_up}, now);
  CleanItem whole{wire::CleanKind::race, state.spec.id, {}, layout.root().string(), 0, age, {}};
  // All directories on the path are Hydra's own, but an agent without a sandbox could have placed a link.
  if (!real_directory(layout.root()) ||
      (is_there(layout.root() / "work") && !real_directory(layout.root() / "work"))) {
    whole.kept = "a link replaces a directory";
    items.push_back(std::move(whole));
    return items;
  }
  if (const auto there = git::holds_base(state.spec); !there.ok()) {
    // The captures can't be read without the repository, but a race removed as a whole can be restored as a
    // whole.
    whole.bytes = disk_bytes(layout.root());
    if (!ages.named)
      whole.kept =
          there.error().message + "; `hydra clean " + state.spec.id + "` takes all of it away uncompared";
    else if (age < ages.older_than_ms)
      whole.kept = "too young";
    else if (whole.bytes < ages.min_bytes)
      whole.kept = "smaller";
    items.push_back(std::move(whole));
    return items;
  }
  bool captured = true;
  std::uint64_t inside = 0;
  std::error_code ec;
  std::vector<fs::path> places;
  for (fs::directory_iterator entry(layout.root() / "work", ec), end; !ec && entry != end;
       entry.increment(ec))
    places.push_back(entry->path());
  std::sort(places.begin(), places.end());
  for (const auto& path : places) {
    const auto name = model::subject_of_directory(path.filename().string()).agent;
    const auto bytes = disk_bytes(path) + disk_bytes(layout.dependencies(path.filename()));
    CleanItem item{wire::CleanKind::workspace, state.spec.id, name, path.string(), bytes, age, {}};
    const auto* agent = state.agent(name);
    auto& left_out = item.left_out.emplace();
    item.kept = agent ? why_workspace_stays(state, *agent, layout, path, store, left_out)
                      : why_older_stays(state, layout, path, store, left_out);
    if (ages.named && ages.uncaptured) item.lost = std::exchange(item.kept, {});
    captured = captured && item.kept.empty();
    if (item.kept.empty() && age < ages.older_than_ms) item.kept = "too young";
    if (item.kept.empty() && item.bytes < ages.min_bytes) item.kept = "smaller";
    inside += item.bytes;
    items.push_back(std::move(item));
  }
  whole.bytes = disk_bytes(layout.root());
  whole.bytes -= std::min(whole.bytes, inside);
  if (ec)
    whole.kept = is_there(layout.root() / "work") ? "its workspaces can't be listed: " + ec.message() : "";
  if (!captured)
    whole.kept = "a workspace is not captured";
  else if (age < std::max(ages.keep_ms, ages.older_than_ms))
    whole.kept = "within the keep time";
  else if (whole.kept.empty() && whole.bytes + inside < ages.min_bytes)
    whole.kept = "smaller";
  items.push_back(std::move(whole));
  return items;
}

void remove_items(const State& state, const Layout& layout, std::vector<CleanItem>& items, bool for_good) {
  bool all = true;
  for (auto& item : items) {
    if (item.kind != wire::CleanKind::workspace) continue;
    if (item.kept.empty()) {
      if (const auto moved = move_to_trash(layout, item.path); !moved.ok()) {
        item.kept = describe(moved.error());
      } else {
        git::forget_worktree(state.spec.repository, item.path);
        forget_layer(layout, fs::path(item.path).filename());
        (void)move_to_trash(layout, layout.dependencies(fs::path(item.path).filename()));
      }
    }
    all = all && item.kept.empty();
  }
  for (auto& item : items) {
    if (!item.kept.empty() || item.kind == wire::CleanKind::workspace) continue;
    Result<void> moved;
    if (item.kind == wire::CleanKind::removed) moved = drop_removed(state, layout);
    if (item.kind == wire::CleanKind::race && !all) item.kept = "a workspace of it stays";
    if (item.kind == wire::CleanKind::race && all) {
      // The race was restored and is removed again: remains of the first removal are of no use.
      if (removed_at(layout)) (void)move_to_trash(layout, layout.removed());
      const auto up = SystemClock{}.uptime();
      (void)write_file(layout.root() / kRemovedUp, up.boot + " " + std::to_string(up.ms) + "\n", 0600);
      moved = move_below(layout.state(), item.path, layout.removed());
      const timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
      if (moved.ok()) ::utimensat(AT_FDCWD, layout.removed().c_str(), now, AT_SYMLINK_NOFOLLOW);
      if (moved.ok() && for_good) moved = drop_removed(state, layout);
    }
    if (!moved.ok()) item.kept = describe(moved.error());
  }
}

std::optional<Moment> removed_at(const Layout& layout) {
  struct stat st {};
  if (::lstat(layout.removed().c_str(), &st) != 0 || !S_ISDIR(st.st_mode)) return std::nullopt;
  Moment at{static_cast<std::int64_t>(st.st_mtim.tv_sec) * 1000 + st.st_mtim.tv_nsec / 1'000'000};
  const auto text = read_file(layout.removed() / kRemovedUp, 256).value_or("");
  if (const auto blank = text.find(' '); blank != std::string::npos)
    at.up = {text.substr(0, blank), parse_int(trim(std::string_view(text).substr(blank))).value_or(0)};
  return at;
}

Result<void> bring_back(const Layout& layout) {
  if (!removed_at(layout) || is_there(layout.root())) return {};
  return move_below(layout.state(), layout.removed(), layout.root());
}

// The pin is deleted last: until then the captures can be used.
Result<void> drop_removed(const State& state, const Layout& layout) {
  HYDRA_CHECK(move_to_trash(layout, layout.removed()));
  if (is_there(layout.root())) return {};  // the race was restored meanwhile, and needs its pin
  if (const auto unpinned = git::unpin_base(state.spec); !unpinned.ok())
    log::warn("race {}: {}", state.spec.id, describe(unpinned.error()));
  return {};
}

Result<std::vector<std::string>> restore_workspaces(const State& state, const Layout& layout,
                                                    const git::Store& store, const std::string& only) {
  if (!is_there(layout.store()))
    return Error{Errc::not_found, "the captures of this race are gone", state.spec.id,
                 "its branches hydra/… are in your repository as long as you keep them"};
  std::vector<std::string> made;
  for (const auto& agent : state.agents) {
    const auto path = layout.work(agent.entry.name);
    if (!only.empty() && agent.entry.name != only) continue;
    if (!only.empty() && is_there(path)) HYDRA_CHECK(make_real(layout, only));
    // Combined results and results under verification never had a workspace here.
    if (!agent.capture || agent.workspace != path.string() || is_there(path)) continue;
    HYDRA_CHECK(make_dirs(path.parent_path(), 0700));
    // Atomic: half a checkout in the workspace's place would be mistaken for the agent's work.
    const fs::path fresh = path.string() + ".new";
    HYDRA_CHECK(remove_tree(fresh));
    if (auto done = store.checkout(fresh, agent.capture->commit, {}); !done.ok()) {
      (void)remove_tree(fresh);
      return std::move(done).error();
    }
    forget_layer(layout, path.filename());
    if (::rename(fresh.c_str(), path.c_str()) != 0)
      return system_error("cannot make " + path.string(), errno);
    made.push_back(agent.entry.name);
  }
  return made;
}

}  // namespace hydra::race
