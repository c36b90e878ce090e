#include "trees/layered.hpp"

#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "config/ecosystem.hpp"
#include "trees/btrfs.hpp"
#include "trees/changes.hpp"
#include "trees/clone_tree.hpp"
#include "trees/hidden_tests.hpp"
#include "trees/layers.hpp"
#include "trees/rungs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace hydra::trees {
namespace {

constexpr std::uint64_t kLayeredLargestFile = 4ull << 30;

std::string home_of(const model::RaceSpec& spec) {
  for (const auto& [name, value] : spec.environment)
    if (name == "HOME") return value;
  return {};
}

exec::OverlayMount overlay_at(const fs::path& directory, std::vector<fs::path> lower) {
  return {std::move(lower), directory / "upper", directory / "work", directory / "mount"};
}

bool directory_exists(const fs::path& path) {
  struct stat st {};
  return ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

std::string safe_name(const std::string& directory) { return replace_all(directory, "/", "%"); }

/// Adds caches of the user's home, each under an overlay that is thrown away, or else read-only.
/// `base`: the template's layers in between; empty for the template's own jobs.
void add_caches(const model::RaceSpec& spec, const fs::path& base, const fs::path& own,
                Workspace& workspace) {
  const fs::path home = home_of(spec);
  if (home.empty()) return;
  for (const auto& place : config::cache_places(spec.config.workspace.caches)) {
    const auto user = home / place.directory;
    const bool there = directory_exists(user);
    if (!model::overlays(spec.tree_rung)) {
      if (there) workspace.binds.push_back({user, user, false, true});
      continue;
    }
    std::vector<fs::path> lower;
    if (!base.empty()) {
      const auto layer = base / safe_name(place.directory) / "upper";
      if (directory_exists(layer)) lower.push_back(layer);
    }
    if (there) lower.push_back(user);
    if (lower.empty()) continue;
    workspace.overlays.push_back(overlay_at(own / safe_name(place.directory), std::move(lower)));
    workspace.binds.push_back({workspace.overlays.back().mount, user, true, false});
  }
}

// Keys and tokens in a cache never reach a check.
Result<void> hide_secrets(const model::RaceSpec& spec, const fs::path& own) {
  const fs::path home = home_of(spec);
  if (home.empty() || !model::overlays(spec.tree_rung)) return {};
  for (const auto& place : config::cache_places(spec.config.workspace.caches)) {
    const auto overlay = overlay_at(own / safe_name(place.directory), {home / place.directory});
    if (!directory_exists(overlay.upper)) continue;
    HYDRA_TRY(auto writer, trees::layer_writer(overlay, overlay_as(spec.tree_rung)));
    for (const auto& path : expand_paths(home / place.directory, place.hidden)) {
      struct stat st {};
      if (::lstat((home / place.directory / path).c_str(), &st) == 0) HYDRA_CHECK(writer->remove(path));
    }
  }
  return {};
}

Result<void> make_mounts(const Workspace& workspace) {
  for (const auto& overlay : workspace.overlays)
    for (const auto& path : {overlay.upper, overlay.work, overlay.mount}) HYDRA_CHECK(make_dirs(path, 0755));
  return {};
}

class LayeredWorkspaces final : public WorkspaceProvider {
 public:
  LayeredWorkspaces(git::Store store, const model::RaceSpec& spec, TemplatePaths base, TemplateMeta meta,
                    fs::path directory, fs::path trash)
      : store_(std::move(store)),
        spec_(spec),
        base_(std::move(base)),
        meta_(std::move(meta)),
        directory_(std::move(directory)),
        trash_(std::move(trash)) {}

  [[nodiscard]] Result<PreparedWorkspace> prepare(const WorkspaceRequest& request) const override {
    discard(request.subject);
    HYDRA_TRY(auto plan, plan_of(request.commit));
    const bool cold = plan.cold || request.subject.kind == model::Subject::Kind::cold;
    model::WorkspaceFacts facts;
    facts.reasons = std::move(plan.reasons);
    for (const auto& left : plan.left_out)
      facts.left_out.push_back(fmt::format("{} ({})", left.path, left.reason));
    facts.setup = plan.setup && spec_.config.workspace.setup.has_value();
    const bool copy = request.copy || meta_.copies_only || !model::overlays(spec_.tree_rung);
    // With overlays, the warm layer is no tree that could be copied.
    facts.warm = meta_.warm && !cold && !(copy && model::overlays(spec_.tree_rung));
    if (meta_.warm && copy && model::overlays(spec_.tree_rung))
      facts.reasons.emplace_back("a copy begins from nothing");
    facts.tree = !copy                               ? model::TreeKind::overlay
                 : trees::is_subvolume(base_.cold()) ? model::TreeKind::snapshot
                                                     : model::TreeKind::copy;
    PreparedWorkspace prepared{at(request.subject, facts), std::move(facts)};
    auto& workspace = prepared.workspace;
    const auto directory = own(request.subject);
    HYDRA_CHECK(make_dirs(directory, 0700));
    HYDRA_CHECK(make_mounts(workspace));
    HYDRA_CHECK(hide_secrets(spec_, directory / "caches"));
    if (copy) {
      HYDRA_CHECK(whole_copy(prepared.facts.warm ? base_.warm() : base_.cold(), workspace.host));
      if (!model::overlays(spec_.tree_rung)) HYDRA_CHECK(clone_tree(base_.home(), workspace.home));
    }
    HYDRA_TRY(auto writer, writer_of(workspace, copy));
    if (cold) {
      HYDRA_TRY(const bool dropped, drop_outputs(*writer));
      if (dropped && spec_.config.workspace.setup) {
        prepared.facts.setup = true;
        prepared.facts.reasons.emplace_back("the set-up makes build results: it runs again");
      }
    }
    HYDRA_CHECK(apply(*writer, plan.apply, request, directory));
    if (!request.hidden.empty()) HYDRA_CHECK(lay_over(*writer, request.hidden, change_time()));
    HYDRA_CHECK(writer->finish());
    return prepared;
  }

  [[nodiscard]] Workspace at(const model::Subject& subject,
                             const model::WorkspaceFacts& facts) const override {
    Workspace workspace;
    const auto directory = own(subject);
    workspace.inside = spec_.repository.root;
    workspace.overlay_as = overlay_as(spec_.tree_rung);
    if (facts.tree == model::TreeKind::overlay) {
      std::vector<fs::path> lower;
      if (facts.warm) lower.push_back(base_.warm());
      lower.push_back(base_.cold());
      workspace.overlays.push_back(overlay_at(directory, std::move(lower)));
      workspace.host = workspace.overlays.back().mount;
    } else {
      workspace.host = directory / "tree";
    }
    if (model::overlays(spec_.tree_rung)) {
      workspace.overlays.push_back(overlay_at(directory / "home", {base_.home()}));
      workspace.home = workspace.overlays.back().mount;
      workspace.byte_code = base_.byte_code();
    } else {
      workspace.home = directory / "home";
    }
    add_caches(spec_, base_.caches(), directory / "caches", workspace);
    workspace.binds.push_back({workspace.host, workspace.inside, true, false});
    bind_objects(store_, workspace);
    return workspace;
  }

  void discard(const model::Subject& subject) const override { move_to_trash(own(subject), trash_); }

 private:
  [[nodiscard]] Result<ChangePlan> plan_of(const std::string& commit) const {
    HYDRA_TRY(auto changes, store_.changes(commit));
    if (changes.empty()) return ChangePlan{};
    auto base = base_tree_.load();
    if (!base) {
      HYDRA_TRY(auto paths, store_.base_paths());
      base = std::make_shared<const BaseTree>(std::move(paths));
      base_tree_.store(base);
    }
    return plan_changes(store_, spec_, std::move(changes), *base);
  }

  [[nodiscard]] fs::path own(const model::Subject& subject) const {
    return directory_ / model::directory_name(subject);
  }

  [[nodiscard]] Result<std::unique_ptr<trees::TreeWriter>> writer_of(const Workspace& workspace,
                                                                     bool copy) const {
    if (copy) return trees::directory_writer(workspace.host);
    return trees::layer_writer(workspace.overlays.front(), workspace.overlay_as);
  }

  // Returns whether there were any outputs.
  [[nodiscard]] Result<bool> drop_outputs(trees::TreeWriter& writer) const {
    bool any = false;
    for (const auto& path :
         expand_paths(base_.cold(), spec_.config.workspace.outputs, spec_.config.workspace.share)) {
      struct stat st {};
      if (::lstat((base_.cold() / path).c_str(), &st) != 0) continue;
      HYDRA_CHECK(writer.remove(path));
      any = true;
    }
    return any;
  }

  // The mtime of changes: never an agent's, and never one that a build tool could take for as old as the
  // template's files, since byte code and old makes count whole seconds. A future mtime would make ninja
  // build for ever: wait for the rest of the second instead.
  [[nodiscard]] timespec change_time() const {
    using namespace std::chrono;
    const bool built = meta_.warm || spec_.config.workspace.setup;
    const auto next = ceil<seconds>(system_clock::time_point(nanoseconds(meta_.finished_ns + 1)));
    const auto wait = next - system_clock::now();
    if (built && wait < 1s) std::this_thread::sleep_for(wait);  // a longer wait means a clock set back
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now;
  }

  [[nodiscard]] Result<void> apply(trees::TreeWriter& writer, const std::vector<git::TreeChange>& changes,
                                   const WorkspaceRequest& request, const fs::path& directory) const {
    if (request.commit == spec_.repository.base) return {};
    const auto files = directory / "files";
    const auto index = directory / "index";
    HYDRA_CHECK(store_.materialise(changes, files, base_.cold() / ".git/index", index));
    const auto time = change_time();
    for (const auto& change : changes)
      if (change.status == 'D') HYDRA_CHECK(writer.remove(change.path));
    for (const auto& change : changes) {
      if (change.status == 'D') continue;
      HYDRA_CHECK(put(writer, change, files / change.path));
      HYDRA_CHECK(writer.set_mtime(change.path, time));
    }
    if (request.subject.kind != model::Subject::Kind::cross) {
      HYDRA_TRY(const auto bytes, read_file(index, kLayeredLargestFile));
      HYDRA_CHECK(writer.put(".git/index", 0100644, bytes));
      const auto& branch = spec_.repository.head_ref;
      HYDRA_CHECK(writer.put(".git/" + (branch.empty() ? "HEAD" : branch), 0100644, request.commit + "\n"));
    }
    return remove_tree(files);
  }

  static Result<void> put(trees::TreeWriter& writer, const git::TreeChange& change, const fs::path& file) {
    std::error_code ec;
    // With core.symlinks off, a link is a file that holds its target, as in the user's checkout.
    if (change.mode == "120000" && fs::is_symlink(fs::symlink_status(file, ec))) {
      const auto target = fs::read_symlink(file, ec);
      if (ec) return system_error("cannot read the link " + file.string(), ec.value());
      return writer.put(change.path, 0120000, target.string());
    }
    HYDRA_TRY(const auto bytes, read_file(file, kLayeredLargestFile));
    return writer.put(change.path, change.mode == "100755" ? 0100755 : 0100644, bytes);
  }

  mutable std::atomic<std::shared_ptr<const BaseTree>> base_tree_;  ///< asked of git once
  git::Store store_;
  model::RaceSpec spec_;
  TemplatePaths base_;
  TemplateMeta meta_;
  fs::path directory_, trash_;
};

}  // namespace

std::unique_ptr<WorkspaceProvider> layered_workspaces(git::Store store, const model::RaceSpec& spec,
                                                      TemplatePaths base, TemplateMeta meta,
                                                      fs::path directory, fs::path trash) {
  return std::make_unique<LayeredWorkspaces>(std::move(store), spec, std::move(base), std::move(meta),
                                             std::move(directory), std::move(trash));
}

Workspace template_workspace(const git::Store& store, const model::RaceSpec& spec, const TemplatePaths& paths,
                             bool warm) {
  Workspace workspace;
  workspace.inside = spec.repository.root;
  workspace.home = paths.home();
  workspace.overlay_as = overlay_as(spec.tree_rung);
  workspace.host = paths.cold();
  if (warm) {
    workspace.host = paths.warm();
    if (model::overlays(spec.tree_rung)) {
      workspace.overlays.push_back({{paths.cold()}, paths.warm(), paths.work(), paths.mount()});
      workspace.host = paths.mount();
    }
  }
  add_caches(spec, {}, paths.caches(), workspace);
  workspace.binds.push_back({workspace.host, workspace.inside, true, false});
  bind_objects(store, workspace);
  return workspace;
}

Result<void> make_template_mounts(const model::RaceSpec& spec, const TemplatePaths& paths,
                                  const Workspace& workspace) {
  HYDRA_CHECK(make_mounts(workspace));
  return hide_secrets(spec, paths.caches());
}

}  // namespace hydra::trees
