#include "race/clean.hpp"

#include "base/log.hpp"
#include "checks/workspace.hpp"
#include "git/pin.hpp"

#include <algorithm>
#include <sys/stat.h>

namespace hydra::race {
namespace {

// A link in the place of a directory leads to what is not Hydra's.
bool real_directory(const fs::path& path) {
  std::error_code ec;
  return fs::symlink_status(path, ec).type() == fs::file_type::directory;
}

bool is_there(const fs::path& path) {
  std::error_code ec;
  const auto type = fs::symlink_status(path, ec).type();
  return type != fs::file_type::not_found && type != fs::file_type::none;
}

// Empty: its content is the captured commit, or there never was work in it.
std::string why_workspace_stays(const State& state, const AgentState& agent, const fs::path& path,
                                const git::Store& store) {
  if (!real_directory(path)) return "it is no directory any more";
  if (agent.attempts == 0) return {};
  if (!agent.capture) return "its content could not be captured: " + agent.capture_error;
  const auto& config = state.spec.config;
  const auto descriptor = config.agents.find(agent.entry.id);
  auto left_out = descriptor == config.agents.end() ? std::vector<std::string>{} : descriptor->second.litter;
  left_out.insert(left_out.end(), config.workspace.copy.begin(), config.workspace.copy.end());
  const auto now = store.capture(path, agent.entry.name, left_out);
  if (!now.ok()) return "it can't be compared with its capture: " + now.error().message;
  return now->commit == agent.capture->commit ? std::string() : "it was changed after its capture";
}

}  // namespace

std::uint64_t disk_bytes(const fs::path& tree) {
  std::uint64_t blocks = 0;
  std::error_code ec;
  struct stat st {};
  if (::lstat(tree.c_str(), &st) != 0) return 0;
  blocks += static_cast<std::uint64_t>(st.st_blocks);
  if (!S_ISDIR(st.st_mode)) return blocks * 512;
  constexpr auto kAll = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(tree, kAll, ec), end; !ec && at != end; at.increment(ec))
    if (::lstat(at->path().c_str(), &st) == 0) blocks += static_cast<std::uint64_t>(st.st_blocks);
  return blocks * 512;
}

std::vector<CleanItem> examine(const State& state, const Layout& layout, const git::Store& store,
                               const CleanAges& ages, std::int64_t now_ms) {
  std::vector<CleanItem> items;
  if (!is_there(layout.root())) return items;
  const auto age = std::max<std::int64_t>(0, now_ms - state.ended_ms);
  CleanItem whole{"race", state.spec.id, {}, layout.root().string(), 0, age, {}};
  // Every directory on the way is Hydra's own; an agent without a sandbox could have put a link there.
  if (!real_directory(layout.root()) ||
      (is_there(layout.root() / "work") && !real_directory(layout.root() / "work"))) {
    whole.kept = "a link stands in the place of a directory";
    return {whole};
  }
  bool captured = true;
  for (const auto& agent : state.agents) {
    const auto path = layout.work(agent.entry.name);
    if (!is_there(path)) continue;
    CleanItem item{"workspace", state.spec.id, agent.entry.name, path.string(), disk_bytes(path), age, {}};
    item.kept = why_workspace_stays(state, agent, path, store);
    captured = captured && item.kept.empty();
    if (item.kept.empty() && age < ages.older_than_ms) item.kept = "too young";
    items.push_back(std::move(item));
  }
  whole.bytes = disk_bytes(layout.root());
  for (const auto& item : items) whole.bytes -= std::min(whole.bytes, item.bytes);
  if (!captured)
    whole.kept = "a workspace is not captured";
  else if (age < std::max(ages.keep_ms, ages.older_than_ms))
    whole.kept = "within the keep time";
  items.push_back(std::move(whole));
  return items;
}

void remove_items(const State& state, const Layout& layout, std::vector<CleanItem>& items) {
  const bool whole = std::any_of(items.begin(), items.end(),
                                 [](const auto& i) { return i.kind == "race" && i.kept.empty(); });
  for (auto& item : items) {
    if (!item.kept.empty()) continue;
    if (item.kind == "workspace") {
      git::forget_worktree(state.spec.repository, item.path);
      if (!whole) checks::move_to_trash(item.path, layout.trash());
    } else if (item.kind == "race") {
      // The pin goes last: until then the captures can be used.
      checks::move_to_trash(item.path, layout.trash());
      if (is_there(item.path)) {
        item.kept = "it can't be moved away";
        continue;
      }
      if (const auto unpinned = git::unpin_base(state.spec); !unpinned.ok())
        log::warn("race {}: {}", state.spec.id, describe(unpinned.error()));
    }
    if (is_there(item.path)) {
      if (!whole || item.kind == "race") item.kept = "it can't be moved away";
    }
  }
}

Result<std::vector<std::string>> restore_workspaces(const State& state, const Layout& layout,
                                                    const git::Store& store) {
  if (!is_there(layout.store()))
    return Error{Errc::not_found, "the captures of this race are gone", state.spec.id,
                 "its branches hydra/… are in your repository as long as you keep them"};
  std::vector<std::string> made;
  for (const auto& agent : state.agents) {
    const auto path = layout.work(agent.entry.name);
    if (!agent.capture || is_there(path)) continue;
    HYDRA_CHECK(make_dirs(path.parent_path(), 0700));
    HYDRA_CHECK(store.checkout(path, agent.capture->commit, {}));
    made.push_back(agent.entry.name);
  }
  return made;
}

}  // namespace hydra::race
